// Package web embeds what the staff pages are made of: templates, assets and
// the texts in both languages. It refuses to know how they are served.
package web

import (
	"embed"
	"io/fs"
)

//go:embed templates/*.html static/* locale/*.json
var files embed.FS

// Templates holds the html/template sources.
func Templates() fs.FS { return sub("templates") }

// Static holds style sheets, scripts and their licences.
func Static() fs.FS { return sub("static") }

// Locale holds one JSON catalogue per language, key to text.
func Locale() fs.FS { return sub("locale") }

// sub cannot fail: the folder names above are compiled in, and fs.Sub only
// refuses malformed paths.
func sub(dir string) fs.FS {
	s, err := fs.Sub(files, dir)
	if err != nil {
		return files
	}
	return s
}
