package blob

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"
)

// sweptDir holds what a sweep has taken away and not yet deleted.
const sweptDir = "swept"

// sweepBatch is how many keys are asked about at a time.
const sweepBatch = 200

// Swept counts what a sweep looked at, deleted and put back.
type Swept struct {
	Seen     int   `json:"seen"`
	Removed  int   `json:"removed"`
	Bytes    int64 `json:"bytes"`
	Restored int   `json:"restored"`
}

// Used says which of these keys something still refers to.
type Used func(ctx context.Context, keys []string) (map[string]bool, error)

// Sweep deletes blobs stored before a moment that nothing refers to. It is safe
// beside Put, whoever runs it: a blob is first moved aside, then judged again by
// its age and by used, and put back where either has changed. A Put after the
// move makes a new file that the sweep does not know. What a killed sweep left
// aside, the next one judges first.
func (s *Store) Sweep(ctx context.Context, before time.Time, used Used) (Swept, error) {
	var out Swept
	if err := s.mkdir(sweptDir); err != nil {
		return out, fmt.Errorf("sweep: %w", err)
	}
	if err := s.settle(ctx, before, used, &out); err != nil {
		return out, err
	}
	err := s.each(ctx, func(keys []string) error {
		out.Seen += len(keys)
		for part := range slices.Chunk(s.older(keys, before), sweepBatch) {
			if err := s.aside(ctx, part, used); err != nil {
				return err
			}
		}
		return s.settle(ctx, before, used, &out)
	})
	return out, err
}

// each hands on the keys of one folder at a time.
func (s *Store) each(ctx context.Context, fn func(keys []string) error) error {
	for i := range 256 {
		if err := ctx.Err(); err != nil {
			return err
		}
		entries, err := fs.ReadDir(s.root.FS(), fmt.Sprintf("%02x", i))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("sweep: %w", err)
		}
		var keys []string
		for _, e := range entries {
			if valid(e.Name()) {
				keys = append(keys, e.Name())
			}
		}
		if err := fn(keys); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) older(keys []string, before time.Time) []string {
	return slices.DeleteFunc(keys, func(k string) bool {
		info, err := s.root.Stat(path(k))
		return err != nil || !info.ModTime().Before(before)
	})
}

// aside moves what nothing refers to.
func (s *Store) aside(ctx context.Context, keys []string, used Used) error {
	kept, err := used(ctx, keys)
	if err != nil {
		return fmt.Errorf("sweep: %w", err)
	}
	for _, k := range keys {
		if kept[k] {
			continue
		}
		if err := s.root.Rename(path(k), sweptDir+"/"+k); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("sweep: %w", err)
		}
	}
	return nil
}

// settle judges what lies aside: back with what is young or referred to after
// all, away with the rest.
func (s *Store) settle(ctx context.Context, before time.Time, used Used, out *Swept) error {
	entries, err := fs.ReadDir(s.root.FS(), sweptDir)
	if err != nil {
		return fmt.Errorf("sweep: %w", err)
	}
	for part := range slices.Chunk(entries, sweepBatch) {
		keys := make([]string, 0, len(part))
		for _, e := range part {
			keys = append(keys, e.Name())
		}
		kept, err := used(ctx, keys)
		if err != nil {
			return fmt.Errorf("sweep: %w", err)
		}
		for _, k := range keys {
			if err := s.decide(k, kept[k], before, out); err != nil {
				return fmt.Errorf("sweep: %w", err)
			}
		}
	}
	return nil
}

func (s *Store) decide(key string, kept bool, before time.Time, out *Swept) error {
	name := sweptDir + "/" + key
	info, err := s.root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist): // another sweep was faster
		return nil
	case err != nil:
		return err
	case valid(key) && (kept || !info.ModTime().Before(before)):
		out.Restored++
		if err := s.root.Rename(name, path(key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return s.syncDir(folder(key))
	}
	if err := s.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	out.Removed, out.Bytes = out.Removed+1, out.Bytes+info.Size()
	return nil
}
