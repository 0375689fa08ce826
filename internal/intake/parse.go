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
	problems []fault.Violation
}

// parse returns the document's tree and what is ambiguous in it. An error means
// that it is no JSON at all.
func parse(doc []byte) (any, []fault.Violation, error) {
	if !utf8.Valid(doc) {
		return nil, nil, errors.New("not UTF-8")
	}
	p := &parser{dec: json.NewDecoder(bytes.NewReader(doc))}
	p.dec.UseNumber()
	v, err := p.value("", 0)
	if err != nil {
		return nil, nil, err
	}
	if _, err := p.dec.Token(); !errors.Is(err, io.EOF) {
		return nil, nil, errors.New("more than one JSON value")
	}
	return v, p.problems, nil
}

func (p *parser) value(path string, depth int) (any, error) {
	tok, err := p.dec.Token()
	if err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	switch t := tok.(type) {
	case json.Delim:
		if depth >= maxDepth {
			return nil, fmt.Errorf("nested more than %d deep", maxDepth)
		}
		if t == '{' {
			return p.object(path, depth)
		}
		return p.array(path, depth)
	case json.Number:
		p.number(path, t)
		return t, nil
	}
	return tok, nil
}

func (p *parser) object(path string, depth int) (any, error) {
	out := map[string]any{}
	for p.dec.More() {
		tok, err := p.dec.Token()
		if err != nil {
			return nil, fmt.Errorf("read JSON: %w", err)
		}
		key, _ := tok.(string) // the decoder allows nothing else here
		at := path + "/" + escape(key)
		if _, twice := out[key]; twice {
			p.problems = append(p.problems, violation(at, CodeFieldDuplicate, "字段重复出现，只能出现一次", "the field appears twice; give it once"))
		}
		if out[key], err = p.value(at, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := p.dec.Token()
	return out, err
}

func (p *parser) array(path string, depth int) (any, error) {
	out := []any{}
	for p.dec.More() {
		v, err := p.value(path+"/"+strconv.Itoa(len(out)), depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	_, err := p.dec.Token()
	return out, err
}

func (p *parser) number(path string, n json.Number) {
	f, err := n.Float64()
	if err != nil || math.IsInf(f, 0) || (math.Abs(f) > maxSafeInteger && f == math.Trunc(f)) {
		p.problems = append(p.problems, violation(path, CodeNumberUnsafe,
			"数字超出可精确表示的范围，请改用字符串", "the number cannot be kept exactly; use a string"))
	}
}

// escape makes one JSON pointer segment (RFC 6901); an absurdly long key is cut,
// so that an answer cannot be made as large as the request.
func escape(key string) string {
	const most = 100
	if utf8.RuneCountInString(key) > most {
		key = string([]rune(key)[:most]) + "…"
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

// violation says what is expected in both languages: the list is stored and
// shown to whoever looks, whatever language they read.
func violation(path, code, zh, en string) fault.Violation {
	return fault.Violation{Path: path, Code: code, Message: zh + " / " + en}
}
