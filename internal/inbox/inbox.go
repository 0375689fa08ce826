// Package inbox keeps the source messages of a hotel: the original byte for
// byte, what could be read of it made safe, the conversation it belongs to, and
// who read it. It refuses to know what a message asks for: orders, cards and the
// agent's packages are other packages' business.
package inbox

import (
	"time"

	"thhotel/internal/mail"
)

// Where messages come from when nobody says otherwise.
const (
	DefaultProvider = "AGENTBUS"
	DefaultChannel  = "EMAIL"
	ImportProvider  = "IMPORT" // files that people bring
)

// How the body of a message can be shown.
const (
	RenderHTML = "SANITIZED_HTML"
	RenderText = "TEXT_ONLY"
	RenderNone = "NONE"
)

// Flags that this package raises; those of package sanitize join them.
const (
	FlagUnparseable      = "UNPARSEABLE"                 // the bytes are no readable mail; the original is kept
	FlagProblem          = "PARSED_WITH_PROBLEMS"        // readable, but Message.Problem says what was not
	FlagTruncated        = "TRUNCATED"                   // the stored body is shorter than the original's
	FlagDomainNew        = "SENDER_DOMAIN_NEW"           // others wrote here before, this domain did not
	FlagLookAlike        = "SENDER_LOOKALIKE"            // easily mistaken for another domain of the conversation
	FlagReplyElsewhere   = "REPLY_TO_ELSEWHERE"          // an answer would go to another domain than the sender's
	FlagActiveAttachment = "ACTIVE_ATTACHMENT"           // a file that runs when it is opened
	FlagAutoSubmitted    = "AUTO_SUBMITTED"              // written by a machine
	FlagBulk             = "BULK"                        // a mailing list or newsletter
	FlagIDReused         = "EXTERNAL_ID_REUSED"          // other bytes came under the same id: refused, or (a file) kept under another
	FlagCopy             = "SAME_MESSAGE_ID"             // another message here has the same Message-ID: see Copies
	FlagTextDiffers      = "TEXT_DIFFERS_FROM_HTML_BODY" // the plain text says what a reader of the HTML never sees
)

// Message is a source message without its body: what may be listed.
type Message struct {
	ID                string
	Provider, Channel string
	ExternalMessageID string
	ConversationID    string // the source's own, or the Message-ID of the thread's root
	MessageID         string // of the header, angle brackets included; "" where there is none
	InReplyTo         string
	References        []string // oldest first
	Subject           string
	SenderName        string
	SenderEmail       string
	To, Cc, ReplyTo   []string // addresses only
	SentAt            time.Time
	ReceivedAt        time.Time // orders a conversation
	RawFormat         string    // MAIL or BUS_JSON
	RawSize           int64
	RawSHA256         string
	RenderMode        string
	Flags             []string
	Attachments       []Attachment
	Problem           string // what was wrong with the original, "" for nothing
}

// Attachment is a file of a message. SHA256 is "" when the source told of the
// file and did not send it.
type Attachment struct {
	ID, Name, ContentType, ContentID string
	Inline                           bool
	Size                             int64
	SHA256                           string
}

// Body is the readable content of a message, made safe.
type Body struct {
	Text       string // all of it
	Fresh      string // what the sender wrote now
	Quoted     string // the history below or between
	HTML       string
	RenderMode string
	Truncated  bool // cut here or when it was stored; the original is whole
}

// DeliverParams is one raw mail from a source.
type DeliverParams struct {
	Provider, Channel      string // "" takes the defaults
	ExternalMessageID      string
	ExternalConversationID string // "" lets the thread decide
	Raw                    []byte
	ReceivedAt             time.Time // zero takes the mail's topmost Received, else its Date
	AttachmentIDs          []string  // the source's ids in the mail's order; may be short
}

// Delivered says where a message is kept.
type Delivered struct {
	MessageID string // our id
	Duplicate bool   // it was there already; nothing changed
}

// ConversationParams asks for one conversation, by its id or by a message of it.
// The id wins when both are given.
type ConversationParams struct {
	HotelID           string
	Provider, Channel string // both "" take the defaults and may be resolved elsewhere
	ConversationID    string
	ExternalMessageID string
	Cursor            string
	Limit             int // 0 means 50; at most 200
}

// Conversation is a page of a conversation in the order of receipt.
type Conversation struct {
	Provider, Channel, ConversationID string
	Total                             int
	Messages                          []Message
	NextCursor                        string
	Resolved                          bool // found outside the defaults: SOURCE_RESOLVED
}

// ListParams filters the hotel's messages, newest first. Zero fields do not filter.
type ListParams struct {
	Search            string // words, all of them, as parts of subject, people, ids, file names or (for who may read bodies) the body
	Provider, Channel string
	ConversationID    string
	Flag              string
	Since, Until      time.Time // of receipt; Until is exclusive
	Cursor            string
	Limit             int // 0 means 50; at most 200

	bodies bool // whether Search looks into bodies
}

// Facts is what rules may know of a message without anybody reading it.
type Facts struct {
	MessageID, ConversationID string
	SenderDomainNew           bool
	SenderLookAlike           bool
	FreshText, QuotedText     string
	Subject                   string
	SenderEmail               string
	Flags                     []string
	AttachmentIDs             []string
}

// reading is what was understood of an original, before it has an id and a place.
type reading struct {
	messageID, inReplyTo string
	references           []string
	subject              string
	from                 mail.Address
	to, cc, replyTo      []mail.Address
	sentAt, receivedAt   time.Time
	text, html, render   string
	flags                []string
	problem              string
	files                []file
}

// file is an attachment with its content; nil means that the source did not send it.
type file struct {
	Attachment
	content []byte
	sent    bool
}
