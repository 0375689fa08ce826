package pages

import (
	"strconv"
	"strings"

	"thhotel/internal/access"
	"thhotel/internal/fault"
	"thhotel/internal/platform"
)

type codesData struct {
	again
	Lists []codeList
	Here  codeList
}

// codeList is one of the hotel's lists; only room types have a capacity.
type codeList struct {
	Name, Title string
	Rooms       bool
	Codes       []platform.RoomType
}

func codesPage(v *visit) error { return v.showCodes(v.c.Query("list"), again{}) }

func (v *visit) showCodes(name string, a again) error {
	if err := v.By.Require(access.HotelAdmin); err != nil {
		return err
	}
	l, err := v.s.o.Platform.CodeLists(v.c.Request.Context(), v.By)
	if err != nil {
		return err
	}
	d := codesData{again: a, Lists: v.codeLists(l)}
	d.Here = d.Lists[0]
	for _, list := range d.Lists {
		if list.Name == name {
			d.Here = list
		}
	}
	return v.section("admin_codes", v.T("admin.codes"), a, d)
}

func (v *visit) codeLists(l platform.CodeLists) []codeList {
	plain := func(codes []platform.Code) []platform.RoomType {
		var out []platform.RoomType
		for _, c := range codes {
			out = append(out, platform.RoomType{Code: c.Code, Name: c.Name})
		}
		return out
	}
	names := platform.CodeListNames() // room types, rates, departments, accounts
	return []codeList{
		{names[0], v.T("codes.room_types"), true, l.RoomTypes},
		{names[1], v.T("codes.rates"), false, plain(l.RateCodes)},
		{names[2], v.T("codes.departments"), false, plain(l.Departments)},
		{names[3], v.T("codes.accounts"), false, plain(l.Accounts)},
	}
}

func putCode(v *visit) error {
	list := v.c.PostForm("list")
	c := platform.RoomType{Code: v.c.PostForm("code"), Name: v.c.PostForm("name")}
	var err error
	if text := strings.TrimSpace(v.c.PostForm("capacity")); text != "" {
		if c.Capacity, err = strconv.Atoi(text); err != nil {
			err = fault.New(fault.Invalid, "INVALID_ARGUMENTS", "可住人数必须是整数。", "The capacity must be a whole number.")
		}
	}
	if err == nil {
		err = v.s.o.Platform.PutCode(v.c.Request.Context(), v.By, list, c)
	}
	return v.codeDone(list, err)
}

func deleteCode(v *visit) error {
	list := v.c.PostForm("list")
	return v.codeDone(list, v.s.o.Platform.DeleteCode(v.c.Request.Context(), v.By, list, v.c.PostForm("code")))
}

func (v *visit) codeDone(list string, err error) error {
	if err != nil {
		a, err := v.refusedAgain(err)
		if err != nil {
			return err
		}
		return v.showCodes(list, a)
	}
	return v.done("/admin/codes?list="+list, "done.saved")
}
