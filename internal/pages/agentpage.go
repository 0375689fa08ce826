package pages

import (
	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/intake"
	"thhotel/internal/order"
)

func (s *site) agentRoutes(r gin.IRouter) {
	r.GET("/agent", s.staff(agentPage))
	r.GET("/agent/:id", s.staff(batch))
	r.GET("/agent/:id/package", s.staff(wholePackage))
}

type agentData struct {
	Params  intake.BatchesParams
	Page    intake.BatchPage
	Figures []figure
	Days    int
	Next    string
}

// figure is one event type's numbers with the widths of its bars, in percent.
type figure struct {
	order.Figures
	Open                                      int
	ConfirmedPC, EditedPC, RejectedPC, OpenPC int
}

// accuracyDays is how far back the agent's figures look.
const accuracyDays = 90

func agentPage(v *visit) error {
	ctx, q := v.c.Request.Context(), v.c.Request.URL.Query()
	if err := v.By.Require(access.AgentReview); err != nil {
		return err
	}
	p := intake.BatchesParams{ErrorsOnly: q.Get("errors") == "1", Cursor: q.Get("cursor")}
	page, err := v.s.o.Intake.Batches(ctx, v.By, p)
	if err != nil {
		return err
	}
	figures, err := v.s.o.Order.Accuracy(ctx, v.By, v.now.AddDate(0, 0, -accuracyDays))
	if err != nil {
		return err
	}
	d := agentData{Params: p, Page: page, Days: accuracyDays}
	for _, f := range figures {
		d.Figures = append(d.Figures, newFigure(f))
	}
	if page.NextCursor != "" {
		d.Next = with("/agent", q, "cursor", page.NextCursor)
	}
	return v.show("agent", "agent", v.T("agent.title"), d)
}

func newFigure(f order.Figures) figure {
	clean := f.Confirmed - f.Edited
	g := figure{Figures: f, Open: f.Cards - f.Confirmed - f.Rejected}
	if f.Cards > 0 {
		g.ConfirmedPC, g.EditedPC, g.RejectedPC = 100*clean/f.Cards, 100*f.Edited/f.Cards, 100*f.Rejected/f.Cards
		g.OpenPC = 100 - g.ConfirmedPC - g.EditedPC - g.RejectedPC
	}
	return g
}

type batchData struct {
	Batch intake.BatchView
	Whole string // the package with the mail's body, once asked for
}

func batch(v *visit) error {
	b, err := v.s.o.Intake.Batch(v.c.Request.Context(), v.By, v.c.Param("id"))
	if err != nil {
		return err
	}
	return v.show("batch", "agent", v.T("batch.title", short(b.ID)), batchData{Batch: b})
}

// wholePackage also shows the mail's text inside the package, which is a
// reading of the mail and leaves a trace.
func wholePackage(v *visit) error {
	ctx, id := v.c.Request.Context(), v.c.Param("id")
	b, err := v.s.o.Intake.Batch(ctx, v.By, id)
	if err != nil {
		return err
	}
	whole, err := v.s.o.Intake.Package(ctx, v.By, id)
	if err != nil {
		return err
	}
	return v.show("batch", "agent", v.T("batch.title", short(b.ID)), batchData{Batch: b, Whole: whole})
}

// Clean is what was confirmed as the agent proposed it.
func (f figure) Clean() int { return f.Confirmed - f.Edited }

// EditX is where the bar of edited cards begins.
func (f figure) EditX() int { return f.ConfirmedPC }

// RejectX is where the bar of rejected cards begins.
func (f figure) RejectX() int { return f.ConfirmedPC + f.EditedPC }
