package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/gowebpki/jcs"

	"thhotel/internal/audit"
	"thhotel/internal/database"
	"thhotel/internal/fault"
)

// A claim is a committed row that says who is running a key. It is completed in
// the transaction of the work itself, by its claim id: whoever lost the claim,
// to a takeover after the lease, cannot commit the work either. So however
// processes die and clocks differ, one execution of a key commits.

// claim is a key that this call runs.
type claim struct {
	scope    string // digest of hotel, tool, subject and key
	id       string
	argsHash string
}

// The states of a key.
const (
	stateRunning = "RUNNING"
	stateDone    = "DONE"
)

const (
	// leaseMargin is added to the tool's timeout: after both, a claim is a dead process's.
	leaseMargin = 30 * time.Second
	claimTries  = 5
	minKey      = 8
	maxKey      = 200
)

// errLostClaim says that another call took the key over.
var errLostClaim = errors.New("agent: the claim was taken over")

// awaitKey is step 10: claimKey, and patience (as long as for a slot) while another
// call runs the key, so that two who send the same get the same answer instead of "in progress".
func (r *run) awaitKey(ctx context.Context) (*answer, error) {
	patience := r.clock.After(r.slotWait)
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 200*time.Millisecond) {
		stored, err := r.claimKey(ctx)
		if !errors.Is(err, errPending) {
			return stored, err
		}
		select {
		case <-patience:
			return nil, err
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-r.clock.After(pause):
		}
	}
}

// claimKey returns the stored result when the key is done, nil
// when this call now holds it, and a refusal otherwise.
func (r *run) claimKey(ctx context.Context) (*answer, error) {
	c, err := r.newClaim()
	if err != nil {
		return nil, err
	}
	for range claimTries {
		rec, err := r.findRecord(ctx, c.scope)
		if err != nil {
			return nil, err
		}
		won := false
		switch now := r.clock.Now(); {
		case rec == nil:
			won, err = r.insertClaim(ctx, c)
		case rec.State == stateRunning && (rec.ClaimID == c.id || rec.LeaseUntil.Before(now)):
			won, err = r.takeOver(ctx, c, rec.ClaimID)
		default:
			return judge(rec, c)
		}
		if err != nil && !errors.Is(err, database.ErrOutcomeUnknown) { // unknown: look again
			return nil, err
		}
		if won {
			r.claim = c
			return nil, nil
		}
	}
	return nil, errPending
}

// judge answers for a key that is done, or that a living call runs.
func judge(rec *recordRow, c *claim) (*answer, error) {
	switch {
	case rec.ArgsHash != c.argsHash:
		return nil, errOtherArguments
	case rec.State == stateDone && rec.Result != nil:
		return unpack(*rec.Result)
	}
	return nil, errPending
}

func (r *run) newClaim() (*claim, error) {
	key, err := r.key()
	if err != nil {
		return nil, err
	}
	args, err := canonical(r.call.Arguments)
	if err != nil {
		return nil, internal(err)
	}
	subject := r.by.SubjectID
	if r.entry.tool.KeyShared {
		subject = ""
	}
	return &claim{scope: hashed(r.by.HotelID, r.call.Tool, subject, key), id: r.clock.NewID(), argsHash: hashed(args)}, nil
}

func (r *run) key() (string, error) {
	find := r.entry.tool.Key
	if find == nil {
		find = keyArgument
	}
	key, err := find(r.call.Arguments)
	if err != nil {
		return "", invalidUnlessFault(err)
	}
	if key == "" {
		return "", errNoKey
	}
	return key, nil
}

// keyArgument is the default of Tool.Key.
func keyArgument(args json.RawMessage) (string, error) {
	raw := argument(args, "idempotency_key")
	if raw == nil {
		return "", nil
	}
	var key string
	if err := json.Unmarshal(raw, &key); err != nil {
		return "", invalidArguments("/idempotency_key", "string")
	}
	if n := utf8.RuneCountInString(key); n > 0 && (n < minKey || n > maxKey) {
		return "", errNoKey
	}
	return key, nil
}

// canonical is the same text for arguments that differ in order, spacing and the
// spelling of numbers alone (RFC 8785).
func canonical(args json.RawMessage) (string, error) {
	b, err := jcs.Transform(args)
	if err != nil {
		return "", fmt.Errorf("arguments: %w", err)
	}
	return string(b), nil
}

// hashed digests a list of texts; lengths keep ("ab","c") apart from ("a","bc").
func hashed(parts ...string) string {
	var b []byte
	for _, p := range parts {
		b = append(strconv.AppendInt(b, int64(len(p)), 10), ':')
		b = append(b, p...)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// complete is step 14; it joins the transaction of the work.
func (r *run) complete(ctx context.Context, a *answer) error {
	text, err := a.pack()
	if err != nil {
		return internal(err)
	}
	return r.completeClaim(ctx, r.claim, text, a.resource)
}

// happened settles a COMMIT that was never answered, by taking the claim over
// from itself: that succeeds only when the work did not commit, and makes sure
// that it no longer can.
func (r *run) happened(ctx context.Context) (bool, error) {
	again := *r.claim
	again.id = r.clock.NewID()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaseMargin/2)
	defer cancel()
	for range claimTries {
		renewed, err := r.takeOver(ctx, &again, r.claim.id)
		if err == nil && renewed {
			r.claim = &again
			return false, nil
		}
		rec, err := r.findRecord(ctx, again.scope)
		switch {
		case err != nil:
			continue // the database is not back yet
		case rec != nil && rec.State == stateDone && rec.ClaimID == r.claim.id:
			return true, nil
		case rec != nil && rec.ClaimID == again.id: // the takeover's own COMMIT went unanswered
			r.claim = &again
			return false, nil
		case rec == nil || rec.ClaimID != r.claim.id:
			return false, errLostClaim
		}
	}
	r.claim = nil // nobody knows; the lease decides
	return false, errPending
}

// superseded ends a call whose claim was taken over while it ran: the other
// call's result is the answer, once there is one.
func (r *run) superseded(ctx context.Context) Outcome {
	ctx, c := context.WithoutCancel(ctx), r.claim
	r.claim = nil
	rec, err := r.findRecord(ctx, c.scope)
	if err != nil {
		return r.refuse(ctx, audit.Failed, err)
	}
	if rec == nil {
		return r.refuse(ctx, audit.Failed, errPending)
	}
	a, err := judge(rec, c)
	if err != nil {
		return r.refuse(ctx, audit.Failed, err)
	}
	return r.replay(ctx, a)
}

// replay answers with the stored result.
func (r *run) replay(ctx context.Context, a *answer) Outcome {
	if rewrite := r.entry.tool.Replayed; rewrite != nil {
		data, err := rewrite(a.data)
		if err != nil {
			return r.refuse(ctx, audit.Failed, internal(err))
		}
		a.data = data
	}
	if more := r.entry.tool.ReplayWarnings; more != nil {
		added, err := more(ctx, r.by, a.data)
		if err != nil {
			return r.refuse(ctx, audit.Failed, explain(ctx, ctx, err))
		}
		a.warnings = append(a.warnings, added...)
	}
	if err := r.wrap(a); err != nil {
		return r.refuse(ctx, audit.Failed, err)
	}
	if err := r.auditOutcome(context.WithoutCancel(ctx), audit.Replayed, a); err != nil {
		return r.withhold(fault.As(err))
	}
	out := r.success(a)
	out.Replayed = true
	return out
}

// release gives the key back after a call that came to nothing, so that a retry
// runs at once. If that fails, the lease frees it later.
func (r *run) release(ctx context.Context) {
	if r.claim == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if err := r.deleteClaim(ctx, r.claim); err != nil {
		r.complain("idempotency claim not released", err)
	}
	r.claim = nil
}
