package inbox

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/gowebpki/jcs"

	"thhotel/internal/access"
	"thhotel/internal/blob"
	"thhotel/internal/fault"
)

// busPayload is one message as the mail bus delivers it. Fields that are not
// named here are kept in the original and not looked at, so the bus may grow.
type busPayload struct {
	HotelID string `json:"hotel_id"`
	Source  struct {
		Provider               string `json:"provider"`
		Channel                string `json:"channel"`
		ExternalMessageID      string `json:"external_message_id"`
		ExternalConversationID string `json:"external_conversation_id"`
	} `json:"source"`
	Headers    busHeaders    `json:"headers"`
	MessageID  string        `json:"message_id"`
	InReplyTo  string        `json:"in_reply_to"`
	References []string      `json:"references"`
	Subject    string        `json:"subject"`
	Sender     busAddresses  `json:"sender"`
	Recipients busRecipients `json:"recipients"`
	Cc         busAddresses  `json:"cc"`
	ReplyTo    busAddresses  `json:"reply_to"`
	SentAt     string        `json:"sent_at"`
	ReceivedAt string        `json:"received_at"`
	TextBody   string        `json:"text_body"`
	HTMLBody   string        `json:"html_body"`
	Bodies     struct {
		Text string `json:"text"`
		HTML string `json:"html"`
	} `json:"bodies"`
	Body            string          `json:"body"`
	BodyContentType string          `json:"body_content_type"`
	Attachments     []busAttachment `json:"attachments"`
}

// busAttachment is a file's description, with its content where the bus sends it.
type busAttachment struct {
	ID            string `json:"id"`
	Name          string `json:"name"`
	ContentType   string `json:"content_type"`
	ContentID     string `json:"content_id"`
	Inline        bool   `json:"inline"`
	Size          int64  `json:"size"`
	ContentBase64 string `json:"content_base64"`
}

// DeliverBus keeps one message of the bus's JSON. The payload's exact bytes are
// the original; a repeated delivery may format them otherwise.
func (s *Service) DeliverBus(ctx context.Context, by access.Caller, payload []byte) (Delivered, error) {
	if err := by.Require(access.MessageDeliver); err != nil {
		return Delivered{}, err
	}
	if len(payload) > maxRaw {
		return Delivered{}, ErrTooLarge
	}
	var b busPayload
	if err := json.Unmarshal(payload, &b); err != nil {
		return Delivered{}, ErrDelivery.At(jsonViolation(err)).Because(err)
	}
	if b.HotelID != "" && b.HotelID != by.HotelID {
		return Delivered{}, ErrHotel
	}
	r, wrong := b.reading()
	p, err := b.params(payload)
	wrong = append(wrong, err...)
	if err := p.check(by); err != nil {
		wrong = append(wrong, fault.As(err).Fields...)
	}
	if p.Provider == ImportProvider {
		wrong = append(wrong, fault.Violation{Path: "/source/provider", Message: "IMPORT is for files that people bring"})
	}
	if len(wrong) > 0 {
		return Delivered{}, ErrDelivery.At(wrong...)
	}
	kept, failed := s.keep(ctx, by, p, canonicalSum(payload), rawBus, func() reading { return r })
	return kept.Delivered, failed
}

// canonicalSum is the same for every way to write one JSON document (RFC 8785).
func canonicalSum(payload []byte) string {
	if c, err := jcs.Transform(payload); err == nil {
		payload = c
	}
	sum := sha256.Sum256(payload)
	return hex.EncodeToString(sum[:])
}

func jsonViolation(err error) fault.Violation {
	where, message := "", "a JSON object as the interface describes it"
	var t *json.UnmarshalTypeError
	if errors.As(err, &t) {
		where, message = "/"+strings.ReplaceAll(t.Field, ".", "/"), "not a "+t.Value
	}
	return fault.Violation{Path: where, Message: message}
}

func (b busPayload) params(payload []byte) (DeliverParams, []fault.Violation) {
	p := DeliverParams{Provider: b.Source.Provider, Channel: b.Source.Channel, ExternalMessageID: b.Source.ExternalMessageID,
		ExternalConversationID: b.Source.ExternalConversationID, Raw: payload}
	for _, a := range b.Attachments {
		p.AttachmentIDs = append(p.AttachmentIDs, a.ID)
	}
	var wrong []fault.Violation
	p.ReceivedAt = instant(b.ReceivedAt, "/received_at", &wrong)
	return p.tidied(), wrong
}

// reading makes of the payload what readMail makes of a mail.
func (b busPayload) reading() (reading, []fault.Violation) {
	var wrong []fault.Violation
	r := reading{
		messageID:  identifier(first(b.MessageID, b.Headers.get("Message-ID"))),
		inReplyTo:  identifier(first(b.InReplyTo, b.Headers.get("In-Reply-To"))),
		references: identifiers(b.References), subject: first(b.Subject, b.Headers.get("Subject")),
		to: b.Recipients.To, cc: append(b.Recipients.Cc, b.Cc...), replyTo: b.ReplyTo,
		sentAt: instant(b.SentAt, "/sent_at", &wrong),
	}
	if len(r.references) == 0 {
		r.references = identifiers(strings.Fields(strings.ReplaceAll(b.Headers.get("References"), "><", "> <")))
	}
	if len(b.Sender) > 0 {
		r.from = b.Sender[0]
	}
	if len(r.replyTo) == 0 {
		r.replyTo = parseAddresses(b.Headers.get("Reply-To"))
	}
	if auto := strings.ToLower(strings.TrimSpace(b.Headers.get("Auto-Submitted"))); auto != "" && auto != "no" {
		r.flags = append(r.flags, FlagAutoSubmitted)
	}
	if b.Headers.get("List-Unsubscribe") != "" || strings.EqualFold(b.Headers.get("Precedence"), "bulk") {
		r.flags = append(r.flags, FlagBulk)
	}
	for i, a := range b.Attachments {
		r.files = append(r.files, a.file(i, &wrong))
	}
	text, html := first(b.TextBody, b.Bodies.Text), first(b.HTMLBody, b.Bodies.HTML)
	if strings.Contains(strings.ToLower(b.BodyContentType), "html") {
		html = first(html, b.Body)
	} else {
		text = first(text, b.Body)
	}
	r.clean(text, html)
	return r, wrong
}

func (a busAttachment) file(i int, wrong *[]fault.Violation) file {
	f := file{Attachment: Attachment{Name: baseName(a.Name), ContentType: a.ContentType, ContentID: a.ContentID, Inline: a.Inline, Size: max(0, a.Size)}}
	if a.ContentBase64 == "" {
		return f
	}
	content, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(a.ContentBase64), ""))
	if err != nil {
		*wrong = append(*wrong, fault.Violation{Path: fmt.Sprintf("/attachments/%d/content_base64", i), Message: "standard base64 with padding"})
		return f
	}
	f.sent, f.content, f.Size, f.SHA256 = true, content, int64(len(content)), blob.Key(content)
	return f
}

// baseName drops folders: a name is offered for saving.
func baseName(s string) string {
	if s = strings.TrimSpace(strings.ReplaceAll(s, `\`, "/")); s == "" {
		return ""
	}
	return path.Base(s)
}

func instant(s, at string, wrong *[]fault.Violation) time.Time {
	if s == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		*wrong = append(*wrong, fault.Violation{Path: at, Message: "a moment in RFC 3339 with its offset, 2026-11-30T11:05:13+07:00"})
	}
	return t
}

func first(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}
