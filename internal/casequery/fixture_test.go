package casequery_test

import (
	"context"
	"path/filepath"
	"testing"

	"thhotel/internal/app/apptest"
	"thhotel/internal/database"
	"thhotel/internal/testkit"
)

// world is the demo hotel before any package; tests here add what they need of it.
type world struct{ *apptest.World }

func newWorld(t *testing.T, db *database.DB) *world {
	t.Helper()
	return &world{apptest.New(t, db)}
}

func file(t *testing.T, name string) []byte {
	t.Helper()
	return apptest.File(t, name)
}

func must(t *testing.T, err error) {
	t.Helper()
	apptest.Must(t, err)
}

// submitAll hands in the twelve demo packages.
func (w *world) submitAll(t *testing.T) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(testkit.Root(t), "internal", "demo", "data", "*.v4.json"))
	must(t, err)
	for _, f := range files {
		_, err := w.Intake.Submit(context.Background(), w.Agent, file(t, filepath.Base(f)))
		must(t, err)
	}
}

func TestMain(m *testing.M) { testkit.Main(m) }
