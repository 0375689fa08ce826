package order_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/database"
	"thhotel/internal/inbox"
	"thhotel/internal/order"
	"thhotel/internal/testkit"
)

// fill opens every package of the demo that makes cards.
func (w *world) fill() {
	w.t.Helper()
	for _, f := range []string{"01-group-new-nordic-choir", "02-rooming-list-nordic0227", "03-group-update-nordic0227", "04-fit-new-chinese-gbk",
		"05-fit-update-trace-chinese", "06-fit-cancel-4032077", "07-ambiguous-same-as-last-time", "08-payment-deposit-nordic0227",
		"09-trace-thai-tis620", "12-wholesaler-sheet-three-orders"} {
		w.submitFile(f + ".v4.json")
	}
}

func TestQueue(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		w.fill()
		for _, sort := range []string{"due", "arrival", "newest"} {
			w.checkPaging(sort)
		}
		for view, want := range map[string]int{order.ViewOpen: 15, order.ViewMine: 0, order.ViewUnclaimed: 15, order.ViewArriving: 1, order.ViewWaiting: 0, order.ViewClosed: 0} {
			if got := w.queue(order.QueueParams{View: view}); len(got) != want {
				t.Errorf("view %s has %d cards, want %d", view, len(got), want)
			}
		}
		first := w.queue(order.QueueParams{})[0]
		if first.EventType != order.CancelBooking && first.EventType != order.UpdateBooking || !first.DueAt.Equal(w.now.Add(time.Hour)) {
			t.Errorf("first due = %s at %v", first.EventType, first.DueAt)
		}
		before, err := w.orders.LatestChange(ctx, w.malee)
		must(t, err)
		w.now = w.now.Add(time.Second)
		_, err = w.orders.Claim(ctx, w.malee, order.ClaimParams{CardID: first.ID})
		must(t, err)
		if after, err := w.orders.LatestChange(ctx, w.malee); err != nil || after == before {
			t.Errorf("stamp %s does not move (%v)", after, err)
		}
		counts, err := w.orders.Counts(ctx, w.malee)
		must(t, err)
		if counts.Views[order.ViewMine] != 1 || counts.Views[order.ViewUnclaimed] != 14 || counts.Views[order.ViewOpen] != 15 || counts.Notices != 0 {
			t.Errorf("counts = %+v", counts)
		}
		_, err = w.orders.Queue(ctx, w.malee, order.QueueParams{Cursor: "nonsense"})
		w.wantCode(err, order.CodeCursor)
		_, err = w.orders.Queue(ctx, w.caller(access.Service, "bus", access.RoleMailBus), order.QueueParams{})
		w.wantCode(err, access.CodePermission)
	})
}

func (w *world) queue(p order.QueueParams) []order.CardBrief {
	w.t.Helper()
	page, err := w.orders.Queue(ctx, w.malee, p)
	must(w.t, err)
	return page.Cards
}

// checkPaging walks the queue by twos: every card once, in one order.
func (w *world) checkPaging(sort string) {
	w.t.Helper()
	whole := ids(w.queue(order.QueueParams{Sort: sort}))
	var walked []string
	p := order.QueueParams{Sort: sort, Limit: 2}
	for {
		page, err := w.orders.Queue(ctx, w.malee, p)
		must(w.t, err)
		walked = append(walked, ids(page.Cards)...)
		if p.Cursor = page.NextCursor; p.Cursor == "" {
			break
		}
	}
	if len(whole) != 15 || !slices.Equal(whole, walked) {
		w.t.Errorf("sort %s: walked %v, whole %v", sort, walked, whole)
	}
}

func ids(cards []order.CardBrief) []string {
	out := make([]string, len(cards))
	for i, c := range cards {
		out[i] = c.ID
	}
	return out
}

func TestSearch(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		w.fill()
		w.yuntu() // a repeat of a card nobody has touched: supersedes and confirms it
		for text, want := range map[string]int{"王小明": 3, "wang, xiaoming": 3, "yt-88213": 3, "กมลวรรณ": 1, "ทราบ": 0, "720933": 1, "ความต้องการพิเศษ": 1, "100%": 0, "sw_551093": 0, "harbourfinch": 3} {
			all := slices.Concat(w.queue(order.QueueParams{Search: text}), w.queue(order.QueueParams{View: order.ViewClosed, Search: text, Status: order.CardConfirmed}))
			if len(all) != want {
				t.Errorf("%q finds %d cards, want %d", text, len(all), want)
			}
		}
		for text, want := range map[string]int{"王小明": 2, "Li, Hua": 2, "4032198": 1, "ROSSI": 1, "sunwal27": 1, "": 10} {
			page, err := w.orders.Search(ctx, w.malee, order.SearchParams{Text: text})
			must(t, err)
			if len(page.Orders) != want {
				t.Errorf("%q finds %d orders, want %d", text, len(page.Orders), want)
			}
		}
	})
}

func TestCardsOfMessages(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		w.submitFile("08-payment-deposit-nordic0227.v4.json")
		w.submitFile("03-group-update-nordic0227.v4.json")
		w.submitFile("01-group-new-nordic-choir.v4.json")
		var messages []string
		for _, c := range w.queue(order.QueueParams{}) {
			messages = append(messages, c.MessageID)
		}
		var got []string
		cursor := ""
		for {
			page, err := w.orders.CardsOfMessages(ctx, w.agent, messages, cursor, 3)
			must(t, err)
			if page.Total != 4 {
				t.Fatalf("total = %d, want 4", page.Total)
			}
			for _, c := range page.Cards {
				got = append(got, c.ExternalMessageID+" "+string(c.EventType))
			}
			if cursor = page.NextCursor; cursor == "" {
				break
			}
		}
		want := "agentbus-ext-0001 NEW_BOOKING, agentbus-ext-0003 UPDATE_BOOKING, agentbus-ext-0003 UPDATE_BOOKING, agentbus-ext-0008 PAYMENT"
		if strings.Join(got, ", ") != want {
			t.Errorf("cards = %v, want %s", got, want)
		}
	})
}

func TestNoticesAndManualTasks(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		ten, eleven := w.notice("agentbus-ext-0010", order.RouteNothingToDo), w.notice("agentbus-ext-0011", order.RouteUnsafe)
		page, err := w.orders.Notices(ctx, w.malee, order.NoticeListParams{RouteCode: order.RouteUnsafe})
		must(t, err)
		if len(page.Notices) != 1 || !slices.Contains(page.Notices[0].Reasons, inbox.FlagLookAlike) {
			t.Fatalf("S99 = %+v", page.Notices)
		}
		alike := slices.DeleteFunc(slices.Clone(page.Notices[0].Reasons), func(r string) bool { return !strings.Contains(r, "LOOK") })
		if len(alike) != 1 {
			t.Errorf("reasons %v, want one code for a look-alike sender", page.Notices[0].Reasons)
		}
		_, err = w.orders.AcknowledgeNotice(ctx, w.finance, ten, "")
		w.wantCode(err, access.CodePermission)
		n, err := w.orders.AcknowledgeNotice(ctx, w.malee, ten, "advertising")
		must(t, err)
		if n.Status != order.NoticeAcknowledged || n.HandledBy != "malee" {
			t.Errorf("notice = %+v", n)
		}
		card, err := w.orders.OpenManual(ctx, w.malee, order.ManualParams{NoticeID: eleven, EventType: order.Trace, Text: "call Priya"})
		must(t, err)
		if v := w.card(card); v.ExternalMessageID != "agentbus-ext-0011" || v.Status != order.CardNeedsReview || v.Traces[0].Text != "call Priya" {
			t.Errorf("manual card = %+v", v)
		}
		_, err = w.orders.AcknowledgeNotice(ctx, w.malee, eleven, "")
		w.wantCode(err, order.CodeNoticeHandled)
		target, err := w.orders.FindByKeys(ctx, w.malee, order.Keys{ReservationNo: "720933"}, 1)
		must(t, err)
		card, err = w.orders.OpenManual(ctx, w.malee, order.ManualParams{OrderID: target.Records[0].ID, EventType: order.UpdateBooking})
		must(t, err)
		w.confirm(card, func(p *order.ConfirmParams) { p.Corrections = order.Corrections{"adults": json.RawMessage("2")} })
		if r := w.detail(target.Records[0].ID).Record; r.Adults == nil || *r.Adults != 2 {
			t.Errorf("order = %+v", r)
		}
	})
}

func (w *world) notice(external, route string) string {
	w.t.Helper()
	m, err := w.inbox.Locate(ctx, w.system, external)
	must(w.t, err)
	facts, err := w.inbox.Facts(ctx, w.system, m.ID)
	must(w.t, err)
	id, err := w.orders.OpenNotice(ctx, w.agent, order.NoticeParams{Source: order.Source{MessageID: m.ID, ExternalMessageID: external, Subject: m.Subject, ReceivedAt: m.ReceivedAt},
		BatchID: "batch", RouteCode: route, Facts: facts})
	must(w.t, err)
	return id
}

func TestProjections(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		feed := w.caller(access.Service, "opera", access.RoleOperaFeed)
		p := order.Projection{Kind: "RESERVATION", ConfirmationNumber: "4032077", ReservationNo: "720871", Status: "Reserved", ArrivalDate: "2026-12-02", AsOf: w.now}
		put := func(p order.Projection, want int) {
			t.Helper()
			n, err := w.orders.UpsertProjections(ctx, feed, []order.Projection{p})
			must(t, err)
			if n != want {
				t.Errorf("%d were news, want %d", n, want)
			}
		}
		put(p, 1)
		put(p, 0) // the same word again
		p.Status, p.AsOf = "Cancelled", w.now.Add(time.Minute)
		put(p, 1)
		p.Status, p.AsOf = "Reserved", w.now.Add(-time.Minute)
		put(p, 0) // older
		found, err := w.orders.FindByKeys(ctx, w.malee, order.Keys{ConfirmationNumber: "4032077", ReservationNo: "720933"}, 0)
		must(t, err)
		if v := w.detail(found.PerKey["confirmation_number"][0]); v.Projection == nil || v.Projection.Status != "Cancelled" {
			t.Errorf("projection = %+v", v.Projection)
		}
		has, err := w.orders.HasProjection(ctx, w.agent, []string{found.PerKey["confirmation_number"][0], found.PerKey["reservation_no"][0]})
		must(t, err)
		if !has[found.PerKey["confirmation_number"][0]] || has[found.PerKey["reservation_no"][0]] {
			t.Errorf("has projection = %v", has)
		}
		_, err = w.orders.UpsertProjections(ctx, feed, []order.Projection{{Kind: "ROOM"}})
		w.wantCode(err, order.CodeInput)
		_, err = w.orders.UpsertProjections(ctx, w.malee, nil)
		w.wantCode(err, access.CodePermission)
	})
}
