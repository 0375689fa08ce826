package inbox_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"thhotel/internal/audit"
	"thhotel/internal/blob"
	"thhotel/internal/clock"
	"thhotel/internal/database"
	"thhotel/internal/inbox"
	"thhotel/internal/testkit"
)

// newRealWorld has the clock of the file system, by which files are old or young.
func newRealWorld(t *testing.T, db *database.DB) world {
	t.Helper()
	w := newWorld(t, db)
	w.Service = inbox.New(db, clock.Real(), w.blob, audit.New(db, clock.Real()))
	return w
}

// age makes a stored blob as old as a forgotten one.
func (w world) age(t *testing.T, key string) {
	t.Helper()
	old := clock.Real().Now().Add(-48 * time.Hour)
	if err := os.Chtimes(filepath.Join(w.dir, key[:2], key), old, old); err != nil {
		t.Fatal(err)
	}
}

func (w world) put(t *testing.T, content string) string {
	t.Helper()
	_, key, err := w.blob.Put(ctx, "", bytes.NewReader([]byte(content)))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (w world) has(key string) bool {
	_, err := os.Stat(filepath.Join(w.dir, key[:2], key))
	return err == nil
}

// TestSweep: what no message names and is old goes; everything else stays.
func TestSweep(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newRealWorld(t, db)
		d, err := w.DeliverBus(ctx, bus, []byte(payload)) // an original and one attachment
		if err != nil {
			t.Fatal(err)
		}
		original, attached := d.Message.RawSHA256, d.Message.Attachments[0].SHA256
		orphan, young := w.put(t, "a delivery that was killed"), w.put(t, "a delivery in progress")
		for _, key := range []string{original, attached, orphan} {
			w.age(t, key)
		}
		left := filepath.Join(w.dir, "swept", original) // a sweep was killed with this aside
		if err := os.MkdirAll(filepath.Dir(left), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(w.dir, original[:2], original), left); err != nil {
			t.Fatal(err)
		}
		got, err := w.Sweep(ctx, bus)
		if want := (blob.Swept{Seen: 4, Removed: 1, Bytes: 26, Restored: 1}); err != nil || got != want {
			t.Errorf("swept %+v, %v, want %+v", got, err, want)
		}
		if w.has(orphan) || !w.has(young) || !w.has(original) || !w.has(attached) {
			t.Errorf("orphan %v, young %v, original %v, attachment %v; want only the orphan gone", w.has(orphan), w.has(young), w.has(original), w.has(attached))
		}
		if _, err := w.Sweep(ctx, robot); err == nil {
			t.Error("an assistant swept")
		}
	})
}

// TestSweepBesideDeliveries: mails whose bytes lie there as orphans come again
// while sweeps run; no original is lost.
func TestSweepBesideDeliveries(t *testing.T) {
	w := newRealWorld(t, testkit.DB(t))
	const mails = 60
	raw := func(i int) []byte {
		return mailing("", "a@a.example", "mail "+string(rune('A'+i%26))+string(rune('A'+i/26)))
	}
	for i := range mails {
		w.age(t, w.put(t, string(raw(i))))
	}
	running, stop := context.WithCancel(ctx)
	var sweeps, deliveries sync.WaitGroup
	for range 2 {
		sweeps.Go(func() {
			for running.Err() == nil {
				if _, err := w.Sweep(ctx, bus); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	ids := make([]string, mails)
	for lane := range 3 {
		deliveries.Go(func() {
			for i := lane; i < mails; i += 3 {
				d, err := w.Deliver(ctx, bus, inbox.DeliverParams{ExternalMessageID: string(rune('a'+i%26)) + string(rune('a'+i/26)), Raw: raw(i)})
				if err != nil {
					t.Error(err)
				}
				ids[i] = d.MessageID
			}
		})
	}
	deliveries.Wait()
	stop()
	sweeps.Wait()
	for i := range mails {
		if !w.has(blob.Key(raw(i))) {
			t.Errorf("the original of mail %d is lost", i)
		}
	}
}
