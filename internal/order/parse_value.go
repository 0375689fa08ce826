package order

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Key is how business keys are stored and compared: trimmed, upper case, full-width
// forms as plain ones, runs of spaces as one, without characters nobody sees. It
// never makes a number of them: leading zeros count.
func Key(s string) string {
	if plainKey(s) {
		return strings.ToUpper(strings.TrimSpace(s))
	}
	s = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Cc) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, norm.NFKC.String(s))
	return strings.ToUpper(strings.Join(strings.Fields(s), " "))
}

func plainKey(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] < ' ' || s[i] == ' ' && i > 0 && s[i-1] == ' ' {
			return false
		}
	}
	return true
}

func key(s string) string { return Key(s) } // the same, inside

func isNull(raw json.RawMessage) bool {
	t := bytes.TrimSpace(raw)
	return len(t) == 0 || bytes.Equal(t, []byte("null"))
}

func (p *parser) object(path string, raw json.RawMessage) (map[string]json.RawMessage, bool) {
	var o map[string]json.RawMessage
	if isNull(raw) || json.Unmarshal(raw, &o) != nil {
		if path != "" {
			p.add(path, codeType, "an object")
		}
		return nil, false
	}
	return o, true
}

// objects reads an array of objects; a wrong element is reported and kept as an
// empty one, so that positions stay those of the package.
func (p *parser) objects(path string, raw json.RawMessage) []map[string]json.RawMessage {
	if isNull(raw) {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		p.add(path, codeType, "an array of objects")
		return nil
	}
	out := make([]map[string]json.RawMessage, len(list))
	for i, raw := range list {
		out[i], _ = p.object(path+"/"+itoa(i), raw)
	}
	return out
}

func (p *parser) text(path string, raw json.RawMessage) string {
	if isNull(raw) {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		p.add(path, codeType, "a string or null")
		return ""
	}
	return strings.TrimSpace(s)
}

func (p *parser) texts(path string, raw json.RawMessage) []string {
	if isNull(raw) {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		p.add(path, codeType, "an array of strings")
		return nil
	}
	var out []string
	for i, raw := range list {
		if s := p.text(path+"/"+itoa(i), raw); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func (p *parser) yes(path string, raw json.RawMessage) bool {
	var b bool
	if !isNull(raw) && json.Unmarshal(raw, &b) != nil {
		p.add(path, codeType, "a boolean or null")
		return true // unreadable: a person looks
	}
	return b
}

// count reads a whole number of at least least; nil when absent or wrong.
func (p *parser) count(path string, raw json.RawMessage, least int) *int {
	if isNull(raw) {
		return nil
	}
	var n int
	if json.Unmarshal(raw, &n) != nil {
		p.add(path, codeType, "an integer or null")
		return nil
	}
	if n < least || n > 100_000 {
		p.add(path, codeValue, "an integer from "+itoa(least)+" to 100000")
	}
	return &n
}

func (p *parser) date(path string, raw json.RawMessage) string {
	s := p.text(path, raw)
	if s != "" && !realDate(s) {
		p.add(path, codeValue, "a real date, YYYY-MM-DD, or null")
	}
	return s
}

func realDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func (p *parser) clockTime(path string, raw json.RawMessage) string {
	s := p.text(path, raw)
	if _, err := time.Parse("15:04", s); s != "" && err != nil {
		p.add(path, codeValue, "a time HH:MM or null")
		return ""
	}
	return s
}

// decimal reads an amount: a string, or a number as it was written (no float).
func (p *parser) decimal(path string, raw json.RawMessage) string {
	var n json.Number
	if t := bytes.TrimSpace(raw); len(t) > 0 && t[0] != '"' && json.Unmarshal(raw, &n) == nil {
		return n.String()
	}
	return p.text(path, raw)
}
