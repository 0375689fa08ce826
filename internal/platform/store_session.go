package platform

import (
	"context"
	"time"

	"thhotel/internal/database"
)

type sessionRow struct {
	ID, HotelID, StaffID         string
	TokenSHA256                  string `gorm:"column:token_sha256"`
	CreatedAt, ExpiresAt, EndsAt database.Time
}

func (sessionRow) TableName() string { return "platform_session" }

func (st *store) createSession(ctx context.Context, id string, m Staff, s Session, now time.Time) error {
	return wrap("create session", st.db.Conn(ctx).Create(&sessionRow{ID: id, HotelID: m.HotelID, StaffID: m.ID, TokenSHA256: digest(s.ID),
		CreatedAt: database.At(now), ExpiresAt: database.At(s.ExpiresAt), EndsAt: database.At(s.EndsAt)}).Error)
}

func (st *store) slide(ctx context.Context, id string, until time.Time) error {
	return wrap("extend session", st.db.Conn(ctx).Exec("UPDATE platform_session SET expires_at = ? WHERE id = ? AND expires_at < ?",
		database.At(until), id, database.At(until)).Error)
}

func (st *store) endSession(ctx context.Context, id string) error {
	return wrap("end session", st.db.Conn(ctx).Where("id = ?", id).Delete(&sessionRow{}).Error)
}

type attemptRow struct {
	Subject, HotelID               string
	Attempts                       int
	Since, BlockedUntil, UpdatedAt database.Time
}

func (attemptRow) TableName() string { return "platform_sign_in_attempt" }

// count records an attempt and returns 0, or how long the key is still refused.
func (st *store) count(ctx context.Context, hotelID string, k attemptKey, now time.Time, l Limits) (time.Duration, error) {
	if err := st.lockAttempts(ctx, hotelID, k.subject, database.At(now)); err != nil {
		return 0, wrap("count attempt", err)
	}
	var r attemptRow
	if err := st.db.Conn(ctx).Where("subject = ?", k.subject).Take(&r).Error; err != nil {
		return 0, wrap("count attempt", err)
	}
	if wait := r.BlockedUntil.Sub(now); wait > 0 {
		return wait, nil
	}
	if now.Sub(r.Since.Time) > l.Window && now.Sub(r.BlockedUntil.Time) > l.Window {
		r.Attempts, r.Since = 0, database.At(now)
	}
	r.Attempts++
	r.BlockedUntil = database.At(now.Add(blockFor(r.Attempts, k.limit(l), l.Window)))
	return 0, wrap("count attempt", st.db.Conn(ctx).Model(&attemptRow{}).Where("subject = ?", k.subject).
		Updates(map[string]any{"attempts": r.Attempts, "since": r.Since, "blocked_until": r.BlockedUntil}).Error)
}

// lockAttempts locks the key's row, making it if need be, so that attempts at
// the same moment take turns. The UPDATE comes first: two INSERTs that meet a
// duplicate would each hold a shared lock on MySQL, and then deadlock.
func (st *store) lockAttempts(ctx context.Context, hotelID, subject string, at database.Time) error {
	touch := func() (bool, error) {
		res := st.db.Conn(ctx).Exec("UPDATE platform_sign_in_attempt SET updated_at = ? WHERE subject = ?", at, subject)
		return res.RowsAffected > 0, res.Error
	}
	if done, err := touch(); done || err != nil {
		return err
	}
	err := st.db.Conn(ctx).Create(&attemptRow{Subject: subject, HotelID: hotelID, Since: at, BlockedUntil: at, UpdatedAt: at}).Error
	if database.IsDuplicate(err) {
		_, err = touch()
	}
	return err
}

// forgive undoes what a successful sign-in counted: the user's failures are
// forgotten, the address only loses this one attempt, or an attacker with an
// account of their own could wipe the slate.
func (st *store) forgive(ctx context.Context, keys []attemptKey) error {
	for _, k := range keys {
		q := "DELETE FROM platform_sign_in_attempt WHERE subject = ?"
		if k.address {
			q = "UPDATE platform_sign_in_attempt SET attempts = attempts - 1, blocked_until = updated_at WHERE subject = ? AND attempts > 0"
		}
		if err := st.db.Conn(ctx).Exec(q, k.subject).Error; err != nil {
			return wrap("forgive attempts", err)
		}
	}
	return nil
}
