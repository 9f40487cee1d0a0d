package browser_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/browser"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Whatever happens to many commands at once, each is settled once and by its
// deadline, those of a session arrive in the order of their admission, and in
// the end nothing is held. The seeds make the runs differ.
func TestManyCommandsByChance(t *testing.T) {
	for seed := range uint64(30) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				s.hello()
				c := &chance{scene: s, rand: rand.New(rand.NewPCG(seed, 1)), admitted: map[string][]string{}, arrived: map[string][]string{}}
				c.run()
			})
		})
	}
}

type chance struct {
	*scene
	running sync.WaitGroup

	mu                sync.Mutex
	rand              *rand.Rand
	admitted, arrived map[string][]string // by session
}

// pick returns a number below n.
func (c *chance) pick(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rand.IntN(n)
}

func (c *chance) pause(most time.Duration) {
	time.Sleep(time.Duration(c.pick(int(most))))
}

func (c *chance) run() {
	c.running.Go(c.extension)
	var agents sync.WaitGroup
	for range 40 {
		agents.Go(func() {
			for range 5 {
				c.pause(3 * time.Second)
				c.command()
			}
		})
	}
	if c.pick(3) == 0 {
		time.Sleep(10 * time.Second)
		c.link.Close(1001, "by chance")
	}
	agents.Wait()
	c.ext.Leave()
	c.running.Wait()

	for session, arrived := range c.arrived {
		admitted := c.admitted[session]
		for _, name := range arrived {
			i := 0
			for i < len(admitted) && admitted[i] != name {
				i++
			}
			require.Less(c.t, i, len(admitted), "%s of session %s came twice or out of order: %v of %v", name, session, arrived, c.admitted[session])
			admitted = admitted[i+1:]
		}
	}
	require.NotEmpty(c.t, c.arrived)
}

// command admits a command, and then anything may become of it.
func (c *chance) command() {
	session := fmt.Sprint(c.pick(5))
	action := []string{"evaluate", "evaluate", "evaluate", "dialog", "artifact_close"}[c.pick(5)]
	call, name, err := c.admitOne(action, session)
	if err != nil {
		return
	}
	c.pause(2 * time.Second)
	args := []byte(`{"name":"` + name + `"}`)
	switch {
	case c.pick(10) == 0:
		call.Drop()
	case action == "artifact_close":
		call.Notify(args)
		return
	default:
		call.Send(args)
	}
	latest := max(0, time.Until(call.Deadline()))
	began := time.Now()
	_, failed := call.Wait()
	if time.Since(began) > latest {
		c.t.Errorf("%s of session %s was settled after its deadline", name, session)
	}
	if failed == nil {
		c.pause(time.Second)
		call.Free()
	}
}

func (c *chance) admitOne(action, session string) (*browser.Call, string, error) {
	within := time.Duration(1+c.pick(5000)) * time.Millisecond
	c.mu.Lock()
	defer c.mu.Unlock()
	call, err := c.tryAdmit(action, session, within)
	if err != nil {
		return nil, "", err
	}
	name := fmt.Sprint(len(c.admitted[session]))
	if action == "evaluate" {
		c.admitted[session] = append(c.admitted[session], name)
	}
	return call, name, nil
}

// extension reads commands and answers them late, twice, wrongly or never.
func (c *chance) extension() {
	for {
		f, err := c.ext.Hear()
		if err != nil {
			return
		}
		command, ok := f.(*protocol.CommandFrame)
		if !ok {
			continue
		}
		if command.Action == "evaluate" {
			name, _ := protocol.StringArg(command.Args, "name")
			c.mu.Lock()
			c.arrived[command.Session] = append(c.arrived[command.Session], name)
			c.mu.Unlock()
		}
		c.running.Go(func() {
			c.pause(4 * time.Second)
			for _, text := range [][]string{
				{`"ok":true,"data":{"value":1,"type":"alert","message":"x"}`},
				{`"ok":true,"data":{"value":1,"type":"alert","message":"x"}`, `"ok":true,"data":{"value":2}`},
				{`"ok":false,"error":{"code":"tab_gone","message":"x"}`},
				{`"ok":true,"data":[]`},
				{},
			}[c.pick(5)] {
				if c.ext.Tell(`{"type":"result","id":"`+command.ID+`",`+text+`}`) != nil {
					return
				}
			}
		})
	}
}
