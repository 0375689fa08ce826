package pages

import (
	"net/http"
	"time"

	"thhotel/internal/fault"
	"thhotel/internal/order"
)

func claim(v *visit) error {
	id := v.c.Param("id")
	_, err := v.s.o.Order.Claim(v.c.Request.Context(), v.By, order.ClaimParams{CardID: id, TakeOver: v.c.PostForm("take_over") == "1"})
	if err != nil {
		return v.refuseOnCard(id, err)
	}
	return v.done("/tasks/"+id, "done.claimed")
}

// renew keeps the claim while the page is open; the script asks for it and shows
// until when it runs now.
func renew(v *visit) error {
	card, err := v.s.o.Order.Renew(v.c.Request.Context(), v.By, v.c.Param("id"))
	if err != nil {
		return err
	}
	v.c.String(http.StatusOK, "%s", v.T("task.yours", v.Clock(card.LeaseUntil)))
	return nil
}

func release(v *visit) error {
	id := v.c.Param("id")
	if _, err := v.s.o.Order.Release(v.c.Request.Context(), v.By, id); err != nil {
		return v.refuseOnCard(id, err)
	}
	return v.done("/tasks/"+id, "done.released")
}

func note(v *visit) error {
	id := v.c.Param("id")
	if _, err := v.s.o.Order.Note(v.c.Request.Context(), v.By, id, v.c.PostForm("text")); err != nil {
		return v.refuseOnCard(id, err)
	}
	return v.done("/tasks/"+id, "done.noted")
}

type askData struct {
	Card order.CardView
	Days []string
}

func askForm(v *visit) error {
	card, err := v.s.o.Order.Card(v.c.Request.Context(), v.By, v.c.Param("id"))
	if err != nil {
		return err
	}
	day, err := time.Parse(time.DateOnly, v.Hotel.BusinessDate)
	if err != nil {
		day = v.now
	}
	return v.show("ask", "queue", v.T("ask.title"), askData{Card: card, Days: []string{day.AddDate(0, 0, 2).Format(time.DateOnly)}})
}

func ask(v *visit) error {
	id := v.c.Param("id")
	until, err := time.ParseInLocation("2006-01-02 15:04", v.c.PostForm("date")+" "+v.c.PostForm("time"), v.Hotel.Location())
	if err != nil {
		return errDate
	}
	p := order.AskParams{CardID: id, Version: version(v.c.PostForm("version")), Until: until.UTC(), Text: v.c.PostForm("text")}
	if _, err := v.s.o.Order.AskSender(v.c.Request.Context(), v.By, p); err != nil {
		return v.refuseOnCard(id, err)
	}
	return v.done("/tasks/"+id, "done.waiting")
}

var errDate = fault.New(fault.Invalid, "DATE_INVALID", "日期或时间无法识别，请按 年-月-日 与 时:分 填写。", "The date or time cannot be read. Write YYYY-MM-DD and HH:MM.")

func errCount(code string) error {
	return fault.New(fault.Invalid, "ROOM_COUNT_INVALID", "房型 "+code+" 的间数必须是整数。", "The number of rooms of "+code+" must be a whole number.")
}
