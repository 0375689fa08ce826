// Package audit appends who did what, when, and with what outcome, in rows that
// are never changed but for the seal that chains them together. It refuses to
// know what was said: no argument values, no bodies and no tokens have a column.
package audit

import (
	"log/slog"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/clock"
	"thhotel/internal/database"
)

// Status is how far a call came.
type Status string

// The statuses.
const (
	Started   Status = "started"   // about to run; a later row tells how it ended
	Succeeded Status = "succeeded" // done; commits with the rows that were written
	Failed    Status = "failed"    // ran and came to nothing
	Denied    Status = "denied"    // refused before anything ran
	Replayed  Status = "replayed"  // answered from the result stored for the same key
)

// Event is one thing that happened.
type Event struct {
	RequestID, TraceID, Adapter, Protocol, Client string

	HotelID       string // "" before the caller is known
	Principal     string // subject id
	PrincipalName string
	CredentialID  string

	Tool, Owner, Risk string // of pages, Tool is the act: "card.confirm"

	Status    Status
	ErrorCode string
	Duration  time.Duration

	ArgsSize           int
	ArgsHash, ArgsKeys string // SHA-256 of the bytes; declared top-level names
	ResultHash         string

	ResourceType, ResourceID string
	SourceDigest             string
	At                       time.Time // zero means now
}

// FromCaller begins an event with what is known about who calls.
func FromCaller(by access.Caller) Event {
	return Event{
		RequestID: by.Trace.RequestID, TraceID: by.Trace.TraceID, Adapter: by.Trace.Adapter,
		Protocol: by.Trace.Protocol, Client: by.Trace.Client,
		HotelID: by.HotelID, Principal: by.SubjectID, PrincipalName: by.Name, CredentialID: by.CredentialID,
	}
}

// Entry is a stored event. Seq is 0 while it is unsealed.
type Entry struct {
	ID string
	Event
	Seq            int64
	PrevHash, Hash string
}

// Log is the audit log of one database.
type Log struct {
	db     *database.DB
	clock  clock.Clock
	writer *writer
	owner  string // of the sealer's lease
	log    *slog.Logger
	within time.Duration
	every  time.Duration
}

// Defaults of Options.
const (
	SealWithin = 5 * time.Minute
	SealEvery  = time.Second
)

// Options is what an operator may choose. Zero fields take the defaults.
type Options struct {
	Log *slog.Logger // default: none
	// SealWithin is how long a row may wait for its seal before Verify calls it
	// late. A running server seals every second.
	SealWithin time.Duration
	// SealEvery is the pause between Run's rounds: about the length of the unsealed tail.
	SealEvery time.Duration
}

// New returns the log with the defaults. It starts nothing: rows are committed by
// the callers themselves, and sealing happens in Run or Seal.
func New(db *database.DB, c clock.Clock) *Log { return NewWithOptions(db, c, Options{}) }

// NewWithOptions returns the log with options of the operator's choice.
func NewWithOptions(db *database.DB, c clock.Clock, o Options) *Log {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.SealWithin <= 0 {
		o.SealWithin = SealWithin
	}
	if o.SealEvery <= 0 {
		o.SealEvery = SealEvery
	}
	return &Log{db: db, clock: c, writer: newWriter(db), owner: c.NewID(), log: o.Log, within: o.SealWithin, every: o.SealEvery}
}
