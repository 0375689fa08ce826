package intake

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/clock"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/inbox"
	"thhotel/internal/order"
	"thhotel/internal/platform"
)

// Options is what a Service is made of.
type Options struct {
	DB       *database.DB
	Clock    clock.Clock
	Platform *platform.Service
	Inbox    *inbox.Service
	Order    *order.Service
}

// Service holds the use cases of packages.
type Service struct {
	db       *database.DB
	clock    clock.Clock
	platform *platform.Service
	inbox    *inbox.Service
	orders   *order.Service
	store    store
}

// New returns the service.
func New(o Options) *Service {
	return &Service{db: o.DB, clock: o.Clock, platform: o.Platform, inbox: o.Inbox, orders: o.Order, store: store{o.DB}}
}

// Submit records a package and opens its cards or notice, in one transaction. The
// same package for the same mail is answered from the record, for ever and under
// any race; another package for it becomes a new revision.
func (s *Service) Submit(ctx context.Context, by access.Caller, pkg json.RawMessage) (SubmitResult, error) {
	if err := by.Require(access.TaskResultSubmit); err != nil {
		return SubmitResult{}, err
	}
	root, err := check(pkg)
	if err != nil {
		return SubmitResult{}, err
	}
	sum, err := digest(pkg)
	if err != nil {
		return SubmitResult{}, err
	}
	in, err := s.prepare(ctx, by, root)
	if err != nil {
		return SubmitResult{}, err
	}
	in.sum, in.raw = sum, pkg
	if err := in.splitEvents(); err != nil {
		return SubmitResult{}, err
	}
	if err := s.orders.ReadRoomingLists(ctx, by, in.message.ID, in.events); err != nil {
		return SubmitResult{}, fmt.Errorf("read rooming lists: %w", err)
	}
	var out SubmitResult
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		out, err = s.record(ctx, by, in)
		return err
	})
	return out, err
}

// submission is a package on its way in.
type submission struct {
	hotel    platform.Hotel
	root     map[string]any
	raw      json.RawMessage
	sum      string
	route    string
	message  inbox.Message
	facts    inbox.Facts
	events   []json.RawMessage
	problems [][]fault.Violation // one list per event, or one for the notice
	warnings []agent.Warning
}

// prepare finds the mail and judges every event; it writes nothing.
func (s *Service) prepare(ctx context.Context, by access.Caller, root map[string]any) (submission, error) {
	in := submission{root: root, route: textOf(root, "route_code")}
	var err error
	if in.hotel, err = s.platform.Hotel(ctx, by); err != nil {
		return in, err
	}
	if in.message, err = s.inbox.Locate(ctx, by, sourceText(root, "source_message_id")); err != nil {
		return in, err
	}
	if in.facts, err = s.inbox.Facts(ctx, by, in.message.ID); err != nil {
		return in, err
	}
	in.judge()
	return in, nil
}

// judge finds what is wrong with each event, and what to warn of.
func (in *submission) judge() {
	source := checkSource(in.root, in.message)
	in.warnings = append(in.warnings, sourceWarnings(in.root, in.message)...)
	if in.route != "" {
		in.problems = [][]fault.Violation{source}
		return
	}
	list, _ := in.root["order_contexts"].([]any)
	events, _ := in.root["message_events"].([]any)
	ctx, known := readContexts(list), attachmentIDs(in.message)
	for i, e := range events {
		found := checkEvent("/message_events/"+strconv.Itoa(i), e, ctx, known)
		in.problems = append(in.problems, append(found, source...))
	}
	in.warnings = append(in.warnings, contextWarnings(ctx, events)...)
}

// splitEvents keeps each event's own bytes: nothing the agent said is lost.
func (in *submission) splitEvents() error {
	var p struct {
		Events []json.RawMessage `json:"message_events"`
	}
	if err := json.Unmarshal(in.raw, &p); err != nil {
		return fmt.Errorf("split events: %w", err)
	}
	in.events = p.Events
	return nil
}

// record writes the package, or answers from the record when it is there already.
func (s *Service) record(ctx context.Context, by access.Caller, in submission) (SubmitResult, error) {
	same, found, err := s.store.byPackage(ctx, in.hotel.ID, in.message.ID, in.sum)
	if err != nil {
		return SubmitResult{}, fmt.Errorf("look for the same package: %w", err)
	}
	if found {
		return s.replay(ctx, same)
	}
	row, err := s.newRow(by, in)
	if err != nil {
		return SubmitResult{}, err
	}
	isNew, err := s.store.insertBatch(ctx, &row)
	if err != nil {
		return SubmitResult{}, err
	}
	if !isNew {
		return s.replay(ctx, row)
	}
	rows, err := s.open(ctx, by, in, row)
	if err != nil {
		return SubmitResult{}, err
	}
	if err := s.store.insertTransitions(ctx, rows); err != nil {
		return SubmitResult{}, err
	}
	return s.answer(ctx, row)
}

func (s *Service) newRow(by access.Caller, in submission) (batchRow, error) {
	wrong := 0
	for _, p := range in.problems {
		if len(p) > 0 {
			wrong++
		}
	}
	warnings, err := encode(in.warnings)
	return batchRow{ID: s.clock.NewID(), HotelID: in.hotel.ID, MessageID: in.message.ID, ExternalMessageID: in.message.ExternalMessageID,
		RouteCode: in.route, PackageSHA256: in.sum, Package: string(in.raw), PackageSize: len(in.raw), Warnings: warnings,
		EventCount: len(in.problems), ErrorCount: wrong, SubmittedBy: by.SubjectID, SubmittedByName: by.Name,
		RequestID: by.Trace.RequestID, TraceID: by.Trace.TraceID, CreatedAt: database.At(s.clock.Now())}, err
}

// replay is the stored answer, marked.
func (s *Service) replay(ctx context.Context, row batchRow) (SubmitResult, error) {
	out, err := s.answer(ctx, row)
	if err != nil {
		return out, err
	}
	out.IdempotentReplay = true
	newest, err := s.store.newestRevision(ctx, row.HotelID, row.ID)
	if newest > row.Revision {
		out.warnings = append(out.warnings, supersededWarning(row.Revision, newest))
	}
	return out, err
}

// replayWarnings tells, beside an answer that the executor had stored, that the
// mail has a newer revision by now.
func (s *Service) replayWarnings(ctx context.Context, by access.Caller, stored json.RawMessage) ([]agent.Warning, error) {
	if err := by.Require(access.TaskResultSubmit); err != nil {
		return nil, err
	}
	var r SubmitResult
	if err := json.Unmarshal(stored, &r); err != nil {
		return nil, fmt.Errorf("stored answer: %w", err)
	}
	newest, err := s.store.newestRevision(ctx, by.HotelID, r.BatchID)
	if err != nil || newest <= r.Revision {
		return nil, err
	}
	return []agent.Warning{supersededWarning(r.Revision, newest)}, nil
}

// answer is read from the rows alone, so that it is the same after a restart.
func (s *Service) answer(ctx context.Context, row batchRow) (SubmitResult, error) {
	list, err := s.store.transitions(ctx, row.ID)
	if err != nil {
		return SubmitResult{}, err
	}
	out := SubmitResult{BatchID: row.ID, AcceptedCount: len(list), SourceMessageID: row.ExternalMessageID,
		Revision: row.Revision, Items: make([]Item, 0, len(list)), route: row.RouteCode}
	for _, t := range list {
		item := Item{AITransitionID: t.ID, AdapterContractError: t.ContractErrors}
		if t.OrderID != "" {
			item.OrderID = &t.OrderID
		}
		out.Items = append(out.Items, item)
	}
	out.warnings, err = row.warnings()
	if row.Revision > 1 {
		out.warnings = append(out.warnings, revisedWarning(row.Revision))
	}
	if row.ErrorCount > 0 {
		out.warnings = append(out.warnings, contractWarning(row.ErrorCount))
	}
	return out, err
}

func attachmentIDs(m inbox.Message) []string {
	out := make([]string, 0, len(m.Attachments))
	for _, a := range m.Attachments {
		out = append(out, strings.TrimSpace(a.ID))
	}
	return out
}
