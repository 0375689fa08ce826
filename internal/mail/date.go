package mail

import (
	netmail "net/mail"
	"regexp"
	"strings"
	"time"
)

// zones are the names of RFC 822, which Go reads as if they were UTC.
var zones = strings.NewReplacer(" EST", " -0500", " EDT", " -0400", " CST", " -0600", " CDT", " -0500", " MST", " -0700",
	" MDT", " -0600", " PST", " -0800", " PDT", " -0700", " GMT", " +0000", " UTC", " +0000", " UT", " +0000", " Z", " +0000")

var dateComment = regexp.MustCompile(`\([^()]*\)`)

// parseDate reads a date as mail programs write it; zero when it cannot be read.
func parseDate(s string) time.Time {
	s = strings.Join(strings.Fields(dateComment.ReplaceAllString(utf(s), " ")), " ")
	if s == "" || len(s) > 100 {
		return time.Time{}
	}
	numeric := zones.Replace(s + " ")
	for _, try := range []string{strings.TrimSpace(numeric), s} {
		if t, err := netmail.ParseDate(try); err == nil {
			return t
		}
	}
	s = strings.TrimSpace(numeric)
	if _, rest, ok := strings.Cut(s, ","); ok {
		s = strings.TrimSpace(rest)
	}
	for _, layout := range []string{
		"2 Jan 2006 15:04:05 -0700", "2 January 2006 15:04:05 -0700", "2 Jan 2006 15:04:05", "2 Jan 2006 15:04", "2-Jan-2006 15:04:05 -0700",
		"Mon Jan 2 15:04:05 2006", "Mon Jan 2 15:04:05 -0700 2006", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05", time.RFC3339,
		"2 Jan 06 15:04:05 -0700", "2 Jan 2006 15:04:05 -07:00", "2 Jan 2006 15:4:5 -0700", "Jan 2, 2006 15:04:05 -0700",
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}
