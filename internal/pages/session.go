package pages

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/fault"
	"thhotel/internal/httpd"
	"thhotel/internal/order"
	"thhotel/internal/platform"
)

const (
	langCookie  = "thhotel_lang"
	themeCookie = "thhotel_theme"
	flashCookie = "thhotel_flash"
	oneYear     = 365 * 24 * 3600
)

// handler serves a signed-in person.
type handler func(v *visit) error

// staff wraps a page: it finds out who asks and for which hotel, afresh on every request.
func (s *site) staff(h handler) gin.HandlerFunc {
	return func(c *gin.Context) {
		v := s.visit(c)
		if err := v.identify(); err != nil {
			s.refuse(v, err)
			return
		}
		if err := h(v); err != nil {
			s.refuse(v, err)
		}
	}
}

func (v *visit) identify() error {
	ctx := v.c.Request.Context()
	by, err := v.s.o.Platform.Authenticate(ctx, agent.Credential{SessionID: httpd.Session(v.c.Request)})
	if err != nil {
		return err
	}
	if by.Kind != access.Staff {
		return fault.New(fault.Forbidden, "STAFF_ONLY", "工作台仅供员工账号使用。", "The workbench is for staff accounts only.")
	}
	if _, chosen := v.s.chosenLanguage(v.c); !chosen && by.Lang != "" {
		v.Lang = languageOf(by.Lang)
	}
	by.Trace, by.Lang = v.By.Trace, v.Lang
	v.By, v.SignedIn = by, true
	if v.Hotel, err = v.s.o.Platform.Hotel(ctx, by); err != nil {
		return err
	}
	if v.c.Request.Method == http.MethodGet {
		// Taken before the page reads anything: no change falls between the two.
		now, err := v.s.o.Order.ChangesSince(ctx, by, "", 1)
		if err != nil {
			return err
		}
		v.Cursor = now.Cursor
	}
	v.navigation()
	return nil
}

func (v *visit) navigation() {
	var err error
	v.counts, err = v.s.o.Order.Counts(v.c.Request.Context(), v.By)
	if err != nil { // the numbers are a comfort; the page itself will say what is wrong
		v.s.o.Log.Warn("counts", "error", err)
	}
	v.Nav = []navItem{{"queue", "/tasks", v.counts.Views[order.ViewOpen]}, {"orders", "/orders", 0}, {"inbox", "/inbox", 0}, {"notice", "/notices", v.counts.Notices}}
	if v.Can("agent") {
		v.Nav = append(v.Nav, navItem{"agent", "/agent", 0})
	}
	if v.Can("tools") || v.Can("credentials") || v.Can("audit") {
		v.Nav = append(v.Nav, navItem{"admin", "/admin", 0})
	}
}

type signInData struct{ Error, Username, Next string }

func (s *site) signInForm(c *gin.Context) {
	v := s.visit(c)
	s.rendered(v, v.render(http.StatusOK, "signin", "", v.T("signin.title"), signInData{Next: back(c.Query("next"))}))
}

func (s *site) signIn(c *gin.Context) {
	v := s.visit(c)
	p := platform.SignInParams{Username: strings.TrimSpace(c.PostForm("username")), Password: c.PostForm("password"), RemoteAddr: c.ClientIP()}
	next := back(c.PostForm("next"))
	session, err := s.o.Platform.SignIn(c.Request.Context(), v.By, p)
	if err != nil {
		f := fault.As(err)
		if f.Kind == fault.Internal {
			s.refuse(v, err)
			return
		}
		data := signInData{Error: f.Message(v.Lang), Username: p.Username, Next: next}
		s.rendered(v, v.render(httpd.Status(f.Kind), "signin", "", v.T("signin.title"), data))
		return
	}
	cookie := s.cookie(httpd.SessionCookie(s.o.SecureCookies), session.ID, 0)
	http.SetCookie(c.Writer, cookie)
	c.Redirect(http.StatusSeeOther, next)
}

func (s *site) signOut(c *gin.Context) {
	v := s.visit(c)
	if id := httpd.Session(c.Request); id != "" {
		by, err := s.o.Platform.Authenticate(c.Request.Context(), agent.Credential{SessionID: id})
		if err == nil {
			by.Trace = v.By.Trace
			err = s.o.Platform.SignOut(c.Request.Context(), by, id)
		}
		if err != nil && fault.As(err).Kind != fault.Unauthenticated {
			s.refuse(v, err)
			return
		}
	}
	http.SetCookie(c.Writer, s.cookie(httpd.SessionCookie(s.o.SecureCookies), "", -1))
	c.Redirect(http.StatusSeeOther, "/signin")
}

// preferences keeps language and theme in cookies: they are this browser's affair.
func (s *site) preferences(c *gin.Context) {
	if lang := c.PostForm("lang"); lang != "" {
		http.SetCookie(c.Writer, s.cookie(langCookie, languageOf(lang), oneYear))
	}
	switch theme := c.PostForm("theme"); theme {
	case "light", "dark", "auto":
		http.SetCookie(c.Writer, s.cookie(themeCookie, theme, oneYear))
	}
	c.Redirect(http.StatusSeeOther, back(c.PostForm("back")))
}

func (s *site) cookie(name, value string, maxAge int) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure is the operator's choice: false only where there is no TLS
		Name: name, Value: value, Path: "/", MaxAge: maxAge, Secure: s.o.SecureCookies, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}

func (s *site) chosenLanguage(c *gin.Context) (string, bool) {
	lang, err := c.Cookie(langCookie)
	return languageOf(lang), err == nil && lang != ""
}

func (s *site) language(c *gin.Context) string {
	if lang, ok := s.chosenLanguage(c); ok {
		return lang
	}
	return languageOf(httpd.Lang(c.Request))
}

func trace(c *gin.Context) access.Trace {
	t := httpd.TraceOf(c.Request.Context())
	t.Adapter = "pages"
	return t
}

func signInURL(here string) string { return "/signin?next=" + url.QueryEscape(back(here)) }
