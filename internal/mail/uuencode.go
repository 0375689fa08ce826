package mail

import (
	"regexp"
	"strings"
)

var uuBegin = regexp.MustCompile(`^begin(?:-base64)? [0-7]{3,4} (\S.*)$`)

// uuFile is a file written into a text.
type uuFile struct {
	name    string
	content []byte
}

// takeUU cuts uuencoded files out of a text, as mail had them before MIME. What
// only begins like one stays text.
func takeUU(text string) (rest string, files []uuFile) {
	if !strings.Contains(text, "begin") {
		return text, nil
	}
	all := strings.Split(text, "\n")
	var kept []string
	dead := false // no end further down: none of what begins is a file
	for i := 0; i < len(all); i++ {
		begin := uuBegin.FindStringSubmatch(all[i])
		if begin == nil || dead || len(files) >= maxAttachments {
			kept = append(kept, all[i])
			continue
		}
		end, content, ok := readUU(all, i+1, strings.HasPrefix(all[i], "begin-base64"))
		if !ok {
			kept = append(kept, all[i])
			dead = end >= len(all)
			continue
		}
		files = append(files, uuFile{strings.TrimSpace(begin[1]), content})
		i = end
	}
	if len(files) == 0 {
		return text, nil
	}
	return strings.Join(kept, "\n"), files
}

// readUU reads lines up to "end".
func readUU(all []string, from int, base64 bool) (end int, content []byte, ok bool) {
	for i := from; i < len(all); i++ {
		line := strings.TrimRight(all[i], " ")
		switch {
		case base64 && line == "====", !base64 && strings.TrimSpace(line) == "end":
			return i, content, i > from
		case line == "":
			if i == from {
				return i, nil, false
			}
		case base64:
			content = append(content, decodeBase64([]byte(line))...)
		default:
			decoded, fine := uuLine(line)
			if !fine {
				return i, nil, false
			}
			content = append(content, decoded...)
		}
	}
	return len(all), nil, false
}

func uuLine(line string) ([]byte, bool) {
	n := int(line[0]-' ') & 63
	if line[0] < ' ' || line[0] > '`' {
		return nil, false
	}
	out := make([]byte, 0, n+2)
	for at := 1; len(out) < n; at += 4 {
		var v [4]byte
		for k := range v {
			if at+k < len(line) {
				if line[at+k] < ' ' || line[at+k] > '`' {
					return nil, false
				}
				v[k] = (line[at+k] - ' ') & 63
			}
		}
		if at > len(line) {
			return nil, false
		}
		out = append(out, v[0]<<2|v[1]>>4, v[1]<<4|v[2]>>2, v[2]<<6|v[3])
	}
	return out[:n], true
}
