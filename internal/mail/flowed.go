package mail

import "strings"

// unflow joins the lines which a sender's program broke (RFC 3676). A line that
// ends in a blank goes on in the next one of the same quoting depth; with delsp
// that blank was added by the program and goes away.
func unflow(text string, delsp bool) string {
	var out strings.Builder
	open := -1 // depth of the paragraph that goes on
	for i, line := range strings.Split(text, "\n") {
		depth := 0
		for depth < len(line) && line[depth] == '>' {
			depth++
		}
		content := line[depth:]
		content = strings.TrimPrefix(content, " ") // stuffed against From and >
		signature := content == "-- "
		if open != depth || signature {
			if i > 0 {
				out.WriteByte('\n')
			}
			if depth > 0 {
				out.WriteString(strings.Repeat(">", depth) + " ")
			}
		}
		open = -1
		if strings.HasSuffix(content, " ") && !signature {
			open = depth
			if delsp {
				content = content[:len(content)-1]
			}
		}
		out.WriteString(content)
	}
	return out.String()
}
