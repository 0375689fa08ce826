package pages

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"thhotel/internal/fault"
	"thhotel/internal/inbox"
	"thhotel/internal/order"
)

func (s *site) taskRoutes(r gin.IRouter) {
	r.GET("/tasks", s.staff(queue))
	r.GET("/tasks/:id", s.staff(task))
	r.POST("/tasks/:id/claim", s.staff(claim))
	r.POST("/tasks/:id/renew", s.staff(renew))
	r.POST("/tasks/:id/release", s.staff(release))
	r.POST("/tasks/:id/edit", s.staff(edit))
	r.GET("/tasks/:id/confirm", s.staff(confirmForm))
	r.POST("/tasks/:id/confirm", s.staff(confirm))
	r.GET("/tasks/:id/reject", s.staff(rejectForm))
	r.POST("/tasks/:id/reject", s.staff(reject))
	r.GET("/tasks/:id/ask", s.staff(askForm))
	r.POST("/tasks/:id/ask", s.staff(ask))
	r.POST("/tasks/:id/note", s.staff(note))
	r.GET("/tasks/:id/handover", s.staff(handOverForm))
	r.POST("/tasks/:id/handover", s.staff(handOver))
}

type taskData struct {
	Card    order.CardView
	Holds   bool   // this person holds the claim
	HeldBy  string // somebody else does
	Edit    bool
	Mail    *mailData
	Refused *oopsData     // why the last step was refused, beside the fresh state
	Was     *historyItem  // what confirming the card did, once it is confirmed
	Since   []historyItem // what changed on the order since the person looked
	form                  // what was typed, when saving corrections was refused
}

// mailData is a mail as the card and the inbox show it.
type mailData struct {
	Message inbox.Message
	Body    inbox.Body
	Thread  []inbox.Message
	Whole   bool   // the whole mail: formatted where it has a format, else with its history unfolded
	Problem string // why the body cannot be shown
	Card    bool   // beside a card, not on its own page
}

func task(v *visit) error {
	card, err := v.s.o.Order.Card(v.c.Request.Context(), v.By, v.c.Param("id"))
	if err != nil {
		return err
	}
	return v.showTask(http.StatusOK, card, taskData{})
}

// showTask draws the card as it is now; d says what the last step left behind.
func (v *visit) showTask(status int, card order.CardView, d taskData) error {
	d.Card = card
	d.Holds, d.HeldBy = v.claimOf(card.CardBrief)
	d.Edit = d.Holds && v.Can("decide") && (v.c.Query("edit") == "1" || d.Bad())
	if card.MessageID != "" {
		d.Mail = v.readMail(card.MessageID, "card "+card.ID)
		d.Mail.Card = true
	}
	var err error
	if d.Was, err = v.outcome(card); err != nil {
		return err
	}
	if d.Since, err = v.since(card); err != nil {
		return err
	}
	return v.render(status, "task", "queue", v.T("task.title", v.s.texts[v.Lang].code("event", card.EventType), cardName(card)), d)
}

// outcome finds what a confirmed card did to its order. The card judges itself
// against the order as it is now, to which its own change belongs: that would
// read as if there were nothing to do.
func (v *visit) outcome(card order.CardView) (*historyItem, error) {
	if card.Status != order.CardConfirmed || card.OrderID == "" {
		return nil, nil //nolint:nilnil // nothing has been done yet
	}
	changes, err := v.s.o.Order.History(v.c.Request.Context(), v.By, card.OrderID)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(changes, func(c order.Change) bool { return c.CardID == card.ID && c.Action == string(card.EventType) })
	if i < 0 {
		return nil, nil //nolint:nilnil // its order was imported without a history
	}
	fields := slices.DeleteFunc(changedFields(changes[i].Before, changes[i].After), func(f changedField) bool { return slices.Contains(drawnApart, f.Name) })
	return &historyItem{changes[i], fields}, nil
}

// since lists what changed on the order after the version a person saw: that of a
// refused confirm, or of the address its dialog led to.
func (v *visit) since(card order.CardView) ([]historyItem, error) {
	seen := version(v.c.DefaultPostForm("order_version", v.c.Query("seen")))
	if seen == 0 || seen >= card.OrderVersion || card.OrderID == "" || !card.Open() {
		return nil, nil
	}
	changes, err := v.s.o.Order.History(v.c.Request.Context(), v.By, card.OrderID)
	if err != nil {
		return nil, err
	}
	var out []historyItem
	for _, c := range changes {
		if c.Version > seen {
			out = append(out, historyItem{c, changedFields(c.Before, c.After)})
		}
	}
	return out, nil
}

// drawnApart are what the card shows in sections of their own.
var drawnApart = []string{"attachment_ids", "discrepancies", "no_op", "payment", "rooming_list", "trace_items"}

func cardName(c order.CardView) string {
	for _, name := range []string{c.GuestName, c.Key, short(c.ID)} {
		if name != "" {
			return name
		}
	}
	return c.ID
}

// claimOf says whether the person at the screen holds the card, or who else does.
func (v *visit) claimOf(c order.CardBrief) (mine bool, other string) {
	if !c.Open() || c.OwnerID == "" || c.LeaseUntil.Before(v.now) {
		return false, ""
	}
	if c.OwnerID == v.By.SubjectID {
		return true, ""
	}
	return false, c.OwnerName
}

// readMail reads a body, which leaves a row that says who and why. A mail that
// cannot be read does not take the card away.
func (v *visit) readMail(id, why string) *mailData {
	ctx := v.c.Request.Context()
	m := &mailData{Whole: v.c.Query("mail") == "whole"}
	if m.Whole {
		why = "whole mail, " + why
	}
	var err error
	if m.Message, m.Body, err = v.s.o.Inbox.ReadBody(ctx, v.By, id, why); err != nil {
		v.s.o.Log.Warn("mail not shown", "message", id, "error", err)
		m.Problem = v.message(err)
		if m.Message, err = v.s.o.Inbox.Get(ctx, v.By, id); err != nil {
			return m
		}
	}
	if m.Message.ConversationID == "" {
		return m
	}
	thread, err := v.s.o.Inbox.Conversation(ctx, v.By, inbox.ConversationParams{Provider: m.Message.Provider, Channel: m.Message.Channel,
		ConversationID: m.Message.ConversationID, Limit: 50})
	if err == nil {
		m.Thread = thread.Messages
	}
	return m
}

// refuseOnCard shows a refusal on the card as it is now: the newest state is what
// the person needs to go on. Where the card itself cannot be shown, a page of its own.
func (v *visit) refuseOnCard(id string, err error) error {
	f := fault.As(err)
	switch f.Kind {
	case fault.Conflict, fault.Unprocessable, fault.Invalid:
	default:
		return err
	}
	if v.scripted() {
		return err // the error page's heart fits into the dialog
	}
	card, err2 := v.s.o.Order.Card(v.c.Request.Context(), v.By, id)
	if err2 != nil {
		return err
	}
	d := taskData{Refused: v.oops(f)}
	if f.Kind == fault.Invalid && strings.HasSuffix(v.c.FullPath(), "/edit") {
		d.form = v.refusedForm(f)
		d.Refused.Violations = nil // each stands at its field
	}
	return v.showTask(httpStatus(f), card, d)
}

// version reads a number of ours; a broken one is 0, which no card has.
func version(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// BookingTypes are offered when a card is edited.
func (taskData) BookingTypes() []string { return []string{order.Group, order.Allotment, order.FIT} }

// LocatorTypes are offered when a card is edited.
func (taskData) LocatorTypes() []string {
	return []string{order.ByGroupCode, order.ByConfirmation, order.ByReservationNo}
}

// Fields are the rows of the difference; the edit form has more of them.
func (d taskData) Fields() []order.FieldDiff {
	if d.Edit {
		return editable(d.Card)
	}
	return d.Card.Fields
}

// Grid reports whether the rooms are part of what is decided.
func (d taskData) Grid() bool {
	if d.Was != nil {
		return false // among its fields
	}
	switch d.Card.EventType {
	case order.NewBooking, order.UpdateBooking, order.RoomingList:
		return d.Edit || len(d.Card.Rooms) > 0
	case order.CancelBooking, order.Trace, order.Payment:
	}
	return false
}

// Amount is a price as one types it, without its currency.
func (taskData) Amount(price string) string { return amount(price) }

// RoomText is an order's rooms in one line.
func (taskData) RoomText(rooms []order.RoomLine) string { return roomText(rooms) }

// Plain prints a fact of the mail that is no field of an order.
func (taskData) Plain(raw json.RawMessage) string { return plain(raw) }
