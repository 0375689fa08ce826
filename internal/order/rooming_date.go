package order

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// sheetDate is a date of a list as far as it can be read without the block: Day is
// YYYY-MM-DD, with year 0000 where the list gives none; Other is the second reading
// of a date like 03/04/2027.
type sheetDate struct {
	Day   string `json:"day,omitempty"`
	Other string `json:"other,omitempty"`
	Text  string `json:"text,omitempty"` // as written, where it could not be read
}

var (
	yearFirst = regexp.MustCompile(`^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?$`)
	era       = regexp.MustCompile(`^(?:令和|R)\s*(\d{1,2})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?$`)
	noYearCJK = regexp.MustCompile(`^(\d{1,2})月(\d{1,2})日?$`)
	numbers   = regexp.MustCompile(`^(\d{1,2})\s*[-/.]\s*(\d{1,2})\s*(?:[-/.]\s*(\d{4}|\d{2}))?\.?$`)
	packed    = regexp.MustCompile(`^(20\d\d)(\d\d)(\d\d)$`)
	dayFirst  = regexp.MustCompile(`^(\d{1,2})(?:st|nd|rd|th)?[\s.\-/]*(?:de\s+)?([\p{L}\p{M}.]+?)[\s.,\-/]*(\d{4}|'?\d{2})?$`)
	monthHead = regexp.MustCompile(`^([\p{L}\p{M}.]+?)[\s.\-/]*(\d{1,2})(?:st|nd|rd|th)?(?:[\s,.\-/]+(\d{4}|\d{2}))?$`)
	weekday   = regexp.MustCompile(`(?i)^(mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mardi|mer|jeu|ven|sam|dim)[a-z]{0,8}[.,]?\s+`)
	clockTail = regexp.MustCompile(`[T\s,]+\d{1,2}[:.]\d{2}(?::\d{2})?\s*(?i:am|pm|h|hrs)?Z?$`)
	asideTail = regexp.MustCompile(`\s*[(（][^)）]{1,12}[)）]$`)
)

// readDate reads one cell of a date column. usOrder says that the column writes the
// month first; unsure that the column does not tell.
func readDate(s string, order dateOrder) sheetDate {
	text := strings.TrimSpace(norm.NFKC.String(s))
	if text == "" {
		return sheetDate{}
	}
	bare := strings.TrimSpace(weekday.ReplaceAllString(asideTail.ReplaceAllString(clockTail.ReplaceAllString(text, ""), ""), ""))
	if d := fixedDate(bare); d != "" {
		return sheetDate{Day: d}
	}
	if m := numbers.FindStringSubmatch(bare); m != nil {
		if d := shortDate(m, order); d.Day != "" {
			return d
		}
	}
	return sheetDate{Text: cut(text, 60)}
}

// fixedDate reads what can mean only one day.
func fixedDate(s string) string {
	if m := yearFirst.FindStringSubmatch(s); m != nil {
		return day(year(m[1]), atoi(m[2]), atoi(m[3]))
	}
	if m := packed.FindStringSubmatch(s); m != nil {
		return day(atoi(m[1]), atoi(m[2]), atoi(m[3]))
	}
	if m := era.FindStringSubmatch(s); m != nil {
		return day(2018+atoi(m[1]), atoi(m[2]), atoi(m[3]))
	}
	if m := noYearCJK.FindStringSubmatch(s); m != nil {
		return day(0, atoi(m[1]), atoi(m[2]))
	}
	if m := dayFirst.FindStringSubmatch(s); m != nil && month(m[2]) > 0 {
		return day(year(strings.TrimPrefix(m[3], "'")), month(m[2]), atoi(m[1]))
	}
	if m := monthHead.FindStringSubmatch(s); m != nil && month(m[1]) > 0 {
		return day(year(m[3]), month(m[1]), atoi(m[2]))
	}
	if n, err := strconv.ParseFloat(s, 64); err == nil && n >= 36526 && n < 73051 { // a day number of Excel, 2000 to 2099
		return time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(n)).Format(time.DateOnly)
	}
	return ""
}

// shortDate reads 10/02/2027 and its like.
func shortDate(m []string, order dateOrder) sheetDate {
	a, b, y := atoi(m[1]), atoi(m[2]), year(m[3])
	dmy, mdy := day(y, b, a), day(y, a, b)
	switch {
	case order == monthThenDay:
		return sheetDate{Day: mdy}
	case order == dayThenMonth, dmy == mdy, mdy == "":
		return sheetDate{Day: dmy}
	case dmy == "":
		return sheetDate{Day: mdy}
	}
	return sheetDate{Day: dmy, Other: mdy}
}

// dateOrder is how a column writes dates in numbers.
type dateOrder int

const (
	unsureOrder dateOrder = iota
	dayThenMonth
	monthThenDay
)

// orderOf learns from the dates that can be read in one way only.
func orderOf(values []string) dateOrder {
	found := unsureOrder
	for _, v := range values {
		m := numbers.FindStringSubmatch(strings.TrimSpace(clockTail.ReplaceAllString(norm.NFKC.String(v), "")))
		if m == nil {
			continue
		}
		switch a, b := atoi(m[1]), atoi(m[2]); {
		case strings.Contains(v, ".") || a > 12: // dots are never American
			return dayThenMonth
		case b > 12:
			found = monthThenDay
		}
	}
	return found
}

// year reads two digits as this century's, and the years of the Thai calendar.
func year(s string) int {
	n := atoi(s)
	switch {
	case s == "":
		return 0
	case len(s) == 2 && n > 60:
		return 2500 + n - 543
	case len(s) == 2:
		return 2000 + n
	case n > 2400:
		return n - 543
	}
	return n
}

// day is "" for what no calendar has. Without a year every day of a leap year is one.
func day(y, m, d int) string {
	check := y
	if y == 0 {
		check = 2028
	}
	at := time.Date(check, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if m < 1 || m > 12 || d < 1 || at.Day() != d || y != 0 && (y < 2000 || y > 2100) {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", y, m, d)
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

// months by the beginnings of their names, and Thai ones whole.
func month(s string) int {
	s = strings.ToLower(strings.Trim(s, ". "))
	for i, names := range [12][]string{
		{"jan", "jän", "ม.ค", "มกราคม", "มกรา"}, {"feb", "fév", "fev", "ก.พ", "กุมภาพันธ์", "กุมภา"}, {"mar", "mär", "mrz", "มี.ค", "มีนาคม", "มีนา"},
		{"apr", "avr", "เม.ย", "เมษายน", "เมษา"}, {"may", "mai", "พ.ค", "พฤษภาคม", "พฤษภา"}, {"jun", "juin", "มิ.ย", "มิถุนายน", "มิถุนา"},
		{"jul", "juil", "ก.ค", "กรกฎาคม", "กรกฎา"}, {"aug", "aoû", "aou", "ส.ค", "สิงหาคม", "สิงหา"}, {"sep", "ก.ย", "กันยายน", "กันยา"},
		{"oct", "okt", "ต.ค", "ตุลาคม", "ตุลา"}, {"nov", "พ.ย", "พฤศจิกายน", "พฤศจิกา"}, {"dec", "dez", "déc", "ธ.ค", "ธันวาคม", "ธันวา"},
	} {
		for _, n := range names {
			if strings.HasPrefix(s, n) && len([]rune(s)) <= 12 {
				return i + 1
			}
		}
	}
	return 0
}

// settle picks the reading and the year that fit the block's stay.
func (d sheetDate) settle(in, out string) (string, bool) {
	first := withYear(d.Day, in, out)
	if d.Other == "" {
		return first, false
	}
	other := withYear(d.Other, in, out)
	within := func(s string) bool { return in != "" && s >= in && s <= out }
	if within(first) != within(other) {
		if within(other) {
			return other, false
		}
		return first, false
	}
	return first, true
}

func withYear(d, in, out string) string {
	if !strings.HasPrefix(d, "0000") {
		return d
	}
	if len(in) < 4 {
		return ""
	}
	this := in[:4] + d[4:]
	if len(out) >= 4 && this < in && out[:4]+d[4:] <= out {
		this = out[:4] + d[4:]
	}
	return dateOrNone(this)
}
