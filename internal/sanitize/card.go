package sanitize

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A card number is 13 to 19 digits, alone or in groups parted by one space,
// dash or dot, with a known issuer and a right check digit. Everything but the
// last four digits becomes an asterisk; separators stay, so a person still
// recognises which card was meant.

// span is a byte range to be replaced by one asterisk.
type span struct{ from, to int }

// digit is one digit of a run with its place in the text.
type digit struct {
	span
	value byte
	first bool // begins a group
	last  bool // ends a group
}

// brand says how an issuer's numbers begin and how long they are.
type brand struct {
	lo, hi  int // inclusive range of the leading digits
	prefix  int // how many leading digits
	lengths string
}

var brands = []brand{
	{4, 4, 1, "13 16 19"},                    // Visa
	{51, 55, 2, "16"}, {2221, 2720, 4, "16"}, // Mastercard
	{34, 34, 2, "15"}, {37, 37, 2, "15"}, // American Express
	{300, 305, 3, "14 16"}, {3095, 3095, 4, "14 16"}, // Diners
	{36, 36, 2, "14 16"}, {38, 39, 2, "14 16"}, // Diners
	{6011, 6011, 4, "16 19"}, {644, 659, 3, "16 19"}, // Discover, RuPay
	{3528, 3589, 4, "16 17 18 19"},                         // JCB
	{62, 62, 2, "16 17 18 19"}, {81, 82, 2, "16 17 18 19"}, // UnionPay, RuPay
	{5018, 5020, 4, "13 14 15 16 17 18 19"},             // Maestro
	{5038, 5038, 4, "13 14 15 16 17 18 19"},             // Maestro
	{5893, 5893, 4, "13 14 15 16 17 18 19"},             // Maestro
	{6304, 6304, 4, "13 14 15 16 17 18 19"},             // Maestro
	{6759, 6763, 4, "13 14 15 16 17 18 19"},             // Maestro
	{2200, 2204, 4, "16 17 18 19"}, {508, 508, 3, "16"}, // Mir, RuPay
	{9792, 9792, 4, "16"}, {1800, 1800, 4, "15"}, {2131, 2131, 4, "15"}, // Troy, old JCB
}

// cardSpans finds the digits to mask, in order.
func cardSpans(s string) []span {
	var out []span
	for at := 0; at < len(s); {
		run, end, masked := digitRun(s, at)
		if len(run) >= 13 && !strings.HasSuffix(s[:run[0].from], "+") {
			out = append(out, maskRun(run, masked)...)
		}
		at = end
	}
	return out
}

// digitRun reads the next run of digit groups at or behind at. masked says that
// the run follows asterisks, that is: begins with what an earlier masking left.
func digitRun(s string, at int) (run []digit, end int, masked bool) {
	group := true
	for i := at; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		value, isDigit := digitValue(r)
		switch {
		case isDigit:
			run = append(run, digit{span: span{i, i + size}, value: value, first: group})
			group = false
		case len(run) == 0:
			masked = r == '*' || masked && separator(r)
		case group || !separator(r):
			run[len(run)-1].last = true
			return run, i, masked
		default:
			run[len(run)-1].last = true
			group = true
		}
		i += size
	}
	if len(run) > 0 {
		run[len(run)-1].last = true
	}
	return run, len(s), masked
}

func digitValue(r rune) (byte, bool) {
	switch {
	case r >= '0' && r <= '9':
		return byte(r - '0'), true
	case r >= '０' && r <= '９': // full-width, usual in Chinese and Japanese mail
		return byte(r - '０'), true
	}
	return 0, false
}

func separator(r rune) bool {
	return r == ' ' || r == '-' || r == '.' || r == '\u00A0' || r == '\u2011' || r == '\u2013' || r == '\u3000'
}

// maskRun looks for card numbers which fill whole groups of the run.
func maskRun(run []digit, masked bool) []span {
	var out []span
	from := 0
	if masked {
		from = leftover(run)
	}
	for from < len(run) {
		n := 0
		if run[from].first {
			n = cardLength(run[from:])
		}
		if n == 0 {
			from++
			continue
		}
		for _, d := range run[from : from+n-4] {
			out = append(out, d.span)
		}
		from += n
	}
	return out
}

// leftover counts the last digits of an already masked number, at most four.
func leftover(run []digit) int {
	n := 0
	for i := range run {
		if i >= 4 {
			break
		}
		if run[i].last {
			n = i + 1
		}
	}
	return n
}

// cardLength is the length of the card number at the start of the run, or 0.
func cardLength(run []digit) int {
	for n := min(19, len(run)); n >= 13; n-- {
		if run[n-1].last && known(run[:n]) && luhn(run[:n]) {
			return n
		}
	}
	return 0
}

func known(run []digit) bool {
	for _, b := range brands {
		lead := 0
		for _, d := range run[:b.prefix] {
			lead = lead*10 + int(d.value)
		}
		if lead >= b.lo && lead <= b.hi && strings.Contains(b.lengths, strconv.Itoa(len(run))) {
			return true
		}
	}
	return false
}

func luhn(run []digit) bool {
	sum := 0
	for i := range run {
		v := int(run[len(run)-1-i].value)
		if i%2 == 1 {
			v *= 2
			if v > 9 {
				v -= 9
			}
		}
		sum += v
	}
	return sum%10 == 0
}

// maskSpans replaces those spans which lie in s; base is where s begins in the
// text the spans were found in.
func maskSpans(s string, base int, spans []span) string {
	var out strings.Builder
	at := 0
	for _, sp := range spans {
		from, to := sp.from-base, sp.to-base
		if from < at || to > len(s) {
			continue
		}
		out.WriteString(s[at:from])
		out.WriteByte('*')
		at = to
	}
	out.WriteString(s[at:])
	return out.String()
}
