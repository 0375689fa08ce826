package order_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"thhotel/internal/order"
	"thhotel/internal/testkit"
)

// The contract names every field that ParseEvent reads, in the rows that speak
// of its object.
func TestContractNamesEveryField(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs", "m002-v4-contract.md"))
	must(t, err)
	for row, object := range map[string]any{
		"| `room_items`": order.RoomItem{}, "| `payment`": order.PaymentItem{}, "| `rooming_list`": order.RoomingSummary{},
		"| `discrepancies`": order.Discrepancy{}, "| `target_order`": order.Target{},
	} {
		_, text, found := strings.Cut(string(doc), row)
		text, _, _ = strings.Cut(text, "\n")
		if !found {
			t.Errorf("no row %s", row)
		}
		for _, name := range fieldsOf(reflect.TypeOf(object)) {
			if !strings.Contains(text, name) {
				t.Errorf("row %s does not name %s", row, name)
			}
		}
	}
	_, traces, _ := strings.Cut(string(doc), "## 8. ")
	for _, name := range fieldsOf(reflect.TypeFor[order.TraceItem]()) {
		if !strings.Contains(traces, "| `"+name+"` |") {
			t.Errorf("section 8 does not name %s", name)
		}
	}
}

// fieldsOf lists JSON names, those of a list's items included.
func fieldsOf(typ reflect.Type) []string {
	var out []string
	for f := range typ.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		out = append(out, name)
		if f.Type.Kind() == reflect.Slice {
			out = append(out, fieldsOf(f.Type.Elem())...)
		}
	}
	return out
}
