package page

import (
	"slices"
	"time"
)

// keptRecords bounds what a tab's console holds.
const keptRecords = 500

// records is the console of a tab.
type records struct {
	next    int64
	all     []*record
	dropped int64
}

// record is common.json's console-record.
type record struct {
	n     int64
	Level string  `json:"level"`
	Text  string  `json:"text"`
	Time  float64 `json:"time_ms"`
	From  string  `json:"source"`
	URL   string  `json:"url,omitempty"`
}

// levels are the console's, from the lightest to the gravest.
var levels = []string{"debug", "log", "info", "warn", "error"}

func (b *tab) log(level, from, text, raw string) {
	p := &b.records
	p.next++
	p.all = append(p.all, &record{n: p.next, Level: level, Text: text, Time: float64(time.Now().UnixMicro()) / 1000, From: from, URL: raw})
	if len(p.all) > keptRecords {
		p.all = p.all[1:]
		p.dropped++
	}
}

func (c *call) console(b *tab) (any, error) {
	p := &b.records
	if c.text("cmd") != "list" {
		*p = records{next: p.next}
		return struct{}{}, nil
	}
	least := slices.Index(levels, c.text("level"))
	since, _ := c.int64("since")
	limit, bounded := c.int64("limit")
	found := []*record{}
	for _, r := range p.all {
		if r.n > since && slices.Index(levels, r.Level) >= least {
			found = append(found, r)
		}
	}
	truncated := p.dropped > 0 && since < p.dropped
	if bounded && int64(len(found)) > limit {
		found, truncated = found[int64(len(found))-limit:], true
	}
	data := map[string]any{"records": found, "next": p.next}
	if truncated {
		data["truncated"] = true
	}
	return data, nil
}
