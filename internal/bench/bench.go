// Package bench measures the product against its limits: it fills a hotel with
// any number of orders, cards and mails, drives the real server as a process of
// its own, and compares it, in the same run and turn by turn, with a bare server
// of the official MCP SDK and with bare durable transactions. It refuses to know
// what a good figure is, and nothing of it runs in the product.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"thhotel/internal/clock"
)

// Options say what to measure. Program and Clock are required.
type Options struct {
	Program  []string // this program, to be started as server: path and leading arguments
	Environ  []string // what the servers inherit
	Dir      string   // where the data goes; "" makes a temporary folder
	Keep     bool     // leave the folder (and its data) behind
	Database string   // MySQL or MariaDB DSN of an empty schema; "" is SQLite in the folder

	Orders, Cards, Messages int
	Concurrency             []int
	Calls, Rounds           int
	Only                    string // measure only operations whose name contains one of these words
	Profile                 string // folder for a CPU profile of each operation; "" makes none

	Clock clock.Clock
	Out   io.Writer // the report
	Log   io.Writer // what is going on
}

// Defaults fills what was not chosen. Every card comes from a mail of its own;
// the mails beyond the cards are what submits work on.
func (o Options) withDefaults() Options {
	if o.Messages == 0 {
		o.Messages = o.Cards + max(o.Cards/5, 100)
	}
	o.Messages = max(o.Messages, o.Cards+1)
	return o
}

func (o Options) check() error {
	switch {
	case len(o.Program) == 0:
		return errors.New("bench: the program to start is not given")
	case o.Orders < 2 || o.Cards < 2:
		return errors.New("bench: at least 2 orders and 2 cards are needed")
	case o.Orders > maxOrders || o.Messages > maxOrders:
		return fmt.Errorf("bench: at most %d orders and messages", maxOrders)
	case o.Calls < 1 || o.Rounds < 1 || len(o.Concurrency) == 0:
		return errors.New("bench: calls, rounds and concurrency must be at least 1")
	}
	for _, c := range o.Concurrency {
		if c < 1 || c > 4096 {
			return fmt.Errorf("bench: %d concurrent callers: want 1 to 4096", c)
		}
	}
	return nil
}

// Run loads, measures and reports.
func Run(ctx context.Context, o Options) (Report, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return Report{}, err
	}
	done, err := o.folder()
	if err != nil {
		return Report{}, err
	}
	defer done()
	r := &run{o: o, report: Report{Machine: machine(), Orders: o.Orders, Cards: o.Cards, Messages: o.Messages, Engine: o.engine()}}
	defer r.stop()
	for _, step := range []func(context.Context) error{r.load, r.start, r.measure, r.crowdedHour} {
		if err := step(ctx); err != nil {
			return r.report, err
		}
	}
	return r.report, r.report.Write(o.Out)
}

// folder makes the data folder; done removes it unless it is to be kept.
func (o *Options) folder() (done func(), err error) {
	if o.Dir == "" {
		o.Dir, err = os.MkdirTemp("", "thhotel-bench")
	} else {
		err = os.MkdirAll(o.Dir, 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("bench folder: %w", err)
	}
	dir := o.Dir
	if o.Keep {
		fmt.Fprintln(o.Log, "the data stays in", dir)
		return func() {}, nil
	}
	return func() { _ = os.RemoveAll(dir) }, nil
}

func (o Options) engine() string {
	if o.Database != "" {
		return "MySQL protocol"
	}
	return "SQLite"
}

func (o Options) file(name string) string { return filepath.Join(o.Dir, name) }

// wants reports whether an operation is to be measured.
func (o Options) wants(name string) bool {
	if o.Only == "" {
		return true
	}
	for _, word := range strings.Split(o.Only, ",") {
		if strings.Contains(name, strings.TrimSpace(word)) {
			return true
		}
	}
	return false
}
