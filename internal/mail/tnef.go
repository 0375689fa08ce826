package mail

import (
	"encoding/binary"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/unicode"
)

// A winmail.dat is what Outlook sends to those it takes for Outlook: body and
// files in one stream of attributes, of which some hold lists of properties.
// Reading stops at the first thing that cannot be, and keeps what came before.

const (
	tnefSignature = 0x223E9F78
	tnefDepth     = 3    // messages within messages
	tnefProps     = 2000 // properties of one list

	attrBody      = 0x800C
	attrData      = 0x800F
	attrTitle     = 0x8010
	attrRendering = 0x9002 // begins an attachment
	attrProps     = 0x9003
	attrFileProps = 0x9005
	attrCodepage  = 0x9007

	propBody      = 0x1000
	propRTF       = 0x1009
	propHTML      = 0x1013
	propObject    = 0x3701
	propName      = 0x3704
	propLongName  = 0x3707
	propMIMEType  = 0x370E
	propContentID = 0x3712
	propCodepage  = 0x3FDE
)

// tnefFile is one file of a winmail.dat.
type tnefFile struct {
	name, contentType, contentID string
	content                      []byte
	inside                       []tnefFile // of a message kept as a file
}

// tnef is what a winmail.dat holds.
type tnef struct {
	text, html, rtf string
	files           []tnefFile
	oem             string // charset of what is not Unicode
	damaged         bool
}

// isTNEF tells a winmail.dat by its first bytes, whatever it is called.
func isTNEF(b []byte) bool {
	return len(b) >= 6 && binary.LittleEndian.Uint32(b) == tnefSignature
}

func readTNEF(b []byte, depth int) *tnef {
	t := &tnef{oem: "windows-1252"}
	b = b[6:]
	for len(b) > 0 {
		if len(b) < 11 || b[0] != 1 && b[0] != 2 {
			t.damaged = true
			return t
		}
		id, size := binary.LittleEndian.Uint32(b[1:])&0xFFFF, int(binary.LittleEndian.Uint32(b[5:]))
		if size < 0 || size > len(b)-9 {
			t.damaged = true
			return t
		}
		t.attribute(id, b[9:9+size], depth)
		b = b[min(len(b), 9+size+2):]
	}
	return t
}

func (t *tnef) attribute(id uint32, data []byte, depth int) {
	if len(t.files) == 0 && (id == attrTitle || id == attrData || id == attrFileProps) {
		t.files = append(t.files, tnefFile{})
	}
	switch id {
	case attrCodepage:
		if len(data) >= 4 {
			t.oem = codepage(int(binary.LittleEndian.Uint32(data)))
		}
	case attrBody:
		t.text = t.oemText(data)
	case attrRendering:
		if len(t.files) < maxAttachments {
			t.files = append(t.files, tnefFile{})
		}
	case attrTitle:
		if f := &t.files[len(t.files)-1]; f.name == "" {
			f.name = t.oemText(data)
		}
	case attrData:
		t.files[len(t.files)-1].content = data
	case attrProps:
		t.eachProp(data, func(p prop) { t.message(p) })
	case attrFileProps:
		f := &t.files[len(t.files)-1]
		t.eachProp(data, func(p prop) { t.file(f, p, depth) })
	}
}

// message takes a property of the message itself.
func (t *tnef) message(p prop) {
	switch p.id {
	case propCodepage:
		if len(p.data) >= 4 {
			t.oem = codepage(int(binary.LittleEndian.Uint32(p.data)))
		}
	case propBody:
		if text := t.propText(p); text != "" {
			t.text = text
		}
	case propHTML:
		if p.kind == kindBinary {
			t.html, _ = decodeCharset(trimNul(p.data), "", true)
			return
		}
		t.html = t.propText(p)
	case propRTF:
		t.rtf = string(unpackRTF(p.data))
	}
}

func (t *tnef) file(f *tnefFile, p prop, depth int) {
	switch p.id {
	case propLongName:
		f.name = t.propText(p)
	case propName:
		if f.name == "" {
			f.name = t.propText(p)
		}
	case propMIMEType:
		f.contentType = t.propText(p)
	case propContentID:
		f.contentID = t.propText(p)
	case propObject:
		if len(p.data) <= 16 {
			return
		}
		f.content = p.data[16:] // behind the name of the interface
		if !isTNEF(f.content) || depth >= tnefDepth {
			return
		}
		inner := readTNEF(f.content, depth+1)
		text, html := inner.body()
		f.contentType, f.content = "text/plain", []byte(text)
		if html != "" {
			f.contentType, f.content = "text/html", []byte(html)
		}
		f.inside = inner.all()
	}
}

// all lists the files, those of messages inside behind the message they came in.
func (t *tnef) all() []tnefFile {
	var out []tnefFile
	for _, f := range t.files {
		out = append(append(out, f), f.inside...)
	}
	return out[:min(len(out), maxAttachments)]
}

// body is the text in the forms the sender gave it.
func (t *tnef) body() (text, html string) {
	text, html = t.text, t.html
	if t.rtf != "" && html == "" {
		plain, page := readRTF(t.rtf)
		html = page
		if text == "" && page == "" {
			text = plain
		}
	}
	return strings.TrimRight(lines(text), "\x00"), lines(html)
}

// kinds of properties.
const (
	kindString  = 0x1E
	kindUnicode = 0x1F
	kindBinary  = 0x102
	kindObject  = 0x0D
)

// prop is one value of one property.
type prop struct {
	id, kind uint16
	data     []byte
}

// fixedSize is how many bytes a value of a kind takes, padding included.
func fixedSize(kind uint16) int {
	switch kind {
	case 0x02, 0x03, 0x04, 0x0A, 0x0B:
		return 4
	case 0x05, 0x06, 0x07, 0x14, 0x40:
		return 8
	case 0x48:
		return 16
	}
	return 0
}

// eachProp hands over the properties of a list, the first value of each.
func (t *tnef) eachProp(b []byte, each func(prop)) {
	r := &cutter{b: b}
	for n := min(int(r.u32()), tnefProps); n > 0 && !r.bad; n-- {
		kind, id := r.u16(), r.u16()
		if id >= 0x8000 {
			r.skipName()
		}
		values, many := 1, kind&0x1000 != 0
		kind &^= 0x1000
		size := fixedSize(kind)
		if many || size == 0 {
			values = int(r.u32())
		}
		for v := 0; v < values && !r.bad; v++ {
			one := size
			if size == 0 {
				one = int(r.u32())
			}
			data := r.take(one)
			if v == 0 && !r.bad {
				each(prop{id, kind, data})
			}
		}
	}
	t.damaged = t.damaged || r.bad
}

// cutter cuts pieces off bytes and remembers when there was too little.
type cutter struct {
	b   []byte
	bad bool
}

// take cuts n bytes and the padding behind them.
func (r *cutter) take(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.bad, r.b = true, nil
		return nil
	}
	out := r.b[:n]
	r.b = r.b[min(len(r.b), (n+3)&^3):]
	return out
}

func (r *cutter) u32() uint32 {
	if b := r.take(4); len(b) == 4 {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *cutter) u16() uint16 {
	if len(r.b) < 2 {
		r.bad = true
		return 0
	}
	v := binary.LittleEndian.Uint16(r.b)
	r.b = r.b[2:]
	return v
}

// skipName passes the name which properties of no fixed number have.
func (r *cutter) skipName() {
	r.take(16)
	if r.u32() == 0 {
		r.u32()
		return
	}
	r.take(int(r.u32()))
}

func (t *tnef) propText(p prop) string {
	if p.kind == kindUnicode {
		text, err := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewDecoder().Bytes(p.data)
		if err != nil {
			return ""
		}
		return strings.TrimRight(string(text), "\x00")
	}
	return t.oemText(p.data)
}

func (t *tnef) oemText(b []byte) string {
	text, _ := decodeCharset(trimNul(b), t.oem, false)
	return text
}

func trimNul(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == 0 {
		b = b[:len(b)-1]
	}
	return b
}

// codepage is the charset of a Windows code page.
func codepage(n int) string {
	switch n {
	case 936, 54936:
		return "gb18030"
	case 950:
		return "big5"
	case 932:
		return "shift_jis"
	case 949:
		return "euc-kr"
	case 874:
		return "windows-874"
	case 1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258:
		return "windows-" + strconv.Itoa(n)
	case 65001:
		return "utf-8"
	case 50220, 50221, 50222:
		return "iso-2022-jp"
	case 20866:
		return "koi8-r"
	case 20932, 51932:
		return "euc-jp"
	case 28591, 1252:
		return "windows-1252"
	case 28592:
		return "iso-8859-2"
	}
	return "windows-1252"
}
