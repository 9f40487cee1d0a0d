package player

import (
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// daemon does a line of the daemon.
func (p *play) daemon(l *tape.Line) error {
	d := p.stage.Daemon
	p.note(daemonName, map[string]string{
		"restart": "is stopped and started again", "stop": "is asked to end", "kill": "is killed", "start": "is started",
	}[l.Verb], "")
	switch l.Verb {
	case "restart":
		if err := target.Restart(p.ctx, d); err != nil {
			return err
		}
	case "stop":
		return d.Stop(p.ctx)
	case "kill":
		err := d.Kill(p.ctx)
		if _, hidden := target.IsUnobservable(err); hidden {
			// A daemon inside this process has no process to kill, but can be stopped.
			return d.Stop(p.ctx)
		}
		return err
	case "start":
		if err := d.Start(p.ctx); err != nil {
			return err
		}
	default:
		return notPlayed(l)
	}
	// Its token is the one that it had, unless somebody has made a new one.
	token, err := d.Token(p.ctx)
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.token = token
	p.mu.Unlock()
	return nil
}
