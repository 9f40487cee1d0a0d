package mutants

import (
	"context"

	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// Simulated is a simulated extension that is set up wrongly. What no setting
// can break is broken by a patch.
type Simulated struct {
	// Change makes it wrong.
	Change func(*target.Simulated)
	// Wrap, if set, makes another target of it.
	Wrap func(*target.Simulated) target.Target
}

// simulated lets the suite judge a simulated extension that is set up wrongly.
func (l *Laboratory) simulated(ctx context.Context, m Mutant) (*verdict.Stream, error) {
	of, err := m.extension()
	if err != nil {
		return nil, err
	}
	return l.run(ctx, m.Role, l.Virtual, of, l.victims(m))
}
