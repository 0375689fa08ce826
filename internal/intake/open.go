package intake

import (
	"context"
	"fmt"
	"strconv"

	"thhotel/internal/access"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/inbox"
	"thhotel/internal/order"
)

// open makes the notice or the cards and returns the transitions that lead to them.
func (s *Service) open(ctx context.Context, by access.Caller, in submission, batch batchRow) ([]transitionRow, error) {
	if in.route != "" {
		return s.openNotice(ctx, by, in, batch)
	}
	return s.openCards(ctx, by, in, batch)
}

func (s *Service) openNotice(ctx context.Context, by access.Caller, in submission, batch batchRow) ([]transitionRow, error) {
	row, err := s.newTransition(batch, 0, bilingual(in.problems[0]))
	if err != nil {
		return nil, err
	}
	row.NoticeID, err = s.orders.OpenNotice(ctx, by, order.NoticeParams{Source: source(in.message), BatchID: batch.ID,
		TransitionID: row.ID, Revision: batch.Revision, RouteCode: in.route, Reasons: in.message.Flags, Facts: in.facts})
	if err != nil {
		return nil, fmt.Errorf("open notice: %w", err)
	}
	return []transitionRow{row}, nil
}

func (s *Service) openCards(ctx context.Context, by access.Caller, in submission, batch batchRow) ([]transitionRow, error) {
	rows := make([]transitionRow, 0, len(in.events))
	p := order.PackageParams{Source: source(in.message), BatchID: batch.ID, Revision: batch.Revision, Facts: in.facts, Contexts: in.contexts()}
	for i, raw := range in.events {
		event, more := order.ParseEvent(raw)
		problems := bilingual(bounded(merge(in.problems[i], within(i, more)), "/message_events/"+strconv.Itoa(i), len(in.events)))
		row, err := s.newTransition(batch, i, problems)
		if err != nil {
			return nil, err
		}
		row.OrderRef, row.EventType, row.Event = cut(event.OrderRef, 255), cut(string(event.Type), 64), string(raw)
		rows = append(rows, row)
		p.Events = append(p.Events, order.ProposedEvent{Event: event, TransitionID: row.ID, ContractErrors: problems})
	}
	cards, err := s.orders.OpenFromPackage(ctx, by, p)
	if err != nil {
		return nil, fmt.Errorf("open cards: %w", err)
	}
	opened := map[string]order.OpenedCard{}
	for _, c := range cards {
		opened[c.TransitionID] = c
	}
	for i := range rows {
		c, ok := opened[rows[i].ID]
		if !ok {
			return nil, fmt.Errorf("no card was opened for event %d of batch %s", i, batch.ID)
		}
		rows[i].OrderID, rows[i].CardID = c.OrderID, c.CardID
	}
	return rows, nil
}

func (s *Service) newTransition(batch batchRow, position int, problems []fault.Violation) (transitionRow, error) {
	errs, err := encode(problems)
	return transitionRow{ID: s.clock.NewID(), HotelID: batch.HotelID, BatchID: batch.ID, Position: position,
		AdapterContractError: errs, CreatedAt: database.At(s.clock.Now())}, err
}

// contexts hands on what can be read of order_contexts.
func (in submission) contexts() []order.Context {
	list, _ := in.root["order_contexts"].([]any)
	var out []order.Context
	for _, item := range list {
		obj, _ := item.(map[string]any)
		info, _ := obj["basic_information"].(map[string]any)
		review, _ := info["manual_review"].(bool)
		if ref := textOf(obj, "order_ref"); ref != "" {
			out = append(out, order.Context{OrderRef: ref, AccountCode: textOf(info, "account_code"), ManualReview: review})
		}
	}
	return out
}

func source(m inbox.Message) order.Source {
	return order.Source{MessageID: m.ID, ExternalMessageID: m.ExternalMessageID, ExternalConversationID: m.ConversationID,
		Subject: m.Subject, SenderName: m.SenderName, SenderEmail: m.SenderEmail, ReceivedAt: m.ReceivedAt}
}

// within turns pointers inside an event into pointers inside the package.
func within(i int, list []fault.Violation) []fault.Violation {
	out := make([]fault.Violation, 0, len(list))
	for _, v := range list {
		v.Path = "/message_events/" + strconv.Itoa(i) + v.Path
		out = append(out, v)
	}
	return out
}

// cut keeps a label column from refusing what the agent wrote; the event itself is whole.
func cut(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most])
	}
	return s
}
