package pages

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

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
}

type queueData struct {
	Params order.QueueParams
	Page   order.QueuePage
	Views  []tab
	Types  []order.EventType
	Live   string // where to ask for changes
	Next   string
}

type tab struct {
	Key, URL string
	Count    int
	Counted  bool
	Here     bool
}

func queue(v *visit) error {
	ctx, q := v.c.Request.Context(), v.c.Request.URL.Query()
	stamp, err := v.s.o.Order.LatestChange(ctx, v.By)
	if err != nil {
		return err
	}
	// Every five minutes the rows are drawn anew, for the ages and deadlines.
	stamp += "." + strconv.FormatInt(v.now.Unix()/300, 10)
	if q.Get("stamp") == stamp && v.c.GetHeader("HX-Request") != "" {
		v.c.Status(http.StatusNoContent)
		return nil
	}
	p := order.QueueParams{View: q.Get("view"), EventType: order.EventType(q.Get("type")), Search: q.Get("q"), Sort: q.Get("sort"), Cursor: q.Get("cursor")}
	if p.View == "" {
		p.View = order.ViewOpen
	}
	page, err := v.s.o.Order.Queue(ctx, v.By, p)
	if err != nil {
		return err
	}
	counts, err := v.s.o.Order.Counts(ctx, v.By)
	if err != nil {
		return err
	}
	q.Del("stamp")
	d := queueData{Params: p, Page: page, Types: order.EventTypes(), Views: queueTabs(p.View, counts)}
	d.Live = with("/tasks", q, "stamp", stamp)
	if page.NextCursor != "" {
		d.Next = with("/tasks", q, "cursor", page.NextCursor)
	}
	v.SearchHere = true
	return v.show("tasks", "queue", v.T("queue.title"), d)
}

func queueTabs(here string, counts order.Counts) []tab {
	var out []tab
	for _, name := range order.Views() {
		n, counted := counts.Views[name]
		out = append(out, tab{Key: name, URL: "/tasks?view=" + name, Count: n, Counted: counted, Here: name == here})
	}
	return out
}

// with is the address with one parameter set.
func with(path string, q url.Values, key, value string) string {
	c := url.Values{}
	for k, vs := range q {
		c[k] = vs
	}
	c.Set(key, value)
	return path + "?" + c.Encode()
}

type taskData struct {
	Card    order.CardView
	Holds   bool   // this person holds the claim
	HeldBy  string // somebody else does
	Edit    bool
	Mail    *mailData
	Refused *oopsData    // why the last step was refused, beside the fresh state
	Was     *historyItem // what confirming the card did, once it is confirmed
}

// mailData is a mail as the card and the inbox show it.
type mailData struct {
	Message  inbox.Message
	Body     inbox.Body
	Thread   []inbox.Message
	Original bool   // show the sanitised HTML frame
	Problem  string // why the body cannot be shown
	Card     bool   // beside a card, not on its own page
}

func task(v *visit) error {
	card, err := v.s.o.Order.Card(v.c.Request.Context(), v.By, v.c.Param("id"))
	if err != nil {
		return err
	}
	return v.showTask(http.StatusOK, card, nil)
}

func (v *visit) showTask(status int, card order.CardView, refused *oopsData) error {
	d := taskData{Card: card, Refused: refused}
	d.Holds, d.HeldBy = v.claimOf(card.CardBrief)
	d.Edit = d.Holds && v.Can("decide") && v.c.Query("edit") == "1"
	if card.MessageID != "" {
		d.Mail = v.readMail(card.MessageID, "card "+card.ID)
		d.Mail.Card = true
	}
	var err error
	if d.Was, err = v.outcome(card); err != nil {
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
	m := &mailData{Original: v.c.Query("mail") == "html"}
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

func claim(v *visit) error {
	id := v.c.Param("id")
	_, err := v.s.o.Order.Claim(v.c.Request.Context(), v.By, order.ClaimParams{CardID: id, TakeOver: v.c.PostForm("take_over") == "1"})
	if err != nil {
		return v.refuseOnCard(id, err)
	}
	return v.done("/tasks/"+id, "done.claimed")
}

// renew keeps the claim while the page is open; htmx calls it.
func renew(v *visit) error {
	if _, err := v.s.o.Order.Renew(v.c.Request.Context(), v.By, v.c.Param("id")); err != nil {
		return err
	}
	v.c.Status(http.StatusNoContent)
	return nil
}

func release(v *visit) error {
	id := v.c.Param("id")
	if _, err := v.s.o.Order.Release(v.c.Request.Context(), v.By, id); err != nil {
		return v.refuseOnCard(id, err)
	}
	return v.done("/tasks/"+id, "done.released")
}

func note(v *visit) error {
	id := v.c.Param("id")
	if _, err := v.s.o.Order.Note(v.c.Request.Context(), v.By, id, v.c.PostForm("text")); err != nil {
		return v.refuseOnCard(id, err)
	}
	return v.done("/tasks/"+id, "done.noted")
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
	if v.c.GetHeader("X-Requested-With") == "dialog" {
		return err // the error page's heart fits into the dialog
	}
	card, err2 := v.s.o.Order.Card(v.c.Request.Context(), v.By, id)
	if err2 != nil {
		return err
	}
	return v.showTask(httpStatus(f), card, v.oops(f))
}

type askData struct {
	Card order.CardView
	Days []string
}

func askForm(v *visit) error {
	card, err := v.s.o.Order.Card(v.c.Request.Context(), v.By, v.c.Param("id"))
	if err != nil {
		return err
	}
	day, err := time.Parse(time.DateOnly, v.Hotel.BusinessDate)
	if err != nil {
		day = v.now
	}
	return v.show("ask", "queue", v.T("ask.title"), askData{Card: card, Days: []string{day.AddDate(0, 0, 2).Format(time.DateOnly)}})
}

func ask(v *visit) error {
	id := v.c.Param("id")
	until, err := time.ParseInLocation("2006-01-02 15:04", v.c.PostForm("date")+" "+v.c.PostForm("time"), v.Hotel.Location())
	if err != nil {
		return errDate
	}
	p := order.AskParams{CardID: id, Version: version(v.c.PostForm("version")), Until: until.UTC(), Text: v.c.PostForm("text")}
	if _, err := v.s.o.Order.AskSender(v.c.Request.Context(), v.By, p); err != nil {
		return v.refuseOnCard(id, err)
	}
	return v.done("/tasks/"+id, "done.waiting")
}

var errDate = fault.New(fault.Invalid, "DATE_INVALID", "日期或时间无法识别，请按 年-月-日 与 时:分 填写。", "The date or time cannot be read. Write YYYY-MM-DD and HH:MM.")

func errCount(code string) error {
	return fault.New(fault.Invalid, "ROOM_COUNT_INVALID", "房型 "+code+" 的间数必须是整数。", "The number of rooms of "+code+" must be a whole number.")
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
