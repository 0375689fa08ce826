package sanitize_test

import (
	"fmt"
	"io"
	"mime/quotedprintable"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"thhotel/internal/sanitize"
	"thhotel/internal/testkit"
)

func TestHostileDemoMail(t *testing.T) {
	raw := read(t, filepath.Join(testkit.Root(t), "internal", "demo", "data", "11-hostile-injection-tracking.eml"))
	_, body, _ := strings.Cut(raw, "quoted-printable\r\n\r\n")
	body, _, _ = strings.Cut(body, "\r\n--b-11-mixed")
	decoded, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(body)))
	if err != nil {
		t.Fatal(err)
	}
	got := check(t, "mail 11", string(decoded))
	t.Logf("text %q\nhtml %q\nflags %v", got.Text, got.HTML, got.Flags)
	for n := 1; n <= 48; n++ {
		if marker := fmt.Sprintf("v%02d-", n); strings.Contains(got.HTML+got.Text, marker) {
			t.Errorf("marker %s survives", marker)
		}
	}
	for _, secret := range []string{"SYSTEM NOTICE", "RESERVATION ASSISTANT", "Session expired", "trk.example"} {
		if strings.Contains(got.HTML+got.Text, secret) {
			t.Errorf("%q survives", secret)
		}
	}
	if !strings.HasPrefix(got.Text, "Dear team, please find our updated list") {
		t.Errorf("visible text lost: %q", got.Text)
	}
	for _, want := range []sanitize.Flag{sanitize.FlagHiddenContent, sanitize.FlagRemoteContent, sanitize.FlagActiveContent, sanitize.FlagInvisibleChars} {
		if !slices.Contains(got.Flags, want) {
			t.Errorf("flag %s not raised", want)
		}
	}
}
