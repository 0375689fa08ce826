package order

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"thhotel/internal/access"
	"thhotel/internal/database"
)

// Search finds text in the folded search_text of cards and orders. A scan of a
// hundred thousand of them takes a second, so an index of words narrows it to the
// few that can match; search_text itself decides. The index follows changes at
// some distance, in the background: no write waits for it, a restored or upgraded
// database fills it by itself, and what it has not reached is scanned, which is
// the work of the last minutes.
//
// A search matches where a word begins: any character of a script that sets no
// spaces (Chinese, Japanese, Thai); of a key also its digits and its last six and
// four characters, which is what people read out.

// searchKind tells the two tables apart.
type searchKind string

const (
	searchCards  searchKind = "C"
	searchOrders searchKind = "O"
)

const (
	longestToken  = 24  // characters of a word
	longestDense  = 8   // of what follows a character of a script without spaces
	mostTokens    = 200 // of one text
	indexBatch    = 400 // rows in one transaction
	searchCap     = 1000
	indexDistance = 2 * time.Minute // longer than any transaction stays open
)

// IndexSearch brings the index up to what changed some minutes ago, at most one
// batch of each kind. It returns how many rows it took in; 0 when it is there.
func (s *Service) IndexSearch(ctx context.Context, by access.Caller) (int, error) {
	if err := by.Require(access.HotelAdmin); err != nil {
		return 0, err
	}
	in, err := s.home(ctx, by)
	if err != nil {
		return 0, err
	}
	total := 0
	for _, kind := range []searchKind{searchCards, searchOrders} {
		n, err := s.store.indexSome(ctx, kind, in.hotel.ID, database.At(s.clock.Now().Add(-indexDistance)))
		if err != nil {
			return total, err
		}
		total += n
	}
	return total, nil
}

// tokens are the beginnings from which a text can be found.
func tokens(text string) []string {
	var out []string
	add := func(t string) {
		if len(out) < mostTokens && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	for _, w := range searchWords(text) {
		switch {
		case w.dense:
			for i := range w.runes {
				add(head(w.runes[i:], longestDense))
			}
		default:
			add(head(w.runes, longestToken))
			for _, i := range restsOf(w.runes) {
				add(head(w.runes[i:], longestToken))
			}
		}
	}
	return out
}

// restsOf are the places inside a word from which a key is known too: where its
// digits begin, and its ends. A word without digits has none.
func restsOf(runes []rune) []int {
	first := slices.IndexFunc(runes, unicode.IsDigit)
	if first < 0 {
		return nil
	}
	var out []int
	for _, i := range []int{first, len(runes) - 6, len(runes) - 4} {
		if i > 0 && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

// beginnings are what to look up for a search: any of them narrows it.
func beginnings(text string) []string {
	var out []string
	for _, w := range searchWords(text) {
		longest := longestToken
		if w.dense {
			longest = longestDense
		}
		if t := head(w.runes, longest); !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

type word struct {
	runes []rune
	dense bool // of a script without spaces between words
}

// searchWords splits folded text at everything that is no letter, digit or mark, and
// where a script without spaces begins or ends.
func searchWords(text string) []word {
	var out []word
	open := false
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			open = false
			continue
		}
		dense := isDense(r)
		if !open || out[len(out)-1].dense != dense {
			out = append(out, word{dense: dense})
		}
		last := &out[len(out)-1]
		last.runes, open = append(last.runes, r), true
	}
	return out
}

func isDense(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func head(runes []rune, n int) string { return string(runes[:min(n, len(runes))]) }

// after is the first text behind every one that begins with prefix.
func after(prefix string) string { return prefix + string(unicode.MaxRune) }

// narrowing is what a search is narrowed to: ids, or nothing where so many match
// that reading on in order until a page is full is the shorter way.
type narrowing struct {
	ids  []string
	only bool
}

// narrow finds the rows that can match text.
func (s store) narrow(ctx context.Context, kind searchKind, hotelID, text string) (narrowing, error) {
	text = fold(strings.TrimSpace(text))
	best, fewest := "", searchCap+1
	for _, b := range beginnings(text) {
		n, err := s.countToken(ctx, kind, b, fewest)
		if err != nil {
			return narrowing{}, err
		}
		if n < fewest {
			best, fewest = b, n
		}
	}
	if best == "" {
		return narrowing{}, nil
	}
	found, err := s.tokenRows(ctx, kind, best)
	if err != nil {
		return narrowing{}, err
	}
	fresh, err := s.notIndexed(ctx, kind, hotelID, text)
	if err != nil || len(fresh) > searchCap {
		return narrowing{}, err
	}
	return narrowing{ids: append(found, fresh...), only: true}, nil
}
