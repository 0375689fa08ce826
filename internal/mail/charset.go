package mail

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// lookup finds a charset by any of its names. It reports false for UTF-8 and
// ASCII, which need no conversion but a check, and for names nobody knows.
func lookup(name string) (enc encoding.Encoding, known bool) {
	name = strings.ToLower(strings.Trim(strings.TrimSpace(name), `"'`))
	name, _, _ = strings.Cut(name, "*") // RFC 2231 language
	name = plainCharset(name)
	switch name {
	case "", "utf-8", "utf8", "us-ascii", "ascii", "ansi_x3.4-1968", "unknown-8bit", "default", "unicode-1-1-utf-8", "utf-8-sig":
		return nil, true
	case "gb18030", "cp936", "ms936", "windows-936", "chinese":
		return simplifiedchinese.GB18030, true // the superset of all of them
	case "hz-gb-2312", "hz":
		return simplifiedchinese.HZGB2312, true
	case "cp949", "euc-kr", "uhc", "x-windows-949":
		return korean.EUCKR, true
	case "cp950", "big5-hkscs", "x-big5":
		return traditionalchinese.Big5, true
	case "tis-620", "tis620", "cp874", "windows-874", "iso-8859-11":
		return charmap.Windows874, true
	case "latin1", "iso8859-1", "iso-8859-1", "8859-1", "cp-1252", "ansi", "windows-1252":
		return charmap.Windows1252, true // as every mail program reads it
	}
	if enc, err := htmlindex.Get(name); err == nil && enc != encoding.Replacement {
		return enc, true
	}
	if enc, err := ianaindex.MIME.Encoding(name); err == nil && enc != nil {
		return enc, true
	}
	return nil, false
}

var bareName = strings.NewReplacer("-", "", " ", "")

// plainCharset undoes what senders do to the names of charsets.
func plainCharset(name string) string {
	name, _, _ = strings.Cut(name, ";")
	name = strings.ReplaceAll(strings.Trim(name, ` "'`), "_", "-")
	for _, prefix := range []string{"charset=", "x-unknown", "cs"} {
		name = strings.TrimPrefix(name, prefix)
	}
	bare := bareName.Replace(strings.TrimPrefix(name, "x-"))
	for _, prefix := range []string{"windows", "win", "cp", "ms"} {
		if n, ok := strings.CutPrefix(bare, prefix); ok && len(n) == 4 && strings.HasPrefix(n, "125") {
			return "windows-" + n
		}
	}
	if n, ok := strings.CutPrefix(bare, "iso8859"); ok && n != "" && len(n) <= 2 {
		return "iso-8859-" + n
	}
	switch bare {
	case "utf8", "utf8mb4", "utf8mb3":
		return "utf-8"
	case "ksc56011987", "ksc5601", "ks56011987":
		return "euc-kr"
	case "gb231280", "gb2312", "gbk", "gb18030", "euccn":
		return "gb18030"
	case "cp50220", "cp50221", "cp50222", "iso2022jpms", "iso2022jp1", "iso2022jp2", "iso2022jp3", "iso2022jp2004", "jis":
		return "iso-2022-jp"
	case "sjis", "shiftjis", "cp932", "ms932", "windows31j", "mskanji":
		return "shift_jis"
	}
	return name
}

// decodeCharset makes UTF-8 of bytes which are said to be in a charset. The bytes
// are believed more than the name. The problem is "" when both agree.
func decodeCharset(b []byte, name string, isHTML bool) (text, problem string) {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	if name == "" && isHTML {
		name = metaCharset(b)
	}
	if text, ok := sevenBit(plainCharset(strings.ToLower(strings.TrimSpace(name))), b); ok {
		return text, ""
	}
	if wide := wideASCII(b); wide != "" && !strings.HasPrefix(strings.ToLower(name), "utf-16") && !strings.HasPrefix(strings.ToLower(name), "utf-32") {
		name = wide
	}
	enc, known := lookup(name)
	if enc == charmap.Windows1252 && !utf8.Valid(b) { // the label of programs which do not know
		if guess, guessName := guessCharset(b); guessName != "windows-1252" && eastern(b, guess) {
			text, _ = decodeWith(b, guess)
			return text, "body is labelled " + name + ", read as " + guessName
		}
	}
	if utf8.Valid(b) && (enc == nil || looksUTF8(b, enc)) {
		if known || ascii(b) {
			return string(b), ""
		}
		return string(b), "charset " + name + " is not known, read as UTF-8"
	}
	if enc != nil {
		text, ok := decodeWith(b, enc)
		if !ok && enc == japanese.ISO2022JP {
			text, ok = japaneseMail(b)
		}
		if ok {
			return text, ""
		}
	}
	if known && enc == nil && mostlyUTF8(b) {
		return strings.ToValidUTF8(string(b), "\uFFFD"), "body has bytes which are not UTF-8"
	}
	guess, guessName := guessCharset(b)
	if enc != nil && guessName == "windows-1252" {
		text, _ := decodeWith(b, enc) // no better guess: as it is labelled, faults and all
		return text, "body is not valid " + name
	}
	text, _ = decodeWith(b, guess)
	if name == "" {
		return text, ""
	}
	return text, "body is not valid " + name + ", read as " + guessName
}

// eastern tells whether bytes that may be Latin 1 are sure to be another charset:
// nearly all letters beyond ASCII belong to one script, and stand in rows.
func eastern(b []byte, guess encoding.Encoding) bool {
	text, ok := decodeWith(b, guess)
	in := commonHan
	switch guess {
	case charmap.Windows874:
		in = thai
	case korean.EUCKR:
		in = hangul
	case japanese.ShiftJIS, japanese.EUCJP:
		in = kana
	case charmap.Windows1251:
		in = cyrillic
	}
	rows, prev := 0, false
	for _, r := range text {
		now := in(r)
		if now && prev {
			rows++
		}
		prev = now
	}
	return ok && rows >= 3 && score(text, in) >= 80
}

func decodeWith(b []byte, enc encoding.Encoding) (string, bool) {
	out, err := enc.NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "\uFFFD"), false
	}
	return string(out), !bytes.ContainsRune(out, utf8.RuneError)
}

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// mostlyUTF8: some bytes were damaged under way, the rest is as it was written.
func mostlyUTF8(b []byte) bool {
	good, bad := 0, 0
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && size == 1:
			bad++
		case size > 1:
			good++
		}
		b = b[size:]
	}
	return good > 4*bad
}

// looksUTF8 tells whether valid UTF-8 is UTF-8 although the label says else. One
// accented letter may be chance in a double-byte charset, a sentence never is.
func looksUTF8(b []byte, labelled encoding.Encoding) bool {
	wide := wide(string(b))
	switch labelled {
	case simplifiedchinese.GB18030, traditionalchinese.Big5, korean.EUCKR, japanese.ShiftJIS, japanese.EUCJP:
		_, fine := decodeWith(b, labelled)
		return wide >= 12 || wide > 0 && !fine
	case charmap.Windows1252, charmap.Windows874, charmap.Windows1251, charmap.Windows1250, charmap.ISO8859_2, charmap.ISO8859_15:
		return wide > 0
	}
	return false // ISO-2022-JP and its like are ASCII bytes
}

// wide counts the characters beyond ASCII.
func wide(s string) int {
	n := 0
	for _, r := range s {
		if r >= utf8.RuneSelf {
			n++
		}
	}
	return n
}

// guessCharset finds out what unlabelled bytes are in. The first that decodes
// without a fault and reads like its language wins.
func guessCharset(b []byte) (encoding.Encoding, string) {
	if bytes.Contains(b, []byte("\x1b$")) {
		if _, ok := decodeWith(b, japanese.ISO2022JP); ok {
			return japanese.ISO2022JP, "iso-2022-jp"
		}
	}
	if text, ok := decodeWith(b, charmap.Windows874); ok && score(text, thai) > 90 && plausibleThai(text) {
		return charmap.Windows874, "tis-620"
	}
	// Hangul lies where Chinese has its commonest characters, but Chinese does not
	// keep to that stretch, and has no blanks between words.
	if text, ok := decodeWith(b, korean.EUCKR); ok && score(text, hangul) > 95 && wide(text) >= 6 && strings.Count(text, " ")*8 >= wide(text) {
		return korean.EUCKR, "euc-kr"
	}
	best, bestName, bestScore := encoding.Encoding(charmap.Windows1252), "windows-1252", 60
	for _, try := range []struct {
		enc  encoding.Encoding
		name string
		in   func(rune) bool
	}{
		{simplifiedchinese.GB18030, "gb18030", commonHan},
		{traditionalchinese.Big5, "big5", commonHan},
		{japanese.ShiftJIS, "shift_jis", kana},
		{japanese.EUCJP, "euc-jp", kana},
		{korean.EUCKR, "euc-kr", hangul},
		{charmap.Windows1251, "windows-1251", cyrillic},
	} {
		if text, ok := decodeWith(b, try.enc); ok && (try.enc != charmap.Windows1251 || wide(text) >= 4) {
			if s := score(text, try.in); s > bestScore {
				best, bestName, bestScore = try.enc, try.name, s
			}
		}
	}
	return best, bestName
}

// score is how many percent of the characters beyond ASCII belong to a language.
func score(text string, in func(rune) bool) int {
	all, good, latin := 0, 0, 0
	for _, r := range text {
		if r >= 'a' && r <= 'z' {
			latin++
		}
		if r < utf8.RuneSelf || r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFF65 || r >= 0x2000 && r <= 0x206F {
			continue
		}
		all++
		if in(r) {
			good++
		}
	}
	// A few such letters in much Latin text are accents in another charset.
	if all == 0 || all*4 < latin {
		return 0
	}
	return good * 100 / all
}

func thai(r rune) bool { return r >= 0x0E00 && r <= 0x0E7F }

// plausibleThai: every double-byte text decodes to Thai letters, but only real
// Thai has its vowels and tones on consonants, often, and no obsolete letters.
func plausibleThai(text string) bool {
	all, marks, bad := 0, 0, 0
	prev := rune(0)
	for _, r := range text {
		if !thai(r) {
			prev = r
			continue
		}
		all++
		switch {
		case r == 0x0E31 || r >= 0x0E34 && r <= 0x0E3A || r >= 0x0E47 && r <= 0x0E4E:
			marks++
			if prev < 0x0E01 || prev > 0x0E4E || prev == 0x0E3F || prev >= 0x0E40 && prev <= 0x0E46 {
				bad++
			}
		case r == 'ฃ' || r == 'ฅ' || r == 'ฦ' || r >= 0x0E4F:
			bad++
		}
		prev = r
	}
	return bad*25 <= all && marks*10 >= all
}

func hangul(r rune) bool   { return r >= 0xAC00 && r <= 0xD7A3 }
func cyrillic(r rune) bool { return r >= 0x0400 && r <= 0x045F }

// kana counts Han too, but a Japanese text without kana is taken for Chinese.
func kana(r rune) bool { return r >= 0x3040 && r <= 0x30FF }

// commonHan: characters of the first level of GB 2312 or common in Big5 decode to
// this block; a wrong decoding scatters over rare ones.
func commonHan(r rune) bool {
	if r < 0x4E00 || r > 0x9FA5 {
		return false
	}
	// Level one of GB 2312 lies in B0A1-D7F9, the common half of Big5 in A440-C67E.
	gb, err := simplifiedchinese.GBK.NewEncoder().String(string(r))
	if err == nil && len(gb) == 2 && gb[0] >= 0xB0 && gb[0] <= 0xD7 && gb[1] >= 0xA1 {
		return true
	}
	big, err := traditionalchinese.Big5.NewEncoder().String(string(r))
	return err == nil && len(big) == 2 && big[0] >= 0xA4 && big[0] <= 0xC6
}

// metaCharset reads the charset which an HTML text gives itself.
func metaCharset(b []byte) string {
	head := strings.ToLower(string(b[:min(len(b), 2048)]))
	_, rest, ok := strings.Cut(head, "charset=")
	if !ok {
		return ""
	}
	rest = strings.TrimLeft(rest, `"' `)
	if end := strings.IndexAny(rest, `"'>;/ `); end >= 0 {
		rest = rest[:end]
	}
	return rest
}

// lines makes every line end a single line feed.
func lines(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
