package main

import (
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"

	"thhotel/internal/app"
	"thhotel/internal/clock"
	"thhotel/internal/config"
	"thhotel/internal/demo"
)

type demoCmd struct {
	Listen string `help:"Address to serve on; port 0 takes a free one." default:"127.0.0.1:8080"`
	Data   string `help:"Folder for the database, the mails and demo.json." default:"demo-data" type:"path"`
	Agent  string `help:"Whether the demo agent submits its packages at start." enum:"on,off" default:"on"`
}

// Run serves the demo until it is interrupted.
func (c demoCmd) Run(e *env) error {
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	s, err := embedded(e, c.Data)
	if err != nil {
		return err
	}
	var lc net.ListenConfig
	listener, err := lc.Listen(e.ctx, "tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("%w; choose another address with --listen", err)
	}
	s.Server.Listen = listener.Addr().String()
	s.Server.BaseURL = "http://" + s.Server.Listen
	// The demo's own words go to stdout; its log to a file beside the data.
	logFile, err := os.OpenFile(filepath.Join(c.Data, "thhotel.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer logFile.Close()
	a, err := app.New(e.ctx, s, app.Options{Version: version, Clock: clock.Real(), Log: slog.New(slog.NewJSONHandler(logFile, nil))})
	if err != nil {
		return err
	}
	defer a.Close()
	return demo.Run(e.ctx, demo.Options{App: a, Dir: c.Data, Listener: listener, PlayAgent: c.Agent == "on", Out: e.out})
}

// embedded are the settings with everything kept in one folder.
func embedded(e *env, dir string) (config.Settings, error) {
	s, err := e.settings()
	if err != nil {
		return s, err
	}
	return app.Embedded(s, dir), nil
}
