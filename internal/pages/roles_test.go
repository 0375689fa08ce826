package pages_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"thhotel/internal/order"
)

// act is something that a person may or may not do: where its control stands, what
// the control looks like there, and the request behind it.
type act struct {
	name, page, control string
	method, path        string
	form                url.Values
	may                 string // user names
}

// acts are the workbench's actions. Each request is one that fails on its input, or
// reads only, where the caller may do it: the table can be walked by everybody.
func (d *desk) acts() []act {
	d.t.Helper()
	ctx := context.Background()
	free, held := d.card(order.Trace, "720933").ID, d.card(order.Payment, "").ID
	d.as("ben").post("/tasks/"+held+"/claim", nil)
	found, err := d.Order.FindByKeys(ctx, d.by, order.Keys{GroupCode: "NORDIC0227"}, 5)
	must(d.t, err)
	order1 := "/orders/" + found.Records[0].ID
	m, err := d.Inbox.Locate(ctx, d.by, "agentbus-ext-0002")
	must(d.t, err)
	page, err := d.Order.Notices(ctx, d.by, order.NoticeListParams{})
	must(d.t, err)
	const deciders, keepers = "anna somsak fah root", "anna somsak root"
	card, wrong := "/tasks/"+free, url.Values{"version": {"999"}}
	post := http.MethodPost
	return []act{
		{"read a card", "", "", http.MethodGet, card, nil, "vera anna somsak fah root"},
		{"listen", "", "", http.MethodHead, "/tasks", nil, "vera anna somsak fah root"},
		{"claim", card, card + "/claim", post, "/tasks/none/claim", nil, deciders},
		{"confirm", "", "", post, card + "/confirm", wrong, deciders},
		{"reject", "", "", post, card + "/reject", url.Values{"version": {"999"}, "reason_code": {"duplicate"}}, deciders},
		{"edit", "", "", post, card + "/edit", url.Values{"version": {"999"}, "target": {"none"}}, deciders},
		{"ask the sender", "", "", post, card + "/ask", url.Values{"version": {"999"}, "date": {"2026-12-24"}, "time": {"12:00"}}, deciders},
		{"add a note", card, card + "/note", post, "/tasks/none/note", url.Values{"text": {"x"}}, deciders},
		{"hand over", "", "", http.MethodGet, card + "/handover", nil, deciders},
		{"take over", "/tasks/" + held, `name="take_over"`, post, "/tasks/none/claim", url.Values{"take_over": {"1"}}, "somsak root anna fah"},
		{"open a task by hand", order1, order1 + "/task", post, order1 + "/task", url.Values{"type": {"TRACE_RESERVATION_NOTES"}}, deciders},
		{"correct an order", order1, order1 + "/correct", post, order1 + "/correct", url.Values{"version": {"999"}, "f.rate_code": {"X"}, "reason": {"x"}}, "somsak root"},
		{"confirm a receipt", "", "", post, order1 + "/payment", url.Values{"payment": {"none"}}, "fah root"},
		{"import mail", "/inbox", "/inbox/import", post, "/inbox/import", url.Values{}, keepers},
		{"download a file", "/inbox/" + m.ID, "/files/" + m.Attachments[0].ID + `"`, http.MethodGet, "/inbox/" + m.ID + "/files/" + m.Attachments[0].ID, nil, deciders},
		{"download the original", "/inbox/" + m.ID, "/original", http.MethodGet, "/inbox/" + m.ID + "/original", nil, deciders},
		{"acknowledge", "/notices", `form="ack"`, post, "/notices", url.Values{"id": {"none"}}, keepers},
		{"make a task of a notice", "/notices", page.Notices[0].ID + "/task", post, "/notices/none/task", url.Values{"type": {"PAYMENT"}, "text": {"x"}}, keepers},
		{"review the agent", "/tasks", `href="/agent"`, http.MethodGet, "/agent", nil, "somsak root"},
		{"search the audit", "", "", http.MethodGet, "/admin/audit", nil, "somsak root"},
		{"set the policy", "", "", post, "/admin/tools/profile", url.Values{"profile": {"none"}}, "root"},
		{"issue a token", "", "", post, "/admin/credentials", url.Values{"subject": {"none"}, "name": {"x"}}, "root"},
	}
}

// What a role may not do is not shown, and refused when called all the same; what
// it may do is shown, and not refused for want of permission.
func TestRolesByActions(t *testing.T) {
	d := newDesk(t)
	acts := d.acts()
	for _, who := range []string{"vera", "anna", "somsak", "fah", "root"} {
		p := d.as(who)
		pages := map[string]string{}
		for _, a := range acts {
			may := slices.Contains(strings.Fields(a.may), who)
			if a.page != "" {
				if _, seen := pages[a.page]; !seen {
					pages[a.page] = p.get(a.page).Body
				}
				shown := strings.Contains(pages[a.page], a.control)
				if want := may && (a.name != "take over" || who != "anna" && who != "fah"); shown != want {
					t.Errorf("%s: control of %q shown %v, want %v", who, a.name, shown, want)
				}
			}
			got := p.do(a.method, a.path, a.form, map[string]string{"Sec-Fetch-Site": "same-origin"})
			if denied := got.Status == http.StatusForbidden; denied == may {
				t.Errorf("%s: %q answered %d, may: %v", who, a.name, got.Status, may)
			}
		}
	}
}

// Taking over is the supervisor's: an agent is told who has the card and no more.
func TestOnlySupervisorsTakeOver(t *testing.T) {
	d := newDesk(t)
	id := d.card(order.Trace, "720933").ID
	d.as("ben").post("/tasks/"+id+"/claim", nil)
	for who, want := range map[string]int{"anna": http.StatusForbidden, "fah": http.StatusForbidden, "vera": http.StatusForbidden, "somsak": http.StatusOK} {
		if a := d.as(who).post("/tasks/"+id+"/claim", url.Values{"take_over": {"1"}}); a.Status != want {
			t.Errorf("%s: %d, want %d", who, a.Status, want)
		}
	}
}

// Handing over: to a colleague who may decide, with a note that stands on the card.
func TestHandOver(t *testing.T) {
	d := newDesk(t)
	id := d.card(order.Trace, "720933").ID
	anna := d.as("anna")
	anna.post("/tasks/"+id+"/claim", nil)
	body := anna.get("/tasks/" + id + "/handover").Body
	_, rest, ok := strings.Cut(body, `">Ben`)
	if !ok || rest == "" || strings.Contains(body, "Vera") || strings.Contains(body, ">Anna ·") {
		t.Fatal("the colleagues offered are not those who may decide")
	}
	to := body[strings.LastIndex(body[:strings.Index(body, `">Ben`)], `"`)+1 : strings.Index(body, `">Ben`)]
	a := anna.post("/tasks/"+id+"/handover", url.Values{"version": {fmt.Sprint(d.look(id).Version)}, "to": {to}, "text": {"knows the guest"}})
	if a.Status != http.StatusOK || a.Path != "/tasks" {
		t.Fatalf("hand over: %d at %s", a.Status, a.Path)
	}
	if c := d.look(id); c.OwnerName != "Ben" {
		t.Errorf("the card is %s's", c.OwnerName)
	}
	if a := d.as("ben").get("/tasks/" + id); !strings.Contains(a.Body, "knows the guest") {
		t.Error("the note is not on the card")
	}
}
