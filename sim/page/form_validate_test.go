package page_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Constraint validation: HTML, 4.10.21.3. Each constraint at its edge.
func TestConstraints(t *testing.T) {
	for name, c := range map[string]struct {
		field, typed string
		valid        bool
	}{
		"required, empty":               {`<input required>`, "", false},
		"required, a blank":             {`<input required>`, " ", true},
		"required and disabled":         {`<input required disabled>`, "", true},
		"required and readonly":         {`<input required readonly>`, "", true},
		"readonly bars any input":       {`<input type=checkbox required readonly>`, "", true},
		"required means nothing here":   {`<input type=range required><input type=color required><input type=hidden required>`, "", true},
		"required checkbox":             {`<input type=checkbox required checked>`, "", true},
		"required radio":                {`<input type=radio name=r><input type=radio name=r required>`, "", false},
		"required radio by another":     {`<input type=radio name=r checked><input type=radio name=r required>`, "", true},
		"placeholder option":            {`<select required><option value="">Choose<option>a</select>`, "", false},
		"empty value, not the first":    {`<select required><option>a<option value="" selected>b</select>`, "", true},
		"multiple, none":                {`<select required multiple><option>a</select>`, "", false},
		"required textarea":             {`<textarea required></textarea>`, "", false},
		"required file":                 {`<input type=file required>`, "", false},
		"in a datalist":                 {`<datalist><input required></datalist>`, "", true},
		"in a disabled fieldset":        {`<fieldset disabled><input required></fieldset>`, "", true},
		"a button is no candidate":      {`<button type=button required>x</button>`, "", true},
		"email":                         {`<input type=email>`, "a@b", true},
		"email without @":               {`<input type=email>`, "ab", false},
		"email with a blank":            {`<input type=email>`, "a b@c", false},
		"emails":                        {`<input type=email multiple>`, "a@b, c@d", true},
		"one of them":                   {`<input type=email multiple>`, "a@b,c", false},
		"two in one":                    {`<input type=email>`, "a@b,c@d", false},
		"label of 63":                   {`<input type=email>`, "a@" + strings.Repeat("b", 63), true},
		"label of 64":                   {`<input type=email>`, "a@" + strings.Repeat("b", 64), false},
		"url":                           {`<input type=url>`, "http://a", true},
		"url without a scheme":          {`<input type=url>`, "a.b/c", false},
		"mailto is one":                 {`<input type=url>`, "mailto:x", true},
		"pattern fits all":              {`<input pattern="[a-z]+">`, "abc", true},
		"pattern fits a part":           {`<input pattern="[a-z]+">`, "abc1", false},
		"pattern with alternatives":     {`<input pattern="a|bc">`, "abc", false},
		"pattern, empty value":          {`<input pattern="a+">`, "", true},
		"pattern is no regexp":          {`<input pattern="[">`, "x", true},
		"pattern looks ahead":           {`<input pattern="(?=.*[0-9]).{3,}">`, "ab1", true},
		"pattern on a textarea":         {`<textarea pattern="a"></textarea>`, "b", true},
		"min":                           {`<input type=number min=2>`, "2", true},
		"below min":                     {`<input type=number min=2>`, "1", false},
		"max":                           {`<input type=number max=2>`, "2", true},
		"above max":                     {`<input type=number max=2>`, "3", false},
		"step of 1":                     {`<input type=number>`, "1.5", false},
		"step any":                      {`<input type=number step=any>`, "1.5", true},
		"step from min":                 {`<input type=number min=1 step=2>`, "3", true},
		"off the step from min":         {`<input type=number min=1 step=2>`, "4", false},
		"step from value":               {`<input type=number value=0.5>`, "1.5", true},
		"tenths":                        {`<input type=number step=0.1>`, "0.3", true},
		"no number":                     {`<input type=number>`, "-", false},
		"date":                          {`<input type=date min=2024-02-29>`, "2024-02-29", true},
		"a day early":                   {`<input type=date min=2024-02-29>`, "2024-02-28", false},
		"date off its step":             {`<input type=date min=2024-01-01 step=7>`, "2024-01-09", false},
		"month":                         {`<input type=month max=2024-05>`, "2024-06", false},
		"week":                          {`<input type=week max=2020-W53>`, "2020-W53", true},
		"time":                          {`<input type=time max=10:00>`, "10:01", false},
		"time over midnight":            {`<input type=time min=22:00 max=06:00>`, "23:00", true},
		"time outside of the night":     {`<input type=time min=22:00 max=06:00>`, "12:00", false},
		"seconds are off the step":      {`<input type=time>`, "10:00:30", false},
		"local time":                    {`<input type=datetime-local min=2024-01-01T10:00>`, "2024-01-01T09:59", false},
		"minlength":                     {`<input minlength=3>`, "abc", true},
		"shorter":                       {`<input minlength=3>`, "ab", false},
		"minlength of nothing":          {`<input minlength=3>`, "", true},
		"minlength in code units":       {`<input minlength=2>`, "😀", true},
		"minlength of what stood there": {`<input minlength=3 value=ab>`, "", true},
		"maxlength of what stood there": {`<input maxlength=3 value=abcdef>`, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			a, site := visit(t, `<form action=/go><input type=hidden>`+c.field+`<button id=send>Go</button></form>`)
			if c.typed != "" {
				a.typing("form > :not([type=hidden]):not(button)", c.typed)
			}
			a.click("#send")
			require.Equal(t, c.valid, len(site.requests) == 2, "%v", a.tabs.Effects())
			require.Equal(t, !c.valid, strings.Contains(a.kinds(0), "invalid"))
		})
	}
}

// A field takes no more than its maxlength from a person.
func TestMaxlengthCutsWhatIsTyped(t *testing.T) {
	a, site := visit(t, `<form action=/go><input id=a name=a maxlength=3 value=x><input id=b name=b maxlength=2><button id=send>Go</button></form>`)
	a.ok("type", on("#a", `"text":"yzw"`, `"mode":"append"`))
	a.typing("#b", "a😀")
	a.click("#send")
	require.Equal(t, "http://shop.test/go?a=xyz&b=a", site.last(t).URL, "no half of a character")
}

func TestWhatTurnsValidationOff(t *testing.T) {
	for _, html := range []string{
		`<form action=/go novalidate><input required><button id=x>Go</button></form>`,
		`<form action=/go><input required><button id=x formnovalidate>Go</button></form>`,
	} {
		a, site := visit(t, html)
		a.click("#x")
		require.Len(t, site.requests, 2)
	}
}

// The first invalid field has the focus, and every one is named.
func TestABlockedSubmissionSaysWhat(t *testing.T) {
	a, _ := visit(t, `<form><label>A <input value=1 required></label><label>B <input required></label><label>C <select required></select></label><button id=x>Go</button></form>`)
	a.click("#x")
	var said []string
	for _, e := range a.tabs.Effects() {
		if e.Kind == "invalid" {
			said = append(said, e.Target+": "+e.Detail)
		}
	}
	require.Equal(t, []string{`textbox "B": Please fill out this field.`, `combobox "C": Please select an item in the list.`}, said)
	require.Contains(t, a.snapshot(), `textbox "B" [required focused`)
}
