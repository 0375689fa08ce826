package order

import (
	"slices"
	"strings"
)

func traceRules() []rule {
	return []rule{
		{name: "trace.target", level: Hard, events: []EventType{Trace}, check: func(f Facts) verdict {
			return fireIf(f.Target == nil, "备注必须对应一个订单。", "A trace needs the order it is for.")
		}},
		{name: "trace.text", level: Hard, check: func(f Facts) verdict {
			empty := slices.ContainsFunc(f.Event.TraceItems, func(t TraceItem) bool { return t.Text == "" })
			none := f.Event.Type == Trace && len(f.Event.TraceItems) == 0
			return fireIf(empty || none, "备注内容为空。", "A trace has no text.")
		}},
		{name: "trace.date", level: Hard, check: func(f Facts) verdict {
			bad := slices.ContainsFunc(f.Event.TraceItems, func(t TraceItem) bool { return t.Date != "" && !realDate(t.Date) })
			return fireIf(bad, "备注日期不存在。", "A trace's date is no real date.")
		}},
		{name: "trace.order_closed", level: Review, events: []EventType{Trace}, check: func(f Facts) verdict {
			return fireIf(f.Target != nil && !f.Target.Live(), "订单状态为 "+statusOf(f)+"。", "The order is "+statusOf(f)+".")
		}},
		{name: "trace.outside_stay", level: Review, data: true, check: traceOutside},
		{name: "trace.department", level: Review, data: true, check: unknownDepartment},
		{name: "trace.sensitive", level: Warn, check: func(f Facts) verdict {
			var flags []string
			for _, t := range f.Event.TraceItems {
				if flag := sensitivity(t.Text); flag != "" && !slices.Contains(flags, flag) {
					flags = append(flags, flag)
				}
			}
			return fireIf(len(flags) > 0, "涉及过敏或无障碍需求："+strings.Join(flags, "、"), "Allergy or accessibility need: "+strings.Join(flags, ", "))
		}},
	}
}

func traceOutside(f Facts) verdict {
	in, out := f.stay()
	dated := slices.ContainsFunc(f.Event.TraceItems, func(t TraceItem) bool { return t.Date != "" })
	if in == "" || out == "" {
		if f.Target != nil && dated {
			return unchecked("备注日期（订单没有入住期间）。", "the trace's date (the order has no stay).")
		}
		return pass()
	}
	for _, t := range f.Event.TraceItems {
		if realDate(t.Date) && outsideStay(t.Date, in, out) {
			return fire("备注日期 "+t.Date+" 不在入住期间 "+in+" – "+out+"。", "The trace date "+t.Date+" lies outside the stay "+in+" – "+out+".")
		}
	}
	return pass()
}

func unknownDepartment(f Facts) verdict {
	var unknown []string
	for _, t := range f.Event.TraceItems {
		if t.DepartmentCode == "" {
			if t.Type == "TRACE" {
				return fire("备注没有部门，没有人会收到。", "A trace names no department; nobody would see it.")
			}
			continue
		}
		known, loaded := f.Codes.HasDepartment(t.DepartmentCode)
		if !loaded {
			return unchecked("部门代码（未载入部门清单）。", "departments (no list is loaded).")
		}
		if !known {
			unknown = append(unknown, t.DepartmentCode)
		}
	}
	list := strings.Join(unknown, ", ")
	return fireIf(len(unknown) > 0, "部门代码不存在："+list, "Unknown department: "+list)
}

// Words that mark a trace nobody may overlook, in the languages mails come in.
var (
	allergyWords = []string{"allerg", "anaphyl", "coeliac", "celiac", "过敏", "過敏", "แพ้"}
	accessWords  = []string{"wheelchair", "disab", "accessib", "mobility", "knee", "crutch", "blind", "deaf", "轮椅", "無障礙", "无障碍", "残疾", "รถเข็น", "พิการ"}
)

func sensitivity(text string) string {
	t := strings.ToLower(text)
	has := func(w string) bool { return strings.Contains(t, w) }
	if slices.ContainsFunc(allergyWords, has) {
		return "ALLERGY"
	}
	if slices.ContainsFunc(accessWords, has) {
		return "ACCESSIBILITY"
	}
	return ""
}
