package order

import (
	"encoding/base64"
	"encoding/json"

	"thhotel/internal/fault"
)

// cursor is the last row of a page: its sort value and its id. It is opaque to
// callers and worth nothing but a place to go on from.
type cursor struct {
	Sort string `json:"s"` // what it was made for: another sort's cursor is refused
	Text string `json:"t,omitempty"`
	// Text2 and Num2 are second sort values.
	Text2 string `json:"u,omitempty"`
	Num   int64  `json:"n,omitempty"`
	Num2  int64  `json:"m,omitempty"`
	ID    string `json:"i"`
}

func (c cursor) String() string { return base64.RawURLEncoding.EncodeToString([]byte(toJSON(c))) }

// readCursor returns false for the first page.
func readCursor(text, sort string) (cursor, bool, error) {
	var c cursor
	if text == "" {
		return c, false, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || json.Unmarshal(b, &c) != nil || c.Sort != sort {
		return c, false, fault.New(fault.Invalid, CodeCursor, "翻页游标无效；请从第一页重新查询。", "The cursor is not valid here. Start again from the first page.")
	}
	return c, true, nil
}

// maxPage is the most rows of one page.
const maxPage = 200

// pageSize keeps a limit between 1 and 200, 50 when none is given.
func pageSize(n int) int {
	switch {
	case n <= 0:
		return 50
	case n > maxPage:
		return maxPage
	}
	return n
}
