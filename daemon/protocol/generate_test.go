package protocol_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// generator writes JSON for a schema: mostly what the schema asks for, now and
// then something near it.
type generator struct {
	t      *rapid.T
	oracle *oracle
	// wild is the chance in percent that a value is not what is asked for.
	wild int
	out  strings.Builder
}

// chance prefers no, since rapid prefers small numbers.
func (g *generator) chance(percent int) bool {
	return rapid.IntRange(1, 100).Draw(g.t, "chance") > 100-percent
}

func pick[T any](g *generator, label string, from ...T) T {
	return rapid.SampledFrom(from).Draw(g.t, label)
}

func (g *generator) write(s string) { g.out.WriteString(s) }

// value writes a value for the schema doc that stands in file.
func (g *generator) value(file string, doc map[string]any) {
	if g.chance(g.wild) {
		g.anything()
		return
	}
	if ref, ok := doc["$ref"].(string); ok && doc["properties"] == nil {
		file, doc = g.resolve(file, ref)
		g.value(file, doc)
		return
	}
	if all, ok := doc["enum"].([]any); ok {
		g.constant(pick(g, "enum", all...))
		return
	}
	if c, ok := doc["const"]; ok {
		g.constant(c)
		return
	}
	if branches, ok := doc["oneOf"].([]any); ok && doc["properties"] == nil {
		g.value(file, pick(g, "branch", branches...).(map[string]any))
		return
	}
	kind, _ := doc["type"].(string)
	if kinds, ok := doc["type"].([]any); ok {
		kind = pick(g, "type", kinds...).(string)
	}
	switch kind {
	case "object":
		g.object(file, doc)
	case "array":
		g.array(file, doc)
	case "string":
		g.text(doc)
	case "integer", "number":
		g.number(doc)
	case "boolean":
		g.write(pick(g, "boolean", "true", "false"))
	case "null":
		g.write("null")
	default:
		g.anything()
	}
}

func (g *generator) resolve(file, ref string) (string, map[string]any) {
	rel, name, _ := strings.Cut(ref, "#/$defs/")
	if rel != "" {
		file = path.Join(path.Dir(file), rel)
	}
	return file, g.oracle.docs[file].(map[string]any)["$defs"].(map[string]any)[name].(map[string]any)
}

func (g *generator) object(file string, doc map[string]any) {
	properties, _ := doc["properties"].(map[string]any)
	required, _ := doc["required"].([]any)
	names := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if slices.Contains(required, any(name)) {
			names[name] = !g.chance(4)
		} else {
			names[name] = g.chance(25)
		}
	}
	// One of the groups of a oneOf, so that good objects are not rare.
	for _, rule := range g.oneOfGroups(file, doc) {
		chosen := pick(g, "group", rule...)
		for _, group := range rule {
			for _, name := range group {
				names[name] = slices.Contains(chosen, name) != g.chance(4)
			}
		}
	}
	var order []string
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if names[name] {
			order = append(order, name)
		}
	}
	further, _ := doc["additionalProperties"].(map[string]any)
	if further != nil || g.chance(g.wild) {
		order = append(order, pick(g, "extra", "extra", "X-Header", "a b", "", "Ref"))
	}
	if len(order) > 1 {
		order = rapid.Permutation(order).Draw(g.t, "order")
	}
	g.write("{")
	for i, name := range order {
		if i > 0 {
			g.write(", ")
		}
		g.quote(name)
		g.write(":")
		if p, ok := properties[name].(map[string]any); ok {
			g.value(file, p)
		} else if further != nil {
			g.value(file, further)
		} else {
			g.anything()
		}
	}
	g.write("}")
}

// oneOfGroups returns the names that each oneOf over "required" offers, those
// behind a $ref too.
func (g *generator) oneOfGroups(file string, doc map[string]any) (rules [][][]string) {
	if ref, ok := doc["$ref"].(string); ok {
		rules = g.oneOfGroups(g.resolve(file, ref))
	}
	branches, _ := doc["oneOf"].([]any)
	var groups [][]string
	for _, b := range branches {
		names, _ := b.(map[string]any)["required"].([]any)
		var group []string
		for _, name := range names {
			group = append(group, name.(string))
		}
		groups = append(groups, group)
	}
	if groups != nil {
		rules = append(rules, groups)
	}
	return rules
}

func (g *generator) array(file string, doc map[string]any) {
	items, _ := doc["items"].(map[string]any)
	n := rapid.IntRange(0, 3).Draw(g.t, "items")
	g.write("[")
	for i := range n {
		if i > 0 {
			g.write(",")
		}
		g.value(file, items)
	}
	g.write("]")
}

func (g *generator) text(doc map[string]any) {
	switch {
	case doc["format"] == "absolute-path":
		g.quote(pick(g, "path", "/tmp/a.png", "/a", "/a/../b", "", "/", "/a/", "a.png", "./a", "~/a", "file:///a", "/a\x00b", "/ü/語", "C:\\a"))
	case doc["pattern"] != nil:
		g.quote(pick(g, "pattern", "e5", "@e5", "ref=e5", "@e", "e05", "@ref=e5", "e12345678901234567", "1-3,5", "1-", "-1", "Page.enable", "Page", "e5\n"))
	default:
		g.quote(pick(g, "text", "", "a", "button > a", "@e5", "ü", "語", strings.Repeat("語", 128), strings.Repeat("語", 129), `a"\b`, "\u2028"))
	}
}

func (g *generator) number(doc map[string]any) {
	near := []string{"0", "-0", "1", "-1", "12", "12.0", "1.2e1", "120e-1", "0.5", "1e3", "1.5e0", "2.00", "9007199254740992", "9007199254740993", "1e20", "-1e-3"}
	for _, bound := range []string{"minimum", "maximum", "exclusiveMinimum"} {
		if n, ok := doc[bound].(json.Number); ok {
			f, err := n.Float64()
			if err != nil {
				g.t.Fatal(err)
			}
			near = append(near, n.String(), fmt.Sprintf("%.0f", f-1), fmt.Sprintf("%.0f", f+1), fmt.Sprintf("%.3f", f+0.001), fmt.Sprintf("%.3f", f-0.001), fmt.Sprintf("%.1f", f))
		}
	}
	g.write(pick(g, "number", near...))
}

func (g *generator) anything() {
	g.write(pick(g, "anything",
		"null", "true", "false", "0", "12", "-1.5", `""`, `"x"`, `"\ud800"`, `"/tmp/x"`, "[]", `["a"]`, `[1,{"a":[]}]`, "{}",
		`{"a":1}`, `{"cmd":"list"}`, `{"cmd":"nothing"}`, `{"cmd":1}`, `{"ref":"e1","selector":"a"}`, `{"path":"/a"}`))
}

func (g *generator) constant(v any) {
	if s, ok := v.(string); ok {
		g.quote(s)
		return
	}
	b, err := json.Marshal(v)
	if err != nil {
		g.t.Fatal(err)
	}
	g.write(string(b))
}

// quote writes a string, now and then with an escape that means the same.
func (g *generator) quote(s string) {
	b, err := json.Marshal(s)
	if err != nil {
		g.t.Fatal(err)
	}
	text := string(b)
	if s != "" && s[0] >= 'a' && s[0] <= 'z' && g.chance(10) {
		text = fmt.Sprintf(`"\u%04x`, s[0]) + text[2:]
	}
	g.write(text)
}

func jsonText(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}
