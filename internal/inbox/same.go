package inbox

import (
	"bytes"
	"slices"
	"strings"

	"thhotel/internal/blob"
)

// onTheWay are headers that servers and mailboxes add, so that two copies of one
// mail differ in them.
var onTheWay = []string{
	"received", "return-path", "delivered-to", "envelope-to", "authentication-results", "received-spf", "dkim-signature", "domainkey-signature",
	"status", "content-length", "lines", "resent-date", "resent-from", "resent-to", "resent-message-id",
}

// mailSum is the same for copies of one mail from several mailboxes and exports:
// without transport headers, ends of lines and the empty lines at the end.
func mailSum(raw []byte) string {
	raw = bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
	head, body, _ := bytes.Cut(raw, []byte("\n\n"))
	var kept bytes.Buffer
	skip := false
	for line := range bytes.Lines(head) {
		if !bytes.HasPrefix(line, []byte(" ")) && !bytes.HasPrefix(line, []byte("\t")) { // else it continues the header above
			skip = transport(line)
		}
		if !skip {
			kept.Write(line)
		}
	}
	return blob.Key([]byte(strings.TrimRight(kept.String(), "\n") + "\n\n" + string(bytes.TrimRight(body, "\n"))))
}

func transport(line []byte) bool {
	name, _, ok := strings.Cut(strings.ToLower(string(line)), ":")
	if !ok {
		return strings.HasPrefix(name, "from ") // an mbox's separator
	}
	return slices.Contains(onTheWay, strings.TrimSpace(name)) || strings.HasPrefix(name, "x-") || strings.HasPrefix(name, "arc-")
}
