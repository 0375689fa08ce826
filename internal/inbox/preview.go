package inbox

import (
	"context"
	"errors"
	"fmt"
	"io"

	"thhotel/internal/access"
	"thhotel/internal/blob"
	"thhotel/internal/fault"
	"thhotel/internal/sheet"
)

// Preview reads a CSV or XLSX attachment into plain tables for people, after the
// access was recorded. What is no such table, or too large, damaged or encrypted,
// is refused with what to do instead (kind unprocessable, codes of package sheet).
func (s *Service) Preview(ctx context.Context, by access.Caller, messageID, attachmentID string) (Attachment, sheet.Book, error) {
	if err := by.Require(access.MessageBodyRead); err != nil {
		return Attachment{}, sheet.Book{}, err
	}
	a, book, err := s.table(ctx, by.HotelID, messageID, attachmentID)
	if err != nil {
		return a, sheet.Book{}, err
	}
	if err := s.recordAccess(ctx, by, accessAttachment, "preview", attachmentID, messageID); err != nil {
		return Attachment{}, sheet.Book{}, err
	}
	return a, book, nil
}

// Table reads a CSV or XLSX attachment for rules. Like Facts it leaves no access
// record: nobody sees it through this. Whoever shows it calls RecordShown first.
func (s *Service) Table(ctx context.Context, by access.Caller, messageID, attachmentID string) (Attachment, sheet.Book, error) {
	if err := requireAny(by, access.ConversationRead, access.TaskResultSubmit); err != nil {
		return Attachment{}, sheet.Book{}, err
	}
	return s.table(ctx, by.HotelID, messageID, attachmentID)
}

// RecordShown writes down that content of an attachment, read by Table, is about to
// be shown to the caller.
func (s *Service) RecordShown(ctx context.Context, by access.Caller, messageID, attachmentID, why string) error {
	if err := by.Require(access.CaseRead); err != nil {
		return err
	}
	if _, err := s.store.get(ctx, by.HotelID, messageID); err != nil {
		return err
	}
	return s.recordAccess(ctx, by, accessAttachment, why, attachmentID, messageID)
}

func (s *Service) table(ctx context.Context, hotel, messageID, attachmentID string) (Attachment, sheet.Book, error) {
	if _, err := s.store.get(ctx, hotel, messageID); err != nil {
		return Attachment{}, sheet.Book{}, err
	}
	row, err := s.store.attachment(ctx, hotel, messageID, attachmentID)
	if err != nil {
		return Attachment{}, sheet.Book{}, err
	}
	a := row.attachment()
	if a.SHA256 == "" {
		return a, sheet.Book{}, ErrNoContent
	}
	data, err := s.whollyRead(ctx, a)
	if err != nil {
		return a, sheet.Book{}, err
	}
	book, err := sheet.Read(data, sheet.DefaultLimits())
	return a, book, tableFault(err)
}

// whollyRead takes a file into memory, up to a byte more than a table may have.
func (s *Service) whollyRead(ctx context.Context, a Attachment) (data []byte, err error) {
	r, err := s.blobs.Open(ctx, a.SHA256)
	if errors.Is(err, blob.ErrMissing) {
		return nil, ErrOriginal.Because(err)
	}
	if err != nil {
		return nil, fmt.Errorf("open attachment: %w", err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	data, err = io.ReadAll(io.LimitReader(&original{r}, int64(sheet.DefaultLimits().MaxBytes)+1))
	if err != nil {
		return nil, fmt.Errorf("read attachment: %w", err)
	}
	return data, nil
}

// tableFault says in the hotel's terms why a file is no table.
func tableFault(err error) error {
	var r *sheet.Refusal
	if errors.As(err, &r) {
		return fault.New(fault.Unprocessable, r.Code, r.Text, r.TextEN).Because(err)
	}
	return err
}
