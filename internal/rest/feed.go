package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/fault"
	"thhotel/internal/httpd"
	"thhotel/internal/order"
)

// Paths of the feeds.
const (
	busPath        = "/api/integrations/agentbus/messages"
	projectionPath = "/api/integrations/opera/projections"
)

// maxProjections bounds one feed request; it is one transaction.
const maxProjections = 500

// feed is a route of another system: authenticated like a tool, authorised by
// the service's own first line.
func (d *door) feed(work func(context.Context, access.Caller, []byte) (any, error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		r := d.request(c, d.main)
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

type delivered struct {
	SourceMessageID string `json:"source_message_id"`
	Duplicate       bool   `json:"duplicate"`
}

func (d *door) deliver(ctx context.Context, by access.Caller, body []byte) (any, error) {
	got, err := d.o.Inbox.DeliverBus(ctx, by, body)
	if err != nil {
		return nil, err //nolint:wrapcheck // a refusal, or logged by fail
	}
	return delivered{got.MessageID, got.Duplicate}, nil
}

type projected struct {
	Accepted int `json:"accepted_count"`
}

// project takes {"projections": […]} or the bare list.
func (d *door) project(ctx context.Context, by access.Caller, body []byte) (any, error) {
	var in struct {
		Projections []order.Projection `json:"projections"`
	}
	target := any(&in)
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		target = &in.Projections
	}
	if err := httpd.DecodeJSON(body, target); err != nil {
		return nil, err
	}
	if n := len(in.Projections); n == 0 || n > maxProjections {
		return nil, fault.New(fault.Invalid, httpd.CodeRequestInvalid,
			fmt.Sprintf("projections 需要 1 到 %d 条。", maxProjections), fmt.Sprintf("projections needs 1 to %d entries.", maxProjections)).
			At(fault.Violation{Path: "/projections", Message: fmt.Sprintf("1 to %d entries", maxProjections)})
	}
	n, err := d.o.Order.UpsertProjections(ctx, by, in.Projections)
	if err != nil {
		return nil, err //nolint:wrapcheck // a refusal, or logged by fail
	}
	return projected{n}, nil
}
