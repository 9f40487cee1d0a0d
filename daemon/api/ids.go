package api

import (
	"crypto/rand"
	"encoding/hex"
	"sync"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// ids knows which ids are pending in which session, so that one that is used
// again is refused and the first goes on.
type ids struct {
	mu      sync.Mutex
	pending map[[2]string]struct{}
}

func newIDs() *ids { return &ids{pending: map[[2]string]struct{}{}} }

// take makes the command's id pending until release is called. A command that
// has none gets a random one (CMD-02).
func (i *ids) take(c *protocol.Command) (release func(), err error) {
	if c.ID == "" {
		c.ID = randomID()
	}
	key := [2]string{c.Session, c.ID}
	i.mu.Lock()
	defer i.mu.Unlock()
	if _, taken := i.pending[key]; taken {
		return nil, protocol.Errorf(protocol.Conflict, "id %q is pending in this session already; the first goes on", c.ID)
	}
	i.pending[key] = struct{}{}
	return func() {
		i.mu.Lock()
		delete(i.pending, key)
		i.mu.Unlock()
	}, nil
}

func randomID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	return hex.EncodeToString(b[:])
}
