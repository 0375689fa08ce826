package order

import (
	"encoding/json"
	"strings"
)

// label is what people call a field.
type label struct{ zh, en string }

// otherLabels name what is no field of the table fields(): keys, room lines, the
// facts of a mail that have no column, and the parts of those.
var otherLabels = map[string]label{
	"group_code":          {"团号", "group code"},
	"confirmation_number": {"确认号", "confirmation number"},
	"reservation_no":      {"预订内部号", "reservation number"},
	"locator_value":       {"订单号", "the order's key"},

	"room_items":      {"房型明细", "rooms"},
	"room_type_code":  {"房型代码", "room type"},
	"room_count":      {"间数", "rooms"},
	"rate":            {"房价", "rate"},
	"department_code": {"部门代码", "department"},
	"bank_reference":  {"银行流水号", "bank reference"},
	"proforma_number": {"形式发票号", "pro forma number"},

	"rooming_list_due_date": {"名单截止日", "rooming list due"},
	"deposit":               {"定金", "deposit"},
	"additional_guests":     {"增加的客人", "additional guests"},
	"removed_guests":        {"移除的客人", "removed guests"},
	"billing":               {"结算方式", "billing"},
	"meal_plan":             {"餐食", "meal plan"},
	"net_rate":              {"净价", "net rate"},

	"amount":   {"金额", "amount"},
	"currency": {"币种", "currency"},
	"percent":  {"比例 %", "percent"},
	"due_date": {"应付日", "due"},
	"per":      {"单位", "per"},
}

// labels of a field in both languages. A fact that a mail made up keeps its own
// words, without the underscores.
func labels(name string) (zh, en string) {
	if f, ok := fieldNamed(name); ok {
		return f.zh, f.en
	}
	if l, ok := otherLabels[name]; ok {
		return l.zh, l.en
	}
	plain := strings.ReplaceAll(name, "_", " ")
	return plain, plain
}

// labelled lists fields for a sentence.
func labelled(names []string) (zh, en string) {
	z, e := make([]string, len(names)), make([]string, len(names))
	for i, n := range names {
		z[i], e[i] = labels(n)
	}
	return strings.Join(z, "、"), strings.Join(e, ", ")
}

// step says of one field what it was and what it becomes.
func step(name, now, proposed string) label {
	l := label{}
	l.zh, l.en = labels(name)
	to := spoken(proposed)
	if now == "" {
		return label{l.zh + "设为 " + to.zh, l.en + " set to " + to.en}
	}
	from := spoken(now)
	return label{l.zh + " " + from.zh + " → " + to.zh, l.en + " " + from.en + " → " + to.en}
}

// spoken reads out a value as text() gives it: JSON in words, the rest as it is.
func spoken(value string) label {
	if value == "" || !strings.Contains("{[tf", value[:1]) {
		return label{value, value}
	}
	var v any
	if json.Unmarshal([]byte(value), &v) != nil {
		return label{value, value}
	}
	return words(v)
}

func words(v any) label {
	switch v := v.(type) {
	case nil:
		return label{}
	case string:
		return label{v, v}
	case bool:
		if v {
			return label{"是", "yes"}
		}
		return label{"否", "no"}
	case []any:
		return listWords(v)
	case map[string]any:
		return objectWords(v)
	}
	n := toJSON(v)
	return label{n, n}
}

func listWords(list []any) label {
	var zh, en []string
	for _, x := range list {
		l := words(x)
		zh, en = append(zh, l.zh), append(en, l.en)
	}
	return label{strings.Join(zh, "、"), strings.Join(en, "; ")}
}

// objectWords puts money first, as people write it: "THB 1850.00".
func objectWords(o map[string]any) label {
	var zh, en []string
	amount, currency := words(o["amount"]).en, words(o["currency"]).en
	money := amount != "" && currency != ""
	if money {
		zh, en = append(zh, currency+" "+amount), append(en, currency+" "+amount)
	}
	for _, k := range sortedKeys(o) {
		l := words(o[k])
		if l.en == "" || money && (k == "amount" || k == "currency") {
			continue
		}
		z, e := labels(k)
		zh, en = append(zh, z+" "+l.zh), append(en, e+" "+l.en)
	}
	return label{strings.Join(zh, " "), strings.Join(en, " ")}
}
