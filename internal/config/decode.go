package config

import (
	"fmt"
	"log/slog"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/knadh/koanf/v2"
)

// field is one setting: its key and where it stands in a Settings.
type field struct {
	key   string
	value reflect.Value
}

func (f field) secret() bool {
	switch f.value.Interface().(type) {
	case Secret, DSN:
		return true
	}
	return false
}

// fields lists the settings in the order they are declared.
func fields(s *Settings) []field { return walk(reflect.ValueOf(s).Elem(), "") }

func walk(v reflect.Value, prefix string) []field {
	var out []field
	for i := range v.NumField() {
		key := prefix + v.Type().Field(i).Tag.Get("key")
		if v.Field(i).Kind() == reflect.Struct {
			out = append(out, walk(v.Field(i), key+".")...)
			continue
		}
		out = append(out, field{key, v.Field(i)})
	}
	return out
}

// Keys lists every setting's key.
func Keys() []string {
	var out []string
	for _, f := range fields(&Settings{}) {
		out = append(out, f.key)
	}
	return out
}

// decode puts what was given into s and reports each value that does not fit.
func decode(k *koanf.Koanf, s *Settings) []error {
	var problems []error
	for _, f := range fields(s) {
		raw := k.Get(f.key)
		if raw == nil {
			continue
		}
		if err := f.set(raw); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", f.key, err))
		}
	}
	return problems
}

// set takes a value as YAML read it, or the text of an environment variable.
func (f field) set(raw any) error {
	if list, ok := f.value.Interface().([]string); ok {
		return f.setList(list, raw)
	}
	switch raw.(type) {
	case map[string]any, []any:
		return fmt.Errorf("a single value is expected")
	}
	text := strings.TrimSpace(fmt.Sprint(raw))
	v, err := parse(f.value.Interface(), text)
	if err != nil {
		if f.secret() {
			return fmt.Errorf("the value does not fit")
		}
		return err
	}
	f.value.Set(reflect.ValueOf(v))
	return nil
}

// setList takes a YAML list, or text with commas.
func (f field) setList(list []string, raw any) error {
	items, ok := raw.([]any)
	if !ok {
		for part := range strings.SplitSeq(fmt.Sprint(raw), ",") {
			items = append(items, part)
		}
	}
	for _, item := range items {
		switch item.(type) {
		case map[string]any, []any:
			return fmt.Errorf("a list of texts is expected")
		}
		if text := strings.TrimSpace(fmt.Sprint(item)); text != "" {
			list = append(list, text)
		}
	}
	f.value.Set(reflect.ValueOf(list))
	return nil
}

// parse reads text as the type of like.
func parse(like any, text string) (any, error) {
	switch like.(type) {
	case string:
		return text, nil
	case Secret:
		return Secret(text), nil
	case DSN:
		return DSN(text), nil
	case ByteSize:
		return parseSize(text)
	case bool:
		return expect(text, "true or false", strconv.ParseBool)
	case int:
		return expect(text, "a whole number", strconv.Atoi)
	case float64:
		return expect(text, "a number", func(t string) (float64, error) { return strconv.ParseFloat(t, 64) })
	case time.Duration:
		return expect(text, "a duration such as 90s, 15m or 8h", time.ParseDuration)
	}
	return nil, fmt.Errorf("settings of type %T cannot be read", like) // caught by the test that loads every key
}

func expect[T any](text, what string, read func(string) (T, error)) (any, error) {
	v, err := read(text)
	if err != nil {
		return nil, fmt.Errorf("%q is not %s", text, what)
	}
	return v, nil
}

// String prints every setting on its line, without secrets.
func (s Settings) String() string {
	var b strings.Builder
	for _, f := range fields(&s) {
		fmt.Fprintf(&b, "%s=%v\n", f.key, f.value.Interface())
	}
	return b.String()
}

// GoString prints the same for %#v.
func (s Settings) GoString() string { return s.String() }

// LogValue groups the settings for log/slog, without secrets.
func (s Settings) LogValue() slog.Value {
	var attrs []slog.Attr
	for _, f := range fields(&s) {
		attrs = append(attrs, slog.Any(f.key, f.value.Interface()))
	}
	return slog.GroupValue(attrs...)
}
