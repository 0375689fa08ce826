package intake

import (
	"context"
	"encoding/json"
	"fmt"

	"thhotel/internal/access"
)

// Page sizes of the list of batches.
const (
	defaultLimit = 50
	maxLimit     = 200
)

// Batches lists stored packages, newest first.
func (s *Service) Batches(ctx context.Context, by access.Caller, p BatchesParams) (BatchPage, error) {
	if err := by.Require(access.AgentReview); err != nil {
		return BatchPage{}, err
	}
	hotel, err := s.platform.Hotel(ctx, by)
	if err != nil {
		return BatchPage{}, err
	}
	if p.Limit <= 0 {
		p.Limit = defaultLimit
	}
	p.Limit = min(p.Limit, maxLimit)
	rows, err := s.store.batches(ctx, hotel.ID, p)
	if err != nil {
		return BatchPage{}, fmt.Errorf("list batches: %w", err)
	}
	var page BatchPage
	if len(rows) > p.Limit {
		rows = rows[:p.Limit]
		page.NextCursor = rows[p.Limit-1].ID
	}
	for _, r := range rows {
		b, err := r.view()
		if err != nil {
			return BatchPage{}, err
		}
		page.Batches = append(page.Batches, b)
	}
	return page, nil
}

// Batch returns one package with what became of it, without the mail's body.
func (s *Service) Batch(ctx context.Context, by access.Caller, id string) (BatchView, error) {
	row, err := s.own(ctx, by, id)
	if err != nil {
		return BatchView{}, err
	}
	out := BatchView{}
	if out.Batch, err = row.view(); err != nil {
		return out, err
	}
	if out.Transitions, err = s.store.transitions(ctx, id); err != nil {
		return out, err
	}
	out.Package, err = withoutBody(row.Package)
	return out, err
}

// Package returns a package as it was submitted, the mail's body included. Like
// every reading of a body, it leaves a trace in the inbox first.
func (s *Service) Package(ctx context.Context, by access.Caller, id string) (string, error) {
	row, err := s.own(ctx, by, id)
	if err != nil {
		return "", err
	}
	if _, _, err := s.inbox.ReadBody(ctx, by, row.MessageID, "agent.package"); err != nil {
		return "", err
	}
	return row.Package, nil
}

func (s *Service) own(ctx context.Context, by access.Caller, id string) (batchRow, error) {
	if err := by.Require(access.AgentReview); err != nil {
		return batchRow{}, err
	}
	hotel, err := s.platform.Hotel(ctx, by)
	if err != nil {
		return batchRow{}, err
	}
	return s.store.batch(ctx, hotel.ID, id)
}

// withoutBody replaces source_message.body; the rest keeps its order and bytes.
func withoutBody(pkg string) (string, error) {
	var root struct {
		Route    json.RawMessage            `json:"route_code"`
		Source   map[string]json.RawMessage `json:"source_message"`
		Contexts json.RawMessage            `json:"order_contexts"`
		Events   json.RawMessage            `json:"message_events"`
	}
	if err := json.Unmarshal([]byte(pkg), &root); err != nil {
		return "", fmt.Errorf("stored package: %w", err)
	}
	root.Source["body"] = json.RawMessage(`"[...]"`)
	b, err := json.MarshalIndent(root, "", "  ")
	return string(b), err
}
