package inbox

import (
	"context"
	"errors"
	"slices"
)

// errContended is as good as impossible: it takes rivals at every attempt.
var errContended = errors.New("inbox: the thread kept changing while a message joined it; deliver it again")

// join finds the conversation a message belongs to and records what the message
// teaches about its thread. Subjects are never looked at: anybody can write one.
//
// A thread is everything that In-Reply-To and References connect, whether or not
// each mail of it is here. It is named by its root's Message-ID; a mail that
// arrives late and brings an older ancestor renames it. A conversation that the
// source named keeps its name and takes in what is connected to it.
func (s *Service) join(ctx context.Context, p place, r reading, own, given string) (string, error) {
	own = bracketed(own)
	chain := lineage(r, own)
	ids := append(slices.Clone(chain), own)
	for range 5 {
		known, err := s.store.threads(ctx, p, ids)
		if err != nil {
			return "", err
		}
		target, fixed := given, given != ""
		if !fixed {
			target, fixed = choose(own, chain, known)
		}
		if err := s.gather(ctx, p, known, target, fixed); err != nil {
			return "", err
		}
		unknown := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, ok := known[id]; return ok })
		done, err := s.store.learn(ctx, p, unknown, target, fixed)
		if err != nil || done {
			return target, err
		}
	}
	return "", errContended
}

// lineage lists a message's ancestors, oldest first.
func lineage(r reading, own string) []string {
	var chain []string
	for _, id := range append(slices.Clone(r.references), r.inReplyTo) {
		if id = bracketed(id); id != "" && id != own && !slices.Contains(chain, id) {
			chain = append(chain, id)
		}
	}
	return chain
}

// choose names the conversation of a message to which the source gave none.
func choose(own string, chain []string, known map[string]threadRow) (conversation string, fixed bool) {
	nearest := append(slices.Clone(chain), own)
	slices.Reverse(nearest)
	for _, id := range nearest {
		if row, ok := known[id]; ok && row.Given {
			return row.ConversationID, true
		}
	}
	root := own
	if len(chain) > 0 {
		root = chain[0]
	}
	if row, ok := known[root]; ok {
		return row.ConversationID, false
	}
	for _, id := range nearest {
		row, ok := known[id]
		if ok && row.ConversationID != own && !slices.Contains(chain, row.ConversationID) {
			return row.ConversationID, false // its root is older than what this message knows
		}
	}
	return root, false
}

// gather moves the conversations that turned out to be this one.
func (s *Service) gather(ctx context.Context, p place, known map[string]threadRow, target string, fixed bool) error {
	var moved []string
	for _, row := range known {
		if !row.Given && row.ConversationID != target && !slices.Contains(moved, row.ConversationID) {
			moved = append(moved, row.ConversationID)
		}
	}
	slices.Sort(moved)
	for _, from := range moved {
		if err := s.store.rename(ctx, p, from, target, fixed); err != nil {
			return err
		}
	}
	return nil
}

// judge brings the sender flags of a conversation up to date after a message joined.
func (s *Service) judge(ctx context.Context, p place, conversation, newest string) error {
	voices, err := s.store.voices(ctx, p, conversation)
	if err != nil {
		return err
	}
	changed := judgeSenders(voices)
	for id, flags := range changed {
		if len(voices) == maxVoices && id != newest {
			continue // the beginning is out of sight: what was judged with it stands
		}
		if err := s.store.setFlags(ctx, p.hotel, id, flags); err != nil {
			return err
		}
	}
	return nil
}
