package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
)

// member is one name and value of an object, in document order.
type member struct {
	name  string
	value json.RawMessage
}

// members takes an object apart and keeps its order, which maps would lose:
// properties usually arrive in the order in which the schema lists them.
func members(doc json.RawMessage, at string) ([]member, error) {
	dec := json.NewDecoder(bytes.NewReader(doc))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("schema at %q: expected an object", at)
	}
	var out []member
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("schema at %q: %w", at, err)
		}
		m := member{name: name.(string)} //nolint:forcetypeassert // the decoder yields names as strings here
		if err := dec.Decode(&m.value); err != nil {
			return nil, fmt.Errorf("schema at %q: %w", at, err)
		}
		out = append(out, m)
	}
	return out, nil
}

// compiler builds one node.
type compiler struct {
	node
	at       string
	depth    int
	stated   bool // additionalProperties
	required []string
}

func compile(doc json.RawMessage, at string, depth int) (*node, error) {
	if depth > MaxDepth {
		return nil, fmt.Errorf("schema at %q: nested deeper than %d", at, MaxDepth)
	}
	list, err := members(doc, at)
	if err != nil {
		return nil, err
	}
	c := &compiler{node: node{maxItems: -1, maxLength: -1}, at: at, depth: depth}
	for _, m := range list {
		if err := c.keyword(m); err != nil {
			return nil, fmt.Errorf("schema at %q: %s: %w", at, m.name, err)
		}
	}
	if err := c.finish(); err != nil {
		return nil, fmt.Errorf("schema at %q: %w", at, err)
	}
	return &c.node, nil
}

func (c *compiler) keyword(m member) (err error) {
	switch m.name {
	case "type":
		c.types, err = compileTypes(m.value)
	case "properties":
		err = c.properties(m.value)
	case "required":
		err = strictly(m.value, &c.required)
	case "additionalProperties":
		err = c.additional(m.value)
	case "items":
		c.items, err = compile(m.value, c.at+"/items", c.depth+1)
	case "enum":
		c.enum, err = compileEnum(m.value)
	case "minLength":
		c.minLength, err = count(m.value)
	case "maxLength":
		c.maxLength, err = count(m.value)
	case "minItems":
		c.minItems, err = count(m.value)
	case "maxItems":
		c.maxItems, err = count(m.value)
	case "minimum":
		err = strictly(m.value, &c.minimum)
	case "maximum":
		err = strictly(m.value, &c.maximum)
	case "title", "description":
		var text string
		err = strictly(m.value, &text)
	case "default", "examples": // shown to people, checked by nobody
	default:
		err = fmt.Errorf("the keyword is outside the restricted schema")
	}
	return err
}

func (c *compiler) finish() error {
	object := c.types&kindObject != 0 || len(c.names) > 0 || len(c.required) > 0
	switch {
	case object && !c.stated:
		return fmt.Errorf("an object must state additionalProperties")
	case c.maxLength >= 0 && c.minLength > c.maxLength, c.maxItems >= 0 && c.minItems > c.maxItems,
		c.minimum != nil && c.maximum != nil && *c.minimum > *c.maximum:
		return fmt.Errorf("a minimum is above its maximum")
	}
	for _, name := range c.required {
		i, declared := c.index[name]
		if !declared {
			if c.closed {
				return fmt.Errorf("required %q is not declared and nothing else is allowed", name)
			}
			i = c.declare(name, c.rest)
		}
		if i >= maxProperties {
			return fmt.Errorf("more than %d properties", maxProperties)
		}
		if c.node.required.has(i) {
			return fmt.Errorf("required names %q twice", name)
		}
		c.node.required.set(i)
	}
	return nil
}

func (c *compiler) declare(name string, n *node) int {
	if c.index == nil {
		c.index = map[string]int{}
	}
	i := len(c.names)
	c.index[name], c.names, c.props = i, append(c.names, name), append(c.props, n)
	return i
}

func (c *compiler) properties(doc json.RawMessage) error {
	list, err := members(doc, c.at+"/properties")
	if err != nil {
		return err
	}
	if len(list) > maxProperties {
		return fmt.Errorf("more than %d properties", maxProperties)
	}
	for _, m := range list {
		n, err := compile(m.value, c.at+"/properties/"+m.name, c.depth+1)
		if err != nil {
			return err
		}
		c.declare(m.name, n)
	}
	return nil
}

func (c *compiler) additional(doc json.RawMessage) error {
	c.stated = true
	switch string(doc) {
	case "true":
		return nil
	case "false":
		c.closed = true
		return nil
	}
	n, err := compile(doc, c.at+"/additionalProperties", c.depth+1)
	c.rest = n
	return err
}

// strictly decodes and refuses null, which json.Unmarshal would let pass.
func strictly(doc json.RawMessage, into any) error {
	if string(doc) == "null" {
		return fmt.Errorf("null is not allowed")
	}
	return json.Unmarshal(doc, into)
}

func count(doc json.RawMessage) (int, error) {
	var f float64
	if err := strictly(doc, &f); err != nil {
		return 0, err
	}
	if f < 0 || f != math.Trunc(f) || f > math.MaxInt32 {
		return 0, fmt.Errorf("%v is not a count", f)
	}
	return int(f), nil
}

func compileTypes(doc json.RawMessage) (kinds, error) {
	var list []string
	if err := json.Unmarshal(doc, &list); err != nil {
		var one string
		if err := strictly(doc, &one); err != nil {
			return 0, err
		}
		list = []string{one}
	}
	if len(list) == 0 {
		return 0, fmt.Errorf("no type is allowed")
	}
	var out kinds
	for _, name := range list {
		i := slices.IndexFunc(typeNames, func(t struct {
			kind kinds
			name string
		}) bool {
			return t.name == name
		})
		if i < 0 || out&typeNames[i].kind != 0 {
			return 0, fmt.Errorf("%q is unknown or named twice", name)
		}
		out |= typeNames[i].kind
	}
	return out, nil
}

func compileEnum(doc json.RawMessage) (*enum, error) {
	var list []any
	if err := strictly(doc, &list); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no value is allowed")
	}
	e := &enum{texts: map[string]struct{}{}}
	shown := make([]string, 0, len(list))
	for _, v := range list {
		if !e.add(v) {
			return nil, fmt.Errorf("only strings, numbers, booleans and null can be listed")
		}
		b, _ := json.Marshal(v) // a scalar that was just decoded
		shown = append(shown, string(b))
	}
	e.shown = strings.Join(shown, ", ")
	return e, nil
}

func (e *enum) add(v any) bool {
	switch v := v.(type) {
	case string:
		e.texts[v] = struct{}{}
	case float64:
		e.numbers = append(e.numbers, v)
	case bool:
		e.yes, e.no = e.yes || v, e.no || !v
	case nil:
		e.words |= kindNull
	default:
		return false
	}
	return true
}
