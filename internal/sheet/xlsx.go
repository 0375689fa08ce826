package sheet

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// workbook is an XLSX being read. It is read as a stream of XML tokens: the only
// things kept are the shared strings and the cells within the limits.
type workbook struct {
	l       Limits
	parts   map[string]*zip.File
	left    int64 // bytes that may still be unpacked, whatever the directory says
	strings []string
	styles  []style
	epoch   int // 0: 1900, 1: 1904
	cells   int
	book    Book
}

// errBudget: more came out of the file than its directory said.
var errBudget = errors.New("unpacks to more than is allowed")

func readXLSX(data []byte, l Limits) (Book, error) {
	w, err := openBook(data, l)
	if err != nil {
		return Book{}, err
	}
	main, err := w.mainPart()
	if err != nil {
		return Book{}, err
	}
	sheets, links, err := w.contents(main)
	if err == nil {
		err = w.shared(links)
	}
	if err == nil {
		err = w.sheets(sheets, links)
	}
	switch {
	case errors.Is(err, errBudget):
		return Book{}, tooLarge(fmt.Sprintf("> %d MiB", l.MaxUnzipped>>20))
	case err != nil:
		return Book{}, corrupt(err)
	}
	return w.book, nil
}

// openBook checks the sizes that the directory states before anything is unpacked.
func openBook(data []byte, l Limits) (*workbook, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && z == nil {
		return nil, corrupt(err)
	}
	if len(z.File) > l.MaxParts {
		return nil, tooLarge(fmt.Sprintf("%d parts", len(z.File)))
	}
	w := &workbook{l: l, parts: map[string]*zip.File{}, left: l.MaxUnzipped, book: Book{Format: XLSX}}
	most := uint64(max(l.MaxUnzipped, 0))
	var total uint64
	for _, f := range z.File {
		if f.UncompressedSize64 > most {
			return nil, tooLarge(fmt.Sprintf("> %d MiB", l.MaxUnzipped>>20))
		}
		if total += f.UncompressedSize64; total > most {
			return nil, tooLarge(fmt.Sprintf("> %d MiB", l.MaxUnzipped>>20))
		}
		if f.Flags&1 != 0 {
			return nil, refuse(CodeEncrypted, "该文件有密码保护，无法读取。请向发件人索取无密码的文件。", "The file is protected by a password. Ask the sender for one without.")
		}
		w.parts[strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(f.Name, `\`, "/"), "/"))] = f
	}
	return w, nil
}

// mainPart finds the workbook, or says what the file is instead.
func (w *workbook) mainPart() (string, error) {
	if _, ok := w.parts["xl/workbook.bin"]; ok {
		return "", refuse(CodeOldFormat, "二进制 .xlsb 文件无法读取。请发件人另存为 .xlsx 或 .csv 后重发。",
			"Binary .xlsb files are not read. Ask the sender to save it as .xlsx or .csv.")
	}
	links, err := w.relations("_rels/.rels")
	if err == nil {
		for _, r := range links {
			if strings.HasSuffix(r.Type, "/officeDocument") && w.parts[resolve("", r.Target)] != nil && strings.Contains(strings.ToLower(r.Target), "workbook") {
				return resolve("", r.Target), nil
			}
		}
	}
	if w.parts["xl/workbook.xml"] != nil {
		return "xl/workbook.xml", nil
	}
	return "", refuse(CodeUnsupported, "该压缩文件不是 XLSX 表格，无法预览；请下载原文件查看。", "The archive is no XLSX table and cannot be shown. Download the original.")
}

// relation is a link between parts.
type relation struct{ Type, Target string }

func (w *workbook) relations(part string) (map[string]relation, error) {
	out := map[string]relation{}
	err := w.each(part, "Relationship", func(_ *stream, e xml.StartElement) error {
		if attr(e, "TargetMode") != "External" && len(out) < 10_000 {
			out[attr(e, "Id")] = relation{Type: attr(e, "Type"), Target: attr(e, "Target")}
		}
		return nil
	})
	return out, err
}

// resolve makes a part's name of a link that stands in a folder.
func resolve(dir, target string) string {
	target = strings.ReplaceAll(target, `\`, "/")
	if !strings.HasPrefix(target, "/") {
		target = path.Join(dir, target)
	}
	return strings.ToLower(strings.TrimPrefix(path.Clean(target), "/"))
}

// sheetRef is a sheet in the workbook's order.
type sheetRef struct {
	name, link string
	hidden     bool
}

// contents reads the list of sheets and where the parts are.
func (w *workbook) contents(main string) ([]sheetRef, map[string]relation, error) {
	dir := path.Dir(main)
	links, err := w.relations(path.Join(dir, "_rels", path.Base(main)+".rels"))
	if err != nil {
		return nil, nil, err
	}
	for id, r := range links {
		r.Target = resolve(dir, r.Target)
		links[id] = r
	}
	var sheets []sheetRef
	err = w.tokens(main, func(_ *stream, e xml.StartElement) error {
		switch e.Name.Local {
		case "workbookPr":
			if v := attr(e, "date1904"); v == "1" || v == "true" {
				w.epoch = 1
			}
		case "sheet":
			if len(sheets) >= w.l.MaxSheets {
				w.book.Truncated = true
				return nil
			}
			sheets = append(sheets, sheetRef{attr(e, "name"), attr(e, "id"), strings.Contains(strings.ToLower(attr(e, "state")), "hidden")})
		}
		return nil
	})
	return sheets, links, err
}

// shared reads the strings and number formats that cells refer to.
func (w *workbook) shared(links map[string]relation) error {
	for _, r := range links {
		var err error
		switch {
		case strings.HasSuffix(r.Type, "/sharedStrings"):
			err = w.readStrings(r.Target)
		case strings.HasSuffix(r.Type, "/styles"):
			err = w.readStyles(r.Target)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *workbook) readStrings(part string) error {
	return w.each(part, "si", func(d *stream, _ xml.StartElement) error {
		if len(w.strings) >= maxStrings {
			return errBudget
		}
		s, err := w.richText(d, "si")
		w.strings = append(w.strings, s)
		return err
	})
}

// richText joins the runs of a string up to its end, without how to pronounce it.
func (w *workbook) richText(d *stream, end string) (string, error) {
	var out strings.Builder
	inText, spoken := false, 0
	for {
		t, err := d.inside()
		if err != nil {
			return "", err
		}
		switch e := t.(type) {
		case xml.StartElement:
			inText = e.Name.Local == "t"
			if e.Name.Local == "rPh" {
				spoken++
			}
		case xml.CharData:
			if inText && spoken == 0 && out.Len() < 4*w.l.MaxText {
				out.Write(e[:min(len(e), 8*w.l.MaxText)])
			}
		case xml.EndElement:
			inText = false
			switch e.Name.Local {
			case "rPh":
				spoken--
			case end:
				return strings.ToValidUTF8(out.String(), ""), nil
			}
		}
	}
}

func (w *workbook) sheets(list []sheetRef, links map[string]relation) error {
	for _, s := range list {
		r, ok := links[s.link]
		if !ok || !strings.HasSuffix(r.Type, "/worksheet") || w.parts[r.Target] == nil {
			continue // a chart, a macro sheet, or a sheet in another file
		}
		t, err := w.sheet(r.Target)
		if err != nil {
			return fmt.Errorf("sheet %q: %w", s.name, err)
		}
		t.Sheet, t.Hidden = w.l.text(s.name, &t.Truncated), s.hidden
		w.book.Truncated = w.book.Truncated || t.Truncated
		w.book.Tables = append(w.book.Tables, t)
	}
	if len(w.book.Tables) == 0 {
		return errors.New("the workbook has no sheet")
	}
	return nil
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// tokens calls on for every element of a part.
func (w *workbook) tokens(part string, on func(*stream, xml.StartElement) error) error {
	f := w.parts[strings.ToLower(part)]
	if f == nil {
		return fmt.Errorf("part %s is missing", part)
	}
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("open %s: %w", part, err)
	}
	defer func() { _ = r.Close() }()
	d := newStream(r, &w.left)
	for {
		t, err := d.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", part, err)
		}
		if e, ok := t.(xml.StartElement); ok {
			if err := on(d, e); errors.Is(err, errStop) {
				return nil
			} else if err != nil {
				return fmt.Errorf("read %s: %w", part, err)
			}
		}
	}
}

// errStop ends tokens early.
var errStop = errors.New("stop")

// each calls on for every element of one name; on may read it to its end.
func (w *workbook) each(part, name string, on func(*stream, xml.StartElement) error) error {
	return w.tokens(part, func(d *stream, e xml.StartElement) error {
		if e.Name.Local != name {
			return nil
		}
		return on(d, e)
	})
}

const (
	// maxToken bounds one element's start or one stretch of text.
	maxToken = 1 << 20
	// maxStrings bounds the shared strings, of which empty ones cost little to send.
	maxStrings = 1 << 20
)

// stream is the tokens of a part. Raw tokens keep no stack: nesting costs nothing.
type stream struct {
	d *xml.Decoder
	b *budget
}

func newStream(r io.Reader, left *int64) *stream {
	b := &budget{r: r, left: left}
	d := xml.NewDecoder(b)
	d.Strict = true
	return &stream{d, b}
}

func (s *stream) next() (xml.Token, error) {
	s.b.token = 0
	return s.d.RawToken()
}

// inside is next where the part must not end.
func (s *stream) inside() (xml.Token, error) {
	t, err := s.next()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return t, err
}

// budget counts what is really unpacked: a directory can lie.
type budget struct {
	r     io.Reader
	left  *int64
	token int // bytes since the last token
}

func (b *budget) Read(p []byte) (int, error) {
	if *b.left <= 0 || b.token > maxToken {
		return 0, errBudget
	}
	n, err := b.r.Read(p[:min(int64(len(p)), *b.left)])
	*b.left -= int64(n)
	b.token += n
	return n, err
}
