package protocol

import "github.com/go-json-experiment/json/jsontext"

// DecodePair returns the code of the body of POST /pair, {"code":"012345"}. Its
// errors are of type *Error, code bad_request.
func DecodePair(body []byte, l Limits) (code string, err error) {
	if err := strict(body, l.Depth); err != nil {
		return "", Errorf(BadRequest, "the body is no good JSON: %s", err)
	}
	var inField error
	err = walk(body, func(name string, v jsontext.Value) error {
		if name != "code" {
			inField = Errorf(BadRequest, `%s is no field of a pairing; the only field is "code"`, quoteShort(name))
			return inField
		}
		if code, err = text(v); err != nil {
			inField = Errorf(BadRequest, `"code" %s; it is the six digits that omw pair shows`, err)
		}
		return inField
	})
	switch {
	case inField != nil:
		return "", inField
	case err != nil:
		return "", Errorf(BadRequest, "the body is no good JSON: %s", err)
	case code == "":
		return "", Errorf(BadRequest, `"code" is missing; it is the six digits that omw pair shows`)
	}
	return code, nil
}
