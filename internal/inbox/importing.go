package inbox

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"thhotel/internal/access"
	"thhotel/internal/blob"
	"thhotel/internal/fault"
	"thhotel/internal/mail"
)

// ImportCounts is the outcome of an import. Found is the sum of Imported,
// Duplicates and the failed. Unparseable mails are kept, and so are among the imported.
type ImportCounts struct {
	Found       int             `json:"found"`
	Imported    int             `json:"imported"`
	Duplicates  int             `json:"duplicates"`
	Unparseable int             `json:"unparseable"`
	Elsewhere   int             `json:"elsewhere"` // of the imported, those that another source has brought too
	Failed      []ImportFailure `json:"failed"`
}

// ImportFailure names one mail that was not kept, and why.
type ImportFailure struct {
	Name    string `json:"name"` // file, and the number of the mail in an mbox
	Code    string `json:"code"`
	Message string `json:"message"`
}

// ImportPath imports a mail file (.eml), an mbox, or every mail file below a
// folder. Links that lead out of the folder are not followed. Running it again
// changes nothing. The counts are valid also where an error ends the import early.
func (s *Service) ImportPath(ctx context.Context, by access.Caller, name string) (ImportCounts, error) {
	counts := ImportCounts{Failed: []ImportFailure{}}
	if err := by.Require(access.MessageImport); err != nil {
		return counts, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return counts, ErrImportPath.Because(err)
	}
	dir, files := name, []string(nil)
	if !info.IsDir() {
		dir, files = filepath.Dir(name), []string{filepath.Base(name)}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return counts, ErrImportPath.Because(err)
	}
	defer root.Close()
	if info.IsDir() {
		if files, err = mailFiles(root); err != nil {
			return counts, ErrImportPath.Because(err)
		}
	}
	for _, f := range files {
		if err := s.importFile(ctx, by, root, f, &counts); err != nil {
			return counts, fmt.Errorf("import %s: %w", f, err)
		}
	}
	return counts, nil
}

// ImportReader imports what a person uploads: one mail or an mbox, by its first line.
func (s *Service) ImportReader(ctx context.Context, by access.Caller, name string, r io.Reader) (ImportCounts, error) {
	counts := ImportCounts{Failed: []ImportFailure{}}
	if err := by.Require(access.MessageImport); err != nil {
		return counts, err
	}
	err := s.importStream(ctx, by, name, r, &counts)
	return counts, err
}

// mailFiles lists .eml and .mbox files and the messages of maildirs, in order.
func mailFiles(root *os.Root) ([]string, error) {
	var out []string
	err := fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		inMaildir := slices.Contains([]string{"cur", "new"}, path.Base(path.Dir(name)))
		if slices.Contains([]string{".eml", ".mbox", ".mbx"}, strings.ToLower(path.Ext(name))) || inMaildir {
			out = append(out, name)
		}
		return nil
	})
	slices.Sort(out)
	return out, err
}

func (s *Service) importFile(ctx context.Context, by access.Caller, root *os.Root, name string, counts *ImportCounts) error {
	f, err := root.Open(name)
	if err != nil {
		counts.fail(name, ErrImportPath.Because(err))
		return nil
	}
	defer f.Close()
	return s.importStream(ctx, by, name, f, counts)
}

func (s *Service) importStream(ctx context.Context, by access.Caller, name string, r io.Reader, counts *ImportCounts) error {
	in := bufio.NewReader(r)
	head, _ := in.Peek(len("From "))                                          // a shorter file is no mbox
	if string(head) == "From " && strings.ToLower(path.Ext(name)) != ".eml" { // an .eml is one mail, whatever it begins with
		n := 0
		return mail.SplitMbox(in, func(raw []byte) error {
			n++
			return s.importOne(ctx, by, fmt.Sprintf("%s#%d", name, n), bytes.Clone(raw), counts)
		})
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxRaw+1))
	if err != nil {
		counts.fail(name, ErrImportPath.Because(err))
		return nil
	}
	return s.importOne(ctx, by, name, raw, counts)
}

// importOne counts a refusal and goes on; anything else ends the import, for it
// would meet every other mail as well.
func (s *Service) importOne(ctx context.Context, by access.Caller, name string, raw []byte, counts *ImportCounts) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	kept, err := s.bring(ctx, by, raw)
	var refused *fault.Error
	switch {
	case errors.As(err, &refused):
		counts.fail(name, refused)
		return nil
	case err != nil:
		return err
	}
	counts.Found++
	switch {
	case kept.Duplicate:
		counts.Duplicates++
	default:
		counts.Imported++
	}
	if kept.unparseable {
		counts.Unparseable++
	}
	if kept.elsewhere {
		counts.Elsewhere++
	}
	return nil
}

func (s *Service) bring(ctx context.Context, by access.Caller, raw []byte) (kept, error) {
	sum := blob.Key(raw)
	r := reading{}
	if len(raw) <= maxRaw {
		r = readMail(raw)
	}
	p := DeliverParams{Provider: ImportProvider, Channel: DefaultChannel, ExternalMessageID: r.messageID, Raw: raw}
	if p.ExternalMessageID == "" || !plain(p.ExternalMessageID) {
		p.ExternalMessageID = "sha256:" + sum
	}
	if err := p.check(by); err != nil {
		return kept{}, err
	}
	return s.keep(ctx, by, p, p.sameness(), rawMail, func() reading { return r })
}

func (c *ImportCounts) fail(name string, why *fault.Error) {
	c.Found++
	c.Failed = append(c.Failed, ImportFailure{Name: name, Code: why.Code, Message: why.TextEN})
}
