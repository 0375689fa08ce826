package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"thhotel/internal/fault"
)

// answer is a result on its way out: checked, and in the service's envelope.
type answer struct {
	data     json.RawMessage
	warnings []Warning
	summary  Summary
	resource Resource
	body     json.RawMessage
}

// invoke is steps 12 and 13.
func (r *run) invoke(ctx context.Context) (*answer, error) {
	res, err := r.entry.tool.Handler(ctx, r.by, r.call.Arguments)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(res.Value)
	if err != nil {
		return nil, errBadResult.Because(fmt.Errorf("marshal the result: %w", err))
	}
	a := &answer{data: data, warnings: res.Warnings, summary: res.Summary, resource: res.Resource}
	return a, r.wrap(a)
}

// wrap puts the answer into the envelope and holds it against the output
// schema: what was not declared never leaves, whoever made it.
func (r *run) wrap(a *answer) (err error) {
	if a.body, err = r.dialect.Success(r.call.Trace, r.lang, a.data, a.warnings); err != nil {
		return errBadResult.Because(err)
	}
	if len(a.body) > MaxOutput {
		return errBadResult.Because(fmt.Errorf("%d bytes of output, more than %d", len(a.body), MaxOutput))
	}
	if _, ok := r.entry.output.scan(a.body); !ok {
		return errBadResult.Because(misfit(r.entry.output.violations(a.body, "en")))
	}
	return nil
}

// misfit tells the log where a result breaks its schema, without its values.
type misfit []fault.Violation

func (m misfit) Error() string {
	if len(m) == 0 {
		return "the result does not fit the output schema"
	}
	return fmt.Sprintf("the result does not fit the output schema in %d places, first at %q: %s", len(m), m[0].Path, m[0].Message)
}

// hash is the digest of the data, for the audit row.
func (a *answer) hash() string {
	sum := sha256.Sum256(a.data)
	return hex.EncodeToString(sum[:])
}

// stored is what an idempotency record keeps: enough to make the envelope
// again, for another request and in another language.
type stored struct {
	Data     json.RawMessage `json:"data"`
	Warnings []Warning       `json:"warnings,omitempty"`
	ZH       string          `json:"zh,omitempty"`
	EN       string          `json:"en,omitempty"`
}

func (a *answer) pack() (string, error) {
	b, err := json.Marshal(stored{Data: a.data, Warnings: a.warnings, ZH: a.summary.ZH, EN: a.summary.EN})
	return string(b), err
}

func unpack(text string) (*answer, error) {
	var s stored
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return nil, fmt.Errorf("stored result: %w", err)
	}
	return &answer{data: s.Data, warnings: s.Warnings, summary: Summary{ZH: s.ZH, EN: s.EN}}, nil
}
