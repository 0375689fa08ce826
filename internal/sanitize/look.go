package sanitize

import "strings"

// look is how text would be seen at a place in the document, as far as hiding
// goes. It is inherited from element to element.
type look struct {
	gone      bool // nothing below can be seen, whatever it says
	invisible bool // visibility; a child may take it back
	indented  bool // text-indent out of sight; inherited
	heaped    bool // letters drawn on top of each other; inherited
	inkLost   bool // a colour nobody can work out
	fontPx    float64
	opacity   float64
	color, bg colour
	stops     []colour // of a gradient behind
	box       *clipBox // what cuts off the text that does not fit
	vars      values
}

// clipBox is a box of fixed height which shows nothing beyond its edge.
type clipBox struct{ height, used float64 }

func (b *clipBox) full() bool { return b != nil && b.used >= b.height }

func plainLook() look {
	return look{fontPx: rootFont, opacity: 1, color: black, bg: white}
}

// unreadable is the font size, in pixels, at and below which nobody reads.
const unreadable = 2

// hides tells whether text here is hidden from a reader.
func (l look) hides() bool {
	if l.gone || l.invisible || l.indented || l.heaped || l.inkLost || l.fontPx <= unreadable || l.box.full() {
		return true
	}
	ink := l.color
	ink.a *= l.opacity
	if len(l.stops) == 0 {
		return ink.over(l.bg).near(l.bg)
	}
	for _, stop := range l.stops {
		if !ink.over(stop).near(stop) {
			return false
		}
	}
	return true
}

// with applies what an element declares.
func (l look) with(v values) look {
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
	if n, ok := fraction(v["opacity"]); ok {
		l.opacity *= n
	} else if opaque(v["opacity"]) {
		l.opacity = 0
	}
	if s := splitWords(v["text-indent"]); len(s) > 0 {
		n, fine := length(s[0], l.fontPx, 1000)
		l.indented = !fine && opaque(s[0]) || fine && (n <= -farAway || n >= 9000 || clipped(v) && n >= 900)
	}
	if s, ok := v["letter-spacing"]; ok {
		n, fine := length(s, l.fontPx, l.fontPx)
		l.heaped = fine && n <= -l.fontPx*0.4 || !fine && opaque(s)
	}
	if l.opacity <= 0.05 || removed(v) || l.sizedAway(v) || l.movedAway(v) {
		l.gone = true
	}
	return l
}

var fontWords = map[string]float64{
	"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "initial": 16, "large": 18, "x-large": 24, "xx-large": 32, "xxx-large": 48,
	"math": 16,
}

func (l *look) applyFont(v values) {
	size := v["font-size"]
	if size == "" {
		for _, word := range splitWords(v["font"]) {
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
	} else if opaque(size) {
		l.fontPx = 0
	}
	if n, ok := length(v["zoom"], 1, 1); ok && n > 0 {
		l.fontPx *= n
	}
}

// weight tells a font weight (700) from a font size without a unit.
func weight(word string) bool {
	return len(word) == 3 && strings.HasSuffix(word, "00")
}

func (l *look) applyColour(v values) {
	for _, name := range []string{"color", "-webkit-text-fill-color"} {
		c, ok := parseColour(v[name])
		switch {
		case ok:
			l.color, l.inkLost = c, false
		case v[name] == "initial":
			l.color, l.inkLost = black, false
		case opaque(v[name]):
			l.inkLost = true
		}
	}
	l.paint(v)
}

// paint lays a background under the text. A picture is not there: mail programs
// do not load it unasked, and what it would show nobody can tell.
func (l *look) paint(v values) {
	ground, set := colour{}, false
	var stops []string
	for _, name := range []string{"background", "background-image", "background-color"} {
		if name == "background-color" && v[name] != "" {
			ground, set = colour{}, false
		}
		for _, layer := range splitTop(v[name], ',') {
			for _, word := range splitWords(layer) {
				c, ok := parseColour(word)
				switch {
				case strings.Contains(word, "gradient("):
					stops = append(stops, word)
				case ok:
					ground, set = c, c.a > 0.05
				case word == "currentcolor":
					ground, set = l.color, true
				case opaque(word) && !strings.Contains(word, "url(") && !strings.Contains(word, "image"):
					l.inkLost = true // nobody can tell what it stands on
				}
			}
		}
	}
	if set {
		l.bg, l.stops = ground.over(l.bg), nil
	}
	var shades []colour
	for _, word := range stops[:min(len(stops), 8)] {
		shades = append(shades, l.gradient(word)...)
	}
	if len(shades) > 0 {
		l.stops = shades[:min(len(shades), 16)]
	}
}

// gradient lists the colours of a gradient.
func (l *look) gradient(word string) []colour {
	var out []colour
	_, args, _ := strings.Cut(word, "(")
	for _, stop := range splitTop(strings.TrimSuffix(args, ")"), ',') {
		for _, part := range splitWords(stop) {
			if c, ok := parseColour(part); ok {
				out = append(out, c.over(l.bg))
			} else if part == "currentcolor" {
				out = append(out, l.color.over(l.bg))
			}
		}
	}
	return out
}

// pushes is how far an element moves its text down within the box around.
func (l look) pushes(v values) float64 {
	down := 0.0
	add := func(s string) {
		if n, ok := length(s, l.fontPx, 0); ok {
			down += max(0, n)
		}
	}
	add(v["margin-top"])
	add(v["padding-top"])
	for _, name := range []string{"margin", "padding"} {
		if words := splitWords(v[name]); len(words) > 0 && v[name+"-top"] == "" {
			add(words[0])
		}
	}
	if v["position"] == "relative" || v["position"] == "absolute" {
		add(v["top"])
	}
	return down
}

// boxed is the box which an element puts around its text, if any.
func (l look) boxed(tag string, v values) *clipBox {
	if !clipped(v) || tableParts[tag] || tag == "table" || flows(tag, v) {
		return l.box
	}
	for _, name := range []string{"height", "max-height"} {
		if n, ok := length(v[name], l.fontPx, 0); ok && n > 0 && !strings.HasSuffix(v[name], "%") {
			return &clipBox{height: n}
		}
	}
	return l.box
}
