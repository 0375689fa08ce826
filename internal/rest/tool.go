package rest

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/httpd"
)

// tool is the HTTP twin of one tool: the body is its arguments, the answer its
// envelope, the status the refusal's kind.
func (d *door) tool(s agent.Service, info agent.ToolInfo) gin.HandlerFunc {
	keep := !holdsBodies(info.Permission)
	return func(c *gin.Context) {
		r := d.request(c, s)
		if r.open(keep) {
			return
		}
		out := d.o.Executor.Do(c.Request.Context(), agent.Call{Tool: info.Name, Service: s.Name, Arguments: r.body,
			Credential: r.cred, Trace: r.trace, Lang: httpd.AskedLang(c.Request)})
		status := http.StatusOK
		if out.Fault != nil {
			status = httpd.Status(out.Fault.Kind)
			r.refuseHeaders(out.Fault)
		}
		if len(out.Body) == 0 && out.Fault != nil {
			r.fail(out.Fault)
			return
		}
		if out.Replayed {
			c.Header(headerReplayed, "true")
		}
		r.send(status, out.Body)
	}
}

// holdsBodies: answers under these permissions may carry what people wrote.
func holdsBodies(p access.Permission) bool {
	return p.Scope == access.ConversationRead.Scope || p.Scope == access.MessageBodyRead.Scope
}
