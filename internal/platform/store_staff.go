package platform

import (
	"context"
	"unicode/utf8"

	"thhotel/internal/access"
	"thhotel/internal/database"
)

type staffRow struct {
	ID, HotelID, Username, PasswordHash, Name, Role, Lang, Status string
	CreatedAt, UpdatedAt                                          database.Time
}

func (staffRow) TableName() string { return "platform_staff" }

func (r staffRow) staff() Staff {
	return Staff{ID: r.ID, HotelID: r.HotelID, Username: r.Username, Name: r.Name, Role: access.Role(r.Role), Lang: r.Lang,
		Status: Status(r.Status), CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time}
}

func (st *store) createStaff(ctx context.Context, m Staff, hash string) error {
	return wrap("create staff", st.db.Conn(ctx).Create(&staffRow{ID: m.ID, HotelID: m.HotelID, Username: m.Username, PasswordHash: hash, Name: m.Name,
		Role: string(m.Role), Lang: m.Lang, Status: string(m.Status), CreatedAt: database.At(m.CreatedAt), UpdatedAt: database.At(m.UpdatedAt)}).Error)
}

// updateStaff writes what can change; an empty hash keeps the password.
func (st *store) updateStaff(ctx context.Context, m Staff, hash string) error {
	values := map[string]any{"name": m.Name, "role": string(m.Role), "lang": m.Lang, "status": string(m.Status), "updated_at": database.At(m.UpdatedAt)}
	if hash != "" {
		values["password_hash"] = hash
	}
	return wrap("update staff", st.db.Conn(ctx).Model(&staffRow{}).Where("id = ? AND hotel_id = ?", m.ID, m.HotelID).Updates(values).Error)
}

func (st *store) staff(ctx context.Context, hotelID, id string) (Staff, bool, error) {
	if !isID(id) {
		return Staff{}, false, nil
	}
	var r staffRow
	err := st.db.Conn(ctx).Where("id = ? AND hotel_id = ?", id, hotelID).Take(&r).Error
	if database.IsNotFound(err) {
		return Staff{}, false, nil
	}
	return r.staff(), err == nil, wrap("read staff", err)
}

func (st *store) staffByUsername(ctx context.Context, hotelID, username string) (m Staff, hash string, found bool, err error) {
	if !utf8.ValidString(username) || len(username) > 64 {
		return Staff{}, "", false, nil
	}
	var r staffRow
	err = st.db.Conn(ctx).Where("hotel_id = ? AND username = ?", hotelID, username).Take(&r).Error
	if database.IsNotFound(err) {
		return Staff{}, "", false, nil
	}
	return r.staff(), r.PasswordHash, err == nil, wrap("read staff", err)
}

func (st *store) listStaff(ctx context.Context, hotelID string) ([]Staff, error) {
	var rows []staffRow
	err := st.db.Conn(ctx).Where("hotel_id = ?", hotelID).Order("username").Find(&rows).Error
	out := make([]Staff, len(rows))
	for i, r := range rows {
		out[i] = r.staff()
	}
	return out, wrap("list staff", err)
}

func (st *store) activeAdmins(ctx context.Context, hotelID string) (n int64, err error) {
	err = st.db.Conn(ctx).Model(&staffRow{}).Where("hotel_id = ? AND role = ? AND status = ?", hotelID, string(access.RoleAdmin), string(Active)).Count(&n).Error
	return n, wrap("count administrators", err)
}

// endSessions ends a person's sessions but the one to keep ("" for none).
func (st *store) endSessions(ctx context.Context, staffID, keep string) error {
	return wrap("end sessions", st.db.Conn(ctx).Where("staff_id = ? AND id <> ?", staffID, keep).Delete(&sessionRow{}).Error)
}
