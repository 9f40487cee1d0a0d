package verdict

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Shard is one of several parts of a run that do not know of each other, as a
// job of a CI matrix or a pod of an Indexed Job.
type Shard struct {
	// Index is which part this is, 1 to Of.
	Index int `json:"index"`
	// Of is how many there are.
	Of int `json:"of"`
}

// maxShards is how many parts a run may have.
const maxShards = 10000

// ParseShard reads "2/5", the second of five parts.
func ParseShard(text string) (*Shard, error) {
	i, n, found := strings.Cut(text, "/")
	index, err1 := strconv.Atoi(i)
	of, err2 := strconv.Atoi(n)
	if !found || err1 != nil || err2 != nil || of < 1 || of > maxShards || index < 1 || index > of {
		return nil, fmt.Errorf("%q is no part of a whole: write 2/5 for the second of five, the first being 1 and the most %d", text, maxShards)
	}
	return &Shard{Index: index, Of: of}, nil
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }

// Holds reports whether the part takes the i-th of a list, counted from 0: the
// list is dealt out like cards.
func (s Shard) Holds(i int) bool { return i%s.Of == s.Index-1 }

// Part returns the ids that a part takes of the whole selection's. It depends
// on the ids alone, not on their order; those that follow each other, as the
// rows of an outline do, go to different parts.
func (s Shard) Part(ids []string) map[string]bool {
	sorted := slices.Clone(ids)
	slices.Sort(sorted)
	part := make(map[string]bool)
	for i, id := range sorted {
		if s.Holds(i) {
			part[id] = true
		}
	}
	return part
}

// Digest names a set of scenarios, whatever their order.
func Digest(ids []string) string {
	sorted := slices.Clone(ids)
	slices.Sort(sorted)
	h := sha256.New()
	for _, id := range sorted {
		h.Write([]byte(id + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
