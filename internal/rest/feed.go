package rest

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/fault"
	"thhotel/internal/httpd"
	"thhotel/internal/inbox"
	"thhotel/internal/order"
)

// Paths of the feeds. A delivery has a body limit of its own.
const (
	DeliveryPath   = "/api/integrations/agentbus/messages"
	projectionPath = "/api/integrations/opera/projections"
)

var (
	//go:embed schema/delivered.json
	deliveredSchema []byte
	//go:embed schema/projections.json
	projectionsSchema []byte
	//go:embed schema/projected.json
	projectedSchema []byte
)

// feedInfo is a feed as the description and the page tell of it.
type feedInfo struct {
	Path, ID           string
	Title, Text        words
	Permission         access.Permission
	In, Out            string // names of the schemas
	Input, Output      json.RawMessage
	DefaultMaxMegabyte int
}

func feeds() []feedInfo {
	return []feedInfo{
		{Path: DeliveryPath, ID: "deliver_bus_message", Permission: access.MessageDeliver, DefaultMaxMegabyte: 40,
			Title: words{"AgentBus 邮件入库", "Deliver a mail of the bus"}, In: "Delivery", Out: "Delivery.output", Input: inbox.DeliverySchema(), Output: deliveredSchema,
			Text: words{"接收邮件总线的一封消息，按 source.external_message_id 幂等：同一 ID、同一内容返回 duplicate=true；同一 ID、不同内容返回 409 SOURCE_MESSAGE_CONFLICT，保留第一次的内容。正文可为 text/html，附件可为元数据或 base64；也可用 raw_mime_base64 发送整封原始邮件。请求体默认最大 40 MiB（server.max_delivery）。无法解析的邮件照样保存并标记。",
				"Takes one message of the mail bus, idempotent by source.external_message_id: the same id with the same content is answered with duplicate: true, with other content by 409 SOURCE_MESSAGE_CONFLICT and the first is kept. Bodies as text or HTML, attachments as metadata or base64, or the whole mail in raw_mime_base64. Bodies up to 40 MiB unless set otherwise (server.max_delivery). A mail that cannot be read is kept and flagged."}},
		{Path: projectionPath, ID: "upsert_opera_projections", Permission: access.ProjectionWrite, DefaultMaxMegabyte: 10,
			Title: words{"OPERA 预订投影", "OPERA projections"}, In: "Projections", Out: "Projections.output", Input: projectionsSchema, Output: projectedSchema,
			Text: words{"接收 OPERA 对预订与团队最近的说法；每个键以最新的 as_of 为准，整批保存或整批不保存。",
				"Takes what OPERA last said of reservations and blocks; the newest as_of of a key counts. All are stored or none."}},
	}
}

// feed is a route of another system: authenticated like a tool, authorised by
// the service's own first line.
func (d *door) feed(work func(context.Context, access.Caller, []byte) (any, error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		r := d.request(c, d.main)
		if r.cred = httpd.BearerCredential(c.Request, r.service.Path); r.cred.Token != "" {
			if _, err := r.authenticate(); err != nil { // a stranger's 40 MiB are not read
				r.fail(err)
				return
			}
		}
		if r.open(true) {
			return
		}
		by, err := r.authenticate()
		if err != nil {
			r.fail(err)
			return
		}
		v, err := work(c.Request.Context(), by, r.body)
		if err != nil {
			r.fail(err)
			return
		}
		data, err := json.Marshal(v)
		if err != nil {
			r.fail(err)
			return
		}
		body, err := r.service.Dialect.Success(r.trace, r.lang, data, nil)
		if err != nil {
			r.fail(err)
			return
		}
		r.send(http.StatusOK, body)
	}
}

// delivered is the stored state of a message.
type delivered struct {
	SourceMessageID   string          `json:"source_message_id"`
	Duplicate         bool            `json:"duplicate"`
	ExternalMessageID string          `json:"external_message_id"`
	Provider          string          `json:"source_provider"`
	Channel           string          `json:"source_channel"`
	ConversationID    string          `json:"external_conversation_id"`
	Format            string          `json:"original_format"`
	SHA256            string          `json:"original_sha256"`
	Size              int64           `json:"original_size"`
	RenderMode        string          `json:"html_render_mode"`
	Flags             []string        `json:"flags"`
	Problem           *string         `json:"problem"`
	Attachments       []deliveredFile `json:"attachments"`
}

type deliveredFile struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	ContentType string `json:"content_type"`
	Size        int64  `json:"size"`
	Stored      bool   `json:"stored"`
}

func (d *door) deliver(ctx context.Context, by access.Caller, body []byte) (any, error) {
	got, err := d.o.Inbox.DeliverBus(ctx, by, body)
	if err != nil {
		return nil, err //nolint:wrapcheck // a refusal, or logged by fail
	}
	m := got.Message
	out := delivered{SourceMessageID: got.MessageID, Duplicate: got.Duplicate, ExternalMessageID: m.ExternalMessageID, Provider: m.Provider,
		Channel: m.Channel, ConversationID: m.ConversationID, Format: m.RawFormat, SHA256: m.RawSHA256, Size: m.RawSize, RenderMode: m.RenderMode,
		Flags: append([]string{}, m.Flags...), Attachments: []deliveredFile{}}
	if m.Problem != "" {
		out.Problem = &m.Problem
	}
	for _, a := range m.Attachments {
		out.Attachments = append(out.Attachments, deliveredFile{a.ID, a.Name, a.ContentType, a.Size, a.SHA256 != ""})
	}
	return out, nil
}

type projected struct {
	Accepted int `json:"accepted_count"`
}

// project takes {"projections": […]} or the bare list.
func (d *door) project(ctx context.Context, by access.Caller, body []byte) (any, error) {
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		body = slices.Concat([]byte(`{"projections":`), body, []byte("}"))
	}
	if err := d.fitsProjections(body); err != nil {
		return nil, err
	}
	var in struct {
		Projections []order.Projection `json:"projections"`
	}
	if err := httpd.DecodeJSON(body, &in); err != nil { // such as a time that is none
		return nil, err
	}
	n, err := d.o.Order.UpsertProjections(ctx, by, in.Projections)
	if err != nil {
		return nil, err //nolint:wrapcheck // a refusal, or logged by fail
	}
	return projected{n}, nil
}

func (d *door) fitsProjections(body []byte) error {
	wrong := d.projections.ValidateIn(body, "zh")
	if len(wrong) == 0 {
		return nil
	}
	for i, v := range d.projections.ValidateIn(body, "en") {
		wrong[i].MessageEN = v.Message
	}
	return fault.New(fault.Invalid, httpd.CodeRequestInvalid, "投影数据不符合 schema，整批未保存；请按 violations 修正后重发。",
		"The projections do not fit the schema and none was stored. Correct what violations names and send them again.").At(wrong...)
}

func compileFeeds() (*agent.Schema, error) {
	s, err := agent.CompileSchema(projectionsSchema)
	if err != nil {
		return nil, fmt.Errorf("mount rest: projections schema: %w", err)
	}
	return s, nil
}
