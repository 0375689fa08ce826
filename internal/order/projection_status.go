package order

import (
	"slices"
	"strings"
	"unicode"
)

// OperaStatus maps OPERA's words, of reservations and of blocks, to an order's
// states; "" for a word it does not know, which is kept and compared with nothing.
func OperaStatus(s string) string {
	word := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, key(s))
	switch word {
	case "RESERVED", "CONFIRMED", "CONFIRM", "DUEIN", "EXPECTED", "GUARANTEED", "NONGUARANTEED", "DEFINITE", "DEF", "ACTUAL", "ACT", "RESV", "预订", "已确认", "确认":
		return StatusConfirmed
	case "INHOUSE", "CHECKEDIN", "ARRIVED", "DUEOUT", "WALKIN", "STAYOVER", "在店", "在住", "已入住":
		return StatusInHouse
	case "CHECKEDOUT", "DEPARTED", "COMPLETED", "已离店", "离店":
		return StatusCheckedOut
	case "CANCELLED", "CANCELED", "CANCEL", "CXL", "XL", "LOST", "LOS", "TURNDOWN", "TURNEDDOWN", "TDN", "REFUSED", "DENIED", "取消", "已取消":
		return StatusCancelled
	case "NOSHOW", "NS", "未到":
		return StatusNoShow
	case "TENTATIVE", "TEN", "TENT", "OPTION", "意向", "暂定":
		return StatusTentative
	case "WAITLIST", "WAITLISTED", "WL", "PROSPECT", "PSP", "PROS", "INQUIRY", "INQ", "REQUESTED", "PENDING", "候补": // nothing is held
		return StatusPending
	}
	return ""
}

// agrees: a block stays ACTUAL while its guests are here and after they have left.
func agrees(word, status, written string) bool {
	if strings.HasPrefix(written, "ACT") {
		return slices.Contains([]string{StatusConfirmed, StatusInHouse, StatusCheckedOut}, status)
	}
	return word == status
}

// nameWords are a name's words in one order, without titles.
func nameWords(s string) string {
	words := strings.FieldsFunc(strings.ToUpper(untitled(s)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	slices.Sort(words)
	return strings.Join(words, " ")
}
