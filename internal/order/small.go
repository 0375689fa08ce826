package order

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// cut shortens to at most n characters: columns have limits, mails have none.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n])
}

// fold makes text comparable: compatibility forms unified, case dropped.
func fold(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.ToLower(norm.NFKC.String(strings.Join(kept, " ")))
}

// like makes a pattern for LIKE … ESCAPE '!' that finds text anywhere.
func like(text string) string {
	return "%" + strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(fold(strings.TrimSpace(text))) + "%"
}

// clone copies all that a change may write through, so that a proposal never
// leaks into the record it is compared with.
func (r Record) clone() Record {
	r.Rooms = slices.Clone(r.Rooms)
	for i := range r.Rooms {
		r.Rooms[i].RateMinor = copied(r.Rooms[i].RateMinor)
	}
	r.Extra = maps.Clone(r.Extra)
	r.Adults, r.Children, r.ReleaseDays = copied(r.Adults), copied(r.Children), copied(r.ReleaseDays)
	r.Policy.Days, r.Policy.Nights = copied(r.Policy.Days), copied(r.Policy.Nights)
	return r
}

func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

// undo writes the fields of a history row's "before" back.
func (r *Record) undo(before string) error {
	var had map[string]json.RawMessage
	if err := json.Unmarshal([]byte(before), &had); err != nil {
		return err
	}
	*r = r.clone()
	if _, ok := had["room_items"]; ok {
		r.Rooms = nil // else old elements show through
	}
	if _, ok := had["extra"]; ok {
		r.Extra = nil
	}
	return json.Unmarshal([]byte(before), r)
}

// policyText reads what a policy usually says: "7 days before arrival, else 1 night".
var policyText = regexp.MustCompile(`(?i)^\s*(\d{1,3})\s*days?\b.*?(?:else|otherwise)\s*(\d{1,3}|one)\s*night`)

// ParsePolicy makes a structured policy of a common sentence; a text it does not
// understand stays text, and the penalty rule says that it was not checked.
func ParsePolicy(text string) Policy {
	p := Policy{Text: text}
	m := policyText.FindStringSubmatch(text)
	if m == nil {
		return p
	}
	days, _ := strconv.Atoi(m[1])
	n := 1
	if !strings.EqualFold(m[2], "one") {
		n, _ = strconv.Atoi(m[2])
	}
	p.Days, p.Nights = &days, &n
	return p
}

// toJSON encodes values that always encode: our own structs and raw JSON that
// was decoded once.
func toJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(b)
}
