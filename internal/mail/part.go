package mail

import (
	"bufio"
	"bytes"
	"net/textproto"
	"strings"

	"github.com/jhillyerd/enmime/v2"
	"github.com/jhillyerd/enmime/v2/mediatype"
)

// Splitting a message into parts is done here and not by the library, because its
// readers stand one behind the other: forty multiparts in each other, a kilobyte
// of mail, keep it busy for hours. Here every level looks at every byte once, and
// there are few levels. Its tolerant reading of headers and types is used.

// part is one part of a message.
type part struct {
	parent      *part
	parts       []*part
	header      textproto.MIMEHeader
	contentType string
	params      map[string]string
	disposition string
	fileName    string
	contentID   string
	charset     string
	content     []byte // of a part without parts, as it came
}

// splitter bounds what one message may cost.
type partSplitter struct {
	problems *problems
	count    int
}

// read reads a part from its bytes.
func (s *partSplitter) read(raw []byte, parent *part, depth int) *part {
	head, body := partHeader(raw, parent == nil)
	p := &part{parent: parent, header: textproto.MIMEHeader{}}
	if len(head) > 0 {
		in := bufio.NewReaderSize(bytes.NewReader(head[:min(len(head), maxHeader)]), min(len(head)+16, 4096))
		if h, _ := enmime.ReadHeader(in, silent{}); h != nil {
			p.header = h
		}
	}
	p.describe()
	boundary := p.params["boundary"]
	if !strings.HasPrefix(p.contentType, "multipart/") || boundary == "" {
		p.content = body
		return p
	}
	if depth >= maxNesting {
		s.problems.add("parts nested more than %d deep are kept as files", maxNesting)
		p.contentType, p.content = "application/octet-stream", body
		return p
	}
	for _, piece := range cutParts(body, boundary, maxBoundaries-s.count) {
		s.count++
		p.parts = append(p.parts, s.read(piece, p, depth+1))
	}
	if s.count >= maxBoundaries {
		s.problems.add("more than %d parts: the rest was left out", maxBoundaries)
	}
	return p
}

// partHeader parts the header from the body. A part which does not begin like a
// header has none.
func partHeader(raw []byte, root bool) (head, body []byte) {
	if line, _, _ := bytes.Cut(raw[:min(len(raw), 1000)], []byte("\n")); !root && !headerLine.Match(line) {
		if rest := bytes.TrimLeft(line, " \t\r"); len(rest) == 0 {
			_, body, _ = bytes.Cut(raw, []byte("\n"))
			return nil, body
		}
		return nil, raw
	}
	return cutHeader(raw)
}

// describe reads the headers which say what a part is.
func (p *part) describe() {
	var named map[string]string
	p.contentType, named = mediaType(p.header.Get("Content-Type"))
	p.params = named
	p.charset = named["charset"]
	var said map[string]string
	p.disposition, said = mediaType(p.header.Get("Content-Disposition"))
	if named == nil {
		p.params = map[string]string{}
	}
	p.fileName = fileName(p.header.Get("Content-Disposition"), "filename", said)
	if p.fileName == "" {
		p.fileName = fileName(p.header.Get("Content-Type"), "name", named)
	}
	p.contentID = strings.Trim(strings.TrimSpace(p.header.Get("Content-Id")), "<>")
}

// mediaType reads a type and its parameters; one that cannot be read is still
// believed as far as its first word goes.
func mediaType(s string) (string, map[string]string) {
	if s == "" || len(s) > 20000 {
		return "", nil
	}
	kind, params, _, err := mediatype.ParseWithOptions(s, mediatype.ParseOptions{StripMediaTypeInvalidCharacters: true})
	if err == nil {
		return strings.ToLower(kind), params
	}
	kind, rest, _ := strings.Cut(s, ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	if strings.ContainsAny(kind, " \t\"<>()") {
		return "", nil
	}
	return kind, plainParams(rest)
}

// cutParts cuts the body of a multipart at its boundary lines, at most so often.
// What stands before the first and behind the last is for programs without MIME.
func cutParts(body []byte, boundary string, most int) [][]byte {
	var out [][]byte
	mark := []byte("--" + boundary)
	start := -1
	for at := 0; at <= len(body) && len(out) < most; {
		i := bytes.Index(body[at:], mark)
		if i < 0 {
			break
		}
		i += at
		at = i + len(mark)
		if i > 0 && body[i-1] != '\n' {
			continue
		}
		line, _, _ := bytes.Cut(body[at:min(len(body), at+200)], []byte("\n"))
		rest := strings.TrimSpace(string(line))
		if rest != "" && rest != "--" {
			continue
		}
		if start >= 0 {
			out = append(out, trimEnd(body[start:i]))
		}
		if rest == "--" {
			return out
		}
		start = min(len(body), at+len(line)+1)
		at = max(at, start-1)
	}
	if start >= 0 && len(out) < most {
		out = append(out, body[start:])
	}
	return out
}

// trimEnd drops the line end which belongs to the boundary.
func trimEnd(b []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
}
