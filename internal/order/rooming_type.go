package order

import (
	"slices"
	"strings"

	"thhotel/internal/platform"
)

// typeWords are what lists call beds and classes, and what these are in the names of
// room types. A word may stand for several: a "double" is any room with one big bed.
func typeWords() map[string][]string {
	return map[string][]string{
		"twin":      strings.Fields("twin twn tw twb twins 2beds twobeds zweibett zweibettzimmer twinbett litsjumeaux twinbed twinbeds 双床 双床房 雙床 雙床房 双人床房 标双 标间双床 両床 ツイン เตียงคู่ ทวิน สองเตียง เตียงแฝด doppelbettgetrennt getrenntebetten"),
		"king":      strings.Fields("king kng kingbed kingsize k dbl double dble doppel doppelzimmer dz queen queenbed grandlit onebed 大床 大床房 双人大床 雙人大床 ダブル キング เตียงใหญ่ คิง ดับเบิล เตียงเดียวใหญ่ französischesbett"),
		"single":    strings.Fields("single sgl sngl sg einzel einzelzimmer ez individuelle chambreindividuelle simple 单人 单人间 单人房 單人 單人房 シングル เตียงเดี่ยว ห้องเดี่ยว"),
		"triple":    strings.Fields("triple tpl trpl dreibett dreibettzimmer 三人间 三人房 三床 トリプル สามเตียง"),
		"deluxe":    strings.Fields("deluxe dlx de luxe delux dl 豪华 豪華 デラックス ดีลักซ์"),
		"superior":  strings.Fields("superior sup spr 高级 高級 スーペリア ซูพีเรีย"),
		"executive": strings.Fields("executive exec exe 行政 エグゼクティブ เอ็กเซ็กคิวทีฟ"),
		"standard":  strings.Fields("standard std 标准 標準 スタンダード มาตรฐาน"),
		"family":    strings.Fields("family fam familien familienzimmer familiale 家庭 亲子 ファミリー ครอบครัว"),
		"suite":     strings.Fields("suite ste suiten 套房 套间 スイート สวีท"),
	}
}

// featuresOf are the classes and beds that a text names, longest words first.
func featuresOf(text string) []string {
	s := " " + strings.ToLower(text) + " "
	for _, r := range []string{"-", "/", "(", ")", "+", ",", ".", "_", "（", "）"} {
		s = strings.ReplaceAll(s, r, " ")
	}
	tight := squeezed(text)
	var out []string
	for feature, words := range typeWords() {
		for _, w := range words {
			latin := w[0] < 0x80
			if latin && strings.Contains(s, " "+w+" ") || latin && len(w) > 5 && strings.Contains(tight, squeezed(w)) || !latin && strings.Contains(tight, squeezed(w)) {
				out = append(out, feature)
				break
			}
		}
	}
	slices.Sort(out)
	return out
}

// resolveType maps a room type as written to one of the hotel's: its code, its
// name, or by its words to the only one of the block, else of the hotel, that they
// fit. Several fitting ones are named, and none is chosen.
func resolveType(written string, block []RoomLine, codes []platform.RoomType) (code string, candidates []string) {
	k := key(written)
	if k == "" {
		return "", nil
	}
	known := func(c string) bool {
		return lineOf(block, c) != nil || slices.ContainsFunc(codes, func(t platform.RoomType) bool { return key(t.Code) == c })
	}
	if known(k) {
		return k, nil
	}
	for _, word := range strings.FieldsFunc(k, func(r rune) bool { return strings.ContainsRune(" -/()|,", r) }) { // "DLXT - Deluxe Twin"
		if known(word) {
			return word, nil
		}
	}
	for _, t := range codes {
		if squeezed(t.Name) == squeezed(written) && t.Name != "" {
			return key(t.Code), nil
		}
	}
	return byWords(written, block, codes)
}

func byWords(written string, block []RoomLine, codes []platform.RoomType) (string, []string) {
	want := featuresOf(written)
	if len(want) == 0 {
		return "", nil
	}
	var inBlock, inHotel []string
	for _, t := range codes {
		if !fits(want, featuresOf(t.Name)) {
			continue
		}
		inHotel = append(inHotel, key(t.Code))
		if lineOf(block, key(t.Code)) != nil {
			inBlock = append(inBlock, key(t.Code))
		}
	}
	slices.Sort(inBlock)
	slices.Sort(inHotel)
	switch {
	case len(inBlock) == 1:
		return inBlock[0], nil
	case len(inBlock) > 1:
		return "", inBlock
	case len(inHotel) == 1:
		return inHotel[0], nil
	}
	return "", inHotel
}

// fits: everything that is wanted is in the type's name. One person in a room is no
// kind of room: a single is a room with one bed.
func fits(want, has []string) bool {
	for _, w := range want {
		if !slices.Contains(has, w) && (w != "single" || !slices.Contains(has, "king")) {
			return false
		}
	}
	return true
}
