package httpd

import (
	"net/http"
	"strings"

	"golang.org/x/text/language"

	"thhotel/internal/agent"
)

// SessionCookie is the name of the staff session's cookie. Secure deployments
// use the __Host- prefix, which browsers bind to host, path and TLS.
func SessionCookie(secure bool) string {
	if secure {
		return "__Host-thhotel_session"
	}
	return "thhotel_session"
}

// maxCredential bounds what is hashed and looked up; ours are far shorter.
const maxCredential = 512

// Bearer returns the bearer token, "" when there is none or several.
func Bearer(r *http.Request) string {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return ""
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	token = strings.TrimSpace(token)
	if !ok || !strings.EqualFold(scheme, "Bearer") || len(token) > maxCredential || strings.ContainsAny(token, " ,") {
		return ""
	}
	return token
}

// Session returns the staff session's cookie value, "" without one.
func Session(r *http.Request) string {
	for _, secure := range []bool{true, false} {
		if c, err := r.Cookie(SessionCookie(secure)); err == nil && len(c.Value) <= maxCredential {
			return c.Value
		}
	}
	return ""
}

// BearerCredential is the credential of programs, for the service at audience.
func BearerCredential(r *http.Request, audience string) agent.Credential {
	return agent.Credential{Token: Bearer(r), Audience: audience}
}

// SessionCredential is the credential of pages and the API they call: a bearer
// token when one is sent, else the session.
func SessionCredential(r *http.Request, audience string) agent.Credential {
	c := BearerCredential(r, audience)
	if c.Token == "" && r.Header.Get("Authorization") == "" {
		c.SessionID = Session(r)
	}
	return c
}

// Lang reads Accept-Language: "en" when English is preferred over Chinese, else "zh".
func Lang(r *http.Request) string {
	if asked := AskedLang(r); asked != "" {
		return asked
	}
	return "zh"
}

// AskedLang is "zh" or "en" when Accept-Language names one of them, else "": the
// account behind the call may then have a language of its own.
func AskedLang(r *http.Request) string {
	header := r.Header.Get("Accept-Language")
	if header == "" || len(header) > 200 {
		return ""
	}
	tags, _, err := language.ParseAcceptLanguage(header)
	if err != nil {
		return ""
	}
	for _, t := range tags {
		switch base, _ := t.Base(); base.String() {
		case "zh":
			return "zh"
		case "en":
			return "en"
		}
	}
	return ""
}
