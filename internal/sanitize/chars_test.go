package sanitize_test

import (
	"slices"
	"strings"
	"testing"

	"thhotel/internal/sanitize"
)

func TestCharacters(t *testing.T) {
	cases := []struct{ name, src, want string }{
		{"bidi override", "a\u202egpj.exe", "agpj.exe"},
		{"isolates", "a\u2066b\u2069c", "abc"},
		{"zero width space", "pass\u200bword", "password"},
		{"byte order mark", "\ufeffHello", "Hello"},
		{"soft hyphen", "reser\u00advation", "reservation"},
		{"tags", "x\U000E0001\U000E0041\U000E007Fy", "xy"},
		{"persian keeps its non-joiner", "می\u200cخواهم", "می\u200cخواهم"},
		{"hindi keeps its joiner", "क्\u200dष", "क्\u200dष"},
		{"joiner in latin goes", "a\u200db", "ab"},
		{"family emoji stays", "👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"},
		{"heart emoji stays", "❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"},
		{"keycap stays", "1\ufe0f⃣", "1\ufe0f⃣"},
		{"selector after a letter goes", "a\ufe0fb", "ab"},
		{"selectors in a row go", "😀\ufe0f\ufe0f\ufe0f\U000E0100", "😀\ufe0f"},
		{"han variant stays", "辻\U000E0100", "辻\U000E0100"},
		{"thai", "เรียน\nแผนก", "เรียน\nแผนก"},
		{"a heap of accents", "a" + strings.Repeat("\u0301", 30) + "b", "a" + strings.Repeat("\u0301", 4) + "b"},
		{"thai tone and vowel", "ที่นี่ น้ำ", "ที่นี่ น้ำ"},
		{"hangul filler", "a\u3164b\uffa0c", "abc"},
		{"braille blank", "a\u2800b", "ab"},
		{"emoji selectors only", "a\ufe00\ufe01\U000E0101b", "ab"},
		{"control characters", "a\x00b\x07c\x1b[31m\u0085d\te", "abc[31m\nd\te"},
		{"line ends", "a\r\nb\rc\u2028d", "a\nb\nc\nd"},
		{"trailing blanks stay", "flowed \ntext ", "flowed \ntext "},
		{"invalid", "a\xffb", "a\uFFFDb"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := sanitize.Text(c.src)
			if got.Text != c.want || got.HTML != "" {
				t.Errorf("got %q, want %q", got.Text, c.want)
			}
			if again := sanitize.Text(got.Text); again.Text != got.Text {
				t.Errorf("second pass: %q", again.Text)
			}
		})
	}
}

func TestCardNumbers(t *testing.T) {
	cases := []struct{ name, src, want string }{
		{"visa in groups", "card 4111 1111 1111 1111 exp 12/27", "card **** **** **** 1111 exp 12/27"},
		{"visa in one", "4111111111111111", "************1111"},
		{"dashes", "5555-5555-5555-4444", "****-****-****-4444"},
		{"amex", "3782 822463 10005", "**** ****** *0005"},
		{"diners", "3056 9309 0259 04", "**** **** **59 04"},
		{"jcb", "3530111333300000", "************0000"},
		{"unionpay", "6200000000000005", "************0005"},
		{"full width", "４１１１１１１１１１１１１１１１", "************１１１１"},
		{"no-break spaces", "4111\u00a01111\u00a01111\u00a01111", "****\u00a0****\u00a0****\u00a01111"},
		{"bold", "*4111111111111111*", "*************1111*"},
		{"two in a row", "4111111111111111 5555555555554444", "************1111 ************4444"},
		{"behind a number", "2 4111 1111 1111 1111", "2 **** **** **** 1111"},
		{"wrong check digit", "4111 1111 1111 1112", "4111 1111 1111 1112"},
		{"unknown issuer", "9999 9999 9999 9995", "9999 9999 9999 9995"},
		{"confirmation numbers", "4032198, 4032077 and 720933", "4032198, 4032077 and 720933"},
		{"phone", "+66 2 123 4567", "+66 2 123 4567"},
		{"long phone", "+4111111111111111", "+4111111111111111"},
		{"bank reference", "FT26331-77120 THB 25,440.00", "FT26331-77120 THB 25,440.00"},
		{"iban", "DE89 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0130 00"},
		{"dates", "2027-01-20 2027-01-23", "2027-01-20 2027-01-23"},
		{"dots", "4111.1111.1111.1111", "****.****.****.1111"},
		{"no-break hyphens", "4111\u20111111\u20111111\u20111111", "****\u2011****\u2011****\u20111111"},
		{"full width in groups", "４１１１　１１１１　１１１１　１１１１", "****　****　****　１１１１"},
		{"zero-width in between", "4111\u200b1111\u200b1111\u200b1111", "************1111"},
		{"thai phone", "02-123-4567 ext 4111", "02-123-4567 ext 4111"},
		{"order number", "2026112600000123456", "2026112600000123456"},
		{"tracking number", "4111111111111117", "4111111111111117"},
		{"swift amount", "USD 4,111.11 x 1111", "USD 4,111.11 x 1111"},
		{"too long", "41111111111111111111", "41111111111111111111"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := sanitize.Text(c.src)
			if got.Text != c.want {
				t.Errorf("got %q, want %q", got.Text, c.want)
			}
			if masked := slices.Contains(got.Flags, sanitize.FlagCardMasked); masked != (c.src != c.want) {
				t.Errorf("flags %v", got.Flags)
			}
			if again := sanitize.Text(got.Text); again.Text != got.Text {
				t.Errorf("second pass: %q", again.Text)
			}
		})
	}
	for name, src := range map[string]string{
		"one digit each":    "<p>" + strings.Repeat("<b>4</b>", 1) + strings.ReplaceAll("<i>1</i>,,,,,,,,,,,,,,", ",", "<i>1</i>") + "</p>",
		"hidden in between": `<p>4111<span style="display:none">9</span>1111<!-- x -->1111<span style="font-size:0">2</span>1111</p>`,
		"comments":          `<p>4111<!---->1111<wbr>1111&shy;1111</p>`,
		"entities":          `<p>4111&#49;111 1111&nbsp;1111</p>`,
	} {
		if got := check(t, name, src); strings.Count(got.Text, "*") != 12 || strings.Count(got.HTML, "*") != 12 {
			t.Errorf("%s: %q, %q", name, got.Text, got.HTML)
		}
	}
	got := check(t, "parted by formatting", `<p>4111 <b>1111</b> 1111<span style="color:red"> 1111</span>`)
	if want := "**** **** **** 1111"; got.Text != want || strings.Contains(got.HTML, "4111") {
		t.Errorf("parted by formatting: %q, %q", got.Text, got.HTML)
	}
}

func TestMixedScripts(t *testing.T) {
	for src, want := range map[string]bool{"p\u0430ypal.com": true, "grand\u03bf": true, "Привет, team": false, "5 µm": false, "Ωhm": false, "αβγ": false, "ลูกค้า VIP": false} {
		got := sanitize.Text(src)
		if slices.Contains(got.Flags, sanitize.FlagMixedScripts) != want || got.Text != src {
			t.Errorf("%q: %q, flags %v", src, got.Text, got.Flags)
		}
	}
}
