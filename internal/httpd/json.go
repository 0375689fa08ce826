package httpd

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"thhotel/internal/fault"
)

// MaxDepth is how deep a request's JSON may nest; tools have a tighter limit of their own.
const MaxDepth = 64

// ErrDepth reports JSON that nests too deep.
var ErrDepth = errors.New("nested too deep")

// ErrNumber reports a number beyond what a double holds (RFC 8259, section 6):
// readers would disagree about it.
var ErrNumber = errors.New("number out of range")

// CheckJSON reports whether b is exactly one JSON value: valid UTF-8 (also inside
// escapes), no duplicate keys, nothing behind it, no deeper than depth.
// encoding/json is lenient in all four, and two readers of one lenient document
// may see two different ones.
func CheckJSON(b []byte, depth int) error {
	d := jsontext.NewDecoder(bytes.NewBuffer(b))
	for {
		token, err := d.ReadToken()
		if err == nil && d.StackDepth() > depth {
			return ErrDepth
		}
		if err == nil && token.Kind() == '0' && beyondDouble(token.String()) {
			return ErrNumber
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

// beyondDouble is only asked of numbers long enough, or with an exponent.
func beyondDouble(number string) bool {
	if len(number) < 300 && !strings.ContainsAny(number, "eE") {
		return false
	}
	_, err := strconv.ParseFloat(number, 64)
	return err != nil
}

// InvalidJSON says what is wrong with a body, without echoing it.
func InvalidJSON(err error) *fault.Error {
	zh, en := "请求体不是合法的 JSON。", "The request body is not valid JSON."
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		zh, en = "请求体的 JSON 含有重复的键。", "The JSON body contains a duplicate key."
	case errors.Is(err, ErrDepth):
		zh, en = "请求体的 JSON 嵌套过深。", "The JSON body is nested too deep."
	case errors.Is(err, ErrNumber):
		zh, en = "请求体的 JSON 含有超出双精度范围的数字。", "The JSON body contains a number beyond the range of a double."
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
			return InvalidJSON(err).At(fault.Violation{Path: "/" + strings.ReplaceAll(wrong.Field, ".", "/"), Message: "类型不对：" + wrong.Value, MessageEN: "wrong type: " + wrong.Value})
		}
		return InvalidJSON(err)
	}
	return nil
}
