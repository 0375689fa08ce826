package intake

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"thhotel/internal/fault"
)

// maxDepth bounds nesting. The contract's own structure is 7 deep.
const maxDepth = 32

// maxSafeInteger is the largest integer every JSON reader keeps exactly (I-JSON,
// RFC 7493). Above it two different packages could have one canonical form.
const maxSafeInteger = 1<<53 - 1

// parser reads a document once into maps, slices, strings, json.Number, bool and
// nil, and remembers what a later reader could take two ways.
type parser struct {
	dec      *json.Decoder
	at       []segment // where it reads; a pointer is made only for a problem
	problems []fault.Violation
}

// segment is one step of a JSON pointer: a key, or an index when array is true.
type segment struct {
	key   string
	index int
	array bool
}

// parse returns the document's tree and what is ambiguous in it. An error means
// that it is no JSON at all.
func parse(doc []byte) (any, []fault.Violation, error) {
	if !utf8.Valid(doc) {
		return nil, nil, errors.New("not UTF-8")
	}
	p := &parser{dec: json.NewDecoder(bytes.NewReader(doc))}
	p.dec.UseNumber()
	v, err := p.value()
	if err != nil {
		return nil, nil, err
	}
	if _, err := p.dec.Token(); !errors.Is(err, io.EOF) {
		return nil, nil, errors.New("more than one JSON value")
	}
	return v, p.problems, nil
}

func (p *parser) value() (any, error) {
	tok, err := p.dec.Token()
	if err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	switch t := tok.(type) {
	case json.Delim:
		if len(p.at) >= maxDepth {
			return nil, fmt.Errorf("nested more than %d deep", maxDepth)
		}
		p.at = append(p.at, segment{})
		defer func() { p.at = p.at[:len(p.at)-1] }()
		if t == '{' {
			return p.object()
		}
		return p.array()
	case json.Number:
		p.number(t)
		return t, nil
	}
	return tok, nil
}

func (p *parser) object() (any, error) {
	out, here := map[string]any{}, len(p.at)-1
	for p.dec.More() {
		tok, err := p.dec.Token()
		if err != nil {
			return nil, fmt.Errorf("read JSON: %w", err)
		}
		key, _ := tok.(string) // the decoder allows nothing else here
		p.at[here] = segment{key: key}
		if _, twice := out[key]; twice {
			p.add(CodeFieldDuplicate, "字段重复出现，只能出现一次", "the field appears twice; give it once")
		}
		if out[key], err = p.value(); err != nil {
			return nil, err
		}
	}
	_, err := p.dec.Token()
	return out, err
}

func (p *parser) array() (any, error) {
	out, here := []any{}, len(p.at)-1
	for p.dec.More() {
		p.at[here] = segment{index: len(out), array: true}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	_, err := p.dec.Token()
	return out, err
}

func (p *parser) number(n json.Number) {
	f, err := n.Float64()
	if err != nil || math.IsInf(f, 0) || (math.Abs(f) > maxSafeInteger && f == math.Trunc(f)) {
		p.add(CodeNumberUnsafe, "数字超出可精确表示的范围，请改用字符串", "the number cannot be kept exactly; use a string")
	}
}

func (p *parser) add(code, zh, en string) {
	var b strings.Builder
	for _, s := range p.at {
		b.WriteByte('/')
		if s.array {
			b.WriteString(strconv.Itoa(s.index))
		} else {
			b.WriteString(escape(s.key))
		}
	}
	p.problems = append(p.problems, violation(b.String(), code, zh, en))
}

// escape makes one JSON pointer segment (RFC 6901); an absurdly long key is cut,
// so that an answer cannot be made as large as the request.
func escape(key string) string {
	const most = 100
	if utf8.RuneCountInString(key) > most {
		key = string([]rune(key)[:most]) + "…"
	}
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}

// violation says what is expected in both languages. A refusal shows its reader's.
func violation(path, code, zh, en string) fault.Violation {
	return fault.Violation{Path: path, Code: code, Message: zh, MessageEN: en}
}

// bilingual puts both languages into one text: what is recorded with an event is
// shown to whoever looks later, whatever language they read.
func bilingual(list []fault.Violation) []fault.Violation {
	out := make([]fault.Violation, 0, len(list))
	for _, v := range list {
		if v.MessageEN != "" {
			v.Message, v.MessageEN = v.Message+" / "+v.MessageEN, ""
		}
		out = append(out, v)
	}
	return out
}
