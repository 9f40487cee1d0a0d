package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRender(t *testing.T) {
	for data, want := range map[string]string{
		`{}`:                              "ok\n",
		`{"tab":12,"url":"u","title":""}`: "tab: 12\nurl: u\ntitle: \n",
		`{"text":"- a\n  - b\n","nodes":2,"truncated":false}`: "text:\n- a\n  - b\nnodes: 2\ntruncated: false\n",
		`{"value":null}`:                                      "value: null\n",
		`{"value":{"b":1,"a":[1, 2]}}`:                        "value: b=1 a=[1,2]\n",
		`{"value":{}}`:                                        "value: {}\n",
		`{"value":[]}`:                                        "value: 0\n",
		`{"tabs":[{"tab":1,"url":"u"},{"tab":2}]}`:            "tabs: 2\n  - tab=1 url=u\n  - tab=2\n",
		`{"items":[{"content":"a\nb"}]}`:                      "items: 1\n  - content=a\n    b\n",
		`{"names":["a","b"]}`:                                 "names: 2\n  - a\n  - b\n",
		`{"base64":"aGVsbG8=","width":1}`:                     "base64: 8 characters; --json prints them, path=FILE writes a file\nwidth: 1\n",
		`{"n":12345678901234567890.10}`:                       "n: 12345678901234567890.10\n",
		`{"title":"a\u001b[31mb\u0007\u202ec\r\u0000\ud800"}`: "title: a\ufffd[31mb\ufffd\ufffdc\ufffd\ufffd\n",
		`{"z":1,"a":2}`:                                       "z: 1\na: 2\n",
	} {
		var b bytes.Buffer
		require.NoError(t, render(&b, "status", json.RawMessage(data), ""), data)
		require.Equal(t, want, b.String(), data)
	}
	for _, data := range []string{``, `[]`, `"a"`, `{"a":`} {
		require.Error(t, render(&bytes.Buffer{}, "status", json.RawMessage(data), ""), data)
	}
}
