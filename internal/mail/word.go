package mail

import (
	"regexp"
	"strings"
)

var encodedWord = regexp.MustCompile(`=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=`)

// decodeWords decodes RFC 2047. Neighbours in one charset are joined as bytes
// first: many senders cut words in the middle of a character.
func decodeWords(s string) string {
	return replaceWords(s, func(text string) string { return text })
}

// replaceWords hands every run of encoded words, decoded, to render.
func replaceWords(s string, render func(string) string) string {
	found := encodedWord.FindAllStringSubmatchIndex(s, -1)
	if len(found) == 0 {
		return utf(s)
	}
	var out, decoded strings.Builder
	var pending []byte
	at, charset := 0, ""
	flush := func() {
		text, _ := decodeCharset(pending, charset, false)
		decoded.WriteString(text)
		pending = nil
	}
	for i, f := range found {
		gap := s[at:f[0]]
		joined := i > 0 && strings.TrimSpace(gap) == ""
		name := strings.ToLower(s[f[2]:f[3]])
		if !joined || name != charset {
			flush()
		}
		if !joined {
			emit(&out, &decoded, render)
			out.WriteString(utf(gap))
		}
		charset = name
		pending = append(pending, wordBytes(s[f[4]], s[f[6]:f[7]])...)
		at = f[1]
	}
	flush()
	emit(&out, &decoded, render)
	return out.String() + utf(s[at:])
}

func emit(out, decoded *strings.Builder, render func(string) string) {
	if decoded.Len() > 0 {
		out.WriteString(render(decoded.String()))
		decoded.Reset()
	}
}

// wordBytes undoes the transfer encoding of one encoded word.
func wordBytes(kind byte, s string) []byte {
	if kind == 'b' || kind == 'B' {
		return decodeBase64([]byte(s))
	}
	return decodeQP([]byte(strings.ReplaceAll(s, "_", "=20")))
}
