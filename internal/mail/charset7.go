package mail

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// sevenBit reads charsets of seven bits which the library does not know.
func sevenBit(name string, b []byte) (string, bool) {
	switch name {
	case "utf-7", "utf7", "unicode-1-1-utf-7", "x-unicode-2-0-utf-7":
		return utf7(b), true
	case "iso-2022-kr":
		return shifted(b, "C", korean.EUCKR), true
	case "iso-2022-cn", "iso-2022-cn-ext":
		return shifted(b, "A", simplifiedchinese.GB18030), true
	}
	return "", false
}

// utf7 reads RFC 2152: stretches of base64 between plus and minus.
func utf7(b []byte) string {
	var out strings.Builder
	for len(b) > 0 {
		plus := bytes.IndexByte(b, '+')
		if plus < 0 {
			out.Write(b)
			break
		}
		out.Write(b[:plus])
		b = b[plus+1:]
		end := 0
		for end < len(b) && (b[end] >= 'a' && b[end] <= 'z' || b[end] >= 'A' && b[end] <= 'Z' || b[end] >= '0' && b[end] <= '9' || b[end] == '+' || b[end] == '/') {
			end++
		}
		if end == 0 {
			out.WriteByte('+')
		} else {
			out.WriteString(utf7Stretch(b[:end]))
		}
		if b = b[end:]; len(b) > 0 && b[0] == '-' {
			b = b[1:]
		}
	}
	return strings.ToValidUTF8(out.String(), "\uFFFD")
}

func utf7Stretch(b []byte) string {
	if len(b)%4 == 1 {
		b = b[:len(b)-1]
	}
	raw := make([]byte, base64.RawStdEncoding.DecodedLen(len(b)))
	n, _ := base64.RawStdEncoding.Decode(raw, b)
	units := make([]uint16, 0, n/2)
	for i := 0; i+1 < n; i += 2 {
		units = append(units, uint16(raw[i])<<8|uint16(raw[i+1]))
	}
	return string(utf16.Decode(units))
}

// shifted reads ISO 2022 as Koreans and Chinese used it: between shift out and
// shift in stand two bytes for a character, the eighth bits left out.
func shifted(b []byte, set string, enc encoding.Encoding) string {
	b = bytes.ReplaceAll(b, []byte("\x1b$)"+set), nil)
	out := make([]byte, 0, len(b))
	high := byte(0)
	for _, c := range b {
		switch {
		case c == 0x0E:
			high = 0x80
		case c == 0x0F:
			high = 0
		case c == '\n':
			high = 0
			out = append(out, c)
		case c > ' ':
			out = append(out, c|high)
		default:
			out = append(out, c)
		}
	}
	text, _ := decodeWith(out, enc)
	return text
}

// japaneseMail reads ISO-2022-JP with what Windows adds to it: the two bytes of
// a character are those of EUC-JP without their eighth bits.
func japaneseMail(b []byte) (string, bool) {
	out := make([]byte, 0, len(b))
	mode := byte('B')
	two := false
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case c == 0x1B && i+2 < len(b) && b[i+1] == '$':
			two, i = true, i+2
			if b[i] == '(' && i+1 < len(b) {
				i++
			}
		case c == 0x1B && i+2 < len(b) && b[i+1] == '(':
			two, mode, i = false, b[i+2], i+2
		case c == '\n':
			two, mode = false, 'B'
			out = append(out, c)
		case two && c > ' ' && c < 0x7F:
			out = append(out, c|0x80)
		case mode == 'I' && c > ' ' && c < 0x60:
			out = append(out, 0x8E, c|0x80)
		case c >= 0xA1 && c <= 0xDF:
			out = append(out, 0x8E, c)
		default:
			out = append(out, c)
		}
	}
	return decodeWith(out, japanese.EUCJP)
}

// wideASCII tells UTF-16 without a label by the zeros beside its ASCII letters.
func wideASCII(b []byte) string {
	if len(b) < 8 {
		return ""
	}
	var zeros [2]int
	look := b[:min(len(b), 4096)]
	for i, c := range look {
		if c == 0 {
			zeros[i%2]++
		}
	}
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xfe")) || zeros[1]*10 > len(look)*3 && zeros[0]*20 < len(look):
		return "utf-16le"
	case bytes.HasPrefix(b, []byte("\xfe\xff")) || zeros[0]*10 > len(look)*3 && zeros[1]*20 < len(look):
		return "utf-16be"
	}
	return ""
}
