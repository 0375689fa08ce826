package bench

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"thhotel/internal/agent"
	"thhotel/internal/clock"
	"thhotel/internal/database"
	"thhotel/internal/hotel"
)

// BareOptions say what the bare server reads.
type BareOptions struct {
	Database database.Options
	HotelID  string
	Tools    string // file with the product's catalogue
	Clock    clock.Clock
	In       io.Reader
	Out      io.Writer
}

// ServeBare is the peer: the official SDK with one shared server, its raw AddTool,
// the same file, the same order and its open tasks by two prepared statements.
// There is no login, no schema check, no policy and no audit.
func ServeBare(ctx context.Context, o BareOptions) error {
	db, err := database.Open(ctx, o.Database, o.Clock)
	if err != nil {
		return err
	}
	defer db.Close()
	look, err := newLookup(ctx, db.Reader(), o.HotelID)
	if err != nil {
		return err
	}
	server, err := bareServer(o.Tools, look)
	if err != nil {
		return err
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	mux := http.NewServeMux()
	mux.Handle(hotel.Path, handler)
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("bare server: %w", err)
	}
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = web.Serve(l) }()
	err = Answer(o.In, o.Out, l.Addr().String(), func() {})
	_ = web.Close()
	return err
}

// bareServer publishes the product's catalogue; only the lookup is answered.
func bareServer(catalogue string, look *lookup) (*mcp.Server, error) {
	doc, err := os.ReadFile(catalogue) //nolint:gosec // the bench's own folder
	if err != nil {
		return nil, fmt.Errorf("bare server: %w", err)
	}
	var tools []agent.ToolInfo
	if err := json.Unmarshal(doc, &tools); err != nil {
		return nil, fmt.Errorf("bare server: %w", err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "bare", Version: "1"}, &mcp.ServerOptions{
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	})
	for _, t := range tools {
		server.AddTool(&mcp.Tool{Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: t.InputSchema, OutputSchema: t.OutputSchema},
			func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return look.call(ctx, req.Params.Arguments)
			})
	}
	return server, nil
}

// lookup is the query, and nothing but the query.
type lookup struct {
	hotelID       string
	orders, tasks *sql.Stmt
}

func newLookup(ctx context.Context, db *sql.DB, hotelID string) (*lookup, error) {
	orders, err := db.PrepareContext(ctx, `SELECT id, booking_type, group_code, confirmation_number, reservation_no, account_code, guest_name,
group_name, arrival_date, departure_date, rate_code, status, version, search_text FROM order_record WHERE hotel_id = ? AND confirmation_number = ? LIMIT 51`)
	if err != nil {
		return nil, fmt.Errorf("bare server: %w", err)
	}
	tasks, err := db.PrepareContext(ctx, `SELECT id, order_id, event_type, status, created_at, external_message_id FROM order_card
WHERE order_id = ? AND is_open = ? ORDER BY created_at, id LIMIT 50`)
	if err != nil {
		return nil, fmt.Errorf("bare server: %w", err)
	}
	return &lookup{hotelID, orders, tasks}, nil
}

type bareOrder struct {
	ID, BookingType, GroupCode, ConfirmationNumber, ReservationNo, AccountCode, GuestName, GroupName string
	ArrivalDate, DepartureDate, RateCode, Status                                                     string
	Version                                                                                          int64
	Notes                                                                                            string
}

type bareTask struct {
	ID, OrderID, EventType, Status string
	CreatedAt                      int64
	ExternalMessageID              string
}

func (l *lookup) call(ctx context.Context, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	var in struct {
		ConfirmationNumber string `json:"confirmation_number"`
	}
	if err := json.Unmarshal(arguments, &in); err != nil {
		return nil, err
	}
	var out struct {
		Orders []bareOrder
		Tasks  []bareTask
	}
	err := each(ctx, l.orders, func(rows *sql.Rows) error {
		var r bareOrder
		err := rows.Scan(&r.ID, &r.BookingType, &r.GroupCode, &r.ConfirmationNumber, &r.ReservationNo, &r.AccountCode, &r.GuestName, &r.GroupName,
			&r.ArrivalDate, &r.DepartureDate, &r.RateCode, &r.Status, &r.Version, &r.Notes)
		out.Orders = append(out.Orders, r)
		return err
	}, l.hotelID, in.ConfirmationNumber)
	for _, o := range out.Orders {
		if err != nil {
			break
		}
		err = each(ctx, l.tasks, func(rows *sql.Rows) error {
			var t bareTask
			err := rows.Scan(&t.ID, &t.OrderID, &t.EventType, &t.Status, &t.CreatedAt, &t.ExternalMessageID)
			out.Tasks = append(out.Tasks, t)
			return err
		}, o.ID, true)
	}
	if err != nil {
		return nil, err
	}
	doc, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(doc)}}, StructuredContent: json.RawMessage(doc)}, nil
}

func each(ctx context.Context, stmt *sql.Stmt, row func(*sql.Rows) error, args ...any) error {
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
