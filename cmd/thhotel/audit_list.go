package main

import (
	"encoding/json"
	"fmt"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/app"
	"thhotel/internal/audit"
)

type auditListCmd struct {
	Data string `help:"Folder of an embedded database (a demo's), instead of the settings' one." type:"path"`

	Tool         string `help:"Only this tool or act, such as th_hotel_submit_task_results or card.confirm."`
	Status       string `help:"Only this status: started, succeeded, failed, denied or replayed." enum:"started,succeeded,failed,denied,replayed," default:""`
	Error        string `help:"Only this error code."`
	Principal    string `help:"Only this subject, by id."`
	Name         string `help:"Only this subject, by name."`
	Adapter      string `help:"Only this door: mcp, rest, pages, system."`
	Request      string `help:"Only this request id."`
	ResourceType string `help:"Only this kind of thing, such as card or order."`
	Resource     string `help:"Only this thing, by id."`
	From         string `help:"Only rows from this moment on: 2026-11-30 (UTC) or 2026-11-30T08:00:00+07:00."`
	To           string `help:"Only rows before this moment."`
	Limit        int    `help:"Rows at most, up to 500." default:"50"`
	Cursor       string `help:"Where the page before ended; it was printed to stderr."`
}

// Run prints the rows, refused credentials among them, and the next page's cursor to stderr.
func (c auditListCmd) Run(e *env) error {
	from, err := moment("--from", c.From)
	if err != nil {
		return err
	}
	to, err := moment("--to", c.To)
	if err != nil {
		return err
	}
	if c.Limit < 1 || c.Limit > 500 {
		return fmt.Errorf("--limit %d is not between 1 and 500", c.Limit)
	}
	return looking(e, c.Data, "audit-list", func(a *app.App, by access.Caller) error {
		list, next, err := a.Audit.List(e.ctx, audit.Filter{HotelID: by.HotelID, Unattributed: true, Tool: c.Tool, Status: audit.Status(c.Status),
			ErrorCode: c.Error, Principal: c.Principal, PrincipalName: c.Name, Adapter: c.Adapter, RequestID: c.Request, ResourceType: c.ResourceType,
			ResourceID: c.Resource, From: from, Until: to, Limit: c.Limit, Cursor: c.Cursor})
		if err != nil {
			return err
		}
		enc := json.NewEncoder(e.out)
		for _, entry := range list {
			if err := enc.Encode(listed(entry)); err != nil {
				return err
			}
		}
		if next != "" {
			fmt.Fprintln(e.err, "there is more: --cursor", next)
		}
		return nil
	})
}

// auditLine is a row as it is listed; what is empty is left out.
type auditLine struct {
	ID            string    `json:"id"`
	At            time.Time `json:"at"`
	Tool          string    `json:"tool"`
	Status        string    `json:"status"`
	ErrorCode     string    `json:"error_code,omitempty"`
	Principal     string    `json:"principal,omitempty"`
	PrincipalName string    `json:"principal_name,omitempty"`
	CredentialID  string    `json:"credential_id,omitempty"`
	Adapter       string    `json:"adapter,omitempty"`
	Protocol      string    `json:"protocol,omitempty"`
	Client        string    `json:"client,omitempty"`
	Risk          string    `json:"risk,omitempty"`
	ResourceType  string    `json:"resource_type,omitempty"`
	ResourceID    string    `json:"resource_id,omitempty"`
	RequestID     string    `json:"request_id,omitempty"`
	TraceID       string    `json:"trace_id,omitempty"`
	DurationMS    float64   `json:"duration_ms,omitempty"`
	ArgsSize      int       `json:"args_size,omitempty"`
	ArgsKeys      string    `json:"args_keys,omitempty"`
	Seq           int64     `json:"seq,omitempty"` // none: not sealed yet
}

func listed(x audit.Entry) auditLine {
	return auditLine{ID: x.ID, At: x.At, Tool: x.Tool, Status: string(x.Status), ErrorCode: x.ErrorCode, Principal: x.Principal, PrincipalName: x.PrincipalName,
		CredentialID: x.CredentialID, Adapter: x.Adapter, Protocol: x.Protocol, Client: x.Client, Risk: x.Risk, ResourceType: x.ResourceType,
		ResourceID: x.ResourceID, RequestID: x.RequestID, TraceID: x.TraceID, DurationMS: float64(x.Duration.Microseconds()) / 1000,
		ArgsSize: x.ArgsSize, ArgsKeys: x.ArgsKeys, Seq: x.Seq}
}
