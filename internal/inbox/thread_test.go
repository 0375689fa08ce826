package inbox_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"thhotel/internal/inbox"
	"thhotel/internal/testkit"
)

// permutations calls f with every order of n things.
func permutations(n int, f func(order []int)) {
	var visit func(rest, order []int)
	visit = func(rest, order []int) {
		if len(rest) == 0 {
			f(order)
		}
		for i := range rest {
			visit(slices.Delete(slices.Clone(rest), i, i+1), append(slices.Clone(order), rest[i]))
		}
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	visit(all, nil)
}

// One thread is one conversation named by its root, in whatever order its mails
// arrive; a mail of the same subject without references stays out.
func TestThreadInEveryOrder(t *testing.T) {
	db := testkit.DB(t)
	mails := []struct{ id, refs, reply string }{
		{"<root@a.example>", "", ""},
		{"<b@a.example>", "<root@a.example>", "<root@a.example>"},
		{"<d@a.example>", "<root@a.example> <b@a.example> <missing@h.example>", "<missing@h.example>"},
		{"<e@a.example>", "", "<d@a.example>"}, // a client that writes no References
	}
	run := 0
	permutations(len(mails), func(order []int) {
		run++
		w := newWorld(t, db)
		channel := fmt.Sprintf("RUN%d", run) // channels are worlds apart, and cheaper than databases
		for n, i := range order {
			m := mails[i]
			var more []string
			if m.refs != "" {
				more = append(more, "References: "+m.refs)
			}
			if m.reply != "" {
				more = append(more, "In-Reply-To: "+m.reply)
			}
			w.deliver(t, inbox.DeliverParams{Provider: "IMPORT", Channel: channel, ExternalMessageID: m.id, ReceivedAt: testkit.Now.Add(time.Duration(n) * time.Minute),
				Raw: mailing(m.id, "a@a.example", "RE: group request", more...)})
		}
		w.deliver(t, inbox.DeliverParams{Provider: "IMPORT", Channel: channel, ExternalMessageID: "alone", Raw: mailing("<alone@a.example>", "a@a.example", "RE: group request")})
		for _, key := range []string{"<root@a.example>", "<d@a.example>", "<missing@h.example>"} {
			c, err := w.Conversation(ctx, robot, inbox.ConversationParams{Provider: "IMPORT", Channel: channel, ConversationID: key})
			if err != nil || c.Total != 4 || c.ConversationID != "<root@a.example>" {
				t.Fatalf("order %v: asked for %s, got %s of %d, %v; want <root@a.example> of 4", order, key, c.ConversationID, c.Total, err)
			}
		}
	})
}

func TestThreadRules(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		at := testkit.Now
		put := func(ext, conv, id string, more ...string) {
			w.deliver(t, inbox.DeliverParams{ExternalMessageID: ext, ExternalConversationID: conv, ReceivedAt: at, Raw: mailing(id, "a@a.example", "Same subject", more...)})
		}
		put("1", "conv-1", "<1@a.example>")
		put("2", "", "<2@a.example>", "In-Reply-To: <1@a.example>")                                                                            // joins the bus's conversation
		put("3", "conv-2", "<3@a.example>", "In-Reply-To: <1@a.example>")                                                                      // the bus's word wins
		put("4", "", "<4@a.example>")                                                                                                          // subject alone joins nothing
		put("5", "", "")                                                                                                                       // nor does a mail without any id
		put("6", "", "<6@a.example>", "References: <gone@a.example>", "In-Reply-To: <gone@a.example>")                                         // root missing
		put("7", "", "<7@a.example>", "References: <gone@a.example> <6@a.example>")                                                            //
		put("8", "", "<8@a.example>", "References: <8@a.example>", "In-Reply-To: <8@a.example>")                                               // answers itself
		put("9", "", "<9@a.example>", "References: "+strings.Repeat("<x@a.example> ", 3)+manyReferences(200), "In-Reply-To: <r199@a.example>") // a very long thread
		want := map[string]string{"1": "conv-1", "2": "conv-1", "3": "conv-2", "4": "<4@a.example>", "5": "5", "6": "<gone@a.example>", "7": "<gone@a.example>", "8": "<8@a.example>", "9": "<x@a.example>"}
		for ext, conv := range want {
			m, err := w.Locate(ctx, robot, ext)
			if err != nil || m.ConversationID != conv {
				t.Errorf("message %s is in %q, %v; want %q", ext, m.ConversationID, err, conv)
			}
		}
		// The bus names the conversation only later: what was connected follows.
		put("10", "", "<10@a.example>", "In-Reply-To: <late@a.example>")
		put("11", "conv-late", "<late@a.example>")
		if m, _ := w.Locate(ctx, robot, "10"); m.ConversationID != "conv-late" {
			t.Errorf("the reply stays in %q, want conv-late", m.ConversationID)
		}
	})
}

func manyReferences(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "\r\n <r%d@a.example>", i)
	}
	return b.String()
}

func TestSenderFlags(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		for i, c := range []struct{ from, want string }{
			{"priya@siamlink.example", ""},
			{"ops@mail.siamlink.example", ""}, // the same organisation
			{"groups@thhotel.example", ""},    // was written to before
			{"priya@siam1ink.example", "NEW LOOKALIKE"},
			{"priya@siam1ink.example", "NEW LOOKALIKE"}, // an imitation never becomes known
			{"priya@siamlimk.example", "NEW LOOKALIKE"},
			{"priya@siаmlink.example", "NEW LOOKALIKE"},        // Cyrillic a
			{"priya@xn--simlink-3fg.example", "NEW LOOKALIKE"}, // the same in ASCII
			{"priya@siarnlink.example", "NEW LOOKALIKE"},
			{"priya@siamlnik.example", "NEW LOOKALIKE"},
			{"res@thh0tel.example", "NEW LOOKALIKE"},
			{"tom@coach.example", "NEW"},
			{"ann@coach.example", ""},
			{"priya@siamlink.example", ""},
			{"", ""},
		} {
			id := fmt.Sprintf("<%d@x.example>", i)
			at := testkit.Now.Add(time.Duration(i) * time.Minute)
			id = w.deliver(t, inbox.DeliverParams{ExternalMessageID: id, ExternalConversationID: "c", ReceivedAt: at, Raw: mailing(id, c.from, "x")})
			f, err := w.Facts(ctx, robot, id)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if f.SenderDomainNew {
				got = "NEW "
			}
			if f.SenderLookAlike {
				got += "LOOKALIKE"
			}
			if got = strings.TrimSpace(got); got != c.want {
				t.Errorf("mail %d from %s: %q, want %q", i, c.from, got, c.want)
			}
		}
	})
}

func TestSenderFlagsFollowReceiptNotArrival(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	late := w.bring(t, "<2@a.example>", "x@bbbbbb.example", "x", testkit.Now.Add(time.Hour), "In-Reply-To: <1@a.example>")
	early := w.bring(t, "<1@a.example>", "x@aaaaaa.example", "x", testkit.Now)
	for id, want := range map[string]bool{late: true, early: false} {
		if f, err := w.Facts(ctx, robot, id); err != nil || f.SenderDomainNew != want {
			t.Errorf("%s is new: %v %v, want %v", f.SenderEmail, f.SenderDomainNew, err, want)
		}
	}
}
