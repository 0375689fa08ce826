package bench

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"thhotel/internal/agent"
	"thhotel/internal/hotel"
	"thhotel/internal/httpd"
)

// Revisions of the protocol that are measured.
const (
	newest = "2026-07-28"
	older  = "2025-11-25"
)

// Whose server an operation calls.
const (
	product = "product"
	bare    = "bare SDK"
)

// stock is what operations draw from: what was loaded, and how to call.
type stock struct {
	o       Options
	acc     Access
	orders  []string // ids
	cards   []string // ids
	from    time.Time
	sent    atomic.Int64 // packages so far, by whatever door
	deep    string       // cursor of a page far down the queue
	tools   []agent.ToolInfo
	packets []string // package of each template mail, tokens and all
}

// operations lists everything that is measured.
func (s *stock) operations() []operation {
	var out []operation
	for _, version := range []string{newest, older} {
		for _, c := range s.toolCalls() {
			out = append(out, operation{c.short + " mcp " + version, product, c.share, s.mcpCall(version, c)})
		}
		out = append(out, operation{"tools/list mcp " + version, product, 1, s.mcpList(version)},
			operation{"case_context " + bare + " " + version, bare, 1, s.mcpCall(version, s.toolCalls()[0])},
			operation{"tools/list " + bare + " " + version, bare, 1, s.mcpList(version)})
	}
	for _, c := range s.toolCalls() {
		out = append(out, operation{c.short + " rest", product, c.share, s.restCall(c)})
	}
	return append(out, s.pages()...)
}

// toolCall makes the arguments of the n-th call of one tool.
type toolCall struct {
	short, tool string
	share       float64 // of the calls asked for: slower ones need fewer
	arguments   func(n int) (args, want string)
}

func (s *stock) toolCalls() []toolCall {
	mail := func(n int) (string, string) {
		external := externalID(spread(n%s.o.Cards, s.o.Cards))
		return `{"source_message_id":"` + external + `"}`, external
	}
	return []toolCall{
		{"case_context", hotel.ToolCaseContext, 1, func(n int) (string, string) {
			key := confirmation(s.order(n), s.o.Orders)
			return `{"confirmation_number":"` + key + `"}`, key
		}},
		{"object_detail", hotel.ToolObjectDetail, 0.5, func(n int) (string, string) {
			id := s.orders[s.order(n)]
			return `{"object_id":"ORDER:` + id + `"}`, id
		}},
		{"conversation_tasks", hotel.ToolConversationTasks, 0.5, mail},
		{"conversation_messages", hotel.ToolConversationMessages, 0.5, mail},
		{"submit", hotel.ToolSubmit, 0.3, s.submission},
	}
}

// order is one that cards speak of, jumping about.
func (s *stock) order(n int) int { return orderOf(spread(n%s.o.Cards, s.o.Cards), s.o.Orders) }

// submission is the package for a mail that has no card yet; where there are
// more calls than such mails, a new revision for one that has.
func (s *stock) submission(int) (string, string) {
	n := int(s.sent.Add(1))
	fresh := s.o.Messages - s.o.Cards
	j := s.o.Cards + n%fresh
	k, order := j%len(s.packets), orderOf(j, s.o.Orders)
	in, out := stay(order, s.from)
	external := externalID(j)
	doc := strings.NewReplacer(
		markMail+fmt.Sprint(k), external, markConversation+fmt.Sprint(k), conversationID(j),
		markConfirmation, confirmation(order, s.o.Orders), markReference, fmt.Sprintf("REF%07d", order),
		markGuest, guestName(order), markArrival, in, markDeparture, out,
		"Kind regards", fmt.Sprintf("Kind regards (%d)", n)).Replace(s.packets[k]) // no package twice
	return doc, `"idempotent_replay":false`
}

const post = "Accept: application/json, text/event-stream\r\n"

func (s *stock) bearer() string { return "Authorization: Bearer " + s.acc.Token + "\r\n" }

// rpc is the body and header of one protocol message; params has no braces.
func (s *stock) rpc(version, method, name, params string, n int) request {
	header := post + s.bearer() + "Mcp-Protocol-Version: " + version + "\r\n"
	if version == newest {
		meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + version + `","io.modelcontextprotocol/clientCapabilities":{},` +
			`"io.modelcontextprotocol/clientInfo":{"name":"thhotel-bench","version":"1"}}`
		if params != "" {
			meta = "," + meta
		}
		params += meta
		header += "Mcp-Method: " + method + "\r\n"
		if name != "" {
			header += "Mcp-Name: " + name + "\r\n"
		}
	}
	return request{"POST", hotel.Path, header, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, n, method, params)}
}

func (s *stock) mcpCall(version string, c toolCall) func(int) (request, string) {
	return func(n int) (request, string) {
		args, want := c.arguments(n)
		return s.rpc(version, "tools/call", c.tool, `"name":"`+c.tool+`","arguments":`+args, n), want
	}
}

func (s *stock) mcpList(version string) func(int) (request, string) {
	return func(n int) (request, string) {
		return s.rpc(version, "tools/list", "", "", n), hotel.ToolCaseContext
	}
}

func (s *stock) restCall(c toolCall) func(int) (request, string) {
	path := ""
	for _, t := range s.tools {
		if t.Name == c.tool {
			path = t.REST
		}
	}
	header := s.bearer() + "Accept: application/json\r\n"
	return func(n int) (request, string) {
		args, want := c.arguments(n)
		return request{"POST", path, header, args}, want
	}
}

// pages are what staff look at most.
func (s *stock) pages() []operation {
	header := "Cookie: " + httpd.SessionCookie(false) + "=" + s.acc.Session + "; thhotel_lang=en\r\nAccept: text/html\r\n"
	page := func(name string, share float64, at func(n int) (path, want string)) operation {
		return operation{"page " + name, product, share, func(n int) (request, string) {
			path, want := at(n)
			return request{"GET", path, header, ""}, want
		}}
	}
	search := func(name, path, want string, word func(n int) string) operation {
		return page(name, 0.1, func(n int) (string, string) { return path + url.QueryEscape(word(n)), want })
	}
	return []operation{
		page("queue", 0.2, func(int) (string, string) { return "/tasks", "/tasks/" }),
		page("queue deep", 0.2, func(int) (string, string) { return "/tasks?cursor=" + url.QueryEscape(s.deep), "/tasks/" }),
		page("queue closed", 0.1, func(int) (string, string) { return "/tasks?view=closed", "view=closed" }),
		search("queue search key", "/tasks?q=", "/tasks/0", func(n int) string { return confirmation(s.order(n), s.o.Orders) }),
		search("queue search words", "/tasks?q=", "/tasks/0", func(n int) string { return guestName(s.order(n)) }),
		search("queue search CJK", "/tasks?q=", "</html>", func(n int) string { return chinese[n%len(chinese)] + given[n/10%len(given)] }),
		search("queue search common", "/tasks?q=", "/tasks/0", func(int) string { return "harbourfinch" }),
		search("queue search nothing", "/tasks?q=", "</html>", func(n int) string { return fmt.Sprintf("xq%dzz", n) }),
		search("orders search key", "/orders?q=", "/orders/0", func(n int) string { return confirmation(s.order(n), s.o.Orders) }),
		search("orders search nothing", "/orders?q=", "</html>", func(n int) string { return fmt.Sprintf("xq%dzz", n) }),
		page("card", 0.2, func(n int) (string, string) {
			id := s.cards[spread(n%len(s.cards), len(s.cards))]
			return "/tasks/" + id, id
		}),
		page("order", 0.2, func(n int) (string, string) {
			id := s.orders[s.order(n)]
			return "/orders/" + id, id
		}),
		page("inbox", 0.1, func(int) (string, string) { return "/inbox", "/inbox/0" }),
	}
}

// encoded is the catalogue for the bare server, which publishes the same list.
func encoded(tools []agent.ToolInfo) ([]byte, error) { return json.Marshal(tools) }
