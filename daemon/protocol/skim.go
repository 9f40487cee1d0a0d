package protocol

import "bytes"

// span says where a member stands in an object: its name begins at name, its
// value at value and ends before end.
type span struct{ name, value, end int }

// skim calls each for the members of the JSON object that b holds, like walk,
// but trusts that b is good JSON and looks at nothing but brackets and quotes,
// which is much faster where values are large. It reports whether it came to
// the end of b; of bad JSON it may make anything, but neither panics nor hangs.
func skim(b []byte, each func(name []byte, where span)) bool {
	i := blanks(b, 0)
	if at(b, i) != '{' {
		return false
	}
	i = blanks(b, i+1)
	if at(b, i) == '}' {
		return blanks(b, i+1) == len(b)
	}
	for {
		end := stringEnd(b, i)
		if end < 0 {
			return false
		}
		where := span{name: i}
		name := unquoted(b[i:end])
		if i = blanks(b, end); at(b, i) != ':' {
			return false
		}
		i = blanks(b, i+1)
		if where.value, where.end = i, valueEnd(b, i); where.end < 0 {
			return false
		}
		each(name, where)
		i = blanks(b, where.end)
		switch at(b, i) {
		case ',':
			i = blanks(b, i+1)
		case '}':
			return blanks(b, i+1) == len(b)
		default:
			return false
		}
	}
}

// at returns b[i], or 0 behind the end.
func at(b []byte, i int) byte {
	if i < len(b) {
		return b[i]
	}
	return 0
}

// blanks returns the index of the first byte from i on that is no JSON blank.
func blanks(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// stringEnd returns the index behind the string that begins at i, or -1.
func stringEnd(b []byte, i int) int {
	if at(b, i) != '"' {
		return -1
	}
	for start := i + 1; ; {
		n := bytes.IndexByte(b[start:], '"')
		if n < 0 {
			return -1
		}
		quote := start + n
		first := quote // the first of the backslashes before the quote
		for first > start && b[first-1] == '\\' {
			first--
		}
		if start = quote + 1; (quote-first)%2 == 0 {
			return start
		}
	}
}

// valueEnd returns the index behind the value that begins at i, or -1.
func valueEnd(b []byte, i int) int {
	switch at(b, i) {
	case '"':
		return stringEnd(b, i)
	case '{', '[':
		return nestedEnd(b, i)
	}
	start := i
	for i < len(b) && b[i] != ',' && b[i] != '}' && b[i] != ']' && b[i] > ' ' {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

func nestedEnd(b []byte, i int) int {
	for level := 0; i < len(b); {
		switch b[i] {
		case '"':
			if i = stringEnd(b, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			level++
		case '}', ']':
			if level--; level == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}
