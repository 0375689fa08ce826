package mcpserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"thhotel/internal/httpd"
)

// prebuilt is what the fast path writes in every answer, encoded once.
type prebuilt struct {
	tools  map[string][]byte // name -> the tool as tools/list shows it
	server []byte            // "io.modelcontextprotocol/serverInfo":{…}
}

func (h *Handler) prebuild(impl *mcp.Implementation) error {
	h.ready.tools = make(map[string][]byte, len(h.tools))
	for name, t := range h.tools {
		b, err := json.Marshal(t)
		if err != nil {
			return fmt.Errorf("tool %s: %w", name, err)
		}
		h.ready.tools[name] = b
	}
	b, err := json.Marshal(impl)
	h.ready.server = append([]byte(`"`+mcp.MetaKeyServerInfo+`":`), b...)
	return err //nolint:wrapcheck // a struct of strings
}

// appendCall runs the call and appends its result.
func (h *Handler) appendCall(b []byte, r *http.Request, x *exchange) ([]byte, *rpcError) {
	out := h.o.Executor.Do(r.Context(), h.callOf(x, x.msg.tool, x.msg.params.get("arguments")))
	a, e := h.reply(x, out)
	if e != nil {
		return b, e
	}
	b = x.begin(b)
	if x.newest() {
		b = append(append(append(b, `"_meta":{`...), h.ready.server...), "},"...)
	}
	b = append(b, `"content":[{"type":"text","text":`...)
	b = appendText(b, a.summary)
	if a.body != nil {
		b = append(b, `},{"type":"text","text":`...)
		b = appendText(b, a.body)
		b = append(append(b, `}],"structuredContent":`...), a.body...)
	} else {
		b = append(b, "}]"...)
	}
	if a.failed {
		b = append(b, `,"isError":true`...)
	}
	return x.end(b), nil
}

// appendList appends the tools that this caller may use now.
func (h *Handler) appendList(b []byte, x *exchange) []byte {
	b = append(append(x.begin(b), `"_meta":{"`+revisionKey+`":`...), '"')
	b = append(append(b, x.revision...), '"')
	if x.newest() {
		b = append(append(b, ','), h.ready.server...)
	}
	b = append(b, `},"ttlMs":`...)
	b = strconv.AppendInt(b, listTTL, 10)
	b = append(b, `,"cacheScope":"private","tools":[`...)
	for i, info := range x.tools {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, h.ready.tools[info.Name]...)
	}
	return x.end(append(b, ']'))
}

func (x *exchange) begin(b []byte) []byte {
	b = append(append(b, `{"jsonrpc":"2.0","id":`...), x.msg.id...)
	return append(b, `,"result":{`...)
}

func (x *exchange) end(b []byte) []byte {
	if x.newest() {
		b = append(b, `,"resultType":"complete"`...)
	}
	return append(b, "}}"...)
}

func appendText[T ~string | ~[]byte](b []byte, s T) []byte {
	b, _ = jsontext.AppendQuote(b, s) // what is no UTF-8 becomes U+FFFD, as in encoding/json
	return b
}

func writeResult(w http.ResponseWriter, b []byte) { httpd.WriteBytes(w, http.StatusOK, b) }

// buffers are those answers are built in; net/http copies what it is given.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 8<<10); return &b }}

// maxKept is the largest buffer worth keeping for the next answer.
const maxKept = 128 << 10

func giveBack(b *[]byte) {
	if cap(*b) <= maxKept {
		buffers.Put(b)
	}
}
