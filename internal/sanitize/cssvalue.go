package sanitize

import (
	"math"
	"strconv"
	"strings"
)

// colour is an RGB colour with opacity.
type colour struct{ r, g, b, a float64 }

var (
	black = colour{0, 0, 0, 1}
	white = colour{255, 255, 255, 1}
)

// named holds the colours which mails use by name, the pale ones above all.
var named = map[string]string{
	"black": "000000", "white": "ffffff", "snow": "fffafa", "ivory": "fffff0", "ghostwhite": "f8f8ff", "whitesmoke": "f5f5f5",
	"floralwhite": "fffaf0", "mintcream": "f5fffa", "azure": "f0ffff", "aliceblue": "f0f8ff", "seashell": "fff5ee", "honeydew": "f0fff0",
	"linen": "faf0e6", "oldlace": "fdf5e6", "beige": "f5f5dc", "lightyellow": "ffffe0", "lavenderblush": "fff0f5", "lavender": "e6e6fa",
	"gainsboro": "dcdcdc", "lightgray": "d3d3d3", "lightgrey": "d3d3d3", "silver": "c0c0c0", "darkgray": "a9a9a9", "darkgrey": "a9a9a9",
	"gray": "808080", "grey": "808080", "dimgray": "696969", "dimgrey": "696969", "red": "ff0000", "maroon": "800000", "yellow": "ffff00",
	"olive": "808000", "lime": "00ff00", "green": "008000", "aqua": "00ffff", "cyan": "00ffff", "teal": "008080", "blue": "0000ff",
	"navy": "000080", "fuchsia": "ff00ff", "magenta": "ff00ff", "purple": "800080", "orange": "ffa500", "gold": "ffd700", "pink": "ffc0cb",
	"brown": "a52a2a", "darkblue": "00008b", "darkgreen": "006400", "darkred": "8b0000", "orangered": "ff4500", "tomato": "ff6347",
	"royalblue": "4169e1", "steelblue": "4682b4", "lightblue": "add8e6", "skyblue": "87ceeb", "khaki": "f0e68c", "crimson": "dc143c",
	"canvas": "ffffff", "canvastext": "000000", "window": "ffffff", "windowtext": "000000", "cornsilk": "fff8dc", "lightcyan": "e0ffff",
}

// parseColour reads a CSS colour.
func parseColour(s string) (colour, bool) {
	s = strings.TrimSpace(s)
	switch {
	case s == "transparent":
		return colour{}, true
	case strings.HasPrefix(s, "#"):
		return hexColour(s[1:])
	case strings.HasPrefix(s, "rgb"), strings.HasPrefix(s, "hsl"):
		return funcColour(s)
	}
	if hex, ok := named[s]; ok {
		return hexColour(hex)
	}
	return colour{}, false
}

// attrColour reads the colour of an old attribute, which needs no hash sign.
func attrColour(s string) (colour, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if c, ok := parseColour(s); ok {
		return c, true
	}
	return hexColour(s)
}

func hexColour(s string) (colour, bool) {
	if len(s) == 3 || len(s) == 4 {
		var wide strings.Builder
		for _, c := range []byte(s) {
			wide.Write([]byte{c, c})
		}
		s = wide.String()
	}
	if len(s) == 6 {
		s += "ff"
	}
	n, err := strconv.ParseUint(s, 16, 32)
	if err != nil || len(s) != 8 {
		return colour{}, false
	}
	return colour{float64(n >> 24), float64(n >> 16 & 255), float64(n >> 8 & 255), float64(n&255) / 255}, true
}

// funcColour reads rgb(), rgba(), hsl() and hsla().
func funcColour(s string) (colour, bool) {
	name, args, ok := strings.Cut(strings.TrimSuffix(s, ")"), "(")
	if !ok {
		return colour{}, false
	}
	words := strings.FieldsFunc(args, func(r rune) bool { return r == ',' || r == '/' || r == ' ' })
	if len(words) < 3 {
		return colour{}, false
	}
	var v [4]float64
	v[3] = 1
	for i, word := range words[:min(4, len(words))] {
		n, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSuffix(word, "%"), "deg"), 64)
		if err != nil {
			return colour{}, false
		}
		if strings.HasSuffix(word, "%") {
			n /= 100
			if i < 3 && strings.HasPrefix(name, "rgb") {
				n *= 255
			}
		}
		v[i] = n
	}
	if strings.HasPrefix(name, "hsl") {
		return fromHSL(v[0], v[1], v[2], v[3]), true
	}
	return colour{v[0], v[1], v[2], v[3]}, true
}

func fromHSL(h, s, l, a float64) colour {
	f := func(n float64) float64 {
		k := math.Mod(n+h/30, 12)
		return 255 * (l - s*min(l, 1-l)*max(-1, min(k-3, 9-k, 1)))
	}
	return colour{f(0), f(8), f(4), a}
}

// over paints c on top of below.
func (c colour) over(below colour) colour {
	mix := func(top, bottom float64) float64 { return top*c.a + bottom*(1-c.a) }
	return colour{mix(c.r, below.r), mix(c.g, below.g), mix(c.b, below.b), 1}
}

// sameShade is how far two colours may differ and still not be told apart.
const sameShade = 20

func (c colour) near(o colour) bool {
	return max(math.Abs(c.r-o.r), math.Abs(c.g-o.g), math.Abs(c.b-o.b)) <= sameShade
}

// length reads a CSS length as pixels. em is the size of the font around it,
// percentOf what a percentage is of; sums inside calc() are worked out.
func length(s string, em, percentOf float64) (float64, bool) {
	s = strings.TrimSpace(s)
	if inner, ok := strings.CutPrefix(s, "calc("); ok {
		return sum(strings.Fields(strings.TrimSuffix(inner, ")")), em, percentOf)
	}
	return oneLength(s, em, percentOf)
}

// sum adds "a + b - c"; products and nested brackets are not understood.
func sum(words []string, em, percentOf float64) (float64, bool) {
	total, sign := 0.0, 1.0
	for i, word := range words {
		if i%2 == 1 {
			if sign = 1; word == "-" {
				sign = -1
			} else if word != "+" {
				return 0, false
			}
			continue
		}
		n, ok := oneLength(word, em, percentOf)
		if !ok {
			return 0, false
		}
		total += sign * n
	}
	return total, len(words)%2 == 1
}

func oneLength(s string, em, percentOf float64) (float64, bool) {
	end := 0
	for end < len(s) && strings.IndexByte("+-.0123456789", s[end]) >= 0 {
		end++
	}
	n, err := strconv.ParseFloat(s[:end], 64)
	if err != nil {
		return 0, false
	}
	switch unit := s[end:]; unit {
	case "", "px":
		return n, true
	case "pt":
		return n * 4 / 3, true
	case "pc":
		return n * 16, true
	case "in":
		return n * 96, true
	case "cm":
		return n * 37.8, true
	case "mm":
		return n * 3.78, true
	case "em":
		return n * em, true
	case "ex", "ch":
		return n * em / 2, true
	case "rem":
		return n * 16, true
	case "%":
		return n * percentOf / 100, true
	case "vw", "vh", "vmin", "vmax":
		return n * 10, true
	}
	return 0, false
}
