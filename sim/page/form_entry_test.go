package page_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a submitted form holds: HTML, 4.10.22.4, constructing the entry list.
func TestTheEntryListOfAForm(t *testing.T) {
	for name, c := range map[string]struct{ form, want string }{
		"text":                   {`<input name=a value=1>`, "a=1"},
		"unknown type is text":   {`<input type=foo name=a value=1>`, "a=1"},
		"no value":               {`<input name=a>`, "a="},
		"without a name":         {`<input value=1><input name="" value=2>`, ""},
		"disabled":               {`<input name=a value=1 disabled><input name=b value=2>`, "b=2"},
		"readonly is sent":       {`<input name=a value=1 readonly>`, "a=1"},
		"disabled fieldset":      {`<fieldset disabled><input name=a value=1></fieldset>`, ""},
		"first legend of it":     {`<fieldset disabled><legend><input name=a value=1></legend><legend><input name=b></legend></fieldset>`, "a=1"},
		"legend of an outer one": {`<fieldset disabled><fieldset><legend><input name=a></legend></fieldset></fieldset>`, ""},
		"checkboxes":             {`<input type=checkbox name=a checked><input type=checkbox name=b><input type=checkbox name=c value=x checked>`, "a=on&c=x"},
		"an empty value is one":  {`<input type=checkbox name=a value="" checked>`, "a="},
		"radios":                 {`<input type=radio name=r value=1><input type=radio name=r value=2 checked>`, "r=2"},
		"the last checked radio": {`<input type=radio name=r value=1 checked><input type=radio name=r value=2 checked>`, "r=2"},
		"no radio":               {`<input type=radio name=r value=1>`, ""},
		"select takes the first": {`<select name=s><option value=a disabled>A<option value=b>B</select>`, "s=b"},
		"select by its text": {`<select name=s><option>  x
  y </option></select>`, "s=x+y"},
		"select selected":            {`<select name=s><option>a<option selected>b<option selected>c</select>`, "s=c"},
		"selected but disabled":      {`<select name=s><option>a<option selected disabled>b</select>`, ""},
		"select of size 2":           {`<select name=s size=2><option>a</select>`, ""},
		"select multiple":            {`<select name=s multiple><option selected>a<option>b<optgroup label=g><option selected value=3>c</optgroup></select>`, "s=a&s=3"},
		"option of a disabled group": {`<select name=s multiple><optgroup disabled><option selected>a</optgroup></select>`, ""},
		"textarea":                   {"<textarea name=t>\nx\ny</textarea>", "t=x%0D%0Ay"},
		"hidden keeps newlines":      {"<input type=hidden name=h value='x\ny'>", "h=x%0D%0Ay"},
		"text has none":              {"<input name=h value='x\ny'>", "h=xy"},
		"charset":                    {`<input type=hidden name=_charset_ value=x>`, "_charset_=UTF-8"},
		"buttons are not sent":       {`<button name=a value=1>x</button><input type=reset name=b value=2><input type=button name=c value=3>`, ""},
		"in a datalist":              {`<datalist><input name=a value=1></datalist>`, ""},
		"output and object":          {`<output name=o>1</output><object name=p></object>`, ""},
		"dirname":                    {`<input name=a value=1 dirname=a.dir dir=rtl><textarea name=b dirname=d></textarea>`, "a=1&a.dir=rtl&b=&d=ltr"},
		"file without a file":        {`<input type=file name=f>`, "f="},
		"range and colour":           {`<input type=range name=r><input type=color name=c value=RED><input type=number name=n value=1x>`, "r=50&c=%23000000&n="},
		"escapes":                    {`<input name="a b" value="*-._~é&=+ %">`, "a+b=*-._%7E%C3%A9%26%3D%2B+%25"},
		"tree order, not id":         {`<input name=b value=1><input name=a value=2>`, "b=1&a=2"},
	} {
		t.Run(name, func(t *testing.T) {
			a, site := visit(t, `<form action=/go method=post novalidate>`+c.form+`<input type=submit id=send></form>`)
			a.click("#send")
			got := site.last(t)
			require.Equal(t, http.MethodPost, got.Method)
			require.Equal(t, c.want, string(got.Body))
			require.Equal(t, "application/x-www-form-urlencoded", got.Header.Get("Content-Type"))
		})
	}
}

// The submitter is sent, and what it says goes before the form's own.
func TestTheSubmitter(t *testing.T) {
	for name, c := range map[string]struct{ html, method, url, body string }{
		"its name and value":   {`<form action=/go><input name=q value=1><button id=x name=b value=2>Go</button></form>`, "GET", "http://shop.test/go?q=1&b=2", ""},
		"an input":             {`<form action=/go><input type=submit id=x name=b value=2></form>`, "GET", "http://shop.test/go?b=2", ""},
		"without a value":      {`<form action=/go><input type=submit id=x name=b></form>`, "GET", "http://shop.test/go?b=Submit", ""},
		"image":                {`<form action=/go><input type=image id=x name=b alt=Go></form>`, "GET", "http://shop.test/go?b.x=0&b.y=0", ""},
		"image without a name": {`<form action=/go><input type=image id=x alt=Go></form>`, "GET", "http://shop.test/go?x=0&y=0", ""},
		"formaction":           {`<form action=/go><button id=x formaction=/other>Go</button></form>`, "GET", "http://shop.test/other?", ""},
		"formmethod":           {`<form action=/go><input name=a value=1><button id=x formmethod=post>Go</button></form>`, "POST", "http://shop.test/go", "a=1"},
		"formenctype":          {`<form action=/go method=post><input name=a value=1><button id=x formenctype=text/plain>Go</button></form>`, "POST", "http://shop.test/go", "a=1\r\n"},
		"outside, by form":     {`<form id=f action=/go><input name=a value=1></form><input name=c form=f value=3><button id=x form=f>Go</button>`, "GET", "http://shop.test/go?a=1&c=3", ""},
		"inside, of another":   {`<form id=f action=/go></form><form action=/no><button id=x form=f>Go</button></form>`, "GET", "http://shop.test/go?", ""},
		"no action":            {`<form><input name=a value=1><button id=x>Go</button></form>`, "GET", "http://shop.test/?a=1", ""},
		"query is replaced":    {`<form action="/go?old=1#f"><input name=a value=1><button id=x>Go</button></form>`, "GET", "http://shop.test/go?a=1", ""},
		"query of a POST stays": {
			`<form method=post action="/go?old=1#f"><input name=a value=1><button id=x>Go</button></form>`, "POST", "http://shop.test/go?old=1", "a=1",
		},
		"base":              {`<base href="/deep/er/"><form action=go><button id=x>Go</button></form>`, "GET", "http://shop.test/deep/er/go?", ""},
		"a child of it":     {`<form action=/go><button><b id=x>Go</b></button></form>`, "GET", "http://shop.test/go?", ""},
		"unknown method":    {`<form action=/go method=put><button id=x>Go</button></form>`, "GET", "http://shop.test/go?", ""},
		"nested is ignored": {`<form action=/go><form action=/no><button id=x>Go</button></form>`, "GET", "http://shop.test/go?", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a, site := visit(t, c.html)
			a.click("#x")
			got := site.last(t)
			require.Equal(t, []string{c.method, c.url, c.body}, []string{got.Method, got.URL, string(got.Body)})
		})
	}
}

// A button that submits nothing sends nothing.
func TestWhatSubmitsNothing(t *testing.T) {
	for name, html := range map[string]string{
		"type button":       `<form action=/go><button id=x type=button>Go</button></form>`,
		"no form":           `<button id=x>Go</button>`,
		"form of no form":   `<div id=f></div><form action=/go><button id=x form=f>Go</button></form>`,
		"method dialog":     `<dialog open><form method=dialog><button id=x>Go</button></form></dialog>`,
		"javascript action": `<form action="javascript:void 0"><button id=x>Go</button></form>`,
	} {
		t.Run(name, func(t *testing.T) {
			a, site := visit(t, html)
			a.click("#x")
			require.Len(t, site.requests, 1)
			require.Equal(t, home, a.url())
		})
	}
}

// The encodings of a POST: HTML, 4.10.22.7 and 4.10.22.8.
func TestMultipartAndPlain(t *testing.T) {
	a, site := visit(t, `<form action=/go method=post enctype=multipart/form-data><input name='a"b' value=1><textarea name=t>x
y</textarea><input type=file name=f multiple><button id=x>Go</button></form>`)
	a.ok("upload", on("[type=file]", `"files":[{"name":"a\"b.txt","base64":"aGk="}]`))
	a.click("#x")
	require.Equal(t, "multipart/form-data; boundary=----SimFormBoundary", site.last(t).Header.Get("Content-Type"))
	require.Equal(t, "------SimFormBoundary\r\nContent-Disposition: form-data; name=\"a%22b\"\r\n\r\n1\r\n"+
		"------SimFormBoundary\r\nContent-Disposition: form-data; name=\"t\"\r\n\r\nx\r\ny\r\n"+
		"------SimFormBoundary\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a%22b.txt\"\r\nContent-Type: text/plain\r\n\r\nhi\r\n"+
		"------SimFormBoundary--\r\n", string(site.last(t).Body))

	a, site = visit(t, `<form action=/go method=post enctype=multipart/form-data><input name=a value="----SimFormBoundary"><input type=file name=f><button id=x>Go</button></form>`)
	a.click("#x")
	require.Contains(t, site.last(t).Header.Get("Content-Type"), "boundary=----SimFormBoundaryx", "content never holds the boundary")
	require.Contains(t, string(site.last(t).Body), "filename=\"\"\r\nContent-Type: application/octet-stream\r\n\r\n\r\n")

	a, site = visit(t, `<form action=/go method=post enctype=text/plain><input name=a value="1 2"><input name=b value="é"><button id=x>Go</button></form>`)
	a.click("#x")
	require.Equal(t, "text/plain", site.last(t).Header.Get("Content-Type"))
	require.Equal(t, "a=1 2\r\nb=é\r\n", string(site.last(t).Body))
}

// Implicit submission: HTML, 4.10.22.2.
func TestEnterSubmitsAForm(t *testing.T) {
	for name, c := range map[string]struct {
		html string
		sent bool
		url  string
	}{
		"one field":               {`<form action=/go><input id=x name=a></form>`, true, "http://shop.test/go?a="},
		"two without a button":    {`<form action=/go><input id=x><input></form>`, false, ""},
		"a checkbox beside it":    {`<form action=/go><input id=x><input type=checkbox></form>`, true, "http://shop.test/go?"},
		"two with a button":       {`<form action=/go><input id=x><input><button name=b value=1>Go</button></form>`, true, "http://shop.test/go?b=1"},
		"the first button":        {`<form action=/go><input id=x><button type=button>No</button><button name=b value=1>A</button><button name=b value=2>B</button></form>`, true, "http://shop.test/go?b=1"},
		"its button is disabled":  {`<form action=/go><input id=x><button disabled>A</button><button>B</button></form>`, false, ""},
		"a button outside of it":  {`<form id=f action=/go><input id=x><input></form><button form=f name=b>A</button>`, true, "http://shop.test/go?b="},
		"a textarea takes a line": {`<form action=/go><textarea id=x></textarea><button>A</button></form>`, false, ""},
		"no form":                 {`<input id=x>`, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a, site := visit(t, c.html)
			a.ok("press", on("#x", `"key":"Enter"`))
			require.Equal(t, c.sent, len(site.requests) == 2)
			if c.sent {
				require.Equal(t, c.url, site.last(t).URL)
			}
		})
	}
	a, site := visit(t, `<form action=/go><input id=x name=a></form>`)
	a.ok("type", on("#x", `"text":"hi"`, `"submit":true`))
	require.Equal(t, "http://shop.test/go?a=hi", site.last(t).URL)
}
