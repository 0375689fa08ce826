package platform

import (
	"context"
	"time"

	"thhotel/internal/database"
)

type partnerRow struct {
	ID, HotelID, Name, AccountID, Status string
	CreatedAt                            database.Time
	Secrets                              int `gorm:"->;-:migration"`
}

func (partnerRow) TableName() string { return "platform_partner" }

func (r partnerRow) partner() Partner {
	return Partner{ID: r.ID, HotelID: r.HotelID, Name: r.Name, AccountID: r.AccountID, Status: Status(r.Status), CreatedAt: r.CreatedAt.Time, Secrets: r.Secrets}
}

type secretRow struct {
	ID, HotelID, PartnerID, Secret string
	CreatedAt, ExpiresAt           database.Time
}

func (secretRow) TableName() string { return "platform_partner_secret" }

type replayRow struct {
	PartnerID, MessageID, HotelID, Digest string
	Status                                int
	Body                                  string
	CreatedAt                             database.Time
}

func (replayRow) TableName() string { return "platform_partner_replay" }

func (st *store) createPartner(ctx context.Context, m Partner) error {
	return wrap("create partner", st.db.Conn(ctx).Create(&partnerRow{ID: m.ID, HotelID: m.HotelID, Name: m.Name, AccountID: m.AccountID,
		Status: string(m.Status), CreatedAt: database.At(m.CreatedAt)}).Error)
}

func (st *store) addSecret(ctx context.Context, id string, m Partner, secret string, now time.Time) error {
	return wrap("add partner secret", st.db.Conn(ctx).Create(&secretRow{ID: id, HotelID: m.HotelID, PartnerID: m.ID, Secret: secret, CreatedAt: database.At(now)}).Error)
}

// expireSecrets lets every secret end at the latest then.
func (st *store) expireSecrets(ctx context.Context, partnerID string, ends time.Time) error {
	return wrap("expire partner secrets", st.db.Conn(ctx).Exec("UPDATE platform_partner_secret SET expires_at = ? WHERE partner_id = ? AND (expires_at IS NULL OR expires_at > ?)",
		database.At(ends), partnerID, database.At(ends)).Error)
}

// secrets returns those that hold at that moment, newest first.
func (st *store) secrets(ctx context.Context, partnerID string, now time.Time) (out []string, err error) {
	err = st.db.Conn(ctx).Raw("SELECT secret FROM platform_partner_secret WHERE partner_id = ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY id DESC",
		partnerID, database.At(now)).Scan(&out).Error
	return out, wrap("read partner secrets", err)
}

func (st *store) setPartnerStatus(ctx context.Context, id string, status Status) error {
	return wrap("update partner", st.db.Conn(ctx).Exec("UPDATE platform_partner SET status = ? WHERE id = ?", string(status), id).Error)
}

func (st *store) partner(ctx context.Context, hotelID, id string) (Partner, bool, error) {
	if !isID(id) {
		return Partner{}, false, nil
	}
	var r partnerRow
	err := st.db.Conn(ctx).Raw("SELECT * FROM platform_partner WHERE id = ? AND hotel_id = ?", id, hotelID).Take(&r).Error
	if database.IsNotFound(err) {
		return Partner{}, false, nil
	}
	return r.partner(), err == nil, wrap("read partner", err)
}

func (st *store) listPartners(ctx context.Context, hotelID string, now time.Time) ([]Partner, error) {
	var rows []partnerRow
	err := st.db.Conn(ctx).Raw(`SELECT p.*, (SELECT COUNT(*) FROM platform_partner_secret x WHERE x.partner_id = p.id AND (x.expires_at IS NULL OR x.expires_at > ?)) AS secrets
 FROM platform_partner p WHERE p.hotel_id = ? ORDER BY p.name`, database.At(now), hotelID).Scan(&rows).Error
	out := make([]Partner, len(rows))
	for i, r := range rows {
		out[i] = r.partner()
	}
	return out, wrap("list partners", err)
}

func (st *store) recorded(ctx context.Context, hotelID, partnerID, messageID string) (Recorded, bool, error) {
	var r replayRow
	err := st.db.Conn(ctx).Where("partner_id = ? AND message_id = ? AND hotel_id = ?", partnerID, messageID, hotelID).Take(&r).Error
	if database.IsNotFound(err) {
		return Recorded{}, false, nil
	}
	return Recorded{Status: r.Status, Body: []byte(r.Body), Digest: r.Digest}, err == nil, wrap("read recorded answer", err)
}

func (st *store) record(ctx context.Context, hotelID, partnerID, messageID string, r Recorded, now time.Time) error {
	return wrap("record answer", st.db.Conn(ctx).Create(&replayRow{PartnerID: partnerID, MessageID: messageID, HotelID: hotelID, Digest: r.Digest,
		Status: r.Status, Body: string(r.Body), CreatedAt: database.At(now)}).Error)
}

// prune deletes rows of a table of ours that are older than a moment.
func (st *store) prune(ctx context.Context, table, column string, before time.Time) (int64, error) {
	res := st.db.Conn(ctx).Exec("DELETE FROM "+table+" WHERE "+column+" < ?", database.At(before))
	return res.RowsAffected, wrap("prune "+table, res.Error)
}
