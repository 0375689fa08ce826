package sanitize

import (
	"math"
	"strconv"
	"strings"
)

// removed: taken out of the picture by name.
func removed(v values) bool {
	clip := strings.Join(strings.FieldsFunc(v["clip"], func(r rune) bool { return r == ' ' || r == ',' }), " ")
	return v["display"] == "none" || v["mso-hide"] == "all" || v["content-visibility"] == "hidden" || filtered(v["filter"]) ||
		zeroScale(v["transform"]) || zeroScale(v["-webkit-transform"]) || zeroScale("scale("+v["scale"]+")") ||
		turned(v["rotate"]) || zeroClip(clip) || cutPath(v["clip-path"]) || cutPath(v["-webkit-clip-path"]) || masked(v)
}

// call is one function of a value: translate(1px, 2px).
type call struct{ name, args string }

func (c call) words() []string {
	return strings.FieldsFunc(c.args, func(r rune) bool { return r == ',' || r == ' ' })
}

// calls lists the functions of a value, one after the other.
func calls(s string) []call {
	var out []call
	for len(out) < 50 {
		i := strings.IndexByte(s, '(')
		if i < 0 {
			return out
		}
		name := strings.TrimLeft(s[:i], ") ,")
		depth, end := 0, len(s)
		for at := i; at < len(s); at++ {
			if s[at] == '(' {
				depth++
			} else if s[at] == ')' {
				if depth--; depth == 0 {
					end = at
					break
				}
			}
		}
		out = append(out, call{name[strings.LastIndexByte(name, ' ')+1:], s[i+1 : end]})
		s = s[min(len(s), end+1):]
	}
	return out
}

// harmless words in filters keep text in sight; what others do is not worked out.
func filtered(s string) bool {
	for _, c := range calls(strings.ReplaceAll(s, " ", "")) {
		name, arg := c.name, c.args
		switch {
		case name == "" || name == "none" || everywhere[name] || name == "drop-shadow" || name == "saturate" || name == "sepia" ||
			name == "grayscale" || name == "hue-rotate" || strings.HasPrefix(name, "progid:"):
		case name == "opacity" || name == "alpha":
			if arg, ok := strings.CutPrefix(arg, "opacity="); ok {
				if n, fine := length(arg, 0, 0); fine && n <= 5 {
					return true
				}
				continue
			}
			if n, fine := fraction(arg); !fine || n <= 0.05 {
				return true
			}
		case name == "blur":
			if n, fine := length(arg, 16, 0); !fine || n > 2 {
				return true
			}
		case name == "brightness" || name == "contrast" || name == "invert" || name == "url":
			return true
		}
	}
	return false
}

func masked(v values) bool {
	for _, name := range []string{"mask", "mask-image", "-webkit-mask", "-webkit-mask-image"} {
		if s := v[name]; s != "" && s != "none" && !everywhere[s] {
			return true
		}
	}
	blend := v["mix-blend-mode"]
	return blend != "" && blend != "normal" && !everywhere[blend]
}

// zeroScale: a transform which leaves no area, or turns the text away.
func zeroScale(s string) bool {
	if s == "" || s == "none" || s == "scale()" {
		return false
	}
	for _, c := range calls(s) {
		name, words := c.name, c.words()
		switch {
		case strings.HasPrefix(name, "scale"):
			for i, word := range words {
				n, ok := length(word, 16, 1)
				if name != "scalez" && i < 2 && (!ok || n <= 0.05 && n >= -0.05) && !everywhere[word] && word != "none" {
					return true
				}
			}
		case name == "rotatex" || name == "rotatey" || name == "rotate3d" || name == "skew" || strings.HasPrefix(name, "skew"):
			if turned(name + " " + strings.Join(words, " ")) {
				return true
			}
		case name == "matrix" && len(words) == 6:
			var m [6]float64
			for i, word := range words {
				m[i], _ = length(word, 16, 1)
			}
			if area := m[0]*m[3] - m[1]*m[2]; area < 0.005 && area > -0.005 || m[4] <= -farAway || m[5] <= -farAway || m[4] >= 5000 || m[5] >= 5000 {
				return true
			}
		case name == "matrix3d":
			return true
		}
	}
	return false
}

// turned: seen from the side, by an angle near a right one.
func turned(s string) bool {
	words := strings.Fields(s)
	if len(words) < 2 || words[0] == "z" || words[0] == "rotatez" {
		return false
	}
	n, ok := component(words[len(words)-1], 1)
	n = math.Mod(math.Abs(n), 180)
	return !ok && opaque(s) || ok && n > 85 && n < 95
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
			return opaque(word)
		}
		n[i] = v
	}
	return n[2]-n[0] <= 2 || n[1]-n[3] <= 2
}

// cutPath: mails have no honest use for a shape cut out of text, but for one that
// cuts nothing away.
func cutPath(s string) bool {
	if s == "" || s == "none" || everywhere[s] || strings.HasSuffix(s, "-box") {
		return false
	}
	if inner, ok := strings.CutPrefix(s, "inset("); ok {
		for _, word := range splitWords(strings.TrimSuffix(inner, ")")) {
			if n, fine := length(word, 16, 100); word != "round" && (!fine || n >= 5) {
				return true
			}
		}
		return false
	}
	return true
}

func clipped(v values) bool {
	for _, name := range []string{"overflow", "overflow-x", "overflow-y"} {
		if strings.Contains(v[name], "hidden") || strings.Contains(v[name], "clip") {
			return true
		}
	}
	return false
}

// sizedAway: a box without size which shows nothing beyond its edge.
func (l look) sizedAway(v values) bool {
	cut := clipped(v)
	scrolls := strings.Contains(v["overflow"]+v["overflow-y"]+v["overflow-x"], "auto") || strings.Contains(v["overflow"]+v["overflow-y"]+v["overflow-x"], "scroll")
	for _, name := range []string{"width", "height", "max-width", "max-height"} {
		n, ok := length(v[name], l.fontPx, 1000)
		if ok && ((cut || scrolls) && n <= 2 || name == "max-height" && n <= 0) || cut && !ok && strings.Contains(v[name], "(") && !strings.HasPrefix(v[name], "fit-content") {
			return true
		}
	}
	tall, ok := length(v["line-height"], l.fontPx, l.fontPx)
	return cut && ok && v["height"] == "" && tall <= 2 && (tall <= 0 || strings.Trim(v["line-height"], "0123456789.") != "")
}

// farAway is how many pixels out of the page something must be moved to be unseen.
const farAway = 400

// movedAway: off the page, behind it, or laid over everything else.
func (l look) movedAway(v values) bool {
	position := v["position"]
	if position == "fixed" {
		return true // an overlay pretends to be the page around the mail
	}
	var moves []string
	if position == "absolute" || position == "relative" || strings.HasSuffix(position, "sticky") {
		moves = append(moves, v["left"], v["top"], v["right"], v["bottom"])
		if n, err := strconv.Atoi(v["z-index"]); err == nil && n < 0 {
			return true
		}
	}
	moves = append(moves, v["margin-left"], v["margin-top"])
	moves = append(moves, splitWords(v["margin"])...)
	moves = append(moves, splitWords(v["translate"])...)
	for _, c := range calls(v["transform"] + " " + v["-webkit-transform"]) {
		if strings.HasPrefix(c.name, "translate") {
			moves = append(moves, c.words()...)
		}
	}
	for _, move := range moves {
		if n, ok := length(move, l.fontPx, 1000); ok && (n <= -farAway || n >= 5000) {
			return true
		}
	}
	return false
}
