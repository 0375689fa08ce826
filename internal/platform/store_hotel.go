package platform

import (
	"context"
	"time"

	"thhotel/internal/database"
)

type hotelRow struct {
	ID, Name, Status, TimeZone, Currency, BusinessDate string
	RollHour                                           int
	CreatedAt                                          database.Time
}

func (hotelRow) TableName() string { return "platform_hotel" }

func (st *store) createHotel(ctx context.Context, h Hotel, now time.Time) error {
	return wrap("create hotel", st.db.Conn(ctx).Create(&hotelRow{ID: h.ID, Name: h.Name, Status: string(Active), TimeZone: h.TimeZone,
		Currency: h.Currency, BusinessDate: h.BusinessDate, RollHour: h.RollHour, CreatedAt: database.At(now)}).Error)
}

// lockHotel makes changes to the hotel, its lists and its set of administrators
// take turns. An UPDATE that changes nothing locks the row on every engine.
func (st *store) lockHotel(ctx context.Context, id string) error {
	return wrap("lock hotel", st.db.Conn(ctx).Exec("UPDATE platform_hotel SET status = status WHERE id = ?", id).Error)
}

func (st *store) updateHotel(ctx context.Context, h Hotel) error {
	return wrap("update hotel", st.db.Conn(ctx).Model(&hotelRow{}).Where("id = ?", h.ID).
		Updates(map[string]any{"name": h.Name, "time_zone": h.TimeZone, "currency": h.Currency, "business_date": h.BusinessDate, "roll_hour": h.RollHour}).Error)
}

type codeRow struct {
	HotelID, List, Code, Name string
	Capacity, Position        int
}

func (codeRow) TableName() string { return "platform_code" }

func (st *store) codeLists(ctx context.Context, hotelID string) (CodeLists, error) {
	var rows []codeRow
	if err := st.db.Conn(ctx).Where("hotel_id = ?", hotelID).Order("list, position").Find(&rows).Error; err != nil {
		return CodeLists{}, wrap("read code lists", err)
	}
	var l CodeLists
	for _, r := range rows {
		c := Code{r.Code, r.Name}
		switch r.List {
		case listRoomType:
			l.RoomTypes = append(l.RoomTypes, RoomType{r.Code, r.Name, r.Capacity})
		case listRateCode:
			l.RateCodes = append(l.RateCodes, c)
		case listDepartment:
			l.Departments = append(l.Departments, c)
		case listAccount:
			l.Accounts = append(l.Accounts, c)
		}
	}
	return l, nil
}

func (st *store) setCodeLists(ctx context.Context, hotelID string, lists map[string][]RoomType) error {
	db := st.db.Conn(ctx)
	for name, list := range lists {
		if err := db.Where("hotel_id = ? AND list = ?", hotelID, name).Delete(&codeRow{}).Error; err != nil {
			return wrap("clear code list", err)
		}
		rows := make([]codeRow, len(list))
		for i, c := range list {
			rows[i] = codeRow{hotelID, name, c.Code, c.Name, c.Capacity, i}
		}
		if len(rows) == 0 {
			continue
		}
		if err := db.CreateInBatches(&rows, 500).Error; err != nil {
			return wrap("write code list", err)
		}
	}
	return nil
}

// putCode changes an entry, or adds it at the end.
func (st *store) putCode(ctx context.Context, hotelID, list string, c RoomType) error {
	db := st.db.Conn(ctx)
	res := db.Model(&codeRow{}).Where("hotel_id = ? AND list = ? AND code = ?", hotelID, list, c.Code).
		Updates(map[string]any{"name": c.Name, "capacity": c.Capacity})
	if res.Error != nil || res.RowsAffected > 0 {
		return wrap("change code", res.Error)
	}
	var last int
	if err := database.ScanRow(db.Raw("SELECT COALESCE(MAX(position), -1) FROM platform_code WHERE hotel_id = ? AND list = ?", hotelID, list), &last); err != nil {
		return wrap("read code list", err)
	}
	return wrap("add code", db.Create(&codeRow{hotelID, list, c.Code, c.Name, c.Capacity, last + 1}).Error)
}

func (st *store) deleteCode(ctx context.Context, hotelID, list, code string) (int64, error) {
	res := st.db.Conn(ctx).Where("hotel_id = ? AND list = ? AND code = ?", hotelID, list, code).Delete(&codeRow{})
	return res.RowsAffected, wrap("delete code", res.Error)
}
