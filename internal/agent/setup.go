package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/clock"
	"thhotel/internal/database"
)

// Authenticator loads the caller behind a credential, afresh on every call, so
// that a revoked token or a lowered role bites on the next one.
type Authenticator interface {
	Authenticate(ctx context.Context, c Credential) (access.Caller, error)
}

// Options is what an executor is made of. All but Log and SlotWait are required.
type Options struct {
	DB       *database.DB
	Clock    clock.Clock
	Registry *Registry
	Services []Service
	Auth     Authenticator
	Audit    *audit.Log
	Log      *slog.Logger
	// SlotWait is how long a call waits for a concurrency slot; default 5 s.
	SlotWait time.Duration
	// Begin, when set, gives the context that a call runs with (traces); Observe,
	// when set, hears with that context how it ended (metrics, traces).
	Begin   func(ctx context.Context, t access.Trace) context.Context
	Observe func(ctx context.Context, e Ended)
}

// Executor runs tools. Nothing about a call is kept between calls.
type Executor struct {
	db       *database.DB
	clock    clock.Clock
	registry *Registry
	services map[string]*Service
	home     map[string]string // tool -> service
	auth     Authenticator
	audit    *audit.Log
	log      *slog.Logger
	slotWait time.Duration
	policies policyStore
	begin    func(context.Context, access.Trace) context.Context
	observe  func(context.Context, Ended)
	held     atomic.Int64 // idempotency keys that calls of this process are running
}

// NewExecutor returns an executor. It refuses a service that lists a tool
// nobody registered, and a registered tool that no service lists.
func NewExecutor(o Options) (*Executor, error) {
	if o.DB == nil || o.Registry == nil || o.Auth == nil || o.Audit == nil {
		return nil, errors.New("executor: DB, Registry, Auth and Audit are required")
	}
	e := &Executor{db: o.DB, clock: o.Clock, registry: o.Registry, services: map[string]*Service{}, home: map[string]string{},
		auth: o.Auth, audit: o.Audit, log: o.Log, slotWait: o.SlotWait, begin: o.Begin, observe: o.Observe}
	e.policies = newPolicyStore(o.DB)
	if e.log == nil {
		e.log = slog.New(slog.DiscardHandler)
	}
	if e.slotWait <= 0 {
		e.slotWait = 5 * time.Second
	}
	for _, s := range o.Services {
		if err := e.add(s); err != nil {
			return nil, fmt.Errorf("executor: service %q: %w", s.Name, err)
		}
	}
	for _, t := range o.Registry.Snapshot().Tools {
		if _, ok := e.home[t.Name]; !ok {
			return nil, fmt.Errorf("executor: no service lists the tool %q", t.Name)
		}
	}
	return e, nil
}

func (e *Executor) add(s Service) error {
	if s.Name == "" || s.Dialect == nil {
		return errors.New("it needs a name and a dialect")
	}
	if e.services[s.Name] != nil {
		return errors.New("the name is taken")
	}
	for _, t := range s.Tools {
		if e.registry.entry(t) == nil {
			return fmt.Errorf("nobody registered the tool %q", t)
		}
		if other, taken := e.home[t]; taken {
			return fmt.Errorf("the tool %q is listed by the service %q too", t, other)
		}
		e.home[t] = s.Name
	}
	e.services[s.Name] = &s
	return nil
}

// Service returns a service by name.
func (e *Executor) Service(name string) (Service, bool) {
	s, ok := e.services[name]
	if !ok {
		return Service{}, false
	}
	return *s, true
}
