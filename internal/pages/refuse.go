package pages

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"thhotel/internal/audit"
	"thhotel/internal/fault"
	"thhotel/internal/httpd"
)

// oopsData is the error page: what happened, what changed, what to do.
type oopsData struct {
	Heading, Text, Code, RequestID, Back string
	Violations                           []fault.Violation
	Facts                                []fact
}

type fact struct{ Name, Value string }

// fail answers with an error page before anyone is known.
func (s *site) fail(c *gin.Context, err error) { s.refuse(s.visit(c), err) }

// refuse turns an error into a page. Whoever has no session goes to sign in;
// what is not a refusal of ours is logged here, once, and shown as a number.
func (s *site) refuse(v *visit, err error) {
	s.recordDenied(v, &err)
	f := fault.As(err)
	if f.Kind == fault.Unauthenticated {
		v.toSignIn()
		return
	}
	if f.Kind == fault.Internal {
		s.o.Log.Error("page failed", "path", v.c.FullPath(), "request_id", v.By.Trace.RequestID, "error", err)
	}
	data := v.oops(f)
	s.rendered(v, v.render(httpd.Status(f.Kind), "error", v.Section, data.Heading, data))
}

// recordDenied leaves a row of a page or a form that a signed-in person may not
// have, unless the service that refused it has left one.
func (s *site) recordDenied(v *visit, err *error) {
	if v.By.SubjectID == "" || fault.As(*err).Kind != fault.Forbidden {
		return
	}
	act := audit.Act{Tool: "page." + strings.ToLower(v.c.Request.Method), Owner: "pages", ResourceType: "page", ResourceID: v.c.Request.URL.Path}
	s.o.Audit.Refused(v.c.Request.Context(), v.By, act, err)
}

func (v *visit) oops(f *fault.Error) *oopsData {
	return &oopsData{Heading: v.T("error.kind." + kindName(f.Kind)), Text: f.Message(v.Lang), Code: f.Code, RequestID: v.By.Trace.RequestID,
		Violations: f.Violations(v.Lang), Facts: v.facts(f.Details), Back: v.backToCard()}
}

// backToCard remembers which order version a person saw, so that the card can say
// what has changed since.
func (v *visit) backToCard() string {
	back := v.backFrom()
	if seen := version(v.c.PostForm("order_version")); seen > 0 && strings.HasPrefix(back, "/tasks/") {
		return back + "?seen=" + strconv.FormatInt(seen, 10)
	}
	return back
}

// rendered is the last resort: a page that cannot be rendered.
func (s *site) rendered(v *visit, err error) {
	if err == nil {
		return
	}
	s.o.Log.Error("page failed", "path", v.c.FullPath(), "request_id", v.By.Trace.RequestID, "error", err)
	v.c.String(http.StatusInternalServerError, "%s %s", fault.CodeInternal, v.By.Trace.RequestID)
}

// toSignIn also reaches pages that only asked for a part of themselves.
func (v *visit) toSignIn() {
	here := v.Here
	if v.c.Request.Method != http.MethodGet {
		here = v.backFrom()
	}
	if v.scripted() {
		v.c.Header("X-Location", signInURL(here))
		v.c.Status(http.StatusNoContent)
		return
	}
	v.c.Redirect(http.StatusSeeOther, signInURL(here))
}

// backFrom is the page a refused form belongs to: its address without the verb.
func (v *visit) backFrom() string {
	parts := strings.Split(strings.Trim(v.c.Request.URL.Path, "/"), "/")
	if len(parts) > 2 {
		parts = parts[:2]
	}
	if len(parts) == 2 && (parts[0] == "admin" || parts[0] == "signin") || v.c.Param("id") == "" {
		parts = parts[:1]
	}
	return "/" + strings.Join(parts, "/")
}

// facts lists what a conflict carries (who holds it, which version), by name.
func (v *visit) facts(details map[string]any) []fact {
	var out []fact
	for key, value := range details {
		text := v.factText(key, value)
		if strings.HasSuffix(key, "_id") || text == "" {
			continue // ids help programs, not people
		}
		out = append(out, fact{v.s.texts[v.Lang].code("fact", key), text})
	}
	slices.SortFunc(out, func(a, b fact) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// factText names codes: rules and states mean nothing to a clerk as they are.
func (v *visit) factText(key string, value any) string {
	texts := v.s.texts[v.Lang]
	if names, ok := value.([]string); ok {
		out := make([]string, len(names))
		for i, n := range names {
			out[i] = texts.code("rule", n)
		}
		return strings.Join(out, ", ")
	}
	return texts.code(key, value)
}

func kindName(k fault.Kind) string {
	switch k {
	case fault.Invalid, fault.Unprocessable:
		return "invalid"
	case fault.Forbidden, fault.Unauthenticated:
		return "forbidden"
	case fault.NotFound:
		return "not_found"
	case fault.Conflict:
		return "conflict"
	case fault.TooLarge:
		return "too_large"
	case fault.Limited:
		return "limited"
	case fault.Unavailable:
		return "unavailable"
	case fault.Internal:
	}
	return "internal"
}
