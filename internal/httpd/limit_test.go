package httpd_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"thhotel/internal/clock"
	"thhotel/internal/httpd"
	"thhotel/internal/testkit"
)

func TestRateLimitPerCredential(t *testing.T) {
	now := testkit.Now
	e := httpd.New(httpd.Options{Clock: clock.Moving(func() time.Time { return now }), Rate: httpd.Rate{PerSecond: 0.5, Burst: 2, Keys: 3}})
	e.GET("/", func(c *gin.Context) { c.Status(http.StatusNoContent) })
	call := func(token string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "http://localhost/", nil)
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		return w
	}
	for i := range 2 {
		if w := call("a"); w.Code != http.StatusNoContent {
			t.Fatalf("call %d: %d", i, w.Code)
		}
	}
	w := call("a")
	if w.Code != http.StatusTooManyRequests || codeIn(t, w.Body.Bytes()) != httpd.CodeRateLimited {
		t.Fatalf("third call: %d %s", w.Code, w.Body)
	}
	wait, err := strconv.Atoi(w.Header().Get("Retry-After"))
	if err != nil || wait != 2 {
		t.Fatalf("Retry-After %q, want 2", w.Header().Get("Retry-After"))
	}
	if w := call("b"); w.Code != http.StatusNoContent {
		t.Errorf("another credential is limited too: %d", w.Code)
	}
	now = now.Add(time.Duration(wait) * time.Second)
	if w := call("a"); w.Code != http.StatusNoContent {
		t.Errorf("after Retry-After: %d", w.Code)
	}
}

// TestRefusedCredentialsAreLimited: every guess is another token, so the
// per-credential table alone would never stop guessing.
func TestRefusedCredentialsAreLimited(t *testing.T) {
	e := httpd.New(httpd.Options{Clock: testkit.Clock(), Rate: httpd.Rate{Failures: 3, Keys: 100}})
	e.GET("/", func(c *gin.Context) { httpd.Refuse(c.Writer, c.Request, httpd.ErrUnauthenticated()) })
	codes := map[int]int{}
	for i := range 10 {
		r := httptest.NewRequest(http.MethodGet, "http://localhost/", nil)
		r.Header.Set("Authorization", "Bearer guess-"+strconv.Itoa(i))
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		codes[w.Code]++
	}
	if codes[401] != 3 || codes[429] != 7 {
		t.Errorf("got %v, want 3 refusals and then 429", codes)
	}
}

func TestCredential(t *testing.T) {
	cases := []struct {
		name           string
		authorization  []string
		cookie         string
		bearer, sessID string
	}{
		{"bearer", []string{"Bearer thh_x"}, "", "thh_x", ""},
		{"scheme in any case", []string{"bearer thh_x"}, "", "thh_x", ""},
		{"basic", []string{"Basic eDp5"}, "", "", ""},
		{"two headers", []string{"Bearer a", "Bearer b"}, "", "", ""},
		{"session", nil, "s1", "", "s1"},
		{"a bad header never falls back to the session", []string{"Basic eDp5"}, "s1", "", ""},
		{"bearer before session", []string{"Bearer thh_x"}, "s1", "thh_x", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			for _, a := range c.authorization {
				r.Header.Add("Authorization", a)
			}
			if c.cookie != "" {
				r.AddCookie(&http.Cookie{Name: httpd.SessionCookie(false), Value: c.cookie})
			}
			got := httpd.SessionCredential(r, "/mcp")
			if got.Token != c.bearer || got.SessionID != c.sessID || got.Audience != "/mcp" {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestLang(t *testing.T) {
	for header, want := range map[string]string{"": "zh", "en": "en", "en-GB,zh;q=0.5": "en", "zh-CN,en;q=0.9": "zh", "fr,en;q=0.3": "en", "fr": "zh", "bad;;q": "zh"} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Language", header)
		if got := httpd.Lang(r); got != want {
			t.Errorf("%q: got %s, want %s", header, got, want)
		}
	}
}

func TestCheckJSON(t *testing.T) {
	deep := func(n int) string {
		s := ""
		for range n {
			s += "["
		}
		for range n {
			s += "]"
		}
		return s
	}
	cases := map[string]bool{
		`{"a":1}`: true, ` [1,2] `: true, `"x"`: true, `null`: true, `{"a":1,"A":2}`: true, deep(8): true,
		``: false, `{`: false, `{"a":1,"a":2}`: false, `{"a":{"b":1,"b":2}}`: false, `{"a":1,"\u0061":2}`: false, `{} {}`: false, `{}x`: false,
		"\xef\xbb\xbf{}": false, "\"\xff\"": false, `"\ud800"`: false, `NaN`: false, `{'a':1}`: false, `[1,]`: false, deep(9): false,
		`1e308`: true, `1e309`: false, `{"a":[-1E999]}`: false, "1" + strings.Repeat("0", 308): true, "2" + strings.Repeat("0", 308): false, `1e-999`: true,
	}
	for doc, want := range cases {
		if err := httpd.CheckJSON([]byte(doc), 8); (err == nil) != want {
			t.Errorf("%q: got %v, want ok=%v", doc, err, want)
		}
	}
}

func FuzzCheckJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,"\ud83d\ude00"]}`, `{"a":1,"a":2}`, "\xff", `[[[[`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if httpd.CheckJSON(b, 16) != nil {
			return
		}
		var v any
		if err := httpd.DecodeJSON(b, &v); err != nil {
			t.Errorf("accepted and then refused: %q: %v", b, err)
		}
	})
}
