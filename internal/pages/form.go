package pages

import (
	"net/url"
	"strings"

	"thhotel/internal/fault"
)

// form is what a person typed into a form that was refused, with what is the
// matter at each field. Nothing typed is lost; an empty form changes nothing.
type form struct {
	typed  url.Values
	errors map[string]string // field to what is the matter
}

// refusedForm sorts a refusal's places by field: "/corrections/room_items/0/room_count"
// belongs to "room_items", "/changes/arrival_date" to "arrival_date".
func (v *visit) refusedForm(f *fault.Error) form {
	out := form{typed: v.c.Request.PostForm, errors: map[string]string{}}
	said := sayings(f.Message(v.Lang), len(f.Fields))
	for i, bad := range f.Fields {
		field, rest, _ := strings.Cut(strings.TrimPrefix(bad.Path, "/"), "/")
		if field == "corrections" || field == "changes" {
			field, _, _ = strings.Cut(rest, "/")
		}
		if _, told := out.errors[field]; field == "" || told {
			continue
		}
		if out.errors[field] = bad.Message; said != nil {
			out.errors[field] = said[i]
		}
	}
	return out
}

// sayings takes a sentence of the form "why: field: what; field: what" apart: one
// what for each violation, in the person's language (the violations themselves are
// English only). nil where the sentence has another form.
func sayings(sentence string, n int) []string {
	s := strings.NewReplacer("：", ": ", "；", "; ").Replace(sentence)
	_, s, _ = strings.Cut(s, ": ")
	parts := strings.Split(s, "; ")
	if len(parts) != n {
		return nil
	}
	for i, part := range parts {
		_, what, ok := strings.Cut(part, ": ")
		if !ok {
			return nil
		}
		parts[i] = strings.TrimSpace(what)
	}
	return parts
}

// Val is what stands in a field: what was typed, else what the page would show.
func (f form) Val(name, shown string) string {
	if got, ok := f.typed[name]; ok && len(got) == 1 {
		return got[0]
	}
	return shown
}

// ValAt is Val for the i-th of several fields of one name.
func (f form) ValAt(name string, i int, shown string) string {
	if got := f.typed[name]; i < len(got) {
		return got[i]
	}
	return shown
}

// Err is what is the matter with a field, "" when nothing is.
func (f form) Err(field string) string { return f.errors[field] }

// Bad reports whether the form comes back refused.
func (f form) Bad() bool { return f.typed != nil }
