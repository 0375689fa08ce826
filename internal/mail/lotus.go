package mail

import (
	"regexp"
	"strings"
)

// Notes puts the labels of a quoted message on lines of their own:
//
//	Anna Weber/BKK
//	26/11/2026 10:10
//
//	To
//	…
//	Subject
var (
	lotusTo      = regexp.MustCompile(`(?i)^(to|an|à|a|para|aan|收件人|收件者|宛先|받는 ?사람)$`)
	lotusSubject = regexp.MustCompile(`(?i)^(subject|thema|betreff|objet|oggetto|asunto|assunto|onderwerp|主题|主旨|件名|제목)$`)
)

// lotusBlock recognises such a head at the line with the name.
func lotusBlock(all []string, i int) bool {
	if i+3 >= len(all) || len(all[i]) > 200 {
		return false
	}
	to := -1
	for next := i + 2; next < min(i+16, len(all)); next++ {
		line := strings.TrimSpace(all[next])
		switch {
		case to < 0 && next > i+5:
			return false
		case to < 0 && len(line) <= 20 && lotusTo.MatchString(line):
			to = next
		case to >= 0 && len(line) <= 20 && lotusSubject.MatchString(line):
			return dated.MatchString(all[i+1])
		}
	}
	return false
}
