package pages

import (
	"time"

	"thhotel/internal/access"
	"thhotel/internal/inbox"
	"thhotel/internal/intake"
	"thhotel/internal/order"
)

// followed is one mail's way from its arrival to the orders it changed.
type followed struct {
	Mail    inbox.Message
	Batches []followedBatch
	More    bool // there are packages beyond those shown
}

type followedBatch struct {
	intake.BatchView
	After time.Duration // from the mail's arrival
	Steps []followedStep
}

// followedStep is a transition with its card, the decision and what that did.
type followedStep struct {
	intake.Transition
	Card    *order.CardView
	Took    time.Duration // from card to decision
	Changes []order.Change
}

// followMost keeps the page to what a person reads: packages of one mail.
const followMost = 20

func follow(v *visit) error {
	ctx := v.c.Request.Context()
	if err := v.By.Require(access.AgentReview); err != nil {
		return err
	}
	m, err := v.s.o.Inbox.Get(ctx, v.By, v.c.Param("id"))
	if err != nil {
		return err
	}
	page, err := v.s.o.Intake.Batches(ctx, v.By, intake.BatchesParams{MessageID: m.ID, Limit: followMost})
	if err != nil {
		return err
	}
	d := followed{Mail: m, More: page.NextCursor != ""}
	for i := len(page.Batches) - 1; i >= 0; i-- { // oldest first
		b, err := v.followBatch(page.Batches[i].ID, m.ReceivedAt)
		if err != nil {
			return err
		}
		d.Batches = append(d.Batches, b)
	}
	return v.show("follow", "agent", v.T("follow.title"), d)
}

func (v *visit) followBatch(id string, arrived time.Time) (followedBatch, error) {
	view, err := v.s.o.Intake.Batch(v.c.Request.Context(), v.By, id)
	b := followedBatch{BatchView: view, After: view.CreatedAt.Sub(arrived)}
	if err != nil {
		return b, err
	}
	for _, t := range view.Transitions {
		step, err := v.followStep(t)
		if err != nil {
			return b, err
		}
		b.Steps = append(b.Steps, step)
	}
	return b, nil
}

func (v *visit) followStep(t intake.Transition) (followedStep, error) {
	ctx, step := v.c.Request.Context(), followedStep{Transition: t}
	if t.CardID == "" {
		return step, nil
	}
	card, err := v.s.o.Order.Card(ctx, v.By, t.CardID)
	if err != nil {
		return step, err
	}
	step.Card = &card
	if card.Decision != nil {
		step.Took = card.Decision.At.Sub(card.CreatedAt)
	}
	if card.OrderID == "" {
		return step, nil
	}
	changes, err := v.s.o.Order.History(ctx, v.By, card.OrderID)
	for _, c := range changes {
		if c.CardID == card.ID {
			step.Changes = append(step.Changes, c)
		}
	}
	return step, err
}
