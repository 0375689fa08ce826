package platform

import (
	"context"
	"fmt"
	"strings"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/fault"
)

// HotelParams describes a new hotel.
type HotelParams struct {
	Name, TimeZone, Currency string
	BusinessDate             string // default: today there
	RollHour                 *int   // nil: the date is rolled by hand
}

// CreateHotel makes the hotel, active. There can be one.
func (s *Service) CreateHotel(ctx context.Context, by access.Caller, p HotelParams) (_ Hotel, err error) {
	defer s.refusal(ctx, by, "hotel.create", "hotel", "", &err)
	if err := by.Require(access.HotelAdmin); err != nil {
		return Hotel{}, err
	}
	h, err := s.newHotel(p)
	if err != nil {
		return Hotel{}, err
	}
	err = s.change(ctx, by, "hotel.create", "hotel", func(ctx context.Context, e *audit.Event) error {
		active, err := s.store.activeHotels(ctx)
		if err != nil {
			return err
		}
		if len(active) > 0 {
			return fault.New(fault.Conflict, CodeHotelExists, "已有启用的酒店，本阶段只允许一个。",
				"There already is an active hotel and this stage allows one.").With(map[string]any{"hotel_id": active[0].ID})
		}
		e.HotelID, e.ResourceID = h.ID, h.ID
		return s.store.createHotel(ctx, h, s.clock.Now())
	})
	return h, err
}

func (s *Service) newHotel(p HotelParams) (Hotel, error) {
	h := Hotel{ID: s.clock.NewID(), Name: p.Name, TimeZone: p.TimeZone, Currency: p.Currency, BusinessDate: p.BusinessDate, RollHour: -1}
	set(&h.RollHour, p.RollHour)
	if err := s.checkHotel(&h); err != nil {
		return h, err
	}
	if h.BusinessDate == "" {
		h.BusinessDate = s.clock.Now().In(h.zone).Format(time.DateOnly)
	}
	return h, checkDate(h.BusinessDate)
}

// checkHotel normalises and checks all but the business date.
func (s *Service) checkHotel(h *Hotel) error {
	h.Name, h.TimeZone, h.Currency = strings.TrimSpace(h.Name), strings.TrimSpace(h.TimeZone), strings.ToUpper(strings.TrimSpace(h.Currency))
	if !isText(h.Name, 200) {
		return invalid("/name", "酒店名称不能为空，且不超过 200 字节。", "a name of 1 to 200 bytes")
	}
	if h.zone = s.zone(h.TimeZone); h.zone == nil || h.TimeZone == "" || h.TimeZone == "Local" {
		return invalid("/time_zone", "时区必须是 IANA 名称，例如 Asia/Bangkok。", "an IANA time zone such as Asia/Bangkok")
	}
	if len(h.Currency) != 3 || strings.Trim(h.Currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return invalid("/currency", "币种必须是三位 ISO 4217 代码，例如 THB。", "an ISO 4217 code such as THB")
	}
	return checkRollHour(h.RollHour)
}

func checkRollHour(hour int) error {
	if hour < -1 || hour > 23 {
		return invalid("/roll_hour", "换日时刻必须是 0 到 23 的整点，-1 表示手工换日。", "an hour from 0 to 23, or -1 for never")
	}
	return nil
}

func checkDate(date string) error {
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return invalid("/business_date", "营业日期必须是真实日期，格式 YYYY-MM-DD。", "a real date, YYYY-MM-DD")
	}
	return nil
}

// HotelUpdate changes what is not nil.
type HotelUpdate struct {
	Name, TimeZone, Currency *string
	BusinessDate             *string
	RollHour                 *int
}

// UpdateHotel changes the hotel's settings, all of them or none. What is written
// keeps its currency and its moments: the new ones hold for what comes.
func (s *Service) UpdateHotel(ctx context.Context, by access.Caller, p HotelUpdate) (_ Hotel, err error) {
	defer s.refusal(ctx, by, "hotel.update", "hotel", by.HotelID, &err)
	if err := by.Require(access.HotelAdmin); err != nil {
		return Hotel{}, err
	}
	return s.updateHotel(ctx, by, "hotel.update", func(h *Hotel) error {
		set(&h.Name, p.Name)
		set(&h.TimeZone, p.TimeZone)
		set(&h.Currency, p.Currency)
		set(&h.BusinessDate, p.BusinessDate)
		set(&h.RollHour, p.RollHour)
		if err := s.checkHotel(h); err != nil {
			return err
		}
		return checkDate(h.BusinessDate)
	})
}

// SetBusinessDate puts the business date to a day. It names the day, so a
// double click rolls once.
func (s *Service) SetBusinessDate(ctx context.Context, by access.Caller, date string) (_ Hotel, err error) {
	defer s.refusal(ctx, by, "hotel.set_business_date", "hotel", by.HotelID, &err)
	if err := by.Require(access.HotelAdmin); err != nil {
		return Hotel{}, err
	}
	if err := checkDate(date); err != nil {
		return Hotel{}, err
	}
	return s.updateHotel(ctx, by, "hotel.set_business_date", func(h *Hotel) error { h.BusinessDate = date; return nil })
}

// SetRollHour chooses the local hour at which the date rolls by itself; -1 is never.
func (s *Service) SetRollHour(ctx context.Context, by access.Caller, hour int) (_ Hotel, err error) {
	defer s.refusal(ctx, by, "hotel.set_roll_hour", "hotel", by.HotelID, &err)
	if err := by.Require(access.HotelAdmin); err != nil {
		return Hotel{}, err
	}
	if err := checkRollHour(hour); err != nil {
		return Hotel{}, err
	}
	return s.updateHotel(ctx, by, "hotel.set_roll_hour", func(h *Hotel) error { h.RollHour = hour; return nil })
}

// RollDue rolls the business date when the hotel's roll hour has come, to the
// local day that hour belongs to. Every replica may call it every minute: one
// of them rolls.
func (s *Service) RollDue(ctx context.Context, by access.Caller) (h Hotel, rolled bool, err error) {
	if err := by.Require(access.HotelAdmin); err != nil {
		return Hotel{}, false, err
	}
	h, err = s.ofCaller(ctx, by)
	due := s.dueDate(h)
	if err != nil || h.RollHour < 0 || h.BusinessDate >= due {
		return h, false, err
	}
	h, err = s.updateHotel(ctx, by, "hotel.roll_business_date", func(h *Hotel) error {
		if rolled = h.BusinessDate < due; rolled {
			h.BusinessDate = due
		}
		return nil
	})
	return h, rolled && err == nil, err
}

func (s *Service) dueDate(h Hotel) string {
	local := s.clock.Now().In(h.Location())
	if local.Hour() < h.RollHour {
		local = local.AddDate(0, 0, -1)
	}
	return local.Format(time.DateOnly)
}

// updateHotel locks the hotel, lets change work on what is there now and writes
// it back with an audit event, or writes nothing when nothing changed.
func (s *Service) updateHotel(ctx context.Context, by access.Caller, tool string, change func(*Hotel) error) (Hotel, error) {
	var h Hotel
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		found, err := s.ofCaller(ctx, by)
		if err != nil {
			return err
		}
		if err := s.store.lockHotel(ctx, found.ID); err != nil {
			return err
		}
		if h, err = s.ofCaller(ctx, by); err != nil { // again, now that nobody else can move it
			return err
		}
		before := h
		if err := change(&h); err != nil || h.Equal(before) {
			return err
		}
		return s.writeHotel(ctx, by, tool, before, h)
	})
	return h, err
}

func (s *Service) writeHotel(ctx context.Context, by access.Caller, tool string, before, h Hotel) error {
	if err := s.store.updateHotel(ctx, h); err != nil {
		return err
	}
	e := s.event(by, tool, audit.Succeeded)
	e.HotelID, e.ResourceType, e.ResourceID = h.ID, "hotel", h.ID
	e.ArgsKeys = changed(map[string]bool{"name": h.Name != before.Name, "time_zone": h.TimeZone != before.TimeZone,
		"currency": h.Currency != before.Currency, "business_date": h.BusinessDate != before.BusinessDate, "roll_hour": h.RollHour != before.RollHour})
	if err := s.audit.Append(ctx, e); err != nil {
		return fmt.Errorf("audit %s: %w", tool, err)
	}
	return nil
}
