package pages

import (
	"slices"

	"thhotel/internal/order"
	"thhotel/internal/platform"
)

type handOverData struct {
	Card       order.CardView
	Colleagues []platform.Colleague
}

// handOverForm offers the colleagues who may decide cards.
func handOverForm(v *visit) error {
	ctx := v.c.Request.Context()
	card, err := v.s.o.Order.Card(ctx, v.By, v.c.Param("id"))
	if err != nil {
		return err
	}
	all, err := v.s.o.Platform.Colleagues(ctx, v.By)
	if err != nil {
		return err
	}
	others := slices.DeleteFunc(all, func(c platform.Colleague) bool { return c.ID == v.By.SubjectID })
	return v.show("handover", "queue", v.T("handover.title"), handOverData{Card: card, Colleagues: others})
}

func handOver(v *visit) error {
	id := v.c.Param("id")
	p := order.HandOverParams{CardID: id, Version: version(v.c.PostForm("version")), ToUserID: v.c.PostForm("to"), Note: v.c.PostForm("text")}
	if _, err := v.s.o.Order.HandOver(v.c.Request.Context(), v.By, p); err != nil {
		return v.refuseOnCard(id, err)
	}
	return v.done("/tasks", "done.handed_over")
}
