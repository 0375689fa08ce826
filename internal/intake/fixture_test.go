package intake_test

import (
	"testing"

	"thhotel/internal/app/apptest"
	"thhotel/internal/database"
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

func decode(t *testing.T, doc []byte, into any) {
	t.Helper()
	apptest.Decode(t, doc, into)
}

func must(t *testing.T, err error) {
	t.Helper()
	apptest.Must(t, err)
}
