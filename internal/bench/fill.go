package bench

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"thhotel/internal/app"
	"thhotel/internal/database"
)

// filler copies the patterns to the sizes asked for.
type filler struct {
	o      Options
	p      patterns
	in     inserter
	newID  func() string
	orders []string // the id of each order
	cards  []string // the id of each card
	from   time.Time
}

// ages of orders and cards: hotels keep some years of the one and work on some
// weeks of the other.
const (
	orderAge = 400 * 24 * time.Hour
	cardAge  = 30 * 24 * time.Hour
)

// fill writes the copies and lets the engine look at what it has.
func fill(ctx context.Context, o Options, a *app.App, p patterns) (*filler, error) {
	f := &filler{o: o, p: p, in: inserter{db: a.DB.Writer()}, newID: a.Clock.NewID, from: a.Clock.Now().Add(-orderAge)}
	defer f.in.abandon()
	began := o.Clock.Now()
	for _, part := range []struct {
		what string
		n    int
		one  func(context.Context, int) error
	}{{"orders", o.Orders, f.order}, {"mails", o.Messages, f.mail}} {
		for i := range part.n {
			if err := part.one(ctx, i); err != nil {
				return nil, err
			}
			if i > 0 && i%100_000 == 0 {
				fmt.Fprintf(o.Log, "loaded %d %s, %s\n", i, part.what, o.Clock.Since(began).Round(time.Second))
			}
		}
		if err := f.in.commit(ctx); err != nil {
			return nil, err
		}
	}
	fmt.Fprintf(o.Log, "loaded %d orders, %d mails, %d cards in %s\n", o.Orders, o.Messages, o.Cards, o.Clock.Since(began).Round(time.Second))
	return f, analyse(ctx, a)
}

// analyse is what an operator's database does by itself over time.
func analyse(ctx context.Context, a *app.App) error {
	commands := []string{"PRAGMA wal_checkpoint(TRUNCATE)"}
	if a.DB.Driver == database.MySQL {
		commands = []string{"ANALYZE TABLE order_record, order_room_line, order_card, platform_source_message_inbox"}
	}
	for _, c := range commands {
		if err := drain(ctx, a.DB.Writer(), c); err != nil {
			return fmt.Errorf("%s: %w", c, err)
		}
	}
	return nil
}

// drain runs a command that answers with rows nobody needs.
func drain(ctx context.Context, db *sql.DB, command string) error {
	rows, err := db.QueryContext(ctx, command)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		continue // until it is done
	}
	return rows.Err()
}

func (f *filler) order(ctx context.Context, i int) error {
	rows := f.p.single
	if isGroup(i) {
		rows = f.p.group
	}
	v := f.about(i)
	for _, id := range ids(rows) {
		v[id] = f.newID()
	}
	f.orders = append(f.orders, v[ids(rows)[0]])
	return f.in.add(ctx, rows, v, age(i, f.o.Orders, orderAge))
}

// about is what every row that speaks of order i has in common.
func (f *filler) about(i int) values {
	v := values{}
	v.set(markConfirmation, confirmation(i, f.o.Orders))
	v.set(markReservation, reservation(i, f.o.Orders))
	v.set(markGroupCode, fmt.Sprintf("GRP%07d", i))
	v.set(markReference, fmt.Sprintf("REF%07d", i))
	v.set(markGuest, guestName(i))
	v.set(markGroup, families[i%len(families)]+" Tour "+fmt.Sprint(i))
	in, out := stay(i, f.from)
	v.set(markArrival, in)
	v.set(markDeparture, out)
	return v
}

// mail copies a mail, with its card while there are some to make.
func (f *filler) mail(ctx context.Context, j int) error {
	k := j % len(f.p.mails)
	target := orderOf(j, f.o.Orders)
	v := f.about(target)
	v[ids(f.p.single)[0]] = f.orders[target]
	external := externalID(j)
	v.setHashed(markMail+fmt.Sprint(k), external)
	v.setHashed(markConversation+fmt.Sprint(k), conversationID(j))
	v[digest(mailHeaderID(markMail+fmt.Sprint(k)))] = digest(mailHeaderID(external))
	rows := f.p.mails[k]
	if j < f.o.Cards {
		rows = append(rows[:len(rows):len(rows)], f.p.cards[k]...)
	}
	for _, id := range ids(rows) {
		v[id] = f.newID()
	}
	if j < f.o.Cards {
		f.cards = append(f.cards, v[f.cardID(k)])
	}
	for _, t := range f.p.cards[k][:1] { // a digest of its own for each package
		for i, c := range t.columns {
			if sum, ok := t.cells[i].value.(string); ok && c == "package_sha256" {
				v[sum] = digest("package " + external)
			}
		}
	}
	return f.in.add(ctx, rows, v, age(j, f.o.Messages, cardAge))
}

// cardID is the id of template card k: its row is the last of its package.
func (f *filler) cardID(k int) string {
	rows := f.p.cards[k]
	return ids(rows[len(rows)-1:])[0]
}
