package sanitize_test

import (
	"slices"
	"strings"
	"testing"

	"thhotel/internal/sanitize"
)

// trickCases hide SECRET behind the finer points of CSS and HTML: the cascade,
// selectors, functions and what browsers throw away. Each shows "open" beside it.
var trickCases = map[string]string{
	// a declaration which a browser drops must not undo the one before
	"invalid value":             `<p style="display:none;display:bogus">SECRET</p>open`,
	"invalid colour":            `<p style="color:#fff;color:nocolour">SECRET</p>open`,
	"invalid size":              `<p style="font-size:0;font-size:big">SECRET</p>open`,
	"invalid bang":              `<p style="display:none;display:block !ie">SECRET</p>open`,
	"invalid opacity":           `<p style="opacity:0;opacity:full">SECRET</p>open`,
	"invalid visibility":        `<p style="visibility:hidden;visibility:shown">SECRET</p>open`,
	"invalid background":        `<p style="color:#369;background:#369;background:junk">SECRET</p>open`,
	"size without a unit":       `<!doctype html><p style="font-size:0;font-size:12">SECRET</p>open`,
	"important before":          `<p style="display:none!important;display:block">SECRET</p>open`,
	"important with blanks":     `<p style="display : none ! important ; display:block">SECRET</p>open`,
	"bad rule in between":       `<style>.x{display:none}}.x{display:block}</style><p class=x>SECRET</p>open`,
	"weight":                    `<style>p.x{display:none}.x{display:block}</style><p class=x>SECRET</p>open`,
	"order of equal weight":     `<style>.a.b{color:#000;background:#369}.c .b{color:#369}</style><div class=c><p class="b a">SECRET</p></div>open`,
	"format around a block":     `<font style="color:transparent"><div style="color:#000">SECRET</font></div>open`,
	"format opened again":       `<p><font style="color:#fff"><div><div style="color:#000">SECRET</div></div></font><font color=black>open</font>`,
	"place is not sure":         `<style>i:last-child{display:none}</style><div><p><font>open<p>open</p><i>SECRET</i></div>`,
	"weight of an id":           `<style>#x{display:none}.x.x.x.x{display:block}</style><p id=x class=x>SECRET</p>open`,
	"layer loses":               `<style>.x{display:none}@layer a{.x{display:block}}</style><p class=x>SECRET</p>open`,
	"style in a template":       `<style>.x{display:none}</style><template><style>.x{display:block!important}</style></template><p class=x>SECRET</p>open`,
	"style of another type":     `<style>.x{display:none}</style><style type="text/plain">.x{display:block!important}</style><p class=x>SECRET</p>open`,
	"invalid selector in list":  `<style>.x{display:none}.x,:bogus{display:block}</style><p class=x>SECRET</p>open`,
	"supports something else":   `<style>.x{display:none}@supports (foo:bar){.x{display:block}}</style><p class=x>SECRET</p>open`,
	"supports not":              `<style>@supports not (foo:bar){.x{display:none}}</style><p class=x>SECRET</p>open`,
	"class in another case":     `<!doctype html><style>.x{display:none}.X{display:block}</style><p class=x>SECRET</p>open`,
	"style in the body":         `<div><style>.x{display:none}</style><p class=x>SECRET</p>open</div>`,
	"style sheet as data":       `<link rel=stylesheet href="data:text/css,.x{display:none}"><p class=x>SECRET</p>open`,
	"style sheet as base64":     `<link rel="stylesheet" href="data:text/css;base64,Lnh7ZGlzcGxheTpub25lfQ=="><p class=x>SECRET</p>open`,
	"import of data":            `<style>@import "data:text/css,.x{display:none}";</style><p class=x>SECRET</p>open`,
	"nested rule":               `<style>div{color:red;.x{display:none}}</style><div><p class=x>SECRET</p></div>open`,
	"nested rule, ampersand":    `<style>p{&.x{display:none}}</style><p class=x>SECRET</p>open`,
	"media, wide enough":        `<style>@media (max-width:9000px){.x{display:none}}</style><p class=x>SECRET</p>open`,
	"media, range":              `<style>@media (width>=300px){.x{display:none}}</style><p class=x>SECRET</p>open`,
	"media, not print":          `<style>@media not print{.x{display:none}}</style><p class=x>SECRET</p>open`,
	"media, light":              `<style>@media (prefers-color-scheme:light){.x{display:none}}</style><p class=x>SECRET</p>open`,
	"media, list":               `<style>@media print,screen{.x{display:none}}</style><p class=x>SECRET</p>open`,
	"media, pixel ratio":        `<style>@media screen and (-webkit-min-device-pixel-ratio:0){.x{display:none}}</style><p class=x>SECRET</p>open`,
	"media, print shows":        `<style>.x{display:none}@media print{.x{display:block}}</style><p class=x>SECRET</p>open`,
	"container":                 `<style>@container (min-width:1px){.x{display:none}}.c{container-type:inline-size}</style><div class=c><p class=x>SECRET</p></div>open`,
	"animation":                 `<style>@keyframes k{from,to{opacity:0}}.x{animation:k 1s infinite}</style><p class=x>SECRET</p>open`,
	"attribute":                 `<style>[data-a]{display:none}</style><p data-a>SECRET</p>open`,
	"attribute, value":          `<style>p[lang="tlh"]{display:none}</style><p lang=tlh>SECRET</p>open`,
	"attribute, prefix":         `<style>[class^=ab]{display:none}</style><p class=abc>SECRET</p>open`,
	"attribute, inside":         `<style>[title*="b c"]{display:none}</style><p title="a b c d">SECRET</p>open`,
	"attribute, any case":       `<style>[data-a=X i]{display:none}</style><p data-a=x>SECRET</p>open`,
	"sibling":                   `<style>h2 + p{display:none}</style><h2>open</h2><p>SECRET</p>`,
	"later sibling":             `<style>h2 ~ p{display:none}</style><h2>open</h2><div>open</div><p>SECRET</p>`,
	"sibling of a rule":         `<style>hr + p{display:none}</style>open<hr><p>SECRET</p>`,
	"first child":               `<style>li:first-child{display:none}</style><ul><li>SECRET<li>open</ul>`,
	"last child":                `<style>li:last-child{display:none}</style><ul><li>open<li>SECRET</ul>`,
	"only child":                `<style>i:only-child{display:none}</style><p><i>SECRET</i></p><p><b>o</b> <i>open</i></p>`,
	"nth child":                 `<style>li:nth-child(2n){display:none}</style><ul><li>open<li>SECRET<li>open</ul>`,
	"nth child, odd":            `<style>li:nth-child(odd){display:none}</style><ul><li>SECRET<li>open<li>SECRET</ul>`,
	"nth last child":            `<style>li:nth-last-child(2){display:none}</style><ul><li>open<li>SECRET<li>open</ul>`,
	"nth of type":               `<style>b:nth-of-type(2){display:none}</style><p><i>a</i> <b>open</b> <i>c</i> <b>SECRET</b></p>`,
	"not":                       `<style>p:not(.y){display:none}</style><p>SECRET</p><p class=y>open</p>`,
	"not hovered":               `<style>.x:not(:hover){display:none}</style><p class=x>SECRET</p>open`,
	"is":                        `<style>:is(.x,.y){display:none}</style><p class=x>SECRET</p>open`,
	"where":                     `<style>:where(p).x{display:none}</style><p class=x>SECRET</p>open`,
	"has":                       `<style>p:has(b){display:none}</style><p>SECRET <b>SECRET</b></p>open`,
	"language":                  `<style>:lang(tlh){display:none}</style><p lang=tlh>SECRET</p>open`,
	"first line":                `<style>.x::first-line{color:#fff}</style><p class=x>SECRET</p>open`,
	"checked":                   `<style>:checked ~ .x{display:none}</style><input type=checkbox checked><p class=x>SECRET</p>open`,
	"child, not descendant":     `<style>.x{display:none}div>.x{display:block}</style><div><b><i class=x>SECRET</i></b></div>open`,
	"escaped class":             `<style>.\78{display:none}</style><p class=x>SECRET</p>open`,
	"comment in selector":       `<style>p/**/.x{display:none}</style><p class=x>SECRET</p>open`,
	"universal":                 `<style>*{color:#fff}b{color:#000}</style>SECRET<b>open</b>`,
	"variable":                  `<p style="--d:none;display:var(--d)">SECRET</p>open`,
	"variable of the root":      `<style>:root{--c:#fff}.x{color:var(--c)}</style><p class=x>SECRET</p>open`,
	"variable, fallback":        `<p style="display:var(--nope,none)">SECRET</p>open`,
	"variable of a variable":    `<p style="--a:var(--b);--b:0;opacity:var(--a)">SECRET</p>open`,
	"variable, inherited":       `<div style="--s:0px"><p style="font-size:var(--s)">SECRET</p></div>open`,
	"variable, not there":       `<div style="color:#fff"><p style="color:#369;color:var(--nope)">SECRET</p></div>open`,
	"block in formatting":       `<b><div style="display:none"></b>SECRET</div>open`,
	"formatting ends in block":  `<div style="color:#fff"><font color=black><div></font>SECRET</div></div>open`,
	"two careless formats":      `<p><font style="opacity:0"><i><font></i></p><p></font>SECRET</p></font>open`,
	"anchor in an anchor":       `<div style="color:#fff"><a style="color:#000">open <a>SECRET</a></div>`,
	"span ends no paragraph":    `<div><span><p style="display:none"></span>SECRET</p></div>open`,
	"style before the body":     `<!doctype html><style>p:nth-child(2){display:none}</style><h2>open</h2><p>SECRET</p>`,
	"indent of a line":          `<pre style="text-indent:-9999px"><em style="text-indent:0">SECRET</em></pre>open`,
	"background taken back":     `<div style="background:#000"><p style="background:#fff;background-color:inherit">SECRET</p></div>open`,
	"list item after formats":   `<style>ul>li.x{display:none}</style><ul><li><font>open<li class=x>SECRET</ul>`,
	"rule about carried format": `<style>font .x{display:none}</style><p><font>open<p><b class=x>SECRET</b></p>`,
	"calc, product":             `<p style="opacity:calc(1 * 0)">SECRET</p>open`,
	"calc, nested":              `<p style="font-size:calc((4px - 2px) / 2)">SECRET</p>open`,
	"min":                       `<p style="font-size:min(0px,12px)">SECRET</p>open`,
	"clamp":                     `<p style="font-size:clamp(0px,1px,2px)">SECRET</p>open`,
	"current colour":            `<p style="color:#369;background:currentColor">SECRET</p>open`,
	"inherited background":      `<div style="background:#222"><p style="color:#222;background:inherit">SECRET</p></div>open`,
	"hwb":                       `<p style="color:hwb(0 100% 0%)">SECRET</p>open`,
	"oklch":                     `<p style="color:oklch(1 0 0)">SECRET</p>open`,
	"lab":                       `<p style="color:lab(100% 0 0)">SECRET</p>open`,
	"colour function":           `<p style="color:color(srgb 1 1 1)">SECRET</p>open`,
	"colour mix":                `<p style="color:color-mix(in srgb,white,white)">SECRET</p>open`,
	"light-dark":                `<p style="color-scheme:light;color:light-dark(#fff,#000)">SECRET</p>open`,
	"rare colour name":          `<p style="background:papayawhip;color:blanchedalmond">SECRET</p>open`,
	"hsl in turns":              `<p style="color:hsl(0.5turn 0% 100%)">SECRET</p>open`,
	"four digits":               `<p style="color:#0000">SECRET</p>open`,
	"pale grey":                 `<p style="color:#e9e9e9">SECRET</p>open`,
	"gradient of one colour":    `<p style="color:#fff;background:linear-gradient(#fff,#fefefe)">SECRET</p>open`,
	"white on a lost picture":   `<p style="color:#fff;background:url(https://x.example/a.png)">SECRET</p>open`,
	"white on a picture":        `<table><tr><td background="https://x.example/a.png"><font color=white>SECRET</font></td></tr></table>open`,
	"anchor without a target":   `<font color=white><a>SECRET</a></font>open`,
	"link colour of the body":   `<body link=white><a href=x>SECRET</a>open`,
	"odd attribute colour":      `<font color="#fffffg">SECRET</font>open`,
	"background of a cell":      `<table><tr><td bgcolor=navy><font color="#000080">SECRET</font></td></tr></table>open`,
	"closed details":            `<details><summary>open</summary>SECRET<p>SECRET</p></details>`,
	"formats in details":        `<details><summary>open</summary><u><h2>SECRET</u>SECRET</details>`,
	"closed details, nested":    `<details><summary>open</summary><div><summary>SECRET</summary></div></details>`,
	"indent with clipping":      `<p style="text-indent:100%;white-space:nowrap;overflow:hidden">SECRET</p>open`,
	"line height":               `<p style="line-height:0;overflow:hidden">SECRET</p>open`,
	"letters on one heap":       `<p style="letter-spacing:-1em">SECRET</p>open`,
	"zoom":                      `<p style="zoom:0.01">SECRET</p>open`,
	"scale property":            `<p style="scale:0">SECRET</p>open`,
	"translate property":        `<p style="translate:-9999px">SECRET</p>open`,
	"matrix":                    `<p style="transform:matrix(0,0,0,0,0,0)">SECRET</p>open`,
	"turned away":               `<p style="transform:rotateX(90deg)">SECRET</p>open`,
	"moved right":               `<p style="transform:translate(9999px)">SECRET</p>open`,
	"moved by rem":              `<p style="position:absolute;left:-100rem">SECRET</p>open`,
	"moved by viewport":         `<p style="position:absolute;left:-200vw">SECRET</p>open`,
	"inset":                     `<p style="position:absolute;inset:-9999px auto auto -9999px">SECRET</p>open`,
	"logical margin":            `<p style="margin-inline-start:-9999px">SECRET</p>open`,
	"logical size":              `<p style="block-size:0;overflow:hidden">SECRET</p>open`,
	"clip path, circle":         `<p style="clip-path:circle(0px at 0 0)">SECRET</p>open`,
	"clip path, polygon":        `<p style="clip-path:polygon(0 0,0 0,0 0)">SECRET</p>open`,
	"clip path, inset of 50":    `<p style="clip-path:inset(50%)">SECRET</p>open`,
	"mask":                      `<p style="-webkit-mask:linear-gradient(transparent,transparent);mask:linear-gradient(transparent,transparent)">SECRET</p>open`,
	"filter, brightness":        `<p style="filter:brightness(100) invert(1);color:#000">SECRET</p>open`,
	"filter, blur":              `<p style="filter:blur(40px)">SECRET</p>open`,
	"pushed out of a box":       `<div style="height:20px;overflow:hidden"><p style="margin:0;padding-top:80px">SECRET</p></div>open`,
	"relative and far":          `<p style="position:relative;right:9999px">SECRET</p>open`,
	"hidden until found":        `<p hidden=until-found>SECRET</p>open`,
	"tag characters in a word":  "o\U000E0041p\U000E0042en",
	"combining overload":        "open" + strings.Repeat("\u0336\u0489\u0301", 20),
	"variation selectors":       "open" + strings.Repeat("\ufe01\U000E0142", 20),
	"soft hyphens":              "o\u00adp\u00adee\u00adn\u00ad, o\u00adpe\u00adn",
	"hangul filler":             "open\u3164\u115f\u1160\uffa0",
	"frames":                    `<noframes>SECRET</noframes>open`,
	"xml island":                `<xml><w:p>SECRET</w:p></xml>open`,
	"processing instruction":    `<?xml SECRET?>open`,
	"declaration":               `<!ELEMENT SECRET>open`,
	"cdata":                     `<![CDATA[SECRET]]>open`,
	"conditional comment":       `<!--[if mso]>SECRET<![endif]-->open`,
	"hidden row":                `<table><tr style="display:none"><td>SECRET</td></tr><tr><td>open</td></tr></table>`,
	"hidden column group":       `<table><thead hidden><tr><td>SECRET</td></tr></thead><tr><td>open</td></tr></table>`,
	"hidden list item":          `<ul><li hidden>SECRET<li>open</ul>`,
	"formatting over a table":   `<font color=white>SECRET<table><tr><td>SECRET</td></tr></table></font>open`,
	"paragraph closes nothing":  `<div style="display:none"></p>SECRET</div>open`,
	"end tag inside a table":    `<div style="display:none"><table><tr></div><td>SECRET</td></table></div>open`,
	"anchor closes anchor":      `<a href=x style="display:none">SECRET</a><a href=y>open</a>`,
	"old elements":              `<div style="display:none"><center>SECRET</center></div>open`,
	"visibility in a hidden":    `<div style="opacity:0"><p style="visibility:visible;opacity:1">SECRET</p></div>open`,
	"transparent by fill":       `<p style="-webkit-text-fill-color:transparent">SECRET</p>open`,
	"same colour twice nested":  `<div style="background:#fff"><div style="background:rgba(0,0,0,0)"><p style="color:rgb(254 254 254 / 100%)">SECRET</p></div></div>open`,
	"dark on dark":              `<div style="background:#000"><p style="color:#0a0a0a">SECRET</p></div>open`,
	"body colour by rule":       `<style>body{background:#000}</style><p style="color:#000">SECRET</p><p style="color:#fff">open</p>`,
	"uppercase properties":      `<p style="COLOR:WHITE;FONT-SIZE:12PX">SECRET</p>open`,
	"style with a null":         "<p style=\"display:\x00none\">x</p><p style=\"display:none\x00\">x</p><p hidden\x00>open</p>",
	"newline in property":       "<p style=\"display\n:\nnone\">SECRET</p>open",
	"curly in a string":         `<style>.y{content:"}"}.x{display:none}</style><p class=x>SECRET</p>open`,
	"semicolon in a string":     `<p style="content:';';display:none">SECRET</p>open`,
	"bracket not closed":        `<p style="display:none;background:url(x;display:block">SECRET</p>open`,
	"long chain of classes":     `<style>.a.b.c.d.e{display:none}</style><p class="e d c b a">SECRET</p>open`,
	"deep selector":             `<style>.a .b .c .d .e .f .g .h .i .j{display:none}</style>` + nest("a b c d e f g h i j") + `SECRET` + strings.Repeat("</div>", 10) + `open`,
	"sibling of a hidden input": `<style>input + .x{display:none}</style><p>a<input><span class=x>SECRET</span></p>open`,
}

// nest opens a div for every class.
func nest(classes string) string {
	out := ""
	for _, c := range strings.Fields(classes) {
		out += "<div class=" + c + ">"
	}
	return out
}

func TestTricks(t *testing.T) {
	fails := 0
	for name, src := range trickCases {
		t.Run(name, func(t *testing.T) {
			got := check(t, name, src)
			if strings.Contains(got.HTML+got.Text, "SECRET") {
				t.Errorf("hidden text survives: %q", got.HTML)
				fails++
			}
			if !strings.Contains(got.Text, "open") || !strings.Contains(got.HTML, "open") {
				t.Errorf("visible text lost: %q, %q", got.HTML, got.Text)
				fails++
			}
		})
	}
	t.Logf("%d tricks, %d faults", len(trickCases), fails)
}

// plainCases look like tricks and are none.
var plainCases = map[string]string{
	"aria-hidden is seen":       `<p aria-hidden=true>open</p>`,
	"role presentation":         `<table role=presentation><tr><td>open</td></tr></table>`,
	"open details":              `<details open><summary>more</summary>open</details>`,
	"hover only":                `<style>.x:hover{display:none}</style><p class=x>open</p>`,
	"other browser only":        `<style>_:-ms-fullscreen,:root .x{display:none}</style><p class=x>open</p>`,
	"other attribute":           `<style>[owa] .x{display:none}</style><p class=x>open</p>`,
	"gmail trick":               `<style>u + .body .x{display:none}</style><div class=body><p class=x>open</p></div>`,
	"not the last":              `<style>li:last-child{display:none}</style><ul><li>open<li>x</ul>`,
	"not this child":            `<style>div>.x{display:none}</style><div><b class=y><i class=x>open</i></b></div>`,
	"weight wins back":          `<style>.x{display:none}p.x{display:block}</style><p class=x>open</p>`,
	"important wins back":       `<style>.x{display:none}.y{display:block!important}</style><p class="y x" style="display:none">open</p>`,
	"variable with a colour":    `<style>:root{--c:#123}</style><p style="color:var(--c)">open</p>`,
	"calc, ordinary":            `<p style="font-size:calc(10px + 2px);width:calc(100% - 20px);overflow:hidden">open</p>`,
	"clamp, ordinary":           `<p style="font-size:clamp(12px,2vw,20px)">open</p>`,
	"gradient of a button":      `<a href=x style="color:#fff;background:linear-gradient(#369,#147)">open</a>`,
	"picture and colour":        `<td style="background:#246 url(https://x.example/a.png);color:#fff">open</td>`,
	"dark scheme only":          `<style>@media (prefers-color-scheme:dark){.x{color:#fff}}</style><p class=x>open</p>`,
	"narrow only":               `<style>@media only screen and (max-width:620px){.x{display:none!important}}</style><p class=x>open</p>`,
	"grey":                      `<p style="color:#999">open</p>`,
	"light grey":                `<p style="color:#ccc">open</p>`,
	"red on green":              `<p style="background:#008000;color:#b00000">open</p>`,
	"oklch, dark":               `<p style="color:oklch(0.3 0.1 200)">open</p>`,
	"drop shadow":               `<p style="filter:drop-shadow(0 0 2px #000)">open</p>`,
	"small turn":                `<p style="transform:rotate(2deg)">open</p>`,
	"opaque enough":             `<p style="opacity:.6">open</p>`,
	"relative, a little":        `<p style="position:relative;top:-2px">open</p>`,
	"tight letters":             `<p style="letter-spacing:-0.5px">open</p>`,
	"line height of one":        `<p style="line-height:1;overflow:hidden">open</p>`,
	"outlook spacing":           `<p style="mso-line-height-rule:exactly;line-height:20px">open</p>`,
	"box with room":             `<div style="height:200px;overflow:hidden"><p style="padding-top:20px">open</p></div>`,
	"selection":                 `<style>.x::selection{color:#fff}.x::before{color:#fff}</style><p class=x>open</p>`,
	"visited":                   `<style>a:visited{color:#fff}</style><a href=x>open</a>`,
	"zalgo of thai":             "<p>open ที่นี่ น้ำ เก็บ ปู่ ก็</p>",
	"accents":                   "<p>e\u0301 a\u0308\u0304 open</p>",
	"animation that shows":      `<style>@keyframes k{from{opacity:.2}to{opacity:1}}.x{animation:k 1s}</style><p class=x>open</p>`,
	"word margins":              `<style>p.MsoNormal{margin:0cm;margin-bottom:.0001pt;font-size:12.0pt}</style><p class=MsoNormal>open</p>`,
	"zero line of a mail":       `<td style="font-size:0;line-height:0"><div style="font-size:14px;line-height:20px">open</div></td>`,
	"max-width zero of outlook": `<table style="max-width:600px;width:100%"><tr><td>open</td></tr></table>`,
}

func TestPlainIsKept(t *testing.T) {
	for name, src := range plainCases {
		t.Run(name, func(t *testing.T) {
			got := check(t, name, src)
			if !strings.Contains(got.Text, "open") || !strings.Contains(got.HTML, "open") {
				t.Errorf("visible text lost: %q, %q", got.HTML, got.Text)
			}
			if slices.Contains(got.Flags, sanitize.FlagTruncated) {
				t.Errorf("truncated: %v", got.Flags)
			}
		})
	}
}
