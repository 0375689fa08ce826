package pages

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
)

// Languages of the pages; the first is the default.
const (
	zh = "zh"
	en = "en"
)

// catalogue is one language's texts by key. Placeholders are {0}, {1}, ...
type catalogue map[string]string

// loadCatalogues reads zh.json and en.json.
func loadCatalogues(files fs.FS) (map[string]catalogue, error) {
	out := map[string]catalogue{}
	for _, lang := range []string{zh, en} {
		raw, err := fs.ReadFile(files, lang+".json")
		if err != nil {
			return nil, fmt.Errorf("read texts: %w", err)
		}
		var c catalogue
		if err := json.Unmarshal(raw, &c); err != nil {
			return nil, fmt.Errorf("read texts %s: %w", lang, err)
		}
		out[lang] = c
	}
	return out, nil
}

// text returns the sentence for key. An unknown key shows itself, so that a
// missing text is seen and not an empty button; the tests refuse one.
func (c catalogue) text(key string, args ...any) string {
	s, ok := c[key]
	if !ok {
		return key
	}
	for i, a := range args {
		s = strings.ReplaceAll(s, fmt.Sprintf("{%d}", i), fmt.Sprint(a))
	}
	return s
}

// code translates a code of an open list (a status, an event type): the code
// itself when the catalogue does not know it.
func (c catalogue) code(prefix string, code any) string {
	s := fmt.Sprint(code)
	if s == "" {
		return ""
	}
	if name, ok := c[prefix+"."+s]; ok {
		return name
	}
	return s
}

func languageOf(s string) string {
	if s == en {
		return en
	}
	return zh
}
