package agent

import (
	"context"
	"database/sql"
	"fmt"

	"thhotel/internal/database"
)

// recordRow is a key of the table agent_idempotency.
type recordRow struct {
	ClaimID, State, ArgsHash string
	LeaseUntil               database.Time
	Result                   *string
}

// findRecord returns nil when the key was never used.
func (r *run) findRecord(ctx context.Context, scope string) (*recordRow, error) {
	var rec recordRow
	query := r.db.Conn(ctx).Raw("SELECT claim_id, state, args_hash, lease_until, result FROM agent_idempotency WHERE scope_hash = ?", scope)
	err := database.ScanRow(query, &rec.ClaimID, &rec.State, &rec.ArgsHash, &rec.LeaseUntil, &rec.Result)
	if database.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read idempotency record: %w", err)
	}
	return &rec, nil
}

// insertClaim reports whether the key was free.
func (r *run) insertClaim(ctx context.Context, c *claim) (won bool, err error) {
	now := r.clock.Now()
	err = r.db.InTx(ctx, func(ctx context.Context) error {
		err := r.db.Conn(ctx).Exec("INSERT INTO agent_idempotency (scope_hash, hotel_id, tool, subject_id, request_id, claim_id, state, args_hash, lease_until, created_at) "+
			"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", c.scope, r.by.HotelID, r.call.Tool, r.by.SubjectID, r.call.Trace.RequestID,
			c.id, stateRunning, c.argsHash, r.leaseEnd(), database.At(now)).Error
		if won = err == nil; database.IsDuplicate(err) {
			return nil
		}
		return err
	})
	if err != nil {
		return false, fmt.Errorf("claim idempotency key: %w", err)
	}
	return won, nil
}

// takeOver moves a claim from one holder to c, and reports whether that one still held it.
func (r *run) takeOver(ctx context.Context, c *claim, from string) (won bool, err error) {
	err = r.db.InTx(ctx, func(ctx context.Context) error {
		res := r.db.Conn(ctx).Exec("UPDATE agent_idempotency SET claim_id = ?, args_hash = ?, request_id = ?, lease_until = ? WHERE scope_hash = ? AND claim_id = ? AND state = ?",
			c.id, c.argsHash, r.call.Trace.RequestID, r.leaseEnd(), c.scope, from, stateRunning)
		won = res.RowsAffected == 1
		return res.Error
	})
	if err != nil {
		return false, fmt.Errorf("take over idempotency key: %w", err)
	}
	return won, nil
}

// completeClaim stores the result, in the transaction of the work.
func (r *run) completeClaim(ctx context.Context, c *claim, result string, about Resource) error {
	res := r.db.Conn(ctx).Exec("UPDATE agent_idempotency SET state = ?, result = ?, resource_type = ?, resource_id = ?, completed_at = ? WHERE scope_hash = ? AND claim_id = ? AND state = ?",
		stateDone, result, about.Type, about.ID, database.At(r.clock.Now()), c.scope, c.id, stateRunning)
	if res.Error != nil {
		return fmt.Errorf("complete idempotency record: %w", res.Error)
	}
	if res.RowsAffected != 1 {
		return errLostClaim
	}
	return nil
}

// deleteClaim frees a key that is still ours and not completed.
func (r *run) deleteClaim(ctx context.Context, c *claim) error {
	return r.db.InTx(ctx, func(ctx context.Context) error {
		return r.db.Conn(ctx).Exec("DELETE FROM agent_idempotency WHERE scope_hash = ? AND claim_id = ? AND state = ?", c.scope, c.id, stateRunning).Error
	})
}

// ReleaseAbandoned frees the keys of calls that a dead process left running, for
// the start of a database's only process: their retries need not wait for the
// lease. It takes nothing from a call that lives after all: that call then cannot
// commit and its caller is told to retry.
func (e *Executor) ReleaseAbandoned(ctx context.Context) error {
	return e.db.InTx(ctx, func(ctx context.Context) error {
		return e.db.Conn(ctx).Exec("DELETE FROM agent_idempotency WHERE state = ?", stateRunning).Error
	})
}

func (r *run) leaseEnd() database.Time {
	return database.At(r.clock.Now().Add(r.entry.tool.Timeout + r.slotWait + leaseMargin))
}

// policyStore reads what every call and every list needs by prepared statements.
type policyStore struct {
	db       *database.DB
	one, all *database.Stmt
}

func newPolicyStore(db *database.DB) policyStore {
	return policyStore{db: db, one: db.Stmt(onePolicy), all: db.Stmt(allPolicies)}
}

const (
	onePolicy = "SELECT p.profile, w.enabled FROM (SELECT 1 AS x) AS one LEFT JOIN agent_policy p ON p.hotel_id = ? LEFT JOIN agent_tool_switch w ON w.hotel_id = ? AND w.tool = ?"
	// allPolicies has a row for the profile and one for each switch; either may be missing.
	allPolicies = "SELECT p.profile, w.tool, w.enabled FROM (SELECT 1 AS x) AS one LEFT JOIN agent_policy p ON p.hotel_id = ? LEFT JOIN agent_tool_switch w ON w.hotel_id = ?"
)

// readSwitch returns the hotel's profile and the tool's switch, each nil where unset.
func (s *policyStore) readSwitch(ctx context.Context, hotelID, tool string) (profile sql.NullString, enabled sql.NullBool, err error) {
	err = s.one.Each(ctx, func(r *sql.Rows) error { return r.Scan(&profile, &enabled) }, hotelID, hotelID, tool)
	if err != nil {
		err = fmt.Errorf("read tool policy: %w", err)
	}
	return profile, enabled, err
}

// readAll returns a hotel's profile, "" where unset, and its switches.
func (s *policyStore) readAll(ctx context.Context, hotelID string) (Policy, error) {
	p := Policy{Switches: map[string]bool{}}
	err := s.all.Each(ctx, func(r *sql.Rows) error {
		var profile, tool sql.NullString
		var on sql.NullBool
		err := r.Scan(&profile, &tool, &on)
		p.Profile = Profile(profile.String)
		if tool.Valid {
			p.Switches[tool.String] = on.Bool
		}
		return err
	}, hotelID, hotelID)
	if err != nil {
		return Policy{}, fmt.Errorf("read tool policies: %w", err)
	}
	return p, nil
}

func (s *policyStore) writeProfile(ctx context.Context, hotelID string, p Profile, by string, at database.Time) error {
	return s.upsert(ctx,
		statement{"UPDATE agent_policy SET profile = ?, updated_by = ?, updated_at = ? WHERE hotel_id = ?", []any{string(p), by, at, hotelID}},
		statement{"INSERT INTO agent_policy (profile, updated_by, updated_at, hotel_id) VALUES (?, ?, ?, ?)", []any{string(p), by, at, hotelID}})
}

func (s *policyStore) writeSwitch(ctx context.Context, hotelID, tool string, on bool, by string, at database.Time) error {
	return s.upsert(ctx,
		statement{"UPDATE agent_tool_switch SET enabled = ?, updated_by = ?, updated_at = ? WHERE hotel_id = ? AND tool = ?", []any{on, by, at, hotelID, tool}},
		statement{"INSERT INTO agent_tool_switch (enabled, updated_by, updated_at, hotel_id, tool) VALUES (?, ?, ?, ?, ?)", []any{on, by, at, hotelID, tool}})
}

type statement struct {
	query string
	args  []any
}

// upsert works alike on every engine. It runs in the caller's transaction.
func (s *policyStore) upsert(ctx context.Context, update, insert statement) error {
	res := s.db.Conn(ctx).Exec(update.query, update.args...)
	if res.Error != nil || res.RowsAffected > 0 {
		return res.Error
	}
	err := s.db.Conn(ctx).Exec(insert.query, insert.args...).Error
	if database.IsDuplicate(err) { // another was first
		return s.db.Conn(ctx).Exec(update.query, update.args...).Error
	}
	return err
}
