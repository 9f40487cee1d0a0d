package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"time"
)

// limitWords holds what limits.go says of each field, by struct and field.
type limitWords map[string]map[string]string

// readLimits reads the comments of the structs in a Go file.
func readLimits(file string) (limitWords, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	words := limitWords{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		fields, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		words[spec.Name.Name] = map[string]string{}
		doc := ""
		for _, f := range fields.Fields.List {
			if text := strings.Join(strings.Fields(f.Doc.Text()), " "); text != "" {
				doc = text
			}
			for _, name := range f.Names {
				words[spec.Name.Name][name.Name] = doc
			}
		}
		return true
	})
	return words, nil
}

// table is the table of the limits in a struct, in its order.
func (w limitWords) table(limits any) (string, error) {
	v := reflect.ValueOf(limits)
	var out strings.Builder
	out.WriteString("| limit | value | rule | |\n|---|---|---|---|\n")
	for i := range v.NumField() {
		f := v.Type().Field(i)
		words := w[v.Type().Name()][f.Name]
		if words == "" {
			return "", fmt.Errorf("the field %s has no comment", f.Name)
		}
		// Go comments begin with the name that stands in the first column.
		words = strings.TrimPrefix(words, f.Name+" is ")
		fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", f.Name, quantity(v.Field(i).Interface()), f.Tag.Get("rule"), words)
	}
	return out.String(), nil
}

// quantity writes a limit as people do. An int64 of Limits is a number of bytes.
func quantity(v any) string {
	switch n := v.(type) {
	case time.Duration:
		switch {
		case n%time.Minute == 0 && n < 10*time.Minute && n > time.Minute*2:
			return fmt.Sprintf("%d minutes", n/time.Minute)
		case n < time.Second:
			return fmt.Sprintf("%d ms", n.Milliseconds())
		}
		return fmt.Sprintf("%d s", n/time.Second)
	case int64:
		if n%(1<<20) == 0 {
			return fmt.Sprintf("%d MiB", n>>20)
		}
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprint(v)
}
