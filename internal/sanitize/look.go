package sanitize

import (
	"strconv"
	"strings"
)

// look is how text would be seen at a place in the document, as far as hiding
// goes. It is inherited from element to element.
type look struct {
	gone      bool // nothing below can be seen, whatever it says
	invisible bool // visibility; a child may take it back
	indented  bool // text-indent out of sight; inherited
	fontPx    float64
	opacity   float64
	color, bg colour
	bgUnknown bool // an image or gradient lies behind
}

func plainLook() look {
	return look{fontPx: 16, opacity: 1, color: black, bg: white}
}

// unreadable is the font size, in pixels, at and below which nobody reads.
const unreadable = 2

// hides tells whether text here is hidden from a reader.
func (l look) hides() bool {
	if l.gone || l.invisible || l.indented || l.fontPx <= unreadable {
		return true
	}
	ink := l.color
	ink.a *= l.opacity
	if l.bgUnknown {
		return ink.a <= 0.1
	}
	return ink.over(l.bg).near(l.bg)
}

// with applies what an element declares.
func (l look) with(v map[string]string) look {
	if len(v) == 0 {
		return l
	}
	l.applyFont(v)
	l.applyColour(v)
	switch v["visibility"] {
	case "hidden", "collapse":
		l.invisible = true
	case "visible", "initial":
		l.invisible = false
	}
	if n, ok := fraction(strings.TrimSuffix(strings.TrimPrefix(v["opacity"], "calc("), ")")); ok {
		l.opacity *= n
	}
	if s, ok := v["text-indent"]; ok {
		n, fine := length(strings.Fields(s + " 0")[0], l.fontPx, 1000)
		l.indented = fine && (n <= -farAway || n >= 9000)
	}
	if l.opacity <= 0.05 || removed(v) || l.sizedAway(v) || l.movedAway(v) {
		l.gone = true
	}
	return l
}

func fraction(s string) (float64, bool) {
	scale := 1.0
	if strings.HasSuffix(s, "%") {
		s, scale = s[:len(s)-1], 0.01
	}
	n, err := strconv.ParseFloat(s, 64)
	return min(1, max(0, n*scale)), err == nil
}

var fontWords = map[string]float64{
	"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "initial": 16, "large": 18, "x-large": 24, "xx-large": 32,
}

func (l *look) applyFont(v map[string]string) {
	size := v["font-size"]
	if size == "" {
		for _, word := range strings.Fields(v["font"]) {
			word, _, _ = strings.Cut(word, "/")
			_, isWord := fontWords[word]
			if _, ok := length(word, 16, 16); isWord || ok && !weight(word) {
				size = word
				break
			}
		}
	}
	if px, ok := fontWords[size]; ok {
		l.fontPx = px
	} else if px, ok := length(size, l.fontPx, l.fontPx); ok {
		l.fontPx = px
	}
}

// weight tells a font weight (700) from a font size without a unit.
func weight(word string) bool {
	return len(word) == 3 && strings.HasSuffix(word, "00")
}

func (l *look) applyColour(v map[string]string) {
	for _, name := range []string{"background", "background-color", "background-image"} {
		for _, word := range splitTop(v[name], ' ') {
			if strings.Contains(word, "url(") || strings.Contains(word, "gradient(") {
				l.bgUnknown = true
			}
		}
		for _, word := range splitTop(v[name], ' ') {
			if c, ok := parseColour(word); ok && c.a > 0.05 {
				l.bg, l.bgUnknown = c.over(l.bg), false
			}
		}
	}
	for _, name := range []string{"color", "-webkit-text-fill-color"} {
		if c, ok := parseColour(v[name]); ok {
			l.color = c
		} else if v[name] == "initial" {
			l.color = black
		}
	}
}

// removed: taken out of the picture by name.
func removed(v map[string]string) bool {
	filter := strings.ReplaceAll(v["filter"], " ", "")
	transform := v["transform"] + v["-webkit-transform"]
	clip := strings.Join(strings.FieldsFunc(v["clip"], func(r rune) bool { return r == ' ' || r == ',' }), " ")
	path := v["clip-path"] + v["-webkit-clip-path"]
	return v["display"] == "none" || v["mso-hide"] == "all" || v["content-visibility"] == "hidden" ||
		strings.Contains(filter, "opacity(0") && !strings.Contains(filter, "opacity(0.") || strings.HasSuffix(filter, "opacity=0)") ||
		zeroScale(transform) || zeroClip(clip) || zeroPath(path)
}

func zeroScale(s string) bool {
	for _, fn := range []string{"scale(", "scalex(", "scaley(", "scale3d("} {
		if _, rest, ok := strings.Cut(s, fn); ok {
			arg, _, _ := strings.Cut(rest, ")")
			arg, _, _ = strings.Cut(arg, ",")
			if n, err := strconv.ParseFloat(strings.TrimSpace(arg), 64); err == nil && n <= 0.05 && n >= -0.05 {
				return true
			}
		}
	}
	return false
}

// zeroClip: rect(0 0 0 0) and its like, with no area left.
func zeroClip(s string) bool {
	_, rest, ok := strings.Cut(s, "rect(")
	if !ok {
		return false
	}
	f := strings.Fields(strings.TrimSuffix(strings.TrimSpace(rest), ")"))
	if len(f) != 4 {
		return false
	}
	var n [4]float64
	for i, word := range f {
		v, fine := length(word, 16, 1000)
		if !fine {
			return false
		}
		n[i] = v
	}
	return n[2]-n[0] <= 1 || n[1]-n[3] <= 1
}

func zeroPath(s string) bool {
	if _, rest, ok := strings.Cut(s, "inset("); ok {
		for _, word := range strings.Fields(strings.TrimSuffix(rest, ")")) {
			if n, fine := length(word, 16, 100); fine && n >= 50 && strings.HasSuffix(word, "%") {
				return true
			}
		}
	}
	return strings.Contains(s, "circle(0") && !strings.Contains(s, "circle(0.") || strings.Contains(s, "polygon(0 0)") ||
		strings.Contains(s, "polygon(0 0, 0 0, 0 0")
}

// sizedAway: a box without size which shows nothing beyond its edge.
func (l look) sizedAway(v map[string]string) bool {
	clipped := false
	for _, name := range []string{"overflow", "overflow-x", "overflow-y"} {
		clipped = clipped || strings.Contains(v[name], "hidden") || v[name] == "clip"
	}
	for _, name := range []string{"width", "height", "max-width", "max-height"} {
		n, ok := length(v[name], l.fontPx, 1000)
		if ok && (clipped && n <= 2 || name == "max-height" && n <= 0) {
			return true
		}
	}
	return false
}

// farAway is how many pixels out of the page something must be moved to be unseen.
const farAway = 400

// movedAway: off the page, behind it, or laid over everything else.
func (l look) movedAway(v map[string]string) bool {
	position := v["position"]
	if position == "fixed" {
		return true // an overlay pretends to be the page around the mail
	}
	names := []string{"margin-left", "margin-top"}
	if position == "absolute" || position == "relative" {
		names = append(names, "left", "top", "right", "bottom")
		if n, err := strconv.Atoi(v["z-index"]); err == nil && n < 0 {
			return true
		}
	}
	for _, name := range names {
		if n, ok := length(v[name], l.fontPx, 1000); ok && (n <= -farAway || n >= 5000) {
			return true
		}
	}
	for _, word := range strings.Fields(v["margin"]) {
		if n, ok := length(word, l.fontPx, 1000); ok && n <= -farAway {
			return true
		}
	}
	_, rest, ok := strings.Cut(v["transform"]+v["-webkit-transform"], "translate")
	if _, rest, ok = cutIf(rest, "(", ok); ok {
		for _, word := range strings.FieldsFunc(strings.TrimSuffix(rest, ")"), func(r rune) bool { return r == ',' || r == ' ' }) {
			if n, fine := length(word, l.fontPx, 1000); fine && n <= -farAway {
				return true
			}
		}
	}
	return false
}

func cutIf(s, sep string, ok bool) (before, after string, found bool) {
	if !ok {
		return "", "", false
	}
	return strings.Cut(s, sep)
}
