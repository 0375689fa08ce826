package order

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"

	"golang.org/x/text/currency"
)

// currencyScale is the number of decimals of an ISO 4217 currency; ok is false
// for a code that is none.
func currencyScale(code string) (scale int, ok bool) {
	unit, err := currency.ParseISO(code)
	if err != nil || len(code) != 3 || strings.ToUpper(code) != code {
		return 0, false
	}
	scale, _ = currency.Standard.Rounding(unit)
	return scale, true
}

// minorUnits reads a decimal ("25,440.00" is not one: group separators are
// ambiguous) into the currency's smallest unit, exactly.
func minorUnits(amount, code string) (int64, bool) {
	scale, ok := currencyScale(code)
	if !ok || amount == "" {
		return 0, false
	}
	whole, fraction, _ := strings.Cut(amount, ".")
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > scale || !digits(whole) || (fraction != "" && !digits(fraction)) {
		return 0, false
	}
	n, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", scale-len(fraction)), 10, 64)
	return n, err == nil
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// FormatMoney writes minor units as a plain decimal with the currency: "THB 25440.00".
func FormatMoney(minor int64, code string) string {
	scale, ok := currencyScale(code)
	if !ok {
		return strconv.FormatInt(minor, 10) + " " + code
	}
	if scale == 0 {
		return code + " " + strconv.FormatInt(minor, 10)
	}
	unit := int64(math.Pow10(scale))
	sign := ""
	if minor < 0 {
		sign, minor = "-", -minor
	}
	fraction := strconv.FormatInt(minor%unit, 10)
	return code + " " + sign + strconv.FormatInt(minor/unit, 10) + "." + strings.Repeat("0", scale-len(fraction)) + fraction
}

// sameJSON compares two JSON texts by what they say, not by how they are spaced.
func sameJSON(a, b json.RawMessage) bool {
	if isNull(a) || isNull(b) {
		return isNull(a) == isNull(b)
	}
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return string(a) == string(b)
	}
	return reflect.DeepEqual(x, y)
}
