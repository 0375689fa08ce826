package pages

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"thhotel/internal/order"
)

type queueData struct {
	Params order.QueueParams
	Page   order.QueuePage
	Views  []tab
	Types  []order.EventType
	Live   string // where to ask for the rows as they are now
	Next   string
	First  string // the first page, when this is a later one
	Clear  string // the view without search and filter, when there is one
}

type tab struct {
	Key, URL string
	Count    int
	Counted  bool
	More     bool // counting stopped at Count
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
	if q.Get("stamp") == stamp && v.scripted() {
		v.c.Status(http.StatusNoContent)
		return nil
	}
	p := order.QueueParams{View: q.Get("view"), EventType: order.EventType(q.Get("type")), Search: strings.TrimSpace(q.Get("q")), Sort: q.Get("sort"), Cursor: q.Get("cursor")}
	if p.View == "" {
		p.View = order.ViewOpen
	}
	page, err := v.s.o.Order.Queue(ctx, v.By, p)
	if err != nil {
		return err
	}
	q.Del("stamp")
	d := queueData{Params: p, Page: page, Types: order.EventTypes(), Views: queueTabs(q, p.View, v.counts)}
	d.Live = with("/tasks", q, "stamp", stamp)
	if page.NextCursor != "" {
		d.Next = with("/tasks", q, "cursor", page.NextCursor)
	}
	if p.Cursor != "" {
		d.First = with("/tasks", q, "cursor", "")
	}
	if p.Search != "" || p.EventType != "" {
		d.Clear = "/tasks?view=" + url.QueryEscape(p.View)
	}
	v.SearchHere = true
	return v.show("tasks", "queue", v.T("queue.title"), d)
}

// queueTabs keep the search: a clerk who looks for a name looks in every view.
func queueTabs(q url.Values, here string, counts order.Counts) []tab {
	kept := url.Values{}
	for _, name := range []string{"q", "type", "sort"} {
		if q.Get(name) != "" {
			kept.Set(name, q.Get(name))
		}
	}
	var out []tab
	for _, name := range order.Views() {
		n, counted := counts.Views[name]
		out = append(out, tab{Key: name, URL: with("/tasks", kept, "view", name), Count: n, Counted: counted, More: n >= order.CountCap, Here: name == here})
	}
	return out
}

// with is the address with one parameter set, or taken away where value is "".
func with(path string, q url.Values, key, value string) string {
	c := url.Values{}
	for k, vs := range q {
		c[k] = vs
	}
	c.Set(key, value)
	if value == "" {
		c.Del(key)
	}
	if len(c) == 0 {
		return path
	}
	return path + "?" + c.Encode()
}
