package protocol

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

const mib = 1 << 20

// largeValues are evaluate's values of about 1 MiB: one string without and
// with escapes, and a page's table of small objects.
func largeValues() map[string]jsontext.Value {
	row := `{"id":12345,"name":"Grüße aus der Zeile","price":19.99,"tags":["a","b"],"done":false},`
	table := "[" + strings.TrimSuffix(strings.Repeat(row, mib/len(row)), ",") + "]"
	return map[string]jsontext.Value{
		"text":    jsontext.Value(`"` + strings.Repeat("x", mib) + `"`),
		"escapes": jsontext.Value(`"` + strings.Repeat(`line\n\"quoted\" \ud800 `, mib/23) + `"`),
		"table":   jsontext.Value(table),
	}
}

func resultOf(value jsontext.Value) []byte {
	return (&Result{ID: "0123456789abcdef", OK: true, Data: jsontext.Value(`{"value":` + string(value) + `}`)}).AppendTo(nil)
}

func BenchmarkDecodeFrame(b *testing.B) {
	for name, value := range largeValues() {
		msg := resultOf(value)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(msg)))
			b.ReportAllocs()
			for b.Loop() {
				if f, err := DecodeFrame(msg); err != nil || f.(*Result).Bad != nil {
					b.Fatal(f, err)
				}
			}
		})
	}
}

func BenchmarkCheckData(b *testing.B) {
	a, _ := LookupAction("evaluate")
	for name, value := range largeValues() {
		data := jsontext.Value(`{"value":` + string(value) + `}`)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if err := a.CheckData(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFloor is what the JSON library itself needs to read the same bytes once.
func BenchmarkFloor(b *testing.B) {
	for name, value := range largeValues() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(value)))
			b.ReportAllocs()
			for b.Loop() {
				dec := jsontext.NewDecoder(bytes.NewBuffer(value), fromAgent...)
				if _, err := dec.ReadValue(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSmall(b *testing.B) {
	body := []byte(`{"action":"click","args":{"ref":"@e12","modifiers":["Shift"]},"session":"shop","id":"req-1","timeout_ms":30000}`)
	b.Run("DecodeCommand", func(b *testing.B) {
		l := DefaultLimits()
		b.ReportAllocs()
		for b.Loop() {
			if _, err := DecodeCommand(body, l); err != nil {
				b.Fatal(err)
			}
		}
	})
	result := []byte(`{"type":"result","id":"0123456789abcdef","ok":true,"data":{"tab":12,"url":"https://shop.example/","title":"Shop"}}`)
	a, _ := LookupAction("navigate")
	b.Run("DecodeFrame", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f, err := DecodeFrame(result)
			if err != nil {
				b.Fatal(err)
			}
			if err := a.CheckData(f.(*Result).Data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("AppendCommand", func(b *testing.B) {
		c := &CommandFrame{ID: "0123456789abcdef", Session: "shop", Action: "click", Args: jsontext.Value(`{"ref":"@e12"}`), DeadlineMS: 29987}
		dst := make([]byte, 0, 256)
		b.ReportAllocs()
		for b.Loop() {
			dst = c.AppendTo(dst[:0])
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			(&catalogue{files: Schemas()}).load()
		}
	})
	b.Run("one", func(b *testing.B) {
		for b.Loop() {
			(&catalogue{files: Schemas()}).named("evaluate")
		}
	})
}
