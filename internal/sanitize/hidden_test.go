package sanitize_test

import (
	"slices"
	"strings"
	"testing"

	"thhotel/internal/sanitize"
)

// hiddenCases: each hides SECRET in one way and shows "open" beside it.
var hiddenCases = map[string]string{
	"comment":                   `<!-- SECRET -->open`,
	"display none":              `<div style="display:none">SECRET</div>open`,
	"display none, upper case":  `<DIV STYLE="DISPLAY: NONE !important">SECRET</DIV>open`,
	"display escaped":           `<div style="d\69splay:n\6f ne">SECRET</div>open`,
	"display with comment":      `<div style="dis/**/play:none;display/*x*/:/*y*/none">SECRET</div>open`,
	"display with entity":       `<div style="display&colon;none">SECRET</div>open`,
	"display, last one wins":    `<div style="display:block;display:none">SECRET</div>open`,
	"visibility":                `<div style="visibility:hidden">SECRET</div>open`,
	"collapse":                  `<table><tr style="visibility:collapse"><td>SECRET</td></tr></table>open`,
	"opacity":                   `<div style="opacity:0">SECRET</div>open`,
	"opacity percent":           `<div style="opacity:1%">SECRET</div>open`,
	"opacity, many times":       `<div style="opacity:.2"><div style="opacity:.2">SECRET</div></div>open`,
	"filter":                    `<div style="filter:alpha(opacity=0)">SECRET</div>open`,
	"font size":                 `<span style="font-size:0">SECRET</span>open`,
	"font size one pixel":       `<span style="font-size:1px">SECRET</span>open`,
	"font size em of zero":      `<div style="font-size:0"><b style="font-size:2em">SECRET</b></div>open`,
	"font shorthand":            `<span style="font:0/0 Arial">SECRET</span>open`,
	"zero height":               `<div style="height:0;overflow:hidden">SECRET</div>open`,
	"zero width":                `<div style="width:0px;overflow:hidden">SECRET</div>open`,
	"max height":                `<div style="max-height:0px">SECRET</div>open`,
	"clip":                      `<div style="position:absolute;clip:rect(0 0 0 0)">SECRET</div>open`,
	"clip with commas":          `<div style="position:absolute;clip:rect(1px, 1px, 1px, 1px)">SECRET</div>open`,
	"clip path":                 `<div style="clip-path:inset(100%)">SECRET</div>open`,
	"off screen":                `<div style="position:absolute;left:-9999px">SECRET</div>open`,
	"off screen below":          `<div style="position:absolute;top:99999px">SECRET</div>open`,
	"margin":                    `<div style="margin-left:-9999px">SECRET</div>open`,
	"margin shorthand":          `<div style="margin:0 0 0 -9999px">SECRET</div>open`,
	"text indent":               `<div style="text-indent:-9999px">SECRET</div>open`,
	"transform scale":           `<div style="transform:scale(0)">SECRET</div>open`,
	"transform translate":       `<div style="transform:translateX(-9999px)">SECRET</div>open`,
	"behind the page":           `<div style="position:relative;z-index:-1">SECRET</div>open`,
	"white on default":          `<span style="color:#fff">SECRET</span>open`,
	"nearly white":              `<span style="color:#fefdfe">SECRET</span>open`,
	"white by name":             `<font color="white">SECRET</font>open`,
	"white, attribute no hash":  `<font color=FFFFFF>SECRET</font>open`,
	"white by rgb":              `<span style="color:rgb(255, 255, 255)">SECRET</span>open`,
	"white by hsl":              `<span style="color:hsl(0 0% 100%)">SECRET</span>open`,
	"transparent":               `<span style="color:transparent">SECRET</span>open`,
	"alpha":                     `<span style="color:rgba(0,0,0,.01)">SECRET</span>open`,
	"fill colour":               `<span style="-webkit-text-fill-color:white">SECRET</span>open`,
	"black on black":            `<table bgcolor="#000000"><tr><td>SECRET</td></tr></table>open`,
	"same as inherited":         `<div style="background:#336699"><p>&nbsp;<span style="color:#336699">SECRET</span></p></div>open`,
	"body white on white":       `<body bgcolor=white text=white>SECRET<span style="color:black">open</span></body>`,
	"hidden attribute":          `<p hidden>SECRET</p>open`,
	"dialog":                    `<dialog>SECRET</dialog>open`,
	"overlay":                   `<p style="position:fixed;top:0">SECRET</p>open`,
	"outlook":                   `<p style="mso-hide:all">SECRET</p>open`,
	"alt":                       `<img alt="SECRET" src="https://x.example/p.gif">open`,
	"title":                     `<p title="SECRET">open</p>`,
	"head title":                `<head><title>SECRET</title></head>open`,
	"template":                  `<template>SECRET</template>open`,
	"noscript":                  `<noscript>SECRET</noscript>open`,
	"textarea":                  `<textarea>SECRET</textarea>open`,
	"select":                    `<select><option>SECRET</select>open`,
	"script":                    `<script>SECRET</script>open`,
	"svg":                       `<svg><text>SECRET</text></svg>open`,
	"iframe":                    `<iframe>SECRET</iframe>open`,
	"object":                    `<object><object>x</object>SECRET</object>open`,
	"style block, class":        `<style>.x{display:none}</style><p class="a x">SECRET</p>open`,
	"style block behind":        `<p class="x">SECRET</p>open<style>.x{display:none}</style>`,
	"style block, id":           `<style>#x{font-size:0}</style><p id="x">SECRET</p>open`,
	"style block, element":      `<style>h6{color:#fff}</style><h6>SECRET</h6>open`,
	"style block, joined":       `<style>p.x,td.y{visibility:hidden}</style><p class=x>SECRET</p>open`,
	"style block, nested":       `<style>div.o p{display:none}</style><div class=o><p>SECRET</p></div>open`,
	"style block, child":        `<style>body > .x{display:none}</style><p class=x>SECRET</p>open`,
	"style block, media":        `<style>@media screen{.x{display:none}}</style><p class=x>SECRET</p>open`,
	"style block, import first": `<style>@import url(a.css);.x{display:none}</style><p class=x>SECRET</p>open`,
	"style block, important":    `<style>.x{display:none!important}</style><p class=x style="display:block">SECRET</p>open`,
	"style block in comment":    `<style><!-- .x{display:none} --></style><p class=x>SECRET</p>open`,
	"unclosed, next paragraph":  `<p>open<font color=white>SECRET<p>SECRET</font>open`,
	"unclosed over a list":      `<ul><li><span>open</span><i style="font-size:0">SECRET<li>SECRET</i></ul>open`,
	"hidden table":              `<p><table style="display:none"><td><div>SECRET</div></td></table>open</p>`,
	"hidden cell":               `<table><tr><td style="display:none">SECRET<td>open</table>`,
	"child cannot undo":         `<div style="display:none"><p style="display:block">SECRET</p></div>open`,
	"zero width in words":       "o\u200bp\u2060e\u00adn",
	"tag characters":            "open\U000E0053\U000E0045\U000E0043",
	"calc":                      `<p style="font-size:calc(3px - 3px)">SECRET</p>open`,
	"body rule without a body":  `<style>body{color:#fff}</style>SECRET<p style="color:#000">open</p>`,
	"style block for screens":   `<style media=screen>.x{display:none}</style><p class=x>SECRET</p>open`,
}

func TestHiddenContentIsDropped(t *testing.T) {
	for name, src := range hiddenCases {
		t.Run(name, func(t *testing.T) {
			got := check(t, name, src)
			if strings.Contains(got.HTML+got.Text, "SECRET") {
				t.Errorf("hidden text survives: %q", got.HTML)
			}
			if !strings.Contains(got.Text, "open") || !strings.Contains(got.HTML, "open") {
				t.Errorf("visible text lost: %q, %q", got.HTML, got.Text)
			}
		})
	}
}

func TestVisibleContentStays(t *testing.T) {
	cases := map[string]string{
		"button":                   `<a style="background-color:#3869D4;color:#FFF" href="x">open</a>`,
		"button by class":          `<style>.b{background:#3869D4;color:#fff !important}</style><a class=b href="x">open</a>`,
		"white on dark":            `<table bgcolor="#000"><tr><td style="color:#fff">open</td></tr></table>`,
		"font size given back":     `<td style="font-size:0"><span style="font-size:14px">open</span></td>`,
		"visibility given back":    `<div style="visibility:hidden"><p style="visibility:visible">open</p></div>`,
		"hidden only on phones":    `<style>@media (max-width:600px){.x{display:none!important}}</style><p class=x>open</p>`,
		"hidden only on print":     `<style>@media print{.x{display:none}}</style><p class=x>open</p>`,
		"style block for print":    `<style media=print>.x{display:none}</style><p class=x>open</p>`,
		"hover":                    `<style>a:hover{color:#fff}</style><a href=x>open</a>`,
		"grey small print":         `<p style="color:#999;font-size:9px">open</p>`,
		"hidden paragraph is over": `<p style="display:none"><font color=red>x<p>open`,
		"conditional comment":      `<!--[if !mso]><!-->open<!--<![endif]-->`,
		"revealed conditional":     `<![if !mso]>open<![endif]>`,
		"overflow without size":    `<div style="width:100%;overflow:hidden">open</div>`,
		"negative margin, small":   `<div style="margin-left:-10px">open</div>`,
		"link text":                `<a href="https://x.example/">open</a>`,
		"word paragraph":           `<p class=MsoNormal><o:p></o:p><span lang=EN-US style='font-size:11.0pt;color:windowtext'>open</span></p>`,
		"label of a button":        `<button>open</button>`,
	}
	for name, src := range cases {
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

func TestTextLayout(t *testing.T) {
	cases := []struct{ name, src, want string }{
		{"paragraphs", `<p>One<p>Two<br>Three`, "One\n\nTwo\nThree"},
		{"table", `<table><tr><th>Ref<th>Guests<th>Note<tr><td>1<td>MEYER/ANNA<br>MEYER/JONAS<td></table>`, "Ref | Guests | Note\n1 | MEYER/ANNA; MEYER/JONAS |"},
		{"empty first cell", `<p>x</p><table><tr><td><td>a<tr><td>b<td>c</table>y`, "x\n\n | a\nb | c\n\ny"},
		{"spacer row", `<table><tr><td>a<td>b<tr><td>&nbsp;<td><tr><td>c<td>d</table>`, "a | b\n\u00a0 |\nc | d"},
		{"layout table", `<table><tr><td><table><tr><td>a</td></tr></table></td></tr><tr><td><p>b</p></td></tr></table>`, "a\n\nb"},
		{"bullets", `<ul><li>a<li>b<ul><li>c</ul></ul>`, "- a\n- b\n  - c"},
		{"numbers", `<ol><li>a<li>b</ol>`, "1. a\n2. b"},
		{"quote", `<p>new</p><blockquote><p>old<p>older</blockquote>end`, "new\n\n> old\n>\n> older\n\nend"},
		{"pre", "<pre>a\n  b</pre>", "a\n  b"},
		{"rule", `a<hr>b`, "a\n---\nb"},
		{"inline", `a<b>b</b> <i> c</i>`, "ab c"},
		{"stray cell", `<td>a</td><li>b</li>`, "a\nb"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := check(t, c.name, c.src); got.Text != c.want {
				t.Errorf("got %q, want %q (html %q)", got.Text, c.want, got.HTML)
			}
		})
	}
}
