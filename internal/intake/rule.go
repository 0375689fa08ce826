package intake

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"thhotel/internal/fault"
)

// checker collects what is wrong, in reading order.
type checker struct{ problems []fault.Violation }

func (c *checker) add(path, code, zh, en string) {
	c.problems = append(c.problems, violation(path, code, zh, en))
}

// rule judges one value; rules combine, so that a contract reads as its own text.
type rule func(c *checker, path string, v any)

// member is one field of an object.
type member struct {
	name     string
	required bool
	rule     rule
}

func must(name string, r rule) member { return member{name, true, r} }
func may(name string, r rule) member  { return member{name, false, r} }

// Whether an object may have fields that its rule does not name.
const (
	closed = true
	open   = false
)

func object(isClosed bool, members ...member) rule {
	return func(c *checker, path string, v any) {
		obj, ok := v.(map[string]any)
		if !ok {
			c.add(path, CodeFieldType, "必须是对象", "must be an object")
			return
		}
		known := map[string]bool{}
		for _, m := range members {
			known[m.name] = true
			value, given := obj[m.name]
			switch {
			case given:
				m.rule(c, path+"/"+m.name, value)
			case m.required:
				c.add(path+"/"+m.name, CodeFieldRequired, "缺少必填字段", "this field is required")
			}
		}
		if !isClosed {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(obj)) {
			if !known[name] {
				c.add(path+"/"+escape(name), CodeFieldUnknown, "不接受的字段，请删除", "this field is not accepted; leave it out")
			}
		}
	}
}

func list(each rule) rule {
	return func(c *checker, path string, v any) {
		items, ok := v.([]any)
		if !ok {
			c.add(path, CodeFieldType, "必须是数组", "must be an array")
			return
		}
		for i, item := range items {
			each(c, path+"/"+strconv.Itoa(i), item)
		}
	}
}

func atMost(n int) rule {
	return func(c *checker, path string, v any) {
		if items, _ := v.([]any); len(items) > n {
			c.add(path, CodeItemsTooMany, fmt.Sprintf("最多 %d 项，更大的邮件请用 S99 转人工", n), fmt.Sprintf("at most %d items; leave a larger mail to people (S99)", n))
		}
	}
}

func nullable(r rule) rule {
	return func(c *checker, path string, v any) {
		if v != nil {
			r(c, path, v)
		}
	}
}

func anything(*checker, string, any) {}

func text(c *checker, path string, v any) {
	if _, ok := v.(string); !ok {
		c.add(path, CodeFieldType, "必须是字符串", "must be a string")
	}
}

func filled(c *checker, path string, v any) {
	text(c, path, v)
	if s, ok := v.(string); ok && strings.TrimSpace(s) == "" {
		c.add(path, CodeValueEmpty, "不能为空", "must not be blank")
	}
}

func upTo(most int) rule {
	return func(c *checker, path string, v any) {
		text(c, path, v)
		if s, ok := v.(string); ok && utf8.RuneCountInString(strings.TrimSpace(s)) > most {
			c.add(path, CodeValueTooLong, fmt.Sprintf("最多 %d 个字符", most), fmt.Sprintf("at most %d characters", most))
		}
	}
}

func both(rules ...rule) rule {
	return func(c *checker, path string, v any) {
		for _, r := range rules {
			before := len(c.problems)
			if r(c, path, v); len(c.problems) > before {
				return // one complaint about a place is enough
			}
		}
	}
}

func oneOf(values ...string) rule {
	return func(c *checker, path string, v any) {
		s, ok := v.(string)
		if !ok {
			text(c, path, v)
			return
		}
		if !slices.Contains(values, s) {
			all := strings.Join(values, ", ")
			c.add(path, CodeValueNotAllowed, "只能是（区分大小写）"+all, "must be one of (case matters) "+all)
		}
	}
}

func boolean(c *checker, path string, v any) {
	if _, ok := v.(bool); !ok {
		c.add(path, CodeFieldType, "必须是布尔值", "must be true or false")
	}
}

func number(c *checker, path string, v any) {
	if _, ok := v.(json.Number); !ok {
		c.add(path, CodeFieldType, "必须是数字", "must be a number")
	}
}

// whole accepts a JSON integer from least on. 2.0 is an integer in JSON Schema too.
func whole(least int) rule {
	return func(c *checker, path string, v any) {
		n, ok := v.(json.Number)
		f, err := n.Float64()
		if !ok || err != nil || f != float64(int64(f)) {
			c.add(path, CodeFieldType, "必须是整数", "must be an integer")
			return
		}
		if f < float64(least) || f > maxCount {
			c.add(path, CodeCountInvalid, fmt.Sprintf("必须在 %d 到 %d 之间", least, maxCount), fmt.Sprintf("must be from %d to %d", least, maxCount))
		}
	}
}

func date(c *checker, path string, v any) {
	text(c, path, v)
	if s, ok := v.(string); ok {
		if _, err := time.Parse(time.DateOnly, s); err != nil {
			c.add(path, CodeDateInvalid, "必须是真实存在的日期 YYYY-MM-DD", "must be a real date, YYYY-MM-DD")
		}
	}
}

func matches(re *regexp.Regexp, code, zh, en string) rule {
	return func(c *checker, path string, v any) {
		text(c, path, v)
		if s, ok := v.(string); ok && !re.MatchString(s) {
			c.add(path, code, zh, en)
		}
	}
}
