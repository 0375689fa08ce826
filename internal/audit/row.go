package audit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"time"
	"unicode/utf8"
)

// columns are an event's own, in the order in which they are written and hashed.
var columns = [...]string{"id", "hotel_id", "at", "request_id", "trace_id", "adapter", "protocol", "client",
	"principal", "principal_name", "credential_id", "tool", "owner", "risk", "status", "error_code", "duration_us",
	"args_size", "args_hash", "args_keys", "result_hash", "resource_type", "resource_id", "source_digest"}

var columnList = strings.Join(columns[:], ", ")

// row is a stored event, the only form in which it is hashed: what the database
// gives back must give the same hash.
type row struct {
	id                                       string
	hotelID                                  string
	at                                       int64
	requestID, traceID, adapter, protocol    string
	client, principal, principalName, credID string
	tool, owner, risk, status, errorCode     string
	durationUS, argsSize                     int64
	argsHash, argsKeys, resultHash           string
	resourceType, resourceID, sourceDigest   string
	seq                                      *int64
	prevHash, hash                           string
}

// newRow cuts every text to its column. A caller chooses some of them (the
// client's name, an id); none may make the row, and with it the call, fail.
func newRow(id string, e Event, now time.Time) row {
	at := e.At
	if at.IsZero() {
		at = now
	}
	return row{
		id: id, hotelID: cut(e.HotelID, 36), at: at.UnixMicro(),
		requestID: cut(e.RequestID, 128), traceID: cut(e.TraceID, 64), adapter: cut(e.Adapter, 16), protocol: cut(e.Protocol, 32),
		client: cut(e.Client, 100), principal: cut(e.Principal, 64), principalName: cut(e.PrincipalName, 100), credID: cut(e.CredentialID, 64),
		tool: cut(e.Tool, 128), owner: cut(e.Owner, 64), risk: cut(e.Risk, 16), status: cut(string(e.Status), 16), errorCode: cut(e.ErrorCode, 64),
		durationUS: e.Duration.Microseconds(), argsSize: int64(e.ArgsSize),
		argsHash: cut(e.ArgsHash, 64), argsKeys: cut(e.ArgsKeys, 500), resultHash: cut(e.ResultHash, 64),
		resourceType: cut(e.ResourceType, 64), resourceID: cut(e.ResourceID, 128), sourceDigest: cut(e.SourceDigest, 128),
	}
}

// cut keeps at most n characters, all of them valid: a database may refuse others.
func cut(s string, n int) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if len(s) <= n {
		return s
	}
	seen := 0
	for i := range s {
		if seen == n {
			return s[:i]
		}
		seen++
	}
	return s
}

// args are the values of columns.
func (r *row) args() []any {
	return []any{r.id, r.hotelID, r.at, r.requestID, r.traceID, r.adapter, r.protocol, r.client,
		r.principal, r.principalName, r.credID, r.tool, r.owner, r.risk, r.status, r.errorCode, r.durationUS,
		r.argsSize, r.argsHash, r.argsKeys, r.resultHash, r.resourceType, r.resourceID, r.sourceDigest}
}

// fields are the places to scan into: columns, then the seal.
func (r *row) fields() []any {
	return []any{&r.id, &r.hotelID, &r.at, &r.requestID, &r.traceID, &r.adapter, &r.protocol, &r.client,
		&r.principal, &r.principalName, &r.credID, &r.tool, &r.owner, &r.risk, &r.status, &r.errorCode, &r.durationUS,
		&r.argsSize, &r.argsHash, &r.argsKeys, &r.resultHash, &r.resourceType, &r.resourceID, &r.sourceDigest,
		&r.seq, &r.prevHash, &r.hash}
}

// seal is the hash of the row at a place of the chain. Every value is preceded
// by its length, so that no two rows have the same bytes.
func (r *row) seal(seq int64, prev string) string {
	b := make([]byte, 0, 1024)
	b = binary.AppendVarint(b, seq)
	b = appendText(b, prev)
	for _, v := range r.args() {
		switch v := v.(type) {
		case string:
			b = appendText(b, v)
		case int64:
			b = binary.AppendVarint(b, v)
		}
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func (r *row) entry() Entry {
	e := Entry{ID: r.id, Event: Event{
		RequestID: r.requestID, TraceID: r.traceID, Adapter: r.adapter, Protocol: r.protocol, Client: r.client,
		HotelID: r.hotelID, Principal: r.principal, PrincipalName: r.principalName, CredentialID: r.credID,
		Tool: r.tool, Owner: r.owner, Risk: r.risk, Status: Status(r.status), ErrorCode: r.errorCode,
		Duration: time.Duration(r.durationUS) * time.Microsecond,
		ArgsSize: int(r.argsSize), ArgsHash: r.argsHash, ArgsKeys: r.argsKeys, ResultHash: r.resultHash,
		ResourceType: r.resourceType, ResourceID: r.resourceID, SourceDigest: r.sourceDigest,
		At: time.UnixMicro(r.at).UTC(),
	}}
	if r.seq != nil { // else the hashes are placeholders
		e.Seq, e.PrevHash, e.Hash = *r.seq, r.prevHash, r.hash
	}
	return e
}
