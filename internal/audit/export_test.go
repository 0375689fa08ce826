package audit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"thhotel/internal/audit"
	"thhotel/internal/database"
	"thhotel/internal/testkit"
)

func TestExport(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		l := audit.New(db, later())
		sealed(t, l, 0, 1003) // more than two pages
		appendAll(t, l, 2)    // not sealed: not exported
		at := func(minute int) time.Time { return testkit.Now.Add(time.Duration(minute) * time.Minute) }
		for name, c := range map[string]struct {
			from, to    time.Time
			n           int64
			first, last string
		}{
			"all":   {time.Time{}, time.Time{}, 1003, "r0", "r1002"},
			"from":  {at(1000), time.Time{}, 3, "r1000", "r1002"},
			"to":    {time.Time{}, at(2), 2, "r0", "r1"},
			"both":  {at(5), at(7), 2, "r5", "r6"},
			"empty": {at(5), at(5), 0, "", ""},
		} {
			var out bytes.Buffer
			n, err := l.Export(context.Background(), &out, c.from, c.to)
			lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
			if err != nil || n != c.n || (n > 0 && int64(len(lines)) != n) {
				t.Errorf("%s: %d rows in %d lines, %v; want %d", name, n, len(lines), err, c.n)
				continue
			}
			if n > 0 && (!strings.Contains(lines[0], `"request_id":"`+c.first+`"`) || !strings.Contains(lines[n-1], `"request_id":"`+c.last+`"`)) {
				t.Errorf("%s: from %s to %s", name, lines[0], lines[n-1])
			}
		}
	})
}

// TestExportedLine: the names a reader may count on.
func TestExportedLine(t *testing.T) {
	l := audit.New(testkit.DB(t), later())
	e := event(0)
	e.Client = "客人 <\"&> \u2028"
	if err := l.Append(context.Background(), e); err != nil {
		t.Fatal(err)
	}
	rep := sealAndVerify(t, l, 1)
	var out bytes.Buffer
	if _, err := l.Export(context.Background(), &out, time.Time{}, time.Time{}); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{"seq": 1.0, "prev_hash": "", "hash": rep.HeadHash, "time": "2026-11-30T05:00:00Z", "client": e.Client,
		"tool": "desk.get", "status": "succeeded", "principal_name": "malee", "duration_us": 1500.0, "at": float64(testkit.Now.UnixMicro())} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	if len(got) != 24+4 {
		t.Errorf("%d members", len(got))
	}
	if f := verifyFile(t, out.String()); f.Broken != nil || f.Sealed != 1 {
		t.Errorf("%+v", f)
	}
}

// TestVerifyFileFindsEveryChange as Verify does in the database.
func TestVerifyFileFindsEveryChange(t *testing.T) {
	l := audit.New(testkit.DB(t), later())
	sealed(t, l, 0, 6)
	var out bytes.Buffer
	if _, err := l.Export(context.Background(), &out, time.Time{}, time.Time{}); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(out.String(), "\n")
	for name, c := range map[string]struct {
		text, what string
		seq        int64
	}{
		"edit":     {strings.Replace(out.String(), `"request_id":"r3"`, `"request_id":"r9"`, 1), "edited", 4},
		"deletion": {lines[0] + lines[1] + strings.Join(lines[3:], ""), "missing", 3},
		"reorder":  {lines[1] + lines[0] + strings.Join(lines[2:], ""), "missing", 3},
	} {
		if b := verifyFile(t, c.text).Broken; b == nil || b.What != c.what || b.Seq != c.seq {
			t.Errorf("%s: %+v, want row %d %s", name, b, c.seq, c.what)
		}
	}
	for name, text := range map[string]string{
		"no JSON":         "{",
		"a member lost":   strings.Replace(lines[0], `"owner":"desk",`, "", 1),
		"a member more":   strings.Replace(lines[0], `"owner":"desk",`, `"owner":"desk","note":"x",`, 1),
		"another time":    strings.Replace(lines[0], "T05:", "T06:", 1),
		"a wrong type":    strings.Replace(lines[0], `"seq":1`, `"seq":"1"`, 1),
		"no place at all": strings.Replace(lines[0], `"seq":1`, `"seq":null`, 1),
	} {
		if rep, err := audit.VerifyFile(strings.NewReader(text)); err == nil {
			t.Errorf("%s was taken: %+v", name, rep)
		}
	}
}
