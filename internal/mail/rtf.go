package mail

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// rtfStart is what the packing takes as already seen.
const rtfStart = `{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor ` +
	`MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0` + "\r\n" + `\par \pard\plain\f0\fs20\b\i\u\tab\tx`

// unpackRTF undoes the packing of Outlook's rich text. Every two bytes in give at
// most seventeen out, and no more than a body may have.
func unpackRTF(b []byte) []byte {
	if len(b) < 16 {
		return nil
	}
	size, magic := binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])
	b = b[16:]
	limit := int(min(size, maxBody))
	switch magic {
	case 0x414C454D: // stored as it is
		return b[:min(limit, len(b))]
	case 0x75465A4C:
	default:
		return nil
	}
	var window [4096]byte
	at := copy(window[:], rtfStart)
	out := make([]byte, 0, min(limit, 17*len(b)))
	put := func(c byte) {
		out = append(out, c)
		window[at] = c
		at = (at + 1) % len(window)
	}
	for len(b) > 0 && len(out) < limit {
		flags := b[0]
		b = b[1:]
		for bit := 0; bit < 8 && len(b) > 0 && len(out) < limit; bit++ {
			if flags>>bit&1 == 0 {
				put(b[0])
				b = b[1:]
				continue
			}
			if len(b) < 2 {
				return out
			}
			token := int(b[0])<<8 | int(b[1])
			b = b[2:]
			from, n := token>>4, token&15+2
			if from == at {
				return out
			}
			for ; n > 0; n-- {
				put(window[from])
				from = (from + 1) % len(window)
			}
		}
	}
	return out
}

// rtfGroup is what holds inside a pair of braces.
type rtfGroup struct {
	skip, tag, rtfOnly bool // drop; HTML as it stands; not part of the HTML
	fonts              bool
	unicodeSkip, font  int
}

// rtfReader turns rich text into text, and into the HTML it was made from if so.
type rtfReader struct {
	src        string
	at         int
	group      rtfGroup
	stack      []rtfGroup
	text, html strings.Builder
	raw        []byte // bytes of a charset, not yet decoded
	ansi       string
	charsets   map[int]string // by font
	fromHTML   bool
	pending    int  // characters to pass over behind \u
	star       bool // the group may be dropped when unknown
}

// readRTF reads rich text. html is "" unless the text was made from HTML.
func readRTF(src string) (text, html string) {
	r := &rtfReader{src: src, ansi: "windows-1252", charsets: map[int]string{}, group: rtfGroup{unicodeSkip: 1}}
	for r.at < len(r.src) {
		c := r.src[r.at]
		r.at++
		switch c {
		case '{':
			r.flush()
			if len(r.stack) > 500 {
				return r.text.String(), ""
			}
			r.stack = append(r.stack, r.group)
		case '}':
			r.flush()
			if n := len(r.stack); n > 0 {
				r.group, r.stack = r.stack[n-1], r.stack[:n-1]
			}
		case '\\':
			r.control()
		case '\r', '\n', 0:
		default:
			r.byte(c)
		}
	}
	r.flush()
	if r.fromHTML {
		return r.text.String(), r.html.String()
	}
	return r.text.String(), ""
}

// byte takes one byte of text.
func (r *rtfReader) byte(c byte) {
	if r.pending > 0 {
		r.pending--
		return
	}
	if !r.group.skip && !r.group.fonts {
		r.raw = append(r.raw, c)
	}
}

func (r *rtfReader) flush() {
	if len(r.raw) == 0 {
		return
	}
	charset := r.charsets[r.group.font]
	if charset == "" || r.group.tag {
		charset = r.ansi
	}
	text, _ := decodeCharset(r.raw, charset, false)
	r.raw = r.raw[:0]
	r.emit(text)
}

func (r *rtfReader) emit(text string) {
	if r.group.skip || r.group.fonts {
		return
	}
	if r.group.tag {
		r.html.WriteString(text)
		return
	}
	if !r.group.rtfOnly {
		r.html.WriteString(htmlText.Replace(text))
	}
	r.text.WriteString(text)
}

// htmlText escapes text between the tags; the tags themselves come as they are.
var htmlText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// control reads what follows a backslash.
func (r *rtfReader) control() {
	if r.at >= len(r.src) {
		return
	}
	c := r.src[r.at]
	if c < 'a' || c > 'z' {
		r.at++
		r.symbol(c)
		return
	}
	start := r.at
	for r.at < len(r.src) && r.src[r.at] >= 'a' && r.src[r.at] <= 'z' && r.at-start < 40 {
		r.at++
	}
	word := r.src[start:r.at]
	number := r.at
	for r.at < len(r.src) && (r.src[r.at] == '-' && r.at == number || r.src[r.at] >= '0' && r.src[r.at] <= '9') && r.at-number < 12 {
		r.at++
	}
	n, err := strconv.Atoi(r.src[number:r.at])
	if r.at < len(r.src) && r.src[r.at] == ' ' {
		r.at++
	}
	r.word(word, n, err == nil)
}

func (r *rtfReader) symbol(c byte) {
	switch c {
	case '\'':
		if r.at+1 < len(r.src) {
			hi, ok1 := hexDigit(r.src[r.at])
			lo, ok2 := hexDigit(r.src[r.at+1])
			if ok1 && ok2 {
				r.at += 2
				r.byte(hi<<4 | lo)
			}
		}
	case '*':
		r.star = true
		r.group.skip = true // unless it is known
	case '~':
		r.flush()
		r.emit("\u00a0")
	case '\\', '{', '}':
		r.byte(c)
	case '\n', '\r':
		r.newline("\n")
	}
}

func (r *rtfReader) newline(s string) {
	r.flush()
	r.emit(s)
}

func (r *rtfReader) word(word string, n int, has bool) {
	star := r.star
	r.star = false
	switch word {
	case "par", "line", "sect", "page", "row":
		r.newline("\n")
	case "tab", "cell":
		r.newline("\t")
	case "u":
		r.flush()
		r.emit(string(rune(n & 0xFFFF))) // negative beyond the middle
		r.pending = r.group.unicodeSkip
	case "uc":
		r.group.unicodeSkip = max(0, min(n, 8))
	case "bin":
		r.at = min(len(r.src), r.at+max(0, n))
	case "ansicpg":
		r.ansi = codepage(n)
	case "f":
		r.flush()
		r.group.font = n
	case "fcharset":
		if r.group.fonts && len(r.charsets) < 1000 {
			r.charsets[r.group.font] = fontCharset(n)
		}
	case "fromhtml":
		r.fromHTML = true
	case "htmltag":
		if star {
			r.flush()
			r.group.skip, r.group.tag = false, true
		}
	case "htmlrtf":
		r.flush()
		r.group.rtfOnly = !has || n != 0
	case "fonttbl":
		r.group.fonts = true
	case "colortbl", "stylesheet", "info", "pict", "object", "header", "footer", "headerl", "headerr", "footerl", "footerr", "fldinst",
		"listtable", "listoverridetable", "rsidtbl", "generator", "xmlnstbl", "themedata", "datastore", "mhtmltag":
		r.flush()
		r.group.skip = true
	default:
		r.glyph(word)
	}
}

func (r *rtfReader) glyph(word string) {
	for name, s := range map[string]string{"lquote": "\u2018", "rquote": "\u2019", "ldblquote": "\u201C", "rdblquote": "\u201D",
		"bullet": "\u2022", "endash": "\u2013", "emdash": "\u2014", "emspace": " ", "enspace": " "} {
		if name == word {
			r.flush()
			r.emit(s)
		}
	}
}

func fontCharset(n int) string {
	switch n {
	case 134:
		return "gb18030"
	case 136:
		return "big5"
	case 128:
		return "shift_jis"
	case 129:
		return "euc-kr"
	case 222:
		return "windows-874"
	case 204:
		return "windows-1251"
	case 238:
		return "windows-1250"
	case 161:
		return "windows-1253"
	case 162:
		return "windows-1254"
	case 177:
		return "windows-1255"
	case 178:
		return "windows-1256"
	}
	return ""
}
