package intake_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/fault"
	"thhotel/internal/intake"
	"thhotel/internal/testkit"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestMain(m *testing.M) { testkit.Main(m) }

// TestCheckInputRefuses compares each package of testdata/refused with its golden
// list of code and offending paths.
func TestCheckInputRefuses(t *testing.T) {
	for _, file := range packages(t, "refused") {
		t.Run(caseName(file), func(t *testing.T) {
			err := refusal(read(t, file))
			var f *fault.Error
			if !errors.As(err, &f) {
				t.Fatalf("got %v, want a refusal", err)
			}
			if f.Kind != fault.Invalid || f.Text == "" || f.TextEN == "" {
				t.Errorf("kind %v, texts %q %q: want Invalid and both languages", f.Kind, f.Text, f.TextEN)
			}
			golden(t, file, f.Code+"\n"+lines(f.Fields))
		})
	}
}

// refusal is what the executor does with a package before its handler runs.
func refusal(pkg []byte) error {
	if err := intake.CheckInput(pkg); err != nil {
		return err
	}
	_, err := intake.Key(pkg)
	return err
}

func TestCheckInputAccepts(t *testing.T) {
	files := append(packages(t, "flagged"), demoPackages(t)...)
	for _, file := range files {
		if err := refusal(read(t, file)); err != nil {
			t.Errorf("%s: %v", caseName(file), err)
		}
	}
}

func TestManyViolationsAreCounted(t *testing.T) {
	var b strings.Builder
	for i := range 600 {
		fmt.Fprintf(&b, `,"x%d":1`, i)
	}
	pkg := `{"route_code":null,"source_message":{},"order_contexts":[1],"message_events":[1]` + b.String() + `}`
	var f *fault.Error
	if !errors.As(intake.CheckInput([]byte(pkg)), &f) || len(f.Fields) != 500 || f.Details["violations_omitted"] != 107 {
		t.Fatalf("got %d violations and details %v, want 500 and 107 omitted", len(f.Fields), f.Details)
	}
}

func TestDepthIsBounded(t *testing.T) {
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	pkg := `{"route_code":null,"source_message":{},"order_contexts":[1],"message_events":[{"after":` + deep + `}]}`
	if got := fault.Code(intake.CheckInput([]byte(pkg))); got != intake.CodePayloadInvalid {
		t.Errorf("code %s, want %s", got, intake.CodePayloadInvalid)
	}
}

func TestKeyIgnoresSpellingOnly(t *testing.T) {
	key := func(doc string) string {
		k, err := intake.Key(json.RawMessage(doc))
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	base := key(`{"a":1.0,"b":"é","c":[1,2]}`)
	if !strings.HasPrefix(base, "submit:") || len(base) != len("submit:")+64 {
		t.Errorf("key %q is not submit: and a SHA-256", base)
	}
	if got := key("{ \"c\" : [1,2],\n \"b\":\"\\u00e9\", \"a\":1 }"); got != base {
		t.Error("white space, order and spelling changed the key")
	}
	for _, other := range []string{`{"a":1,"b":"e","c":[1,2]}`, `{"a":1,"b":"é","c":[2,1]}`, `{"a":1,"b":"é"}`, `{"a":"1","b":"é","c":[1,2]}`} {
		if key(other) == base {
			t.Errorf("%s has the same key", other)
		}
	}
}

func TestReplayedMarksOnly(t *testing.T) {
	stored := json.RawMessage(`{"batch_id":"b","idempotent_replay":false,"accepted_count":1,"source_message_id":"m","revision":1,"items":[{"ai_transition_id":"t","order_id":null,"task_id":null,"task_status":null}]}`)
	got, err := intake.Replayed(stored)
	want := strings.Replace(string(stored), `"idempotent_replay":false`, `"idempotent_replay":true`, 1)
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
}

// packages lists a folder's packages and fails on goldens that have none.
func packages(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("testdata/%s: %d files, %v", folder, len(files), err)
	}
	goldens, _ := filepath.Glob(filepath.Join("testdata", folder, "*.golden"))
	for _, g := range goldens {
		if _, err := os.Stat(strings.TrimSuffix(g, ".golden") + ".json"); err != nil {
			t.Errorf("%s belongs to no package", g)
		}
	}
	return files
}

func demoPackages(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(demoData(t), "*.v4.json"))
	if err != nil || len(files) != 12 {
		t.Fatalf("%d demo packages, %v; want 12", len(files), err)
	}
	return files
}

func demoData(t *testing.T) string {
	return filepath.Join(testkit.Root(t), "internal", "demo", "data")
}

func caseName(file string) string { return strings.TrimSuffix(filepath.Base(file), ".json") }

func read(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func lines(list []fault.Violation) string {
	var b strings.Builder
	for _, v := range list {
		fmt.Fprintf(&b, "%s %s\n", v.Code, v.Path)
		if v.Message == "" {
			b.WriteString("  without a message\n")
		}
	}
	return b.String()
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	path := strings.TrimSuffix(file, ".json") + ".golden"
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run with -update and read what it wrote", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
