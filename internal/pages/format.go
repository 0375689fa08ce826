package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/order"
	"thhotel/internal/sheet"
)

func (s *site) funcs(texts catalogue) template.FuncMap {
	return template.FuncMap{
		"t":      texts.text,
		"code":   texts.code,
		"icon":   icon,
		"asset":  s.assets.url,
		"pretty": pretty,
		"join":   strings.Join,
		"money":  money,
		"size":   size,
		"num":    number,
		"short":  short,
		"human":  texts.human,
		"names":  texts.names,
		"more":   func(list []string, shown int) int { return max(0, len(list)-shown) },
		"dict":   dict,
		"table":  sheet.Named,
		"inc":    func(i int) int { return i + 1 },
	}
}

// names translates a list of codes; two codes of one name are shown once.
func (c catalogue) names(prefix string, codes []string) []string {
	var out []string
	for _, code := range codes {
		if name := c.code(prefix, code); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// human shows a JSON object or list the way a person would write it down; any
// other text stays as it is.
func (c catalogue) human(text string) string {
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return text
	}
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	return c.spoken(v)
}

func (c catalogue) spoken(v any) string {
	var parts []string
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if s := c.spoken(v[k]); s != "" {
				parts = append(parts, c.code("field", k)+" "+s)
			}
		}
		return strings.Join(parts, ", ")
	case []any:
		for _, e := range v {
			parts = append(parts, c.spoken(e))
		}
		return strings.Join(parts, "; ")
	case nil:
		return ""
	}
	return fmt.Sprint(v)
}

// dict lets a template hand several values to another.
func dict(pairs ...any) (map[string]any, error) {
	if len(pairs)%2 != 0 {
		return nil, fmt.Errorf("dict needs pairs")
	}
	m := make(map[string]any, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		m[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return m, nil
}

// number prints an optional count; "" when it is unknown.
func number(n *int) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}

// zeroDecimal and threeDecimal currencies have another number of minor digits than two.
const (
	zeroDecimal  = " JPY KRW VND CLP ISK UGX XAF XOF XPF "
	threeDecimal = " BHD IQD JOD KWD LYD OMR TND "
)

// money prints minor units as "25,440.00 THB".
func money(minor int64, currency string) string {
	digits := 2
	switch {
	case currency != "" && strings.Contains(zeroDecimal, " "+currency+" "):
		digits = 0
	case currency != "" && strings.Contains(threeDecimal, " "+currency+" "):
		digits = 3
	}
	sign := ""
	if minor < 0 {
		sign, minor = "-", -minor
	}
	s := fmt.Sprintf("%0*d", digits+1, minor)
	whole, rest := s[:len(s)-digits], s[len(s)-digits:]
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if digits > 0 {
		whole += "." + rest
	}
	return strings.TrimSpace(sign + whole + " " + currency)
}

func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// short is the end of an id: enough to tell neighbours apart.
func short(id string) string {
	if len(id) > 8 {
		return id[len(id)-8:]
	}
	return id
}

// pretty indents JSON for reading; what is no JSON is shown as it is.
func pretty(raw any) string {
	var b []byte
	switch r := raw.(type) {
	case json.RawMessage:
		b = r
	case string:
		b = []byte(r)
	default:
		var err error
		if b, err = json.Marshal(raw); err != nil {
			return fmt.Sprint(raw)
		}
	}
	var out bytes.Buffer
	if err := json.Indent(&out, b, "", "  "); err != nil {
		return string(b)
	}
	return out.String()
}

// At is a moment in the hotel's zone.
func (v *visit) At(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(v.Hotel.Location()).Format("2006-01-02 15:04")
}

// Clock is At without the date when that is today.
func (v *visit) Clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	l, n := t.In(v.Hotel.Location()), v.now.In(v.Hotel.Location())
	switch {
	case l.Format(time.DateOnly) == n.Format(time.DateOnly):
		return l.Format("15:04")
	case l.Year() == n.Year():
		return l.Format("01-02 15:04")
	}
	return l.Format("2006-01-02 15:04")
}

// HotelClock is the time of day at the hotel.
func (v *visit) HotelClock() string { return v.now.In(v.Hotel.Location()).Format("01-02 15:04") }

// Ago is an age in the coarsest unit that still says something.
func (v *visit) Ago(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return v.span(v.now.Sub(t))
}

// Took is a duration for people.
func (v *visit) Took(d time.Duration) string { return v.span(d) }

func (v *visit) span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return v.T("span.now")
	case d < time.Hour:
		return v.T("span.minutes", int(d.Minutes()))
	case d < 48*time.Hour:
		return v.T("span.hours", int(d.Hours()))
	}
	return v.T("span.days", int(d.Hours()/24))
}

// due is how a card's clock stands: a style, a short text, and what is left.
type due struct{ Class, Text, Left string }

// Due says how a card's clock stands. A paused one shows what it waits for.
func (v *visit) Due(c order.CardBrief) due {
	state, left := c.Clock(v.now)
	switch state {
	case order.ClockStopped:
		return due{Class: "dim", Text: "–"}
	case order.ClockPaused:
		return due{"dim", v.T("due.paused", v.Clock(c.WaitingUntil)), v.T("due.left", v.span(max(left, 0)))}
	case order.ClockOverdue:
		return due{"late", v.T("due.late", v.span(-left)), v.T("due.was", v.Clock(c.DueAt))}
	}
	d := due{"", v.Clock(c.DueAt), v.T("due.left", v.span(left))}
	if left < time.Hour {
		d.Class = "soon"
	}
	return d
}

// Past reports whether a moment, if set, is over.
func (v *visit) Past(t time.Time) bool { return t.Before(v.now) }

// Permissions that templates ask about by name.
var byName = map[string]access.Permission{
	"decide": access.CardDecide, "takeover": access.CardTakeOver, "correct": access.OrderCorrect, "payment": access.PaymentConfirm,
	"notice": access.NoticeHandle, "original": access.MessageOriginal, "body": access.MessageBodyRead, "import": access.MessageImport,
	"agent": access.AgentReview, "tools": access.ToolAdmin, "credentials": access.CredentialAdmin, "audit": access.AuditRead,
	"hotel": access.HotelAdmin, "staff": access.StaffAdmin,
}

// Can hides what the person may not do; the services refuse it all the same.
func (v *visit) Can(name string) bool { return v.By.Can(byName[name]) }
