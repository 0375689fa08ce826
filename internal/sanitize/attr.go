package sanitize

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// remoteAttrs make a reader fetch something.
var remoteAttrs = setOf(`src srcset background poster data manifest dynsrc lowsrc classid codebase archive profile imagesrcset
	longdesc icon cite xlink:href style-src`)

// flagAttrs notes what the attributes of an element would have done; none of
// them goes out.
func (w *walker) flagAttrs(tag string, attrs []html.Attribute) {
	for _, a := range attrs {
		value := strings.ToLower(a.Val)
		switch {
		case strings.HasPrefix(a.Key, "on"), strings.HasPrefix(scheme(value), "javascript:"), strings.HasPrefix(scheme(value), "vbscript:"),
			tag == "meta" && a.Key == "http-equiv" && value == "refresh":
			w.flags.add(FlagActiveContent)
		case remoteAttrs[a.Key] && !strings.HasPrefix(value, "cid:") && !strings.HasPrefix(value, "data:"),
			tag == "link" && a.Key == "href",
			a.Key == "style" && strings.Contains(unescape(value), "url("):
			w.flags.add(FlagRemoteContent)
		case a.Key == "alt" || a.Key == "title":
			w.unseen(a.Val)
		}
	}
}

// scheme drops what browsers ignore in front of and inside a scheme.
func scheme(s string) string {
	if i := strings.IndexByte(s, ':'); i >= 0 {
		s = s[:i+1]
	}
	return strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, s)
}

// frame works out how an element looks.
func (w *walker) frame(tag string, attrs []html.Attribute) frame {
	f := frame{tag: tag}
	values := map[string]string{}
	for _, a := range attrs {
		if _, twice := values[a.Key]; !twice {
			values[a.Key] = a.Val
		}
	}
	// Style sheets match class and id without regard to case in quirks mode.
	f.id = strings.ToLower(values["id"])
	f.classes = strings.Fields(strings.ToLower(values["class"]))
	_, hidden := values["hidden"]
	_, isOpen := values["open"]
	base := oldStyle(tag, values, hidden || tag == "dialog" && !isOpen)
	own := sortDecls(w.matching(f), parseDecls(values["style"]))
	for name, value := range base {
		if _, declared := own[name]; !declared && (name != "background-color" || own["background"] == "") {
			own[name] = value
		}
	}
	parent := w.top()
	f.own, f.look, f.pre = own, parent.look.with(own), parent.pre
	f.key = tagKey(tag, values)
	return f
}

// tagKey is what an element keeps of its attributes: the spans of a cell go out,
// for formatting it only serves to know repeats.
func tagKey(tag string, values map[string]string) string {
	if tag == "td" || tag == "th" {
		return spanAttr("colspan", values) + spanAttr("rowspan", values)
	}
	if formatting[tag] {
		return values["style"] + "\x00" + values["class"] + "\x00" + values["id"] + "\x00" + values["color"]
	}
	return ""
}

func spanAttr(name string, values map[string]string) string {
	n, err := strconv.Atoi(strings.TrimSpace(values[name]))
	if err != nil || n < 2 || n > 999 {
		return ""
	}
	return " " + name + `="` + strconv.Itoa(n) + `"`
}

// oldStyle is what the browser's own style and the attributes of old HTML say,
// as declarations of least weight.
func oldStyle(tag string, values map[string]string, hidden bool) map[string]string {
	out := map[string]string{}
	if hidden {
		out["display"] = "none"
	}
	if tag == "a" {
		out["color"] = "#0000ee"
	}
	if tag == "font" || tag == "basefont" {
		oldColour(out, "color", values["color"])
	}
	if tag == "body" {
		oldColour(out, "color", values["text"])
	}
	if tag == "body" || tag == "table" || tableParts[tag] {
		if values["background"] != "" {
			out["background-image"] = "url()"
		}
		oldColour(out, "background-color", values["bgcolor"])
	}
	return out
}

func oldColour(out map[string]string, name, value string) {
	if c, ok := attrColour(value); ok && value != "" {
		out[name] = "rgb(" + strconv.Itoa(int(c.r)) + "," + strconv.Itoa(int(c.g)) + "," + strconv.Itoa(int(c.b)) + ")"
	}
}

// matching collects the rules of style blocks which hold for an element.
func (w *walker) matching(f frame) []rule {
	if w.sheet.count == 0 {
		return nil
	}
	out := w.pick(nil, w.sheet.any, f)
	out = w.pick(out, w.sheet.byTag[f.tag], f)
	for i, class := range f.classes {
		if i < 50 {
			out = w.pick(out, w.sheet.byClass[class], f)
		}
	}
	if f.id != "" {
		out = w.pick(out, w.sheet.byID[f.id], f)
	}
	return out
}

func (w *walker) pick(out, rules []rule, f frame) []rule {
	for _, r := range rules {
		w.work++
		last := len(r.path) - 1
		if r.path[last].fits(&f) && w.inside(r.path[:last]) {
			out = append(out, r)
			w.work += 50 // sorting and merging cost more than looking
		}
	}
	return out
}

// inside tells whether the open elements satisfy the outer part of a selector.
func (w *walker) inside(path []compound) bool {
	want := len(path) - 1
	for i := len(w.frames) - 1; i >= 0 && want >= 0; i-- {
		w.work++
		if path[want].fits(&w.frames[i]) {
			want--
		}
	}
	// The elements html and body are not always written, but always there.
	for want >= 0 && (path[want].tag == "html" || path[want].tag == "body") && path[want].id == "" && len(path[want].classes) == 0 {
		want--
	}
	return want < 0
}

func (c compound) fits(f *frame) bool {
	if c.tag != "" && c.tag != f.tag || c.id != "" && c.id != f.id {
		return false
	}
	for _, class := range c.classes {
		found := false
		for _, have := range f.classes {
			found = found || have == class
		}
		if !found {
			return false
		}
	}
	return true
}

// placed decides as what an element goes out where it stands.
func (w *walker) placed(f frame) string {
	out := outName(f.tag)
	switch {
	case f.look.gone || w.depth >= maxDepth:
		return ""
	case tableParts[f.tag] && w.home(f.tag) < 0, f.tag == "li" && !w.in("ul", "ol"), (f.tag == "dt" || f.tag == "dd") && !w.in("dl", "dl"):
		return "div" // on its own it could close a cell or item of the page around
	}
	return out
}

// in tells whether one of two elements is open and goes out.
func (w *walker) in(one, other string) bool {
	for _, f := range w.frames {
		if f.out == one || f.out == other {
			return true
		}
	}
	return false
}
