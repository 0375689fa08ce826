package inbox

import (
	"context"
	"fmt"

	"thhotel/internal/access"
)

// One mail may come twice: through the bus and as a file, or through two
// mailboxes of the bus. Each has an id that somebody knows it by, so both are
// kept, and both say so.

// markCopies flags a new message and those that have its Message-ID. Files with
// one Message-ID among themselves are apart.go's affair. It reports whether there are any.
func (s *Service) markCopies(ctx context.Context, at place, id, header string) (marked bool, err error) {
	rows, err := s.store.copies(ctx, at.hotel, id, header)
	if err != nil {
		return false, err
	}
	for _, row := range rows {
		if row.Provider == ImportProvider && at.provider == ImportProvider {
			continue
		}
		marked = true
		if err := s.addFlag(ctx, row, FlagCopy); err != nil {
			return false, err
		}
	}
	if !marked {
		return false, nil
	}
	row, err := s.store.get(ctx, at.hotel, id)
	if err != nil {
		return false, err
	}
	return true, s.addFlag(ctx, row, FlagCopy)
}

func (s *Service) addFlag(ctx context.Context, row messageRow, flag string) error {
	if err := s.store.setFlags(ctx, row.HotelID, row.ID, sorted(append(row.flagList(), flag))); err != nil {
		return fmt.Errorf("flag message: %w", err)
	}
	return nil
}

// Copies lists the other messages with the same Message-ID, oldest first.
func (s *Service) Copies(ctx context.Context, by access.Caller, id string) ([]Message, error) {
	if err := by.Require(access.ConversationRead); err != nil {
		return nil, err
	}
	row, err := s.store.get(ctx, by.HotelID, id)
	if err != nil {
		return nil, err
	}
	rows, err := s.store.copies(ctx, by.HotelID, id, row.HeaderMessageID)
	if err != nil {
		return nil, err
	}
	return s.messages(ctx, rows)
}
