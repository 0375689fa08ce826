package agent

import (
	"encoding/json"
	"unicode/utf16"
	"unicode/utf8"
)

// text reads a string and returns what stands between its quotes, and whether
// that is free of escapes. UTF-8 was checked for the whole document.
func (p *scanner) text() (raw []byte, plain, ok bool) {
	p.pos++
	start := p.pos
	plain = true
	for p.pos < len(p.doc) {
		switch c := p.doc[p.pos]; {
		case c == '"':
			p.pos++
			return p.doc[start : p.pos-1], plain, true
		case c == '\\':
			plain = false
			if !p.escape() {
				return nil, false, false
			}
		case c < 0x20:
			return nil, false, p.broken(syntax)
		default:
			p.pos++
		}
	}
	return nil, false, p.broken(syntax)
}

// escape reads one escape. Half a surrogate pair stands for no character: Go
// would silently turn it into U+FFFD, so it is refused.
func (p *scanner) escape() bool {
	p.pos++
	switch p.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		p.pos++
		return true
	case 'u':
	default:
		return p.broken(syntax)
	}
	r, ok := p.hex()
	if !ok {
		return p.broken(syntax)
	}
	if !utf16.IsSurrogate(r) {
		return true
	}
	if p.take('\\') && p.peek() == 'u' {
		if low, ok := p.hex(); ok && utf16.DecodeRune(r, low) != utf8.RuneError {
			return true
		}
	}
	return p.broken(surrogate)
}

// hex reads uXXXX.
func (p *scanner) hex() (rune, bool) {
	if len(p.doc)-p.pos < 5 {
		return 0, false
	}
	var r rune
	for _, c := range p.doc[p.pos+1 : p.pos+5] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	p.pos += 5
	return r, true
}

// name reads a member's name as the characters it stands for: "a" and "\u0061"
// are the same name.
func (p *scanner) name() ([]byte, bool) {
	raw, plain, ok := p.text()
	if !ok || plain {
		return raw, ok
	}
	return unescape(p.doc[p.pos-len(raw)-2 : p.pos]), true
}

func (p *scanner) str(n *node) bool {
	raw, plain, ok := p.text()
	if !ok || n == nil || n.minLength == 0 && n.maxLength < 0 && n.enum == nil {
		return ok
	}
	if !plain {
		raw = unescape(p.doc[p.pos-len(raw)-2 : p.pos])
	}
	if n.minLength > 0 || n.maxLength >= 0 {
		if c := utf8.RuneCount(raw); (c < n.minLength || n.maxLength >= 0 && c > n.maxLength) && !p.bad(length, n, 0) {
			return false
		}
	}
	if n.enum != nil {
		if _, listed := n.enum.texts[string(raw)]; !listed {
			return p.bad(notListed, n, 0)
		}
	}
	return true
}

// unescape decodes a quoted string that was found well formed.
func unescape(quoted []byte) []byte {
	var s string
	_ = json.Unmarshal(quoted, &s) // checked by text
	return []byte(s)
}
