package audit

import (
	"context"
	"fmt"
)

// Report is what Verify found.
type Report struct {
	Sealed   int64 // rows whose seals hold
	Unsealed int64 // rows still waiting for the sealer
	HeadSeq  int64 // the chain's end; note it elsewhere to notice a rewritten chain
	HeadHash string
	Broken   *Break // nil when the chain holds
}

// Break is the first place at which the chain does not hold.
type Break struct {
	Seq  int64  // the place
	ID   string // the row found there, "" when there is none
	What string // "edited", "missing", "out of order", "beyond the end"
}

// verifyPage is how many rows are read at a time.
const verifyPage = 500

// Verify walks the whole chain. An edited row no longer has its hash; a deleted
// one leaves a gap, or an end that is not where audit_chain says; rows that
// changed places do not follow their predecessors.
func (l *Log) Verify(ctx context.Context) (Report, error) {
	var rep Report
	end, err := l.readHead(ctx)
	if err != nil {
		return rep, err
	}
	rep.HeadSeq, rep.HeadHash = end.Seq, end.Hash
	if rep.Unsealed, err = l.count(ctx, "SELECT COUNT(*) FROM audit_event WHERE seq IS NULL"); err != nil {
		return rep, err
	}
	at := head{}
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
	rep.Sealed = at.Seq
	if rep.Broken == nil {
		rep.Broken, err = l.checkEnd(ctx, at, end)
	}
	return rep, err
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
