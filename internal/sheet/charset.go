package sheet

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	xunicode "golang.org/x/text/encoding/unicode"
)

// decode makes UTF-8 of a text file, and names what it was in.
func decode(b []byte) (text, charset string) {
	if enc := utf16Order(b); enc != nil {
		out, err := enc.NewDecoder().Bytes(b)
		if err == nil {
			return strings.TrimPrefix(string(out), "\ufeff"), "utf-16"
		}
	}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	if utf8.Valid(b) {
		return string(b), "utf-8"
	}
	if mostlyUTF8(b) {
		return strings.ToValidUTF8(string(b), "\uFFFD"), "utf-8"
	}
	sample := b[:min(len(b), 64<<10)]
	enc, name := guess(sample)
	out, err := enc.NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "\uFFFD"), "unknown"
	}
	return string(out), name
}

// utf16Order finds UTF-16 by its mark, or by NULs on one side of most characters.
func utf16Order(b []byte) encoding.Encoding {
	little, big := xunicode.UTF16(xunicode.LittleEndian, xunicode.IgnoreBOM), xunicode.UTF16(xunicode.BigEndian, xunicode.IgnoreBOM)
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		return little
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		return big
	}
	n := min(len(b), 4096) &^ 1
	var even, odd int
	for i := 0; i < n; i += 2 {
		if b[i] == 0 {
			even++
		}
		if b[i+1] == 0 {
			odd++
		}
	}
	switch {
	case n >= 8 && odd*4 > n/2 && even == 0:
		return little
	case n >= 8 && even*4 > n/2 && odd == 0:
		return big
	}
	return nil
}

// mostlyUTF8: a few bytes were damaged, the rest is as it was written.
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

// guess finds out what bytes that are no UTF-8 are in: a language's charset when
// the text then reads like the language, else one of Western or Central Europe.
func guess(b []byte) (encoding.Encoding, string) {
	if text, ok := try(b, charmap.Windows874); ok && share(text, thai) > 90 && spelledThai(text) {
		return charmap.Windows874, "tis-620"
	}
	if text, ok := try(b, korean.EUCKR); ok && share(text, hangul) > 95 {
		return korean.EUCKR, "euc-kr"
	}
	var best encoding.Encoding
	bestName, bestShare := "", 69
	for _, c := range []struct {
		enc  encoding.Encoding
		name string
		in   func(rune) bool
	}{
		{simplifiedchinese.GB18030, "gb18030", commonHan}, {traditionalchinese.Big5, "big5", commonHan},
		{japanese.ShiftJIS, "shift_jis", kana}, {japanese.EUCJP, "euc-jp", kana}, {charmap.Windows1251, "windows-1251", cyrillic},
	} {
		if c.enc == charmap.Windows1251 && !longRuns(b) {
			continue
		}
		if text, ok := try(b, c.enc); ok {
			if s := share(text, c.in); s > bestShare {
				best, bestName, bestShare = c.enc, c.name, s
			}
		}
	}
	if best != nil {
		return best, bestName
	}
	if centralEurope(b) {
		return charmap.Windows1250, "windows-1250"
	}
	return charmap.Windows1252, "windows-1252"
}

// try decodes a sample, whose last character may be cut.
func try(b []byte, enc encoding.Encoding) (string, bool) {
	out, err := enc.NewDecoder().Bytes(b)
	text := strings.TrimRight(string(out), "\uFFFD")
	return text, err == nil && !strings.ContainsRune(text, utf8.RuneError)
}

// share is how many percent of the characters beyond ASCII belong to a language.
func share(text string, in func(rune) bool) int {
	all, good := 0, 0
	for _, r := range text {
		if r < utf8.RuneSelf || r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFF65 || r >= 0x2000 && r <= 0x206F {
			continue
		}
		all++
		if in(r) {
			good++
		}
	}
	if all == 0 {
		return 0
	}
	return good * 100 / all
}

// longRuns: in a language that is not Latin, bytes beyond ASCII stand together in
// words; in Western names they stand alone.
func longRuns(b []byte) bool {
	single, long, run := 0, 0, 0
	for _, c := range append(bytes.Clone(b), ' ') {
		if c >= utf8.RuneSelf {
			run++
			continue
		}
		switch {
		case run == 1:
			single++
		case run > 2:
			long++
		}
		run = 0
	}
	return long > single
}

// centralEurope looks for Polish, Czech and Hungarian letters: in the Western
// charset they are signs inside words, or letters no Western language has together.
func centralEurope(b []byte) bool {
	west, _ := charmap.Windows1252.NewDecoder().Bytes(b)
	runes := []rune(string(west))
	signs, czech := 0, map[rune]bool{}
	for i, r := range runes {
		beside := i > 0 && unicode.IsLetter(runes[i-1]) || i+1 < len(runes) && unicode.IsLetter(runes[i+1])
		switch {
		case beside && strings.ContainsRune("³¹¿£¥¯¼¾ªº", r):
			signs++
		case strings.ContainsRune("ìèøùïòšžŠŽý", r):
			czech[unicode.ToLower(r)] = true
		}
	}
	return signs > 0 || czech['ì'] && len(czech) >= 3
}

func thai(r rune) bool     { return r >= 0x0E00 && r <= 0x0E7F }
func hangul(r rune) bool   { return r >= 0xAC00 && r <= 0xD7A3 }
func cyrillic(r rune) bool { return r >= 0x0400 && r <= 0x045F }
func kana(r rune) bool {
	return r >= 0x3040 && r <= 0x30FF || r >= 0x4E00 && r <= 0x9FA5 && commonJapanese(r)
}

// commonJapanese: the first level of JIS; a text of Han alone is taken for Chinese,
// whose share is then no smaller.
func commonJapanese(r rune) bool {
	b, err := japanese.ShiftJIS.NewEncoder().String(string(r))
	return err == nil && len(b) == 2 && b[0] >= 0x88 && b[0] <= 0x97
}

// commonHan: level one of GB 2312 or the common half of Big5; a wrong decoding
// scatters over rare characters.
func commonHan(r rune) bool {
	if r < 0x4E00 || r > 0x9FA5 {
		return false
	}
	gb, err := simplifiedchinese.GBK.NewEncoder().String(string(r))
	if err == nil && len(gb) == 2 && gb[0] >= 0xB0 && gb[0] <= 0xD7 && gb[1] >= 0xA1 {
		return true
	}
	big, err := traditionalchinese.Big5.NewEncoder().String(string(r))
	return err == nil && len(big) == 2 && big[0] >= 0xA4 && big[0] <= 0xC6
}

// spelledThai: every double-byte text decodes to Thai letters, but only real Thai
// has its vowels and tones on consonants, and no obsolete letters.
func spelledThai(text string) bool {
	all, marks, bad, prev := 0, 0, 0, rune(0)
	for _, r := range text {
		if thai(r) {
			all++
		}
		switch {
		case r == 0x0E31 || r >= 0x0E34 && r <= 0x0E3A || r >= 0x0E47 && r <= 0x0E4E:
			marks++
			if prev < 0x0E01 || prev > 0x0E4E || prev == 0x0E3F || prev >= 0x0E40 && prev <= 0x0E46 {
				bad++
			}
		case r == 'ฃ' || r == 'ฅ' || r == 'ฦ' || r >= 0x0E4F && thai(r):
			bad++
		}
		prev = r
	}
	return bad*25 <= all && marks*12 >= all
}
