package pages

import "html/template"

// iconPaths are line drawings on a 24 by 24 grid, in the manner of Tabler's icons.
var iconPaths = map[string]string{
	"queue":    `<path d="M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01"/>`,
	"orders":   `<path d="M4 20V7l8-4 8 4v13M9 20v-5h6v5M8.5 10h.01M12 10h.01M15.5 10h.01M3 20h18"/>`,
	"inbox":    `<path d="M4 5h16v14H4zM4 13h4l2 3h4l2-3h4"/>`,
	"mail":     `<path d="M3 6h18v12H3zM3.5 6.5 12 13l8.5-6.5"/>`,
	"notice":   `<path d="M10 5a2 2 0 1 1 4 0 7 7 0 0 1 4 6v3a4 4 0 0 0 2 3H4a4 4 0 0 0 2-3v-3a7 7 0 0 1 4-6M9.5 20a2.6 2.6 0 0 0 5 0"/>`,
	"agent":    `<path d="M6 8h12v10H6zM12 8V4M9.5 12.5v.5M14.5 12.5v.5M3 12v3M21 12v3M10 16h4"/>`,
	"admin":    `<path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2"/><circle cx="9" cy="17" r="2"/>`,
	"search":   `<circle cx="10.5" cy="10.5" r="6"/><path d="m20 20-5-5"/>`,
	"user":     `<circle cx="12" cy="8" r="4"/><path d="M4.5 20a7.5 7.5 0 0 1 15 0"/>`,
	"moon":     `<path d="M12 3a9 9 0 1 0 9 10A7 7 0 0 1 12 3"/>`,
	"sun":      `<circle cx="12" cy="12" r="4"/><path d="M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1 1M17.4 17.4l1 1M18.4 5.6l-1 1M6.6 17.4l-1 1"/>`,
	"check":    `<path d="m5 12.5 4.5 4.5L19 7.5"/>`,
	"x":        `<path d="M6 6l12 12M18 6 6 18"/>`,
	"pencil":   `<path d="M4 20h4L18.5 9.500a2.8 2.8 0 0 0-4-4L4 16zM13.5 6.500l4 4"/>`,
	"clock":    `<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5l3 2"/>`,
	"alert":    `<path d="M12 4 2.5 20h19zM12 10v4M12 17h.01"/>`,
	"stop":     `<circle cx="12" cy="12" r="8.5"/><path d="M6 6l12 12"/>`,
	"info":     `<circle cx="12" cy="12" r="8.5"/><path d="M12 8h.01M12 11v5"/>`,
	"clip":     `<path d="m15 7-6.5 6.500a1.5 1.5 0 0 0 3 3L18 10a3 3 0 0 0-6-6l-6.5 6.500a4.5 4.5 0 0 0 9 9L21 13"/>`,
	"right":    `<path d="M5 12h14M13 6l6 6-6 6"/>`,
	"left":     `<path d="M19 12H5M11 6l-6 6 6 6"/>`,
	"keyboard": `<path d="M3 7h18v11H3zM7 11h.01M11 11h.01M15 11h.01M17 14.500h.01M8 14.500h6"/>`,
	"lock":     `<path d="M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3"/>`,
	"calendar": `<path d="M4 6h16v14H4zM8 3v4M16 3v4M4 11h16"/>`,
	"history":  `<path d="M4 5v4h4M4.5 9a8.5 8.5 0 1 1-1 5M12 8v4.500l3 2"/>`,
	"out":      `<path d="M14 8V5H5v14h9v-3M10 12h11M18 9l3 3-3 3"/>`,
	"hand":     `<path d="M8 13V5.500a1.5 1.5 0 0 1 3 0V11m0-6.500v-1a1.5 1.5 0 0 1 3 0V11m0-5.500a1.5 1.5 0 0 1 3 0V12m0-3.500a1.5 1.5 0 0 1 3 0V15a6 6 0 0 1-6 6h-2c-3 0-4.5-1.5-6-4l-2.5-4a1.5 1.5 0 0 1 2.5-1.500L8 14"/>`,
	"download": `<path d="M4 17v3h16v-3M12 4v11M7 11l5 5 5-5"/>`,
	"globe":    `<circle cx="12" cy="12" r="8.5"/><path d="M3.5 12h17M12 3.500c5 5 5 12 0 17M12 3.500c-5 5-5 12 0 17"/>`,
	"card":     `<path d="M3 6h18v12H3zM3 10h18M7 15h2"/>`,
	"eye":      `<path d="M2.5 12C6 6 18 6 21.5 12 18 18 6 18 2.5 12"/><circle cx="12" cy="12" r="2.5"/>`,
}

// icon draws one of ours; it is decoration, so screen readers skip it.
func icon(name string) template.HTML {
	p, ok := iconPaths[name]
	if !ok {
		return ""
	}
	return template.HTML(`<svg class="i" viewBox="0 0 24 24" aria-hidden="true" focusable="false">` + p + `</svg>`) //nolint:gosec // constant drawings of ours
}
