package client

import (
	"reflect"
	"unicode/utf8"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// checkText refuses a command with a string that is not UTF-8. The encoder would
// put U+FFFD in its place, and the daemon would write another file, or take
// another session, than was named.
func checkText(cmd Command) error {
	if s, bad := badText(reflect.ValueOf(cmd)); bad {
		return protocol.Errorf(protocol.BadRequest, "%.60q is not UTF-8, which JSON cannot carry", s)
	}
	return nil
}

// badText returns a string inside v that is not UTF-8. Bytes, such as those of a
// json.RawMessage, are not looked at.
func badText(v reflect.Value) (string, bool) {
	switch v.Kind() {
	case reflect.String:
		return v.String(), !utf8.ValidString(v.String())
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return badText(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if s, bad := badText(v.Field(i)); bad {
				return s, true
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return "", false
		}
		for i := range v.Len() {
			if s, bad := badText(v.Index(i)); bad {
				return s, true
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			for _, part := range []reflect.Value{it.Key(), it.Value()} {
				if s, bad := badText(part); bad {
					return s, true
				}
			}
		}
	}
	return "", false
}
