package intake_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thhotel/internal/fault"
	"thhotel/internal/intake"
	"thhotel/internal/testkit"
)

// around puts a JSON text where an event may say anything.
func around(inner []byte) []byte {
	return bytes.Join([][]byte{[]byte(`{"route_code":null,"source_message":{"source_message_id":"m","subject":null,"sender":null,"sent_at":null,"body":null,"body_content_type":"text/plain","attachments":[]},"order_contexts":[1],"message_events":[{"x":`),
		inner, []byte(`}]}`)}, nil)
}

// TestJSONParsingCorpus: what is no JSON is refused, what is JSON is accepted
// unless two readers could take it for different things.
func TestJSONParsingCorpus(t *testing.T) {
	dir := testkit.Corpus(t, "json-parsing-nst", "test_parsing")
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) < 300 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	ambiguous := map[string]bool{intake.CodeFieldDuplicate: true, intake.CodeNumberUnsafe: true}
	for _, path := range files {
		doc, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, got := filepath.Base(path), refusal(around(doc))
		var f *fault.Error
		switch {
		case strings.HasPrefix(name, "n_") && got == nil && json.Valid(around(doc)):
			// wrong alone, right inside an object (nothing in the corpus is today)
			t.Logf("%s is JSON where it stands", name)
		case strings.HasPrefix(name, "n_") && got == nil:
			t.Errorf("%s was accepted", name)
		case strings.HasPrefix(name, "y_") && got != nil && errors.As(got, &f) && !ambiguous[f.Fields[0].Code]:
			t.Errorf("%s was refused: %v %v", name, got, f.Fields)
		}
	}
}

// FuzzCheckInput: any bytes are answered by acceptance or by one of two codes,
// and what is accepted has a key that its own respelling shares.
func FuzzCheckInput(f *testing.F) {
	for _, seed := range []string{`{}`, `[]`, `{"route_code":null}`, `{"ai_task_results":[]}`, `{"a":1,"a":2}`, `{"a":"\ud800"}`, string(around([]byte(`1e400`))), string(around([]byte(`{"a~/b":[null,true,-0.0]}`)))} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		err := refusal(doc)
		if err != nil {
			if code := fault.Code(err); code != intake.CodeV4Required && code != intake.CodePayloadInvalid {
				t.Fatalf("code %s for %q", code, doc)
			}
			return
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, doc); err != nil {
			t.Fatalf("accepted, but no JSON: %v", err)
		}
		a, _ := intake.Key(doc)
		if b, err := intake.Key(compact.Bytes()); err != nil || a != b {
			t.Fatalf("keys %s and %s, %v", a, b, err)
		}
	})
}
