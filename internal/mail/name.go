package mail

import (
	"strconv"
	"strings"
)

// safeName makes a base name which no file system or page can misread.
func safeName(name, contentType string, number int) string {
	name = strings.ReplaceAll(name, `\`, "/")
	name = name[strings.LastIndexByte(name, '/')+1:]
	name = strings.Map(func(r rune) rune {
		switch {
		case r < ' ' || r >= 0x7F && r <= 0x9F || hidesInNames(r):
			return -1
		case strings.ContainsRune(`<>:"|?*`, r):
			return '_'
		case r == '\u00A0' || r == '\u3000':
			return ' '
		}
		return r
	}, strings.ToValidUTF8(name, "_"))
	name = strings.TrimRight(strings.TrimLeft(strings.TrimSpace(name), ". "), ". ")
	if name == "" {
		name = "attachment-" + strconv.Itoa(number) + extension(contentType)
	}
	return shorten(name)
}

// hidesInNames: zero-width and direction characters, as in "invoice\u202Efdp.exe".
func hidesInNames(r rune) bool {
	return r == 0xAD || r == 0x61C || r >= 0x200B && r <= 0x200F || r >= 0x2028 && r <= 0x202E ||
		r >= 0x2060 && r <= 0x206F || r == 0xFEFF || r >= 0xFFF9 && r <= 0xFFFB || r >= 0xE0000 && r <= 0xE0FFF
}

// extension of the types that come without a name; the system's own table differs
// from machine to machine.
func extension(contentType string) string {
	switch contentType {
	case "message/rfc822", "message/global":
		return ".eml"
	case "text/plain", "text/rfc822-headers", "message/delivery-status", "message/disposition-notification":
		return ".txt"
	case "text/html":
		return ".html"
	case "text/calendar":
		return ".ics"
	case "text/csv":
		return ".csv"
	case "text/vcard", "text/x-vcard":
		return ".vcf"
	case "application/pdf":
		return ".pdf"
	case "application/ms-tnef":
		return ".dat"
	case "image/jpeg":
		return ".jpg"
	case "image/png":
		return ".png"
	case "image/gif":
		return ".gif"
	}
	return ".bin"
}

// shorten keeps a name within what file systems and columns take, ending included.
func shorten(name string) string {
	const most = 180
	if len(name) <= most {
		return name
	}
	ending := ""
	if i := strings.LastIndexByte(name, '.'); i > 0 && len(name)-i <= 16 {
		ending = name[i:]
	}
	return strings.ToValidUTF8(name[:most-len(ending)], "") + ending
}
