package casequery_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/casequery"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/platform"
	"thhotel/internal/testkit"
)

func TestObjectDetail(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		w.submitAll(t)
		ctx := context.Background()
		found, err := w.Cases.CaseContext(ctx, w.Agent, casequery.CaseContextParams{ConfirmationNumber: "4032001"})
		must(t, err)
		got, err := w.Cases.ObjectDetail(ctx, w.Agent, casequery.ObjectDetailParams{ObjectID: found.Orders[0].ObjectID, ObjectType: "FIT"})
		must(t, err)
		if *got.ReservationNo != "720655" || *got.GuestName != "DUBOIS, CLAIRE" || got.Status != "IN_HOUSE" || !got.CanUpdate || got.CanCancel || got.GroupCode != nil {
			t.Errorf("detail %+v", got)
		}
		if diff := cmp.Diff([]casequery.RoomItem{{RoomTypeCode: "DLXK", RoomCount: 1}}, got.RoomItems); diff != "" {
			t.Errorf("rooms -want +got\n%s", diff)
		}
		if len(got.HardWarnings) == 0 || len(got.Tasks) != 1 || got.SourceMessageID != nil {
			t.Errorf("hard warnings %v, tasks %v, source %v; want a reason, the update of mail 12, none", got.HardWarnings, got.Tasks, got.SourceMessageID)
		}
		if hasWarning(got.Warnings, casequery.WarnTypeHint) || !hasWarning(got.Warnings, casequery.WarnProjectionMissing) {
			t.Errorf("warnings %v", got.Warnings)
		}
		if got.AnswerSummary().ZH == "" || got.AnswerSummary().EN == "" {
			t.Errorf("summary %+v", got.AnswerSummary())
		}
		w.pendingOrder(t)
	})
}

// pendingOrder: an order made by a mail names the mail by its internal id.
func (w *world) pendingOrder(t *testing.T) {
	t.Helper()
	ctx := context.Background()
	again, err := w.Intake.Submit(ctx, w.Agent, file(t, "04-fit-new-chinese-gbk.v4.json"))
	must(t, err)
	got, err := w.Cases.ObjectDetail(ctx, w.Agent, casequery.ObjectDetailParams{ObjectID: "ORDER:" + *again.Items[0].OrderID, ObjectType: "ticket"})
	must(t, err)
	mail, err := w.Inbox.Locate(ctx, w.Agent, "agentbus-ext-0004")
	must(t, err)
	if got.Status != "PENDING_CONFIRMATION" || got.SourceMessageID == nil || *got.SourceMessageID != mail.ID {
		t.Errorf("status %s, source %v; want PENDING_CONFIRMATION and %s", got.Status, got.SourceMessageID, mail.ID)
	}
	if !hasWarning(got.Warnings, casequery.WarnTypeHint) {
		t.Errorf("warnings %v, want %s", got.Warnings, casequery.WarnTypeHint)
	}
}

func TestObjectDetailRefusals(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	denied := w.Agent
	denied.Scopes = []string{}
	unknown := "ORDER:0190b0a0-0000-7000-8000-000000000000"
	for name, c := range map[string]struct {
		by   access.Caller
		p    casequery.ObjectDetailParams
		code string
	}{
		"no shape":      {w.Agent, casequery.ObjectDetailParams{ObjectID: "4032077"}, casequery.CodeObjectIDInvalid},
		"empty":         {w.Agent, casequery.ObjectDetailParams{}, casequery.CodeObjectIDInvalid},
		"no id":         {w.Agent, casequery.ObjectDetailParams{ObjectID: "ORDER:"}, casequery.CodeObjectIDInvalid},
		"lower case":    {w.Agent, casequery.ObjectDetailParams{ObjectID: "order:1"}, casequery.CodeObjectIDInvalid},
		"injection":     {w.Agent, casequery.ObjectDetailParams{ObjectID: "ORDER:1' OR '1'='1"}, casequery.CodeObjectIDInvalid},
		"another type":  {w.Agent, casequery.ObjectDetailParams{ObjectID: "TASK:1"}, casequery.CodeObjectTypeUnsupported},
		"unknown":       {w.Agent, casequery.ObjectDetailParams{ObjectID: unknown}, casequery.CodeObjectNotFound},
		"another hotel": {w.Agent, casequery.ObjectDetailParams{ObjectID: unknown, HotelID: "x"}, platform.CodeHotelMismatch},
		"no scope":      {denied, casequery.ObjectDetailParams{ObjectID: unknown}, access.CodeScope},
	} {
		if _, err := w.Cases.ObjectDetail(context.Background(), c.by, c.p); fault.Code(err) != c.code {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
}
