package mcpserver

import (
	"bytes"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
)

// The fast path answers the two requests that nearly all traffic consists of,
// tools/call and tools/list, without the SDK, which would parse a message a dozen
// times. docs/adr/0005-fast-path.md has the reasons.
//
// It is safe because it is narrow. The guard has judged the message already, as it
// judges every message. Then isPlain admits only what is made of nothing but the
// members it names, so that no rule of the SDK is left that could apply; all else
// (other methods, progress, pages, fixtures, a client not met before, disagreeing
// headers) it leaves untouched to the SDK. Calls go through agent.Executor like all
// others, and TestFastPath sends everything down both ways and compares.

// fast answers a plain request and reports true, or does nothing and reports false.
func (h *Handler) fast(w http.ResponseWriter, r *http.Request, x *exchange) bool {
	if !h.isPlain(r, x) {
		return false
	}
	defer h.recovered(w, r, x)
	b := buffers.Get().(*[]byte) //nolint:forcetypeassert // only these go in
	defer giveBack(b)
	var e *rpcError
	if x.msg.method == methodList {
		*b = h.appendList((*b)[:0], x)
	} else {
		*b, e = h.appendCall((*b)[:0], r, x)
	}
	switch {
	case h.ended(w, x):
	case e != nil:
		h.refuse(w, x, e.status(x.version), e)
	default:
		writeResult(w, *b)
	}
	return true
}

// isPlain reports whether a message holds nothing that only the SDK understands.
func (h *Handler) isPlain(r *http.Request, x *exchange) bool {
	m := &x.msg
	if h.sdkOnly || !m.strict || !plainID(m.id) || !m.top.only("jsonrpc", "id", "method", "params") {
		return false
	}
	switch m.method {
	case methodCall:
		if h.tools[m.tool] == nil || !m.params.only("name", "arguments", "_meta") {
			return false
		}
	case methodList:
		if h.extra != nil || !m.params.only("_meta") {
			return false
		}
	default:
		return false
	}
	if m.progress {
		return false
	}
	if x.newest() {
		return headersAgree(r, x) && h.clients.met(m)
	}
	return m.meta.get(metaVersion) == nil // it would choose the other revision
}

// plainID leaves out the ids that the SDK answers in another spelling.
func plainID(id []byte) bool { return bytes.IndexByte(id, '\\') < 0 && string(id) != "-0" }

// only reports whether there are no other members than these.
func (f fields) only(names ...string) bool {
	return !slices.ContainsFunc(f, func(m field) bool { return !slices.Contains(names, m.name) })
}

// newest reports whether the answer has the shape of 2026-07-28.
func (x *exchange) newest() bool { return x.version >= version20260728 }

// headersAgree is 2026-07-28's rule that the headers repeat the body. No schema of
// ours asks for arguments in headers: agent refuses the keyword.
func headersAgree(r *http.Request, x *exchange) bool {
	return x.msg.metaVersion == x.version && r.Header.Get("Mcp-Method") == x.msg.method &&
		(x.msg.method != methodCall || r.Header.Get("Mcp-Name") == x.msg.tool)
}

// recovered answers a panic as the SDK's way does; the executor has its own net.
func (h *Handler) recovered(w http.ResponseWriter, r *http.Request, x *exchange) {
	if p := recover(); p != nil {
		h.o.Log.ErrorContext(r.Context(), "mcp door: panic", "method", x.msg.method, "panic", p,
			"request_id", x.trace().RequestID, "stack", string(debug.Stack()))
		h.refuse(w, x, http.StatusOK, internalError())
	}
}

// acquaintances remembers how clients introduced themselves in calls that the SDK
// took and the executor knew the credential of: what 2026-07-28 wants in _meta is
// judged by the SDK the first time, by memory after.
type acquaintances struct {
	mu    sync.RWMutex
	cards map[card]struct{}
}

// card is a client's name and abilities, byte for byte.
type card struct{ info, abilities string }

const (
	maxCards = 1000
	maxCard  = 4 << 10 // bytes
)

func (m *message) card() card {
	return card{string(m.meta.get(metaClient)), string(m.meta.get(metaCapabilities))}
}

func (a *acquaintances) met(m *message) bool {
	c := m.card()
	a.mu.RLock()
	defer a.mu.RUnlock()
	_, ok := a.cards[c]
	return ok
}

// meet is called when the SDK has accepted the message. A full book is begun anew.
func (a *acquaintances) meet(x *exchange) {
	if !x.newest() || x.refused != nil {
		return
	}
	c := x.msg.card()
	if len(c.info)+len(c.abilities) > maxCard {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cards == nil || len(a.cards) >= maxCards {
		a.cards = map[card]struct{}{}
	}
	a.cards[c] = struct{}{}
}
