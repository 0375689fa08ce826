package main_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"thhotel/internal/testkit"
)

// house is an empty hotel on SQLite, as `thhotel setup` makes it.
func house(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	t.Setenv("THHOTEL_DATA_DIR", dir)
	if out, code := run(t, "setup", "--hotel", "TH"); code != 0 || !strings.Contains(out, "password ") {
		t.Fatalf("setup: exit %d, %s", code, out)
	}
	return dir
}

// say runs a command with something on its standard input, and returns both outputs.
func say(t *testing.T, input string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, args...)
	var out, bad bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = t.TempDir(), strings.NewReader(input), &out, &bad
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), bad.String(), cmd.ProcessState.ExitCode()
}

// accepts wants exit code 0 and a JSON object.
func accepts(t *testing.T, args ...string) map[string]any {
	t.Helper()
	out, bad, code := say(t, "", args...)
	var got map[string]any
	if err := json.Unmarshal([]byte(out), &got); code != 0 || err != nil {
		t.Fatalf("%v: exit %d, %v: %s%s", args, code, err, out, bad)
	}
	return got
}

// refusesWith wants exit code 1 and a text that says why.
func refusesWith(t *testing.T, want string, args ...string) {
	t.Helper()
	out, bad, code := say(t, "", args...)
	if code != 1 || out != "" || !strings.Contains(bad, want) {
		t.Errorf("%v: exit %d, %q, %q; want a refusal with %q", args, code, out, bad, want)
	}
}

// line is the line of a table that begins with a word.
func line(t *testing.T, word string, args ...string) string {
	t.Helper()
	out, code := run(t, args...)
	for l := range strings.Lines(out) {
		if code == 0 && strings.HasPrefix(l, word) {
			return l
		}
	}
	t.Fatalf("%v: exit %d, no line %q in\n%s", args, code, word, out)
	return ""
}

func TestTokenCommands(t *testing.T) {
	house(t)
	refusesWith(t, "more than zero", "token", "issue", "--ttl", "0s")
	refusesWith(t, "more than zero", "token", "issue", "--ttl=-1h")
	refusesWith(t, "at most 2160h0m0s", "token", "issue", "--ttl", "2161h")
	first := accepts(t, "token", "issue", "--name", "desk", "--ttl", "48h")
	next := accepts(t, "token", "rotate", first["id"].(string), "--overlap", "1h")
	if next["token"] == first["token"] || next["replaces"] != first["id"] {
		t.Errorf("rotated: %v after %v", next, first)
	}
	for _, id := range []any{first["id"], next["id"]} { // both hold during the overlap
		if l := line(t, id.(string), "token", "list"); !strings.Contains(l, "active") || !strings.Contains(l, "desk") {
			t.Errorf("listed %q", l)
		}
	}
	refusesWith(t, "CREDENTIAL_NOT_ACTIVE", "token", "rotate", first["id"].(string))
	last := accepts(t, "token", "rotate", next["id"].(string)) // no overlap: the old one ends at once
	if l := line(t, next["id"].(string), "token", "list"); !strings.Contains(l, "expired") {
		t.Errorf("listed %q, want expired", l)
	}
	if out, code := run(t, "token", "revoke", last["id"].(string)); code != 0 || out != "revoked "+last["id"].(string)+"\n" {
		t.Errorf("revoke: exit %d, %q", code, out)
	}
	refusesWith(t, "not_found", "token", "revoke", "no-such")
	own := accepts(t, "token", "issue", "--staff", "ADMIN", "--scopes", "hotel:case.read", "--audience", "*")
	if l := line(t, own["id"].(string), "token", "list"); !strings.Contains(l, "admin") {
		t.Errorf("listed %q", l)
	}
	refusesWith(t, `no staff account "nobody"`, "token", "issue", "--staff", "nobody")
}

func TestStaffCommands(t *testing.T) {
	house(t)
	malee := accepts(t, "staff", "add", "Malee", "--role", "agent", "--lang", "en")
	if malee["username"] != "malee" || len(malee["password"].(string)) < 10 {
		t.Errorf("added %v", malee)
	}
	refusesWith(t, "NAME_TAKEN", "staff", "add", "malee", "--role", "agent")
	refusesWith(t, "invalid_arguments", "staff", "add", "bot", "--role", "superagent")
	if out, _, code := say(t, "a password of my own\n", "staff", "add", "nok", "--role", "viewer", "--password-stdin"); code != 0 || strings.Contains(out, "password") {
		t.Errorf("exit %d, %s: a password that was given is repeated", code, out)
	}
	for _, c := range []struct{ args, want string }{
		{"disable malee", "disabled"}, {"enable MALEE", "active"}, {"role malee supervisor", "supervisor"},
	} {
		if out, code := run(t, append([]string{"staff"}, strings.Fields(c.args)...)...); code != 0 {
			t.Errorf("%s: exit %d, %s", c.args, code, out)
		}
		if l := line(t, "malee", "staff", "list"); !strings.Contains(l, c.want) {
			t.Errorf("after %s: %q", c.args, l)
		}
	}
	if reset := accepts(t, "staff", "password", "malee"); reset["password"] == malee["password"] {
		t.Error("the password is the old one")
	}
	refusesWith(t, "LAST_ADMIN", "staff", "disable", "admin")
	refusesWith(t, "LAST_ADMIN", "staff", "role", "admin", "viewer")
	refusesWith(t, `no staff account "ghost"`, "staff", "disable", "ghost")
	out, _ := run(t, "audit", "list", "--tool", "staff.update", "--status", "failed", "--error", "LAST_ADMIN", "--from", "2020-01-01")
	if strings.Count(out, "\n") != 2 {
		t.Errorf("refusals in the audit log: %s", out)
	}
}

func TestPartnerAndAccountCommands(t *testing.T) {
	house(t)
	bus := accepts(t, "partner", "add", "AgentBus", "--role", "mailbus")
	secret := bus["secret"].(string)
	if !strings.HasPrefix(secret, "whsec_") {
		t.Errorf("added %v", bus)
	}
	next := accepts(t, "partner", "rotate", "agentbus", "--overlap", "24h")
	if next["secret"] == secret || next["id"] != bus["id"] {
		t.Errorf("rotated %v after %v", next, bus)
	}
	secrets := regexp.MustCompile(`\s2\s`)
	if l := line(t, "AgentBus", "partner", "list"); !secrets.MatchString(l) || strings.Contains(l, "whsec_") {
		t.Errorf("during the overlap: %q, want two secrets and none of them shown", l)
	}
	accepts(t, "partner", "rotate", bus["id"].(string))
	if l := line(t, "AgentBus", "partner", "list"); secrets.MatchString(l) {
		t.Errorf("without overlap: %q, want one secret", l)
	}
	if out, _, code := say(t, secret+"\n", "partner", "add", "second", "--account", "agentbus", "--secret-stdin"); code != 0 || strings.Contains(out, "whsec_") {
		t.Errorf("own secret: exit %d, %s", code, out)
	}
	refusesWith(t, "NAME_TAKEN", "partner", "add", "second", "--account", "agentbus")
	refusesWith(t, `no partner "ghost"`, "partner", "rotate", "ghost")
	for _, c := range []struct{ args, list, word, want string }{
		{"partner disable second", "partner list", "second", "disabled"}, {"partner enable second", "partner list", "second", "active"},
		{"account disable agentbus", "account list", "agentbus", "disabled"}, {"account enable agentbus", "account list", "agentbus", "active"},
	} {
		if out, code := run(t, strings.Fields(c.args)...); code != 0 {
			t.Errorf("%s: exit %d, %s", c.args, code, out)
		}
		if l := line(t, c.word, strings.Fields(c.list)...); !strings.Contains(l, c.want) {
			t.Errorf("after %s: %q", c.args, l)
		}
	}
	refusesWith(t, `no service account "ghost"`, "account", "disable", "ghost")
}

// TestMigrateData: --data as the other commands have it.
func TestMigrateData(t *testing.T) {
	dir := house(t)
	t.Setenv("THHOTEL_DATA_DIR", t.TempDir())
	for _, args := range [][]string{{"migrate", "--data", dir, "--status"}, {"migrate", "--data", dir}} {
		if out, code := run(t, args...); code != 0 || !strings.HasPrefix(out, "schema version ") || strings.HasPrefix(out, "schema version 0") {
			t.Errorf("%v: exit %d, %s", args, code, out)
		}
	}
	refusesWith(t, "no database in", "migrate", "--data", filepath.Join(dir, "mistyped"))
}

// TestVariablesOfTests: every THHOTEL_ variable that our tests, scripts and makefile
// read may be set when the program runs.
func TestVariablesOfTests(t *testing.T) {
	house(t)
	root, read := testkit.Root(t), regexp.MustCompile(`(?:Getenv\("|LookupEnv\("|\$\(|\$\{?)(THHOTEL_[A-Z_]+)`)
	var found []string
	for _, pattern := range []string{"Makefile", ".ci/*", "internal/*/*_test.go", "internal/*/*/*_test.go", "internal/testkit/*.go", "cmd/*/*_test.go"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				continue // a folder
			}
			for _, m := range read.FindAllStringSubmatch(string(text), -1) {
				found = append(found, m[1])
			}
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	if !slices.Contains(found, "THHOTEL_CORPUS") || !slices.Contains(found, "THHOTEL_KILLS") {
		t.Fatalf("found only %v", found)
	}
	for _, name := range append(found, "THHOTEL_SHOTS", "THHOTEL_NODE_TOOLS") {
		t.Setenv(name, "1")
	}
	if out, bad, code := say(t, "", "token", "list"); code != 0 {
		t.Errorf("with %v set: exit %d, %s%s", found, code, out, bad)
	}
	t.Setenv("THHOTEL_NOPE", "1")
	refusesWith(t, "wrong in 1 place:\nTHHOTEL_NOPE: no such setting\n", "token", "list")
}

// serveUntil starts `thhotel serve` and waits until it answers.
func serveUntil(t *testing.T) *exec.Cmd {
	t.Helper()
	t.Setenv("THHOTEL_SERVER_LISTEN", "127.0.0.1:0")
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command(binary, "serve")
	cmd.Stderr, cmd.SysProcAttr = log, &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	printed := func() string { b, _ := os.ReadFile(log.Name()); return string(b) }
	eventually(t, 30*time.Second, "the server", func() bool { return strings.Contains(printed(), `"serving"`) }, printed)
	return cmd
}

// TestNothingStaysUnsealed: the server was killed while it sealed, a command left
// rows behind, and the next server stops right after its start.
func TestNothingStaysUnsealed(t *testing.T) {
	dir := house(t)
	first := serveUntil(t)
	eventually(t, 30*time.Second, "the first seals", func() bool { return auditReport(t, "--data", dir).Unsealed == 0 }, func() string { return "" })
	_ = first.Process.Kill()
	_ = first.Wait()
	accepts(t, "token", "issue") // its row is left to the dead sealer, whose lease holds
	out, bad, code := say(t, "", "audit", "verify", "--within", "1ns")
	if code != 0 || !strings.Contains(out, `"late":true`) || !strings.Contains(bad, "warning: ") || !strings.Contains(bad, "thhotel serve") {
		t.Fatalf("verify: exit %d, %s%s; want a warning that says what to do", code, out, bad)
	}
	if _, bad, code := say(t, "", "audit", "verify"); code != 0 || bad != "" {
		t.Errorf("within five minutes: exit %d, %s", code, bad)
	}
	second := serveUntil(t)
	if err := second.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := second.Wait(); err != nil {
		t.Fatal(err)
	}
	if rep := auditReport(t, "--data", dir); rep.Unsealed != 0 || rep.Late {
		t.Errorf("after an orderly stop: %+v", rep)
	}
	accepts(t, "token", "issue")
	if rep := auditReport(t, "--data", dir); rep.Unsealed != 0 {
		t.Errorf("after a command without a server: %+v, want its rows sealed", rep)
	}
}

// TestAuditList: the filters, and pages by cursor.
func TestAuditList(t *testing.T) {
	house(t)
	for range 3 {
		accepts(t, "token", "issue")
	}
	count := func(args ...string) int {
		out, code := run(t, append([]string{"audit", "list"}, args...)...)
		if code != 0 {
			t.Errorf("%v: exit %d", args, code)
		}
		return strings.Count(out, "\n")
	}
	for want, args := range map[int][]string{
		3: {"--tool", "credential.issue", "--status", "succeeded", "--adapter", "system", "--name", "token"},
		0: {"--tool", "credential.issue", "--status", "denied"},
		1: {"--tool", "hotel.create", "--resource-type", "hotel"},
		2: {"--limit", "2"},
	} {
		if got := count(args...); got != want {
			t.Errorf("%v: %d rows, want %d", args, got, want)
		}
	}
	if n := count("--to", "2020-01-01"); n != 0 {
		t.Errorf("%d rows before 2020", n)
	}
	all := count()
	seen, cursor := 0, ""
	for {
		args := []string{"audit", "list", "--limit", "2"}
		if cursor != "" {
			args = append(args, "--cursor", cursor)
		}
		out, bad, _ := say(t, "", args...)
		seen += strings.Count(out, "\n")
		_, next, more := strings.Cut(strings.TrimSpace(bad), "--cursor ")
		if !more {
			break
		}
		cursor = next
	}
	if seen != all || all < 5 {
		t.Errorf("%d rows by pages, %d at once", seen, all)
	}
	refusesWith(t, "--limit 0", "audit", "list", "--limit", "0")
	refusesWith(t, "neither a date", "audit", "list", "--from", "yesterday")
	if _, code := run(t, "audit", "list", "--status", "odd"); code != 2 {
		t.Errorf("an unknown status: exit %d, want 2", code)
	}
}
