package platform

import (
	"context"
	"database/sql"
	"fmt"

	"thhotel/internal/access"
	"thhotel/internal/database"
)

// store is the queries. What runs on every call is a prepared statement on the
// raw handle, since GORM would double its cost; the rest goes through GORM.
type store struct {
	db                            *database.DB
	token, session, account, live *database.Stmt
}

func newStore(db *database.DB) *store {
	return &store{db: db,
		token: db.Stmt(holderQuery), session: db.Stmt(sessionQuery), account: db.Stmt(accountQuery), live: db.Stmt(activeHotelQuery)}
}

// One query per credential, each by a unique index, with the account joined by
// its primary key.
const (
	holderQuery = `SELECT c.id, c.hotel_id, c.subject_kind, c.subject_id, c.scopes, c.audience, c.expires_at, c.revoked_at IS NOT NULL,
 COALESCE(s.name, a.name, ''), COALESCE(s.role, a.role, ''), COALESCE(s.status, a.status, ''), COALESCE(s.lang, 'zh')
 FROM platform_credential c
 LEFT JOIN platform_staff s ON c.subject_kind = 'STAFF' AND s.id = c.subject_id AND s.hotel_id = c.hotel_id
 LEFT JOIN platform_service_account a ON c.subject_kind = 'SERVICE' AND a.id = c.subject_id AND a.hotel_id = c.hotel_id
 WHERE c.token_sha256 = ?`

	sessionQuery = `SELECT e.id, e.hotel_id, s.id, e.expires_at, e.ends_at, s.name, s.role, s.status, s.lang
 FROM platform_session e JOIN platform_staff s ON s.id = e.staff_id AND s.hotel_id = e.hotel_id
 WHERE e.token_sha256 = ?`

	accountQuery = `SELECT id, hotel_id, name, role, status, scopes FROM platform_service_account WHERE id = ?`

	activeHotelQuery = `SELECT id, name, time_zone, currency, business_date, roll_hour FROM platform_hotel WHERE status = 'ACTIVE' ORDER BY id LIMIT 2`
)

func (st *store) byToken(ctx context.Context, sha string) (f subject, found bool, err error) {
	var expires database.Time
	err = st.token.Each(ctx, func(r *sql.Rows) error {
		found = true
		return r.Scan(&f.credentialID, &f.hotelID, &f.kind, &f.subjectID, &f.scopes, &f.audience, &expires, &f.revoked,
			&f.name, &f.role, &f.status, &f.lang)
	}, sha)
	f.expires = expires.Time
	return f, found, wrap("look up token", err)
}

func (st *store) bySession(ctx context.Context, sha string) (f subject, found bool, err error) {
	var expires, ends database.Time
	err = st.session.Each(ctx, func(r *sql.Rows) error {
		found, f.kind = true, access.Staff
		return r.Scan(&f.credentialID, &f.hotelID, &f.subjectID, &expires, &ends, &f.name, &f.role, &f.status, &f.lang)
	}, sha)
	f.expires, f.ends = expires.Time, ends.Time
	return f, found, wrap("look up session", err)
}

func (st *store) byAccount(ctx context.Context, id string) (f subject, found bool, err error) {
	err = st.account.Each(ctx, func(r *sql.Rows) error {
		found, f.kind, f.lang = true, access.Service, "zh"
		return r.Scan(&f.subjectID, &f.hotelID, &f.name, &f.role, &f.status, &f.scopes)
	}, id)
	return f, found, wrap("look up service account", err)
}

func (st *store) activeHotels(ctx context.Context) (list []Hotel, err error) {
	err = st.live.Each(ctx, func(r *sql.Rows) error {
		var h Hotel
		err := r.Scan(&h.ID, &h.Name, &h.TimeZone, &h.Currency, &h.BusinessDate, &h.RollHour)
		list = append(list, h)
		return err
	})
	return list, wrap("read hotel", err)
}

func wrap(doing string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}
