package sanitize

import "strings"

var (
	everywhere = setOf("inherit initial unset revert revert-layer")
	displays   = setOf(`none block inline inline-block flow-root flow flex inline-flex grid inline-grid table inline-table table-row
		table-cell table-row-group table-header-group table-footer-group table-column table-column-group table-caption list-item
		contents ruby ruby-text run-in -webkit-box -webkit-inline-box -webkit-flex -webkit-inline-flex -ms-flexbox -moz-box math`)
	visibilities = setOf("visible hidden collapse")
	overflows    = setOf("visible hidden scroll auto clip overlay -moz-hidden-unscrollable")
	positions    = setOf("static relative absolute fixed sticky -webkit-sticky")
	sizeWords    = setOf(`auto none min-content max-content fit-content stretch normal medium thin thick -webkit-fill-available -moz-available
		-webkit-fit-content -moz-fit-content`)
	lengths = setOf(`width height max-width max-height left top right bottom margin-left margin-top padding-top text-indent
		letter-spacing line-height margin padding`)
)

// valid tells whether a browser would accept a value; it errs on the side of yes.
func valid(name, value string) bool {
	if value == "" {
		return false
	}
	if everywhere[value] {
		return true
	}
	switch name {
	case "display":
		return all(strings.Fields(value), displays)
	case "visibility":
		return visibilities[value]
	case "overflow", "overflow-x", "overflow-y":
		return all(strings.Fields(value), overflows)
	case "position":
		return positions[value]
	case "opacity", "zoom":
		_, ok := fraction(value)
		return ok || opaque(value) || value == "normal" || value == "reset"
	case "color", "-webkit-text-fill-color", "background-color":
		_, ok := parseColour(value)
		return ok || value == "currentcolor" || opaque(value)
	case "background", "background-image":
		return someBackground(value)
	case "font-size":
		_, word := fontWords[value]
		return word || value == "smaller" || value == "larger" || measure(value)
	case "z-index":
		return value == "auto" || measure(value)
	case "content-visibility":
		return value == "visible" || value == "auto" || value == "hidden"
	}
	if lengths[name] {
		for _, word := range splitTop(value, ' ') {
			if word != "" && !sizeWords[word] && !measure(word) && word != "hanging" && word != "each-line" {
				return false
			}
		}
	}
	return true
}

func measure(s string) bool {
	_, ok := length(s, 16, 16)
	return ok || opaque(s)
}

func all(words []string, set map[string]bool) bool {
	for _, word := range words {
		if !set[word] {
			return false
		}
	}
	return len(words) > 0
}

func someBackground(value string) bool {
	for _, word := range splitTop(strings.ReplaceAll(value, ",", " "), ' ') {
		if _, ok := parseColour(word); ok || word == "none" || word == "currentcolor" || opaque(word) {
			return true
		}
	}
	return opaque(value)
}

// unitless: a size other than zero without a unit, which only quirks mode takes.
func unitless(name, value string) bool {
	if name != "font-size" && (!lengths[name] || name == "line-height") {
		return false
	}
	last := value[len(value)-1]
	return last >= '0' && last <= '9' && strings.Trim(value, "+-.0") != "" && strings.Trim(value, "+-.0123456789") == ""
}
