package audit

import (
	"context"
	"errors"
	"strings"
	"time"

	"thhotel/internal/fault"
)

// Filter narrows a list. Empty fields do not narrow.
type Filter struct {
	HotelID string // required
	// Unattributed adds rows of callers nobody knew: refused credentials.
	Unattributed bool

	Principal, PrincipalName, Tool, Adapter, ErrorCode, RequestID string
	ResourceType, ResourceID                                      string
	Status                                                        Status
	From, Until                                                   time.Time // Until is exclusive

	Cursor string // from the page before
	Limit  int    // default 50, most 500
}

// CodeCursor is the code of a cursor that is none of ours.
const CodeCursor = "invalid_cursor"

var errCursor = fault.New(fault.Invalid, CodeCursor, "游标无效，请从第一页重新查询。", "The cursor is not valid. Start again from the first page.")

// List returns events, newest first, and the cursor of the next page ("" at the end).
func (l *Log) List(ctx context.Context, f Filter) ([]Entry, string, error) {
	if f.HotelID == "" {
		return nil, "", errors.New("audit: a list needs a hotel")
	}
	limit := f.Limit
	if limit <= 0 {
		limit = 50
	}
	limit = min(limit, 500)
	where, args, err := f.where()
	if err != nil {
		return nil, "", err
	}
	rows, err := l.query(ctx, where+" ORDER BY id DESC LIMIT ?", append(args, limit+1)...)
	if err != nil {
		return nil, "", err
	}
	next := ""
	if len(rows) > limit {
		rows = rows[:limit]
		next = rows[limit-1].id
	}
	out := make([]Entry, len(rows))
	for i := range rows {
		out[i] = rows[i].entry()
	}
	return out, next, nil
}

func (f Filter) where() (string, []any, error) {
	var conds []string
	var args []any
	add := func(cond string, values ...any) {
		conds, args = append(conds, cond), append(args, values...)
	}
	if f.Unattributed {
		add("hotel_id IN (?, '')", f.HotelID)
	} else {
		add("hotel_id = ?", f.HotelID)
	}
	for _, c := range []struct{ column, value string }{
		{"principal", f.Principal}, {"principal_name", f.PrincipalName}, {"tool", f.Tool}, {"adapter", f.Adapter}, {"error_code", f.ErrorCode}, {"request_id", f.RequestID},
		{"resource_type", f.ResourceType}, {"resource_id", f.ResourceID}, {"status", string(f.Status)},
	} {
		if c.value != "" {
			add(c.column+" = ?", c.value)
		}
	}
	if !f.From.IsZero() {
		add("at >= ?", f.From.UnixMicro())
	}
	if !f.Until.IsZero() {
		add("at < ?", f.Until.UnixMicro())
	}
	if f.Cursor != "" {
		if len(f.Cursor) != 36 {
			return "", nil, errCursor
		}
		add("id < ?", f.Cursor)
	}
	return "WHERE " + strings.Join(conds, " AND "), args, nil
}
