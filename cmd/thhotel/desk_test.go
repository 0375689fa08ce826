package main_test

import (
	"fmt"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

// rejectWhatIsAmbiguous: mail 07 says too little to act on. Its cards cannot be
// confirmed, and the order that its thread speaks of is left alone.
func (s *shift) rejectWhatIsAmbiguous() {
	s.t.Helper()
	finch := s.order([2]string{"confirmation_number", "4032077"})
	for _, event := range []string{"NEW_BOOKING", "UPDATE_BOOKING"} {
		c := s.card("07", event, 0)
		s.open("/tasks/" + c.ID)
		s.follow("[data-key=c]")
		if ask[bool](s.window, `!!document.querySelector("[data-key=a]") || !document.querySelector("#stops").innerText`) {
			s.t.Errorf("mail 07 %s can be confirmed, or does not say why not", event)
		}
		s.click("[data-key=r]")
		s.click("#dialog [value=insufficient]")
		s.click("#dialog form button.btn-danger")
		s.waitFlash("Rejected.")
		if c = s.card("07", event, 0); c.Status != "REJECTED" {
			s.t.Errorf("mail 07 %s is %s after the rejection", event, c.Status)
		}
		if c.Order != "" && event == "NEW_BOOKING" && s.detail("ORDER:"+c.Order).Status != "REJECTED" {
			s.t.Error("the order that mail 07 proposed outlives its rejection")
		}
	}
	if diff := cmp.Diff(finch.facts, s.order([2]string{"confirmation_number", "4032077"}).facts); diff != "" {
		s.t.Errorf("mail 07 touched 4032077 (-before +after):\n%s", diff)
	}
}

// hostileMailLoadsNothing reads mail 11 in every way the pages offer. Whatever
// its 48 traps try, no request leaves for another host.
func (s *shift) hostileMailLoadsNothing() {
	s.t.Helper()
	s.do(chromedp.Navigate("http://canary.example/seen")) // the watch is awake
	canary := s.proxy.requests()
	if len(canary) == 0 || !strings.Contains(canary[0], "canary.example") {
		s.t.Fatalf("the watch over the network saw %v, not the canary", canary)
	}
	s.open("/notices")
	s.reads("the notices", "S99", "siam1ink.example", "S10")
	s.follow("tr:has(.tag.red) a[href^='/inbox/']")
	s.reads("mail 11", "siam1ink.example")
	s.follow("[data-key=o]")
	s.waitFor(`!!document.querySelector("iframe.mailframe")`)
	src := ask[string](s.window, `document.querySelector("iframe.mailframe").getAttribute("src")`)
	html := ask[string](s.window, fmt.Sprintf(`fetch(%q).then(r => r.text())`, src))
	for _, trap := range []string{"href=", "src=", "<script", "<img", "<form", "<meta http-equiv", "SYSTEM NOTICE"} {
		if strings.Contains(html, trap) {
			s.t.Errorf("the sanitised mail 11 contains %q", trap)
		}
	}
	s.open(src) // the frame's page for itself, so that its text can be read
	if body := s.text("body"); body == "" || strings.Contains(body, "SYSTEM NOTICE") {
		s.t.Errorf("the frame shows %q", body)
	}
	for _, r := range s.proxy.requests()[len(canary):] {
		if !strings.Contains(r, "canary.example") {
			s.t.Errorf("mail 11 made the browser ask for %s", r)
		}
	}
}

// acknowledgeNotices: one by its own button, the other by its box.
func (s *shift) acknowledgeNotices() {
	s.t.Helper()
	s.open("/notices")
	s.follow("tr:has(.tag.blue) button[name=one]")
	s.waitFlash("Acknowledged.")
	s.click("[name=id]")
	s.follow(".bulk button[form=ack]")
	s.waitFlash("Acknowledged.")
	if n := ask[int](s.window, `document.querySelectorAll("main table.list tbody tr").length`); n != 0 {
		s.t.Errorf("%d notices are left", n)
	}
	s.open("/notices?status=ALL")
	if n := ask[int](s.window, `document.querySelectorAll("main table.list tbody tr").length`); n != 2 {
		s.t.Errorf("%d notices in all, want 2", n)
	}
}

// nothingIsLeft: the queue is empty for the staff and for the agent.
func (s *shift) nothingIsLeft() {
	s.t.Helper()
	s.open("/tasks")
	if rows := s.text("tr[data-href]"); rows != "" {
		s.t.Errorf("still in the queue:\n%s", rows)
	}
	for _, c := range s.cards() {
		if c.open() {
			s.t.Errorf("the agent still sees %s of %s as %s", c.Event, c.Message, c.Status)
		}
	}
	if got := s.order([2]string{"confirmation_number", "4032077"}).CancellationNumber; got != "C-77120" {
		s.t.Errorf("cancellation number %q", got)
	}
	s.open("/orders/" + s.order([2]string{"group_code", "NORDIC0227"}).ID)
	files := ask[[]int](s.window, `Promise.all([...document.querySelectorAll(".files a")].map(a => fetch(a.href).then(r => r.status)))`)
	if diff := cmp.Diff([]int{200, 200}, files); diff != "" {
		s.t.Errorf("remittance and rooming list behind the order's links (-want +got):\n%s", diff)
	}
	s.open("/orders/" + s.order([2]string{"reservation_no", "720933"}).ID)
	if n := strings.Count(s.text("main"), "Airport pick-up, flight ZX418"); n != 1 {
		s.t.Errorf("a trace of mail 09 stands %d times on the order, want once", n)
	}
}
