package agent

import (
	"encoding/json"
	"fmt"

	"thhotel/internal/fault"
)

// Limits of schemas and of what they are held against.
const (
	MaxDepth  = 16       // nested objects and arrays of a document; nested schemas of a schema
	MaxSchema = 64 << 10 // bytes of one schema
	MaxOutput = 1 << 20  // bytes of one answer
)

// Schema is a compiled restricted JSON Schema. Validation is one pass over the
// bytes; only when that fails does a second pass collect what is wrong.
type Schema struct{ root *node }

// kinds is a set of JSON types.
type kinds uint8

const (
	kindObject kinds = 1 << iota
	kindArray
	kindString
	kindNumber
	kindInteger
	kindBoolean
	kindNull
)

// typeNames gives the kinds their names, in the order messages list them.
var typeNames = []struct {
	kind kinds
	name string
}{
	{kindObject, "object"}, {kindArray, "array"}, {kindString, "string"}, {kindNumber, "number"},
	{kindInteger, "integer"}, {kindBoolean, "boolean"}, {kindNull, "null"},
}

// node is one schema of the tree; a nil node accepts any value.
type node struct {
	types kinds // 0 accepts every type

	names    []string // of properties, in the schema's order
	index    map[string]int
	props    []*node
	required bits
	closed   bool  // additionalProperties: false
	rest     *node // additionalProperties: {…}

	items              *node
	minItems, maxItems int // max -1: no limit

	minLength, maxLength int
	minimum, maximum     *float64
	enum                 *enum
}

// enum is a list of scalars.
type enum struct {
	texts   map[string]struct{}
	numbers []float64
	words   kinds // kindNull when null is listed
	yes, no bool
	shown   string // for messages
}

// maxProperties bounds one object schema, so that what was seen fits in bits.
const maxProperties = 256

// bits is a set of property numbers.
type bits [maxProperties / 64]uint64

func (b *bits) set(i int)      { b[i/64] |= 1 << (i % 64) }
func (b *bits) has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }

// CompileSchema compiles a schema document. It refuses every keyword outside the
// subset, so that nothing an author wrote goes silently unchecked, and every
// object schema that does not state additionalProperties.
func CompileSchema(doc json.RawMessage) (*Schema, error) {
	if len(doc) > MaxSchema {
		return nil, fmt.Errorf("schema: %d bytes, more than %d", len(doc), MaxSchema)
	}
	p := scanner{doc: doc, limit: 4 * MaxDepth} // a schema nests at least twice as deep as what it describes
	if !p.document(nil) {
		return nil, fmt.Errorf("schema: not one well-formed JSON document without duplicate names (near byte %d)", p.pos)
	}
	root, err := compile(doc, "", 1)
	if err != nil {
		return nil, err
	}
	return &Schema{root: root}, nil
}

// Validate returns every violation of one JSON text, in Chinese; nil when it fits.
func (s *Schema) Validate(doc []byte) []fault.Violation { return s.ValidateIn(doc, "zh") }

// ValidateIn is Validate with messages in a language, "zh" or "en".
func (s *Schema) ValidateIn(doc []byte, lang string) []fault.Violation {
	if _, ok := s.scan(doc); ok {
		return nil
	}
	return s.violations(doc, lang)
}

// seen is what the fast pass learns about a document's top level.
type seen struct {
	keys       []string // declared names, in the document's order
	undeclared int
}

// scan is the fast pass: it stops at the first thing wrong and builds no message.
func (s *Schema) scan(doc []byte) (seen, bool) {
	p := scanner{doc: doc, limit: MaxDepth}
	ok := p.document(s.root)
	return p.top, ok
}

// violations is the slow pass, for documents that the fast one refused.
func (s *Schema) violations(doc []byte, lang string) []fault.Violation {
	p := scanner{doc: doc, limit: MaxDepth, report: &report{lang: lang}}
	p.document(s.root)
	return p.report.found
}
