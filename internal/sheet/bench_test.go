package sheet_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"thhotel/internal/sheet"
)

// bigList is a list of n guests, as a workbook or as CSV.
func bigList(tb testing.TB, n int, open func(io.Writer) sheet.Writer) []byte {
	tb.Helper()
	var out bytes.Buffer
	w := open(&out)
	must(tb, w.Row("No", "Name", "Room Type", "Arrival", "Departure", "Remark"))
	for i := range n {
		must(tb, w.Row(i+1, fmt.Sprintf("Guest%d, Given", i), "DLXT", "2027-02-10", "2027-02-13", "high floor, please"))
	}
	must(tb, w.Close())
	return out.Bytes()
}

func BenchmarkRead(b *testing.B) {
	for name, data := range map[string][]byte{
		"csv/5000":  bigList(b, 4999, sheet.NewCSV),
		"xlsx/5000": bigList(b, 4999, func(w io.Writer) sheet.Writer { x, err := sheet.NewXLSX(w, "L"); must(b, err); return x }),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := sheet.Read(data, sheet.DefaultLimits()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	for name, open := range map[string]func(io.Writer) sheet.Writer{
		"csv":  sheet.NewCSV,
		"xlsx": func(w io.Writer) sheet.Writer { x, err := sheet.NewXLSX(w, "L"); must(b, err); return x },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				bigList(b, 10_000, open)
			}
		})
	}
}
