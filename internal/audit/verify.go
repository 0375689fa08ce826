package audit

import (
	"context"
	"fmt"
	"time"
)

// Report is what Verify found.
type Report struct {
	FromSeq  int64  `json:"from_seq"` // rows up to this one are in a file; the chain goes on from its hash
	FromHash string `json:"from_hash"`
	Sealed   int64  `json:"sealed"`   // rows whose seals hold
	Unsealed int64  `json:"unsealed"` // rows still waiting for the sealer
	HeadSeq  int64  `json:"head_seq"` // the chain's end; note it elsewhere to notice a rewritten chain
	HeadHash string `json:"head_hash"`
	Broken   *Break `json:"broken"` // nil when the chain holds

	OldestUnsealed *time.Time `json:"oldest_unsealed"` // nil when none waits
	// Late: the oldest has waited too long (Options.SealWithin). No sealer runs, or
	// it cannot work; until it does, these rows could be changed without a trace.
	Late bool `json:"late"`
}

// LateBy says whether rows have waited longer than they may, and how long.
func (r Report) LateBy(now time.Time, within time.Duration) (waited time.Duration, late bool) {
	if r.OldestUnsealed == nil {
		return 0, false
	}
	waited = now.Sub(*r.OldestUnsealed)
	return waited, waited > within
}

// Break is the first place at which the chain does not hold.
type Break struct {
	Seq  int64  `json:"seq"`  // the place
	ID   string `json:"id"`   // the row found there, "" when there is none
	What string `json:"what"` // "edited", "missing", "out of order", "beyond the end", "removed without a record"
}

// verifyPage is how many rows are read at a time.
const verifyPage = 500

// Verify walks the whole chain, from where Prune ended. An edited row no longer
// has its hash; a deleted one leaves a gap, or an end that is not where
// audit_chain says; rows that changed places do not follow their predecessors.
func (l *Log) Verify(ctx context.Context) (Report, error) {
	for {
		from, err := l.readCheckpoint(ctx)
		if err != nil {
			return Report{}, err
		}
		rep, err := l.verifyFrom(ctx, from)
		if err != nil || rep.Broken == nil {
			return rep, err
		}
		if now, err := l.readCheckpoint(ctx); err != nil || now == from {
			return rep, err
		} // else rows went away under our eyes, into a file
	}
}

func (l *Log) verifyFrom(ctx context.Context, from head) (rep Report, err error) {
	end, err := l.readHead(ctx)
	if err != nil {
		return rep, err
	}
	rep = Report{FromSeq: from.Seq, FromHash: from.Hash, HeadSeq: end.Seq, HeadHash: end.Hash}
	if err := l.reportTail(ctx, &rep); err != nil {
		return rep, err
	}
	if rep.Broken, err = l.checkBeginning(ctx, from, end); err != nil || rep.Broken != nil {
		return rep, err
	}
	at := from
	for rep.Broken == nil && at.Seq < end.Seq {
		rows, err := l.query(ctx, "WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?", at.Seq, end.Seq, verifyPage)
		if err != nil {
			return rep, err
		}
		at, rep.Broken = walk(at, rows)
		if len(rows) == 0 {
			rep.Broken = &Break{Seq: at.Seq + 1, What: "missing"}
		}
	}
	rep.Sealed = at.Seq - from.Seq
	if rep.Broken == nil {
		rep.Broken, err = l.checkEnd(ctx, at, end)
	}
	return rep, err
}

// reportTail says what waits for the sealer, and whether for too long.
func (l *Log) reportTail(ctx context.Context, rep *Report) error {
	n, oldest, err := l.unsealed(ctx)
	if err != nil || n == 0 {
		return err
	}
	rep.Unsealed, rep.OldestUnsealed = n, &oldest
	_, rep.Late = rep.LateBy(l.clock.Now(), l.within)
	return nil
}

// checkBeginning: what was removed was removed by Prune, which wrote so into
// the chain itself, beyond the rows it took.
func (l *Log) checkBeginning(ctx context.Context, from, end head) (*Break, error) {
	if from.Seq == 0 {
		return nil, nil
	}
	if from.Seq > end.Seq {
		return &Break{Seq: from.Seq, What: "beyond the end"}, nil
	}
	n, err := l.count(ctx, "SELECT COUNT(*) FROM audit_event WHERE tool = ? AND status = ? AND resource_type = ? AND resource_id = ? AND (seq IS NULL OR seq > ?)",
		pruneTool, string(Succeeded), checkpointType, from.String(), from.Seq)
	if err != nil || n > 0 {
		return nil, err
	}
	return &Break{Seq: from.Seq, What: "removed without a record"}, nil
}

// walk checks rows that should follow at and returns how far they do.
func walk(at head, rows []row) (head, *Break) {
	for i := range rows {
		r := &rows[i]
		seq := at.Seq + 1
		switch {
		case *r.seq != seq:
			return at, &Break{Seq: seq, What: "missing"}
		case r.seal(seq, r.prevHash) != r.hash:
			return at, &Break{Seq: seq, ID: r.id, What: "edited"}
		case r.prevHash != at.Hash:
			return at, &Break{Seq: seq, ID: r.id, What: "out of order"}
		}
		at = head{seq, r.hash}
	}
	return at, nil
}

func (l *Log) checkEnd(ctx context.Context, at, end head) (*Break, error) {
	if at.Hash != end.Hash {
		return &Break{Seq: at.Seq, What: "edited"}, nil
	}
	now, err := l.readHead(ctx) // the sealer may have gone on meanwhile
	if err != nil {
		return nil, err
	}
	rows, err := l.query(ctx, "WHERE seq > ? ORDER BY seq LIMIT 1", now.Seq)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	if again, err := l.readHead(ctx); err != nil || again.Seq >= *rows[0].seq {
		return nil, err
	}
	return &Break{Seq: *rows[0].seq, ID: rows[0].id, What: "beyond the end"}, nil
}

// String is one line for a person.
func (b Break) String() string {
	if b.ID == "" {
		return fmt.Sprintf("row %d is %s", b.Seq, b.What)
	}
	return fmt.Sprintf("row %d (%s) is %s", b.Seq, b.ID, b.What)
}
