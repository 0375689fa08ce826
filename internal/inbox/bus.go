package inbox

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
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
	HotelID         string          `json:"hotel_id"`
	Source          busSource       `json:"source"`
	RawMIME         string          `json:"raw_mime_base64"`
	Headers         busHeaders      `json:"headers" validate:"excluded_with=RawMIME"`
	MessageID       string          `json:"message_id" validate:"excluded_with=RawMIME"`
	InReplyTo       string          `json:"in_reply_to" validate:"excluded_with=RawMIME"`
	References      busIDs          `json:"references" validate:"excluded_with=RawMIME"`
	Subject         string          `json:"subject"`
	Sender          busAddresses    `json:"sender"`
	Recipients      busRecipients   `json:"recipients"`
	Cc              busAddresses    `json:"cc"`
	ReplyTo         busAddresses    `json:"reply_to"`
	SentAt          string          `json:"sent_at" validate:"omitempty,moment"`
	ReceivedAt      string          `json:"received_at" validate:"omitempty,moment"`
	TextBody        string          `json:"text_body" validate:"excluded_with=RawMIME"`
	HTMLBody        string          `json:"html_body" validate:"excluded_with=RawMIME"`
	Bodies          busBodies       `json:"bodies" validate:"excluded_with=RawMIME"`
	Body            string          `json:"body" validate:"excluded_with=RawMIME"`
	BodyContentType string          `json:"body_content_type"`
	Attachments     []busAttachment `json:"attachments" validate:"dive"`
}

type busSource struct {
	Provider               string `json:"provider" validate:"omitempty,place,ne_ignore_case=import"`
	Channel                string `json:"channel" validate:"omitempty,place"`
	ExternalMessageID      string `json:"external_message_id" validate:"required,line"`
	ExternalConversationID string `json:"external_conversation_id" validate:"line"`
}

type busBodies struct {
	Text string `json:"text"`
	HTML string `json:"html"`
}

// busAttachment is a file's description, with its content where the bus sends it.
type busAttachment struct {
	ID            string `json:"id" validate:"line,brief"`
	Name          string `json:"name"`
	ContentType   string `json:"content_type"`
	ContentID     string `json:"content_id"`
	Inline        bool   `json:"inline"`
	Size          int64  `json:"size"`
	ContentBase64 string `json:"content_base64"`
}

// Receipt is the stored state of a message that the bus delivered.
type Receipt struct {
	Delivered
	Message Message // as it stands now, without its body
}

// DeliverBus keeps one message of the bus's JSON. The original is the mail itself
// where the bus sends it whole, else the payload's exact bytes, which a repeated
// delivery may format otherwise.
func (s *Service) DeliverBus(ctx context.Context, by access.Caller, payload []byte) (Receipt, error) {
	if err := by.Require(access.MessageDeliver); err != nil {
		return Receipt{}, err
	}
	if len(payload) > maxRaw {
		return Receipt{}, ErrTooLarge
	}
	check, err := s.bus()
	if err != nil {
		return Receipt{}, err
	}
	b, wrong, err := check.decode(payload)
	switch {
	case err != nil:
		return Receipt{}, err
	case len(wrong) > 0:
		return Receipt{}, ErrDelivery.At(wrong...)
	case b.HotelID != "" && b.HotelID != by.HotelID:
		return Receipt{}, ErrHotel
	}
	d, err := s.deliverBus(ctx, by, b, payload)
	if err != nil {
		return Receipt{}, err
	}
	row, err := s.store.get(ctx, by.HotelID, d.MessageID)
	if err != nil {
		return Receipt{}, err
	}
	out := Receipt{Delivered: d}
	out.Message, err = s.whole(ctx, row)
	return out, err
}

func (s *Service) deliverBus(ctx context.Context, by access.Caller, b busPayload, payload []byte) (Delivered, error) {
	var wrong []fault.Violation
	p, format := b.params(payload), rawBus
	var read func() reading
	if b.RawMIME != "" {
		p.Raw = decoded(b.RawMIME, "/raw_mime_base64", &wrong)
		format, read = rawMail, func() reading { return readMail(p.Raw) }
	} else {
		r := b.reading(&wrong)
		read = func() reading { return r }
	}
	if err := p.check(by); err != nil && len(wrong) == 0 {
		return Delivered{}, err
	}
	if len(wrong) > 0 {
		return Delivered{}, ErrDelivery.At(wrong...)
	}
	same := p.sameness()
	if format == rawBus {
		same = canonicalSum(payload)
	}
	kept, err := s.keep(ctx, by, p, same, format, read)
	return kept.Delivered, err
}

// canonicalSum is the same for every way to write one JSON document (RFC 8785).
func canonicalSum(payload []byte) string {
	if c, err := jcs.Transform(payload); err == nil {
		payload = c
	}
	sum := sha256.Sum256(payload)
	return hex.EncodeToString(sum[:])
}

func (b busPayload) params(payload []byte) DeliverParams {
	p := DeliverParams{Provider: b.Source.Provider, Channel: b.Source.Channel, ExternalMessageID: b.Source.ExternalMessageID,
		ExternalConversationID: b.Source.ExternalConversationID, Raw: payload, ReceivedAt: instant(b.ReceivedAt)}
	for _, a := range b.Attachments {
		p.AttachmentIDs = append(p.AttachmentIDs, a.ID)
	}
	return p.tidied()
}

// reading makes of the payload what readMail makes of a mail.
func (b busPayload) reading(wrong *[]fault.Violation) reading {
	r := reading{
		messageID:  identifier(first(b.MessageID, b.Headers.get("Message-ID"))),
		inReplyTo:  identifier(first(b.InReplyTo, b.Headers.get("In-Reply-To"))),
		references: identifiers(b.References), subject: first(b.Subject, b.Headers.get("Subject")),
		to: b.Recipients.To, cc: append(b.Recipients.Cc, b.Cc...), replyTo: b.ReplyTo, sentAt: instant(b.SentAt),
	}
	if len(r.references) == 0 {
		r.references = identifiers(headerIDs(b.Headers.get("References")))
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
		r.files = append(r.files, a.file(i, wrong))
	}
	r.clean(b.texts())
	return r
}

// texts are the plain and the HTML body, wherever the bus put them.
func (b busPayload) texts() (text, html string) {
	text, html = first(b.TextBody, b.Bodies.Text), first(b.HTMLBody, b.Bodies.HTML)
	if strings.Contains(strings.ToLower(b.BodyContentType), "html") {
		return text, first(html, b.Body)
	}
	return first(text, b.Body), html
}

func (a busAttachment) file(i int, wrong *[]fault.Violation) file {
	f := file{Attachment: Attachment{Name: baseName(a.Name), ContentType: a.ContentType, ContentID: a.ContentID, Inline: a.Inline, Size: max(0, a.Size)}}
	if a.ContentBase64 == "" {
		return f
	}
	content := decoded(a.ContentBase64, fmt.Sprintf("/attachments/%d/content_base64", i), wrong)
	f.sent, f.content, f.Size, f.SHA256 = true, content, int64(len(content)), blob.Key(content)
	return f
}

// decoded reads base64, in lines or not.
func decoded(s, at string, wrong *[]fault.Violation) []byte {
	out, err := base64.StdEncoding.DecodeString(s) // skips line ends by itself
	if err != nil {
		out, err = base64.StdEncoding.DecodeString(strings.Join(strings.Fields(s), ""))
	}
	if err != nil {
		*wrong = append(*wrong, violation(at, "必须是带填充的标准 base64", "standard base64 with padding"))
	}
	return out
}

// baseName drops folders: a name is offered for saving.
func baseName(s string) string {
	if s = strings.TrimSpace(strings.ReplaceAll(s, `\`, "/")); s == "" {
		return ""
	}
	return path.Base(s)
}

// instant is a moment that was found sound; zero for none.
func instant(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}
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
