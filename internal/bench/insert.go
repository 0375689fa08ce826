package bench

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// rowsPerStatement and copiesPerCommit were tried out: more gains nothing.
const (
	rowsPerStatement = 40
	copiesPerCommit  = 2000
)

// inserter writes copies in multi-row statements, many to a transaction.
type inserter struct {
	db      *sql.DB
	tx      *sql.Tx
	pending map[string]*pending
	copies  int
}

// pending are the rows of one table that wait for their statement.
type pending struct {
	columns []string
	args    []any
	rows    int
	full    *sql.Stmt
}

// add queues copies of templates.
func (in *inserter) add(ctx context.Context, rows []template, v values, age time.Duration) error {
	if in.tx == nil {
		tx, err := in.db.BeginTx(ctx, nil)
		if err != nil {
			return fmt.Errorf("load: %w", err)
		}
		in.tx, in.pending = tx, map[string]*pending{}
	}
	for _, t := range rows {
		p := in.pending[t.table]
		if p == nil {
			p = &pending{columns: t.columns}
			in.pending[t.table] = p
		}
		p.args = t.copy(p.args, v, age)
		if p.rows++; p.rows == rowsPerStatement {
			if err := in.write(ctx, t.table, p); err != nil {
				return err
			}
		}
	}
	if in.copies++; in.copies%copiesPerCommit == 0 {
		return in.commit(ctx)
	}
	return nil
}

func (in *inserter) write(ctx context.Context, table string, p *pending) (err error) {
	stmt := insertSQL(table, p.columns, p.rows)
	if p.rows < rowsPerStatement {
		_, err = in.tx.ExecContext(ctx, stmt, p.args...)
	} else {
		if p.full == nil {
			if p.full, err = in.tx.PrepareContext(ctx, stmt); err != nil {
				return fmt.Errorf("load %s: %w", table, err)
			}
		}
		_, err = p.full.ExecContext(ctx, p.args...)
	}
	p.args, p.rows = p.args[:0], 0
	if err != nil {
		return fmt.Errorf("load %s: %w", table, err)
	}
	return nil
}

func insertSQL(table string, columns []string, rows int) string {
	one := "(?" + strings.Repeat(",?", len(columns)-1) + ")"
	return "INSERT INTO " + table + " (" + strings.Join(columns, ",") + ") VALUES " + one + strings.Repeat(","+one, rows-1)
}

// commit writes what waits and ends the transaction.
func (in *inserter) commit(ctx context.Context) error {
	if in.tx == nil {
		return nil
	}
	for table, p := range in.pending {
		if p.rows == 0 {
			continue
		}
		if err := in.write(ctx, table, p); err != nil {
			return err
		}
	}
	err := in.tx.Commit()
	in.tx = nil
	if err != nil {
		return fmt.Errorf("load: %w", err)
	}
	return nil
}

// abandon ends a transaction that failed.
func (in *inserter) abandon() {
	if in.tx != nil {
		_ = in.tx.Rollback()
		in.tx = nil
	}
}
