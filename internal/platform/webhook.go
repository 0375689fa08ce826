package platform

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"thhotel/internal/fault"
)

// CodeSignatureInvalid is the one code of every signature that does not hold;
// details.reason says why, as far as the sender can repair it.
const CodeSignatureInvalid = "AUTH_SIGNATURE_INVALID"

// Reasons in details.reason.
const (
	ReasonHeaders   = "HEADERS_INCOMPLETE"
	ReasonTimestamp = "TIMESTAMP_OUTSIDE_WINDOW"
	ReasonSignature = "SIGNATURE_MISMATCH" // also: no such partner, no secret
)

const (
	secretPrefix    = "whsec_"
	secretBytes     = 32
	secretBytesLow  = 24 // the scheme's own bounds
	secretBytesHigh = 64
	// tolerance is how far a timestamp may be from our clock, either way.
	tolerance     = 5 * time.Minute
	signaturesMax = 16
)

// SignedRequest is a request signed after the Standard Webhooks scheme.
type SignedRequest struct {
	PartnerID string // X-Partner-Id: selects the secrets, proves nothing
	MessageID string // webhook-id
	Timestamp string // webhook-timestamp, seconds since 1970
	Signature string // webhook-signature: "v1,<base64>", several parted by blanks
	Body      []byte // the bytes as received
}

// verify checks the request against any of the secrets. Signature before
// timestamp: only a genuine sender learns that its clock is off.
func (r SignedRequest) verify(secrets []string, now time.Time) error {
	at, err := strconv.ParseInt(r.Timestamp, 10, 64)
	if err != nil || !plainID(r.MessageID) || r.Signature == "" {
		return badSignature(ReasonHeaders, "签名请求头不完整：需要 webhook-id（字母、数字、_、-、:，最多 200 个字符）、webhook-timestamp（秒）和 webhook-signature。",
			"The signature headers are incomplete: webhook-id (letters, digits, _ - :, at most 200), webhook-timestamp (seconds) and webhook-signature are needed.")
	}
	if !r.matches(secrets) {
		return badSignature(ReasonSignature, "签名校验失败：请核对 X-Partner-Id、密钥，以及签名内容是否为 id.timestamp.body 的原始字节。",
			"The signature does not hold. Check X-Partner-Id, the secret, and that the raw bytes of id.timestamp.body were signed.")
	}
	if off := now.Sub(time.Unix(at, 0)); off > tolerance || off < -tolerance {
		return badSignature(ReasonTimestamp, "签名时间与服务器相差超过 5 分钟：请校准时钟后重新签名。",
			"The signature's time is more than 5 minutes from ours. Set the clock right and sign again.")
	}
	return nil
}

// matches compares every signature with every secret in constant time, and
// does not stop at the first that fits.
func (r SignedRequest) matches(secrets []string) bool {
	given := strings.Fields(r.Signature)
	if len(given) > signaturesMax {
		return false
	}
	ok := false
	for _, secret := range secrets {
		want, err := sign(secret, r.MessageID, r.Timestamp, r.Body)
		if err != nil {
			continue
		}
		for _, g := range given {
			version, encoded, _ := strings.Cut(g, ",")
			mac, err := base64.StdEncoding.DecodeString(encoded)
			if version == "v1" && err == nil && hmac.Equal(mac, want) {
				ok = true
			}
		}
	}
	return ok
}

func sign(secret, id, timestamp string, body []byte) ([]byte, error) {
	k, err := secretKey(secret)
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, k)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	return mac.Sum(nil), nil
}

// Sign makes the webhook-signature header of a request: what a partner does, for
// the demo, the benchmark and `thhotel partner sign`.
func Sign(secret, messageID string, at time.Time, body []byte) (timestamp, signature string, err error) {
	timestamp = strconv.FormatInt(at.Unix(), 10)
	mac, err := sign(secret, messageID, timestamp, body)
	return timestamp, "v1," + base64.StdEncoding.EncodeToString(mac), err
}

// secretKey decodes a secret. An empty or short one is no key: HMAC would take
// it, and anybody could sign.
func secretKey(secret string) ([]byte, error) {
	encoded, ok := strings.CutPrefix(strings.TrimSpace(secret), secretPrefix)
	k, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(k) < secretBytesLow || len(k) > secretBytesHigh {
		return nil, invalid("/secret", "密钥必须是 whsec_ 加 24 到 64 字节的 base64。", "whsec_ and base64 of 24 to 64 bytes")
	}
	return k, nil
}

// plainID keeps full stops out of ids: they part id, timestamp and body in what
// is signed, and a crafted id could otherwise swallow text of an old body.
func plainID(id string) bool {
	return id != "" && len(id) <= 200 && !strings.ContainsFunc(id, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_-:", r)
	})
}

func badSignature(reason, zh, en string) error {
	return fault.New(fault.Unauthenticated, CodeSignatureInvalid, zh, en).With(map[string]any{"reason": reason})
}
