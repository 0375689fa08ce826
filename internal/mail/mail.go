// Package mail reads RFC 5322 bytes: headers, bodies, attachments, and what of a
// text is new and what is quoted. It knows nothing of hotels, databases or
// pages, and it does not make anything safe to show: what it returns is as
// hostile as what came in, only decoded.
package mail

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Address is one mailbox.
type Address struct{ Name, Email string }

// Attachment is one file carried by a message. Name is a safe base name.
type Attachment struct {
	Name, ContentType, ContentID string
	Inline                       bool
	Content                      []byte
	Container                    string // the file or text it was taken out of; "" for a part of the mail
}

// Message is what could be read of a mail.
type Message struct {
	MessageID  string // as it stands, angle brackets included
	InReplyTo  string
	References []string

	Subject         string
	From            Address
	To, Cc, ReplyTo []Address
	SentAt          time.Time // Date; zero if none
	ReceivedAt      time.Time // topmost Received; zero if none

	AutoSubmitted   string
	ListUnsubscribe string

	Text, HTML  string // Text is empty when a part of the body is HTML only
	Attachments []Attachment
	Problem     string // what could not be read; "" if all is well
}

// Limits on what one message may cost. Beyond them the headers are still read.
const (
	MaxRaw         = 64 << 20 // bytes
	maxBoundaries  = 10000    // parts
	maxNesting     = 30       // parts within parts
	maxAttachments = 500
	maxBody        = 16 << 20 // bytes of text or HTML
)

// Parse reads one message. It never fails: what could not be read is said in
// Problem, beside whatever could.
func Parse(raw []byte) Message { return parse(raw, 0) }

func parse(raw []byte, depth int) (m Message) {
	p := &problems{}
	defer func() {
		// A fault of the library on one mail must not stop an import.
		if r := recover(); r != nil {
			p.add("the parser gave up: %v", r)
		}
		m.Problem = p.String()
	}()
	if len(raw) > MaxRaw {
		p.add("larger than %d bytes, the rest was not read", MaxRaw)
		raw = raw[:MaxRaw]
	}
	raw = trimEnvelope(raw)
	readHeaders(&m, raw, p)
	readBody(&m, raw, p)
	forwarded(&m, depth)
	return m
}

// readBody splits the message; decoding is ours, because only who sees the bytes
// can tell a wrong charset from a right one.
func readBody(m *Message, raw []byte, p *problems) {
	root := (&partSplitter{problems: p}).read(raw, nil, 0)
	b := &body{problems: p}
	b.walk(root, 0)
	b.fill(m)
	if m.Text == "" && m.HTML == "" && len(b.attachments) == 0 {
		if m.Text = plainBody(raw); m.Text != "" {
			p.add("the parts cannot be told apart, the body is shown as one text")
		}
	}
}

// plainBody is the last resort: everything behind the headers, as text, or all
// of it when there is no header.
func plainBody(raw []byte) string {
	head, rest := cutHeader(raw)
	line, _, _ := bytes.Cut(head, []byte("\n"))
	if !headerLine.Match(line) {
		rest = raw
	}
	text, _ := decodeCharset(rest[:min(len(rest), maxBody)], "", false)
	return strings.TrimSpace(lines(text))
}

var headerLine = regexp.MustCompile(`^[!-9;-~]+[ \t]*:`)

// trimEnvelope drops a byte order mark, empty lines and an mbox line in front.
func trimEnvelope(raw []byte) []byte {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	raw = bytes.TrimLeft(raw, " \t\r\n")
	for bytes.HasPrefix(raw, []byte("From ")) || bytes.HasPrefix(raw, []byte(">From ")) {
		_, rest, ok := bytes.Cut(raw, []byte("\n"))
		if !ok {
			break
		}
		raw = rest
	}
	return raw
}

// problems collects what went wrong, each once and not too many.
type problems struct{ list []string }

func (p *problems) add(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "") + "…"
	}
	for _, have := range p.list {
		if have == text {
			return
		}
	}
	if len(p.list) < 10 {
		p.list = append(p.list, strings.ToValidUTF8(text, "\uFFFD"))
	}
}

func (p *problems) String() string { return strings.Join(p.list, "; ") }
