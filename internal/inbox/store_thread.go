package inbox

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"thhotel/internal/database"
)

// threadRow says which conversation a Message-ID belongs to, whether or not the
// mail of that id is here.
type threadRow struct {
	HotelID          string `gorm:"primaryKey"`
	Provider         string `gorm:"primaryKey"`
	Channel          string `gorm:"primaryKey"`
	ReferenceHash    string `gorm:"primaryKey"`
	ConversationID   string
	ConversationHash string
	Given            bool
}

// TableName implements GORM's Tabler.
func (threadRow) TableName() string { return "inbox_thread" }

// place is the room in which conversations are kept apart.
type place struct{ hotel, provider, channel string }

func (s store) at(ctx context.Context, p place) *gorm.DB {
	return s.heads(ctx).Where("hotel_id = ? AND provider = ? AND channel = ?", p.hotel, p.provider, p.channel)
}

// threads returns what is known of these Message-IDs, by id. The rows stay
// locked until the transaction ends, so that no other delivery renames their
// conversation meanwhile (SQLite has one writer anyway).
func (s store) threads(ctx context.Context, p place, ids []string) (map[string]threadRow, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	byHash := map[string]string{}
	hashes := make([]string, 0, len(ids))
	for _, id := range ids {
		byHash[hashOf(id)] = id
		hashes = append(hashes, hashOf(id))
	}
	slices.Sort(hashes)
	var rows []threadRow
	q := s.at(ctx, p).Where("reference_hash IN ?", hashes)
	if s.db.Driver == database.MySQL {
		q = q.Clauses(clause.Locking{Strength: "UPDATE"})
	}
	if err := q.Order("reference_hash").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("find thread: %w", err)
	}
	out := map[string]threadRow{}
	for _, r := range rows {
		out[byHash[r.ReferenceHash]] = r
	}
	return out, nil
}

// learn records that these Message-IDs belong to a conversation. It reports
// false when another delivery recorded one of them first.
func (s store) learn(ctx context.Context, p place, ids []string, conversation string, given bool) (bool, error) {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b string) int { // one order for everybody: fewer deadlocks
		if hashOf(a) < hashOf(b) {
			return -1
		}
		return 1
	})
	for _, id := range ids {
		err := s.db.Conn(ctx).Create(&threadRow{HotelID: p.hotel, Provider: p.provider, Channel: p.channel,
			ReferenceHash: hashOf(id), ConversationID: conversation, ConversationHash: hashOf(conversation), Given: given}).Error
		if database.IsDuplicate(err) {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("record thread: %w", err)
		}
	}
	return true, nil
}

// rename moves everything of one conversation to another.
func (s store) rename(ctx context.Context, p place, from, to string, given bool) error {
	target := map[string]any{"conversation_id": to, "conversation_hash": hashOf(to)}
	if err := s.at(ctx, p).Model(&messageRow{}).Where("conversation_hash = ?", hashOf(from)).UpdateColumns(target).Error; err != nil {
		return fmt.Errorf("merge conversations: %w", err)
	}
	target["given"] = given
	if err := s.at(ctx, p).Model(&threadRow{}).Where("conversation_hash = ?", hashOf(from)).UpdateColumns(target).Error; err != nil {
		return fmt.Errorf("merge conversations: %w", err)
	}
	return nil
}

// voices lists who spoke in a conversation, in the order of receipt: of an
// endless one the newest, so that a stranger is still noticed.
func (s store) voices(ctx context.Context, p place, conversation string) ([]voice, error) {
	var rows []messageRow
	err := s.at(ctx, p).Select("id", "sender_email", "recipients", "flags").Where("conversation_hash = ?", hashOf(conversation)).
		Order("received_at DESC, id DESC").Limit(maxVoices).Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("list senders: %w", err)
	}
	slices.Reverse(rows)
	out := make([]voice, 0, len(rows))
	for _, r := range rows {
		who := r.people()
		out = append(out, voice{id: r.ID, sender: r.SenderEmail, heard: slices.Concat(who.To, who.Cc), flags: r.flagList()})
	}
	return out, nil
}

// maxVoices bounds the work that one more mail in an endless conversation causes.
const maxVoices = 2000
