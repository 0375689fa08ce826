package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"thhotel/internal/app"
)

// Options say how a demo runs.
type Options struct {
	App       *app.App
	Dir       string       // where demo.json goes; the app's data directory
	Listener  net.Listener // already listening, so that the printed address is true
	PlayAgent bool
	Out       io.Writer // what a newcomer reads
	// Ready, when set, hears once that everything is loaded and the agent is done.
	Ready func(Access)
}

// Run loads the demo, serves until ctx ends, and plays the agent once.
func Run(ctx context.Context, o Options) error {
	if before, err := readAccess(o.Dir); err == nil && lives(ctx, before, o) {
		return fmt.Errorf("a demo is running on this folder already, at %s; stop it first, or choose another folder with --data", before.BaseURL)
	}
	if err := load(ctx, o.App); err != nil {
		return fmt.Errorf("load demo data: %w", err)
	}
	acc, err := grant(ctx, o.App, o.Dir, "http://"+o.Listener.Addr().String())
	if err != nil {
		return fmt.Errorf("demo accounts: %w", err)
	}
	welcome(o.Out, acc, o.Dir)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	served := make(chan error, 1)
	go func() { served <- o.App.Serve(ctx, o.Listener) }()
	if o.PlayAgent {
		if err := play(ctx, o, acc); err != nil && ctx.Err() == nil {
			fmt.Fprintln(o.Out, "The demo agent stopped:", err)
		}
	}
	if o.Ready != nil {
		o.Ready(acc)
	}
	return <-served
}

// play waits for the server and lets the agent submit its packages.
func play(ctx context.Context, o Options, acc Access) error {
	if err := await(ctx, o, acc.BaseURL+"/healthz"); err != nil {
		return err
	}
	agent, err := Dial(ctx, acc.MCPURL, acc.SuperAgentToken, o.App.Log)
	if err != nil {
		return err
	}
	defer agent.Close()
	mails, err := Mails()
	if err != nil {
		return err
	}
	r, err := agent.Play(ctx, mails)
	if err != nil {
		return err
	}
	fmt.Fprintf(o.Out, "The demo agent read %d mails and submitted a package for each over /mcp (%d were there already).\n", r.Submitted, r.Replayed)
	return nil
}

// lives reports whether a server of this folder's own database answers at the
// address of an earlier start: it takes that start's token.
func lives(ctx context.Context, before Access, o Options) bool {
	if before.BaseURL == "" || !up(ctx, before.BaseURL+"/healthz") {
		return false
	}
	agent, err := Dial(ctx, before.MCPURL, before.SuperAgentToken, o.App.Log)
	if err != nil {
		return false
	}
	_ = agent.Close()
	return true
}

// await asks until the server answers.
func await(ctx context.Context, o Options, url string) error {
	for range 200 {
		if up(ctx, url) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-o.App.Clock.After(50 * time.Millisecond):
		}
	}
	return errors.New("the server did not come up")
}

func up(ctx context.Context, url string) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return res.StatusCode == http.StatusOK
}

// welcome says where things are and what to try first.
func welcome(out io.Writer, acc Access, dir string) {
	me := acc.Staff[0]
	fmt.Fprintf(out, `
TH Hotel demo

  Workbench   %s/tasks
              sign in as %s, password %s
  For agents  %s   (Model Context Protocol; bearer token in %s/%s)
  API         %s/docs

Try first: open the workbench, take the oldest card, compare the mail with the proposed change,
confirm it, and look at the order's history. Other accounts (supervisor, finance, viewer, admin),
the agent's token and the partner's secret are in %s/%s. Stop with Ctrl-C; the data stays.

`, acc.BaseURL, me.Username, me.Password, acc.MCPURL, dir, accessFile, acc.BaseURL, dir, accessFile)
}
