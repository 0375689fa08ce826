package config

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"
)

// Prefix begins the names of the environment variables that are read.
const Prefix = "THHOTEL_"

// FileVariable names the settings file when no flag does.
const FileVariable = Prefix + "CONFIG"

// Load merges defaults, the YAML file (path, else THHOTEL_CONFIG, else none) and
// the environment, in that order, and reports every problem at once.
func Load(getenv func(string) string, path string) (Settings, error) {
	if path == "" {
		path = getenv(FileVariable)
	}
	k := koanf.New(".")
	problems := loadFile(k, path)
	environment, more := readEnv(getenv)
	problems = append(problems, more...)
	if err := k.Load(env.Provider(".", env.Opt{EnvironFunc: func() []string { return environment },
		TransformFunc: func(name, value string) (string, any) { return name, value }}), nil); err != nil {
		problems = append(problems, err)
	}
	s := Defaults()
	problems = append(problems, decode(k, &s)...)
	s.complete(k.Exists("server.secure_cookies"))
	problems = append(problems, s.check()...)
	if len(problems) > 0 {
		return Settings{}, Problems(problems)
	}
	return s, nil
}

// Problems are all that is wrong with the settings.
type Problems []error

// Error counts them and names each on its line.
func (p Problems) Error() string {
	places := "1 place"
	if len(p) != 1 {
		places = fmt.Sprintf("%d places", len(p))
	}
	return "the settings are wrong in " + places + ":\n" + errors.Join(p...).Error()
}

// Unwrap lets errors.Is and errors.As look at each.
func (p Problems) Unwrap() []error { return p }

// Join makes one list of what Load and CheckEnv found; nil for nothing.
func Join(errs ...error) error {
	var all Problems
	for _, err := range errs {
		var p Problems
		switch {
		case err == nil:
		case errors.As(err, &p):
			all = append(all, p...)
		default:
			all = append(all, err)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

func loadFile(k *koanf.Koanf, path string) []error {
	if path == "" {
		return nil
	}
	if err := k.Load(file.Provider(path), yaml.Parser()); err != nil {
		return []error{fmt.Errorf("settings file %s: %w", path, err)}
	}
	var problems []error
	known := Keys()
	for _, key := range k.Keys() {
		if !slices.Contains(known, key) && !isSection(key, k.Get(key)) {
			problems = append(problems, fmt.Errorf("%s: no such setting in %s%s", key, path, didYouMean(key, known)))
		}
	}
	return problems
}

// isSection lets an empty section pass: "server:" with every line below it
// commented out.
func isSection(key string, value any) bool {
	if m, ok := value.(map[string]any); value != nil && (!ok || len(m) > 0) {
		return false
	}
	return slices.ContainsFunc(Keys(), func(k string) bool { return strings.HasPrefix(k, key+".") })
}

// readEnv returns "key=value" for every setting the environment has. A secret
// may also be named by a file that holds it: THHOTEL_DATABASE_DSN_FILE.
func readEnv(getenv func(string) string) (pairs []string, problems []error) {
	for _, f := range fields(&Settings{}) {
		name := Variable(f.key)
		value := getenv(name)
		if path := getenv(name + "_FILE"); f.secret() && path != "" {
			raw, err := os.ReadFile(path) //nolint:gosec // the operator names the file
			switch {
			case value != "":
				problems = append(problems, fmt.Errorf("%s: both %s and %s_FILE are set; keep one", f.key, name, name))
			case err != nil:
				problems = append(problems, fmt.Errorf("%s: %s_FILE: %w", f.key, name, err))
			}
			value = strings.TrimRight(string(raw), "\r\n")
		}
		if value != "" {
			pairs = append(pairs, f.key+"="+value)
		}
	}
	return pairs, problems
}

// Variable is the environment variable of a setting.
func Variable(key string) string {
	return Prefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// CheckEnv reports every THHOTEL_ variable in environ ("NAME=value") that
// nothing reads: a misspelt setting is otherwise a setting silently not made.
// also lists names that others of ours read; they are let pass, never suggested.
func CheckEnv(environ []string, also ...string) error {
	known := []string{FileVariable}
	for _, f := range fields(&Settings{}) {
		known = append(known, Variable(f.key))
		if f.secret() {
			known = append(known, Variable(f.key)+"_FILE")
		}
	}
	var problems Problems
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		if strings.HasPrefix(name, Prefix) && !slices.Contains(known, name) && !slices.Contains(also, name) {
			problems = append(problems, fmt.Errorf("%s: no such setting%s", name, didYouMean(name, known)))
		}
	}
	if len(problems) == 0 {
		return nil
	}
	return problems
}

// complete fills the settings whose default depends on others.
func (s *Settings) complete(cookiesChosen bool) {
	if s.BlobDir == "" {
		s.BlobDir = filepath.Join(s.DataDir, "blobs")
	}
	if s.Database.DSN == "" && s.Database.Driver == "sqlite" {
		s.Database.DSN = DSN(filepath.Join(s.DataDir, "thhotel.db"))
	}
	s.Server.BaseURL = strings.TrimRight(s.Server.BaseURL, "/")
	if u, err := url.Parse(s.Server.BaseURL); err == nil && !cookiesChosen {
		s.Server.SecureCookies = u.Scheme == "https"
	}
}
