package pages

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"thhotel/internal/fault"
)

// What a page may load: only what this program serves. Mail is shown in a frame
// whose own answer allows nothing but its inline styles.
const (
	pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
		"connect-src 'self'; frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
	mailPolicy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'self'; base-uri 'none'; sandbox"
)

// errCrossOrigin refuses a form that another site sent with our cookie.
var errCrossOrigin = fault.New(fault.Forbidden, "CROSS_ORIGIN_REFUSED",
	"该请求来自其他网站，已拒绝。请回到本系统页面重新操作。",
	"The request came from another site and was refused. Go back to the workbench and try again.")

// guard sets the headers of every page and refuses forms from elsewhere.
func (s *site) guard(c *gin.Context) {
	h := c.Writer.Header()
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store") // guests' data: not in a shared browser's cache
	if err := s.origin.Check(c.Request); err != nil {
		s.fail(c, errCrossOrigin.Because(err))
		c.Abort()
		return
	}
	limit := int64(maxForm)
	if c.FullPath() == "/inbox/import" {
		limit = maxImport
	}
	c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, limit)
}

// A card's corrections are far smaller than maxForm; imported files may not be.
const (
	maxForm   = 256 << 10
	maxImport = 32 << 20
)

var errNoFile = fault.New(fault.Invalid, "IMPORT_FILE_MISSING", "没有收到文件，请选择一个 .eml 或 .mbox 文件（不超过 32 MB）。",
	"No file arrived. Choose an .eml or .mbox file of at most 32 MB.")
