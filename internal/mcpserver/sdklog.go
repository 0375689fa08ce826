package mcpserver

import (
	"context"
	"log/slog"
)

// atLeast drops records below a level.
type atLeast struct {
	slog.Handler
	level slog.Level
}

// Enabled reports whether the level is high enough for both.
func (h atLeast) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= h.level && h.Handler.Enabled(ctx, l)
}

// WithAttrs keeps the limit.
func (h atLeast) WithAttrs(a []slog.Attr) slog.Handler {
	return atLeast{h.Handler.WithAttrs(a), h.level}
}

// WithGroup keeps the limit.
func (h atLeast) WithGroup(name string) slog.Handler {
	return atLeast{h.Handler.WithGroup(name), h.level}
}
