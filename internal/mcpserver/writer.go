package mcpserver

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"thhotel/internal/httpd"
)

// lazyWriter stands between the SDK, which always speaks event-stream to it,
// and the caller. It answers with plain JSON unless something is sent before
// the result (progress, a log line) and the caller accepts a stream. Text errors
// become JSON-RPC errors, and every error gets our sentence and code.
type lazyWriter struct {
	http.ResponseWriter
	h         *Handler
	x         *exchange
	mayStream bool

	mu        sync.Mutex
	status    int
	buf       bytes.Buffer
	streaming bool
}

// statusHungUp is what proxies log for a caller who left before the answer.
const statusHungUp = 499

// eventTime is how long one event of a stream may take to be written.
const eventTime = 30 * time.Second

// Unwrap lets http.ResponseController reach the connection.
func (w *lazyWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader only remembers the status.
func (w *lazyWriter) WriteHeader(status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.status == 0 {
		w.status = status
	}
}

// Write takes one event, or a piece of a plain body.
func (w *lazyWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.isStream() {
		return w.buf.Write(p)
	}
	data := eventData(p)
	final := data != nil && isFinal(data)
	switch {
	case w.streaming:
		return len(p), w.send(w.rewrite(data), p)
	case final:
		w.buf.Reset()
		w.buf.Write(data)
	case w.mayStream:
		w.begin()
		return len(p), w.send(data, p)
	}
	return len(p), nil // a notification that nobody can take
}

// FlushError passes flushes on once a stream has begun.
func (w *lazyWriter) FlushError() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.streaming {
		return nil
	}
	return http.NewResponseController(w.ResponseWriter).Flush() //nolint:wrapcheck // the SDK ignores it
}

func (w *lazyWriter) isStream() bool {
	return strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream")
}

// begin commits to a stream. Proxies must not hold it back.
func (w *lazyWriter) begin() {
	w.streaming = true
	w.Header().Set("X-Accel-Buffering", "no")
	w.ResponseWriter.WriteHeader(http.StatusOK)
}

// send writes one event. The server's write deadline is for one answer, so each
// event gets its own: a stream may be long, a reader who has stopped may not.
func (w *lazyWriter) send(data, original []byte) error {
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(w.h.o.Clock.Now().Add(eventTime))
	if data != nil {
		original = append(append([]byte("event: message\ndata: "), data...), "\n\n"...)
	}
	_, err := w.ResponseWriter.Write(original)
	return err //nolint:wrapcheck // the SDK only notes it
}

// finish sends what was held back. It runs after the SDK is done with the request.
func (w *lazyWriter) finish() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.streaming {
		return
	}
	for _, name := range []string{"Connection", "Content-Length"} { // the SDK's, for its stream
		w.Header().Del(name)
	}
	if w.h.ended(w.ResponseWriter, w.x) {
		return
	}
	status, body := w.status, w.buf.Bytes()
	switch {
	case status >= 400 && !json.Valid(body): // the SDK's text
		e := textError(status)
		w.h.refuse(w.ResponseWriter, w.x, status, e)
	case len(body) == 0 && status == http.StatusAccepted:
		w.ResponseWriter.WriteHeader(status)
	case len(body) == 0: // a result that could not be sent is a defect of ours
		w.h.logFailure(w.x, "no answer", w.x.msg.method)
		w.h.refuse(w.ResponseWriter, w.x, http.StatusOK, internalError())
	default:
		httpd.WriteBytes(w.ResponseWriter, max(status, http.StatusOK), w.rewrite(body))
	}
}

// ended answers where the call decided more than a result can say: the credential
// did not hold, or nobody is listening any more.
func (h *Handler) ended(w http.ResponseWriter, x *exchange) bool {
	if x.retryAfter > 0 {
		setRetryAfter(w, x.retryAfter)
	}
	switch {
	case x.refused != nil:
		h.challengeFor(w, x)
		h.refuse(w, x, http.StatusUnauthorized, &rpcError{codeServer, x.refused})
	case x.http.Err() != nil: // the access log should say so
		w.Header().Del("Content-Type") // the SDK's
		w.Header().Del("Cache-Control")
		w.WriteHeader(statusHungUp)
	default:
		return false
	}
	return true
}

func textError(status int) *rpcError {
	if status >= http.StatusInternalServerError {
		return internalError()
	}
	return fixed(codeInvalidRequest)
}

// rewrite replaces the SDK's error, if data is one, by ours.
func (w *lazyWriter) rewrite(data []byte) []byte {
	if memberAt(data) != "error" {
		return data
	}
	var wire struct {
		ID    json.RawMessage `json:"id"`
		Error struct {
			Code int            `json:"code"`
			Data map[string]any `json:"data"`
		} `json:"error"`
	}
	if json.Unmarshal(data, &wire) != nil || wire.Error.Data["code"] != nil {
		return data // ours already
	}
	e := fixed(wire.Error.Code)
	if e == nil {
		w.h.logFailure(w.x, "unknown error code", wire.Error.Code)
		e = internalError()
	}
	if len(wire.Error.Data) > 0 { // "supported" and "requested"; the SDK's data echoes no input
		e.fault = e.fault.With(wire.Error.Data)
	}
	return e.encode(wire.ID, w.x.call.Trace, w.x.lang)
}

// isFinal tells a response from a notification.
func isFinal(data []byte) bool { m := memberAt(data); return m == "result" || m == "error" }

// memberAt names the member that says what a message is: "method", "result" or
// "error". It reads only the message's beginning.
func memberAt(data []byte) string {
	d := jsontext.NewDecoder(bytes.NewReader(data))
	if _, err := d.ReadToken(); err != nil {
		return ""
	}
	for d.PeekKind() == '"' {
		t, err := d.ReadToken()
		if err != nil {
			return ""
		}
		if name := t.String(); name != "jsonrpc" && name != "id" {
			return name
		}
		if d.SkipValue() != nil {
			return ""
		}
	}
	return ""
}

// eventData is the payload of one server-sent event, nil when there is none.
func eventData(event []byte) []byte {
	_, data, ok := bytes.Cut(event, []byte("data: "))
	if !ok {
		return nil
	}
	return bytes.TrimRight(data, "\n")
}

func acceptsStream(r *http.Request) bool {
	for _, v := range r.Header.Values("Accept") {
		if strings.Contains(v, "text/event-stream") || strings.Contains(v, "*/*") {
			return true
		}
	}
	return false
}

func setRetryAfter(w http.ResponseWriter, seconds int) {
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
}
