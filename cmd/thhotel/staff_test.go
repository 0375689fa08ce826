package main_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/demo"
)

// The main job from end to end: the real program, the agent over a real MCP
// client, the staff in a real browser. What the demo's description calls "after
// staff confirm" is looked up both ways: over MCP and on the order's page.
func TestStaffDecideTheDemoMails(t *testing.T) {
	bin := chromium(t)
	dir := t.TempDir()
	p := startDemo(t, dir)
	waitForAgent(t, p)
	s := &shift{window: openWindow(t, bin, p), t: t, agent: dial(t, p)}
	s.signIn(access.RoleAgent)
	s.queueShowsEveryOpenCard()
	s.mailStandsBesideTheChange()
	for _, d := range deeds() {
		s.decide(d)
	}
	s.signIn(access.RoleAgent)
	s.rejectWhatIsAmbiguous()
	s.hostileMailLoadsNothing()
	s.acknowledgeNotices()
	s.nothingIsLeft()
	if out, code := run(t, "audit", "verify", "--data", dir); code != 0 {
		t.Fatalf("audit verify: exit %d\n%s", code, out)
	}
}

// shift is the staff at the desk with the agent's eyes beside them.
type shift struct {
	*window
	t     *testing.T
	agent *demo.Agent
}

// card is a task as the agent lists it.
type card struct {
	ID      string `json:"task_id"`
	Order   string `json:"order_id"`
	Status  string `json:"task_status"`
	Event   string `json:"system_task_type"`
	Message string `json:"external_source_message_id"`
}

func (c card) open() bool {
	return slices.Contains([]string{"PENDING", "NEEDS_REVIEW", "CLAIMED"}, c.Status)
}

// cards reads every card of the demo's conversations over MCP.
func (s *shift) cards() []card {
	s.t.Helper()
	var out []card
	for _, conversation := range []string{"conv-nordic-2027", "conv-yuntu-88213", "conv-harbourfinch-4032077", "conv-guest-720933",
		"conv-lobbylights-cm26", "conv-sunwal-20261130"} {
		got := call[struct {
			Tasks []card `json:"tasks"`
		}](s.t, s.agent, "th_hotel_list_message_conversation_tasks", map[string]any{"external_conversation_id": conversation})
		out = append(out, got.Tasks...)
	}
	return out
}

// card is the nth card of a type that a mail led to.
func (s *shift) card(mail, event string, nth int) card {
	s.t.Helper()
	for _, c := range s.cards() {
		if c.Message != "agentbus-ext-00"+mail || c.Event != event {
			continue
		}
		if nth == 0 {
			return c
		}
		nth--
	}
	s.t.Fatalf("mail %s has no such card %s", mail, event)
	return card{}
}

// found is what the agent finds under a key.
type found struct {
	facts
	ID, CancellationNumber string
}

// order looks an order up as the agent does: by key, then in detail.
func (s *shift) order(key [2]string) found {
	s.t.Helper()
	context := call[struct {
		Orders []struct {
			ObjectID string `json:"object_id"`
			Version  int64  `json:"version"`
		} `json:"matched_order_records"`
	}](s.t, s.agent, "th_hotel_query_case_context", map[string]any{key[0]: key[1]})
	if len(context.Orders) != 1 {
		s.t.Fatalf("%s %s leads to %d orders, want 1", key[0], key[1], len(context.Orders))
	}
	f := s.detail(context.Orders[0].ObjectID)
	if f.Version != context.Orders[0].Version {
		s.t.Errorf("%s: version %d in the case's context, %d in detail", key[1], context.Orders[0].Version, f.Version)
	}
	return f
}

func (s *shift) detail(objectID string) found {
	s.t.Helper()
	d := call[struct {
		OrderID            string `json:"order_id"`
		GuestName          string `json:"guest_name"`
		Arrival            string `json:"arrival_date"`
		Departure          string `json:"departure_date"`
		Status             string `json:"status"`
		Version            int64  `json:"version"`
		CancellationNumber string `json:"cancellation_number"`
		Rooms              []struct {
			Code  string `json:"room_type_code"`
			Count int    `json:"room_count"`
		} `json:"room_items"`
	}](s.t, s.agent, "th_hotel_query_object_detail", map[string]any{"object_id": objectID})
	var rooms []string
	for _, r := range d.Rooms {
		rooms = append(rooms, fmt.Sprintf("%d %s", r.Count, r.Code))
	}
	return found{facts{d.GuestName, d.Arrival, d.Departure, strings.Join(rooms, ", "), d.Status, d.Version}, d.OrderID, d.CancellationNumber}
}

// reads fails for every text that a person cannot read on the page.
func (s *shift) reads(what string, texts ...string) {
	s.t.Helper()
	page := strings.Join(strings.Fields(s.text("main")), " ")
	for _, want := range texts {
		if !strings.Contains(page, want) {
			s.t.Errorf("%s does not show %q:\n%s", what, want, page)
		}
	}
}

func (s *shift) queueShowsEveryOpenCard() {
	s.t.Helper()
	s.open("/tasks")
	got := ask[[]string](s.window, `[...document.querySelectorAll("tr[data-href]")].map(r => r.dataset.href.replace("/tasks/", ""))`)
	var want []string
	for _, c := range s.cards() {
		if c.open() {
			want = append(want, c.ID)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 15 {
		s.t.Fatalf("the queue shows %d cards, want the 15 that the agent opened (-agent +queue):\n%s", len(got), diff)
	}
}

// On a wide screen the mail, as it was formatted but sanitised, stands to the
// left of what would change.
func (s *shift) mailStandsBesideTheChange() {
	s.t.Helper()
	s.open("/tasks/" + s.card("01", "NEW_BOOKING", 0).ID)
	s.follow("[data-key=o]")
	s.waitFor(`!!document.querySelector("iframe.mailframe")`)
	beside := ask[bool](s.window, `(() => {
		const mail = document.querySelector("iframe.mailframe").getBoundingClientRect(), change = document.querySelector("table.diff").getBoundingClientRect();
		return mail.width > 300 && mail.height > 200 && change.width > 300 && mail.right <= change.left && mail.top < innerHeight && change.top < innerHeight;
	})()`)
	if !beside {
		s.t.Error("mail and change do not stand side by side")
	}
	html := ask[string](s.window, `fetch(document.querySelector("iframe.mailframe").src).then(r => r.text())`)
	if !strings.Contains(html, "Nordic Choir Tour 2027") || strings.Contains(html, "src=") || strings.Contains(html, "<script") {
		s.t.Errorf("the formatted mail is not the mail, or not sanitised:\n%s", html)
	}
}

// decide plays one card to its end, sends its last form over again, and looks at
// what became of the order.
func (s *shift) decide(d deed) {
	s.t.Helper()
	s.signIn(d.role)
	what := fmt.Sprintf("mail %s %s", d.mail, d.event)
	c := s.card(d.mail, d.event, d.nth)
	s.open("/tasks/" + c.ID)
	s.reads(what+"'s card", d.shows...)
	s.follow("[data-key=c]")
	s.correct(d.edit)
	form := s.confirm(d)
	if !d.race {
		s.click(submit)
		s.waitFlash("Confirmed: the order is up to date.")
	}
	s.sendTwice(c.ID, form)
	got := s.order(d.key)
	s.open("/tasks/" + c.ID)
	s.decidedCard(what)
	if diff := cmp.Diff(d.after, got.facts); diff != "" {
		s.t.Fatalf("%s: the order afterwards (-want +got):\n%s", what, diff)
	}
	s.open("/orders/" + got.ID)
	s.reads(what+"'s order", d.page...)
	s.changedOnce(what, got.Version)
	if d.mail == "08" {
		s.receipt()
	}
}

// correct types over the agent's values where there is something to correct.
func (s *shift) correct(fields map[string]string) {
	s.t.Helper()
	if len(fields) == 0 {
		return
	}
	s.follow("[data-key=e]")
	for _, selector := range slices.Sorted(maps.Keys(fields)) {
		s.typed(selector, fields[selector])
	}
	s.follow(".actions button[form=edit]")
	s.waitFlash("Corrections saved.")
}

// submit is the button in a dialog that goes on.
const submit = "#dialog form button:not([data-close])"

// confirm goes through the dialog up to its last button, and returns the form
// that this would send.
func (s *shift) confirm(d deed) string {
	s.t.Helper()
	s.click("[data-key=a]")
	s.waitFor(`!!document.querySelector("#dialog[open] form")`)
	for _, name := range slices.Sorted(maps.Keys(d.fill)) {
		s.typed("#n-"+name, d.fill[name])
	}
	for range ask[int](s.window, `document.querySelectorAll("#dialog [name=tick]").length`) {
		if !ask[bool](s.window, `document.querySelector("#dialog [data-needs-ticks]").disabled`) {
			s.t.Errorf("mail %s: the button works before every rule is ticked", d.mail)
		}
		s.click("#dialog [name=tick]:not(:checked)")
	}
	if d.twice {
		s.click(submit)
		s.waitFor(`!!document.querySelector("#dialog[open] [name=second]")`)
		if c := s.card(d.mail, d.event, d.nth); !c.open() {
			s.t.Errorf("mail %s: the first of two steps decided the card", d.mail)
		}
	}
	return ask[string](s.window, `new URLSearchParams(new FormData(document.querySelector("#dialog form"))).toString()`)
}

// sendTwice is the impatient hand: the same form twice at the same moment, where
// the page's own script does not hold it back.
func (s *shift) sendTwice(id, form string) {
	s.t.Helper()
	got := ask[[]int](s.window, fmt.Sprintf(`(() => {
		const again = () => fetch("/tasks/%s/confirm", {method: "POST", body: new URLSearchParams(%q)}).then(r => r.status);
		return Promise.all([again(), again()]);
	})()`, id, form))
	if diff := cmp.Diff([]int{200, 200}, got); diff != "" {
		s.t.Errorf("the same confirm twice (-want +got):\n%s", diff)
	}
}

// decidedCard says what was done, not what would be done to the changed order.
func (s *shift) decidedCard(what string) {
	s.t.Helper()
	done := s.text(".effect")
	if done == "" || s.text("#rules") != "" || strings.Contains(done, "Nothing changes") {
		s.t.Errorf("%s: the decided card says %q and judges %q", what, done, s.text("#rules"))
	}
}

// changedOnce: a version and a history entry for each change, no more.
func (s *shift) changedOnce(what string, version int64) {
	s.t.Helper()
	if n := ask[int64](s.window, `document.querySelectorAll(".history > li").length`); n != version {
		s.t.Errorf("%s: %d history entries at version %d:\n%s", what, n, version, s.text(".history"))
	}
	s.reads(what+"'s order", fmt.Sprintf("version %d", version))
}

// receipt: finance sees the money on the account; the order's balance says so.
func (s *shift) receipt() {
	s.t.Helper()
	s.reads("the order before the receipt", "Advised, not yet confirmed 25,440.00 THB", "confirmed 0.00 THB", "Still to pay 112,800.00 THB")
	s.follow("form[action$='/payment'] button")
	s.waitFlash("Receipt confirmed.")
	s.reads("the order after the receipt", "confirmed 25,440.00 THB", "Still to pay 87,360.00 THB")
}
