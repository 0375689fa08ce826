// Package platform holds the hotel, its code lists, the accounts of people and
// programs, and their credentials; it turns a credential into an access.Caller
// on every call. It refuses to know orders, mails and protocols: what a caller
// may do stands in access, and which header carried a credential is the doors' affair.
package platform

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/audit"
	"thhotel/internal/clock"
	"thhotel/internal/database"
	"thhotel/internal/fault"
)

// Limits bound sessions and guessing. Zero fields take the defaults.
type Limits struct {
	SessionIdle time.Duration // a session ends after this long unused
	SessionMax  time.Duration // and after this long in any case

	// A user name, or a remote address, is refused after so many failures
	// within Window: for a minute, doubling up to Window.
	UserFailures, AddressFailures int
	Window                        time.Duration

	Hashing int // how many passwords are checked at the same time; each takes 19 MiB
}

// Service is the use cases. It authenticates, and needs nobody's permission for that.
type Service struct {
	db      *database.DB
	clock   clock.Clock
	audit   *audit.Log
	limits  Limits
	hashing chan struct{}
	store   *store
	zones   sync.Map // time zone name to *time.Location; loading one reads a file
}

var _ agent.Authenticator = (*Service)(nil)

// New returns the service with the default limits.
func New(db *database.DB, c clock.Clock, log *audit.Log) *Service {
	return NewWithLimits(db, c, log, Limits{})
}

// NewWithLimits returns the service with limits of the operator's choice.
func NewWithLimits(db *database.DB, c clock.Clock, log *audit.Log, l Limits) *Service {
	l = l.withDefaults()
	return &Service{db: db, clock: c, audit: log, limits: l, hashing: make(chan struct{}, l.Hashing), store: newStore(db)}
}

func (l Limits) withDefaults() Limits {
	orDuration := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	orInt := func(n *int, v int) {
		if *n <= 0 {
			*n = v
		}
	}
	orDuration(&l.SessionIdle, 8*time.Hour)
	orDuration(&l.SessionMax, 24*time.Hour)
	orDuration(&l.Window, 15*time.Minute)
	orInt(&l.UserFailures, 5)
	orInt(&l.AddressFailures, 30) // a hotel's desks share one address
	orInt(&l.Hashing, 4)
	return l
}

// Status of an account or partner.
type Status string

// The statuses.
const (
	Active   Status = "ACTIVE"
	Disabled Status = "DISABLED"
)

// Known reports whether the status exists.
func (st Status) Known() bool { return st == Active || st == Disabled }

// change runs fn in a transaction and appends the audit event that fn fills,
// so that a change and its record commit together.
func (s *Service) change(ctx context.Context, by access.Caller, tool, resourceType string, fn func(context.Context, *audit.Event) error) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		e := s.event(by, tool, audit.Succeeded)
		e.ResourceType = resourceType
		if err := fn(ctx, &e); err != nil {
			return err
		}
		if e.HotelID == "" {
			return fmt.Errorf("audit %s: no hotel", tool)
		}
		return s.audit.Append(ctx, e)
	})
}

// refusal writes the row of an administrative act that was refused; it stands,
// deferred, in the first line of every such use case.
func (s *Service) refusal(ctx context.Context, by access.Caller, tool, resourceType, id string, err *error) {
	s.audit.Refused(ctx, by, audit.Act{Tool: tool, Owner: "platform", ResourceType: resourceType, ResourceID: id}, err)
}

func (s *Service) event(by access.Caller, tool string, status audit.Status) audit.Event {
	e := audit.FromCaller(by)
	e.Tool, e.Owner, e.Risk, e.Status, e.At = tool, "platform", "write", status, s.clock.Now()
	return e
}

// changed lists the names of what changed, as an audit row has them: never the values.
func changed(fields map[string]bool) string {
	var names []string
	for name, yes := range fields {
		if yes {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ",")
}

func notFound(zh, en string) error {
	return fault.New(fault.NotFound, agent.CodeNotFound, "没有找到"+zh+"，请核对 ID。", "There is no such "+en+". Check the id.")
}

func invalid(path, zh, en string) error {
	return fault.New(fault.Invalid, agent.CodeInvalidArguments, zh, en).At(fault.Violation{Path: path, Message: zh, MessageEN: en})
}

// isID reports whether a foreign string can be one of our ids at all. Others
// are not worth a query, and bytes that are no UTF-8 would be an error in it.
func isID(id string) bool {
	return len(id) == 36 && !strings.ContainsFunc(id, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'f')
	})
}

// isText reports whether a name can be stored and shown: there, not too long,
// valid UTF-8, no control characters.
func isText(s string, most int) bool {
	return s != "" && len(s) <= most && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}
