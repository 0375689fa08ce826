package agent

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Defaults of a tool's limits.
const (
	defaultTimeout      = 30 * time.Second
	defaultConcurrency  = 64
	defaultMaxArguments = 64 << 10
)

var (
	namePattern   = regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$`)
	scopePattern  = regexp.MustCompile(`^[a-z][a-z0-9_]*(:[a-z][a-z0-9_.]*)+$`)
	actionPattern = regexp.MustCompile(`^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$`)
)

const maxName = 128

// validName also bounds the length, as the audit log keeps names.
func validName(s string) bool { return len(s) <= maxName && namePattern.MatchString(s) }

// prepare checks a tool and compiles what running it needs.
func prepare(t Tool) (*entry, error) {
	for _, check := range []func(*Tool) error{checkParts, checkEffect, checkPermission, checkLimits} {
		if err := check(&t); err != nil {
			return nil, err
		}
	}
	input, err := objectSchema(t.InputSchema)
	if err != nil {
		return nil, fmt.Errorf("input %w", err)
	}
	output, err := objectSchema(t.OutputSchema)
	if err != nil {
		return nil, fmt.Errorf("output %w", err)
	}
	if err := checkArguments(&t, input); err != nil {
		return nil, err
	}
	e := &entry{tool: t, info: t.info(), input: input, output: output, slots: make(chan struct{}, t.MaxConcurrency)}
	if t.CheckInput != nil {
		e.input = input.shape()
	}
	return e, nil
}

func checkParts(t *Tool) error {
	switch {
	case !validName(t.Name):
		return errors.New("the name is not lower-case segments joined by dots, 128 characters at most")
	case t.Owner == "":
		return errors.New("it has no owner")
	case t.Handler == nil:
		return errors.New("it has no handler")
	case t.REST != "" && !strings.HasPrefix(t.REST, "/"):
		return errors.New("the REST path does not begin with a slash")
	}
	return nil
}

func checkEffect(t *Tool) error {
	switch t.Risk {
	case RiskRead, RiskWrite, RiskPublish, RiskDestructive, RiskCritical:
	default:
		return fmt.Errorf("risk %q is unknown", t.Risk)
	}
	switch {
	case t.Mutability != Read && t.Mutability != Write:
		return fmt.Errorf("mutability %q is unknown", t.Mutability)
	case (t.Mutability == Read) != (t.Risk == RiskRead):
		return fmt.Errorf("a %s tool cannot have the risk %s", t.Mutability, t.Risk)
	case t.Mutability == Write && !t.Idempotent:
		return errors.New("a write must be idempotent")
	case t.Mutability == Read && t.RequiresConfirmation:
		return errors.New("a read tool has nothing to confirm")
	}
	return nil
}

func checkPermission(t *Tool) error {
	switch {
	case !scopePattern.MatchString(t.Permission.Scope):
		return fmt.Errorf("scope %q is not of the form service:thing", t.Permission.Scope)
	case !actionPattern.MatchString(t.Permission.Action):
		return fmt.Errorf("action %q is not of the form resource.action", t.Permission.Action)
	case t.OwnAction == "":
		return nil
	case !actionPattern.MatchString(t.OwnAction):
		return fmt.Errorf("own action %q is not of the form resource.action", t.OwnAction)
	case t.Resolve == nil:
		return errors.New("an own action needs Resolve, which tells the owner")
	}
	return nil
}

// checkLimits refuses impossible limits and fills in the defaults.
func checkLimits(t *Tool) error {
	if t.Timeout < 0 || t.MaxConcurrency < 0 || t.MaxArguments < 0 {
		return errors.New("a limit is negative")
	}
	if t.Timeout == 0 {
		t.Timeout = defaultTimeout
	}
	if t.MaxConcurrency == 0 {
		t.MaxConcurrency = defaultConcurrency
	}
	if t.MaxArguments == 0 {
		t.MaxArguments = defaultMaxArguments
	}
	return nil
}

func objectSchema(doc []byte) (*Schema, error) {
	s, err := CompileSchema(doc)
	if err != nil {
		return nil, err
	}
	if s.root.types != kindObject {
		return nil, errors.New(`schema: the top must have the type "object"`)
	}
	return s, nil
}

// checkArguments refuses a tool whose callers could not give what the pipeline
// asks for, because the schema would not let it through.
func checkArguments(t *Tool, input *Schema) error {
	if t.RequiresConfirmation && !input.admits("confirm") {
		return errors.New(`it requires confirmation and the input schema has no "confirm"`)
	}
	if t.Mutability == Write && t.Key == nil && !input.admits("idempotency_key") {
		return errors.New(`a write without Key needs "idempotency_key" in the input schema`)
	}
	return nil
}

func (s *Schema) admits(name string) bool {
	_, declared := s.root.index[name]
	return declared || !s.root.closed
}

// shape keeps of a schema only which names it declares at the top: what is
// left to check when CheckInput is the judge, and what the audit log may name.
func (s *Schema) shape() *Schema {
	n := &node{types: kindObject, names: s.root.names, index: s.root.index, maxItems: -1, maxLength: -1}
	n.props = make([]*node, len(n.names))
	return &Schema{root: n}
}

func (t *Tool) info() ToolInfo {
	return ToolInfo{
		Name: t.Name, Owner: t.Owner, Title: t.Title, Description: t.Description,
		InputSchema: t.InputSchema, OutputSchema: t.OutputSchema,
		Mutability: t.Mutability, Risk: t.Risk, Idempotent: t.Idempotent, RequiresConfirmation: t.RequiresConfirmation,
		Permission: t.Permission, OwnAction: t.OwnAction, REST: t.REST,
		MaxArguments: t.MaxArguments, MaxConcurrency: t.MaxConcurrency, Timeout: t.Timeout,
	}
}
