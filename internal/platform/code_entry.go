package platform

import (
	"context"
	"slices"
	"strings"

	"thhotel/internal/access"
	"thhotel/internal/audit"
)

// PutCode adds one entry to a list, or changes its name and capacity. Two who work
// on different entries at once do not undo each other, as replacing a list would.
func (s *Service) PutCode(ctx context.Context, by access.Caller, list string, c RoomType) (err error) {
	defer s.refusal(ctx, by, "hotel.put_code", "code", codeID(list, c.Code), &err)
	if err := by.Require(access.HotelAdmin); err != nil {
		return err
	}
	one := []RoomType{c}
	if err := checkList(list); err != nil {
		return err
	}
	if err := checkCodes(list, one); err != nil {
		return err
	}
	if c = one[0]; list != listRoomType {
		c.Capacity = 0
	}
	return s.changeCode(ctx, by, "hotel.put_code", list, c.Code, func(ctx context.Context, hotelID string) error {
		return s.store.putCode(ctx, hotelID, list, c)
	})
}

// DeleteCode takes one entry out of a list. Orders that carry the code keep it.
func (s *Service) DeleteCode(ctx context.Context, by access.Caller, list, code string) (err error) {
	defer s.refusal(ctx, by, "hotel.delete_code", "code", codeID(list, code), &err)
	if err := by.Require(access.HotelAdmin); err != nil {
		return err
	}
	if err := checkList(list); err != nil {
		return err
	}
	return s.changeCode(ctx, by, "hotel.delete_code", list, code, func(ctx context.Context, hotelID string) error {
		n, err := s.store.deleteCode(ctx, hotelID, list, key(code))
		if err == nil && n == 0 {
			err = notFound("该代码", "code")
		}
		return err
	})
}

func (s *Service) changeCode(ctx context.Context, by access.Caller, tool, list, code string, do func(context.Context, string) error) error {
	return s.change(ctx, by, tool, "code", func(ctx context.Context, e *audit.Event) error {
		hotelID, err := s.hotelID(ctx, by)
		if err != nil {
			return err
		}
		if err := s.store.lockHotel(ctx, hotelID); err != nil { // entries are numbered; two who add take turns
			return err
		}
		e.HotelID, e.ResourceID = hotelID, codeID(list, code)
		return do(ctx, hotelID)
	})
}

func codeID(list, code string) string { return list + ":" + key(code) }

func checkList(list string) error {
	if !slices.Contains(CodeListNames(), list) {
		return invalid("/list", "代码表必须是 "+strings.Join(CodeListNames(), "、")+" 之一。", "one of "+strings.Join(CodeListNames(), ", "))
	}
	return nil
}
