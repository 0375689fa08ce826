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
	el := w.newElement(tag, attrMap(attrs))
	f := w.styled(el)
	parent := w.top()
	f.pre = parent.pre
	f.closed = tag == "details" && !has(el.attrs, "open")
	if parent.closed && (tag != "summary" || el.nthType != 1) {
		f.doomed, f.look.gone = true, true
	}
	if parent.look.box != nil && !formatting[tag] && !w.learning {
		parent.look.box.used += f.look.pushes(f.own)
	}
	f.key = tagKey(tag, attrs, el.attrs)
	return f
}

func has(attrs map[string]string, name string) bool {
	_, ok := attrs[name]
	return ok
}

func attrMap(attrs []html.Attribute) map[string]string {
	out := make(map[string]string, len(attrs))
	for _, a := range attrs {
		if _, twice := out[a.Key]; !twice {
			out[a.Key] = a.Val
		}
	}
	return out
}

// styled applies rules, attributes and the style attribute to what is around.
func (w *walker) styled(el *element) frame {
	f := frame{tag: el.tag, el: el}
	if w.learning {
		return f
	}
	around := w.top().look
	sure, unsure := w.matching(el)
	inline := parseDecls(el.attrs["style"])
	vars := customs(sure, inline, around.vars)
	f.own = cascade(sure, inline, vars)
	base := w.oldStyle(el)
	for name, value := range base {
		if _, declared := f.own[name]; !declared && (name != "background-color" || f.own["background"] == "") {
			f.own[name] = value
		}
	}
	if base["display"] == "none" && strings.HasPrefix(f.own["display"], "revert") {
		f.own["display"] = "none"
	}
	if flows(el.tag, f.own) {
		delete(f.own, "text-indent") // lines belong to the block around
	}
	f.look = around.with(f.own)
	f.look.box = around.boxed(el.tag, f.own)
	f.look.vars = vars
	if el.parent == nil || el == w.body {
		unsure = nil // or all would be lost
	}
	if w.animatedAway(f.own) || len(unsure) > 0 && f.look.with(cascade([]weighed{{decls: unsure}}, nil, vars)).hides() && !f.look.hides() {
		f.doomed, f.look.gone = true, true
	}
	return f
}

// flows tells an element which flows in the lines of its block.
func flows(tag string, v values) bool {
	return (formatting[tag] || inlineTags[tag]) && v["display"] == "" && v["position"] == ""
}

// animatedAway tells whether an animation leaves the element hidden, or takes
// longer to show it than anybody waits.
func (w *walker) animatedAway(v values) bool {
	for _, name := range []string{"animation", "animation-name", "-webkit-animation", "-webkit-animation-name"} {
		slow := strings.Contains(v[name], "paused")
		for _, word := range splitWords(strings.ReplaceAll(v[name], ",", " ")) {
			n, ok := length(strings.TrimSuffix(word, "s"), 0, 0)
			slow = slow || ok && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ms") && n > 10
		}
		for _, word := range splitWords(strings.ReplaceAll(v[name], ",", " ")) {
			if body, ok := w.sheet.frames[word]; ok && hidesBy(body, slow) {
				return true
			}
		}
	}
	return false
}

// hidesBy tells whether the last frame of an animation hides, or any one of a
// slow one.
func hidesBy(body string, slow bool) bool {
	for range 50 {
		i := indexTop(body, "{")
		if i < 0 {
			return false
		}
		head := strings.ToLower(body[:i])
		var inner string
		inner, body = cutBody(body[i:])
		if slow || strings.Contains(head, "to") || strings.Contains(head, "100%") {
			if plainLook().with(cascade(nil, parseDecls(inner), nil)).hides() {
				return true
			}
		}
	}
	return false
}

// tagKey is what an element keeps of its attributes: the spans of a cell go out,
// for formatting it only serves to know repeats.
func tagKey(tag string, list []html.Attribute, attrs map[string]string) string {
	if tag == "td" || tag == "th" {
		return spanAttr("colspan", attrs) + spanAttr("rowspan", attrs)
	}
	if !formatting[tag] {
		return ""
	}
	key := ""
	for _, a := range list[:min(len(list), 20)] {
		key += a.Key + "\x00" + a.Val[:min(len(a.Val), 200)] + "\x00"
	}
	return key
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
func (w *walker) oldStyle(el *element) values {
	out := values{}
	attrs := el.attrs
	if has(attrs, "hidden") || el.tag == "dialog" && !has(attrs, "open") {
		out["display"] = "none"
	}
	switch el.tag {
	case "a":
		if has(attrs, "href") {
			out["color"] = "#0000ee"
			oldColour(out, "color", w.body.attrs["link"])
		}
	case "font", "basefont":
		oldColour(out, "color", attrs["color"])
	case "body":
		oldColour(out, "color", attrs["text"])
	case "mark":
		out["background-color"], out["color"] = "#ffff00", "#000000"
	case "marquee":
		for _, name := range []string{"width", "height"} {
			if attrs[name] != "" {
				out[name], out["overflow"] = strings.TrimSpace(attrs[name]), "hidden"
			}
		}
	}
	if el.tag == "body" || el.tag == "table" || tableParts[el.tag] {
		oldColour(out, "background-color", attrs["bgcolor"])
	}
	return out
}

func oldColour(out values, name, value string) {
	if c, ok := attrColour(value); ok {
		out[name] = "rgb(" + strconv.Itoa(int(c.r)) + "," + strconv.Itoa(int(c.g)) + "," + strconv.Itoa(int(c.b)) + ")"
	}
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
