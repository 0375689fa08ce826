package rest_test

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/rest"
)

const opera = "/api/integrations/opera/projections"

func violations(t *testing.T, a answer) []string {
	t.Helper()
	var out []string
	list, _ := a.Error.Details["violations"].([]any)
	for _, v := range list {
		m, _ := v.(map[string]any)
		out = append(out, fmt.Sprint(m["path"])+" "+fmt.Sprint(m["message"]))
	}
	if len(out) == 0 {
		t.Errorf("no violations in %s", a.raw)
	}
	return out
}

// TestRefusalsSpeakTheCallersLanguage: message and every violation, at every route.
func TestRefusalsSpeakTheCallersLanguage(t *testing.T) {
	k := newKit(t)
	for name, c := range map[string]struct {
		role       access.Role
		path, body string
	}{
		"delivery, types":     {access.RoleMailBus, rest.DeliveryPath, `{"source":{"external_message_id":7},"subject":[]}`},
		"delivery, values":    {access.RoleMailBus, rest.DeliveryPath, `{"source":{"external_message_id":"","provider":"a b"},"sent_at":"x"}`},
		"projections, types":  {access.RoleOperaFeed, opera, `{"projections":[{"kind":7},{}]}`},
		"projections, values": {access.RoleOperaFeed, opera, `{"projections":[{"kind":"RESERVATION","arrival_date":"2026-02-30"}]}`},
		"projections, time":   {access.RoleOperaFeed, opera, `[{"kind":"RESERVATION","reservation_no":"1","as_of":"x"}]`},
		"tool":                {agentRole, "/api/kit/v1/kit_read", `{"text":1,"x":2}`},
		"not JSON":            {access.RoleMailBus, rest.DeliveryPath, `{`},
		"forbidden":           {agentRole, rest.DeliveryPath, `{"source":{"external_message_id":"x"}}`},
	} {
		for lang, chinese := range map[string]bool{"zh-CN": true, "en": false, "": true} {
			a := k.as(t, c.role, c.path, c.body, "Accept-Language", lang)
			if a.status < 400 || a.status > 403 || a.Error == nil {
				t.Errorf("%s: %d %s", name, a.status, a.raw)
				continue
			}
			texts := []string{a.Error.Message}
			if name != "not JSON" && name != "forbidden" && name != "projections, time" {
				texts = append(texts, violations(t, a)...)
			}
			for _, text := range texts {
				if strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) != chinese {
					t.Errorf("%s in %q: %s", name, lang, text)
				}
			}
		}
	}
}

// TestSizes: a route takes what it promises and refuses more in clear words. The
// sizes are those of the whole request body.
func TestSizes(t *testing.T) {
	k := newKit(t)
	random := make([]byte, 16<<20)
	if _, err := rand.Read(random); err != nil {
		t.Fatal(err)
	}
	mail := func(id string, total int) string {
		head := `{"source":{"external_message_id":"` + id + `"},"subject":"s","attachments":[{"id":"a","name":"a.bin","content_base64":"`
		size := (total - len(head) - len(`"}]}`)) / 4 * 3
		return head + base64.StdEncoding.EncodeToString(random[:size]) + `"}]}`
	}
	for _, c := range []struct {
		name, path, body string
		role             access.Role
		status           int
	}{
		{"a mail of 12 MiB", rest.DeliveryPath, mail("m-12", 12<<20), access.RoleMailBus, 200},
		{"a mail of 41 MiB", rest.DeliveryPath, `{"x":"` + strings.Repeat("x", 41<<20) + `"}`, access.RoleMailBus, 413},
		{"projections of 11 MiB", opera, `{"x":"` + strings.Repeat("x", 11<<20) + `"}`, access.RoleOperaFeed, 413},
	} {
		a := k.as(t, c.role, c.path, c.body)
		if a.status != c.status {
			t.Errorf("%s: %d %.300s, want %d", c.name, a.status, a.raw, c.status)
		}
		if c.status == 413 && (a.code() != "MCP_REQUEST_BODY_TOO_LARGE" || a.Error.Details["limit_bytes"] == nil) {
			t.Errorf("%s: %.300s", c.name, a.raw)
		}
	}
	if a := k.send(t, http.MethodPost, rest.DeliveryPath, mail("m-x", 20<<20), "Authorization", "Bearer thh_unknown"); a.status != 401 {
		t.Errorf("a stranger's large mail: %d", a.status)
	}
}

// TestDeliveryAnswer: the answer is the stored state, as the description says.
func TestDeliveryAnswer(t *testing.T) {
	k := newKit(t)
	var doc struct {
		Components struct{ Schemas map[string]json.RawMessage }
	}
	if err := json.Unmarshal(k.send(t, http.MethodGet, "/openapi.json", "").raw, &doc); err != nil {
		t.Fatal(err)
	}
	fits := func(name string, body []byte) {
		t.Helper()
		s, err := agent.CompileSchema(doc.Components.Schemas[name])
		if err != nil {
			t.Fatal(err)
		}
		if wrong := s.Validate(body); len(wrong) > 0 {
			t.Errorf("%s: %v in %s", name, wrong, body)
		}
	}
	raw := base64.StdEncoding.EncodeToString([]byte("From: a@a.example\r\nMessage-ID: <1@a.example>\r\n\r\nhello"))
	for name, c := range map[string]struct{ body, want string }{
		"text":       {`{"source":{"external_message_id":"e1"},"text_body":"hi","attachments":[{"id":"a","size":3},{"name":"b.txt","content_base64":"YQ=="}]}`, `"original_format":"BUS_JSON"`},
		"whole mail": {`{"source":{"channel":"OUTLOOK","external_message_id":"e2"},"raw_mime_base64":"` + raw + `"}`, `"external_conversation_id":"\u003c1@a.example\u003e"`},
		"no mail":    {`{"source":{"external_message_id":"e3"},"raw_mime_base64":"AAECAw=="}`, `"UNPARSEABLE"`},
		"empty":      {`{"source":{"external_message_id":"e4"}}`, `"html_render_mode":"NONE"`},
	} {
		fits("Delivery", []byte(c.body))
		a := k.as(t, access.RoleMailBus, rest.DeliveryPath, c.body)
		if a.status != 200 || !strings.Contains(string(a.raw), c.want) {
			t.Errorf("%s: %d %s, want %s in it", name, a.status, a.raw, c.want)
		}
		fits("Delivery.output", a.raw)
	}
	a := k.as(t, access.RoleMailBus, rest.DeliveryPath, `{"source":{"external_message_id":"e4"},"subject":"other"}`)
	if a.status != 409 || a.code() != "SOURCE_MESSAGE_CONFLICT" || a.Error.Details["message_id"] == nil {
		t.Errorf("other content under a known id: %d %s", a.status, a.raw)
	}
	fits("Delivery.output", a.raw)
	p := k.as(t, access.RoleOperaFeed, opera, `{"projections":[{"kind":"BLOCK","group_code":"G1","room_items":[{"room_type_code":"DLXT","room_count":3}]}]}`)
	if p.status != 200 {
		t.Errorf("projections: %d %s", p.status, p.raw)
	}
	fits("Projections.output", p.raw)
}

// TestSignedBesideToken: who claims a signature must have a right one.
func TestSignedBesideToken(t *testing.T) {
	k := newKit(t)
	const path, body = "/api/kit/v1/kit_read", `{"text":"a"}`
	p, stranger := k.partner(t, agentRole), k.partner(t, access.RoleMailBus)
	token := []string{"Authorization", "Bearer " + k.tokens[agentRole]}
	wrong := p.headers(t, "m-1", `{"text":"b"}`)
	for name, c := range map[string]struct {
		set    []string
		status int
		reason string
	}{
		"right, and a token":            {append(p.headers(t, "m-2", body), token...), 200, ""},
		"wrong, and a token":            {append(wrong, token...), 401, "SIGNATURE_MISMATCH"},
		"another account's":             {append(stranger.headers(t, "m-3", body), token...), 401, "CREDENTIALS_DIFFER"},
		"right, and a wrong token":      {append(p.headers(t, "m-4", body), "Authorization", "Bearer thh_x"), 401, ""},
		"right, and Basic":              {append(p.headers(t, "m-5", body), "Authorization", "Basic eDp5"), 401, ""},
		"a partner's name and a token":  {append([]string{"X-Partner-Id", p.id}, token...), 200, ""},
		"signature only, and a token":   {append([]string{"Webhook-Signature", "v1,AAAA"}, token...), 401, "HEADERS_INCOMPLETE"},
		"right, with blanks around":     {spaced(p.headers(t, "m-6", body)), 200, ""},
		"several, one right":            {several(p.headers(t, "m-7", body)), 200, ""},
		"several, one no base64":        {broken(p.headers(t, "m-8", body)), 200, ""},
		"signed, content type of forms": {append(p.headers(t, "m-9", body), "Content-Type", "application/x-www-form-urlencoded"), 415, ""},
	} {
		a := k.send(t, http.MethodPost, path, body, c.set...)
		if a.status != c.status || c.reason != "" && (a.code() != "AUTH_SIGNATURE_INVALID" || a.Error.Details["reason"] != c.reason) {
			t.Errorf("%s: %d %s, want %d %s", name, a.status, a.raw, c.status, c.reason)
		}
	}
	first := k.send(t, http.MethodPost, path, body, append(p.headers(t, "m-2", body), token...)...)
	if first.header.Get("X-Replayed") != "true" {
		t.Errorf("a signed repeat beside a token ran again: %s", first.raw)
	}
}

func spaced(set []string) []string { return edit(set, func(s string) string { return "  " + s + " " }) }
func several(set []string) []string {
	return edit(set, func(s string) string { return "v1,AAAA v2,xx " + s })
}
func broken(set []string) []string {
	return edit(set, func(s string) string { return "v1,%%% , v1 " + s })
}
func edit(set []string, f func(string) string) []string {
	set[len(set)-1] = f(set[len(set)-1])
	return set
}

// TestRepeatedSignatureHeaders: two readers could take different ones.
func TestRepeatedSignatureHeaders(t *testing.T) {
	k := newKit(t)
	p := k.partner(t, agentRole)
	const body = `{"text":"a"}`
	for _, name := range []string{"X-Partner-Id", "Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"} {
		r, err := http.NewRequest(http.MethodPost, k.url+"/api/kit/v1/kit_read", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		set := p.headers(t, "m-"+name, body)
		for i := 0; i < len(set); i += 2 {
			r.Header.Set(set[i], set[i+1])
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Add(name, r.Header.Get(name))
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != 401 {
			t.Errorf("%s twice: %d, want 401", name, res.StatusCode)
		}
	}
}

// TestReplayIsByteForByte: a seen id is answered from the database, status and
// body as they were, refusals included, though the message was processed once.
func TestReplayIsByteForByte(t *testing.T) {
	k := newKit(t)
	p := k.partner(t, access.RoleMailBus)
	for i, body := range []string{`{"source":{"external_message_id":"r1"},"text_body":"hi"}`, `{"source":{}}`, `{"source":{"external_message_id":"r1"},"text_body":"other"}`} {
		id := "m-" + strconv.Itoa(i)
		first := k.send(t, http.MethodPost, rest.DeliveryPath, body, p.headers(t, id, body)...)
		for range 2 {
			again := k.send(t, http.MethodPost, rest.DeliveryPath, body, p.headers(t, id, body)...)
			if first.status != 200 { // a refusal is not an answer that was earned: it may be judged again
				if again.status != first.status || again.code() != first.code() {
					t.Errorf("%s: %d %s, then %d %s", body, first.status, first.raw, again.status, again.raw)
				}
				continue
			}
			if again.status != first.status || string(again.raw) != string(first.raw) || again.header.Get("X-Replayed") != "true" ||
				again.header.Get("Content-Type") != first.header.Get("Content-Type") {
				t.Errorf("%d %s\n%d %s", first.status, first.raw, again.status, again.raw)
			}
		}
	}
	old := time.Now().Add(-6 * time.Minute)
	body := `{"source":{"external_message_id":"r1"},"text_body":"hi"}`
	set := p.headersAt(t, "m-0", body, old)
	if a := k.send(t, http.MethodPost, rest.DeliveryPath, body, set...); a.status != 401 || a.Error.Details["reason"] != "TIMESTAMP_OUTSIDE_WINDOW" {
		t.Errorf("a seen id outside the window: %d %s", a.status, a.raw)
	}
}
