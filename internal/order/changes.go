package order

import (
	"context"
	"time"

	"thhotel/internal/access"
)

// Changed is what has changed since a cursor: cards (decided ones too, which tells
// a list to drop the row) and notices, oldest change first, each as it is now.
type Changed struct {
	Cards   []CardBrief
	Notices []Notice
	// Cursor is where to go on from; it is never "".
	Cursor string
	// More is true when the limit cut the answer: ask again at once.
	More bool
}

// changesOverlap is how far back every call reads again. A change is stamped
// before it is committed, on any of several machines; one that was stamped a
// moment ago may become visible only now.
const changesOverlap = 5 * time.Second

// ChangesSince reads what changed after the cursor of the last call; "" starts at
// this moment and answers nothing. It reads one index range, so that many pages on
// several machines can ask every second. Entries of the last few seconds come
// again: tell them apart by id and UpdatedAt.
func (s *Service) ChangesSince(ctx context.Context, by access.Caller, after string, limit int) (Changed, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return Changed{}, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return Changed{}, err
	}
	c, more, err := readCursor(after, "changes")
	if err != nil {
		return Changed{}, err
	}
	if !more {
		return Changed{Cursor: cursor{Sort: "changes", Num: s.clock.Now().UnixMicro(), ID: "-"}.String()}, nil
	}
	return s.changed(ctx, in, c, pageSize(limit))
}

// changed reads on from c. A cut answer goes on exactly where it ended, and takes
// the notices with its last part, from where the first part began (Num2).
func (s *Service) changed(ctx context.Context, in setting, c cursor, limit int) (Changed, error) {
	began := c.Num2
	if began == 0 {
		began = c.Num - changesOverlap.Microseconds()
		c.Num, c.ID = began, ""
	}
	cards, err := s.store.changedCards(ctx, in.hotel.ID, c, limit+1)
	if err != nil {
		return Changed{}, err
	}
	if len(cards) > limit {
		last := cards[limit-1]
		rest := cursor{Sort: "changes", Num: last.UpdatedAt.UnixMicro(), Num2: began, ID: last.ID}
		return Changed{Cards: briefs(cards[:limit]), Cursor: rest.String(), More: true}, nil
	}
	notices, err := s.store.changedNotices(ctx, in.hotel.ID, began, maxPage)
	if err != nil {
		return Changed{}, err
	}
	out, newest := Changed{Cards: briefs(cards)}, began+changesOverlap.Microseconds()
	for _, r := range cards {
		newest = max(newest, r.UpdatedAt.UnixMicro())
	}
	for _, n := range notices {
		out.Notices = append(out.Notices, n.notice())
		newest = max(newest, n.UpdatedAt.UnixMicro())
	}
	out.Cursor = cursor{Sort: "changes", Num: newest, ID: "-"}.String()
	return out, nil
}
