package inbox

import (
	"sync"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/blob"
	"thhotel/internal/clock"
	"thhotel/internal/database"
)

// Service is the inbox of the hotels of one database.
type Service struct {
	db    *database.DB
	store store
	clock clock.Clock
	blobs *blob.Store
	log   *audit.Log
	bus   func() (*busCheck, error) // made once, when the bus first delivers
	// window is how many messages one page of a search looks through.
	window int
}

// New returns the inbox.
func New(db *database.DB, c clock.Clock, blobs *blob.Store, log *audit.Log) *Service {
	return &Service{db: db, store: store{db}, clock: c, blobs: blobs, log: log, bus: sync.OnceValues(newBusCheck), window: searchWindow}
}

// requireAny passes a caller who has one of several permissions; the refusal
// names the first.
func requireAny(by access.Caller, first access.Permission, more ...access.Permission) error {
	err := by.Require(first)
	for _, p := range more {
		if err != nil && by.Can(p) {
			return nil
		}
	}
	return err
}
