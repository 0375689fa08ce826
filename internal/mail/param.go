package mail

import (
	"strconv"
	"strings"
)

// plainParams reads "name=value; name=value" as it stands: quotes are undone, no
// charset is, and the first of two of one name counts.
func plainParams(s string) map[string]string {
	out := map[string]string{}
	for s != "" && len(out) < 200 {
		var one string
		one, s = cutParam(s)
		name, value, ok := strings.Cut(one, "=")
		name = strings.ToLower(strings.TrimSpace(name))
		if _, twice := out[name]; !ok || twice || name == "" {
			continue
		}
		out[name] = unquoted(strings.TrimSpace(value))
	}
	return out
}

// cutParam cuts at the next semicolon outside quotes.
func cutParam(s string) (one, rest string) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quoted:
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == ';' && !quoted:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

func unquoted(s string) string {
	if len(s) < 2 || s[0] != '"' {
		return s
	}
	s = strings.TrimSuffix(s[1:], `"`)
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\') {
			i++
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// fileName reads a name as RFC 2231, RFC 2047 and mere habit write it. The pieces
// of a long name are bytes of one charset, so they are joined before decoding.
func fileName(header, name string, tolerant map[string]string) string {
	_, rest, _ := strings.Cut(header, ";")
	params := plainParams(rest)
	if value, ok := params[name+"*"]; ok {
		return extended(value, nil)
	}
	first, isExtended := params[name+"*0*"]
	if !isExtended {
		first = params[name+"*0"]
	}
	if first != "" {
		var more []string
		for i := 1; i < 100; i++ {
			piece, ok := params[name+"*"+strconv.Itoa(i)+"*"]
			if ok {
				piece = percent(piece)
			} else if piece, ok = params[name+"*"+strconv.Itoa(i)]; !ok {
				break
			}
			more = append(more, piece)
		}
		if isExtended {
			return extended(first, more)
		}
		return decodeWords(first + strings.Join(more, ""))
	}
	if value := params[name]; value != "" && !strings.ContainsAny(value, "\"") {
		return decodeWords(value)
	}
	return decodeWords(tolerant[name])
}

// extended reads charset'language'percent-encoded text.
func extended(value string, more []string) string {
	charset, text, ok := strings.Cut(value, "'")
	if _, rest, has := strings.Cut(text, "'"); ok && has {
		text = rest
	} else {
		charset, text = "", value
	}
	name, _ := decodeCharset([]byte(percent(text)+strings.Join(more, "")), charset, false)
	return decodeWords(name)
}

func percent(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, ok1 := hexDigit(s[i+1])
			lo, ok2 := hexDigit(s[i+2])
			if ok1 && ok2 {
				out.WriteByte(hi<<4 | lo)
				i += 2
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}
