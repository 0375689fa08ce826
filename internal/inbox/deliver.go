package inbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/blob"
	"thhotel/internal/database"
	"thhotel/internal/fault"
)

// maxRaw is the largest original that is accepted.
const maxRaw = 64 << 20

// maxAttachmentID is what the column holds, in characters.
const maxAttachmentID = 200

var sourceName = regexp.MustCompile(`^[A-Z0-9][A-Z0-9_.-]{0,31}$`)

// Deliver keeps one raw mail. The bytes are durable before the row that names
// them commits. The same message again is a Duplicate and changes nothing; other
// bytes under a known id are refused with ErrConflict and flagged on the first;
// only a file (IMPORT) is kept under an id of its own then.
func (s *Service) Deliver(ctx context.Context, by access.Caller, p DeliverParams) (Delivered, error) {
	p = p.tidied()
	if err := by.Require(deliveryPermission(p.Provider)); err != nil {
		return Delivered{}, err
	}
	if err := p.check(by); err != nil {
		return Delivered{}, err
	}
	kept, err := s.keep(ctx, by, p, p.sameness(), rawMail, func() reading { return readMail(p.Raw) })
	return kept.Delivered, err
}

// sameness is what a repeated delivery must equal: of a source every byte, of
// files, which come from many mailboxes, all but the traces of the way.
func (p DeliverParams) sameness() string {
	if p.Provider == ImportProvider {
		return mailSum(p.Raw)
	}
	return blob.Key(p.Raw)
}

// deliveryPermission: files are brought by people, everything else by the bus;
// neither may pretend to be the other.
func deliveryPermission(provider string) access.Permission {
	if provider == ImportProvider {
		return access.MessageImport
	}
	return access.MessageDeliver
}

func (p DeliverParams) tidied() DeliverParams {
	p.Provider, p.Channel = source(p.Provider, DefaultProvider), source(p.Channel, DefaultChannel)
	p.ExternalMessageID, p.ExternalConversationID = strings.TrimSpace(p.ExternalMessageID), strings.TrimSpace(p.ExternalConversationID)
	p.AttachmentIDs = slices.Clone(p.AttachmentIDs)
	for i, id := range p.AttachmentIDs {
		p.AttachmentIDs[i] = strings.TrimSpace(id)
	}
	return p
}

// source is a provider's or channel's name as it is stored and compared.
func source(given, otherwise string) string {
	if given = strings.ToUpper(strings.TrimSpace(given)); given == "" {
		return otherwise
	}
	return given
}

func (p DeliverParams) check(by access.Caller) error {
	if by.HotelID == "" {
		return ErrHotel
	}
	if len(p.Raw) > maxRaw {
		return ErrTooLarge
	}
	var wrong []fault.Violation
	want := func(ok bool, path, zh, en string) {
		if !ok {
			wrong = append(wrong, violation(path, zh, en))
		}
	}
	want(len(p.Raw) > 0, "", "原文不能为空", "the original must not be empty")
	want(sourceName.MatchString(p.Provider), "/source/provider", expected["place"].zh, expected["place"].en)
	want(sourceName.MatchString(p.Channel), "/source/channel", expected["place"].zh, expected["place"].en)
	want(p.ExternalMessageID != "" && plain(p.ExternalMessageID), "/source/external_message_id", "1 到 1000 字节的单行文本", "1 to 1000 bytes of text in one line")
	want(plain(p.ExternalConversationID), "/source/external_conversation_id", expected["line"].zh, expected["line"].en)
	seen := map[string]bool{}
	for i, id := range p.AttachmentIDs {
		at := fmt.Sprintf("/attachments/%d/id", i)
		want(plain(id) && isBrief(id), at, "最多 200 个字符的单行文本", "at most 200 characters in one line")
		want(id == "" || !seen[id], at, "每个附件需要自己的 ID", "each attachment needs an id of its own")
		seen[id] = true
	}
	if len(wrong) > 0 {
		return ErrDelivery.At(wrong...)
	}
	return nil
}

func plain(id string) bool {
	return len(id) <= maxID && utf8.ValidString(id) && !strings.ContainsFunc(id, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// kept is Delivered with what an import counts.
type kept struct {
	Delivered
	unparseable, elsewhere bool
}

// errTaken ends a transaction that lost the race for an external id.
var errTaken = errors.New("inbox: the external id was taken meanwhile")

// keep stores a message that is not there yet. same is what a repeated delivery
// must equal. Of a file whose id another mail has, both are kept: see apart.go.
func (s *Service) keep(ctx context.Context, by access.Caller, p DeliverParams, same, format string, read func() reading) (kept, error) {
	out, err := s.keepAs(ctx, by, p, same, format, read)
	if errors.Is(err, ErrConflict) && p.Provider == ImportProvider {
		return s.keepApart(ctx, by, p, same, format, read)
	}
	return out, err
}

func (s *Service) keepAs(ctx context.Context, by access.Caller, p DeliverParams, same, format string, read func() reading) (kept, error) {
	if d, found, err := s.again(ctx, by, p, same); found || err != nil {
		return kept{Delivered: d}, err
	}
	r := read()
	r.identify(s, p.AttachmentIDs)
	if err := s.storeBlobs(ctx, p.Raw, r); err != nil {
		return kept{}, err
	}
	id, elsewhere := s.clock.NewID(), false
	err := s.db.InTx(ctx, func(ctx context.Context) (err error) {
		elsewhere, err = s.record(ctx, by, id, p, r, same, format)
		return err
	})
	if errors.Is(err, errTaken) {
		d, found, err := s.again(ctx, by, p, same)
		if !found && err == nil {
			err = errTaken // and gone again, which cannot be: messages are never deleted
		}
		return kept{Delivered: d}, err
	}
	if err != nil {
		return kept{}, fmt.Errorf("keep message: %w", err)
	}
	return kept{Delivered: Delivered{MessageID: id}, unparseable: slices.Contains(r.flags, FlagUnparseable), elsewhere: elsewhere}, nil
}

// again answers a repeated delivery.
func (s *Service) again(ctx context.Context, by access.Caller, p DeliverParams, same string) (Delivered, bool, error) {
	row, found, err := s.store.taken(ctx, by.HotelID, p)
	if err != nil || !found {
		return Delivered{}, false, err
	}
	if row.SameSHA256 == same {
		return Delivered{MessageID: row.ID, Duplicate: true}, true, nil
	}
	if p.Provider != ImportProvider { // of files both are kept
		err = s.denounce(ctx, by, p, row)
	}
	if err != nil {
		return Delivered{}, true, fmt.Errorf("flag reused id: %w", err)
	}
	return Delivered{}, true, ErrConflict.With(map[string]any{"message_id": row.ID, "stored_sha256": row.RawSHA256})
}

// denounce flags the message whose id came again with other bytes, and records it.
func (s *Service) denounce(ctx context.Context, by access.Caller, p DeliverParams, row messageRow) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		flags := sorted(append(row.flagList(), FlagIDReused))
		if err := s.store.setFlags(ctx, by.HotelID, row.ID, flags); err != nil {
			return err
		}
		e := deliveryEvent(by, p, row.ID)
		e.Status, e.ErrorCode, e.SourceDigest = audit.Failed, ErrConflict.Code, blob.Key(p.Raw)
		return s.log.Append(ctx, e)
	})
}

// identify gives every attachment an id, the source's where it named one. An id
// beyond the files that were found is kept without content: the source knows of it.
func (r *reading) identify(s *Service, ids []string) {
	for len(r.files) < len(ids) && len(r.files) < maxFiles {
		r.files = append(r.files, file{})
	}
	for i := range r.files {
		if i < len(ids) && ids[i] != "" {
			r.files[i].ID = ids[i]
		} else {
			r.files[i].ID = s.clock.NewID()
		}
	}
}

func (s *Service) storeBlobs(ctx context.Context, raw []byte, r reading) error {
	if _, _, err := s.blobs.Put(ctx, blob.Key(raw), bytes.NewReader(raw)); err != nil {
		return fmt.Errorf("keep original: %w", err)
	}
	for _, f := range r.files {
		if !f.sent {
			continue
		}
		if _, _, err := s.blobs.Put(ctx, f.SHA256, bytes.NewReader(f.content)); err != nil {
			return fmt.Errorf("keep attachment: %w", err)
		}
	}
	return nil
}

// record writes everything that a message leaves in the database, and reports
// whether another source has brought the mail too.
func (s *Service) record(ctx context.Context, by access.Caller, id string, p DeliverParams, r reading, same, format string) (elsewhere bool, err error) {
	at := place{by.HotelID, p.Provider, p.Channel}
	own := r.messageID
	if own == "" {
		own = p.ExternalMessageID
	}
	conversation, err := s.join(ctx, at, r, own, p.ExternalConversationID)
	if err != nil {
		return false, err
	}
	row := s.row(by, id, p, r, conversation)
	row.Head.SameSHA256, row.Head.RawFormat = same, format
	if err := s.store.insert(ctx, row, r.fileRows(by.HotelID, id)); database.IsDuplicate(err) {
		return false, errTaken
	} else if err != nil {
		return false, err
	}
	if err := s.store.insertText(ctx, by.HotelID, id, fold(r.text, maxFolded)); err != nil {
		return false, err
	}
	if elsewhere, err = s.markCopies(ctx, at, id, r.messageID); err != nil {
		return false, err
	}
	if err := s.judge(ctx, at, conversation, id); err != nil {
		return false, err
	}
	e := deliveryEvent(by, p, id)
	e.Status, e.SourceDigest = audit.Succeeded, row.Head.RawSHA256
	return elsewhere, s.log.Append(ctx, e)
}

func deliveryEvent(by access.Caller, p DeliverParams, id string) audit.Event {
	e := audit.FromCaller(by)
	e.Tool, e.Owner, e.Risk, e.ResourceType, e.ResourceID = deliveryPermission(p.Provider).Action, "inbox", "write", "source_message", id
	e.ArgsSize = len(p.Raw)
	return e
}

func (s *Service) row(by access.Caller, id string, p DeliverParams, r reading, conversation string) wholeRow {
	received := p.ReceivedAt
	for _, next := range []database.Time{database.At(r.receivedAt), database.At(r.sentAt), database.At(s.clock.Now())} {
		if received.IsZero() {
			received = next.Time
		}
	}
	names := make([]string, 0, len(r.files))
	for _, f := range r.files {
		names = append(names, f.Name)
	}
	search := fold(strings.Join([]string{r.subject, r.from.Name, r.from.Email, p.ExternalMessageID, r.messageID, conversation, heard(r), strings.Join(names, " ")}, "\n"), maxSearch)
	return wholeRow{TextBody: r.text, HTMLBody: r.html, Head: messageRow{
		ID: id, HotelID: by.HotelID, Provider: p.Provider, Channel: p.Channel, ExternalID: p.ExternalMessageID, ExternalHash: hashOf(p.ExternalMessageID),
		ConversationID: conversation, ConversationHash: hashOf(conversation), HeaderMessageID: r.messageID, InReplyTo: r.inReplyTo,
		ReferenceIDs: asJSON(r.references), Subject: r.subject, SenderName: r.from.Name, SenderEmail: r.from.Email,
		Recipients: asJSON(recipients{To: r.to, Cc: r.cc, ReplyTo: r.replyTo}), SentAt: database.At(r.sentAt), ReceivedAt: database.At(received),
		RawSize: int64(len(p.Raw)), RawSHA256: blob.Key(p.Raw), RenderMode: r.render, Flags: asJSON(r.flags), Problem: r.problem,
		SearchText: search, CreatedAt: database.At(s.clock.Now()),
	}}
}

func (r reading) fileRows(hotel, message string) []attachmentRow {
	out := make([]attachmentRow, 0, len(r.files))
	for i, f := range r.files {
		out = append(out, attachmentRow{MessageID: message, Position: i + 1, HotelID: hotel, AttachmentID: f.ID, Name: f.Name,
			ContentType: f.ContentType, ContentID: f.ContentID, InlinePart: f.Inline, Size: f.Size, SHA256: f.SHA256})
	}
	return out
}

// hashOf makes ids of any length fit an index.
func hashOf(id string) string { return blob.Key([]byte(id)) }
