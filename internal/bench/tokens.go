package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// maxOrders keeps every key at its number of digits.
const maxOrders = 9_000_000

// What stands in the template rows where each copy has something of its own. No
// token may be part of another one or of any other text of a template.
const (
	markConfirmation = "CN99999999"
	markReservation  = "RS99999999"
	markGroupCode    = "GRP9999999"
	markReference    = "REF9999999"
	markGuest        = "Templateguest, Anna"
	markGroup        = "Templategroup Tour"
	markArrival      = "2027-03-03"
	markDeparture    = "2027-03-06"
	markMail         = "bench-mail-999999" // followed by the template's number
	markConversation = "bench-conv-999999" // likewise
)

// spread walks the numbers below n in an order that jumps around in an index:
// 48271 is prime, so it meets each of them once unless n is its multiple.
func spread(i, n int) int {
	if n%48271 == 0 {
		return i
	}
	return int(int64(i) * 48271 % int64(n))
}

// isGroup: every tenth order is a group's, the others are single guests'.
func isGroup(order int) bool { return order%10 == 9 }

// orderOf is the order that the card (or mail) j speaks of: two cards to an
// order, and single guests' orders only, which have even numbers.
func orderOf(j, orders int) int { return 2 * (j / 2) % (orders - orders%2) }

func confirmation(order, orders int) string {
	return fmt.Sprintf("CN%08d", 10_000_000+spread(order, orders))
}

func reservation(order, orders int) string {
	return fmt.Sprintf("RS%08d", 50_000_000+spread(order, orders))
}

func externalID(j int) string     { return fmt.Sprintf("bench-mail-%07d", j) }
func conversationID(j int) string { return fmt.Sprintf("bench-conv-%07d", j/3) }
func mailHeaderID(external string) string {
	return "<" + external + "@bench.example>"
}

// Names in three scripts, so that search has what hotels have.
var (
	families = []string{"Okafor", "Lindqvist", "Garcia", "Tanaka", "Nguyen", "Müller", "Rossi", "Haddad", "Kowalski", "Petrov", "Silva", "Dubois",
		"Jensen", "Murphy", "Srisuk", "Chaiyaporn", "Wongsawat", "Anderson", "Fernandez", "Yamamoto", "Kim", "Cohen", "Novak", "Eriksson", "Banerjee"}
	givens = []string{"Grace", "Erik", "Maria", "Hiroshi", "Linh", "Jonas", "Giulia", "Omar", "Zofia", "Ivan", "Beatriz", "Luc", "Freja", "Sean",
		"Kamonwan", "Malee", "Somchai", "Daniel", "Lucia", "Yuki", "Minji", "Noa", "Petra", "Astrid", "Ravi", "Sofia", "Peter"}
	chinese = []string{"王", "李", "张", "刘", "陈", "杨", "赵", "黄", "周", "吴"}
	given   = []string{"小明", "丽华", "建国", "秀英", "志强", "美玲", "国栋", "雅婷", "伟", "芳"}
	thai    = []string{"กมลวรรณ ศรีสุข", "สมชาย วงศ์สวัสดิ์", "มาลี ใจดี", "ประเสริฐ ทองคำ", "วรรณา สุขสันต์"}
)

func guestName(i int) string {
	switch {
	case i%10 == 4:
		return chinese[i/10%len(chinese)] + given[i/100%len(given)] + fmt.Sprintf(" %06d", i)
	case i%20 == 6:
		return thai[i/20%len(thai)] + fmt.Sprintf(" %06d", i)
	}
	return families[i%len(families)] + ", " + givens[i/len(families)%len(givens)] + fmt.Sprintf(" %06d", i)
}

// stay is the arrival and departure of an order: over two years from the day
// given, one to five nights.
func stay(order int, from time.Time) (in, out string) {
	day := from.AddDate(0, 0, order*7%730)
	return day.Format(time.DateOnly), day.AddDate(0, 0, 1+order%5).Format(time.DateOnly)
}

// values are what one copy has in the place of tokens.
type values map[string]string

// set also covers the folded form in search texts.
func (v values) set(token, value string) {
	v[token] = value
	v[strings.ToLower(token)] = strings.ToLower(norm.NFKC.String(value))
}

// setHashed also covers the digest in index columns.
func (v values) setHashed(token, value string) {
	v.set(token, value)
	v[digest(token)] = digest(value)
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
