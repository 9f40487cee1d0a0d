package main

import "slices"

// verbs are the words of the command line that ask a browser to do something, in
// the order of help.
func verbs() []*verb {
	return slices.Concat(within(everyday, verbsEveryday()), within(ofTabs, verbsOfTabs()), within(ofNetwork, verbsOfNetwork()))
}

// within puts verbs into a section of help.
func within(s section, all []*verb) []*verb {
	for _, v := range all {
		v.section = s
	}
	return all
}
