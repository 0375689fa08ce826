package inbox

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-playground/validator/v10"

	"thhotel/internal/agent"
	"thhotel/internal/fault"
)

//go:embed schema/delivery.json
var deliverySchema []byte

// DeliverySchema is the JSON Schema of a delivery: what the interface publishes
// is what a delivery is held against.
func DeliverySchema() json.RawMessage { return deliverySchema }

// busCheck judges deliveries: types by the published schema, values by the tags
// of busPayload. Building it costs, so a service has one.
type busCheck struct {
	schema *agent.Schema
	values *validator.Validate
}

func newBusCheck() (*busCheck, error) {
	schema, err := agent.CompileSchema(deliverySchema)
	if err != nil {
		return nil, fmt.Errorf("delivery schema: %w", err)
	}
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		return name
	})
	for tag, ok := range map[string]func(string) bool{"line": plain, "place": isPlace, "moment": isMoment, "brief": isBrief} {
		if err := v.RegisterValidation(tag, func(f validator.FieldLevel) bool { return ok(f.Field().String()) }); err != nil {
			return nil, fmt.Errorf("delivery rule %s: %w", tag, err)
		}
	}
	return &busCheck{schema: schema, values: v}, nil
}

func isPlace(s string) bool  { return sourceName.MatchString(source(s, DefaultProvider)) }
func isMoment(s string) bool { _, err := time.Parse(time.RFC3339, s); return err == nil }
func isBrief(s string) bool  { return utf8.RuneCountInString(s) <= maxAttachmentID }

// decode reads a delivery, or names every place where it is not as published.
func (c *busCheck) decode(payload []byte) (busPayload, []fault.Violation, error) {
	var b busPayload
	if !json.Valid(payload) {
		return b, []fault.Violation{violation("", "必须是接口文档所述的 JSON 对象", "a JSON object as the interface describes it")}, nil
	}
	if wrong := c.schema.ValidateIn(payload, "zh"); len(wrong) > 0 {
		for i, v := range c.schema.ValidateIn(payload, "en") {
			wrong[i].MessageEN = v.Message
		}
		return b, wrong, nil
	}
	if err := json.Unmarshal(payload, &b); err != nil {
		return b, []fault.Violation{jsonViolation(err)}, nil
	}
	err := c.values.Struct(b)
	var found validator.ValidationErrors
	if err != nil && !errors.As(err, &found) {
		return b, nil, fmt.Errorf("judge delivery: %w", err)
	}
	var wrong []fault.Violation
	for _, f := range found {
		say := expected[f.Tag()]
		wrong = append(wrong, violation(pointer(f.Namespace()), say.zh, say.en))
	}
	return b, wrong, nil
}

type phrase struct{ zh, en string }

// expected says what each rule in the tags of busPayload asks for.
var expected = map[string]phrase{
	"required":       {"必填，不能为空", "required, not empty"},
	"line":           {"最多 1000 字节的单行文本", "at most 1000 bytes of text in one line"},
	"place":          {"最多 32 个字符，只能是 A-Z 0-9 _ . -", "at most 32 of A-Z 0-9 _ . -"},
	"brief":          {"最多 200 个字符", "at most 200 characters"},
	"moment":         {"必须是带时区偏移的 RFC 3339 时间，例如 2026-11-30T11:05:13+07:00", "a moment in RFC 3339 with its offset, such as 2026-11-30T11:05:13+07:00"},
	"ne_ignore_case": {"IMPORT 只用于人工导入的文件", "IMPORT is for files that people bring"},
	"excluded_with":  {"提供 raw_mime_base64 时不要再提供该字段", "leave it out beside raw_mime_base64: the mail itself says it"},
}

var index = regexp.MustCompile(`\[(\d+)\]`)

// pointer makes a JSON pointer of a validator's namespace, whose first part is the type.
func pointer(namespace string) string {
	_, rest, _ := strings.Cut(namespace, ".")
	return "/" + strings.ReplaceAll(index.ReplaceAllString(rest, ".$1"), ".", "/")
}

func violation(path, zh, en string) fault.Violation {
	return fault.Violation{Path: path, Message: zh, MessageEN: en}
}

func jsonViolation(err error) fault.Violation {
	var t *json.UnmarshalTypeError
	if errors.As(err, &t) {
		return violation("/"+strings.ReplaceAll(t.Field, ".", "/"), "类型或大小不对："+t.Value, "of another type or size: "+t.Value)
	}
	return violation("", "必须是接口文档所述的 JSON 对象", "a JSON object as the interface describes it")
}
