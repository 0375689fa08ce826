package agent

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"thhotel/internal/access"
)

// ToolInfo is what may be told about a tool: everything but its executable parts.
type ToolInfo struct {
	Name                 string            `json:"name"`
	Owner                string            `json:"owner"`
	Title                string            `json:"title"`
	Description          string            `json:"description"`
	InputSchema          json.RawMessage   `json:"input_schema"`
	OutputSchema         json.RawMessage   `json:"output_schema"`
	Mutability           Mutability        `json:"mutability"`
	Risk                 Risk              `json:"risk"`
	Idempotent           bool              `json:"idempotent"`
	RequiresConfirmation bool              `json:"requires_confirmation"`
	Permission           access.Permission `json:"permission"`
	OwnAction            string            `json:"own_action,omitempty"`
	REST                 string            `json:"rest,omitempty"`
	MaxArguments         int               `json:"max_arguments"`
	MaxConcurrency       int               `json:"max_concurrency"`
	Timeout              time.Duration     `json:"timeout"`
}

// Snapshot is the catalogue at one moment, sorted by name.
type Snapshot struct {
	// Revision is a digest of the content: equal catalogues have equal
	// revisions, on every replica and after every restart.
	Revision string
	Tools    []ToolInfo
}

// entry is a registered tool with what was prepared for running it. It is
// never changed after registration.
type entry struct {
	tool       Tool
	info       ToolInfo
	input      *Schema
	output     *Schema
	slots      chan struct{}
	generation uint64
}

// Registry is the catalogue of tools; safe for concurrent use. Readers take no lock.
type Registry struct {
	mu         sync.Mutex // writers only
	generation uint64
	current    atomic.Pointer[catalogue]
}

// catalogue is replaced as a whole at each change.
type catalogue struct {
	entries  map[string]*entry
	snapshot Snapshot
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry {
	r := &Registry{}
	r.publish(map[string]*entry{})
	return r
}

// Registration is the handle of one registered tool.
type Registration struct {
	registry   *Registry
	name       string
	generation uint64
}

// Register checks the tool and adds it. A tool that could not be run safely is
// refused here, at start, rather than at its first call.
func (r *Registry) Register(t Tool) (Registration, error) {
	e, err := prepare(t)
	if err != nil {
		return Registration{}, fmt.Errorf("register tool %q: %w", t.Name, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.current.Load().entries
	if _, taken := old[t.Name]; taken {
		return Registration{}, fmt.Errorf("register tool %q: the name is taken", t.Name)
	}
	r.generation++
	e.generation = r.generation
	next := maps.Clone(old)
	next[t.Name] = e
	r.publish(next)
	return Registration{registry: r, name: t.Name, generation: e.generation}, nil
}

// Revoke removes this registration and never a newer one of the same name.
func (h Registration) Revoke() {
	if h.registry == nil {
		return
	}
	h.registry.remove(func(e *entry) bool { return e.tool.Name == h.name && e.generation == h.generation })
}

// RevokeOwner removes every tool of one owner and says how many there were.
func (r *Registry) RevokeOwner(owner string) int {
	return r.remove(func(e *entry) bool { return e.tool.Owner == owner })
}

// Snapshot returns the catalogue; it shares nothing that may be changed.
func (r *Registry) Snapshot() Snapshot {
	s := r.current.Load().snapshot
	s.Tools = slices.Clone(s.Tools)
	return s
}

// Lookup returns what may be told about one tool.
func (r *Registry) Lookup(name string) (ToolInfo, bool) {
	e, ok := r.current.Load().entries[name]
	if !ok {
		return ToolInfo{}, false
	}
	return e.info, true
}

func (r *Registry) entry(name string) *entry { return r.current.Load().entries[name] }

func (r *Registry) remove(match func(*entry) bool) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := maps.Clone(r.current.Load().entries)
	before := len(next)
	maps.DeleteFunc(next, func(_ string, e *entry) bool { return match(e) })
	if len(next) != before {
		r.publish(next)
	}
	return before - len(next)
}

// publish makes the next catalogue visible. Callers hold mu.
func (r *Registry) publish(entries map[string]*entry) {
	s := Snapshot{Tools: make([]ToolInfo, 0, len(entries))}
	for _, e := range entries {
		s.Tools = append(s.Tools, e.info)
	}
	slices.SortFunc(s.Tools, func(a, b ToolInfo) int { return strings.Compare(a.Name, b.Name) })
	s.Revision = digest(s.Tools)
	r.current.Store(&catalogue{entries: entries, snapshot: s})
}

// digest is short: it tells two catalogues apart, it guards nothing.
func digest(v any) string {
	b, err := json.Marshal(v)
	if err != nil { // schemas were parsed at registration, so this is never reached
		return "unknown"
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}
