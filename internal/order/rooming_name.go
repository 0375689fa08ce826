package order

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// titles are forms of address, in any place of a name.
var titles = regexp.MustCompile(`(?i)^(mr|mrs|ms|miss|mstr|master|dr|prof|sir|madam|chd|inf|adt|herr|frau|hr|fr|m|mme|mlle|monsieur|madame|khun|k)\.?$`)

// shortTitles are letters that are also initials: titles only in front or with a dot.
var shortTitles = []string{"m", "k", "fr", "hr", "chd", "inf", "adt"}

// nativeTitles stand at the end or beginning of names without a space.
var (
	titlesAfter  = []string{"先生", "女士", "小姐", "太太", "様", "さま", "さん", "殿"}
	titlesBefore = []string{"นางสาว", "นาง", "นาย", "น.ส.", "คุณ", "ด.ช.", "ด.ญ."}
)

// placeholders say that a name is still to come.
var placeholders = regexp.MustCompile(`(?i)^(tba|tbc|tbd|n\.?n\.?|n/?a|-+|\?+|x+|待定|未定|to be (advised|confirmed|announced)|no name|รอแจ้ง)$`)

// double surnames of Chinese.
var compoundSurnames = []string{"欧阳", "歐陽", "司马", "司馬", "上官", "诸葛", "諸葛", "司徒", "东方", "東方", "皇甫", "尉迟", "尉遲", "公孙", "公孫", "慕容", "令狐", "夏侯", "端木", "南宫"}

// pinyin surnames that a list in capitals begins with.
var pinyin = strings.Fields("WANG LI ZHANG LIU CHEN YANG HUANG ZHAO WU ZHOU XU SUN MA ZHU HU GUO HE LIN GAO LUO ZHENG LIANG XIE SONG TANG XU DENG HAN FENG CAO PENG ZENG XIAO TIAN DONG YUAN PAN CAI JIANG YU DU YE CHENG WEI SU LU DING REN SHEN YAO LU JIANG CUI ZHONG TAN LU WANG FAN JIN SHI LIAO JIA XIA WEI FU FANG BAI ZOU MENG XIONG QIN QIU HOU JIANG YIN XUE YAN LEI LONG SHAO")

// person is a name in the hotel's way, "Surname, Given".
type person struct {
	name    string
	guessed bool // which part is the surname
}

// readName reads a whole name in one cell.
func readName(s string) person {
	s = strings.Trim(strings.Join(strings.Fields(untitled(s)), " "), " ,;/-")
	if s == "" || placeholders.MatchString(s) || roomLink.MatchString(s) || !hasLetter(s) {
		return person{}
	}
	if last, first, ok := strings.Cut(s, ","); ok {
		return person{name: joinName(last, first)}
	}
	if last, first, ok := strings.Cut(s, "，"); ok {
		return person{name: joinName(last, first)}
	}
	if last, first, ok := strings.Cut(s, "/"); ok && !strings.Contains(first, "/") { // as ticket systems write it
		return person{name: joinName(last, first)}
	}
	if p, ok := hanName(s); ok {
		return p
	}
	return spacedName(strings.Fields(s))
}

// joinName makes "Surname, Given" of two cells; each may hold a title.
func joinName(last, first string) string {
	last, first = tidyName(last), tidyName(first)
	switch {
	case first == "":
		return last
	case last == "":
		return first
	}
	return last + ", " + first
}

func tidyName(s string) string {
	return strings.Trim(strings.Join(strings.Fields(untitled(s)), " "), " ,;/")
}

// hanName: one surname character, or one of the known pairs; without a space.
func hanName(s string) (person, bool) {
	r := []rune(s)
	if !slices.ContainsFunc(r, func(r rune) bool { return unicode.Is(unicode.Han, r) }) || slices.ContainsFunc(r, func(r rune) bool {
		return !unicode.Is(unicode.Han, r)
	}) || len(r) < 2 || len(r) > 4 {
		return person{}, false
	}
	n := 1
	if len(r) > 2 && slices.Contains(compoundSurnames, string(r[:2])) {
		n = 2
	}
	return person{name: string(r[:n]) + ", " + string(r[n:])}, true
}

// spacedName decides by capitals, by what is known of Chinese surnames, else takes
// the last word for the surname, and says that it guessed.
func spacedName(words []string) person {
	if len(words) == 1 {
		return person{name: words[0]}
	}
	caps := func(w string) bool { return len([]rune(w)) > 1 && w == strings.ToUpper(w) && hasLetter(w) && cased(w) }
	n := 0
	for n < len(words) && caps(words[n]) {
		n++
	}
	tail := len(words)
	for tail > 0 && caps(words[tail-1]) {
		tail--
	}
	join := func(last, first []string) string { return strings.Join(last, " ") + ", " + strings.Join(first, " ") }
	switch {
	case n > 0 && n < len(words):
		return person{name: join(words[:n], words[n:])}
	case tail > 0 && tail < len(words):
		return person{name: join(words[tail:], words[:tail])}
	case n == len(words) && slices.Contains(pinyin, words[0]), !cased(words[0]) && !isThai(words[0]): // Japanese and Korean: surname first
		return person{name: join(words[:1], words[1:]), guessed: n == len(words)}
	}
	last := len(words) - 1
	if len(words) > 2 && slices.Contains([]string{"van", "von", "de", "da", "di", "la", "le", "al", "bin", "ter", "den"}, strings.ToLower(words[last-1])) {
		last--
	}
	return person{name: join(words[last:], words[:last]), guessed: !isThai(words[0])} // Thais put the surname last
}

func hasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

func cased(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsLower(r) })
}

func isThai(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Thai, r) })
}

// untitled takes forms of address off a name.
func untitled(s string) string {
	s = strings.TrimSpace(s)
	for _, t := range titlesAfter {
		s = strings.TrimSpace(strings.TrimSuffix(s, t))
	}
	for _, t := range titlesBefore {
		if strings.HasPrefix(s, t) && len(s) > len(t) {
			s = strings.TrimSpace(strings.TrimPrefix(s, t))
			break
		}
	}
	words := strings.Fields(s)
	kept := words[:0:0]
	for i, w := range words {
		bare := strings.Trim(w, ",")
		plain := strings.ToLower(strings.TrimSuffix(bare, "."))
		if titles.MatchString(bare) && len(words) > 1 && (i == 0 || strings.HasSuffix(bare, ".") && len(plain) > 1 || !slices.Contains(shortTitles, plain)) {
			if strings.HasSuffix(w, ",") && len(kept) > 0 && !strings.HasSuffix(kept[len(kept)-1], ",") {
				kept[len(kept)-1] += ","
			}
			continue
		}
		kept = append(kept, w)
	}
	return strings.Join(kept, " ")
}

var between = regexp.MustCompile(`(?i)\s*(?:;|；|\n|、|\s&\s|\s\+\s|\s/\s|\sand\s|\sund\s|\set\s|\s和\s)\s*`)

// readNames reads several names in one cell. A comma is part of a name, "Holm,
// Ingrid", unless both sides are whole names.
func readNames(s string) []person {
	var out []person
	for _, part := range between.Split(s, -1) {
		for _, one := range byComma(strings.Trim(part, " ,")) {
			if p := readName(one); p.name != "" {
				out = append(out, p)
			}
		}
	}
	return out
}

func byComma(s string) []string {
	parts := strings.Split(strings.ReplaceAll(s, "，", ","), ",")
	whole := func(p string) bool { return len(strings.Fields(untitled(p))) > 1 || isHan(strings.TrimSpace(p)) }
	switch {
	case len(parts) < 2:
		return []string{s}
	case !slices.ContainsFunc(parts, func(p string) bool { return !whole(p) }):
		return parts
	case len(parts) > 2 && len(parts)%2 == 0:
		var out []string
		for i := 0; i < len(parts); i += 2 {
			out = append(out, parts[i]+","+parts[i+1])
		}
		return out
	}
	return []string{s}
}

func isHan(s string) bool {
	_, ok := hanName(s)
	return ok
}
