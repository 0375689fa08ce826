package pages

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"thhotel/internal/fault"
	"thhotel/internal/order"
	"thhotel/internal/sheet"
)

func (s *site) exportRoutes(r gin.IRouter) {
	r.GET("/export/tasks.csv", s.staff(exportAs("csv", exportCards)))
	r.GET("/export/tasks.xlsx", s.staff(exportAs("xlsx", exportCards)))
	r.GET("/export/orders.csv", s.staff(exportAs("csv", exportOrders)))
	r.GET("/export/orders.xlsx", s.staff(exportAs("xlsx", exportOrders)))
}

// export fills a table and says what it is called.
type export func(v *visit, w sheet.Writer) error

var exportTypes = map[string]string{"csv": "text/csv; charset=utf-8", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}

// exportAs writes the table aside and only then sends it: an export that fails half
// way is an error page, and never a file that looks whole.
func exportAs(format string, fill export) func(*visit) error {
	return func(v *visit) error {
		file, err := os.CreateTemp("", "thhotel-export-")
		if err != nil {
			return fmt.Errorf("export: %w", err)
		}
		defer func() { _, _ = file.Close(), os.Remove(file.Name()) }()
		if err := v.fillTable(file, format, fill); err != nil {
			return err
		}
		name := strings.Trim(strings.TrimSuffix(v.c.Request.URL.Path[len("/export/"):], "."+format), "/")
		v.c.Header("Content-Type", exportTypes[format])
		v.c.Header("Content-Disposition", fmt.Sprintf(`attachment; filename="%s-%s.%s"`, name, v.now.In(v.Hotel.Location()).Format("20060102-1504"), format))
		http.ServeContent(v.c.Writer, v.c.Request, "", time.Time{}, file)
		return nil
	}
}

func (v *visit) fillTable(out io.Writer, format string, fill export) error {
	w, err := sheet.NewCSV(out), error(nil)
	if format == "xlsx" {
		if w, err = sheet.NewXLSX(out, v.T("export.sheet")); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	if err := fill(v, w); err != nil {
		if fault.As(err).Kind == fault.Internal {
			return fmt.Errorf("export: %w", err)
		}
		return err
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

func exportCards(v *visit, w sheet.Writer) error {
	q := v.c.Request.URL.Query()
	p := order.QueueParams{View: q.Get("view"), EventType: order.EventType(q.Get("type")), Search: strings.TrimSpace(q.Get("q")), Sort: q.Get("sort")}
	if p.View == "" {
		p.View = order.ViewOpen
	}
	head := []any{v.T("col.event"), v.T("col.status"), v.T("col.key"), v.T("col.guest"), v.T("col.type"), v.T("col.account"), v.T("col.arrival"),
		v.T("col.departure"), v.T("col.owner"), v.T("col.due"), v.T("mail.received"), v.T("mail.from"), v.T("mail.subject"), v.T("col.flags"), "card_id"}
	if err := w.Row(head...); err != nil {
		return err
	}
	texts := v.s.texts[v.Lang]
	return v.s.o.Order.ExportCards(v.c.Request.Context(), v.By, p, func(c order.CardBrief) error {
		return w.Row(texts.code("event", c.EventType), texts.code("status", c.Status), c.Key, c.GuestName, texts.code("booking", c.BookingType), c.AccountCode,
			c.ArrivalDate, c.DepartureDate, c.OwnerName, v.At(c.DueAt), v.At(c.ReceivedAt), sender(c), c.Subject,
			strings.Join(texts.names("rule", c.Flags), "; "), c.ID)
	})
}

func sender(c order.CardBrief) string {
	if c.SenderName == "" {
		return c.SenderEmail
	}
	return c.SenderName + " <" + c.SenderEmail + ">"
}

func exportOrders(v *visit, w sheet.Writer) error {
	q := v.c.Request.URL.Query()
	p := order.SearchParams{Text: strings.TrimSpace(q.Get("q")), Status: q.Get("status")}
	head := []any{v.T("col.type"), v.T("field.group_code"), v.T("field.confirmation_number"), v.T("field.reservation_no"), v.T("col.account"), v.T("col.reference"),
		v.T("col.guest"), v.T("field.alternate_name"), v.T("col.arrival"), v.T("col.departure"), v.T("col.rooms"), v.T("export.each"), v.T("field.rate_code"),
		v.T("field.cutoff_date"), v.T("col.status"), "order_id"}
	if err := w.Row(head...); err != nil {
		return err
	}
	texts := v.s.texts[v.Lang]
	return v.s.o.Order.ExportOrders(v.c.Request.Context(), v.By, p, func(r order.Record) error {
		rooms, lines := roomCells(r)
		return w.Row(texts.code("booking", r.BookingType), r.GroupCode, r.ConfirmationNumber, r.ReservationNo, r.AccountCode, r.ExternalReference,
			r.Name(), r.AlternateName, r.ArrivalDate, r.DepartureDate, rooms, lines, r.RateCode, r.CutoffDate, texts.code("status", r.Status), r.ID)
	})
}

// roomCells is how many rooms an order has, and which at what rate.
func roomCells(r order.Record) (total int, lines string) {
	var parts []string
	for _, room := range r.Rooms {
		total += room.RoomCount
		part := strconv.Itoa(room.RoomCount) + " " + room.RoomTypeCode
		if room.RateMinor != nil {
			part += " " + money(*room.RateMinor, r.Currency)
		}
		parts = append(parts, part)
	}
	return total, strings.Join(parts, "; ")
}

// Exported is the address of the list shown, as a file.
func (v *visit) Exported(file string) string {
	u, err := url.Parse(v.Here)
	if err != nil {
		return "/export/" + file
	}
	q := u.Query()
	q.Del("stamp")
	return with("/export/"+file, q, "cursor", "")
}
