package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"

	"thhotel/internal/config"
	"thhotel/internal/rest"
)

// Bounds of what `thhotel doctor` calls healthy.
const (
	leastFree  = 1 << 30 // bytes of a disk
	leastShare = 3       // percent of it
	mostSkew   = 2 * time.Second
)

// Diagnosis is what only `thhotel doctor` looks at: it takes longer than a probe
// may, or tells more than the public should know.
func (a *App) Diagnosis() []rest.Check {
	out := []rest.Check{
		{Name: "mail store", Run: a.checkStore},
		{Name: "disk", Run: a.checkDisk},
		{Name: "clock", Run: a.checkClock},
	}
	if c := a.collector(); c != nil {
		out = append(out, *c)
	}
	return out
}

// checkStore writes a file where mails go, and takes it away again.
func (a *App) checkStore(context.Context) error {
	dir := a.settings.BlobDir
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return fmt.Errorf("no file can be written: %w; make the folder %s writable for the user that runs the server, or set blob_dir; mails are refused until then", err, dir)
	}
	_, err = f.WriteString("ok")
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// checkDisk looks at the disks of the folders that grow.
func (a *App) checkDisk(context.Context) error {
	for _, dir := range []string{a.settings.DataDir, a.settings.BlobDir} {
		free, total, err := diskSpace(dir)
		if err != nil {
			return fmt.Errorf("ask for the space in %s: %w", dir, err)
		}
		if err := enoughSpace(dir, free, total); err != nil {
			return err
		}
	}
	return nil
}

func enoughSpace(dir string, free, total uint64) error {
	if total == 0 || free >= leastFree && free/leastShare >= total/100 {
		return nil
	}
	return fmt.Errorf("only %d MiB of %d MiB are free for %s; make room, give it a larger disk, or move rows with `thhotel audit prune`: a full disk refuses every write", free>>20, total>>20, dir)
}

// checkClock compares with the database's, as leases and due times are compared
// between machines.
func (a *App) checkClock(ctx context.Context) error {
	before := a.Clock.Now()
	there, err := a.DB.Now(ctx)
	if err != nil {
		return err
	}
	return tolerable(there.Sub(before.Add(a.Clock.Since(before) / 2)))
}

func tolerable(skew time.Duration) error {
	if skew.Abs() <= mostSkew {
		return nil
	}
	return fmt.Errorf("the database's clock differs from this machine's by %s; let both follow a time server (chrony, systemd-timesyncd), or leases and due times go wrong", skew.Round(time.Millisecond))
}

// Advice says what to do when New fails.
func Advice(s config.Settings, err error) string {
	var path *fs.PathError
	var network *net.OpError
	switch {
	case errors.As(err, &path):
		return "make " + filepath.Clean(path.Path) + " readable and writable for the user that runs the server, or set data_dir and blob_dir"
	case errors.As(err, &network):
		return "see that the database runs and that database.dsn (" + s.Database.DSN.String() + ") is right: host, port and firewall"
	case s.Database.Driver == "mysql":
		return "see that the user, the password and the database's name in database.dsn (" + s.Database.DSN.String() + ") are right and that the server takes connections"
	}
	return "see that the file " + s.Database.DSN.String() + " is a database of this program, that its folder is writable and its disk not full; a damaged one is replaced from a backup"
}
