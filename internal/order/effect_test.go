package order_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"thhotel/internal/order"
	"thhotel/internal/testkit"
)

// told are the fields of the contract's section 7 that change an order, with a
// value and how a sentence says it in both languages.
var told = map[string]struct{ value, zh, en string }{
	"guest_name":            {`"BENNETT, LAUREN"`, "客人姓名 BENNETT, LAURA → BENNETT, LAUREN", "guest name BENNETT, LAURA → BENNETT, LAUREN"},
	"group_name":            {`"Choir"`, "团队名称设为 Choir", "group name set to Choir"},
	"alternate_name":        {`"王"`, "别名设为 王", "alternate name set to 王"},
	"arrival_date":          {`"2026-12-01"`, "到店日期 2026-12-02 → 2026-12-01", "arrival 2026-12-02 → 2026-12-01"},
	"departure_date":        {`"2026-12-16"`, "离店日期 2026-12-06 → 2026-12-16", "departure 2026-12-06 → 2026-12-16"},
	"rate_code":             {`"BARBB"`, "房价代码 CORP → BARBB", "rate code CORP → BARBB"},
	"account_code":          {`"ACME"`, "客户代码 OLD → ACME", "account OLD → ACME"},
	"external_reference":    {`"X-1"`, "外部单号设为 X-1", "external reference set to X-1"},
	"adults":                {`2`, "成人设为 2", "adults set to 2"},
	"children":              {`0`, "儿童设为 0", "children set to 0"},
	"room_items":            {`[{"room_type_code":"DLXK","room_count":3}]`, "DLXK 1 → 3 间", "DLXK rooms 1 → 3"},
	"cutoff_date":           {`"2026-12-01"`, "截止日设为 2026-12-01", "cut-off set to 2026-12-01"},
	"rooming_list_due_date": {`"2026-12-01"`, "名单截止日设为 2026-12-01", "rooming list due set to 2026-12-01"},
	"deposit":               {`{"percent":20,"amount":null,"due_date":"2026-12-01"}`, "定金设为 应付日 2026-12-01 比例 % 20", "deposit set to due 2026-12-01 percent 20"},
	"additional_guests":     {`["A, B","C, D"]`, "增加的客人设为 A, B、C, D", "additional guests set to A, B; C, D"},
	"removed_guests":        {`["E, F"]`, "移除的客人 E, F", "removed guests E, F"},
	"billing":               {`"GUEST_ACCOUNT"`, "结算方式设为 GUEST_ACCOUNT", "billing set to GUEST_ACCOUNT"},
	"meal_plan":             {`"HB"`, "餐食设为 HB", "meal plan set to HB"},
	"net_rate":              {`{"amount":"1850.00","currency":"THB","per":"PERSON_NIGHT"}`, "净价设为 THB 1850.00 单位 PERSON_NIGHT", "net rate set to THB 1850.00 per PERSON_NIGHT"},
}

// untold say how to read the event, or belong to other event types.
var untold = []string{"scope", "status", "cancellation_reason", "penalty_waiver_requested", "cancellation_number_requested",
	"payment", "rooming_list", "discrepancies", "date_candidates", "review_reason"}

// changing lists the fields of docs/m002-v4-contract.md, section 7.
func changing(t *testing.T) []string {
	t.Helper()
	doc, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs", "m002-v4-contract.md"))
	must(t, err)
	_, section, _ := strings.Cut(string(doc), "## 7. `after`")
	section, _, _ = strings.Cut(section, "<!-- example")
	var out []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`.*?) \\|").FindAllStringSubmatch(section, -1) {
		for _, name := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(row[1], -1) {
			if !slices.Contains(untold, name[1]) {
				out = append(out, name[1])
			}
		}
	}
	if len(out) < 15 {
		t.Fatalf("fields %v: section 7 was not understood", out)
	}
	return out
}

// The sentence before a confirm says every change in people's words.
func TestEffectSpeaksOfEveryField(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	must(t, w.orders.LoadOrders(context.Background(), w.system, []order.Record{{BookingType: order.FIT, ConfirmationNumber: "4039999", GuestName: "BENNETT, LAURA",
		ArrivalDate: "2026-12-02", DepartureDate: "2026-12-06", RateCode: "CORP", AccountCode: "OLD", Rooms: []order.RoomLine{{RoomTypeCode: "DLXK", RoomCount: 1}}}}))
	p := w.pack("05-fit-update-trace-chinese.v4.json")
	after := map[string]json.RawMessage{"arrival_flight": json.RawMessage(`"TG 971"`), "late_checkout": json.RawMessage(`true`)}
	names := changing(t)
	for _, name := range names {
		if told[name].value == "" {
			t.Fatalf("%s: say how a sentence speaks of it, or that none does", name)
		}
		after[name] = json.RawMessage(told[name].value)
	}
	event := map[string]any{"order_ref": "ORD-1", "event_type": "UPDATE_BOOKING", "manual_review": false, "after": after,
		"target_order": order.Target{BookingType: order.FIT, LocatorType: order.ByConfirmation, LocatorValue: "4039999"},
		"trace_items":  []order.TraceItem{{Type: "TRACE", Text: "High floor"}}}
	raw, err := json.Marshal(event)
	must(t, err)
	p.Events = []json.RawMessage{raw}
	v := w.card(w.submit(p)[0].CardID)
	want := []struct{ zh, en string }{{"arrival flight设为 TG 971", "arrival flight set to TG 971"}, {"late checkout设为 是", "late checkout set to yes"}, {"添加 1 条备注", "1 trace(s) added"}}
	for _, name := range names {
		want = append(want, struct{ zh, en string }{told[name].zh, told[name].en})
	}
	for _, s := range want {
		if !strings.Contains(v.EffectZH, s.zh) || !strings.Contains(v.EffectEN, s.en) {
			t.Errorf("the effect does not say %q / %q", s.zh, s.en)
		}
	}
	if t.Failed() || regexp.MustCompile(`[a-z]_[a-z]|[{}\[\]"]`).MatchString(v.EffectZH+v.EffectEN) {
		t.Errorf("effect:\n%s\n%s", v.EffectZH, v.EffectEN)
	}
}

// Rules name fields in people's words too.
func TestRulesNameFieldsInWords(t *testing.T) {
	for name, spoil := range map[string]func(*order.Facts){
		"order.field_moved": func(f *order.Facts) { f.Moved = []string{"adults", "cutoff_date", "room_items"} },
		"dates.real":        with(updateRaw, "2027-02-12", "2027-02-30"),
		"codes.length":      func(f *order.Facts) { f.Event.Target.LocatorValue = strings.Repeat("A", 81) },
	} {
		f := facts(updateRaw)
		spoil(&f)
		list := order.Judge(f)
		i := slices.IndexFunc(list, func(r order.RuleResult) bool { return r.Name == name })
		if i < 0 || regexp.MustCompile(`[a-z]_[a-z]`).MatchString(list[i].Text+list[i].TextEN) || !regexp.MustCompile(`\p{Han}`).MatchString(list[i].Text) {
			t.Errorf("%s: %+v", name, list)
		}
	}
}
