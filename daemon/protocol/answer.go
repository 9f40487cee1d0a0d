package protocol

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// AppendAnswer appends the answer of a command that succeeded. Data is spliced
// as it is, so that what a page holds arrives byte for byte; nil means {}.
func AppendAnswer(dst []byte, id string, data jsontext.Value) []byte {
	return appendOK(append(dst, '{'), id, data)
}

func appendOK(dst []byte, id string, data jsontext.Value) []byte {
	dst = append(appendID(dst, id), `"ok":true,"data":`...)
	if len(data) == 0 {
		data = jsontext.Value("{}")
	}
	return append(append(dst, data...), '}')
}

// AppendError appends the answer of a command that failed, or the refusal of
// the gate, which may have no id.
func AppendError(dst []byte, id string, e *Error) []byte {
	return appendFailed(append(dst, '{'), id, e)
}

func appendFailed(dst []byte, id string, e *Error) []byte {
	dst = append(appendID(dst, id), `"ok":false,"error":`...)
	return append(e.appendTo(dst), '}')
}

func appendID(dst []byte, id string) []byte {
	if id != "" {
		dst = append(appendString(append(dst, `"id":`...), id), ',')
	}
	return dst
}

func (e *Error) appendTo(dst []byte) []byte {
	dst = appendString(append(dst, `{"code":`...), string(e.Code))
	dst = appendString(append(dst, `,"message":`...), e.Message)
	if e.Delivered != "" {
		dst = appendString(append(dst, `,"delivered":`...), string(e.Delivered))
	}
	return append(dst, '}')
}

// appendString appends s as a JSON string; bytes that are not UTF-8 become U+FFFD.
func appendString(dst []byte, s string) []byte {
	out, err := jsontext.AppendQuote(dst, s)
	if err != nil {
		// AppendQuote reports invalid UTF-8 and appends the mended string all the same.
		return out
	}
	return out
}

func appendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }
