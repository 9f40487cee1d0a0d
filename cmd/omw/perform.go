package main

import (
	"context"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// perform sends what a verb asks for and prints the answer. A command is sent a
// second time after file_exists alone, which is definite, and then names another
// file (CMD-12).
func (p *program) perform(ctx context.Context, v *verb, r *request) error {
	cmd, err := p.asked.command(v.name, r.action, r.given)
	if err != nil {
		return err
	}
	c, err := p.place.client()
	if err != nil {
		return err
	}
	defer c.Close()
	answer, err := p.ask(ctx, c, cmd)
	for v.again != nil && err != nil && protocol.AsError(err).Code == protocol.FileExists {
		another, problem := v.again(r)
		if problem != nil || !another {
			break
		}
		if cmd, problem = p.asked.command(v.name, r.action, r.given); problem != nil {
			break
		}
		answer, err = p.ask(ctx, c, cmd)
	}
	if err != nil {
		return &answered{answer.ID, err}
	}
	return p.show(v, r, answer)
}

// ask sends a command, once. Who looks on is told when it takes long.
func (p *program) ask(ctx context.Context, c *client.Client, cmd client.Command) (client.Answer, error) {
	if isTerminal(p.err) {
		defer progress(p.err, cmd.Timeout)()
	}
	return c.Do(ctx, cmd)
}

func (p *program) show(v *verb, r *request, answer client.Answer) error {
	if v.show != nil {
		if shown, err := v.show(p, r, answer.Data); shown || err != nil {
			return err
		}
	}
	return p.print(r.action.Name, answer)
}
