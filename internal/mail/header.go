package mail

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	netmail "net/mail"
	"net/textproto"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jhillyerd/enmime/v2"
)

// silent drops what the library says about malformed header lines: the lines
// which can be read are, and a missing one shows by itself.
type silent struct{}

func (silent) AddError(string, string, ...any)   {}
func (silent) AddWarning(string, string, ...any) {}

const (
	maxHeader     = 1 << 20 // bytes of header
	maxReferences = 100
	maxAddresses  = 1000
)

// cutHeader parts the header from the body.
func cutHeader(raw []byte) (header, body []byte) {
	for at := 0; at < len(raw); {
		end := bytes.IndexByte(raw[at:], '\n')
		if end < 0 {
			break
		}
		line := bytes.TrimRight(raw[at:at+end], "\r")
		at += end + 1
		if len(line) == 0 {
			return raw[:at], raw[at:]
		}
	}
	return raw, nil
}

func readHeaders(m *Message, raw []byte, p *problems) {
	head, _ := cutHeader(raw)
	if len(head) > maxHeader {
		p.add("more than %d bytes of header", maxHeader)
		head = head[:maxHeader]
	}
	h, err := enmime.ReadHeader(bufio.NewReader(bytes.NewReader(head)), silent{})
	if err != nil && !errors.Is(err, io.EOF) {
		p.add("header: %v", err)
	}
	if len(h) == 0 {
		p.add("no header found")
	}
	m.MessageID = printable(utf(first(h, "Message-Id")))
	m.InReplyTo = firstID(first(h, "In-Reply-To"))
	m.References = references(first(h, "References"))
	m.Subject = printable(decodeWords(first(h, "Subject")))
	if from := addresses(h["From"]); len(from) > 0 {
		m.From = from[0]
	} else if from := addresses(h["Sender"]); len(from) > 0 {
		m.From = from[0]
	}
	m.To, m.Cc, m.ReplyTo = addresses(h["To"]), addresses(h["Cc"]), addresses(h["Reply-To"])
	m.SentAt = parseDate(first(h, "Date"))
	if first(h, "Date") != "" && m.SentAt.IsZero() {
		p.add("the date cannot be read")
	}
	received := first(h, "Received")
	m.ReceivedAt = parseDate(received[strings.LastIndexByte(received, ';')+1:])
	m.AutoSubmitted = printable(utf(first(h, "Auto-Submitted")))
	m.ListUnsubscribe = printable(utf(first(h, "List-Unsubscribe")))
}

func first(h textproto.MIMEHeader, name string) string {
	if len(h[name]) == 0 {
		return ""
	}
	return strings.TrimSpace(h[name][0])
}

// utf makes header bytes valid UTF-8: raw GBK or TIS-620 is forbidden there and common.
func utf(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	text, _ := decodeCharset([]byte(s), "", false)
	return text
}

// printable drops control characters, line ends above all.
func printable(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == '\t' {
			return ' '
		}
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, s))
}

var messageID = regexp.MustCompile(`<[^<>\s]+>`)

func firstID(s string) string {
	if id := messageID.FindString(s); id != "" {
		return printable(utf(id))
	}
	return printable(utf(s))
}

// references lists the ids of a thread. Of a very long list the root and the
// newest are kept.
func references(s string) []string {
	ids := messageID.FindAllString(utf(s), -1)
	if len(ids) == 0 {
		ids = strings.Fields(printable(utf(s)))
	}
	if len(ids) > maxReferences {
		ids = append(ids[:1:1], ids[len(ids)-maxReferences+1:]...)
	}
	return ids
}

var bareAddress = regexp.MustCompile(`[^\s<>,;:"'()\[\]]+@[^\s<>,;:"'()\[\]]+`)

// addresses reads address headers, strictly first and, failing that, by what
// looks like an address.
func addresses(values []string) []Address {
	var out []Address
	for _, value := range values {
		value = replaceWords(value, hiddenWord)
		list, err := netmail.ParseAddressList(value)
		for _, a := range list {
			out = append(out, Address{Name: printable(decodeWords(a.Name)), Email: printable(a.Address)})
		}
		if err != nil {
			out = append(out, looseAddresses(value)...)
		}
		if len(out) > maxAddresses {
			return out[:maxAddresses]
		}
	}
	return out
}

// hiddenWord keeps what was encoded encoded, plain ASCII too: a name may hold an
// address that must not be taken for the sender's.
func hiddenWord(s string) string {
	return "=?utf-8?b?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
}

func looseAddresses(value string) []Address {
	var out []Address
	at := 0
	for _, f := range bareAddress.FindAllStringIndex(value, maxAddresses) {
		name := strings.Trim(value[at:f[0]], " \t<>,;\"'()[]")
		out = append(out, Address{Name: printable(decodeWords(name)), Email: printable(utf(value[f[0]:f[1]]))})
		at = f[1]
	}
	if len(out) == 0 {
		if name := printable(decodeWords(value)); name != "" && !strings.HasSuffix(name, ";") {
			out = append(out, Address{Name: name})
		}
	}
	return out
}
