package inbox

import (
	"context"
	"encoding/json"
	"fmt"

	"thhotel/internal/database"
	"thhotel/internal/mail"
)

// Formats of an original.
const (
	rawMail = "MAIL"
	rawBus  = "BUS_JSON"
)

// messageRow is a message without its bodies, which are large and read apart.
type messageRow struct {
	ID               string `gorm:"primaryKey"`
	HotelID          string
	Provider         string
	Channel          string
	ExternalID       string
	ExternalHash     string
	ConversationID   string
	ConversationHash string
	HeaderMessageID  string
	InReplyTo        string
	ReferenceIDs     string `gorm:"column:reference_ids"`
	Subject          string
	SenderName       string
	SenderEmail      string
	Recipients       string
	SentAt           database.Time
	ReceivedAt       database.Time
	RawFormat        string
	RawSize          int64
	RawSHA256        string `gorm:"column:raw_sha256"`
	SameSHA256       string `gorm:"column:same_sha256"`
	RenderMode       string
	Flags            string
	Problem          string
	SearchText       string
	CreatedAt        database.Time
}

// TableName is the seed's name.
func (messageRow) TableName() string { return "platform_source_message_inbox" }

// wholeRow is a message with its bodies.
type wholeRow struct {
	Head     messageRow `gorm:"embedded"`
	TextBody string
	HTMLBody string `gorm:"column:html_body"`
}

// TableName is the seed's name.
func (wholeRow) TableName() string { return messageRow{}.TableName() }

type attachmentRow struct {
	MessageID    string `gorm:"primaryKey"`
	Position     int    `gorm:"primaryKey"`
	HotelID      string
	AttachmentID string
	Name         string
	ContentType  string
	ContentID    string
	InlinePart   bool
	Size         int64
	SHA256       string `gorm:"column:sha256"`
}

// TableName implements GORM's Tabler.
func (attachmentRow) TableName() string { return "inbox_attachment" }

type accessRow struct {
	ID           string `gorm:"primaryKey"`
	HotelID      string
	MessageID    string
	What         string
	AttachmentID string
	SubjectKind  string
	SubjectID    string
	SubjectName  string
	CredentialID string
	Adapter      string
	Client       string
	Why          string
	RequestID    string
	TraceID      string
	At           database.Time
}

// TableName implements GORM's Tabler.
func (accessRow) TableName() string { return "inbox_access" }

// recipients is the JSON of a message's address lists.
type recipients struct {
	To      []mail.Address `json:"to,omitempty"`
	Cc      []mail.Address `json:"cc,omitempty"`
	ReplyTo []mail.Address `json:"reply_to,omitempty"`
}

// store holds this package's queries.
type store struct{ db *database.DB }

// insert adds a message with its attachments. database.IsDuplicate tells that
// its external id is taken.
func (s store) insert(ctx context.Context, m wholeRow, files []attachmentRow) error {
	if err := s.db.Conn(ctx).Create(&m).Error; err != nil {
		return fmt.Errorf("store message: %w", err)
	}
	if len(files) == 0 {
		return nil
	}
	if err := s.db.Conn(ctx).CreateInBatches(files, 50).Error; err != nil {
		return fmt.Errorf("store attachments: %w", err)
	}
	return nil
}

// taken returns the message that has this external id, if any.
func (s store) taken(ctx context.Context, hotel string, p DeliverParams) (row messageRow, found bool, err error) {
	err = s.heads(ctx).Where("hotel_id = ? AND external_hash = ? AND provider = ? AND channel = ?",
		hotel, hashOf(p.ExternalMessageID), p.Provider, p.Channel).Take(&row).Error
	if database.IsNotFound(err) {
		return row, false, nil
	}
	return row, err == nil, err
}

func (s store) setFlags(ctx context.Context, hotel, id string, flags []string) error {
	return s.db.Conn(ctx).Model(&messageRow{}).Where("hotel_id = ? AND id = ?", hotel, id).
		UpdateColumn("flags", asJSON(flags)).Error
}

func (s store) insertAccess(ctx context.Context, rows []accessRow) error {
	if err := s.db.Conn(ctx).CreateInBatches(rows, 100).Error; err != nil {
		return fmt.Errorf("record access: %w", err)
	}
	return nil
}

// asJSON is for lists and structs of strings, which always have a JSON form.
func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(b)
}

func (r messageRow) flagList() []string {
	var out []string
	_ = json.Unmarshal([]byte(r.Flags), &out) // written by asJSON
	return out
}

func (r messageRow) people() recipients {
	var out recipients
	_ = json.Unmarshal([]byte(r.Recipients), &out) // written by asJSON
	return out
}

func (r messageRow) message() Message {
	var references []string
	_ = json.Unmarshal([]byte(r.ReferenceIDs), &references) // written by asJSON
	who := r.people()
	return Message{
		ID: r.ID, Provider: r.Provider, Channel: r.Channel, ExternalMessageID: r.ExternalID, ConversationID: r.ConversationID,
		MessageID: r.HeaderMessageID, InReplyTo: r.InReplyTo, References: references, Subject: r.Subject,
		SenderName: r.SenderName, SenderEmail: r.SenderEmail, To: emails(who.To), Cc: emails(who.Cc), ReplyTo: emails(who.ReplyTo),
		SentAt: r.SentAt.Time, ReceivedAt: r.ReceivedAt.Time, RawFormat: r.RawFormat, RawSize: r.RawSize, RawSHA256: r.RawSHA256,
		RenderMode: r.RenderMode, Flags: r.flagList(), Problem: r.Problem,
	}
}

func (r attachmentRow) attachment() Attachment {
	return Attachment{ID: r.AttachmentID, Name: r.Name, ContentType: r.ContentType, ContentID: r.ContentID, Inline: r.InlinePart, Size: r.Size, SHA256: r.SHA256}
}

func emails(list []mail.Address) []string {
	out := make([]string, 0, len(list))
	for _, a := range list {
		out = append(out, a.Email)
	}
	return out
}
