package httpd

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"thhotel/internal/fault"
)

// MaxDepth is how deep a request's JSON may nest; tools have a tighter limit of their own.
const MaxDepth = 64

// ErrDepth reports JSON that nests too deep.
var ErrDepth = errors.New("nested too deep")

// CheckJSON reports whether b is exactly one JSON value: valid UTF-8 (also inside
// escapes), no duplicate keys, nothing behind it, no deeper than depth.
// encoding/json is lenient in all four, and two readers of one lenient document
// may see two different ones.
func CheckJSON(b []byte, depth int) error {
	d := jsontext.NewDecoder(bytes.NewBuffer(b))
	for {
		_, err := d.ReadToken()
		if err == nil && d.StackDepth() > depth {
			return ErrDepth
		}
		if err != nil {
			return err //nolint:wrapcheck // callers only ask whether and what kind
		}
		if d.StackDepth() == 0 {
			break
		}
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return errors.New("data after the JSON value")
	}
	return nil
}

// InvalidJSON says what is wrong with a body, without echoing it.
func InvalidJSON(err error) *fault.Error {
	zh, en := "请求体不是合法的 JSON。", "The request body is not valid JSON."
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		zh, en = "请求体的 JSON 含有重复的键。", "The JSON body contains a duplicate key."
	case errors.Is(err, ErrDepth):
		zh, en = "请求体的 JSON 嵌套过深。", "The JSON body is nested too deep."
	case err != nil && err.Error() == "data after the JSON value":
		zh, en = "请求体在 JSON 之后还有多余内容。", "There is more data after the JSON body."
	}
	return fault.New(fault.Invalid, CodeRequestInvalid, zh+"请修正后重试。", en+" Correct it and send it again.").Because(err)
}

// DecodeJSON checks b and decodes it into v; unknown fields are allowed.
func DecodeJSON(b []byte, v any) error {
	if err := CheckJSON(b, MaxDepth); err != nil {
		return InvalidJSON(err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return InvalidJSON(err).At(fault.Violation{Path: "/" + strings.ReplaceAll(wrong.Field, ".", "/"), Message: "wrong type: " + wrong.Value})
		}
		return InvalidJSON(err)
	}
	return nil
}
