package config_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/knadh/koanf/parsers/yaml"

	"thhotel/internal/config"
	"thhotel/internal/testkit"
)

func none(string) string { return "" }

func env(m map[string]string) func(string) string { return func(k string) string { return m[k] } }

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDefaults(t *testing.T) {
	s, err := config.Load(none, "")
	if err != nil {
		t.Fatal(err)
	}
	want := config.Defaults()
	want.BlobDir, want.Database.DSN = filepath.Join("data", "blobs"), config.DSN(filepath.Join("data", "thhotel.db"))
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestExampleNamesEverySetting(t *testing.T) {
	path := filepath.Join(testkit.Root(t), "configs", "thhotel.example.yaml")
	got, err := config.Load(none, path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := config.Load(none, "")
	if err != nil {
		t.Fatal(err)
	}
	empty := cmp.Transformer("joined", func(l []string) string { return strings.Join(l, ",") })
	if diff := cmp.Diff(want, got, empty); diff != "" {
		t.Errorf("the example differs from the defaults (-defaults +example):\n%s", diff)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := yaml.Parser().Unmarshal(raw)
	if err != nil {
		t.Fatal(err)
	}
	named := flatten(doc, "")
	for _, key := range config.Keys() {
		if !slices.Contains(named, key) {
			t.Errorf("the example does not name %s", key)
		}
	}
}

func flatten(m map[string]any, prefix string) (keys []string) {
	for k, v := range m {
		if sub, ok := v.(map[string]any); ok {
			keys = append(keys, flatten(sub, prefix+k+".")...)
		} else {
			keys = append(keys, prefix+k)
		}
	}
	return keys
}

func TestSources(t *testing.T) {
	path := write(t, "t.yaml", "server:\n  listen: ':9000'\n  trusted_hosts: [a.example, b.example]\n  max_body: 1048576\nsession:\n  idle: 1h\ndatabase:\n")
	secret := write(t, "dsn", "th:s3cret@tcp(db:3306)/thhotel\n")
	s, err := config.Load(env(map[string]string{
		"THHOTEL_CONFIG": path, "THHOTEL_SERVER_LISTEN": ":9001", "THHOTEL_SERVER_BASE_URL": "https://hotel.example/",
		"THHOTEL_DATABASE_DRIVER": "mysql", "THHOTEL_DATABASE_DSN_FILE": secret, "THHOTEL_SERVER_TRUSTED_PROXIES": "10.0.0.0/8, 127.0.0.1",
		"THHOTEL_TELEMETRY_SAMPLE_RATIO": "0.25", "THHOTEL_DATA_DIR": "/srv/th",
	}), "")
	if err != nil {
		t.Fatal(err)
	}
	want := config.Defaults()
	want.DataDir, want.BlobDir = "/srv/th", "/srv/th/blobs"
	want.Server.Listen, want.Server.BaseURL, want.Server.SecureCookies = ":9001", "https://hotel.example", true
	want.Server.TrustedHosts, want.Server.TrustedProxies = []string{"a.example", "b.example"}, []string{"10.0.0.0/8", "127.0.0.1"}
	want.Server.MaxBody, want.Session.Idle, want.Telemetry.SampleRatio = 1<<20, time.Hour, 0.25
	want.Database.Driver, want.Database.DSN = "mysql", "th:s3cret@tcp(db:3306)/thhotel"
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Every setting has a type that can be read, and the environment reaches it:
// none of them takes this value and stays at its default.
func TestEverySettingIsRead(t *testing.T) {
	for _, key := range config.Keys() {
		s, err := config.Load(env(map[string]string{config.Variable(key): "/seven"}), "")
		switch {
		case err != nil && strings.Contains(err.Error(), "cannot be read"):
			t.Errorf("%s: %v", key, err)
		case err != nil && !strings.Contains(err.Error(), key+": "):
			t.Errorf("%s: the problem names another setting: %v", key, err)
		case err == nil && !strings.Contains(s.String(), key+"=/seven\n") && key != "telemetry.headers":
			t.Errorf("%s: the value did not arrive", key)
		}
	}
}

func TestEveryProblemIsReported(t *testing.T) {
	path := write(t, "t.yaml", "server:\n  listne: ':1'\n  listen: nonsense\n  max_body: huge\n  base_url: https://h.example/app\nburst: 4\ndatabase:\n  driver: mysq\nzzzzzz: 1\nlog: loud\n")
	_, err := config.Load(env(map[string]string{"THHOTEL_SESSION_IDLE": "forever", "THHOTEL_HOTEL_MAX_NIGHTS": "0",
		"THHOTEL_SERVER_TRUSTED_PROXIES": "10.0.0.0/99", "THHOTEL_TELEMETRY_HEADERS_FILE": "/nonexistent"}), path)
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{
		"server.listne: no such setting in " + path + "; did you mean server.listen?",
		"burst: no such setting in " + path + "; did you mean limit.burst?",
		"zzzzzz: no such setting in " + path + "\n", "log: no such setting",
		`server.listen: "nonsense" is not host:port`, `server.max_body: "huge" is not a size`, "server.base_url: ",
		`database.driver: "mysq" is not one of sqlite, mysql; did you mean mysql?`,
		`session.idle: "forever" is not a duration`, "hotel.max_nights: 0 is not between 1 and 3650",
		`server.trusted_proxies: "10.0.0.0/99"`, "telemetry.headers: THHOTEL_TELEMETRY_HEADERS_FILE: open /nonexistent",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("not reported: %s", want)
		}
	}
	if t.Failed() {
		t.Log(err)
	}
}

func TestRefusals(t *testing.T) {
	secret := write(t, "s", "x")
	for name, c := range map[string]struct {
		env  map[string]string
		want string
	}{
		"mysql without dsn": {map[string]string{"THHOTEL_DATABASE_DRIVER": "mysql"}, "database.dsn: the mysql driver needs one"},
		"secure on http":    {map[string]string{"THHOTEL_SERVER_BASE_URL": "http://hotel.example", "THHOTEL_SERVER_SECURE_COOKIES": "true"}, "server.secure_cookies"},
		"secret twice":      {map[string]string{"THHOTEL_DATABASE_DSN": "x", "THHOTEL_DATABASE_DSN_FILE": secret}, "both"},
		"max below idle":    {map[string]string{"THHOTEL_SESSION_MAX": "1h"}, "session.max: 1h0m0s is shorter"},
		"sealed too soon":   {map[string]string{"THHOTEL_AUDIT_SEAL_WITHIN": "1s"}, "audit.seal_within"},
		"no garbage at all": {map[string]string{"THHOTEL_RUNTIME_GC_PERCENT": "0"}, "runtime.gc_percent"},
		"no room at all":    {map[string]string{"THHOTEL_RUNTIME_MEMORY_LIMIT": "1MiB"}, "runtime.memory_limit"},
		"origin with path":  {map[string]string{"THHOTEL_SERVER_TRUSTED_ORIGINS": "https://a.example/x"}, "server.trusted_origins"},
		"host with scheme":  {map[string]string{"THHOTEL_SERVER_TRUSTED_HOSTS": "https://a.example"}, "server.trusted_hosts"},
		"no such file":      {map[string]string{"THHOTEL_CONFIG": "/nonexistent.yaml"}, "settings file /nonexistent.yaml"},
		"ratio":             {map[string]string{"THHOTEL_TELEMETRY_SAMPLE_RATIO": "2"}, "telemetry.sample_ratio"},
		"file is no yaml":   {map[string]string{"THHOTEL_CONFIG": write(t, "bad.yaml", "a: [")}, "settings file"},
		"key twice":         {map[string]string{"THHOTEL_CONFIG": write(t, "twice.yaml", "data_dir: a\ndata_dir: b\n")}, "settings file"},
	} {
		if _, err := config.Load(env(c.env), ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := config.Load(env(map[string]string{"THHOTEL_SERVER_SECURE_COOKIES": "true"}), ""); err != nil {
		t.Errorf("secure cookies work on localhost: %v", err)
	}
}

func TestCheckEnv(t *testing.T) {
	err := config.CheckEnv([]string{"THHOTEL_SERVER_LISTNE=:1", "THHOTEL_CORPUS=x", "THHOTEL_CONFIG=x", "THHOTEL_DATABASE_DSN_FILE=x", "PATH=x"}, "THHOTEL_CORPUS")
	if err == nil || err.Error() != "the settings are wrong in 1 place:\nTHHOTEL_SERVER_LISTNE: no such setting; did you mean THHOTEL_SERVER_LISTEN?" {
		t.Errorf("got %v", err)
	}
	for name, want := range map[string]string{
		"THHOTEL_NOPE":        "", // what all names share is no likeness
		"THHOTEL_CORPSE":      "", // the tests' variables are no settings
		"THHOTEL_LOG_LEVL":    "THHOTEL_LOG_LEVEL",
		"THHOTEL_DATABSE_DSN": "THHOTEL_DATABASE_DSN",
	} {
		err := config.CheckEnv([]string{name + "=x"}, "THHOTEL_CORPUS")
		_, got, _ := strings.Cut(fmt.Sprint(err), "did you mean ")
		if err == nil || strings.TrimSuffix(got, "?") != want {
			t.Errorf("%s: %v, want the suggestion %q", name, err, want)
		}
	}
	if err := config.CheckEnv([]string{"THHOTEL_KILLS=3"}, "THHOTEL_KILLS"); err != nil {
		t.Errorf("a variable of the tests is refused: %v", err)
	}
}

// TestProblemsAreCountedTogether: one list, one count, wherever they were found.
func TestProblemsAreCountedTogether(t *testing.T) {
	_, load := config.Load(env(map[string]string{"THHOTEL_LOG_LEVEL": "loud"}), "")
	check := config.CheckEnv([]string{"THHOTEL_NOPE=1", "THHOTEL_NOPE2=1"})
	for want, err := range map[string]error{
		"the settings are wrong in 1 place:\n":  config.Join(load, nil),
		"the settings are wrong in 2 places:\n": config.Join(nil, check),
		"the settings are wrong in 3 places:\n": config.Join(load, check),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Count(err.Error(), "wrong in") != 1 {
			t.Errorf("got %v, want %q and each on its line", err, want)
		}
	}
	if err := config.Join(nil, nil); err != nil {
		t.Errorf("nothing is wrong: %v", err)
	}
}

func TestSecretsDoNotPrint(t *testing.T) {
	s, err := config.Load(env(map[string]string{"THHOTEL_DATABASE_DRIVER": "mysql", "THHOTEL_DATABASE_DSN": "th:p@ss:w0rd/x@tcp(db:3306)/thhotel",
		"THHOTEL_TELEMETRY_HEADERS": "authorization=p@ss:w0rd"}), "")
	if err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("x", "settings", s, "dsn", s.Database.DSN, "headers", s.Telemetry.Headers, "section", s.Telemetry)
	asJSON, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	prints := []string{s.String(), logged.String(), string(asJSON)}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		prints = append(prints, fmt.Sprintf(verb, s), fmt.Sprintf(verb, s.Database), fmt.Sprintf(verb, s.Telemetry), fmt.Sprintf(verb, s.Database.DSN))
	}
	for i, p := range prints {
		if strings.Contains(p, "w0rd") {
			t.Errorf("%d prints a secret: %s", i, p)
		}
	}
	if !strings.Contains(s.String(), "database.dsn=th:***@tcp(db:3306)/thhotel\n") || !strings.Contains(s.String(), "telemetry.headers=***\n") {
		t.Errorf("printed:\n%s", s)
	}
	for in, want := range map[string]string{"data/th.db": "data/th.db", "u@tcp(h)/d": "u@tcp(h)/d", "mysql://u:p@h/d": "mysql://u:***@h/d", "": ""} {
		if got := config.DSN(in).String(); got != want {
			t.Errorf("%q prints %q, want %q", in, got, want)
		}
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]string{"70000": "70000", "10MiB": "10MiB", "1 GiB": "1GiB", "1MB": "1000000", "131072B": "128KiB"} {
		s, err := config.Load(env(map[string]string{"THHOTEL_SERVER_MAX_BODY": text}), "")
		if err != nil || s.Server.MaxBody.String() != want {
			t.Errorf("%s: %s, %v, want %s", text, s.Server.MaxBody, err, want)
		}
	}
	for _, text := range []string{"-1", "9999999999GiB", "1.5MiB", "MiB"} {
		if _, err := config.Load(env(map[string]string{"THHOTEL_SERVER_MAX_BODY": text}), ""); err == nil {
			t.Errorf("%s: accepted", text)
		}
	}
}
