package rest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/fault"
	"thhotel/internal/httpd"
	"thhotel/internal/platform"
)

// request is one call as it passes through the door.
type request struct {
	d       *door
	c       *gin.Context
	service agent.Service
	trace   access.Trace
	lang    string
	body    []byte
	cred    agent.Credential

	partner *delivery // set when the caller signed instead of sending a token
}

// delivery is a signed request whose signature held.
type delivery struct {
	partnerID, messageID string
	digest               string
	by                   access.Caller
	keep                 bool // whether the answer may be stored for repeats
}

// Headers of a signed request (Standard Webhooks), and who claims to have signed.
const (
	headerPartner   = "X-Partner-Id"
	headerID        = "Webhook-Id"
	headerTimestamp = "Webhook-Timestamp"
	headerSignature = "Webhook-Signature"
	headerReplayed  = "X-Replayed"
)

func (d *door) request(c *gin.Context, s agent.Service) *request {
	t := httpd.TraceOf(c.Request.Context())
	t.Adapter = "rest"
	return &request{d: d, c: c, service: s, trace: t, lang: httpd.Lang(c.Request)}
}

// open reads and authenticates. keep says whether a signed caller's answer may
// be stored. done means that the answer has been sent. A request that claims a
// signature must have a right one, also beside a token.
func (r *request) open(keep bool) (done bool) {
	h, bearer := r.c.Request.Header, httpd.Bearer(r.c.Request) != ""                // refuse strangers before reading what they sent
	signed := h.Get(headerSignature) != "" || !bearer && h.Get(headerPartner) != "" // half-signed is told what is missing
	if !bearer && (h.Get("Authorization") != "" || !signed) {
		return r.fail(httpd.ErrUnauthenticated())
	}
	r.cred = httpd.BearerCredential(r.c.Request, r.service.Path)
	if media, _, err := mime.ParseMediaType(h.Get("Content-Type")); err != nil || media != "application/json" {
		return r.failWith(http.StatusUnsupportedMediaType, httpd.ErrMediaType())
	}
	body, err := httpd.ReadBody(r.c.Request)
	if err != nil {
		return r.fail(err)
	}
	r.body = body
	if signed {
		if err := r.verify(keep); err != nil {
			return r.fail(err)
		}
		if r.replay() {
			return true
		}
	}
	if err := httpd.CheckJSON(r.body, httpd.MaxDepth); err != nil {
		return r.fail(httpd.InvalidJSON(err))
	}
	return false
}

// verify checks a partner's signature and loads the account it acts as. Beside a
// token, which then decides what may be done, both must be of one account.
func (r *request) verify(keep bool) error {
	ctx, h := r.c.Request.Context(), r.c.Request.Header
	for _, name := range []string{headerPartner, headerID, headerTimestamp, headerSignature} {
		if len(h.Values(name)) > 1 {
			return errSignature("HEADERS_REPEATED", "签名请求头 "+name+" 重复出现；每个只能出现一次，多个签名用空格分隔。",
				"The signature header "+name+" appears more than once. Send each once; several signatures are parted by blanks.")
		}
	}
	signed := platform.SignedRequest{PartnerID: h.Get(headerPartner), MessageID: h.Get(headerID),
		Timestamp: h.Get(headerTimestamp), Signature: h.Get(headerSignature), Body: r.body}
	account, err := r.d.o.Platform.VerifyPartner(ctx, access.Caller{Trace: r.trace, Lang: r.lang}, signed)
	if err != nil {
		return err //nolint:wrapcheck // a refusal, or logged by fail
	}
	if r.cred.Token == "" {
		r.cred = agent.Credential{AccountID: account, Audience: r.service.Path}
	}
	by, err := r.authenticate()
	if err != nil {
		return err
	}
	if by.SubjectID != account {
		return errSignature("CREDENTIALS_DIFFER", "Bearer 令牌与签名属于不同的账号；请只发送其中一种凭证。",
			"The Bearer token and the signature belong to different accounts. Send one of the two.")
	}
	sum := sha256.Sum256(append([]byte(r.c.Request.URL.Path+"\n"), r.body...))
	r.partner = &delivery{partnerID: signed.PartnerID, messageID: signed.MessageID, digest: hex.EncodeToString(sum[:]), by: by, keep: keep}
	return nil
}

func errSignature(reason, zh, en string) error {
	return fault.New(fault.Unauthenticated, platform.CodeSignatureInvalid, zh, en).With(map[string]any{"reason": reason})
}

func (r *request) authenticate() (access.Caller, error) {
	by, err := r.d.o.Platform.Authenticate(r.c.Request.Context(), r.cred)
	by.Trace, by.Lang = r.trace, r.lang
	return by, err //nolint:wrapcheck // a refusal, or logged by fail
}

// replay answers a repeat of a signed delivery from the record. An answer that
// may hold message bodies is never kept: such a repeat runs again, so that every
// body that leaves is in the access audit.
func (r *request) replay() (done bool) {
	p := r.partner
	seen, ok, err := r.d.o.Platform.Recorded(r.c.Request.Context(), p.by, p.partnerID, p.messageID)
	switch {
	case err != nil:
		return r.fail(err)
	case !ok:
		return false
	case seen.Digest != p.digest:
		return r.fail(fault.New(fault.Conflict, "WEBHOOK_ID_REUSED",
			"该 webhook-id 已用于另一个请求；每个新请求请使用新的 webhook-id。",
			"This webhook-id was used for another request. Use a new one for each new request."))
	case len(seen.Body) == 0:
		return false
	}
	r.c.Header(headerReplayed, "true")
	httpd.WriteBytes(r.c.Writer, seen.Status, seen.Body)
	return true
}

// send answers, and keeps the answer of a signed delivery for its repeats.
func (r *request) send(status int, body []byte) {
	if p := r.partner; p != nil {
		kept := platform.Recorded{Status: status, Digest: p.digest}
		if p.keep {
			kept.Body = body
		}
		if err := r.d.o.Platform.Record(r.c.Request.Context(), p.by, p.partnerID, p.messageID, kept); err != nil {
			r.log("record answer", err) // the work is done; a repeat is caught by its own key
		}
	}
	httpd.WriteBytes(r.c.Writer, status, body)
}

// fail answers with a refusal in the service's envelope. It returns true, for callers who stop there.
func (r *request) fail(err error) bool {
	f := fault.As(err)
	if f.Kind == fault.Internal {
		r.log("request failed", err)
	}
	return r.failWith(httpd.Status(f.Kind), f)
}

func (r *request) failWith(status int, f *fault.Error) bool {
	body := r.service.Dialect.Failure(r.trace, r.lang, f)
	if len(body) == 0 { // a dialect that answers with text alone
		named := *f
		named.Code = r.service.Dialect.Code(f.Code)
		body, _ = json.Marshal(httpd.Failure(r.trace, r.lang, &named)) // details are JSON values
	}
	r.refuseHeaders(f)
	httpd.WriteBytes(r.c.Writer, status, body)
	return true
}

func (r *request) refuseHeaders(f *fault.Error) {
	if f.RetryAfter > 0 {
		r.c.Header("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	if f.Kind == fault.Unauthenticated {
		r.c.Header("WWW-Authenticate", `Bearer realm="`+r.service.Name+`"`+resourceMetadata(r.d.o.BaseURL, r.service.Path))
	}
}

func resourceMetadata(base, path string) string {
	if base == "" {
		return ""
	}
	return `, resource_metadata="` + strings.TrimRight(base, "/") + "/.well-known/oauth-protected-resource" + path + `"`
}

func (r *request) log(what string, err error) {
	r.d.o.Log.ErrorContext(r.c.Request.Context(), what, "error", err, "request_id", r.trace.RequestID, "trace_id", r.trace.TraceID)
}
