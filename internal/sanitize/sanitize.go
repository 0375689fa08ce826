// Package sanitize makes foreign HTML and plain text safe to store, to show to
// staff and to hand to an assistant.
//
// A mail is hostile in two ways. It may load, link or run something; against
// that the output knows text structure only: no links, no images, no styles and
// no attribute except colspan and rowspan. And it may carry text which a reader
// of the mail never saw, placed there for a machine; therefore hidden content is
// dropped while the styles which hide it are still known, and only then are the
// styles stripped. The package refuses to know what a mail, a hotel or a
// database is.
package sanitize

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Flag says what was taken out of a body.
type Flag string

// The flags, in the order in which they are reported.
const (
	FlagHiddenContent  Flag = "HIDDEN_CONTENT_REMOVED"
	FlagRemoteContent  Flag = "REMOTE_CONTENT_REMOVED"
	FlagActiveContent  Flag = "ACTIVE_CONTENT_REMOVED"
	FlagInvisibleChars Flag = "INVISIBLE_CHARACTERS_REMOVED"
	FlagMixedScripts   Flag = "MIXED_SCRIPT_WORD" // a word in letters of two alphabets that look alike; it stays
	FlagCardMasked     Flag = "CARD_NUMBER_MASKED"
	FlagTruncated      Flag = "TRUNCATED"
)

// MaxInput is how many bytes of a body are looked at; the rest is cut and flagged.
const MaxInput = 4 << 20

// Result is what may be stored and shown.
type Result struct {
	HTML  string // only allow-listed structure; empty for plain text
	Text  string // readable plain text
	Flags []Flag // what was removed, without repeats, in a fixed order
}

// HTML cleans a foreign HTML body and makes the plain text which belongs to it.
func HTML(src string) Result {
	flags := flagSet{}
	src = capped(src, flags)
	pieces := walk(src, flags)
	finish(pieces, flags)
	return Result{HTML: renderHTML(pieces), Text: renderText(pieces), Flags: flags.list()}
}

// Text cleans a foreign plain text body. Line structure is left as it stands.
func Text(src string) Result {
	flags := flagSet{}
	src = capped(src, flags)
	text := cleanChars(newlines(src), flags)
	if spans := cardSpans(text); len(spans) > 0 {
		flags.add(FlagCardMasked)
		text = maskSpans(text, 0, spans)
	}
	return Result{Text: text, Flags: flags.list()}
}

// capped bounds the work an input can cause and makes it valid UTF-8.
func capped(src string, flags flagSet) string {
	if len(src) > MaxInput {
		flags.add(FlagTruncated)
		cut := MaxInput
		for cut > MaxInput-utf8.UTFMax && !utf8.RuneStart(src[cut]) {
			cut--
		}
		src = src[:cut]
	}
	return strings.ToValidUTF8(src, "\uFFFD")
}

func newlines(s string) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\u0085", "\n").Replace(s)
}

// flagSet collects flags without repeats.
type flagSet map[Flag]bool

func (f flagSet) add(flag Flag) { f[flag] = true }

func (f flagSet) list() []Flag {
	order := []Flag{FlagHiddenContent, FlagRemoteContent, FlagActiveContent, FlagInvisibleChars, FlagMixedScripts, FlagCardMasked, FlagTruncated}
	return slices.DeleteFunc(order, func(flag Flag) bool { return !f[flag] })
}
