package mail

import (
	"html"
	"mime"
	"strings"
	"unicode"
)

// block is one stretch of the body in the forms the sender gave it.
type block struct {
	text, html       string
	hasText, hasHTML bool
}

// body gathers what the parts of a message hold.
type body struct {
	problems    *problems
	blocks      []block
	attachments []Attachment
	inside      []Attachment // taken out of attachments and texts
	size        int
}

// walk visits the parts in the order in which they are read.
func (b *body) walk(p *part, depth int) {
	if depth > maxNesting {
		return
	}
	switch {
	case len(p.parts) == 0:
		b.leaf(p)
	case p.contentType == "multipart/alternative":
		b.alternative(p, depth)
	default:
		for _, child := range p.parts {
			b.walk(child, depth+1)
		}
	}
}

// alternative takes several forms of the same text as one block.
func (b *body) alternative(p *part, depth int) {
	inner := &body{problems: b.problems, size: b.size}
	for _, child := range p.parts {
		inner.walk(child, depth+1)
	}
	one := block{}
	for _, part := range inner.blocks {
		if part.hasText && !one.hasText {
			one.text, one.hasText = part.text, true
		}
		if part.hasHTML && !one.hasHTML {
			one.html, one.hasHTML = part.html, true
		}
	}
	if one.hasText || one.hasHTML {
		b.blocks = append(b.blocks, one)
	}
	b.size = inner.size
	for _, a := range inner.attachments {
		b.attach(a)
	}
	b.inside = append(b.inside, inner.inside...)
}

// leaf is a part without parts of its own.
func (b *body) leaf(p *part) {
	root := p.parent == nil
	content := b.decode(p)
	if strings.HasPrefix(p.contentType, "multipart/") && p.params["boundary"] != "" {
		return // said to have parts, but has none
	}
	if !isBody(p, root) {
		b.attach(b.attachment(p, content))
		return
	}
	b.size += len(content)
	if b.size > maxBody {
		b.problems.add("more than %d bytes of text: the rest is kept as a file", maxBody)
		b.attach(b.attachment(p, content))
		return
	}
	isHTML := p.contentType == "text/html"
	charset := p.charset
	text, problem := decodeCharset(content, charset, isHTML)
	if problem != "" {
		b.problems.add("%s", problem)
	}
	text = lines(text)
	if strings.EqualFold(p.params["format"], "flowed") && !isHTML {
		text = unflow(text, strings.EqualFold(p.params["delsp"], "yes"))
	}
	if isHTML {
		b.blocks = append(b.blocks, block{html: text, hasHTML: true})
		return
	}
	text, files := takeUU(text)
	for _, f := range files {
		b.inside = append(b.inside, b.extracted(f.name, "", "", f.content, "the text"))
	}
	b.blocks = append(b.blocks, block{text: text, hasText: true})
}

// isBody tells text to read from files to keep. A text with a file name was
// attached, unless it is all there is.
func isBody(p *part, root bool) bool {
	switch {
	case strings.EqualFold(p.disposition, "attachment"):
		return false
	case p.contentType == "" && digest(p):
		return false
	case p.contentType == "", p.contentType == "text/plain", p.contentType == "text/html":
		return root || p.fileName == ""
	case strings.HasPrefix(p.contentType, "multipart/"):
		return root // said to have parts, but has none: show what is there
	case strings.HasPrefix(p.contentType, "text/"):
		return root && p.fileName == ""
	}
	return false
}

// digest tells a message of a digest, whose type is not written down.
func digest(p *part) bool {
	return p.parent != nil && p.parent.contentType == "multipart/digest"
}

// decode undoes the transfer encoding.
func (b *body) decode(p *part) []byte {
	name, _, _ := strings.Cut(p.header.Get("Content-Transfer-Encoding"), ";")
	encoding := strings.TrimSuffix(strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t-_\"'", r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name), "s")
	switch encoding {
	case "base64":
		out := decodeBase64(p.content)
		if len(out) == 0 && len(strings.TrimSpace(string(p.content))) > 0 {
			b.problems.add("a part is not valid base64")
		}
		return out
	case "quotedprintable":
		return decodeQP(p.content)
	case "uuencode", "xuuencode", "uue", "xuue":
		if rest, files := takeUU(lines(string(p.content))); len(files) > 0 && strings.TrimSpace(rest) == "" {
			return files[0].content
		}
		b.problems.add("a part is not valid uuencode")
	case "", "7bit", "8bit", "binary":
	default:
		b.problems.add("transfer encoding %q is not known", name)
	}
	return p.content
}

func (b *body) attach(a Attachment) {
	if len(b.attachments) >= maxAttachments {
		b.problems.add("more than %d attachments: the rest was left out", maxAttachments)
		return
	}
	b.attachments = append(b.attachments, a)
}

func (b *body) attachment(p *part, content []byte) Attachment {
	contentType := strings.ToLower(printable(utf(p.contentType)))
	if contentType == "" && digest(p) {
		contentType = "message/rfc822"
	}
	if _, _, err := mime.ParseMediaType(contentType); err != nil {
		contentType = "application/octet-stream"
	}
	id := printable(utf(p.contentID))
	disposition := strings.ToLower(p.disposition)
	return Attachment{
		Name:        safeName(p.fileName, contentType, len(b.attachments)+1),
		ContentType: contentType,
		ContentID:   id,
		Inline:      disposition == "inline" || disposition == "" && id != "",
		Content:     content,
	}
}

// fill puts the blocks together. When one is HTML only, the whole body is HTML
// and Text stays empty: half a text would be taken for all of it.
func (b *body) fill(m *Message) {
	b.open()
	m.Attachments = b.attachments
	anyHTML, allText := false, true
	for _, one := range b.blocks {
		anyHTML = anyHTML || one.hasHTML
		allText = allText && one.hasText
	}
	var text, page []string
	for _, one := range b.blocks {
		text = append(text, one.text)
		if !one.hasHTML {
			one.html = "<pre>" + html.EscapeString(one.text) + "</pre>"
		}
		page = append(page, one.html)
	}
	if allText {
		m.Text = strings.Join(text, "\n")
	}
	if anyHTML {
		m.HTML = strings.Join(page, "\n")
	}
}
