package config

import (
	"fmt"
	"log/slog"
	"strconv"
	"strings"
)

const redacted = "***"

// Secret never prints. Convert it to a string where it is used.
type Secret string

// String hides the value.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return redacted
}

// GoString hides the value from %#v.
func (s Secret) GoString() string { return strconv.Quote(s.String()) }

// MarshalText hides the value from JSON and YAML.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue hides the value from log/slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// DSN is a database's address; it prints without its password.
type DSN string

// String hides the password: what stands between the first colon and the last
// @ before the address, as MySQL's driver reads it.
func (d DSN) String() string {
	at := strings.LastIndexByte(string(d), '@')
	if at < 0 {
		return string(d)
	}
	scheme := 0
	if i := strings.Index(string(d[:at]), "://"); i >= 0 {
		scheme = i + len("://")
	}
	user, _, found := strings.Cut(string(d[scheme:at]), ":")
	if !found {
		return string(d)
	}
	return string(d[:scheme]) + user + ":" + redacted + string(d[at:])
}

// GoString hides the password from %#v.
func (d DSN) GoString() string { return strconv.Quote(d.String()) }

// MarshalText hides the password from JSON and YAML.
func (d DSN) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// LogValue hides the password from log/slog.
func (d DSN) LogValue() slog.Value { return slog.StringValue(d.String()) }

// ByteSize is a number of bytes, written 10485760, 10MiB or 10MB.
type ByteSize int64

type unit struct {
	name string
	size int64
}

// units, longest names first, so that "B" does not win over "MiB".
func units() []unit {
	return []unit{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}}
}

// String writes the size in the largest binary unit that divides it.
func (b ByteSize) String() string {
	for _, u := range []unit{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if b != 0 && int64(b)%u.size == 0 {
			return strconv.FormatInt(int64(b)/u.size, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(b), 10)
}

func parseSize(text string) (ByteSize, error) {
	number, factor := strings.TrimSpace(text), int64(1)
	for _, u := range units() {
		if cut, ok := strings.CutSuffix(number, u.name); ok {
			number, factor = strings.TrimSpace(cut), u.size
			break
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > (1<<62)/factor {
		return 0, fmt.Errorf("%q is not a size such as 10MiB", text)
	}
	return ByteSize(n * factor), nil
}
