package pages

import (
	"fmt"
	"strconv"

	"thhotel/internal/access"
	"thhotel/internal/platform"
)

type hotelData struct {
	again
	Hotel platform.Hotel
	Hours []rollHour
}

// rollHour is a choice of when the business date rolls by itself.
type rollHour struct {
	Value int
	Text  string // "" for never
}

func hotelPage(v *visit) error { return v.showHotel(again{}) }

func (v *visit) showHotel(a again) error {
	if err := v.By.Require(access.HotelAdmin); err != nil {
		return err
	}
	d := hotelData{again: a, Hotel: v.Hotel, Hours: []rollHour{{-1, ""}}}
	for hour := range 24 {
		d.Hours = append(d.Hours, rollHour{hour, fmt.Sprintf("%02d:00", hour)})
	}
	return v.section("admin_hotel", v.T("admin.hotel"), a, d)
}

// Chosen is the hour in the form: as it was sent, else as it is.
func (d hotelData) Chosen(hour int) bool {
	return d.Val("roll_hour", strconv.Itoa(d.Hotel.RollHour)) == strconv.Itoa(hour)
}

func updateHotel(v *visit) error {
	hour, err := strconv.Atoi(v.c.PostForm("roll_hour"))
	if err != nil {
		hour = v.Hotel.RollHour
	}
	name, zone, currency, date := v.c.PostForm("name"), v.c.PostForm("time_zone"), v.c.PostForm("currency"), v.c.PostForm("business_date")
	p := platform.HotelUpdate{Name: &name, TimeZone: &zone, Currency: &currency, BusinessDate: &date, RollHour: &hour}
	if _, err := v.s.o.Platform.UpdateHotel(v.c.Request.Context(), v.By, p); err != nil {
		a, err := v.refusedAgain(err)
		if err != nil {
			return err
		}
		return v.showHotel(a)
	}
	return v.done("/admin/hotel", "done.saved")
}
