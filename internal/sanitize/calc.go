package sanitize

import (
	"math"
	"strconv"
	"strings"
)

// The screen which a mail is judged on: what only phones or printers hide stays.
const (
	screenWidth  = 1280
	screenHeight = 800
	rootFont     = 16
)

// length reads a CSS length as pixels. em is the size of the font around it,
// percentOf what a percentage is of. Sums and products inside calc(), min(),
// max() and clamp() are worked out.
func length(s string, em, percentOf float64) (float64, bool) {
	c := calc{src: strings.TrimSpace(s), em: em, percentOf: percentOf}
	v, ok := c.unit()
	c.blank()
	return v, ok && c.at == len(c.src) && !math.IsNaN(v)
}

// opaque tells a function whose result is not known: nobody can say what it hides.
func opaque(s string) bool { return strings.Contains(s, "(") }

// calc evaluates one expression.
type calc struct {
	src           string
	at, depth     int
	em, percentOf float64
}

func (c *calc) blank() {
	for c.at < len(c.src) && strings.IndexByte(" \t\n\f", c.src[c.at]) >= 0 {
		c.at++
	}
}

func (c *calc) peek() byte {
	if c.blank(); c.at < len(c.src) {
		return c.src[c.at]
	}
	return 0
}

func (c *calc) sum() (float64, bool) {
	total, ok := c.product()
	for ok {
		sign := 1.0
		switch c.peek() {
		case '+':
		case '-':
			sign = -1
		default:
			return total, true
		}
		c.at++
		var next float64
		next, ok = c.product()
		total += sign * next
	}
	return 0, false
}

func (c *calc) product() (float64, bool) {
	total, ok := c.unit()
	for ok {
		op := c.peek()
		if op != '*' && op != '/' {
			return total, true
		}
		c.at++
		var next float64
		if next, ok = c.unit(); op == '*' {
			total *= next
		} else {
			total /= next
		}
	}
	return 0, false
}

func (c *calc) unit() (float64, bool) {
	if c.depth > 20 {
		return 0, false
	}
	rest := ""
	if c.peek() != 0 {
		rest = c.src[c.at:]
	}
	for _, name := range []string{"calc(", "min(", "max(", "clamp(", "("} {
		if strings.HasPrefix(rest, name) {
			c.at += len(name)
			return c.call(strings.Trim(name, "("))
		}
	}
	if strings.HasPrefix(rest, "infinity") {
		c.at += len("infinity")
		return 1e9, true
	}
	return c.number()
}

// call reads the arguments of a function up to its bracket.
func (c *calc) call(name string) (float64, bool) {
	c.depth++
	defer func() { c.depth-- }()
	var args []float64
	for {
		v, ok := c.sum()
		if !ok || len(args) > 50 {
			return 0, false
		}
		args = append(args, v)
		next := c.peek()
		c.at++
		if next == ',' {
			continue
		}
		if next != ')' && next != 0 {
			return 0, false
		}
		return apply(name, args)
	}
}

func apply(name string, args []float64) (float64, bool) {
	out := args[0]
	switch name {
	case "min", "max":
		for _, v := range args[1:] {
			if name == "min" {
				out = min(out, v)
			} else {
				out = max(out, v)
			}
		}
	case "clamp":
		if len(args) != 3 {
			return 0, false
		}
		return max(args[0], min(args[1], args[2])), true
	default:
		return out, len(args) == 1
	}
	return out, true
}

func (c *calc) number() (float64, bool) {
	start := c.at
	for c.at < len(c.src) && (strings.IndexByte(".0123456789", c.src[c.at]) >= 0 || c.sign(start)) {
		c.at++
	}
	n, err := strconv.ParseFloat(c.src[start:c.at], 64)
	if err != nil {
		return 0, false
	}
	unit := c.at
	for c.at < len(c.src) && (c.src[c.at] >= 'a' && c.src[c.at] <= 'z' || c.src[c.at] == '%') {
		c.at++
	}
	factor, ok := c.factor(c.src[unit:c.at])
	return n * factor, ok
}

// sign tells whether a sign at this place belongs to the number begun at start.
func (c *calc) sign(start int) bool {
	if c.src[c.at] != '+' && c.src[c.at] != '-' {
		return c.src[c.at] == 'e' && c.at > start && c.at+1 < len(c.src) && strings.IndexByte("+-0123456789", c.src[c.at+1]) >= 0
	}
	return c.at == start || c.src[c.at-1] == 'e'
}

// factor is what one of a unit is in pixels.
func (c *calc) factor(unit string) (float64, bool) {
	switch unit {
	case "", "px":
		return 1, true
	case "pt":
		return 4.0 / 3, true
	case "pc":
		return 16, true
	case "in":
		return 96, true
	case "cm":
		return 37.8, true
	case "mm":
		return 3.78, true
	case "q":
		return 0.945, true
	case "em", "ic":
		return c.em, true
	case "ex", "ch", "cap":
		return c.em / 2, true
	case "lh":
		return c.em * 1.2, true
	case "rem", "rlh":
		return rootFont, true
	case "%":
		return c.percentOf / 100, true
	}
	if strings.HasPrefix(unit, "cq") || len(unit) >= 2 && strings.Contains(" vw vh vi vb vmin vmax ", " "+strings.TrimLeft(unit, "sdl")+" ") {
		if strings.HasSuffix(unit, "h") || strings.HasSuffix(unit, "b") || strings.HasSuffix(unit, "vmin") {
			return screenHeight / 100.0, true
		}
		return screenWidth / 100.0, true
	}
	return 0, false
}

// fraction reads a number between 0 and 1, as of opacity.
func fraction(s string) (float64, bool) {
	n, ok := length(s, math.NaN(), 1)
	return min(1, max(0, n)), ok
}
