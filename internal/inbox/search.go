package inbox

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"thhotel/internal/mail"
)

// What people search in: heads as one text, and the beginning of each body, both
// folded. Words are looked for as substrings, which is what Chinese, Thai and
// booking numbers need, on either engine. No index serves that, so a page of a
// search looks through a bounded number of messages and says where to go on.
const (
	maxSearch    = 8000     // bytes of a head
	maxFolded    = 64 << 10 // bytes of a body
	maxWords     = 10
	searchWindow = 5000
)

// fold makes texts comparable: full-width and composed forms, case, white space.
func fold(s string, limit int) string {
	return cut(strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(cut(s, 2*limit)))), " "), limit)
}

// wanted are the words of a search.
func wanted(search string) []string {
	words := strings.Fields(fold(search, maxSubject))
	return words[:min(len(words), maxWords)]
}

// heard are the people a message was sent to.
func heard(r reading) string {
	var b strings.Builder
	for _, list := range [][]mail.Address{r.to, r.cc, r.replyTo} {
		for _, a := range list {
			b.WriteString(a.Name + " " + a.Email + " ")
		}
	}
	return b.String()
}
