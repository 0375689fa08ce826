package order_test

import (
	"slices"
	"strings"
	"testing"

	"thhotel/internal/order"
)

// TestTokens: the words that search is narrowed by, and where they begin.
func TestTokens(t *testing.T) {
	for text, want := range map[string]string{
		"cn10001138":                    "cn10001138 10001138 001138 1138",
		"wang, xiaoming":                "wang xiaoming",
		"g.okafor@harbourfinch.example": "g okafor harbourfinch example",
		"王小明 abc":                       "王小明 小明 明 abc",
		"vip王明2":                        "vip 王明 明 2",
		"720933":                        "720933 0933",
		"ok!%_":                         "ok",
		"":                              "",
		strings.Repeat("x", 40):         strings.Repeat("x", order.LongestToken),
	} {
		if got := order.Tokens(text); strings.Join(got, " ") != want {
			t.Errorf("%q gives %v, want %v", text, got, want)
		}
	}
	if got := order.Tokens("กมลวรรณ"); !slices.Contains(got, "วรรณ") || !slices.Contains(got, "กมลวรรณ") {
		t.Errorf("Thai gives %v", got)
	}
	var long strings.Builder
	for r := 'a'; r < 'a'+20; r++ {
		for q := 'a'; q < 'a'+20; q++ {
			long.WriteString(string([]rune{r, q, ' '}))
		}
	}
	if got := len(order.Tokens(long.String())); got != order.MostTokens {
		t.Errorf("%d words of one text, want %d", got, order.MostTokens)
	}
}
