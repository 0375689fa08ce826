package httpd_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"thhotel/internal/clock"
	"thhotel/internal/fault"
	"thhotel/internal/httpd"
)

// serve starts a real server: the drain and the timeouts only exist there.
func serve(t *testing.T, o httpd.Options, mount func(*gin.Engine)) *httptest.Server {
	t.Helper()
	o.Clock = clock.Real()
	e := httpd.New(o)
	if mount != nil {
		mount(e)
	}
	s := httptest.NewServer(e)
	t.Cleanup(s.Close)
	return s
}

func do(t *testing.T, r *http.Request) (*http.Response, []byte) {
	t.Helper()
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, b
}

func get(t *testing.T, url string, set ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(set); i += 2 {
		if set[i] == "Host" {
			r.Host = set[i+1]
		}
		r.Header.Set(set[i], set[i+1])
	}
	return r
}

func codeIn(t *testing.T, body []byte) string {
	t.Helper()
	var f httpd.Failed
	if err := json.Unmarshal(body, &f); err != nil {
		t.Fatalf("not an envelope: %v: %s", err, body)
	}
	if f.Success || f.RequestID == "" || f.TraceID == "" || f.Error.Message == "" || f.Error.Details == nil {
		t.Errorf("incomplete envelope: %s", body)
	}
	return f.Error.Code
}

func TestStatusIsTotal(t *testing.T) {
	want := map[fault.Kind]int{fault.Internal: 500, fault.Invalid: 400, fault.Unauthenticated: 401, fault.Forbidden: 403, fault.NotFound: 404,
		fault.Conflict: 409, fault.Unprocessable: 422, fault.TooLarge: 413, fault.Limited: 429, fault.Unavailable: 503}
	for k := fault.Internal; k <= fault.Unavailable; k++ {
		if got := httpd.Status(k); got != want[k] || got == 0 {
			t.Errorf("kind %d: got %d, want %d", k, got, want[k])
		}
	}
}

func TestLanguage(t *testing.T) {
	for header, want := range map[string][2]string{
		"": {"", "zh"}, "en": {"en", "en"}, "en-GB,zh;q=0.5": {"en", "en"}, "zh-CN, en": {"zh", "zh"}, "th": {"", "zh"}, "th, en;q=0.1": {"en", "en"},
		"*": {"", "zh"}, ";;": {"", "zh"}, strings.Repeat("en,", 100): {"", "zh"},
	} {
		r := get(t, "http://hotel.example/", "Accept-Language", header)
		if asked, lang := httpd.AskedLang(r), httpd.Lang(r); asked != want[0] || lang != want[1] {
			t.Errorf("%q: asked %q, spoken %q, want %q", header, asked, lang, want)
		}
	}
}

func TestTraceIDs(t *testing.T) {
	s := serve(t, httpd.Options{}, func(e *gin.Engine) {
		e.GET("/", func(c *gin.Context) { httpd.WriteJSON(c.Writer, 200, httpd.TraceOf(c.Request.Context())) })
	})
	const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	cases := []struct {
		name         string
		headers      []string
		request      string // "" means a new one
		trace        string
		wantLenTrace int
	}{
		{"caller's own", []string{"X-Request-Id", "req-1", "X-Trace-Id", "t-1"}, "req-1", "t-1", 0},
		{"traceparent wins", []string{"Traceparent", parent, "X-Trace-Id", "t-1"}, "", "0af7651916cd43dd8448eb211c80319c", 0},
		{"malformed traceparent", []string{"Traceparent", "00-zz-1-1", "X-Trace-Id", "t-1"}, "", "t-1", 0},
		{"zero traceparent", []string{"Traceparent", "00-00000000000000000000000000000000-b7ad6b7169203331-01"}, "", "", 32},
		{"insane request id", []string{"X-Request-Id", "a b\"<c>"}, "", "", 32},
		{"long request id", []string{"X-Request-Id", strings.Repeat("a", 65)}, "", "", 32},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			res, body := do(t, get(t, s.URL+"/", c.headers...))
			var got struct{ RequestID, TraceID string }
			if err := json.Unmarshal(body, &got); err != nil {
				t.Fatal(err)
			}
			if c.request != "" && got.RequestID != c.request || c.request == "" && !strings.HasPrefix(got.RequestID, "req-") {
				t.Errorf("request id %q, want %q", got.RequestID, c.request)
			}
			if c.trace != "" && got.TraceID != c.trace || c.trace == "" && len(got.TraceID) != c.wantLenTrace {
				t.Errorf("trace id %q, want %q", got.TraceID, c.trace)
			}
			if res.Header.Get("X-Request-Id") != got.RequestID || res.Header.Get("X-Trace-Id") != got.TraceID {
				t.Errorf("headers do not echo: %v", res.Header)
			}
		})
	}
}

func TestHostAndOrigin(t *testing.T) {
	s := serve(t, httpd.Options{TrustedHosts: []string{"hotel.example"}, TrustedOrigins: []string{"https://desk.example"}}, func(e *gin.Engine) {
		e.GET("/", func(c *gin.Context) { c.Status(http.StatusNoContent) })
	})
	port := s.URL[strings.LastIndex(s.URL, ":"):]
	cases := []struct {
		name, host, origin string
		code               string
	}{
		{"ip literal", "127.0.0.1" + port, "", ""},
		{"ipv6 literal", "[::1]" + port, "", ""},
		{"localhost", "localhost" + port, "", ""},
		{"listed", "hotel.example", "", ""},
		{"listed, upper case and port", "HOTEL.example:8443", "", ""},
		{"rebound", "evil.example" + port, "", httpd.CodeHost},
		{"suffix of a listed name", "xhotel.example", "", httpd.CodeHost},
		{"own origin", "localhost" + port, "http://localhost" + port, ""},
		{"own origin behind TLS", "hotel.example", "https://hotel.example", ""},
		{"listed origin", "hotel.example", "https://desk.example", ""},
		{"foreign origin", "localhost" + port, "http://evil.example", httpd.CodeOrigin},
		{"other port", "localhost" + port, "http://localhost:1", httpd.CodeOrigin},
		{"null origin", "localhost" + port, "null", httpd.CodeOrigin},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			set := []string{"Host", c.host}
			if c.origin != "" {
				set = append(set, "Origin", c.origin)
			}
			res, body := do(t, get(t, s.URL+"/", set...))
			if c.code == "" && res.StatusCode != http.StatusNoContent {
				t.Fatalf("got %d %s, want 204", res.StatusCode, body)
			}
			if c.code != "" && (res.StatusCode != http.StatusForbidden || codeIn(t, body) != c.code) {
				t.Fatalf("got %d %s, want 403 %s", res.StatusCode, body, c.code)
			}
		})
	}
}

func TestPanicAndUnknownPathAreEnvelopes(t *testing.T) {
	var logged bytes.Buffer
	s := serve(t, httpd.Options{Log: slog.New(slog.NewJSONHandler(&logged, nil))}, func(e *gin.Engine) {
		e.GET("/panic", func(*gin.Context) { panic("secret detail") })
	})
	res, body := do(t, get(t, s.URL+"/panic?q=hidden-value", "Authorization", "Bearer thh_secret-token"))
	if res.StatusCode != 500 || codeIn(t, body) != httpd.CodeInternal || bytes.Contains(body, []byte("secret")) {
		t.Errorf("panic: %d %s", res.StatusCode, body)
	}
	res, body = do(t, get(t, s.URL+"/nowhere", "Accept-Language", "en"))
	if res.StatusCode != 404 || codeIn(t, body) != httpd.CodeNoRoute || !bytes.Contains(body, []byte("nothing at this address")) {
		t.Errorf("unknown path: %d %s", res.StatusCode, body)
	}
	r := get(t, s.URL+"/panic")
	r.Method = http.MethodDelete
	if res, body = do(t, r); res.StatusCode != 405 || res.Header.Get("Allow") != http.MethodGet || codeIn(t, body) != httpd.CodeRequestInvalid {
		t.Errorf("method: %d %s", res.StatusCode, body)
	}
	for _, never := range []string{"hidden-value", "thh_secret"} {
		if strings.Contains(logged.String(), never) {
			t.Errorf("the log holds %q: %s", never, logged.String())
		}
	}
	if !strings.Contains(logged.String(), `"route":"/panic"`) || !strings.Contains(logged.String(), "secret detail") {
		t.Errorf("the log lacks the request or the panic: %s", logged.String())
	}
}

func TestBodyLimit(t *testing.T) {
	const limit = 1 << 20
	s := serve(t, httpd.Options{MaxBody: limit, BodyLimits: map[string]int64{"/big": 4 * limit}}, func(e *gin.Engine) {
		read := func(c *gin.Context) {
			b, err := httpd.ReadBody(c.Request)
			if err != nil {
				httpd.Refuse(c.Writer, c.Request, fault.As(err))
				return
			}
			httpd.WriteJSON(c.Writer, 200, len(b))
		}
		e.POST("/", read)
		e.POST("/big", read)
	})
	cases := []struct {
		name, path string
		size       int
		chunked    bool
		status     int
	}{
		{"at the limit", "/", limit, false, 200},
		{"one over", "/", limit + 1, false, 413},
		{"one over, chunked", "/", limit + 1, true, 413},
		{"far over: the client still reads the answer", "/", 24 << 20, false, 413},
		{"far over, chunked", "/", 24 << 20, true, 413},
		{"a path with a limit of its own", "/big", 4 * limit, true, 200},
		{"empty", "/", 0, false, 200},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			body := io.Reader(bytes.NewReader(bytes.Repeat([]byte("x"), c.size)))
			if c.chunked {
				body = io.MultiReader(body) // hides the length
			}
			r, err := http.NewRequest(http.MethodPost, s.URL+c.path, body)
			if err != nil {
				t.Fatal(err)
			}
			res, got := do(t, r)
			if res.StatusCode != c.status {
				t.Fatalf("got %d %s, want %d", res.StatusCode, got, c.status)
			}
			if c.status == 413 && codeIn(t, got) != httpd.CodeBodyTooLarge {
				t.Errorf("got %s", got)
			}
		})
	}
}

// TestExpectContinue: a client that asks first is refused before it sends.
func TestExpectContinue(t *testing.T) {
	s := serve(t, httpd.Options{MaxBody: 10}, func(e *gin.Engine) { e.POST("/", func(*gin.Context) {}) })
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n")
	b := make([]byte, 64)
	n, _ := conn.Read(b)
	if got := string(b[:n]); !strings.HasPrefix(got, "HTTP/1.1 413") {
		t.Errorf("got %q, want 413 at once", got)
	}
}
