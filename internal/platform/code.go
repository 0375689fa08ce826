package platform

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"thhotel/internal/access"
	"thhotel/internal/audit"
)

// Code is one entry of a list.
type Code struct{ Code, Name string }

// RoomType is a kind of room.
type RoomType struct {
	Code, Name string
	Capacity   int // most adults; 0 unknown
}

// CodeLists are the hotel's own codes. An empty list means "not loaded": rules
// then say that they did not check, they do not refuse.
type CodeLists struct {
	RoomTypes                        []RoomType
	RateCodes, Departments, Accounts []Code
}

// RoomType finds a room type by code, in any case.
func (l CodeLists) RoomType(code string) (RoomType, bool) {
	code = key(code)
	i := slices.IndexFunc(l.RoomTypes, func(t RoomType) bool { return t.Code == code })
	if i < 0 {
		return RoomType{}, false
	}
	return l.RoomTypes[i], true
}

// HasRoomType reports whether the code is in the list, and whether there is a list.
func (l CodeLists) HasRoomType(code string) (known, loaded bool) {
	_, known = l.RoomType(code)
	return known, len(l.RoomTypes) > 0
}

// HasRateCode reports whether the code is in the list, and whether there is a list.
func (l CodeLists) HasRateCode(code string) (known, loaded bool) { return has(l.RateCodes, code) }

// HasDepartment reports whether the code is in the list, and whether there is a list.
func (l CodeLists) HasDepartment(code string) (known, loaded bool) { return has(l.Departments, code) }

// HasAccount reports whether the code is in the list, and whether there is a list.
func (l CodeLists) HasAccount(code string) (known, loaded bool) { return has(l.Accounts, code) }

func has(list []Code, code string) (known, loaded bool) {
	code = key(code)
	return slices.ContainsFunc(list, func(c Code) bool { return c.Code == code }), len(list) > 0
}

// key is how business keys are stored and compared.
func key(code string) string { return strings.ToUpper(strings.TrimSpace(code)) }

// The lists as they are named in the table, and by PutCode and DeleteCode.
const (
	listRoomType   = "ROOM_TYPE"
	listRateCode   = "RATE_CODE"
	listDepartment = "DEPARTMENT"
	listAccount    = "ACCOUNT"
)

// CodeListNames lists the names of the lists.
func CodeListNames() []string {
	return []string{listRoomType, listRateCode, listDepartment, listAccount}
}

// CodeLists reads the hotel's lists.
func (s *Service) CodeLists(ctx context.Context, by access.Caller) (CodeLists, error) {
	if err := known(by); err != nil {
		return CodeLists{}, err
	}
	hotelID, err := s.hotelID(ctx, by)
	if err != nil {
		return CodeLists{}, err
	}
	return s.store.codeLists(ctx, hotelID)
}

// SetCodeLists replaces the lists that are given; a nil list stays as it is, an
// empty one is cleared.
func (s *Service) SetCodeLists(ctx context.Context, by access.Caller, l CodeLists) (err error) {
	defer s.refusal(ctx, by, "hotel.set_code_lists", "hotel", by.HotelID, &err)
	if err := by.Require(access.HotelAdmin); err != nil {
		return err
	}
	lists, err := l.byName()
	if err != nil {
		return err
	}
	return s.change(ctx, by, "hotel.set_code_lists", "hotel", func(ctx context.Context, e *audit.Event) error {
		hotelID, err := s.hotelID(ctx, by)
		if err != nil {
			return err
		}
		if err := s.store.lockHotel(ctx, hotelID); err != nil { // two who replace at once take turns
			return err
		}
		e.HotelID, e.ResourceID = hotelID, hotelID
		return s.store.setCodeLists(ctx, hotelID, lists)
	})
}

// byName normalises and checks what is given.
func (l CodeLists) byName() (map[string][]RoomType, error) {
	lists := map[string][]RoomType{}
	if l.RoomTypes != nil {
		lists[listRoomType] = slices.Clone(l.RoomTypes)
	}
	for name, codes := range map[string][]Code{listRateCode: l.RateCodes, listDepartment: l.Departments, listAccount: l.Accounts} {
		if codes != nil {
			lists[name] = make([]RoomType, len(codes))
			for i, c := range codes {
				lists[name][i] = RoomType{Code: c.Code, Name: c.Name}
			}
		}
	}
	for name, list := range lists {
		if err := checkCodes(name, list); err != nil {
			return nil, err
		}
	}
	return lists, nil
}

func checkCodes(name string, list []RoomType) error {
	seen := map[string]bool{}
	for i := range list {
		c := &list[i]
		c.Code, c.Name = key(c.Code), strings.TrimSpace(c.Name)
		at := fmt.Sprintf("/%s/%d", strings.ToLower(name), i)
		switch {
		case !isText(c.Code, 40) || c.Name != "" && !isText(c.Name, 200) || c.Capacity < 0:
			return invalid(at, "代码不能为空且不超过 40 字节，名称不超过 200 字节，容量不能为负。",
				"a code of 1 to 40 bytes, a name of at most 200, a capacity of 0 or more")
		case seen[c.Code]:
			return invalid(at, "代码 "+c.Code+" 重复。", "each code once; "+c.Code+" stands twice")
		}
		if c.Name == "" {
			c.Name = c.Code
		}
		seen[c.Code] = true
	}
	return nil
}
