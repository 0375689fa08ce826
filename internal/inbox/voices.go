package inbox

import (
	"slices"

	"thhotel/internal/mail"
)

// voice is who speaks in one message of a conversation, and to whom.
type voice struct {
	id, sender string
	heard      []mail.Address // recipients
	flags      []string
}

// judgeSenders returns the flags of the messages, given in the order of receipt,
// whose sender flags are not right (any more). It looks at the whole
// conversation, so the order in which messages happen to arrive changes nothing.
func judgeSenders(voices []voice) map[string][]string {
	changed := map[string][]string{}
	known, spoken := map[string]bool{}, false
	for _, v := range voices {
		own := organisation(v.sender)
		heard := organisations(v.heard)
		isNew := own != "" && spoken && !known[own]
		alike := own != "" && !known[own] && (alikeAny(own, known) || !slices.Contains(heard, own) && alikeOf(own, heard))
		if flags := withSenderFlags(v.flags, isNew, alike); !slices.Equal(flags, v.flags) {
			changed[v.id] = flags
		}
		spoken = spoken || own != ""
		if alike {
			continue // an imitation never becomes a domain that others are measured by
		}
		known[own] = true
		if !isNew { // whom a stranger writes to proves nothing
			for _, d := range heard {
				known[d] = true
			}
		}
	}
	return changed
}

func alikeAny(own string, known map[string]bool) bool {
	for d := range known {
		if lookAlike(own, d) {
			return true
		}
	}
	return false
}

func alikeOf(own string, list []string) bool {
	return slices.ContainsFunc(list, func(d string) bool { return lookAlike(own, d) })
}

func withSenderFlags(flags []string, isNew, alike bool) []string {
	out := slices.DeleteFunc(slices.Clone(flags), func(f string) bool { return f == FlagDomainNew || f == FlagLookAlike })
	if isNew {
		out = append(out, FlagDomainNew)
	}
	if alike {
		out = append(out, FlagLookAlike)
	}
	return sorted(out)
}
