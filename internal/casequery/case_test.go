package casequery_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/casequery"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/order"
	"thhotel/internal/platform"
	"thhotel/internal/testkit"
)

// outcome is what the table of cases speaks about.
type outcome struct {
	Orders  []string // business key and status
	May     string   // of create, update, cancel, voucher: their initials
	Reasons []string // action CODE, without those of single orders' rules
	Warns   []string
}

func outcomeOf(c casequery.CaseContext) outcome {
	o := outcome{}
	for _, r := range c.Orders {
		key := r.ConfirmationNumber
		if key == nil {
			key = r.GroupCode
		}
		o.Orders = append(o.Orders, *key+" "+r.Status)
	}
	v := c.Validation
	for _, m := range []struct {
		ok bool
		s  string
	}{{v.CanCreate, "N"}, {v.CanUpdate, "U"}, {v.CanCancel, "C"}, {v.CanAttachVoucher, "V"}} {
		if m.ok {
			o.May += m.s
		}
	}
	own := []string{casequery.ReasonEvidenceOnly, casequery.ReasonExists, casequery.ReasonNotFound, casequery.ReasonAmbiguous}
	for _, r := range v.Reasons {
		if slices.Contains(own, r.Code) {
			o.Reasons = append(o.Reasons, r.Action+" "+r.Code)
		}
	}
	for _, w := range c.Warnings {
		o.Warns = append(o.Warns, w.Code)
	}
	return o
}

func TestCaseContext(t *testing.T) {
	missing := []string{casequery.WarnProjectionMissing}
	exists := []string{"create ORDER_ALREADY_EXISTS"}
	notFound := []string{"update TARGET_NOT_FOUND", "cancel TARGET_NOT_FOUND", "attach_voucher TARGET_NOT_FOUND"}
	evidence := []string{"create KEY_IS_EVIDENCE_ONLY", "update KEY_IS_EVIDENCE_ONLY", "cancel KEY_IS_EVIDENCE_ONLY"}
	ambiguous := []string{"update TARGET_AMBIGUOUS", "cancel TARGET_AMBIGUOUS", "attach_voucher TARGET_AMBIGUOUS"}
	cases := map[string]struct {
		p    casequery.CaseContextParams
		want outcome
	}{
		"confirmed order": {casequery.CaseContextParams{ConfirmationNumber: "4032077"},
			outcome{[]string{"4032077 CONFIRMED"}, "UCV", exists, missing}},
		"trimmed, any case, an allotment takes new bookings": {casequery.CaseContextParams{GroupCode: " sunwal27 ", ConfirmationNumber: " "},
			outcome{[]string{"SUNWAL27 CONFIRMED"}, "NUCV", nil, missing}},
		"cancelled": {casequery.CaseContextParams{ConfirmationNumber: "4031990"},
			outcome{[]string{"4031990 CANCELLED"}, "N", nil, missing}},
		"in house": {casequery.CaseContextParams{ConfirmationNumber: "4032001"},
			outcome{[]string{"4032001 IN_HOUSE"}, "UV", exists, missing}},
		"nobody has it": {casequery.CaseContextParams{GroupCode: "NORDIC0227"}, outcome{nil, "N", notFound, nil}},
		"a reservation number is no confirmation number": {casequery.CaseContextParams{ConfirmationNumber: "720933"},
			outcome{nil, "N", notFound, nil}},
		"full width, odd spaces": {casequery.CaseContextParams{ConfirmationNumber: "　４０３２０７７", GroupCode: "\u200b"},
			outcome{[]string{"4032077 CONFIRMED"}, "UCV", exists, missing}},
		"a leading zero counts": {casequery.CaseContextParams{ConfirmationNumber: "04032077"}, outcome{nil, "N", notFound, nil}},
		"a part of a key":       {casequery.CaseContextParams{ConfirmationNumber: "403207"}, outcome{nil, "N", notFound, nil}},
		"no wildcard":           {casequery.CaseContextParams{GroupCode: "SUN%"}, outcome{nil, "N", notFound, nil}},
		"no single sign":        {casequery.CaseContextParams{ConfirmationNumber: "403207_"}, outcome{nil, "N", notFound, nil}},
		"two keys of one order": {casequery.CaseContextParams{ConfirmationNumber: "4032150", ReservationNo: "720933"},
			outcome{[]string{"4032150 CONFIRMED"}, "UCV", exists, missing}},
		"two keys of two orders": {casequery.CaseContextParams{ConfirmationNumber: "4032077", ReservationNo: "720933"},
			outcome{[]string{"4032150 CONFIRMED", "4032077 CONFIRMED"}, "", append(slices.Clone(exists), ambiguous...), append([]string{"KEYS_DISAGREE"}, missing...)}},
		"one key leads nowhere": {casequery.CaseContextParams{ConfirmationNumber: "4032077", GroupCode: "NOSUCH"},
			outcome{[]string{"4032077 CONFIRMED"}, "UCV", exists, append([]string{"KEY_NOT_FOUND"}, missing...)}},
		"evidence by flag": {casequery.CaseContextParams{ConfirmationNumber: "4032077", EvidenceOnly: true},
			outcome{[]string{"4032077 CONFIRMED"}, "V", append(slices.Clone(evidence), exists...), missing}},
		"evidence by source": {casequery.CaseContextParams{ConfirmationNumber: "4032077", TargetKeySource: "body_thread_evidence"},
			outcome{[]string{"4032077 CONFIRMED"}, "V", append(slices.Clone(evidence), exists...), missing}},
		"another word for it": {casequery.CaseContextParams{GroupCode: "X", TargetKeySource: "Quoted_History"},
			outcome{nil, "", append(slices.Clone(evidence), notFound...), nil}},
		"current body": {casequery.CaseContextParams{ConfirmationNumber: "4032077", TargetKeySource: "body_current"},
			outcome{[]string{"4032077 CONFIRMED"}, "UCV", exists, missing}},
		"hint that fits": {casequery.CaseContextParams{ConfirmationNumber: "4032077", ObjectTypeHint: "fit"},
			outcome{[]string{"4032077 CONFIRMED"}, "UCV", exists, missing}},
		"hint that does not": {casequery.CaseContextParams{ConfirmationNumber: "4032077", ObjectTypeHint: "GROUP"},
			outcome{[]string{"4032077 CONFIRMED"}, "UCV", exists, append([]string{"OBJECT_TYPE_HINT_IGNORED"}, missing...)}},
	}
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		for name, c := range cases {
			got, err := w.Cases.CaseContext(context.Background(), w.Agent, c.p)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if diff := cmp.Diff(c.want, outcomeOf(got)); diff != "" {
				t.Errorf("%s: -want +got\n%s", name, diff)
			}
			everyRefusalHasAReason(t, name, got.Validation)
		}
	})
}

func everyRefusalHasAReason(t *testing.T, name string, v casequery.TargetValidation) {
	t.Helper()
	for action, ok := range map[string]bool{"create": v.CanCreate, "update": v.CanUpdate, "cancel": v.CanCancel, "attach_voucher": v.CanAttachVoucher} {
		if said := slices.ContainsFunc(v.Reasons, func(r casequery.Reason) bool { return r.Action == action && r.Code != "" && r.Message != "" }); said == ok {
			t.Errorf("%s: %s allowed %v, reasons %v", name, action, ok, v.Reasons)
		}
	}
}

func TestCaseContextRefusals(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	ctx := context.Background()
	noScope, noRole := w.Agent, w.Agent
	noScope.Scopes = []string{access.TaskResultSubmit.Scope}
	noRole.Role = access.RoleMailBus
	for name, c := range map[string]struct {
		by   access.Caller
		p    casequery.CaseContextParams
		code string
	}{
		"no key":        {w.Agent, casequery.CaseContextParams{GroupCode: " \t"}, casequery.CodeCaseKeyRequired},
		"another hotel": {w.Agent, casequery.CaseContextParams{GroupCode: "X", HotelID: "other"}, platform.CodeHotelMismatch},
		"no scope":      {noScope, casequery.CaseContextParams{GroupCode: "X"}, access.CodeScope},
		"no role":       {noRole, casequery.CaseContextParams{GroupCode: "X"}, access.CodePermission},
	} {
		if _, err := w.Cases.CaseContext(ctx, c.by, c.p); fault.Code(err) != c.code {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
	if _, err := w.Cases.CaseContext(ctx, w.Agent, casequery.CaseContextParams{GroupCode: "X", HotelID: w.Hotel.ID}); err != nil {
		t.Errorf("this hotel's id: %v", err)
	}
}

// TestManyOrdersUnderOneCode: a group code is not unique; the newest arrivals come first.
func TestManyOrdersUnderOneCode(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		var list []order.Record
		for i := range 55 {
			list = append(list, order.Record{HotelID: w.Hotel.ID, BookingType: order.Group, GroupCode: "CHOIR", GroupName: "Choir", Status: order.StatusCheckedOut,
				ArrivalDate: fmt.Sprintf("2024-%02d-%02d", 1+i%12, 1+i%28), DepartureDate: "2025-01-31"})
		}
		list[7].Status, list[7].ArrivalDate = order.StatusTentative, "2027-01-02"
		must(t, w.Orders.LoadOrders(context.Background(), w.System, list))
		got, err := w.Cases.CaseContext(context.Background(), w.Agent, casequery.CaseContextParams{GroupCode: "choir"})
		must(t, err)
		var arrivals []string
		for _, r := range got.Orders {
			arrivals = append(arrivals, *r.ArrivalDate)
		}
		if len(arrivals) != 50 || arrivals[0] != "2027-01-02" || !slices.IsSortedFunc(arrivals, func(a, b string) int { return strings.Compare(b, a) }) {
			t.Errorf("%d arrivals %v, want 50, newest first", len(arrivals), arrivals)
		}
		if !got.Validation.CanUpdate || !hasWarning(got.Warnings, casequery.WarnResultTruncated) {
			t.Errorf("one of them is live: %+v, warnings %v", got.Validation, got.Warnings)
		}
	})
}

func hasWarning(list []agent.Warning, code string) bool {
	return slices.ContainsFunc(list, func(w agent.Warning) bool { return w.Code == code && w.Message != "" })
}

// TestOpenTasksAndProjection: what waits for people is told, and a projection
// takes the warning away.
func TestOpenTasksAndProjection(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		w.submitAll(t)
		ctx := context.Background()
		_, err := w.Orders.UpsertProjections(ctx, w.System, []order.Projection{{Kind: "RESERVATION", ConfirmationNumber: "4032077", ReservationNo: "720871", Status: "RESERVED", AsOf: testkit.Now}})
		must(t, err)
		english := w.Agent
		english.Lang = "en"
		got, err := w.Cases.CaseContext(ctx, english, casequery.CaseContextParams{ConfirmationNumber: "4032077"})
		must(t, err)
		if len(got.Tasks) != 1 || got.Tasks[0].SystemTaskType != "CANCEL_BOOKING" || got.Tasks[0].TaskStatus != order.CardNeedsReview ||
			*got.Tasks[0].ExternalSourceMessageID != "agentbus-ext-0006" || got.Tasks[0].TaskCreatedAt != "2026-11-30T05:00:00Z" || *got.Tasks[0].OrderID != got.Orders[0].OrderID {
			t.Errorf("tasks %+v, want the cancellation of mail 06", got.Tasks)
		}
		if hasWarning(got.Warnings, casequery.WarnProjectionMissing) {
			t.Errorf("warnings %v, want none about the projection", got.Warnings)
		}
		if diff := cmp.Diff(got.Warnings, got.AnswerWarnings()); diff != "" || got.AnswerSummary().ZH == "" || got.AnswerSummary().EN == "" {
			t.Errorf("summary %+v, warnings differ: %s", got.AnswerSummary(), diff)
		}
		for _, r := range got.Validation.Reasons {
			if strings.ContainsFunc(r.Message, func(c rune) bool { return c >= 0x4e00 && c <= 0x9fff }) {
				t.Errorf("asked in English: %s", r.Message)
			}
		}
	})
}

// What OPERA says otherwise is told by both queries, in words.
func TestProjectionDisagrees(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	ctx := context.Background()
	_, err := w.Orders.UpsertProjections(ctx, w.System, []order.Projection{{Kind: "RESERVATION", ConfirmationNumber: "4032077", ReservationNo: "720871",
		Status: "Cancelled", DepartureDate: "2026-12-06", AsOf: testkit.Now}})
	must(t, err)
	got, err := w.Cases.CaseContext(ctx, w.Agent, casequery.CaseContextParams{ConfirmationNumber: "4032077"})
	must(t, err)
	one, err := w.Cases.ObjectDetail(ctx, w.Agent, casequery.ObjectDetailParams{ObjectID: got.Orders[0].ObjectID})
	must(t, err)
	for name, warnings := range map[string][]agent.Warning{"case context": got.Warnings, "object detail": one.Warnings} {
		i := slices.IndexFunc(warnings, func(x agent.Warning) bool { return x.Code == casequery.WarnProjectionDisagrees })
		if i < 0 || hasWarning(warnings, casequery.WarnProjectionMissing) {
			t.Fatalf("%s: %+v", name, warnings)
		}
		for _, part := range []string{"status CONFIRMED / Cancelled", "departure_date 2026-12-05 / 2026-12-06", got.Orders[0].ObjectID} {
			if !strings.Contains(warnings[i].Message, part) {
				t.Errorf("%s does not say %q: %s", name, part, warnings[i].Message)
			}
		}
	}
}

// TestTasksBeforeTheirOrder: cards that name a key are told while no order has
// it, each once, and move to the order when it comes into being.
func TestTasksBeforeTheirOrder(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		ctx := context.Background()
		for _, name := range []string{"08-payment-deposit-nordic0227", "03-group-update-nordic0227", "06-fit-cancel-4032077"} {
			_, err := w.Intake.Submit(ctx, w.Agent, file(t, name+".v4.json"))
			must(t, err)
		}
		tasks := func(p casequery.CaseContextParams) (out []string) {
			t.Helper()
			got, err := w.Cases.CaseContext(ctx, w.Agent, p)
			must(t, err)
			for _, task := range got.Tasks {
				out = append(out, task.SystemTaskType+" "+orDash(task.OrderID))
			}
			return out
		}
		early := []string{"PAYMENT -", "UPDATE_BOOKING -", "UPDATE_BOOKING -"}
		if diff := cmp.Diff(early, tasks(casequery.CaseContextParams{GroupCode: " nordic0227"})); diff != "" {
			t.Errorf("no order yet: -want +got\n%s", diff)
		}
		if got := tasks(casequery.CaseContextParams{ConfirmationNumber: "NORDIC0227"}); got != nil {
			t.Errorf("the same word as another kind of key: %v, want none", got)
		}
		known := tasks(casequery.CaseContextParams{ConfirmationNumber: "4032077"})
		if len(known) != 1 || known[0] == "CANCEL_BOOKING -" {
			t.Errorf("a known order's task: %v, want it once, with its order", known)
		}
		both := tasks(casequery.CaseContextParams{ConfirmationNumber: "4032077", GroupCode: "NORDIC0227"})
		if diff := cmp.Diff(append(slices.Clone(early), known...), both); diff != "" {
			t.Errorf("both keys: -want +got\n%s", diff)
		}
		must(t, w.Orders.LoadOrders(ctx, w.System, []order.Record{{BookingType: order.Group, GroupCode: "NORDIC0227", GroupName: "Nordic", ArrivalDate: "2027-02-10", DepartureDate: "2027-02-13"}}))
		for _, got := range tasks(casequery.CaseContextParams{GroupCode: "NORDIC0227"}) {
			if strings.HasSuffix(got, " -") {
				t.Errorf("the order is there now: %s", got)
			}
		}
	})
}

func orDash(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}
