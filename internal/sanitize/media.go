package sanitize

import "strings"

// tri is an answer which may be unknown. What may hide is taken to hide; what may
// show is not taken to show.
type tri int

const (
	no tri = iota
	maybe
	yes
)

func (t tri) not() tri { return yes - t }

func truth(b bool) tri {
	if b {
		return yes
	}
	return no
}

// media tells whether a media query holds on an ordinary screen.
func media(query string) tri {
	if strings.TrimSpace(query) == "" {
		return yes
	}
	best := no
	for _, one := range splitTop(query, ',') {
		best = max(best, mediaOne(strings.Fields(strings.NewReplacer("(", " (", ")", ") ").Replace(one))))
	}
	return best
}

// mediaOne reads "[not|only] type and (feature) and (feature)".
func mediaOne(words []string) tri {
	if len(words) == 0 {
		return maybe
	}
	if words[0] == "not" {
		return mediaOne(words[1:]).not()
	}
	out, either := yes, false
	text := strings.Join(words, " ")
	for _, part := range strings.Split(text, " and ") {
		for i, choice := range strings.Split(part, " or ") {
			holds := feature(strings.TrimSpace(choice))
			if either = i > 0; either {
				out = max(out, holds)
			} else {
				out = min(out, holds)
			}
		}
	}
	return out
}

func feature(s string) tri {
	s = strings.TrimSpace(strings.TrimPrefix(s, "only "))
	if inner, ok := strings.CutPrefix(s, "not "); ok {
		return feature(inner).not()
	}
	if !strings.HasPrefix(s, "(") {
		return truth(s == "screen" || s == "all")
	}
	s = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(s, "("), ")"))
	if strings.ContainsAny(s, "<>=") {
		return rangeFeature(s)
	}
	name, value, has := strings.Cut(s, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	for _, side := range []struct {
		name string
		size float64
	}{{"width", screenWidth}, {"device-width", screenWidth}, {"height", screenHeight}, {"device-height", screenHeight}} {
		n, ok := length(value, rootFont, 0)
		switch {
		case name == "min-"+side.name && ok:
			return truth(side.size >= n)
		case name == "max-"+side.name && ok:
			return truth(side.size <= n)
		case name == side.name:
			return truth(!has || ok && n == side.size)
		}
	}
	return namedFeature(name, value, has)
}

func namedFeature(name, value string, has bool) tri {
	switch name {
	case "prefers-color-scheme":
		return truth(!has || value == "light")
	case "prefers-reduced-motion", "prefers-contrast", "prefers-reduced-transparency", "prefers-reduced-data", "forced-colors", "inverted-colors":
		return truth(value == "no-preference" || value == "none")
	case "orientation":
		return truth(value == "landscape")
	case "color", "hover", "any-hover", "pointer", "any-pointer", "update", "scripting":
		return truth(value != "none" && value != "coarse" && value != "slow" && value != "0")
	case "monochrome", "grid":
		return truth(has && value == "0")
	case "-webkit-min-device-pixel-ratio", "min-resolution", "min--moz-device-pixel-ratio", "min-device-pixel-ratio":
		n, ok := length(strings.TrimRight(value, "dpixcm"), 0, 0)
		return truth(ok && (n <= 1 || strings.HasSuffix(value, "dpi") && n <= 96))
	case "-webkit-max-device-pixel-ratio", "max-resolution", "max-device-pixel-ratio":
		n, ok := length(strings.TrimRight(value, "dpixcm"), 0, 0)
		return truth(ok && n >= 1)
	case "-ms-high-contrast", "-moz-images-in-menus":
		return no
	}
	return maybe
}

// rangeFeature reads (width >= 600px) and (400px <= width < 900px).
func rangeFeature(s string) tri {
	s = strings.NewReplacer("<=", " < ", ">=", " > ", "<", " < ", ">", " > ", "=", " = ").Replace(s)
	words := strings.Fields(s)
	if len(words) != 3 && len(words) != 5 {
		return maybe
	}
	out := yes
	for i := 0; i+2 < len(words); i += 2 {
		left, ok1 := sideOf(words[i])
		right, ok2 := sideOf(words[i+2])
		if !ok1 || !ok2 {
			return maybe
		}
		holds := words[i+1] == "<" && left <= right || words[i+1] == ">" && left >= right || left == right
		out = min(out, truth(holds))
	}
	return out
}

func sideOf(word string) (float64, bool) {
	switch word {
	case "width", "device-width":
		return screenWidth, true
	case "height", "device-height":
		return screenHeight, true
	}
	return length(word, rootFont, 0)
}

// supports tells whether a browser knows what a group of rules asks for. Only a
// plain yes is sure.
func supports(query string) tri {
	query = strings.TrimSpace(query)
	if !strings.HasPrefix(query, "(") || strings.Contains(query, " or ") || strings.Contains(query, "not ") {
		return maybe
	}
	for _, part := range strings.Split(query, " and ") {
		name, value, ok := strings.Cut(strings.Trim(part, "() "), ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || !relevant[name] || !valid(name, value) {
			return maybe
		}
	}
	return yes
}
