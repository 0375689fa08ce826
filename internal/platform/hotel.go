package platform

import (
	"context"
	"strings"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/fault"
)

// Codes of the hotel context.
const (
	CodeHotelNotConfigured = "HOTEL_NOT_CONFIGURED"
	CodeHotelAmbiguous     = "HOTEL_AMBIGUOUS"
	CodeHotelMismatch      = "HOTEL_MISMATCH"
	CodeHotelExists        = "HOTEL_EXISTS"
)

// Hotel is the one hotel of this stage.
type Hotel struct {
	ID, Name     string
	BusinessDate string // YYYY-MM-DD: decides "past" and "due in", not the clock
	TimeZone     string // IANA name
	Currency     string // ISO 4217
	RollHour     int    // local hour at which the business date rolls by itself; -1 never

	zone *time.Location
}

// Location is the hotel's time zone; UTC when this machine does not know it.
func (h Hotel) Location() *time.Location {
	if h.zone != nil {
		return h.zone
	}
	if l, err := time.LoadLocation(h.TimeZone); err == nil {
		return l
	}
	return time.UTC
}

// Equal compares what is stored; the loaded zone is only a cache.
func (h Hotel) Equal(o Hotel) bool {
	h.zone, o.zone = nil, nil
	return h == o
}

// Hotel returns the one active hotel.
func (s *Service) Hotel(ctx context.Context, by access.Caller) (Hotel, error) {
	if err := known(by); err != nil {
		return Hotel{}, err
	}
	return s.ofCaller(ctx, by)
}

// ResolveHotel is Hotel for calls that may name one: "" is the default, any
// other id must be the active hotel's.
func (s *Service) ResolveHotel(ctx context.Context, by access.Caller, given string) (Hotel, error) {
	h, err := s.Hotel(ctx, by)
	if err != nil {
		return Hotel{}, err
	}
	if given = strings.TrimSpace(given); given != "" && !strings.EqualFold(given, h.ID) {
		return Hotel{}, mismatch()
	}
	return h, nil
}

// known lets every authenticated caller in: the hotel's name, zone and date are
// no secret among them.
func known(by access.Caller) error {
	if by.SubjectID == "" || !by.Role.Known() {
		return noCredential()
	}
	return nil
}

// ofCaller refuses a caller of another hotel, and allows one that has none yet
// (the program itself, before it knows the hotel).
func (s *Service) ofCaller(ctx context.Context, by access.Caller) (Hotel, error) {
	h, err := s.activeHotel(ctx)
	if err == nil && by.HotelID != "" && by.HotelID != h.ID {
		return Hotel{}, mismatch()
	}
	return h, err
}

func mismatch() error {
	return fault.New(fault.Unprocessable, CodeHotelMismatch,
		"hotel_id 与系统当前酒店不一致；请不要传 hotel_id，由后端解析。",
		"hotel_id is not this system's hotel. Leave hotel_id out; the backend resolves it.")
}

func (s *Service) activeHotel(ctx context.Context) (Hotel, error) {
	hotels, err := s.store.activeHotels(ctx)
	if err != nil {
		return Hotel{}, err
	}
	switch len(hotels) {
	case 0:
		return Hotel{}, fault.New(fault.Unavailable, CodeHotelNotConfigured,
			"系统尚未配置启用的酒店，请管理员先运行 thhotel 的酒店初始化命令。",
			"No active hotel is configured. An administrator must create one first.")
	case 1:
		h := hotels[0]
		h.zone = s.zone(h.TimeZone)
		return h, nil
	}
	return Hotel{}, fault.New(fault.Unavailable, CodeHotelAmbiguous,
		"系统中有多个启用的酒店，本阶段只允许一个；请管理员停用其余酒店。",
		"More than one hotel is active and this stage allows one. An administrator must deactivate the others.")
}

func (s *Service) zone(name string) *time.Location {
	if l, ok := s.zones.Load(name); ok {
		return l.(*time.Location)
	}
	l, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	s.zones.Store(name, l)
	return l
}

// hotelID is the hotel that an administrative call works in.
func (s *Service) hotelID(ctx context.Context, by access.Caller) (string, error) {
	h, err := s.ofCaller(ctx, by)
	return h.ID, err
}

func noCredential() *fault.Error {
	return unauthenticated("MISSING", "缺少访问凭证：请携带 Authorization: Bearer thh_… 令牌，或先登录。",
		"No credential: send Authorization: Bearer thh_…, or sign in first.")
}

func unauthenticated(reason, zh, en string) *fault.Error {
	return fault.New(fault.Unauthenticated, agent.CodeUnauthenticated, zh, en).With(map[string]any{"reason": reason})
}
