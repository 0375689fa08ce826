package order

import (
	"encoding/json"
	"slices"
	"strings"

	"thhotel/internal/fault"
)

// faultyFields are the refusing rules that a correction can break by itself, with
// the corrections that can.
var faultyFields = map[string][]string{
	"dates.arrival_before_departure": {"departure_date", "arrival_date"},
	"codes.room_type":                {"room_items"},
	"codes.rate_code":                {"rate_code"},
	"rooms.count":                    {"room_items"},
	"rooms.one_line_per_type":        {"room_items"},
	"payment.currency":               {"payment"},
	"payment.amount":                 {"payment"},
	"trace.text":                     {"trace_items"},
	"event.attachment_of_mail":       {"attachment_ids"},
}

// acceptable refuses corrections that make no sense, field by field, when they are
// saved: an impossible date must not wait for the confirm to be noticed. What was
// wrong before and was not touched is not held against this save.
func (j *judged) acceptable(given Corrections) error {
	if len(given) == 0 {
		return nil
	}
	w := wrongs{given: given}
	for _, v := range j.facts.Violations {
		w.broken(v, j.event.Type == NewBooking)
	}
	for _, k := range sortedKeys(given) {
		w.tooLong(k, j.facts.proposal())
		if _, isField := fieldNamed(k); strings.HasSuffix(k, "_date") && !isField {
			if v := unquote(given[k]); v != "" && !realDate(v) {
				w.add(k, "", codeValue, label{"日期不存在", "a real date, YYYY-MM-DD"})
			}
		}
	}
	w.rates(j.currency())
	for _, r := range j.results {
		if r.Level == Hard {
			w.refused(r)
		}
	}
	return w.err()
}

func (j *judged) currency() string {
	for _, r := range []*Record{j.facts.Target, j.pending, j.facts.Block} {
		if r != nil && r.Currency != "" {
			return r.Currency
		}
	}
	return j.home
}

// wrongs collects what is the matter with the corrections of one save.
type wrongs struct {
	given  Corrections
	list   []fault.Violation
	zh, en []string
}

func (w *wrongs) add(field, rest, code string, what label) {
	path := "/corrections/" + field + rest
	if slices.ContainsFunc(w.list, func(v fault.Violation) bool { return v.Path == path }) {
		return
	}
	zh, en := labels(field)
	w.list = append(w.list, fault.Violation{Path: path, Code: code, Message: what.en})
	w.zh, w.en = append(w.zh, zh+"："+what.zh), append(w.en, en+": "+what.en)
}

// broken takes over a place where the corrected event breaks the contract, if a
// correction stands there.
func (w *wrongs) broken(v fault.Violation, isNew bool) {
	for _, k := range sortedKeys(w.given) {
		at := placeOf(k, isNew)
		if v.Path == "/target_order" && slices.Contains(targetKeys, k) {
			w.add("locator_value", "", v.Code, label{"类型与订单号必须同时填写或同时留空", v.Message})
			return
		}
		if rest, ok := strings.CutPrefix(v.Path, at); ok && (rest == "" || rest[0] == '/') {
			w.add(k, rest, v.Code, label{"不合要求（" + plainValue(w.given[k]) + "）", v.Message})
		}
	}
}

func plainValue(raw json.RawMessage) string { return cut(text(raw), 60) }

// placeOf is where overlay puts a correction.
func placeOf(k string, isNew bool) string {
	switch {
	case slices.Contains(targetKeys, k):
		return "/target_order/" + k
	case slices.Contains(topLevel, k), isNew && slices.Contains(newTopLevel, k):
		return "/" + k
	}
	return "/after/" + k
}

func (w *wrongs) tooLong(k string, p proposal) {
	f, ok := fieldNamed(k)
	if ok && f.max > 0 && len([]rune(p.values[k])) > f.max {
		w.add(k, "", codeValue, label{"最多 " + itoa(f.max) + " 个字符", "at most " + itoa(f.max) + " characters"})
	}
}

func (w *wrongs) rates(currency string) {
	raw, ok := w.given["rates"]
	if !ok || isNull(raw) {
		return
	}
	var byType map[string]string
	if json.Unmarshal(raw, &byType) != nil {
		w.add("rates", "", codeType, label{"房价必须按房型填写", "an object of room type and decimal rate"})
		return
	}
	for _, code := range sortedKeys(byType) {
		if _, ok := minorUnits(byType[code], currency); !ok && byType[code] != "" {
			w.add("rates", "/"+code, codeValue, label{code + " 的房价不是十进制数（" + cut(byType[code], 20) + "）", "the rate of " + code + " as a decimal, such as 2400.00"})
		}
	}
}

// refused takes over a refusing rule that one of the corrections broke.
func (w *wrongs) refused(r RuleResult) {
	for _, field := range faultyFields[r.Name] {
		if w.told(field) {
			return // its exact place is named already
		}
		if _, given := w.given[field]; given {
			w.add(field, "", ruleCode(r.Name), label{r.Text, r.TextEN})
			return
		}
	}
}

func (w *wrongs) told(field string) bool {
	at := "/corrections/" + field
	return slices.ContainsFunc(w.list, func(v fault.Violation) bool { return v.Path == at || strings.HasPrefix(v.Path, at+"/") })
}

func (w *wrongs) err() error {
	if len(w.list) == 0 {
		return nil
	}
	return fault.New(fault.Invalid, CodeCorrection, "更正没有保存："+strings.Join(w.zh, "；"), "The corrections were not saved: "+strings.Join(w.en, "; ")).At(w.list...)
}
