package pages

import (
	"cmp"
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/intake"
	"thhotel/internal/order"
)

func (s *site) agentRoutes(r gin.IRouter) {
	r.GET("/agent", s.staff(agentPage))
	r.GET("/agent/mail/:id", s.staff(follow))
	r.GET("/agent/:id", s.staff(batch))
	r.GET("/agent/:id/package", s.staff(wholePackage))
}

type agentData struct {
	again
	Params  intake.BatchesParams
	Page    intake.BatchPage
	Report  order.AccuracyReport
	Figures []figure
	Chart   dayChart
	Reasons []share
	Fields  []share
	Next    string
}

func agentPage(v *visit) error {
	ctx, q := v.c.Request.Context(), v.c.Request.URL.Query()
	if err := v.By.Require(access.AgentReview); err != nil {
		return err
	}
	d := agentData{Params: intake.BatchesParams{ErrorsOnly: q.Get("errors") == "1", Cursor: q.Get("cursor")}}
	var err error
	if d.Page, err = v.s.o.Intake.Batches(ctx, v.By, d.Params); err != nil {
		return err
	}
	d.Report, err = v.s.o.Order.AccuracyOver(ctx, v.By, order.AccuracyParams{From: q.Get("from"), To: q.Get("to")})
	if err != nil { // a range that cannot be: the page with why, and no figures
		if d.again, err = v.refusedAgain(err); err != nil {
			return err
		}
		d.Report.From, d.Report.To = q.Get("from"), q.Get("to")
	}
	d.fill()
	if d.Page.NextCursor != "" {
		d.Next = with("/agent", q, "cursor", d.Page.NextCursor)
	}
	status := max(d.status, 200)
	return v.render(status, "agent", "agent", v.T("agent.title"), d)
}

// fill makes charts of the report.
func (d *agentData) fill() {
	slowest := time.Duration(1)
	for _, f := range d.Report.ByType {
		slowest = max(slowest, f.P90ToConfirm)
	}
	for _, f := range d.Report.ByType {
		if f.Cards > 0 {
			d.Figures = append(d.Figures, newFigure(f, slowest))
		}
	}
	d.Chart = newDayChart(d.Report.Days)
	d.Reasons, d.Fields = shares(d.Report.Reasons), shares(d.Report.Fields)
}

// figure is one event type's numbers with the widths of its bars, in percent.
type figure struct {
	order.Figures
	Open                                      int
	ConfirmedPC, EditedPC, RejectedPC, OpenPC int
	EditRate                                  int // of a hundred confirmed cards
	MedianPC, P90PC                           int // of the slowest type's P90
}

func newFigure(f order.Figures, slowest time.Duration) figure {
	clean := f.Confirmed - f.Edited
	g := figure{Figures: f, Open: f.Cards - f.Confirmed - f.Rejected}
	g.ConfirmedPC, g.EditedPC, g.RejectedPC = percent(clean, f.Cards), percent(f.Edited, f.Cards), percent(f.Rejected, f.Cards)
	g.OpenPC = 100 - g.ConfirmedPC - g.EditedPC - g.RejectedPC
	g.EditRate = percent(f.Edited, f.Confirmed)
	g.MedianPC, g.P90PC = percent(int(f.MedianToConfirm/time.Millisecond), int(slowest/time.Millisecond)), percent(int(f.P90ToConfirm/time.Millisecond), int(slowest/time.Millisecond))
	return g
}

func percent(part, whole int) int {
	if whole <= 0 {
		return 0
	}
	return 100 * part / whole
}

// Clean is what was confirmed as the agent proposed it.
func (f figure) Clean() int { return f.Confirmed - f.Edited }

// EditX is where the bar of edited cards begins.
func (f figure) EditX() int { return f.ConfirmedPC }

// RejectX is where the bar of rejected cards begins.
func (f figure) RejectX() int { return f.ConfirmedPC + f.EditedPC }

// dayChart is the volume per day, a bar for each, stacked from the foot.
type dayChart struct {
	Width, Most int // in units of the picture; the highest day
	Total       int
	Bars        []dayBar
}

type dayBar struct {
	order.DayFigures
	X      int
	Pieces []piece
}

type piece struct {
	Class string
	Y, H  int
}

// dayHeight and dayWidth are the picture's units; it is stretched to its place.
const dayHeight, dayWidth = 100, 10

func newDayChart(days []order.DayFigures) dayChart {
	c := dayChart{Width: max(1, len(days)) * dayWidth}
	for _, d := range days {
		c.Most, c.Total = max(c.Most, d.Opened), c.Total+d.Opened
	}
	for i, d := range days {
		bar := dayBar{DayFigures: d, X: i*dayWidth + 1}
		sum := 0
		for _, p := range []struct {
			class string
			n     int
		}{{"b-ok", d.Confirmed - d.Edited}, {"b-edit", d.Edited}, {"b-no", d.Rejected}, {"b-rest", d.Opened - d.Confirmed - d.Rejected}} {
			foot := dayHeight - sum*dayHeight/max(1, c.Most)
			sum += p.n
			head := dayHeight - sum*dayHeight/max(1, c.Most)
			if foot > head {
				bar.Pieces = append(bar.Pieces, piece{p.class, head, foot - head})
			}
		}
		c.Bars = append(c.Bars, bar)
	}
	return c
}

// Open is what of a day waits, or gave way to a newer card.
func (b dayBar) Open() int { return b.Opened - b.Confirmed - b.Rejected }

// share is one of several counts with the width of its bar.
type share struct {
	Code    string
	N, Wide int
}

// shares are the counts, most first.
func shares(counts map[string]int) []share {
	most := 0
	var out []share
	for code, n := range counts {
		most = max(most, n)
		out = append(out, share{Code: code, N: n})
	}
	for i := range out {
		out[i].Wide = percent(out[i].N, most)
	}
	slices.SortFunc(out, func(a, b share) int { return cmp.Or(b.N-a.N, cmp.Compare(a.Code, b.Code)) })
	return out
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

// Clean is what of a day was confirmed as the agent proposed it.
func (b dayBar) Clean() int { return b.Confirmed - b.Edited }
