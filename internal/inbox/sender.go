package inbox

import (
	"path"
	"slices"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/unicode/norm"

	"thhotel/internal/mail"
)

// organisation is the part of an address's domain that one owner registered:
// bookings.siamlink.example and siamlink.example are one sender. "" when there is none.
func organisation(address string) string {
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return ""
	}
	domain := strings.Trim(strings.ToLower(address[at+1:]), ".> ")
	if shown, err := idna.ToUnicode(domain); err == nil {
		domain = norm.NFKC.String(shown)
	}
	if own, err := publicsuffix.EffectiveTLDPlusOne(domain); err == nil {
		return own
	}
	return domain
}

func organisations(lists ...[]mail.Address) []string {
	var out []string
	for _, list := range lists {
		for _, a := range list {
			if d := organisation(a.Email); d != "" && !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
	}
	return out
}

// replyElsewhere reports that answers would go to another organisation.
func replyElsewhere(from mail.Address, replyTo []mail.Address) bool {
	own := organisation(from.Email)
	return own != "" && slices.ContainsFunc(organisations(replyTo), func(d string) bool { return d != own })
}

// lookAlike reports that two different domains are easily taken for one another.
func lookAlike(a, b string) bool {
	if a == b || a == "" || b == "" {
		return false
	}
	return skeleton(a) == skeleton(b) || len(a) >= 6 && len(b) >= 6 && oneEdit([]rune(a), []rune(b))
}

// confusable maps letters to the one they are read as: digits, and the Cyrillic
// and Greek letters that look Latin.
var confusable = strings.NewReplacer(
	"rn", "m", "vv", "w", "cl", "d", "0", "o", "1", "l", "i", "l", "|", "l", "5", "s", "8", "b", "-", "", "_", "",
	"а", "a", "е", "e", "о", "o", "р", "p", "с", "c", "у", "y", "х", "x", "і", "l", "ј", "j", "ѕ", "s", "ԁ", "d", "һ", "h",
	"к", "k", "м", "m", "т", "t", "в", "b", "н", "h", "ո", "n", "ɡ", "g", "ı", "l", "ḷ", "l", "ł", "l", "ø", "o",
	"α", "a", "ο", "o", "ρ", "p", "ν", "v", "τ", "t", "ι", "l", "κ", "k", "υ", "u", "ε", "e",
)

// skeleton is a domain as a hurried eye sees it.
func skeleton(domain string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= 0x300 && r < 0x370 { // accents, once taken apart
			return -1
		}
		return r
	}, norm.NFKD.String(domain))
	return confusable.Replace(confusable.Replace(plain))
}

// oneEdit reports that one letter changed, came, went or swapped with its neighbour.
func oneEdit(a, b []rune) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	ra, rb := a[i:], b[i:]
	switch len(rb) - len(ra) {
	case 0:
		return len(ra) > 0 && (slices.Equal(ra[1:], rb[1:]) || len(ra) > 1 && ra[0] == rb[1] && ra[1] == rb[0] && slices.Equal(ra[2:], rb[2:]))
	case 1:
		return slices.Equal(ra, rb[1:])
	}
	return false
}

// activeTypes and activeNames run code, or are web pages, when opened.
var (
	activeTypes = []string{
		"text/html", "application/xhtml+xml", "image/svg+xml", "text/javascript", "application/javascript", "application/ecmascript",
		"application/x-msdownload", "application/x-msdos-program", "application/vnd.microsoft.portable-executable", "application/x-executable",
		"application/java-archive", "application/x-sh", "application/x-shellscript", "application/hta", "application/x-ms-shortcut",
		"application/x-iso9660-image", "application/vnd.android.package-archive", "application/x-shockwave-flash",
	}
	activeNames = []string{
		".htm", ".html", ".xhtml", ".shtml", ".mht", ".mhtml", ".svg", ".svgz", ".xsl", ".js", ".jse", ".mjs", ".vbs", ".vbe", ".wsf", ".wsh", ".hta",
		".exe", ".dll", ".scr", ".com", ".pif", ".bat", ".cmd", ".ps1", ".msi", ".msp", ".msc", ".cpl", ".lnk", ".url", ".reg", ".jar", ".jnlp", ".app",
		".dmg", ".pkg", ".sh", ".command", ".apk", ".iso", ".img", ".vhd", ".vhdx", ".one", ".chm", ".appx", ".msix", ".swf",
		".docm", ".dotm", ".xlsm", ".xltm", ".xlam", ".xll", ".pptm", ".potm", ".ppam", ".ppsm", ".sldm", ".iqy", ".slk", ".settingcontent-ms",
	}
)

// active judges by type, by name and by the first bytes: a sender chooses the first two freely.
func active(f file) bool {
	kind, _, _ := strings.Cut(f.ContentType, ";")
	if slices.Contains(activeTypes, strings.TrimSpace(kind)) {
		return true
	}
	name := strings.TrimRight(strings.ToLower(f.Name), ". ")
	if slices.Contains(activeNames, path.Ext(name)) {
		return true
	}
	head := strings.ToLower(strings.TrimLeft(string(f.content[:min(len(f.content), 512)]), "\ufeff \t\r\n"))
	for _, start := range []string{"mz", "\x7felf", "#!", "<!doctype html", "<html", "<svg", "<script", "\xca\xfe\xba\xbe", "\xcf\xfa\xed\xfe"} {
		if strings.HasPrefix(head, start) && (start != "mz" || strings.Contains(head, "this program") || strings.Contains(head, "\x00\x00")) {
			return true
		}
	}
	return false
}
