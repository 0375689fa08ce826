package agent

import "context"

type progressKey struct{}

// Progress tells the caller how far a handler has come: done of total (0 when
// nobody knows), and a sentence in the caller's language, never a guest's words.
// done must grow; what does not grow is not passed on, nor is anything to a
// caller who did not ask. It never blocks and never fails.
func Progress(ctx context.Context, done, total float64, message string) {
	if tell, ok := ctx.Value(progressKey{}).(func(done, total float64, message string)); ok {
		tell(done, total, message)
	}
}

// WithProgress gives a call to a door that can pass progress on. tell must
// return at once: a handler may hold a transaction open.
func WithProgress(ctx context.Context, tell func(done, total float64, message string)) context.Context {
	return context.WithValue(ctx, progressKey{}, tell)
}
