package extension

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/oh-my-webbridge/omw/sim"
)

// registerProfiles adds the sentences about how one browser's extension differs
// from the other's:
//
//	it has asked, in this order: GET /ping, the upgrade
//	its requests by GET carry no Origin          … an Origin
//	its requests say Sec-Fetch-Site same-origin
//	its hello says that it may not open files    … may open files
func registerProfiles(sc Sentences, s *simulator) {
	sc.Then(`^it has asked, in this order: (.+)$`, s.askedInOrder)
	sc.Then(`^its requests by GET carry (an|no) Origin$`, s.originOnGet)
	sc.Then(`^its requests say Sec-Fetch-Site (\S+)$`, s.saysSite)
	sc.Then(`^its hello says that it may( not)? open files$`, s.mayOpenFiles)
}

const emulates = "speaks on the wire as the extension in its browser does"

// name of a request, as the sentences say it.
func requestName(a *sim.Asked) string {
	if a.Upgrades() {
		return "the upgrade"
	}
	return a.Method + " " + a.Path()
}

func (s *simulator) askedInOrder(ctx context.Context, text string) error {
	want := strings.Split(text, ", ")
	var got []string
	s.reached(ctx, func() bool {
		got = nil
		all := s.d.Requests()
		for i := range all {
			got = append(got, requestName(&all[i]))
		}
		return len(got) >= len(want)
	})
	if !slices.Equal(got, want) {
		return s.fail("requests", emulates, "it has asked %s; want %s", listed(got), text)
	}
	return nil
}

func (s *simulator) originOnGet(ctx context.Context, what string) error {
	all, err := s.asked(ctx)
	if err != nil {
		return err
	}
	for i := range all {
		a := &all[i]
		if a.Method != "GET" || a.Upgrades() {
			continue
		}
		if has := a.Header.Get("Origin") != ""; has != (what == "an") {
			return s.fail("origin", emulates, "%s at %s has the Origin %q", requestName(a), s.at(a.At), a.Header.Get("Origin"))
		}
	}
	return nil
}

func (s *simulator) saysSite(ctx context.Context, want string) error {
	all, err := s.asked(ctx)
	if err != nil {
		return err
	}
	for i := range all {
		if a := &all[i]; !a.Upgrades() && a.Header.Get("Sec-Fetch-Site") != want {
			return s.fail("site", emulates, "%s at %s says Sec-Fetch-Site %q; want %s", requestName(a), s.at(a.At), a.Header.Get("Sec-Fetch-Site"), want)
		}
	}
	return nil
}

func (s *simulator) mayOpenFiles(ctx context.Context, not string) error {
	h, err := s.hello(ctx)
	if err != nil {
		return err
	}
	var hello struct {
		FileAccess *bool `json:"file_access"`
	}
	if err := json.Unmarshal(h.Payload, &hello); err != nil || hello.FileAccess == nil {
		return fmt.Errorf("the hello says nothing of files: %.200s", h.Payload)
	}
	if want := not == ""; *hello.FileAccess != want {
		return s.fail("file-access", emulates, "its hello says file_access %t", *hello.FileAccess)
	}
	return nil
}
