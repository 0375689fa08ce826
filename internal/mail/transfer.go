package mail

import (
	"bytes"
	"encoding/base64"
)

// decodeBase64 reads base64 past everything that does not belong there. Padding
// ends a stretch; what follows on its line is ignored, a new line starts anew.
func decodeBase64(b []byte) []byte {
	var out []byte
	stretch := make([]byte, 0, len(b))
	for line := range bytes.Lines(b) {
		data, _, padded := bytes.Cut(line, []byte("="))
		for _, c := range data {
			switch {
			case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '+', c == '/':
				stretch = append(stretch, c)
			case c == '-':
				stretch = append(stretch, '+')
			case c == '_':
				stretch = append(stretch, '/')
			}
		}
		if padded {
			out, stretch = appendBase64(out, stretch), stretch[:0]
		}
	}
	return appendBase64(out, stretch)
}

func appendBase64(out, stretch []byte) []byte {
	if len(stretch)%4 == 1 {
		stretch = stretch[:len(stretch)-1]
	}
	decoded := make([]byte, base64.RawStdEncoding.DecodedLen(len(stretch)))
	n, _ := base64.RawStdEncoding.Decode(decoded, stretch)
	return append(out, decoded[:n]...)
}

// decodeQP reads quoted-printable; a broken escape stays as it stands.
func decodeQP(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		line := b
		end := bytes.IndexByte(b, '\n')
		if end >= 0 {
			line = b[:end+1]
		}
		b = b[len(line):]
		out = qpLine(out, line)
	}
	return out
}

func qpLine(out, line []byte) []byte {
	text := bytes.TrimRight(line, " \t\r\n")
	ending := line[len(bytes.TrimRight(line, "\r\n")):]
	for i := 0; i < len(text); i++ {
		if text[i] != '=' {
			out = append(out, text[i])
			continue
		}
		if i == len(text)-1 {
			return out // soft line break
		}
		if i+2 < len(text) {
			hi, ok1 := hexDigit(text[i+1])
			lo, ok2 := hexDigit(text[i+2])
			if ok1 && ok2 {
				out = append(out, hi<<4|lo)
				i += 2
				continue
			}
		}
		out = append(out, '=')
	}
	return append(out, ending...)
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}
