package order

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/platform"
)

// AccuracyParams is a range of days in the hotel's zone, both included. Without
// them it is the last 30 days.
type AccuracyParams struct{ From, To string }

// AccuracyReport is how the agent's proposals fared over cards opened in a range.
type AccuracyReport struct {
	From, To string
	ByType   []Figures
	Days     []DayFigures   // every day of the range, oldest first
	Reasons  map[string]int // reason codes of rejects
	Fields   map[string]int // fields that people corrected on cards they confirmed
}

// DayFigures are one day's cards: how many were opened on it, and what became of those.
type DayFigures struct {
	Date                                string
	Opened, Confirmed, Edited, Rejected int
}

// maxReportDays keeps a report to what people look at.
const maxReportDays = 366

// Accuracy is how the agent's proposals fared, per event type, over cards opened
// since the moment given.
func (s *Service) Accuracy(ctx context.Context, by access.Caller, since time.Time) ([]Figures, error) {
	if err := by.Require(access.AgentReview); err != nil {
		return nil, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return nil, err
	}
	outcomes, err := s.store.outcomes(ctx, in.hotel.ID, since, s.clock.Now().Add(time.Minute))
	if err != nil {
		return nil, err
	}
	return figures(outcomes), nil
}

// AccuracyOver is Accuracy over a range of days, with what charts need.
func (s *Service) AccuracyOver(ctx context.Context, by access.Caller, p AccuracyParams) (AccuracyReport, error) {
	if err := by.Require(access.AgentReview); err != nil {
		return AccuracyReport{}, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return AccuracyReport{}, err
	}
	from, to, err := p.span(in.hotel, s.clock.Now())
	if err != nil {
		return AccuracyReport{}, err
	}
	outcomes, err := s.store.outcomes(ctx, in.hotel.ID, from, to.AddDate(0, 0, 1))
	if err != nil {
		return AccuracyReport{}, err
	}
	r := AccuracyReport{From: from.Format(time.DateOnly), To: to.Format(time.DateOnly), ByType: figures(outcomes), Reasons: map[string]int{}, Fields: map[string]int{}}
	r.days(outcomes, from, to)
	return r, nil
}

// span are the first moments of the range's first and last day.
func (p AccuracyParams) span(h platform.Hotel, now time.Time) (from, to time.Time, err error) {
	zone := h.Location()
	today := now.In(zone).Format(time.DateOnly)
	last := orElse(p.To, today)
	first := orElse(p.From, addDays(last, -29))
	if to, err = time.ParseInLocation(time.DateOnly, last, zone); err != nil {
		return from, to, invalid("/to", "结束日期不存在。", "a real date, YYYY-MM-DD")
	}
	if from, err = time.ParseInLocation(time.DateOnly, first, zone); err != nil || from.After(to) {
		return from, to, invalid("/from", "起始日期不存在，或晚于结束日期。", "a real date, YYYY-MM-DD, not after to")
	}
	if nights(first, last) >= maxReportDays {
		return from, to, invalid("/from", "日期范围不能超过 366 天。", "at most 366 days")
	}
	return from, to, nil
}

func (r *AccuracyReport) days(outcomes []outcome, from, to time.Time) {
	at := map[string]int{}
	for d := from; !d.After(to); d = d.AddDate(0, 0, 1) {
		at[d.Format(time.DateOnly)] = len(r.Days)
		r.Days = append(r.Days, DayFigures{Date: d.Format(time.DateOnly)})
	}
	for _, o := range outcomes {
		i, ok := at[o.CreatedAt.In(from.Location()).Format(time.DateOnly)]
		if !ok {
			continue
		}
		day := &r.Days[i]
		day.Opened++
		switch o.Outcome {
		case CardConfirmed:
			day.Confirmed++
			if o.edited() {
				day.Edited++
			}
			for _, f := range o.editedFields() {
				r.Fields[f]++
			}
		case CardRejected:
			day.Rejected++
			r.Reasons[o.ReasonCode]++
		}
	}
}

func figures(outcomes []outcome) []Figures {
	out := make([]Figures, 0, len(EventTypes()))
	for _, t := range EventTypes() {
		f := Figures{EventType: t, RejectReasons: map[string]int{}}
		var took []time.Duration
		for _, o := range outcomes {
			if o.EventType != string(t) {
				continue
			}
			f.Cards++
			switch o.Outcome {
			case CardConfirmed:
				f.Confirmed++
				took = append(took, o.DecidedAt.Sub(o.CreatedAt.Time))
				if o.edited() {
					f.Edited++
				}
			case CardRejected:
				f.Rejected++
				f.RejectReasons[o.ReasonCode]++
			}
		}
		slices.Sort(took)
		f.MedianToConfirm, f.P90ToConfirm = share(took, 50), share(took, 90)
		out = append(out, f)
	}
	return out
}

// share is the smallest value that so many percent do not exceed.
func share(sorted []time.Duration, percent int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)*percent+99)/100-1]
}

// edited: a person put values of their own over the agent's.
func (o outcome) edited() bool { return len(o.editedFields()) > 0 }

func (o outcome) editedFields() []string {
	var c Corrections
	if json.Unmarshal([]byte(o.Corrections), &c) != nil {
		return nil
	}
	return sortedKeys(c)
}
