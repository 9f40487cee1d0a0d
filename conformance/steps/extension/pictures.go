package extension

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// registerPictures adds the sentences about pictures and PDFs:
//
//	the daemon asks for 6 screenshots, each in a session of its own
//	the daemon asks for 3 screenshots and 3 PDFs, each in a session of its own
//	… , with an evaluate behind it
//	they are made two at a time                  if the target knows how long one takes
//	they are all pictures
//	each evaluate was answered behind its picture
//	the data of A keep to the action's schema
func registerPictures(sc Sentences, x *ext) {
	p := &pictures{ext: x}
	sc.When(`^the daemon asks for ([0-9]+) screenshots(?: and ([0-9]+) PDFs)?, each in a session of its own(, with an evaluate behind it)?$`, p.asks)
	sc.Then(`^they are made two at a time$`, p.twoAtATime)
	sc.Then(`^they are all pictures$`, p.allPictures)
	sc.Then(`^each evaluate was answered behind its picture$`, p.inOrder)
	sc.Then(`^the data of ([A-Z][0-9]*) keep to the action's schema$`, x.keepsToSchema)
}

type pictures struct {
	*ext
	asked, behind []*command
}

func (p *pictures) asks(ctx context.Context, screenshots int, pdfs, behind string) error {
	n := 0
	if pdfs != "" {
		var err error
		if n, err = strconv.Atoi(pdfs); err != nil {
			return err
		}
	}
	for i := range screenshots + n {
		if err := p.hasTab(ctx, strconv.Quote(session(i)), ""); err != nil {
			return err
		}
	}
	s, err := p.link()
	if err != nil {
		return err
	}
	for i := range screenshots + n {
		o := &command{action: "screenshot", session: session(i), left: usualLeft, args: jsontext.Value(`{}`)}
		if i >= screenshots {
			o.action = "pdf"
		}
		p.send(s, o)
		p.asked = append(p.asked, o)
		if behind != "" {
			e := &command{action: "evaluate", session: session(i), left: usualLeft}
			p.send(s, e)
			p.behind = append(p.behind, e)
		}
	}
	p.w.Clock.Settle()
	return nil
}

func session(i int) string { return "picture " + strconv.Itoa(i+1) }

const twoPictures = "makes two screenshots or PDFs at a time, and lets the others wait in their sessions' order"

// done waits for all answers and returns when they came, sorted.
func (p *pictures) done(ctx context.Context) ([]reply, error) {
	if len(p.asked) == 0 {
		return nil, errors.New("the daemon has asked for no picture")
	}
	var all []reply
	for _, o := range p.asked {
		if _, err := p.result(ctx, o); err != nil {
			return nil, p.fail("lost", twoPictures, "%s", err)
		}
		r, _ := p.replyTo(ctx, o)
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b reply) int { return a.at.Compare(b.at) })
	return all, nil
}

// twoAtATime compares the times of the answers with those of two workers: the
// n-th picture cannot be there before n/2 times what one takes, and is then.
func (p *pictures) twoAtATime(ctx context.Context) error {
	one, err := p.b.PictureTime()
	if err != nil {
		return err
	}
	all, err := p.done(ctx)
	if err != nil {
		return err
	}
	sent := p.asked[0].sent
	for i, r := range all {
		if !r.result.OK {
			return p.fail("refused", twoPictures, "a picture was answered %s at %s: %s", outcome(r.result), p.at(r.at), quote(r.result))
		}
		want := time.Duration(i/2+1) * one
		if err := p.w.Clock.Took(r.at.Sub(sent), want, grace); err != nil {
			return p.fail("jobs", twoPictures, "one picture takes %s; the answer number %d came %s after they were asked for: %s", one, i+1, r.at.Sub(sent), err)
		}
	}
	return nil
}

func (p *pictures) allPictures(ctx context.Context) error {
	all, err := p.done(ctx)
	if err != nil {
		return err
	}
	for _, r := range all {
		if text, _ := protocol.StringArg(r.result.Data, "base64"); !r.result.OK || text == "" {
			return p.fail("no-picture", twoPictures, "a picture was answered %s at %s: %s", outcome(r.result), p.at(r.at), quote(r.result))
		}
	}
	return nil
}

func (p *pictures) inOrder(ctx context.Context) error {
	for i, e := range p.behind {
		if _, err := p.result(ctx, e); err != nil {
			return p.fail("lost", twoPictures, "%s", err)
		}
		before, _ := p.replyTo(ctx, p.asked[i])
		after, _ := p.replyTo(ctx, e)
		order := p.replies(e.link).order
		if slices.Index(order, e.id) < slices.Index(order, p.asked[i].id) {
			return p.fail("overtaken", twoPictures, "%s was answered at %s and the picture before it at %s", e, p.at(after.at), p.at(before.at))
		}
	}
	return nil
}

func (x *ext) keepsToSchema(ctx context.Context, name string) error {
	o, r, err := x.good(ctx, name)
	if err != nil {
		return err
	}
	a, ok := protocol.LookupAction(o.action)
	if !ok {
		return fmt.Errorf("there is no action %s", o.action)
	}
	if err := a.CheckData(r.result.Data); err != nil {
		return x.fail("schema", "answers with data as the action's schema has them", "the data of %s at %s: %s: %s", o, x.at(r.at), err, quote(r.result))
	}
	return nil
}
