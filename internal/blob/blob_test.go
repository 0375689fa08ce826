package blob_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"thhotel/internal/blob"
)

func open(t *testing.T) (*blob.Store, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "blobs")
	s, err := blob.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, dir
}

func read(t *testing.T, s *blob.Store, key string) ([]byte, error) {
	t.Helper()
	r, err := s.Open(context.Background(), key)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

func TestPutThenOpen(t *testing.T) {
	s, _ := open(t)
	for name, content := range map[string][]byte{
		"empty": {}, "text": []byte("Dear team"), "bytes": {0, 255, 13, 10, 0}, "large": bytes.Repeat([]byte("0123456789"), 300_000),
	} {
		t.Run(name, func(t *testing.T) {
			size, key, err := s.Put(context.Background(), "", bytes.NewReader(content))
			if err != nil || size != int64(len(content)) || key != blob.Key(content) {
				t.Fatalf("Put = %d %s %v, want %d %s", size, key, err, len(content), blob.Key(content))
			}
			if got, err := read(t, s, key); err != nil || !bytes.Equal(got, content) {
				t.Errorf("read back %d bytes, %v; want the %d stored", len(got), err, len(content))
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	s, dir := open(t)
	ctx, content := context.Background(), "some bytes"
	other := blob.Key([]byte("other bytes"))
	if _, _, err := s.Put(ctx, other, strings.NewReader(content)); !errors.Is(err, blob.ErrMismatch) {
		t.Errorf("announced with another key: %v, want ErrMismatch", err)
	}
	if _, err := s.Open(ctx, other); !errors.Is(err, blob.ErrMissing) {
		t.Errorf("never stored: %v, want ErrMissing", err)
	}
	for _, key := range []string{"", "../../etc/passwd", strings.ToUpper(other), other[:63], other + "0", strings.Repeat("/", 64)} {
		if _, err := s.Open(ctx, key); !errors.Is(err, blob.ErrKey) {
			t.Errorf("Open(%q) = %v, want ErrKey", key, err)
		}
	}
	broken := io.MultiReader(strings.NewReader("half"), failing{})
	if _, _, err := s.Put(ctx, "", broken); !errors.Is(err, errLine) {
		t.Errorf("source broke: %v, want its error", err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := s.Put(gone, "", strings.NewReader(content)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, want context.Canceled", err)
	}
	if left, _ := os.ReadDir(filepath.Join(dir, "tmp")); len(left) != 0 {
		t.Errorf("%d temporary files left behind", len(left))
	}
}

var errLine = errors.New("the line broke")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errLine }

func TestDamageIsDetectedAndRepaired(t *testing.T) {
	s, dir := open(t)
	content := []byte("From: a@b.example\r\n\r\nHello")
	_, key, err := s.Put(context.Background(), "", bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, key[:2], key)
	for name, damaged := range map[string][]byte{
		"a flipped bit": append([]byte("G"), content[1:]...), "cut short": content[:5], "longer": append(bytes.Clone(content), '!'), "emptied": {},
	} {
		if err := os.WriteFile(file, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := read(t, s, key); !errors.Is(err, blob.ErrCorrupt) {
			t.Errorf("%s: %v, want ErrCorrupt", name, err)
		}
	}
	if _, _, err := s.Put(context.Background(), key, bytes.NewReader(content)); err != nil {
		t.Fatal(err)
	}
	if got, err := read(t, s, key); err != nil || !bytes.Equal(got, content) {
		t.Errorf("after storing again: %q %v", got, err)
	}
}

func TestLinksDoNotLeadOut(t *testing.T) {
	s, dir := open(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	key := blob.Key([]byte("secret"))
	if err := os.Mkdir(filepath.Join(dir, key[:2]), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(dir, key[:2], key)); err != nil {
		t.Fatal(err)
	}
	if got, err := read(t, s, key); err == nil {
		t.Errorf("a link out of the store was followed: %q", got)
	}
}

func TestManyAtOnce(t *testing.T) {
	s, _ := open(t)
	content := bytes.Repeat([]byte("same bytes "), 1000)
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			_, key, err := s.Put(context.Background(), "", bytes.NewReader(content))
			if err != nil {
				t.Error(err)
				return
			}
			if got, err := read(t, s, key); err != nil || !bytes.Equal(got, content) {
				t.Errorf("read while others store the same: %d bytes, %v", len(got), err)
			}
		})
	}
	wait.Wait()
}
