package intake

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/gowebpki/jcs"
)

// Key is the idempotency key of a package: the hash of its canonical JSON
// (RFC 8785), so that white space and the order of fields do not matter. The
// source message's id is part of what is hashed.
func Key(args json.RawMessage) (string, error) {
	sum, err := digest(args)
	if err != nil {
		return "", err
	}
	return "submit:" + sum, nil
}

// Replayed marks a stored answer as a replay.
func Replayed(stored json.RawMessage) (json.RawMessage, error) {
	var r SubmitResult
	if err := json.Unmarshal(stored, &r); err != nil {
		return nil, err
	}
	r.IdempotentReplay = true
	return json.Marshal(r)
}

func digest(doc []byte) (string, error) {
	canonical, err := jcs.Transform(doc)
	if err != nil { // what I-JSON forbids, such as half a surrogate pair
		return "", payloadInvalid(violation("", CodeFieldType,
			"必须是合法的 I-JSON（RFC 7493）", "must be valid I-JSON (RFC 7493)")).Because(err)
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:]), nil
}
