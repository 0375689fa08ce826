package pages

import (
	"slices"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/order"
)

func (s *site) noticeRoutes(r gin.IRouter) {
	r.GET("/notices", s.staff(notices))
	r.POST("/notices", s.staff(acknowledgeMany))
	r.GET("/notices/:id/task", s.staff(noticeTaskForm))
	r.POST("/notices/:id/task", s.staff(noticeTask))
}

type noticesData struct {
	Params order.NoticeListParams
	Page   order.NoticePage
	Next   string
}

// Open reports whether a notice of the page waits for a person.
func (d noticesData) Open() bool {
	return slices.ContainsFunc(d.Page.Notices, func(n order.Notice) bool { return n.Status == order.NoticeOpen })
}

func notices(v *visit) error {
	q := v.c.Request.URL.Query()
	p := order.NoticeListParams{Status: q.Get("status"), RouteCode: q.Get("route"), Cursor: q.Get("cursor")}
	page, err := v.s.o.Order.Notices(v.c.Request.Context(), v.By, p)
	if err != nil {
		return err
	}
	d := noticesData{Params: p, Page: page}
	if page.NextCursor != "" {
		d.Next = with("/notices", q, "cursor", page.NextCursor)
	}
	return v.show("notices", "notice", v.T("notices.title"), d)
}

// acknowledgeMany acknowledges every ticked notice; one is a bulk of one. What
// somebody else handled meanwhile is told, and does not stop the others.
func acknowledgeMany(v *visit) error {
	ids := v.c.PostFormArray("id")
	if one := v.c.PostForm("one"); one != "" {
		ids = []string{one}
	}
	if len(ids) == 0 {
		return v.done("/notices", "done.nothing")
	}
	got, err := v.s.o.Order.AcknowledgeNotices(v.c.Request.Context(), v.By, order.AcknowledgeParams{IDs: ids, Text: v.c.PostForm("text")})
	if err != nil {
		return err
	}
	if len(got.Skipped) > 0 {
		return v.done("/notices?status=ALL", "done.acknowledged_some")
	}
	return v.done("/notices", "done.acknowledged")
}

type noticeTaskData struct {
	ID, Subject string
	Types       []order.EventType
}

func noticeTaskForm(v *visit) error {
	if err := v.By.Require(access.NoticeHandle); err != nil {
		return err
	}
	d := noticeTaskData{ID: v.c.Param("id"), Subject: v.c.Query("subject"), Types: order.EventTypes()}
	return v.show("notice_task", "notice", v.T("notices.task"), d)
}

// noticeTask makes a task by hand of a mail that the agent would not touch.
func noticeTask(v *visit) error {
	p := order.ManualParams{NoticeID: v.c.Param("id"), EventType: order.EventType(v.c.PostForm("type")), Text: v.c.PostForm("text")}
	card, err := v.s.o.Order.OpenManual(v.c.Request.Context(), v.By, p)
	if err != nil {
		return err
	}
	return v.done("/tasks/"+card, "done.task")
}
