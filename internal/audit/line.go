package audit

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// maxLine bounds a line of a file that is read back; ours are about a kilobyte.
const maxLine = 1 << 20

// line is a sealed row as a line of a file: everything that is hashed, under the
// columns' names, so that the chain can be proved from the file alone. "time" is
// "at" for people.
func (r *row) line() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"seq":%d,"prev_hash":%q,"hash":%q,"time":%q`, *r.seq, r.prevHash, r.hash, r.time())
	for i, v := range r.args() {
		text, err := json.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("audit row %d: %w", *r.seq, err)
		}
		fmt.Fprintf(&b, `,%q:%s`, columns[i], text)
	}
	b.WriteString("}\n")
	return b.Bytes(), nil
}

func (r *row) time() string { return time.UnixMicro(r.at).UTC().Format(time.RFC3339Nano) }

// parseLine is the reverse of line.
func parseLine(text []byte) (r row, err error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return r, err
	}
	fields := r.fields()
	names := append(columns[:len(columns):len(columns)], "seq", "prev_hash", "hash")
	for i, name := range names {
		if err := json.Unmarshal(members[name], fields[i]); err != nil {
			return r, fmt.Errorf("member %q: %w", name, err)
		}
	}
	var shown string
	if err := json.Unmarshal(members["time"], &shown); err != nil || shown != r.time() || len(members) != len(names)+1 || r.seq == nil {
		return r, errors.New("not a line of ours")
	}
	return r, nil
}

// VerifyFile walks a file that Prune or an export of everything wrote. FromHash
// is what the file before it must end with, HeadHash what goes on in the next
// file or the database.
func VerifyFile(in io.Reader) (rep Report, err error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	var at head
	for lines.Scan() {
		r, err := parseLine(lines.Bytes())
		if err != nil {
			return rep, fmt.Errorf("line %d of the audit file: %w", rep.Sealed+1, err)
		}
		if rep.Sealed == 0 {
			at = head{*r.seq - 1, r.prevHash}
			rep.FromSeq, rep.FromHash = at.Seq, at.Hash
		}
		if at, rep.Broken = walk(at, []row{r}); rep.Broken != nil {
			break
		}
		rep.Sealed++
	}
	rep.HeadSeq, rep.HeadHash = at.Seq, at.Hash
	if err := lines.Err(); err != nil {
		return rep, fmt.Errorf("read the audit file: %w", err)
	}
	return rep, nil
}
