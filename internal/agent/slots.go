package agent

import (
	"context"
	"errors"

	"thhotel/internal/fault"
)

// takeSlot is step 11: it waits a little for one of the tool's slots.
func (r *run) takeSlot(ctx context.Context) (leave func(), err error) {
	slots := r.entry.slots
	leave = func() { <-slots }
	select {
	case slots <- struct{}{}:
		return leave, nil
	default:
	}
	select {
	case slots <- struct{}{}:
		return leave, nil
	case <-r.clock.After(r.slotWait):
		return nil, errBusy
	case <-ctx.Done():
		return nil, ended(ctx)
	}
}

// ended is why a context ended, as a refusal.
func ended(ctx context.Context) *fault.Error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return errCanceled.Because(ctx.Err())
	}
	return errTimeout.Because(ctx.Err())
}

// explain turns the error of a run that may have outlived its time into the
// refusal the caller sees. A refusal of the handler's own stands, unless the
// ended context is what caused it.
func explain(outer, limited context.Context, err error) *fault.Error {
	var f *fault.Error
	own := errors.As(err, &f) && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
	switch {
	case own && f.Code != CodeInternal:
		return f
	case outer.Err() != nil:
		return ended(outer).Because(err)
	case limited.Err() != nil:
		return errTimeout.Because(err)
	}
	return fault.As(err)
}
