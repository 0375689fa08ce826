package bench

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/app"
	"thhotel/internal/hotel"
	"thhotel/internal/inbox"
	"thhotel/internal/order"
	"thhotel/internal/platform"
)

// Access is what the load client signs its calls with.
type Access struct {
	HotelID string `json:"hotel_id"`
	Token   string `json:"token"`
	Session string `json:"session"`
}

// found makes the hotel and its accounts, through the services.
func found(ctx context.Context, a *app.App) (acc Access, err error) {
	h, err := a.Platform.CreateHotel(ctx, access.AsSystem("", "bench"), platform.HotelParams{Name: "Bench", TimeZone: "Asia/Bangkok", Currency: "THB"})
	if err != nil {
		return acc, fmt.Errorf("hotel: %w", err)
	}
	by := access.AsSystem(h.ID, "bench")
	acc.HotelID = h.ID
	if err := a.Platform.SetCodeLists(ctx, by, codeLists()); err != nil {
		return acc, fmt.Errorf("code lists: %w", err)
	}
	if acc.Token, err = token(ctx, a, by); err != nil {
		return acc, err
	}
	acc.Session, err = session(ctx, a, by)
	return acc, err
}

func codeLists() platform.CodeLists {
	return platform.CodeLists{
		RoomTypes:   []platform.RoomType{{Code: "SUPK", Name: "Superior King", Capacity: 2}, {Code: "DLXT", Name: "Deluxe Twin", Capacity: 2}},
		RateCodes:   []platform.Code{{Code: "CORPA", Name: "Corporate A"}, {Code: "GRPBB", Name: "Group, breakfast"}},
		Departments: []platform.Code{{Code: "FO", Name: "Front office"}, {Code: "HSK", Name: "Housekeeping"}},
		Accounts:    []platform.Code{{Code: "HARBFIN", Name: "Harbour & Finch"}},
	}
}

func token(ctx context.Context, a *app.App, by access.Caller) (string, error) {
	account, err := a.Platform.CreateServiceAccount(ctx, by, platform.AccountParams{Name: "bench", Role: access.RoleSuperAgent})
	if err != nil {
		return "", fmt.Errorf("service account: %w", err)
	}
	issued, err := a.Platform.IssueToken(ctx, by, platform.IssueParams{SubjectID: account.ID, Name: "bench", Scopes: access.SuperAgentScopes(), Audience: hotel.Path})
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	return issued.Token, nil
}

// session signs a supervisor in, who sees every page a clerk sees.
func session(ctx context.Context, a *app.App, by access.Caller) (string, error) {
	password := a.Clock.Secret(12)
	_, err := a.Platform.CreateStaff(ctx, by, platform.StaffParams{Username: "bench", Password: password, Name: "Bench", Role: access.RoleSupervisor})
	if err != nil {
		return "", fmt.Errorf("staff: %w", err)
	}
	s, err := a.Platform.SignIn(ctx, access.Caller{}, platform.SignInParams{Username: "bench", Password: password, RemoteAddr: "127.0.0.1"})
	if err != nil {
		return "", fmt.Errorf("sign in: %w", err)
	}
	return s.ID, nil
}

// patterns are the rows that copies are made of, written by the services.
type patterns struct {
	tokens []string
	single []template // a single guest's order with its room and history
	group  []template
	mails  [][]template // a mail alone
	cards  [][]template // what a package made of that mail
}

// sow writes one of each kind through the services: two orders, and a mail with
// its package for each of four events.
func sow(ctx context.Context, a *app.App, hotelID string) (p patterns, err error) {
	by := access.AsSystem(hotelID, "bench")
	if err := a.Order.LoadOrders(ctx, by, []order.Record{singleOrder(), groupOrder()}); err != nil {
		return p, fmt.Errorf("template orders: %w", err)
	}
	agent := access.Caller{HotelID: hotelID, Kind: access.Service, SubjectID: "bench", Name: "bench", Role: access.RoleSuperAgent,
		Scopes: access.SuperAgentScopes(), Lang: "zh", Trace: access.Trace{RequestID: "bench", TraceID: "bench", Adapter: "cli"}}
	for i := range events() {
		_, err := a.Inbox.Deliver(ctx, by, inbox.DeliverParams{ExternalMessageID: markMail + fmt.Sprint(i), ExternalConversationID: markConversation + fmt.Sprint(i),
			Raw: []byte(strings.ReplaceAll(rawMail(i), "\n", "\r\n")), ReceivedAt: a.Clock.Now()})
		if err != nil {
			return p, fmt.Errorf("template mail: %w", err)
		}
		if _, err := a.Intake.Submit(ctx, agent, []byte(packageOf(i))); err != nil {
			return p, fmt.Errorf("template package: %w", err)
		}
	}
	return gather(ctx, a, hotelID)
}

func singleOrder() order.Record {
	adults, rate := 2, int64(320000)
	return order.Record{BookingType: order.FIT, ConfirmationNumber: markConfirmation, ReservationNo: markReservation, AccountCode: "HARBFIN",
		ExternalReference: markReference, GuestName: markGuest, ArrivalDate: markArrival, DepartureDate: markDeparture, RateCode: "CORPA",
		Status: order.StatusConfirmed, Adults: &adults, Currency: "THB", Policy: order.ParsePolicy("7 days prior to arrival, otherwise one night"),
		Rooms: []order.RoomLine{{RoomTypeCode: "SUPK", RoomCount: 1, RateMinor: &rate}}}
}

func groupOrder() order.Record {
	adults, rate := 30, int64(280000)
	return order.Record{BookingType: order.Group, GroupCode: markGroupCode, AccountCode: "HARBFIN", GroupName: markGroup, ArrivalDate: markArrival,
		DepartureDate: markDeparture, RateCode: "GRPBB", Status: order.StatusConfirmed, Adults: &adults, CutoffDate: markArrival, Currency: "THB",
		Rooms: []order.RoomLine{{RoomTypeCode: "DLXT", RoomCount: 12, RateMinor: &rate}, {RoomTypeCode: "SUPK", RoomCount: 3, RateMinor: &rate}}}
}

// gather reads what sow wrote.
func gather(ctx context.Context, a *app.App, hotelID string) (p patterns, err error) {
	g := gatherer{ctx: ctx, a: a}
	g.tokens = []string{markConfirmation, markReservation, markGroupCode, markReference, markGuest, markGroup, markArrival, markDeparture}
	for i := range events() {
		g.tokens = append(g.tokens, markMail+fmt.Sprint(i), markConversation+fmt.Sprint(i), digest(markMail+fmt.Sprint(i)),
			digest(markConversation+fmt.Sprint(i)), digest(mailHeaderID(markMail+fmt.Sprint(i))))
	}
	for _, t := range g.tokens {
		if low := strings.ToLower(t); low != t {
			g.tokens = append(g.tokens, low)
		}
	}
	single := g.ids("order_record", "hotel_id = ? AND confirmation_number = ?", hotelID, markConfirmation)
	group := g.ids("order_record", "hotel_id = ? AND group_code = ?", hotelID, markGroupCode)
	mails := make([][]string, len(events()))
	for i := range mails {
		mails[i] = g.mailIDs(i)
	}
	// Only now every id is known as a token, and rows can be cut at them.
	p.single, p.group = g.order(single), g.order(group)
	for i, m := range mails {
		mail := append(g.rows("platform_source_message_inbox", "id = ?", m[0]),
			g.rows("inbox_thread", "conversation_hash = ?", digest(markConversation+fmt.Sprint(i)))...)
		p.mails = append(p.mails, append(mail, g.rest("inbox_", "message_id", m[0], "inbox_access")...))
		card := g.rows("ai_transition_batch", "message_id = ?", m[0])
		card = append(card, g.rows("ai_transition", "batch_id = ?", m[1])...)
		card = append(card, g.rows("order_task", "message_id = ?", m[0])...)
		p.cards = append(p.cards, append(card, g.rows("order_card", "message_id = ?", m[0])...))
	}
	p.tokens = g.tokens
	return p, g.err
}

// gatherer reads templates until the first error.
type gatherer struct {
	ctx    context.Context //nolint:containedctx // lives for one gather
	a      *app.App
	tokens []string
	err    error
}

func (g *gatherer) rows(table, where string, args ...any) []template {
	if g.err != nil {
		return nil
	}
	var out []template
	out, g.err = snapshot(g.ctx, g.a.DB.Writer(), g.tokens, table, where, args...)
	return out
}

// ids makes tokens of the ids of rows and returns them.
func (g *gatherer) ids(table, where string, args ...any) []string {
	found := ids(g.rows(table, where, args...))
	g.tokens = append(g.tokens, found...)
	if len(found) == 0 { // g.err says why
		return []string{""}
	}
	return found
}

// mailIDs are the ids of a template mail and of its package, in this order.
func (g *gatherer) mailIDs(i int) []string {
	mail := g.ids("platform_source_message_inbox", "external_hash = ?", digest(markMail+fmt.Sprint(i)))
	batch := g.ids("ai_transition_batch", "message_id = ?", mail[0])
	g.ids("ai_transition", "batch_id = ?", batch[0])
	g.ids("order_task", "message_id = ?", mail[0])
	g.ids("order_card", "message_id = ?", mail[0])
	g.tokens = append(g.tokens, g.column("ai_transition_batch", "package_sha256", "message_id = ?", mail[0])...)
	return append(mail[:1:1], batch[0])
}

func (g *gatherer) column(table, column, where string, args ...any) []string {
	var out []string
	for _, t := range g.rows(table, where, args...) {
		for i, c := range t.columns {
			if s, ok := t.cells[i].value.(string); ok && c == column {
				out = append(out, s)
			}
		}
	}
	return out
}

func (g *gatherer) order(id []string) []template {
	rows := g.rows("order_record", "id = ?", id[0])
	g.ids("order_room_line", "order_id = ?", id[0])
	g.ids("order_change", "order_id = ?", id[0])
	rows = append(rows, g.rows("order_room_line", "order_id = ?", id[0])...)
	return append(rows, g.rows("order_change", "order_id = ?", id[0])...)
}

// rest are the rows of every other table of a feature that name a mail.
func (g *gatherer) rest(prefix, column, id string, but ...string) []template {
	if g.err != nil {
		return nil
	}
	var tables []string
	tables, g.err = tablesWith(g.ctx, g.a, prefix, column)
	var out []template
	for _, table := range tables {
		if !slices.Contains(but, table) {
			out = append(out, g.rows(table, column+" = ?", id)...)
		}
	}
	return out
}

// age spreads n copies over the past, the first the oldest.
func age(i, n int, over time.Duration) time.Duration {
	return over - time.Duration(float64(over)*float64(i)/float64(max(n, 1)))
}
