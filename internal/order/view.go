package order

import (
	"context"
	"encoding/json"
	"slices"

	"thhotel/internal/access"
)

// Card returns everything a person needs to decide, judged against the orders as
// they are at this moment.
func (s *Service) Card(ctx context.Context, by access.Caller, id string) (CardView, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return CardView{}, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return CardView{}, err
	}
	row, err := s.store.card(ctx, in.hotel.ID, id)
	if err != nil {
		return CardView{}, err
	}
	if err := s.readForCard(ctx, by, in, &row, row.corrections()); err != nil {
		return CardView{}, err
	}
	j, err := s.judge(ctx, in, &row, row.corrections(), 0)
	if err != nil {
		return CardView{}, err
	}
	v := j.view(in)
	if err := s.showRooming(ctx, by, &j, &v); err != nil {
		return CardView{}, err
	}
	v.settle(&row)
	others, err := s.otherCards(ctx, in, &j)
	v.OtherCards = briefs(others)
	return v, err
}

func (j *judged) view(in setting) CardView {
	row := j.row
	v := CardView{
		CardBrief: row.brief(), Event: j.event, AgentEvent: j.agent, Corrections: row.corrections(),
		Target: j.facts.Target, Matches: j.facts.Matches, Block: j.facts.Block, Pending: j.pending,
		Traces: j.event.TraceItems, Payment: j.event.After.Payment, Rules: j.results, Duplicates: j.duplicates(),
		SecondStep: j.secondStep(), Needs: j.needs(), Decision: row.decision(),
	}
	_ = json.Unmarshal([]byte(row.ContractErrors), &v.ContractErrors) // our own JSON
	_ = json.Unmarshal([]byte(row.Notes), &v.Notes)
	v.Fields, v.Rooms = j.fieldDiffs(), j.roomDiffs(in)
	v.EffectZH, v.EffectEN = j.effect(false)
	v.CanConfirm = v.Open() && len(fired(j.results, Hard)) == 0 && (j.event.Type == NewBooking || j.facts.Target != nil)
	if t := j.subject(); t != nil {
		v.OrderVersion = t.Version
	}
	return v
}

// subject is the order that confirming would write.
func (j *judged) subject() *Record {
	if j.event.Type == NewBooking {
		return j.pending
	}
	return j.facts.Target
}

func (j *judged) duplicates() []Record {
	out := slices.Clone(j.facts.SameReference)
	for _, r := range j.facts.SameStay {
		if !slices.ContainsFunc(out, func(o Record) bool { return o.ID == r.ID }) {
			out = append(out, r)
		}
	}
	return out
}

// secondStep: what is hard to take back is asked twice.
func (j *judged) secondStep() bool {
	switch j.event.Type {
	case CancelBooking:
		return statusOf(j.facts) != StatusCancelled // else nothing happens
	case Payment:
		return true
	case UpdateBooking:
		t := j.facts.Target
		return t != nil && t.BookingType != FIT && j.event.After.Scope != ScopeMember && j.reduces(t)
	case NewBooking, Trace, RoomingList, attachVoucher:
	}
	return false
}

func (j *judged) reduces(t *Record) bool {
	after := t.clone()
	j.facts.proposal().apply(&after)
	return after.RoomCount() < t.RoomCount() || slices.ContainsFunc(t.Rooms, func(l RoomLine) bool {
		now := lineOf(after.Rooms, l.RoomTypeCode)
		return now == nil || now.RoomCount < l.RoomCount
	})
}

// needs lists what Confirm asks a person for.
func (j *judged) needs() []string {
	switch {
	case j.event.Type == NewBooking && j.byGroupCode():
		return []string{"group_code"}
	case j.event.Type == NewBooking:
		return []string{"confirmation_number"}
	case j.facts.Target == nil:
		return []string{"target_order_id"}
	case j.event.Type == CancelBooking && statusOf(j.facts) != StatusCancelled:
		return []string{"reason"}
	}
	return nil
}

// byGroupCode: a block gets a group code, a reservation (also one inside a block)
// a confirmation number.
func (j *judged) byGroupCode() bool {
	t := j.event.Target.BookingType
	return t == Group || (t == Allotment && j.event.Target.LocatorValue == "")
}

func (j *judged) fieldDiffs() []FieldDiff {
	if j.event.Type != NewBooking && j.event.Type != UpdateBooking {
		return nil
	}
	now, then := j.facts.Target, j.row.base()
	agent, want := proposed(j.agent, j.row.AccountCode), j.facts.proposal()
	var out []FieldDiff
	for _, f := range fields() {
		d := FieldDiff{Field: f.name, Agent: agent.values[f.name], Proposed: want.values[f.name]}
		if now != nil {
			d.Now = f.get(now)
		}
		if then != nil {
			d.AtMail = f.get(then)
		}
		out = appendDiff(out, d, then != nil && now != nil && then.ID == now.ID)
	}
	out = append(out, j.extraDiffs(now, then, agent, want)...)
	if j.event.After.Scope == ScopeMember {
		for i := range out {
			if out[i].State != FieldNotInIt {
				out[i].State = FieldMember
			}
		}
	}
	return out
}

func (j *judged) extraDiffs(now, then *Record, agent, want proposal) []FieldDiff {
	var out []FieldDiff
	extra := func(r *Record, k string) string {
		if r == nil {
			return ""
		}
		return text(r.Extra[k])
	}
	keys := map[string]bool{}
	for k := range agent.extra {
		keys[k] = true
	}
	for k := range want.extra {
		keys[k] = true
	}
	for _, k := range sortedKeys(keys) {
		d := FieldDiff{Field: k, Now: extra(now, k), AtMail: extra(then, k), Agent: text(agent.extra[k]), Proposed: text(want.extra[k])}
		out = appendDiff(out, d, then != nil && now != nil)
	}
	return out
}

func appendDiff(out []FieldDiff, d FieldDiff, comparable bool) []FieldDiff {
	d.Corrected = d.Agent != d.Proposed
	switch {
	case d.Proposed == "" && d.Now == "" && !d.Corrected:
		return out
	case d.Proposed == "":
		d.State = FieldNotInIt
	case d.Proposed == d.Now:
		d.State = FieldSame
	case comparable && d.Now != d.AtMail:
		d.State = FieldMoved
	default:
		d.State = FieldChange
	}
	return append(out, d)
}

// text shows a JSON fact: a string without its quotes, anything else compact.
func text(raw json.RawMessage) string {
	if isNull(raw) {
		return ""
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	if s, ok := v.(string); ok {
		return s
	}
	return toJSON(v)
}

// roomDiffs is the grid: every room type of the order or of the mail.
func (j *judged) roomDiffs(in setting) []RoomDiff {
	items := j.facts.proposal().rooms
	if j.event.Type == RoomingList {
		items = j.event.RoomItems
	}
	state := FieldChange
	if j.event.After.Scope == ScopeMember { // rooms of one guest: the block keeps its own
		items, state = j.event.RoomItems, FieldMember
	}
	var out []RoomDiff
	for _, it := range items {
		out = append(out, RoomDiff{RoomTypeCode: it.RoomTypeCode, Proposed: it.RoomCount, Rate: it.Rate, State: state})
	}
	if t := j.facts.Target; t != nil {
		for _, l := range t.Rooms {
			out = mergeRoom(out, l, items != nil && j.event.Type == UpdateBooking && j.event.After.Scope != ScopeMember, t.Currency)
		}
	}
	for i := range out {
		t, _ := in.codes.RoomType(out[i].RoomTypeCode)
		out[i].RoomTypeName = t.Name
	}
	return out
}

func mergeRoom(out []RoomDiff, l RoomLine, replaced bool, currency string) []RoomDiff {
	i := slices.IndexFunc(out, func(d RoomDiff) bool { return d.RoomTypeCode == l.RoomTypeCode })
	n := l.RoomCount
	if i < 0 {
		d := RoomDiff{RoomTypeCode: l.RoomTypeCode, Now: &n, State: FieldNotInIt}
		if replaced { // a full new grid leaves this type out: confirming removes it
			zero := 0
			d.Proposed, d.State = &zero, FieldChange
		}
		return append(out, d)
	}
	out[i].Now = &n
	if l.RateMinor != nil && out[i].Rate == "" {
		out[i].Rate = FormatMoney(*l.RateMinor, currency)
	}
	if p := out[i].Proposed; p != nil && *p == n && out[i].State == FieldChange {
		out[i].State = FieldSame
	}
	return out
}

func (r *cardRow) decision() *Decision {
	if r.Outcome == "" {
		return nil
	}
	d := &Decision{Outcome: r.Outcome, ReasonCode: r.ReasonCode, Text: r.Reason, ByID: r.DecidedBy, ByName: r.DecidedName, At: r.DecidedAt.Time}
	_ = json.Unmarshal([]byte(r.Ticks), &d.Ticks) // our own JSON
	return d
}
