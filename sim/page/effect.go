package page

import (
	"slices"
	"time"
)

// Effects returns the effects so far, the oldest first; the last ones alone if
// Config.Keep bounds them.
func (t *Tabs) Effects() []Effect {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.effects)
}

// Count returns how many effects there were, those that are kept no longer too.
func (t *Tabs) Count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counted
}

// effect counts an effect. t.mu is held.
func (t *Tabs) effect(b *tab, kind, target, detail string) {
	t.counted++
	if keep := t.cfg.Keep; keep > 0 && len(t.effects) >= 2*keep {
		t.effects = append(t.effects[:0], t.effects[len(t.effects)-keep:]...)
	}
	t.effects = append(t.effects, Effect{
		Seq: t.counted, At: time.Now(), Session: b.session, Tab: b.id, Kind: kind, Target: target, Detail: detail,
	})
}
