package sanitize

import "strings"

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// What becomes of an element. These tables are never written to.
var (
	// kept go out under their own name, without attributes.
	kept = setOf(`p div h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody tfoot tr th td
		b strong i em u s sub sup small blockquote pre code`)

	// renamed go out as their plain equivalent.
	renamed = map[string]string{
		"section": "div", "article": "div", "header": "div", "footer": "div", "main": "div", "nav": "div", "aside": "div",
		"address": "div", "center": "div", "fieldset": "div", "form": "div", "figure": "div", "figcaption": "div", "hgroup": "div",
		"details": "div", "summary": "div", "dialog": "div", "dir": "ul", "menu": "ul", "search": "div", "legend": "div",
		"strike": "s", "del": "s", "ins": "u", "tt": "code", "kbd": "code", "samp": "code",
		"xmp": "pre", "listing": "pre", "plaintext": "pre",
	}

	// droppedWhole go with everything inside: what runs, loads or is drawn by
	// other rules than text, and the controls of forms.
	droppedWhole = setOf(`script style template noscript noembed noframes svg math iframe frameset object applet audio video
		canvas title select textarea datalist output progress meter xml portal fencedframe rp`)

	// active among the dropped: what runs, asks for input or brings a document along.
	active = setOf(`script svg math iframe frameset frame object applet embed form input select textarea button
		portal fencedframe base`)

	// void have no end tag and no content.
	void = setOf(`area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr command import`)

	// closesP end an open paragraph, as in a browser. A table does not: mail is
	// mostly written for quirks mode.
	closesP = setOf(`p div h1 h2 h3 h4 h5 h6 ul ol dl li dt dd blockquote pre hr section article header footer main nav aside address
		center fieldset form figure figcaption hgroup details summary dialog dir menu search listing xmp plaintext`)

	// formatting elements live on when their parent is closed under them.
	formatting = setOf(`a b big code em font i nobr s small strike strong tt u`)

	inlineTags = setOf(`span sub sup q cite abbr label mark kbd samp var bdi bdo ins del dfn time data acronym`)

	// headTags stand in the head of a page as long as nothing else came.
	headTags = setOf("html head title style script meta link base basefont bgsound noscript template noframes command")

	// special elements stay open when formatting around them ends.
	special = setOf(`address applet article aside blockquote button caption center dd details dir div dl dt fieldset figcaption figure
		footer form h1 h2 h3 h4 h5 h6 header hgroup li listing main marquee menu nav ol p plaintext pre search section summary
		table tbody td tfoot th thead tr ul xmp`)

	headings   = setOf("h1 h2 h3 h4 h5 h6")
	tableParts = setOf("caption colgroup thead tbody tfoot tr td th")
	tableWalls = setOf("table td th caption")
	listWalls  = setOf("ul ol dir menu dl table td th caption")
)

// cellHome names, for a part of a table, what it may stand in; everything above
// that is closed first.
var cellHome = map[string]map[string]bool{
	"caption": setOf("table"), "colgroup": setOf("table"), "thead": setOf("table"), "tbody": setOf("table"), "tfoot": setOf("table"),
	"tr": setOf("table thead tbody tfoot"), "td": setOf("table thead tbody tfoot tr"), "th": setOf("table thead tbody tfoot tr"),
}

// outName is the element as which a tag goes out, or "" when only its content does.
func outName(tag string) string {
	if kept[tag] {
		return tag
	}
	return renamed[tag]
}
