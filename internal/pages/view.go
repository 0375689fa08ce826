package pages

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/fault"
	"thhotel/internal/order"
	"thhotel/internal/platform"
)

// visit is one request of one person; templates see it as the dot.
type visit struct {
	s   *site
	c   *gin.Context
	now time.Time

	Lang, Theme    string
	Here           string // path and query, to come back to
	Section, Title string
	Query          string // what the search box holds
	SearchHere     bool   // the page has its own search box for the key "/"
	Cursor         string // where this page's event stream goes on from
	SignedIn       bool
	By             access.Caller
	Hotel          platform.Hotel
	Nav            []navItem
	Flash          string // what was just done
	Data           any

	flash  string
	counts order.Counts
}

type navItem struct {
	Key, URL string
	Count    int
}

// shared are the files that hold no page of their own.
var shared = []string{"layout.html", "parts.html", "card_parts.html"}

// parse makes one template set per language and page, so that texts are bound once.
func (s *site) parse(files fs.FS) (map[string]map[string]*template.Template, error) {
	names, err := fs.Glob(files, "*.html")
	if err != nil {
		return nil, fmt.Errorf("list templates: %w", err)
	}
	out := map[string]map[string]*template.Template{}
	for lang, texts := range s.texts {
		base, err := template.New("").Funcs(s.funcs(texts)).Option("missingkey=error").ParseFS(files, shared...)
		if err != nil {
			return nil, fmt.Errorf("parse layout: %w", err)
		}
		out[lang] = map[string]*template.Template{}
		for _, name := range names {
			if slices.Contains(shared, name) {
				continue
			}
			t, err := template.Must(base.Clone()).ParseFS(files, name)
			if err != nil {
				return nil, fmt.Errorf("parse template: %w", err)
			}
			out[lang][strings.TrimSuffix(name, ".html")] = t
		}
	}
	return out, nil
}

// visit begins a request that may come from nobody yet.
func (s *site) visit(c *gin.Context) *visit {
	v := &visit{s: s, c: c, now: s.o.Clock.Now(), Lang: s.language(c), Theme: "auto", Here: c.Request.URL.RequestURI()}
	if theme, err := c.Cookie(themeCookie); err == nil && (theme == "light" || theme == "dark") {
		v.Theme = theme
	}
	v.By.Lang = v.Lang
	v.By.Trace = trace(c)
	v.takeFlash()
	return v
}

// OpenNotices is how many notices wait for a person.
func (v *visit) OpenNotices() int { return v.counts.Notices }

// T is the text for key in the person's language.
func (v *visit) T(key string, args ...any) string { return v.s.texts[v.Lang].text(key, args...) }

// show renders a page with the status 200.
func (v *visit) show(page, section, title string, data any) error {
	return v.render(http.StatusOK, page, section, title, data)
}

// render builds the whole answer before the first byte leaves: a template that
// fails becomes an error page, not half a page.
func (v *visit) render(status int, page, section, title string, data any) error {
	v.Section, v.Title, v.Data = section, title, data
	if v.flash != "" {
		v.Flash = v.T(v.flash)
	}
	t, ok := v.s.templates[v.Lang][page]
	if !ok {
		return fmt.Errorf("no template %q", page)
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, "layout", v); err != nil {
		return fmt.Errorf("render %s: %w", page, err)
	}
	v.c.Data(status, "text/html; charset=utf-8", b.Bytes())
	return nil
}

// done redirects after a change, with a sentence to show there once. A dialog is
// told the address instead: the fetch behind it would follow the redirect, use
// up the sentence and read the mail a second time before the window gets there.
func (v *visit) done(to, key string) error {
	v.setFlash(key)
	if v.scripted() {
		v.c.Header("X-Location", to)
		v.c.Status(http.StatusNoContent)
		return nil
	}
	v.c.Redirect(http.StatusSeeOther, to)
	return nil
}

// scripted reports whether our script asks, and not the window itself: "dialog"
// for a dialog's content, "live" for changed rows.
func (v *visit) scripted() bool { return v.c.GetHeader("X-Requested-With") != "" }

func (v *visit) setFlash(key string) {
	http.SetCookie(v.c.Writer, v.s.cookie(flashCookie, url.QueryEscape(key), 60))
}

// takeFlash reads the sentence left by done. Only our own "done." keys are
// shown: a planted cookie cannot put words into our mouth.
func (v *visit) takeFlash() {
	key, err := v.c.Cookie(flashCookie)
	if err != nil || v.c.Request.Method != http.MethodGet || v.scripted() {
		return
	}
	http.SetCookie(v.c.Writer, v.s.cookie(flashCookie, "", -1))
	if _, known := v.s.texts[v.Lang][key]; known && strings.HasPrefix(key, "done.") {
		v.flash = key // put into words when the person's language is known
	}
}

// Say picks the sentence in the person's language.
func (v *visit) Say(zhText, enText string) string {
	if v.Lang == en && enText != "" {
		return enText
	}
	return zhText
}

// back is a path of ours to return to, "/tasks" when the given one is not.
func back(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.Contains(to, `\`) {
		return "/tasks"
	}
	return to
}

// message is a refusal in the person's language.
func (v *visit) message(err error) string { return fault.As(err).Message(v.Lang) }
