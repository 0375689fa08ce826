package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"thhotel/internal/bench"
	"thhotel/internal/clock"
	"thhotel/internal/database"
)

type benchCmd struct {
	Orders      int    `help:"Orders to load." default:"100000"`
	Cards       int    `help:"Cards to load, each with the mail and the package it came from." default:"100000"`
	Messages    int    `help:"Mails to load; those beyond the cards are what submits work on. Default: a fifth more than cards."`
	Concurrency []int  `help:"Callers at once, one measurement each." default:"1,16,64"`
	Calls       int    `help:"Calls per measurement; slower operations make a share of them." default:"1000"`
	Rounds      int    `help:"Rounds; each goes through everything." default:"3"`
	Only        string `help:"Measure only operations whose name contains one of these words, comma-separated."`
	Database    string `help:"DSN of an empty MySQL or MariaDB schema. Default: SQLite in the data folder." env:"THHOTEL_BENCH_DATABASE"`
	Data        string `help:"Folder for the data. Default: a temporary one." type:"path"`
	Keep        bool   `help:"Leave the data behind."`
	Profile     string `help:"Folder for a CPU profile of each operation (go tool pprof)." type:"path"`
	JSON        string `help:"File for every single measurement." type:"path"`
}

// Run measures. The report goes to stdout, what is going on to stderr.
func (c benchCmd) Run(e *env) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if c.Profile != "" {
		if err := os.MkdirAll(c.Profile, 0o750); err != nil {
			return err
		}
	}
	r, err := bench.Run(e.ctx, bench.Options{
		Program: []string{self}, Environ: e.environ, Dir: c.Data, Keep: c.Keep, Database: c.Database,
		Orders: c.Orders, Cards: c.Cards, Messages: c.Messages, Concurrency: c.Concurrency, Calls: c.Calls, Rounds: c.Rounds,
		Only: c.Only, Profile: c.Profile, Clock: clock.Real(), Out: e.out, Log: e.err,
	})
	if err == nil && c.JSON != "" {
		err = r.Save(c.JSON)
	}
	if failed, first := r.Errors(); err == nil && failed > 0 {
		err = fmt.Errorf("%d calls failed; the first: %s", failed, first)
	}
	return err
}

// benchServeCmd is `serve` for the bench: the same server, which also answers
// the bench's questions about itself on its standard input.
type benchServeCmd struct{}

// Run serves until its standard input ends.
func (benchServeCmd) Run(e *env) error {
	s, err := e.settings()
	if err != nil {
		return err
	}
	answered := make(chan error, 1)
	ctx, stop := context.WithCancel(e.ctx)
	defer stop()
	inner := *e
	inner.ctx = ctx
	err = serve(&inner, s, func(l net.Listener) {
		go func() { answered <- bench.Answer(e.in, e.out, l.Addr().String(), stop) }()
	})
	if ctx.Err() != nil && e.ctx.Err() == nil { // the input ended: that is the order to stop
		return errors.Join(err, <-answered)
	}
	return err
}

// benchBareCmd is the peer that the bench compares with.
type benchBareCmd struct {
	Driver string `required:""`
	DSN    string `required:""`
	Hotel  string `required:""`
	Tools  string `required:"" type:"path"`
}

// Run serves until its standard input ends.
func (c benchBareCmd) Run(e *env) error {
	return bench.ServeBare(e.ctx, bench.BareOptions{Database: database.Options{Driver: database.Driver(c.Driver), DSN: c.DSN},
		HotelID: c.Hotel, Tools: c.Tools, Clock: clock.Real(), In: e.in, Out: e.out})
}
