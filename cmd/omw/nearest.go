package main

import "fmt"

// didYouMean names the one of names that is nearest to what was typed, if one is
// near at all.
func didYouMean(typed string, names []string) string {
	best, least := "", len(typed)/2+2
	for _, n := range names {
		if d := distance(typed, n); d < least {
			best, least = n, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", best)
}

// distance is how many letters must be put in, taken out or changed to make b
// of a (Levenshtein's).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
