package platform

import (
	"context"
	"strings"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/database"
)

type accountRow struct {
	ID, HotelID, Name, Role, Scopes, Status string
	CreatedAt, UpdatedAt                    database.Time
}

func (accountRow) TableName() string { return "platform_service_account" }

func (r accountRow) account() Account {
	return Account{ID: r.ID, HotelID: r.HotelID, Name: r.Name, Role: access.Role(r.Role), Scopes: splitScopes(r.Scopes),
		Status: Status(r.Status), CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time}
}

func (st *store) createAccount(ctx context.Context, a Account) error {
	return wrap("create service account", st.db.Conn(ctx).Create(&accountRow{ID: a.ID, HotelID: a.HotelID, Name: a.Name, Role: string(a.Role),
		Scopes: strings.Join(a.Scopes, " "), Status: string(a.Status), CreatedAt: database.At(a.CreatedAt), UpdatedAt: database.At(a.UpdatedAt)}).Error)
}

func (st *store) setAccountStatus(ctx context.Context, hotelID, id string, status Status, now time.Time) (int64, error) {
	if !isID(id) {
		return 0, nil
	}
	res := st.db.Conn(ctx).Model(&accountRow{}).Where("id = ? AND hotel_id = ?", id, hotelID).
		Updates(map[string]any{"status": string(status), "updated_at": database.At(now)})
	return res.RowsAffected, wrap("update service account", res.Error)
}

func (st *store) accountOf(ctx context.Context, hotelID, id string) (Account, bool, error) {
	if !isID(id) {
		return Account{}, false, nil
	}
	var r accountRow
	err := st.db.Conn(ctx).Where("id = ? AND hotel_id = ?", id, hotelID).Take(&r).Error
	if database.IsNotFound(err) {
		return Account{}, false, nil
	}
	return r.account(), err == nil, wrap("read service account", err)
}

func (st *store) listAccounts(ctx context.Context, hotelID string) ([]Account, error) {
	var rows []accountRow
	err := st.db.Conn(ctx).Where("hotel_id = ?", hotelID).Order("name").Find(&rows).Error
	out := make([]Account, len(rows))
	for i, r := range rows {
		out[i] = r.account()
	}
	return out, wrap("list service accounts", err)
}
