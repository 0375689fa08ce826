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

// parseColour reads a CSS colour in lower case.
func parseColour(s string) (colour, bool) {
	s = strings.TrimSpace(s)
	switch {
	case s == "transparent":
		return colour{}, true
	case strings.HasPrefix(s, "#"):
		return hexColour(s[1:])
	case strings.Contains(s, "("):
		return funcColour(s)
	}
	if hex, ok := named[s]; ok {
		return hexColour(hex)
	}
	return colour{}, false
}

// attrColour reads the colour of an old attribute. Browsers make a colour of any
// string: what is no hex digit counts as zero, and the three thirds are cut to
// two digits each.
func attrColour(s string) (colour, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if s == "" || s == "transparent" || len(s) > 128 {
		return colour{}, false
	}
	if hex, ok := named[s]; ok {
		return hexColour(hex)
	}
	if c, ok := hexColour(strings.TrimPrefix(s, "#")); ok && len(s) == 4 && s[0] == '#' {
		return c, true
	}
	digits := []byte(strings.TrimPrefix(s, "#"))
	for i, c := range digits {
		if strings.IndexByte("0123456789abcdef", c) < 0 {
			digits[i] = '0'
		}
	}
	for len(digits) == 0 || len(digits)%3 != 0 {
		digits = append(digits, '0')
	}
	third := len(digits) / 3
	part := [3][]byte{digits[:third], digits[third : 2*third], digits[2*third:]}
	for i := range part {
		part[i] = part[i][max(0, third-8):]
	}
	for len(part[0]) > 2 && part[0][0] == '0' && part[1][0] == '0' && part[2][0] == '0' {
		for i := range part {
			part[i] = part[i][1:]
		}
	}
	var v [3]float64
	for i := range part {
		n, _ := strconv.ParseUint(string(part[i][:min(2, len(part[i]))]), 16, 8)
		v[i] = float64(n)
	}
	return colour{v[0], v[1], v[2], 1}, true
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

// funcColour reads the functions which make a colour.
func funcColour(s string) (colour, bool) {
	name, args, _ := strings.Cut(strings.TrimSuffix(s, ")"), "(")
	switch name {
	case "light-dark": // the page around is light
		return parseColour(splitTop(args, ',')[0])
	case "color-mix":
		return mixed(splitTop(args, ','))
	}
	words := strings.FieldsFunc(args, func(r rune) bool { return r == ',' || r == '/' || r == ' ' })
	space := ""
	if name == "color" && len(words) > 0 {
		space, words = words[0], words[1:]
	}
	if len(words) < 3 || len(words) > 4 {
		return colour{}, false
	}
	v := [4]float64{3: 1}
	for i, word := range words {
		n, ok := component(word, fullScale(name, i))
		if !ok {
			return colour{}, false
		}
		v[i] = n
	}
	return fromSpace(name, space, v)
}

// fullScale is what 100% of the i-th argument is.
func fullScale(name string, i int) float64 {
	switch {
	case i == 3:
		return 1
	case strings.HasPrefix(name, "rgb"):
		return 255
	case name == "lab" || name == "lch":
		return [3]float64{100, 125, 150}[i]
	case name == "oklab" || name == "oklch":
		return [3]float64{1, 0.4, 0.4}[i]
	}
	return 1
}

func component(word string, full float64) (float64, bool) {
	scale := 1.0
	for unit, degrees := range map[string]float64{"deg": 1, "grad": 0.9, "rad": 180 / math.Pi, "turn": 360} {
		if rest, ok := strings.CutSuffix(word, unit); ok && (unit != "rad" || !strings.HasSuffix(word, "grad")) {
			word, scale = rest, degrees
		}
	}
	if word == "none" {
		return 0, true
	}
	n, ok := length(word, math.NaN(), full)
	return n * scale, ok
}

func fromSpace(name, space string, v [4]float64) (colour, bool) {
	switch name {
	case "rgb", "rgba":
		return clamped(v[0], v[1], v[2], v[3]), true
	case "hsl", "hsla":
		return fromHSL(v[0], unitOf(v[1]), unitOf(v[2]), v[3]), true
	case "hwb":
		w, b := unitOf(v[1]), unitOf(v[2])
		if w+b >= 1 {
			w, b = w/(w+b), b/(w+b)
		}
		c := fromHSL(v[0], 1, 0.5, v[3])
		mix := func(x float64) float64 { return x*(1-w-b) + 255*w }
		return colour{mix(c.r), mix(c.g), mix(c.b), v[3]}, true
	case "lab", "oklab":
		return fromLab(name, v[0], v[1], v[2], v[3]), true
	case "lch", "oklch":
		hue := v[2] * math.Pi / 180
		return fromLab(name, v[0], v[1]*math.Cos(hue), v[1]*math.Sin(hue), v[3]), true
	case "color":
		if space == "srgb" || space == "display-p3" || space == "a98-rgb" || space == "rec2020" || space == "prophoto-rgb" {
			return clamped(v[0]*255, v[1]*255, v[2]*255, v[3]), true
		}
	}
	return colour{}, false
}

// unitOf: percentages may be written without their sign.
func unitOf(n float64) float64 {
	if n > 1 {
		n /= 100
	}
	return min(1, max(0, n))
}

func clamped(r, g, b, a float64) colour {
	in := func(x, top float64) float64 { return min(top, max(0, x)) }
	return colour{in(r, 255), in(g, 255), in(b, 255), in(a, 1)}
}

func fromHSL(h, s, l, a float64) colour {
	f := func(n float64) float64 {
		k := math.Mod(math.Mod(n+h/30, 12)+12, 12)
		return 255 * (l - s*min(l, 1-l)*max(-1, min(k-3, 9-k, 1)))
	}
	return clamped(f(0), f(8), f(4), a)
}

// fromLab turns lightness and two axes into RGB, near enough to compare shades.
func fromLab(name string, l, a, b, alpha float64) colour {
	var x, y, z float64
	if strings.HasPrefix(name, "ok") {
		p, q, r := cube(l+0.3963*a+0.2158*b), cube(l-0.1056*a-0.0639*b), cube(l-0.0895*a-1.2915*b)
		return linear(4.0767*p-3.3077*q+0.231*r, -1.2684*p+2.6098*q-0.3413*r, -0.0042*p-0.7034*q+1.7076*r, alpha)
	}
	inv := func(t float64) float64 {
		if t > 6.0/29 {
			return cube(t)
		}
		return 3 * 36.0 / 841 * (t - 4.0/29)
	}
	fy := (l + 16) / 116
	x, y, z = 0.9643*inv(fy+a/500), inv(fy), 0.8251*inv(fy-b/200)
	return linear(3.1342*x-1.6174*y-0.4907*z, -0.9788*x+1.9161*y+0.0335*z, 0.072*x-0.229*y+1.4057*z, alpha)
}

func cube(x float64) float64 { return x * x * x }

func linear(r, g, b, a float64) colour {
	f := func(x float64) float64 {
		if x <= 0.0031308 {
			return 255 * 12.92 * max(0, x)
		}
		return 255 * (1.055*math.Pow(x, 1/2.4) - 0.055)
	}
	return clamped(f(r), f(g), f(b), a)
}

// mixed reads the arguments of color-mix(); the space makes little difference.
func mixed(args []string) (colour, bool) {
	if len(args) != 3 {
		return colour{}, false
	}
	var c [2]colour
	share := [2]float64{-1, -1}
	for i, arg := range args[1:] {
		for _, word := range splitTop(strings.TrimSpace(arg), ' ') {
			if n, ok := strings.CutSuffix(word, "%"); ok {
				share[i], _ = fraction(n + "%")
			} else if one, ok := parseColour(word); ok {
				c[i] = one
			} else {
				return colour{}, false
			}
		}
	}
	switch {
	case share[0] < 0 && share[1] < 0:
		share[0] = 0.5
	case share[0] < 0:
		share[0] = 1 - share[1]
	}
	part := func(x, y float64) float64 { return x*share[0] + y*(1-share[0]) }
	return colour{part(c[0].r, c[1].r), part(c[0].g, c[1].g), part(c[0].b, c[1].b), part(c[0].a, c[1].a)}, true
}

// over paints c on top of below.
func (c colour) over(below colour) colour {
	mix := func(top, bottom float64) float64 { return top*c.a + bottom*(1-c.a) }
	return colour{mix(c.r, below.r), mix(c.g, below.g), mix(c.b, below.b), 1}
}

const (
	sameShade   = 20   // how far colours may differ and still not be told apart
	palerShade  = 48   // how far they may differ when they are equally bright
	lowContrast = 1.25 // what counts as equally bright
)

// near tells whether text in one colour cannot be read on the other.
func (c colour) near(o colour) bool {
	far := max(math.Abs(c.r-o.r), math.Abs(c.g-o.g), math.Abs(c.b-o.b))
	if far <= sameShade {
		return true
	}
	light, dark := c.luminance(), o.luminance()
	if light < dark {
		light, dark = dark, light
	}
	return far <= palerShade && (light+0.05)/(dark+0.05) < lowContrast
}

func (c colour) luminance() float64 {
	f := func(x float64) float64 {
		if x /= 255; x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*f(c.r) + 0.7152*f(c.g) + 0.0722*f(c.b)
}
