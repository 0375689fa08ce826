package audit

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/fault"
)

// What Prune writes into the chain about itself.
const (
	pruneTool      = "audit.prune"
	checkpointType = "audit_checkpoint"
)

// Codes of a prune that is refused.
const (
	CodeChainBroken = "AUDIT_CHAIN_BROKEN"
	CodePruneTooNew = "AUDIT_PRUNE_TOO_NEW"
	CodePruneRace   = "AUDIT_PRUNE_CONFLICT"
)

var (
	errTooNew = fault.New(fault.Invalid, CodePruneTooNew, "截止时间不能在未来。", "The date must not be in the future.")
	errRace   = fault.New(fault.Conflict, CodePruneRace, "另一个清理正在进行，请稍后重试。", "Another prune was faster. Try again.")
)

// File is where pruned rows go. *os.File is one.
type File interface {
	io.Writer
	Sync() error
}

// Pruned is what Prune did. All but the removal itself is zero when there was
// nothing to remove.
type Pruned struct {
	Rows             int64
	FromSeq, UpToSeq int64  // the rows after FromSeq up to UpToSeq, both of the chain
	UpToHash         string // what the first remaining row follows
	SHA256           string // of the file; also in the chain, as the record of the prune
}

// Export writes the sealed rows of a time, one JSON object a line, in the
// chain's order, and says how many. Zero times do not narrow; to is exclusive.
func (l *Log) Export(ctx context.Context, out io.Writer, from, to time.Time) (n int64, err error) {
	cond, args := "", []any{}
	if !from.IsZero() {
		cond, args = cond+" AND at >= ?", append(args, from.UnixMicro())
	}
	if !to.IsZero() {
		cond, args = cond+" AND at < ?", append(args, to.UnixMicro())
	}
	for after := int64(0); ; {
		rows, err := l.query(ctx, "WHERE seq > ?"+cond+" ORDER BY seq LIMIT ?", append(append([]any{after}, args...), verifyPage)...)
		if err != nil || len(rows) == 0 {
			return n, err
		}
		if err := writeLines(out, rows); err != nil {
			return n, err
		}
		n, after = n+int64(len(rows)), *rows[len(rows)-1].seq
	}
}

func writeLines(out io.Writer, rows []row) error {
	for i := range rows {
		line, err := rows[i].line()
		if err != nil {
			return err
		}
		if _, err := out.Write(line); err != nil {
			return fmt.Errorf("write the audit file: %w", err)
		}
	}
	return nil
}

// Prune moves the chain's beginning into a file: every sealed row before the
// first that is not older than before. The file is durable before anything is
// deleted; a checkpoint then remembers the last row removed and its hash, and
// an audit row tells of it, with the file's digest. A chain that does not hold
// is left as it is. Running it again after a crash finishes the work.
func (l *Log) Prune(ctx context.Context, by access.Caller, before time.Time, out File) (Pruned, error) {
	if err := by.Require(access.AuditPrune); err != nil {
		return Pruned{}, err
	}
	if before.After(l.clock.Now()) {
		return Pruned{}, errTooNew
	}
	from, err := l.readCheckpoint(ctx)
	if err != nil {
		return Pruned{}, err
	}
	if err := l.removeUpTo(ctx, from.Seq); err != nil { // what a killed prune left
		return Pruned{}, err
	}
	last, err := l.lastBefore(ctx, from.Seq, before)
	if err != nil || last <= from.Seq {
		return Pruned{}, err
	}
	p, err := l.move(ctx, from, last, out)
	if err != nil {
		return Pruned{}, err
	}
	if err := l.recordPrune(ctx, by, from, p); err != nil {
		return Pruned{}, err
	}
	return p, l.removeUpTo(ctx, last)
}

// move writes the rows after from up to last, and checks each on its way.
func (l *Log) move(ctx context.Context, from head, last int64, out File) (Pruned, error) {
	digest := sha256.New()
	buffered := bufio.NewWriter(io.MultiWriter(out, digest))
	at := from
	for at.Seq < last {
		rows, err := l.query(ctx, "WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?", at.Seq, last, verifyPage)
		if err != nil {
			return Pruned{}, err
		}
		var broken *Break
		if at, broken = walk(at, rows); broken == nil && len(rows) == 0 {
			broken = &Break{Seq: at.Seq + 1, What: "missing"}
		}
		if broken != nil {
			return Pruned{}, chainBroken(*broken)
		}
		if err := writeLines(buffered, rows); err != nil {
			return Pruned{}, err
		}
	}
	if err := buffered.Flush(); err != nil {
		return Pruned{}, fmt.Errorf("write the audit file: %w", err)
	}
	if err := out.Sync(); err != nil {
		return Pruned{}, fmt.Errorf("write the audit file: %w", err)
	}
	return Pruned{Rows: at.Seq - from.Seq, FromSeq: from.Seq, UpToSeq: at.Seq, UpToHash: at.Hash, SHA256: hex.EncodeToString(digest.Sum(nil))}, nil
}

func chainBroken(b Break) error {
	return fault.New(fault.Conflict, CodeChainBroken, "审计链已断（"+b.String()+"），未删除任何记录；请先核查。",
		"The audit chain is broken ("+b.String()+"); nothing was removed. Look into that first.")
}

// recordPrune is the point of no return: checkpoint and audit row together.
func (l *Log) recordPrune(ctx context.Context, by access.Caller, from head, p Pruned) error {
	to := head{p.UpToSeq, p.UpToHash}
	e := FromCaller(by)
	e.Tool, e.Status, e.Risk = pruneTool, Succeeded, "destructive"
	e.ResourceType, e.ResourceID, e.SourceDigest = checkpointType, to.String(), p.SHA256
	return l.db.InTx(ctx, func(ctx context.Context) error {
		now, err := l.readCheckpoint(ctx)
		if err != nil {
			return err
		}
		if now != from {
			return errRace
		}
		if err := l.insertCheckpoint(ctx, to, p, l.clock.Now()); err != nil {
			return err
		}
		return l.Append(ctx, e)
	})
}

// String is how a place of the chain is written into the audit row of a prune.
func (h head) String() string { return fmt.Sprintf("%d:%s", h.Seq, h.Hash) }
