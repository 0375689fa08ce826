package order

import (
	"slices"
	"sync"

	"thhotel/internal/fault"
	"thhotel/internal/platform"
)

// Facts is everything the rules may look at. Rules are pure functions over it:
// the same facts give the same findings at intake, on the page and at confirm.
type Facts struct {
	Event        Event
	Account      string // of the order context
	BusinessDate string
	Codes        platform.CodeLists
	Settings     Settings
	Origin       Origin
	// Violations are what is still wrong with the event against the contract.
	Violations []fault.Violation

	Target      *Record  // the one order the event means, as it is now
	Matches     []Record // what the key leads to when that is not exactly one
	SeenVersion int64    // the target's version a person saw; 0 when nobody did
	Moved       []string // proposed fields whose value on the order changed since the mail
	Block       *Record  // what a NEW_BOOKING picks up from
	OtherCards  int      // open cards on the same order

	SameReference []Record
	SameStay      []Record
	Payments      []PaymentLine // on the target
	SameBankRef   []PaymentLine // anywhere, with the same bank reference
	BankAccounts  []string      // accounts this customer's mails named before
	Due           []DueAmount   // what is to be paid now, then what it was before changes
	DueMissing    Missing       // why nothing is known to be due
	Listed        []RoomingEntry
	PickedUp      int            // reservations made inside the target block
	Lines         []RoomingLine  // of a rooming list's file; nil when the rows are the package's
	Sheets        []RoomingSheet // the files that were read
}

// Origin is what is known of the mail itself, kept with the card so that a rule
// never needs the body again.
type Origin struct {
	ContextMissing     bool     `json:"context_missing,omitempty"`
	ContextReview      bool     `json:"context_review,omitempty"`
	KnownAttachments   []string `json:"known_attachments,omitempty"`
	KeyOnlyQuoted      bool     `json:"key_only_quoted,omitempty"`
	SenderDomainNew    bool     `json:"sender_domain_new,omitempty"`
	SenderLookAlike    bool     `json:"sender_look_alike,omitempty"`
	BankDetailsChanged bool     `json:"bank_details_changed,omitempty"`
	BankWords          []string `json:"bank_words,omitempty"` // the words of the mail that say so
	Manual             bool     `json:"manual,omitempty"`     // opened by a person, not by a package
}

// Missing names data that a rule would need, to follow "not checked: ".
type Missing struct{ ZH, EN string }

// DueAmount is a sum the order asks for, and since when it no longer does.
type DueAmount struct {
	Minor    int64
	Currency string
	Until    string // "" for now
}

// verdict is what a rule says of the facts.
type verdict struct {
	fired, unchecked bool
	zh, en           string
}

func pass() verdict { return verdict{} }

func fire(zh, en string) verdict { return verdict{fired: true, zh: zh, en: en} }

func fireIf(cond bool, zh, en string) verdict {
	if !cond {
		return pass()
	}
	return fire(zh, en)
}

// unchecked says that the data for a rule is missing; it never passes in silence.
func unchecked(zh, en string) verdict {
	return verdict{fired: true, unchecked: true, zh: "未检查：" + zh, en: "not checked: " + en}
}

// rule is one named rule of the hotel.
type rule struct {
	name   string
	level  Level
	events []EventType // nil: every card
	// blocks names the action ("update", "cancel", "attach_voucher") that is not
	// possible while this rule fires, whatever its level on a card.
	blocks string
	// data: what it looks at may be missing in the hotel's own records or in the
	// package; it then says "not checked".
	data  bool
	check func(Facts) verdict
}

func (r rule) concerns(t EventType) bool {
	if r.events == nil {
		return t != attachVoucher
	}
	return slices.Contains(r.events, t)
}

// rules is the one table: cards, queries and confirming all read it.
func rules() []rule { return table() }

// table is made once: it never changes, and every answer to the agent asks it.
var table = sync.OnceValue(func() []rule {
	return slices.Concat(anyRules(), targetRules(), codeRules(), dateRules(), roomRules(), newRules(), updateRules(), cancelRules(),
		roomingRules(), paymentRules(), traceRules(), voucherRules())
})

// RuleNames lists every rule with its level, in the order they are judged.
func RuleNames() map[string]Level {
	out := map[string]Level{}
	for _, r := range rules() {
		out[r.name] = r.level
	}
	return out
}

// RuleInfo is what is fixed about a rule.
type RuleInfo struct {
	Name   string
	Level  Level
	Events []EventType // nil: every card
	// Blocks is the action on an order ("update", "cancel", "attach_voucher") that
	// queries call impossible while the rule fires, "" for none.
	Blocks string
	// Data: the rule says "not checked" where what it looks at is missing.
	Data bool
}

// RuleTable lists every rule in the order they are judged.
func RuleTable() []RuleInfo {
	all := rules()
	out := make([]RuleInfo, len(all))
	for i, r := range all {
		out[i] = RuleInfo{Name: r.name, Level: r.level, Events: slices.Clone(r.events), Blocks: r.blocks, Data: r.data}
	}
	return out
}

// Judge runs every rule that concerns the event and returns those that fired.
func Judge(f Facts) []RuleResult {
	var out []RuleResult
	for _, r := range rules() {
		if !r.concerns(f.Event.Type) {
			continue
		}
		v := r.check(f)
		if !v.fired {
			continue
		}
		level := r.level
		if v.unchecked {
			level = Warn
		}
		out = append(out, RuleResult{Name: r.name, Level: level, Text: v.zh, TextEN: v.en, Unchecked: v.unchecked})
	}
	return out
}

// names of the fired rules of a level.
func fired(results []RuleResult, level Level) []string {
	var out []string
	for _, r := range results {
		if r.Level == level {
			out = append(out, r.Name)
		}
	}
	return out
}

// Allowed says what may be done to the order at all, by the same rules that
// judge cards: those that look at nothing but the order's state.
func Allowed(r Record, businessDate string) Actions {
	a := Actions{Reasons: []Reason{}}
	a.CanUpdate = a.judge(r, businessDate, UpdateBooking, "update")
	a.CanCancel = a.judge(r, businessDate, CancelBooking, "cancel")
	a.CanAttachVoucher = a.judge(r, businessDate, attachVoucher, "attach_voucher")
	return a
}

func (a *Actions) judge(r Record, businessDate string, t EventType, action string) bool {
	ok := true
	f := Facts{Event: Event{Type: t}, Target: &r, BusinessDate: businessDate, Settings: DefaultSettings()}
	for _, rule := range rules() {
		if rule.blocks != action || !rule.concerns(t) {
			continue
		}
		if v := rule.check(f); v.fired {
			ok = false
			a.Reasons = append(a.Reasons, Reason{Action: action, Code: ruleCode(rule.name), Message: v.zh, MessageEN: v.en})
		}
	}
	return ok
}
