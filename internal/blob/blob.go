// Package blob stores and streams bytes under the name of their SHA-256, in one
// folder of this machine. What is stored is whole and durable or not there at
// all, and what is read back is checked against its name. The package refuses to
// know what the bytes mean, who owns them and who may read them.
package blob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"time"

	"thhotel/internal/clock"
)

// The errors a caller may want to tell apart.
var (
	ErrMissing  = errors.New("blob: nothing is stored under this key")
	ErrCorrupt  = errors.New("blob: the stored bytes do not match their SHA-256")
	ErrKey      = errors.New("blob: a key is a SHA-256 in 64 lower-case hexadecimal digits")
	ErrMismatch = errors.New("blob: the bytes do not have the SHA-256 they were announced with")
)

const (
	tempDir  = "tmp"
	dirMode  = 0o700
	fileMode = 0o600
	// staleAfter is the age at which a temporary file belongs to a process that died.
	staleAfter = 24 * time.Hour
)

// Store is a folder of blobs. It is safe for concurrent use, also by several
// processes on one file system.
type Store struct {
	root  *os.Root
	clock clock.Clock
}

// Open opens the store in dir and makes the folder where it is missing. No name
// in it can lead outside dir, whatever links somebody places there.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return nil, fmt.Errorf("blob store: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("blob store: %w", err)
	}
	s := &Store{root: root, clock: clock.Real()}
	if err := s.prepare(); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return s, nil
}

func (s *Store) prepare() error {
	if err := s.mkdir(tempDir); err != nil {
		return fmt.Errorf("blob store: %w", err)
	}
	left, err := fs.ReadDir(s.root.FS(), tempDir)
	if err != nil {
		return fmt.Errorf("blob store: %w", err)
	}
	for _, entry := range left {
		if info, err := entry.Info(); err == nil && s.clock.Since(info.ModTime()) > staleAfter {
			_ = s.root.Remove(tempDir + "/" + entry.Name())
		}
	}
	return nil
}

// Close releases the folder.
func (s *Store) Close() error { return s.root.Close() }

// Key is the key of the given bytes.
func Key(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Put stores what r yields and returns its size and its key. A key that is
// given must be the SHA-256 of the bytes, else nothing is stored; "" stands for
// "not known yet". When Put returns the bytes survive a power cut.
func (s *Store) Put(ctx context.Context, key string, r io.Reader) (size int64, sha256hex string, err error) {
	if key != "" && !valid(key) {
		return 0, "", ErrKey
	}
	temp := tempDir + "/" + s.clock.NewID()
	size, sum, err := s.writeTemp(ctx, temp, r)
	if err == nil && key != "" && key != sum {
		err = ErrMismatch
	}
	if err == nil {
		err = s.publish(temp, sum)
	}
	if err != nil {
		_ = s.root.Remove(temp)
		return 0, "", fmt.Errorf("store blob: %w", err)
	}
	return size, sum, nil
}

func (s *Store) writeTemp(ctx context.Context, name string, r io.Reader) (int64, string, error) {
	f, err := s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return 0, "", err
	}
	sum := sha256.New()
	size, err := io.Copy(io.MultiWriter(f, sum), &stoppable{ctx: ctx, from: r})
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return 0, "", err
	}
	return size, hex.EncodeToString(sum.Sum(nil)), nil
}

// publish gives the finished file its name. An older file of that name is
// replaced, not kept: if the disk damaged it, storing the bytes again repairs it.
func (s *Store) publish(temp, key string) error {
	if err := s.mkdir(folder(key)); err != nil {
		return err
	}
	if err := s.root.Rename(temp, path(key)); err != nil {
		return err
	}
	return s.syncDir(folder(key))
}

// mkdir makes a folder whose own entry is durable too.
func (s *Store) mkdir(name string) error {
	if err := s.root.Mkdir(name, dirMode); errors.Is(err, fs.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	return s.syncDir(".")
}

func (s *Store) syncDir(name string) error {
	d, err := s.root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Open streams a blob. The reader's last Read returns ErrCorrupt instead of
// io.EOF when the bytes do not match the key; a caller who needs certainty
// before the first byte reads to the end first.
func (s *Store) Open(ctx context.Context, key string) (io.ReadCloser, error) {
	if !valid(key) {
		return nil, ErrKey
	}
	f, err := s.root.Open(path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", ErrMissing, key)
	}
	if err != nil {
		return nil, fmt.Errorf("open blob: %w", err)
	}
	return &checked{file: f, from: &stoppable{ctx: ctx, from: f}, sum: sha256.New(), key: key}, nil
}

// checked hashes what passes through and judges it at the end.
type checked struct {
	file *os.File
	from io.Reader
	sum  hash.Hash
	key  string
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	_, _ = c.sum.Write(p[:n]) // a hash never fails
	if errors.Is(err, io.EOF) && hex.EncodeToString(c.sum.Sum(nil)) != c.key {
		return n, fmt.Errorf("%w: %s", ErrCorrupt, c.key)
	}
	return n, err
}

func (c *checked) Close() error { return c.file.Close() }

// stoppable ends a long copy when its request ends.
type stoppable struct {
	ctx  context.Context //nolint:containedctx // lives as long as the one copy it stops
	from io.Reader
}

func (s *stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.from.Read(p)
}

// path spreads blobs over 256 folders, so that none grows too long to list.
func path(key string) string { return folder(key) + "/" + key }

func folder(key string) string { return key[:2] }

func valid(key string) bool {
	if len(key) != hex.EncodedLen(sha256.Size) {
		return false
	}
	for _, c := range []byte(key) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
