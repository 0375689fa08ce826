package inbox

import (
	"context"

	"thhotel/internal/access"
)

// Files come from many mailboxes and years, and programs that repeat a
// Message-ID are in them. A bus that does so is wrong and can be told; a file
// can not be sent again under another id, and none may be lost.

// keepApart stores a file whose id another mail has already under an id made of
// that one and its own content, so that importing it again finds it there.
func (s *Service) keepApart(ctx context.Context, by access.Caller, p DeliverParams, same, format string, read func() reading) (kept, error) {
	p.ExternalMessageID = apartID(p.ExternalMessageID, same)
	return s.keepAs(ctx, by, p, same, format, func() reading {
		r := read()
		r.flags = sorted(append(r.flags, FlagIDReused))
		return r
	})
}

// apartID is "<id>#sha256:<16 hexadecimal digits>", and the digest alone where
// that would be longer than ids may be.
func apartID(id, same string) string {
	if apart := id + "#sha256:" + same[:16]; len(apart) <= maxID {
		return apart
	}
	return "sha256:" + same
}
