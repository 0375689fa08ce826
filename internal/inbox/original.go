package inbox

import (
	"context"
	"errors"
	"fmt"
	"io"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/blob"
	"thhotel/internal/database"
)

// OpenOriginal streams the bytes as they were delivered, after the access was
// recorded. They are hostile: never shown, only downloaded.
func (s *Service) OpenOriginal(ctx context.Context, by access.Caller, id string) (io.ReadCloser, Attachment, error) {
	if err := by.Require(access.MessageOriginal); err != nil {
		return nil, Attachment{}, err
	}
	row, err := s.store.get(ctx, by.HotelID, id)
	if err != nil {
		return nil, Attachment{}, err
	}
	a := Attachment{Name: row.ID + ".eml", ContentType: "message/rfc822", Size: row.RawSize, SHA256: row.RawSHA256}
	if row.RawFormat == rawBus {
		a.Name, a.ContentType = row.ID+".json", "application/json"
	}
	r, err := s.openAudited(ctx, by, accessOriginal, id, a)
	return r, a, err
}

// OpenAttachment streams one file of a message, after the access was recorded.
func (s *Service) OpenAttachment(ctx context.Context, by access.Caller, messageID, attachmentID string) (io.ReadCloser, Attachment, error) {
	if err := by.Require(access.MessageOriginal); err != nil {
		return nil, Attachment{}, err
	}
	if _, err := s.store.get(ctx, by.HotelID, messageID); err != nil {
		return nil, Attachment{}, err
	}
	row, err := s.store.attachment(ctx, by.HotelID, messageID, attachmentID)
	if err != nil {
		return nil, Attachment{}, err
	}
	if row.SHA256 == "" {
		return nil, Attachment{}, ErrNoContent
	}
	a := row.attachment()
	r, err := s.openAudited(ctx, by, accessAttachment, messageID, a)
	return r, a, err
}

// openAudited opens first, so that a missing file is no access, and returns the
// stream only once the access is durable.
func (s *Service) openAudited(ctx context.Context, by access.Caller, what, message string, a Attachment) (io.ReadCloser, error) {
	if database.InTransaction(ctx) {
		return nil, errInTransaction
	}
	r, err := s.blobs.Open(ctx, a.SHA256)
	if errors.Is(err, blob.ErrMissing) {
		return nil, ErrOriginal.Because(err)
	}
	if err != nil {
		return nil, fmt.Errorf("open original: %w", err)
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if err := s.store.insertAccess(ctx, s.accessRows(by, what, "download", a.ID, []string{message})); err != nil {
			return err
		}
		e := audit.FromCaller(by)
		e.Tool, e.Owner, e.Risk, e.Status = access.MessageOriginal.Action, "inbox", "read", audit.Succeeded
		e.ResourceType, e.ResourceID, e.SourceDigest = "source_message", message, a.SHA256
		return s.log.Append(ctx, e)
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("record access: %w", err), r.Close())
	}
	return &original{r}, nil
}

// original tells a damaged file in words a caller may see.
type original struct{ io.ReadCloser }

func (o *original) Read(p []byte) (int, error) {
	n, err := o.ReadCloser.Read(p)
	if errors.Is(err, blob.ErrCorrupt) {
		err = ErrOriginal.Because(err)
	}
	return n, err
}
