package app_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"thhotel/internal/app"
	"thhotel/internal/config"
)

// TestDiagnosis: a healthy hotel passes, and each trouble is named with what to do.
func TestDiagnosis(t *testing.T) {
	c := newCollector(t)
	blobs := t.TempDir() + "/mails"
	w := newWorld(t, func(s *config.Settings) { s.Telemetry.Endpoint, s.BlobDir = c.URL, blobs })
	run := func() map[string]error {
		out := map[string]error{}
		for _, check := range w.Diagnosis() {
			out[check.Name] = check.Run(context.Background())
		}
		return out
	}
	for name, err := range run() {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	c.Close()
	must(t, os.RemoveAll(blobs))
	found := run()
	for name, what := range map[string]string{"mail store": "writable", "telemetry": "telemetry.endpoint"} {
		if err := found[name]; err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if app.EnoughSpace("d", 512<<20, 100<<30) == nil || app.EnoughSpace("d", 2<<30, 1000<<30) == nil || app.EnoughSpace("d", 50<<30, 100<<30) != nil {
		t.Error("disk space is judged wrongly")
	}
	if app.Tolerable(-3*time.Second) == nil || app.Tolerable(time.Second) != nil {
		t.Error("clock skew is judged wrongly")
	}
}
