package order_test

import (
	"slices"
	"testing"
	"time"

	"thhotel/internal/database"
	"thhotel/internal/order"
	"thhotel/internal/testkit"
)

// TestSearchIndex: what is found is the same before the index has come by, after
// it has, and after things changed that it has not seen yet.
func TestSearchIndex(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		w.fill()
		w.yuntu()
		cards := map[string]int{"王小明": 3, "小明": 3, "wang, xiaoming": 3, "XIAOMING": 3, "yt-88213": 3, "8213": 3, "กมลวรรณ": 1, "วรรณ": 1, "720933": 1, "0933": 1,
			"100%": 0, "sw_551093": 0, "harbourfinch": 3, "harbourfinch.example": 3, "%": 0}
		orders := map[string]int{"王小明": 2, "明": 2, "Li, Hua": 2, "4032198": 1, "2198": 1, "ROSSI": 1, "sunwal27": 1, "": 10}
		check := func(when string) {
			t.Helper()
			for text, want := range cards {
				all := slices.Concat(w.queue(order.QueueParams{Search: text}), w.queue(order.QueueParams{View: order.ViewClosed, Search: text, Status: order.CardConfirmed}))
				if len(all) != want {
					t.Errorf("%s: %q finds %d cards, want %d", when, text, len(all), want)
				}
			}
			for text, want := range orders {
				page, err := w.orders.Search(ctx, w.malee, order.SearchParams{Text: text})
				must(t, err)
				if len(page.Orders) != want {
					t.Errorf("%s: %q finds %d orders, want %d", when, text, len(page.Orders), want)
				}
			}
		}
		check("before the index")
		w.now = w.now.Add(time.Hour)
		if n := w.index(t); n == 0 {
			t.Error("nothing was indexed")
		}
		check("after")
		if n := w.index(t); n != 0 {
			t.Errorf("%d rows were indexed again", n)
		}
		if _, err := w.orders.Search(ctx, w.malee, order.SearchParams{Text: "ROSS", Cursor: "nonsense"}); err == nil {
			t.Error("a cursor that is none was taken")
		}
		w.submitFile("05-fit-update-trace-chinese.v4.json") // later than the index
		if got := len(w.queue(order.QueueParams{Search: "小明"})); got == 0 {
			t.Error("a card of this minute is not found")
		}
	})
}

// index runs until there is nothing left to do.
func (w *world) index(t *testing.T) (total int) {
	t.Helper()
	for {
		n, err := w.orders.IndexSearch(ctx, w.system)
		must(t, err)
		if total += n; n == 0 {
			return total
		}
	}
}

// TestSearchAsksTheIndex: with the index filled, a search goes by its words and
// the few rows they name, whatever else there is.
func TestSearchAsksTheIndex(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	w.fill()
	w.now = w.now.Add(time.Hour)
	w.index(t)
	for _, p := range testkit.Plans(t, w.db, func() {
		w.queue(order.QueueParams{Search: "4032077"})
		_, err := w.orders.Search(ctx, w.malee, order.SearchParams{Text: "4032198"})
		must(t, err)
	}) {
		for _, step := range p.Bad() {
			if step != "USE TEMP B-TREE FOR ORDER BY" && step != "USE TEMP B-TREE FOR DISTINCT" {
				t.Errorf("%q in\n%s", step, p)
			}
		}
	}
}
