package mcpserver

import (
	"bytes"
	"encoding/json"
)

// field is one member of an object; the value shares the document's memory.
type field struct {
	name  string
	value json.RawMessage
}

// fields are the members of one object, in its order. Objects here are small:
// looking through them costs less than a map.
type fields []field

// get returns the value of a name, matched exactly (encoding/json would take
// "Method" for "method"), nil when there is none.
func (f fields) get(name string) json.RawMessage {
	for i := range f {
		if f[i].name == name {
			return f[i].value
		}
	}
	return nil
}

// members splits an object. raw must have been found well formed before: only its
// shape is followed here.
func members(raw []byte) fields {
	out := make(fields, 0, 8)
	i := blank(raw, 1)
	for i < len(raw) && raw[i] == '"' {
		end := quoted(raw, i)
		name := text(raw[i:end])
		i = blank(raw, blank(raw, end)+1) // the colon
		end = value(raw, i)
		out = append(out, field{name, json.RawMessage(raw[i:end])})
		i = blank(raw, end)
		if i < len(raw) && raw[i] == ',' {
			i = blank(raw, i+1)
		}
	}
	return out
}

// blank returns where the white space that begins at i ends.
func blank(raw []byte, i int) int {
	for i < len(raw) && (raw[i] == ' ' || raw[i] == '\n' || raw[i] == '\r' || raw[i] == '\t') {
		i++
	}
	return i
}

// quoted returns where the string that begins at i ends.
func quoted(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

// value returns where the value that begins at i ends.
func value(raw []byte, i int) int {
	for depth := 0; i < len(raw); {
		switch raw[i] {
		case '"':
			i = quoted(raw, i)
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			depth--
			i++
		default:
			if n := bytes.IndexAny(raw[i:], `",{}[]: `+"\n\r\t"); depth == 0 {
				return ended(raw, i, n)
			}
			i++
			continue
		}
		if depth == 0 {
			return i
		}
	}
	return len(raw)
}

func ended(raw []byte, i, n int) int {
	if n < 0 {
		return len(raw)
	}
	return i + n
}

// text is the string behind raw, "" for anything else.
func text(raw json.RawMessage) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}
