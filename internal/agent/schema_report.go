package agent

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"thhotel/internal/fault"
)

// wrong says what is wrong at a place.
type wrong uint8

const (
	notUTF8 wrong = iota
	syntax
	trailing
	tooDeep
	surrogate
	outOfRange
	wrongType
	notListed
	twice
	undeclared
	missing
	itemCount
	length
	bounds
)

// report gathers violations. A nil report ignores everything, so that the fast
// pass shares the code and pays for none of this.
type report struct {
	lang  string
	path  []string
	found []fault.Violation
}

// maxViolations is enough to repair a call by; more would only cost.
const maxViolations = 50

func (r *report) push(name []byte) {
	if r != nil {
		r.path = append(r.path, string(name))
	}
}

func (r *report) pushIndex(i int) {
	if r != nil {
		r.path = append(r.path, strconv.Itoa(i))
	}
}

func (r *report) pop() {
	if r != nil {
		r.path = r.path[:len(r.path)-1]
	}
}

// bad notes what the schema refuses and says whether to go on.
func (p *scanner) bad(w wrong, n *node, got kinds) bool {
	if p.report == nil || len(p.report.found) >= maxViolations {
		return false
	}
	p.report.add(p.report.explain(w, n, got))
	return true
}

// broken notes that the text cannot be read any further.
func (p *scanner) broken(w wrong) bool {
	if p.report != nil {
		p.report.add(p.report.malformed(w, p.pos))
	}
	return false
}

var pointer = strings.NewReplacer("~", "~0", "/", "~1")

func (r *report) add(message string) {
	var b strings.Builder
	for _, s := range r.path {
		b.WriteByte('/')
		b.WriteString(pointer.Replace(s))
	}
	r.found = append(r.found, fault.Violation{Path: b.String(), Message: message})
}

func (r *report) say(zh, en string, args ...any) string {
	if r.lang == "en" {
		return fmt.Sprintf(en, args...)
	}
	return fmt.Sprintf(zh, args...)
}

func (r *report) malformed(w wrong, pos int) string {
	switch w {
	case notUTF8:
		return r.say("须为有效的 UTF-8 文本", "expected valid UTF-8")
	case trailing:
		return r.say("JSON 之后有多余内容（第 %d 字节）", "expected nothing after the JSON value (byte %d)", pos)
	case tooDeep:
		return r.say("嵌套不得超过 %d 层", "expected at most %d levels of nesting", MaxDepth)
	case surrogate:
		return r.say("\\u 转义不是完整的字符（第 %d 字节）", "expected a complete character; half a surrogate pair (byte %d)", pos)
	case outOfRange:
		return r.say("数值超出范围", "expected a number within range")
	default: // syntax
		return r.say("不是合法的 JSON（第 %d 字节附近）", "expected well-formed JSON (near byte %d)", pos)
	}
}

func (r *report) explain(w wrong, n *node, got kinds) string {
	switch w {
	case wrongType:
		return r.say("应为 %s，收到 %s", "expected %s, got %s", typeList(n.types), typeList(got))
	case notListed:
		return r.say("应为以下之一：%s", "expected one of: %s", shorten(n.enum.shown))
	case twice:
		return r.say("字段只能出现一次", "expected once, given twice")
	case undeclared:
		return r.say("未声明的字段；此处允许：%s", "not a known property; expected one of: %s", shorten(strings.Join(n.names, ", ")))
	case missing:
		if n == nil || n.types == 0 {
			return r.say("缺少必填字段", "a required property is missing")
		}
		return r.say("缺少必填字段，应为 %s", "a required property is missing, expected %s", typeList(n.types))
	case itemCount:
		return r.say("元素个数应%s", "expected a number of items %s", r.between(limits(n.minItems, n.maxItems)))
	case length:
		return r.say("字符数应%s", "expected a length in characters %s", r.between(limits(n.minLength, n.maxLength)))
	default: // bounds
		return r.say("数值应%s", "expected a number %s", r.between(n.minimum, n.maximum))
	}
}

func (r *report) between(low, high *float64) string {
	switch {
	case high == nil:
		return r.say("不小于 %s", "of at least %s", plain(low))
	case low == nil:
		return r.say("不大于 %s", "of at most %s", plain(high))
	}
	return r.say("在 %s 到 %s 之间", "from %s to %s", plain(low), plain(high))
}

func plain(f *float64) string { return strconv.FormatFloat(*f, 'f', -1, 64) }

// limits are the two counts as bounds; -1 is no upper limit.
func limits(low, high int) (lo, hi *float64) {
	l := float64(low)
	if high < 0 {
		return &l, nil
	}
	h := float64(high)
	return &l, &h
}

func typeList(k kinds) string {
	var out []string
	for _, t := range typeNames {
		if k&t.kind != 0 {
			out = append(out, t.name)
		}
	}
	return strings.Join(out, " | ")
}

// shorten keeps a long list from filling an answer.
func shorten(s string) string {
	const most = 400
	if len(s) <= most {
		return s
	}
	cut := most
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + " …"
}
