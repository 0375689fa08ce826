package sanitize

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// joiningScripts need the zero-width joiner and non-joiner to be spelt right.
var joiningScripts = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Devanagari,
	unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
	unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer,
	unicode.Myanmar, unicode.Tibetan,
}

// invisible lists what draws nothing or turns the writing direction: the
// characters used to hide words, to split them or to disguise a file name.
var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x00AD, Hi: 0x00AD, Stride: 1}, {Lo: 0x034F, Hi: 0x034F, Stride: 1},
		{Lo: 0x061C, Hi: 0x061C, Stride: 1}, {Lo: 0x115F, Hi: 0x1160, Stride: 1},
		{Lo: 0x17B4, Hi: 0x17B5, Stride: 1}, {Lo: 0x180B, Hi: 0x180F, Stride: 1},
		{Lo: 0x200B, Hi: 0x200F, Stride: 1}, {Lo: 0x202A, Hi: 0x202E, Stride: 1},
		{Lo: 0x2060, Hi: 0x206F, Stride: 1}, {Lo: 0x2800, Hi: 0x2800, Stride: 1},
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, {Lo: 0xFE00, Hi: 0xFE0F, Stride: 1},
		{Lo: 0xFEFF, Hi: 0xFEFF, Stride: 1}, {Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1},
		{Lo: 0xFFF0, Hi: 0xFFFB, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1BCA0, Hi: 0x1BCA3, Stride: 1}, {Lo: 0x1D173, Hi: 0x1D17A, Stride: 1},
		{Lo: 0xE0000, Hi: 0xE0FFF, Stride: 1},
	},
	LatinOffset: 1,
}

const (
	zwnj = '\u200C'
	zwj  = '\u200D'
)

// cleanChars removes control and invisible characters. What stays is decided by
// the kept character before and the raw one after, so cleaning twice changes nothing.
func cleanChars(s string, flags flagSet) string {
	var out strings.Builder
	out.Grow(len(s))
	prev, marks := rune(-1), 0
	var scripts word
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if control(r) {
			continue
		}
		if unicode.Is(invisible, r) && !meaningful(prev, r, next) {
			if r != '\uFEFF' || i > 0 { // a byte order mark in front is no trick
				flags.add(FlagInvisibleChars)
			}
			continue
		}
		if marks = countMarks(marks, r); marks > maxMarks {
			flags.add(FlagInvisibleChars)
			continue
		}
		scripts.add(r, flags)
		out.WriteRune(r)
		prev = r
	}
	return out.String()
}

// maxMarks is how many accents of European scripts stand on one letter; heaps of
// them cover what stands around.
const maxMarks = 4

func countMarks(n int, r rune) int {
	if r >= 0x0300 && r <= 0x036F || r >= 0x0483 && r <= 0x0489 || r >= 0x1AB0 && r <= 0x1AFF || r >= 0x1DC0 && r <= 0x1DFF ||
		r >= 0x20D0 && r <= 0x20FF || r >= 0xFE20 && r <= 0xFE2F {
		return n + 1
	}
	return 0
}

// word watches the scripts within one word: Latin letters next to Cyrillic or
// Greek ones are how a name is made to look like another. They stay, with a flag.
type word struct {
	latin, other int
	told         bool
}

func (w *word) add(r rune, flags flagSet) {
	switch {
	case r < 0x80 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'):
		w.latin++
	case r >= 0x0370 && r <= 0x03FF && r != 'μ' && r != 'Ω' || r >= 0x0400 && r <= 0x04FF:
		w.other++
	case !unicode.IsLetter(r) && !unicode.IsMark(r) && (r < '0' || r > '9'):
		w.latin, w.other = 0, 0
	}
	if !w.told && w.latin >= 2 && w.other >= 1 {
		w.told = true
		flags.add(FlagMixedScripts)
	}
}

func control(r rune) bool {
	return r != '\n' && r != '\t' && unicode.IsControl(r)
}

// meaningful tells whether an invisible character does honest work between its
// neighbours: joiners inside scripts that need them and inside emoji, one
// variation selector behind a character which has variants.
func meaningful(prev, r, next rune) bool {
	switch {
	case r == zwnj:
		return joins(prev) && joins(next)
	case r == zwj:
		return joins(prev) && joins(next) || (pictograph(prev) || prev == 0xFE0F) && pictograph(next)
	case r == 0xFE0E || r == 0xFE0F:
		return pictograph(prev) || prev == '#' || prev == '*' || prev >= '0' && prev <= '9'
	case r >= 0xFE00 && r <= 0xFE02 || r >= 0xE0100 && r <= 0xE01EF:
		return unicode.Is(unicode.Han, prev)
	case r >= 0x180B && r <= 0x180D:
		return unicode.Is(unicode.Mongolian, prev) && unicode.IsLetter(prev)
	}
	return false
}

func joins(r rune) bool {
	return r > 0 && (unicode.IsLetter(r) || unicode.IsMark(r)) && !unicode.Is(invisible, r) && unicode.In(r, joiningScripts...)
}

func pictograph(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2190 && r <= 0x2BFF || r == 0xA9 || r == 0xAE ||
		r == 0x203C || r == 0x2049 || r == 0x2122 || r == 0x2139 || r == 0x3030 || r == 0x303D || r == 0x3297 || r == 0x3299
}
