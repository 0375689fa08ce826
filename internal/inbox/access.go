package inbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/database"
)

// What was read.
const (
	accessBody       = "BODY"
	accessOriginal   = "ORIGINAL"
	accessAttachment = "ATTACHMENT"
)

// errInTransaction is a defect of the calling code.
var errInTransaction = errors.New("inbox: a body is read outside transactions: its access record must be committed before it is returned")

// recordAccess commits one row per message. Inside somebody's transaction the
// row could still vanish after the body was seen, so that is refused.
func (s *Service) recordAccess(ctx context.Context, by access.Caller, what, why, attachment string, messages ...string) error {
	if database.InTransaction(ctx) {
		return errInTransaction
	}
	if len(messages) == 0 {
		return nil
	}
	return s.db.InTx(ctx, func(ctx context.Context) error {
		return s.store.insertAccess(ctx, s.accessRows(by, what, why, attachment, messages))
	})
}

func (s *Service) accessRows(by access.Caller, what, why, attachment string, messages []string) []accessRow {
	rows := make([]accessRow, 0, len(messages))
	for _, id := range messages {
		rows = append(rows, accessRow{
			ID: s.clock.NewID(), HotelID: by.HotelID, MessageID: id, What: what, AttachmentID: attachment,
			SubjectKind: string(by.Kind), SubjectID: short(by.SubjectID, 64), SubjectName: short(by.Name, 200), CredentialID: short(by.CredentialID, 64),
			Adapter: short(by.Trace.Adapter, 32), Client: short(by.Trace.Client, 200), Why: short(why, 200),
			RequestID: short(by.Trace.RequestID, 200), TraceID: short(by.Trace.TraceID, 200), At: database.At(s.clock.Now()),
		})
	}
	return rows
}

// short keeps what a client says of itself from breaking its own audit row.
func short(s string, limit int) string { return cut(oneLine(s), limit) }

// Access is one reading of a message.
type Access struct {
	ID, MessageID, What, AttachmentID   string
	SubjectKind, SubjectID, SubjectName string
	CredentialID, Adapter, Client, Why  string
	RequestID, TraceID                  string
	At                                  time.Time
}

// Accesses lists who read a message, oldest first. after is the last id of the
// page before.
func (s *Service) Accesses(ctx context.Context, by access.Caller, messageID, after string, limit int) ([]Access, error) {
	if err := by.Require(access.AuditRead); err != nil {
		return nil, err
	}
	rows, err := s.store.accesses(ctx, by.HotelID, messageID, after, pageSize(limit))
	if err != nil {
		return nil, fmt.Errorf("list accesses: %w", err)
	}
	out := make([]Access, 0, len(rows))
	for _, r := range rows {
		out = append(out, Access{ID: r.ID, MessageID: r.MessageID, What: r.What, AttachmentID: r.AttachmentID, SubjectKind: r.SubjectKind,
			SubjectID: r.SubjectID, SubjectName: r.SubjectName, CredentialID: r.CredentialID, Adapter: r.Adapter, Client: r.Client, Why: r.Why,
			RequestID: r.RequestID, TraceID: r.TraceID, At: r.At.Time})
	}
	return out, nil
}
