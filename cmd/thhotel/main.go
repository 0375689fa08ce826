// Command thhotel is the whole product in one binary: the server, the demo, and
// the operator's tools. Each subcommand is one small file; the work is done by
// internal packages.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	_ "time/tzdata" // hotels have time zones, minimal images have no zone files

	"github.com/alecthomas/kong"

	"thhotel/internal/config"
	"thhotel/internal/fault"
)

// version is set by the release build (-ldflags "-X main.version=…").
var version = "0.1.0-dev"

// cli is every command; kong reads the tags for names, help and defaults.
type cli struct {
	Config string `help:"Settings file (YAML). Environment THHOTEL_* wins over it." env:"THHOTEL_CONFIG" type:"path"`

	Serve       serveCmd       `cmd:"" help:"Run the server."`
	Demo        demoCmd        `cmd:"" help:"Run everything with demo data on an embedded database."`
	Setup       setupCmd       `cmd:"" help:"Create the hotel and its first administrator in an empty database."`
	Migrate     migrateCmd     `cmd:"" help:"Bring the database schema up to date."`
	Token       tokenCmd       `cmd:"" help:"Issue, list, rotate and revoke access tokens."`
	Staff       staffCmd       `cmd:"" help:"Add, list, change and disable the accounts of people."`
	Account     accountCmd     `cmd:"" help:"List, disable and enable the accounts of programs."`
	Partner     partnerCmd     `cmd:"" help:"Add systems that sign their requests, and rotate their secrets."`
	Mail        mailCmd        `cmd:"" help:"Look at and import mail files."`
	Projections projectionsCmd `cmd:"" help:"Import what OPERA says of reservations and blocks."`
	Audit       auditCmd       `cmd:"" help:"Search, check, export and prune the audit log."`
	Doctor      doctorCmd      `cmd:"" help:"Say what is wrong and what to do."`
	Bench       benchCmd       `cmd:"" help:"Measure speed and memory on a hotel of any size, beside a bare MCP server."`
	Version     versionCmd     `cmd:"" help:"Print the version."`

	BenchServe benchServeCmd `cmd:"" hidden:""`
	BenchBare  benchBareCmd  `cmd:"" hidden:""`
}

// env is what commands run in; tests replace its parts.
type env struct {
	ctx     context.Context
	config  string
	environ []string // "NAME=value"
	out     io.Writer
	err     io.Writer
	in      io.Reader
}

// testVariables are read by our tests and by the bench; a shell in which they
// are set runs the program too.
var testVariables = []string{"THHOTEL_BENCH_DATABASE", "THHOTEL_CLUSTER_ROUNDS", "THHOTEL_CORPUS", "THHOTEL_KILLS", "THHOTEL_NODE_TOOLS",
	"THHOTEL_PAGES", "THHOTEL_SHOTS", "THHOTEL_SOAK", "THHOTEL_SOAK_MAILS"}

// settings loads and checks them, and refuses misspelt THHOTEL_ variables.
func (e *env) settings() (config.Settings, error) {
	s, err := config.Load(e.getenv, e.config)
	return s, config.Join(err, config.CheckEnv(e.environ, testVariables...))
}

func (e *env) getenv(name string) string {
	for _, pair := range e.environ {
		if n, v, _ := strings.Cut(pair, "="); n == name {
			return v
		}
	}
	return ""
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(&env{ctx: ctx, environ: os.Environ(), out: os.Stdout, err: os.Stderr, in: os.Stdin}, os.Args[1:]))
}

// run parses the arguments and runs one command. It returns the exit code: 0
// done, 1 refused or failed, 2 not understood.
func run(e *env, args []string) int {
	var c cli
	parser, err := kong.New(&c, kong.Name("thhotel"), kong.UsageOnError(), kong.Writers(e.out, e.err), kong.Exit(func(code int) { os.Exit(code) }),
		kong.Description("TH Hotel puts an AI agent at a hotel's reservations desk without giving it the keys."))
	if err != nil {
		fmt.Fprintln(e.err, "thhotel:", err)
		return 2
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintln(e.err, "thhotel:", err, "(thhotel --help lists the commands)")
		return 2
	}
	e.config = c.Config
	if err := parsed.Run(e); err != nil {
		fmt.Fprintln(e.err, "thhotel:", explain(err))
		return 1
	}
	return 0
}

// explain prints a refusal as its code and what to do next, other errors as they are.
func explain(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Error()
	}
	return err.Error()
}

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run(e *env) error {
	_, err := fmt.Fprintln(e.out, "thhotel", version)
	return err
}
