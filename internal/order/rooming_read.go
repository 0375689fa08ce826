package order

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"path"
	"slices"
	"strings"

	"thhotel/internal/access"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/inbox"
	"thhotel/internal/sheet"
)

// ReadRoomingLists reads the files of a package's rooming lists before its cards
// are opened, outside any transaction: a file takes longer than a lock should. What
// was read is stored; a file that cannot be read is stored as a problem. A package
// is never refused for it.
func (s *Service) ReadRoomingLists(ctx context.Context, by access.Caller, messageID string, events []json.RawMessage) error {
	if err := by.Require(access.TaskResultSubmit); err != nil {
		return err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return err
	}
	left := atOnce{files: 4, size: 2 << 20}
	for _, raw := range events {
		if e, _ := ParseEvent(raw); wantsSheet(e) {
			if err := s.readSheets(ctx, by, in, messageID, e.AttachmentIDs, &left); err != nil {
				return err
			}
		}
	}
	return nil
}

// atOnce bounds what one call reads: the agent does not wait for many or large
// files, which are read when somebody opens their card.
type atOnce struct {
	files int
	size  int64
}

func (a *atOnce) takes(size int64) bool {
	if a.files <= 0 || size > a.size {
		return false
	}
	a.files--
	return true
}

// wantsSheet: a rooming list whose rows the package does not carry.
func wantsSheet(e Event) bool {
	return e.Type == RoomingList && (e.After.RoomingList == nil || len(e.After.RoomingList.Entries) == 0)
}

// readForCard reads what a card's event needs, with a person's corrections: they
// may name another attachment.
func (s *Service) readForCard(ctx context.Context, by access.Caller, in setting, row *cardRow, c Corrections) error {
	if row.EventType != string(RoomingList) || !row.IsOpen || database.InTransaction(ctx) {
		return nil
	}
	if e, _ := ParseEvent(overlay(json.RawMessage(row.EventJSON), c)); wantsSheet(e) {
		return s.readSheets(ctx, by, in, row.MessageID, e.AttachmentIDs, &atOnce{files: 20, size: math.MaxInt64})
	}
	return nil
}

// readForConfirm does the same for a confirm, whose card is read again inside its
// transaction.
func (s *Service) readForConfirm(ctx context.Context, by access.Caller, in setting, p ConfirmParams) error {
	row, err := s.store.card(ctx, in.hotel.ID, p.CardID)
	if err != nil {
		return err
	}
	return s.readForCard(ctx, by, in, &row, row.corrections().merge(p.Corrections))
}

// readSheets reads the attachments that nobody has read yet.
func (s *Service) readSheets(ctx context.Context, by access.Caller, in setting, messageID string, ids []string, left *atOnce) error {
	if s.inbox == nil || messageID == "" {
		return nil
	}
	m, err := s.inbox.Get(ctx, by, messageID)
	if err != nil {
		return bearable(err)
	}
	files := tablesOf(m.Attachments, ids)
	sole := len(tablesOf(m.Attachments, nil)) == 1
	have, err := s.store.sheetIDs(ctx, in.hotel.ID, messageID)
	if err != nil {
		return err
	}
	for _, a := range files {
		if slices.Contains(have, a.ID) || !left.takes(a.Size) {
			continue
		}
		if err := s.readSheet(ctx, by, in, messageID, a, sole); err != nil {
			return bearable(err)
		}
	}
	return nil
}

// tablesOf picks the attachments that are tables: those named, or the mail's only
// one. Old and other spreadsheets count, so that a person is told why they are not read.
func tablesOf(all []inbox.Attachment, ids []string) []inbox.Attachment {
	var out []inbox.Attachment
	for _, a := range all {
		ext := strings.ToLower(path.Ext(a.Name))
		table := sheet.Named(a.Name, a.ContentType) || slices.Contains([]string{".xls", ".xlsb", ".ods", ".numbers"}, ext)
		if table && (len(ids) == 0 || slices.Contains(ids, a.ID)) {
			out = append(out, a)
		}
	}
	if len(ids) == 0 && len(out) != 1 {
		return nil
	}
	return out
}

func (s *Service) readSheet(ctx context.Context, by access.Caller, in setting, messageID string, a inbox.Attachment, sole bool) error {
	_, book, err := s.inbox.Table(ctx, by, messageID, a.ID)
	var list RoomingSheet
	var f *fault.Error
	switch {
	case err == nil:
		list = ParseRooming(book)
	case errors.As(err, &f) && (f.Kind == fault.Unprocessable || f.Code == inbox.ErrNoContent.Code):
		list.Problem = noteFrom(f) // it will never read better
	default:
		return err
	}
	list.AttachmentID, list.Name = a.ID, a.Name
	row := sheetRow{ID: s.clock.NewID(), HotelID: in.hotel.ID, MessageID: messageID, AttachmentID: a.ID, Name: cut(a.Name, 255),
		Sole: sole, Content: toJSON(list), CreatedAt: database.At(s.clock.Now())}
	return s.db.InTx(ctx, func(ctx context.Context) error { return s.store.putSheet(ctx, row) })
}

// bearable lets a card be shown and confirmed without its list: the file is not
// there now, or the caller may not see mails. Only a failing database stops it.
func bearable(err error) error {
	var f *fault.Error
	if errors.As(err, &f) {
		return nil
	}
	return err
}

// findSheets takes the rows of the event's files, where the package has none. It
// reads the database alone, so that it may run inside any transaction.
func (s *Service) findSheets(ctx context.Context, in setting, j *judged) error {
	if !wantsSheet(j.event) || j.row.MessageID == "" {
		return nil
	}
	sheets, err := s.store.sheets(ctx, in.hotel.ID, j.row.MessageID, j.event.AttachmentIDs)
	if err == nil && len(sheets) > 0 {
		j.useSheets(sheets)
	}
	return err
}

// showRooming puts the list on a card's view. Rows of a file are words of a mail:
// showing them is written down like reading it.
func (s *Service) showRooming(ctx context.Context, by access.Caller, j *judged, v *CardView) error {
	v.Rooming = j.roomingView()
	if v.Rooming == nil || v.Rooming.Source != RowsAttachment || s.inbox == nil || database.InTransaction(ctx) {
		return nil
	}
	for _, f := range j.facts.Sheets {
		if err := s.inbox.RecordShown(ctx, by, j.row.MessageID, f.AttachmentID, "rooming list on a card"); err != nil {
			return wrap("record the reading of a rooming list", err)
		}
	}
	return nil
}
