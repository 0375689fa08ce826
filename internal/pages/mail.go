package pages

import (
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/inbox"
)

func (s *site) inboxRoutes(r gin.IRouter) {
	r.GET("/inbox", s.staff(inboxList))
	r.POST("/inbox/import", s.staff(importMail))
	r.GET("/inbox/:id", s.staff(message))
	r.GET("/inbox/:id/html", s.staff(messageHTML))
	r.GET("/inbox/:id/original", s.staff(original))
	r.GET("/inbox/:id/files/:file", s.staff(attachment))
	r.GET("/inbox/:id/files/:file/view", s.staff(preview))
}

// inboxFlags are what the list can be narrowed to, worst first.
func inboxFlags() []string {
	return []string{"SENDER_LOOKALIKE", "SENDER_DOMAIN_NEW", "HIDDEN_CONTENT_REMOVED", "ACTIVE_CONTENT_REMOVED", "REMOTE_CONTENT_REMOVED", "UNPARSEABLE"}
}

type inboxData struct {
	Flags    []string
	Clear    bool
	Params   inbox.ListParams
	Messages []inbox.Message
	Next     string
	Counts   *inbox.ImportCounts
}

func inboxList(v *visit) error { return v.showInbox(nil) }

func (v *visit) showInbox(counts *inbox.ImportCounts) error {
	q := v.c.Request.URL.Query()
	p := inbox.ListParams{Search: strings.TrimSpace(q.Get("q")), ConversationID: q.Get("conversation"), Flag: q.Get("flag"), Cursor: q.Get("cursor")}
	list, next, err := v.s.o.Inbox.List(v.c.Request.Context(), v.By, p)
	if err != nil {
		return err
	}
	d := inboxData{Params: p, Messages: list, Counts: counts, Flags: inboxFlags(), Clear: p.Search != "" || p.Flag != "" || p.ConversationID != ""}
	if next != "" {
		d.Next = with("/inbox", q, "cursor", next)
	}
	v.SearchHere = true
	return v.show("inbox", "inbox", v.T("inbox.title"), d)
}

// importMail takes one .eml or .mbox file and says what became of it.
func importMail(v *visit) error {
	if err := v.By.Require(access.MessageImport); err != nil {
		return err
	}
	file, head, err := v.c.Request.FormFile("file")
	if err != nil {
		return errNoFile.Because(err)
	}
	defer func() { _ = file.Close() }()
	counts, err := v.s.o.Inbox.ImportReader(v.c.Request.Context(), v.By, head.Filename, file)
	if err != nil {
		return err
	}
	return v.showInbox(&counts)
}

type messageData struct {
	Mail  *mailData
	Cards []cardLink
}

type cardLink struct{ ID, Event, Status string }

func message(v *visit) error {
	ctx, id := v.c.Request.Context(), v.c.Param("id")
	if _, err := v.s.o.Inbox.Get(ctx, v.By, id); err != nil {
		return err
	}
	d := messageData{Mail: v.readMail(id, "inbox")}
	page, err := v.s.o.Order.CardsOfMessages(ctx, v.By, []string{id}, "", 50)
	if err != nil {
		return err
	}
	for _, c := range page.Cards {
		d.Cards = append(d.Cards, cardLink{c.ID, string(c.EventType), c.Status})
	}
	title := d.Mail.Message.Subject
	if title == "" {
		title = v.T("mail.no_subject")
	}
	return v.show("message", "inbox", title, d)
}

// frameHead gives the mail readable defaults; everything else about it was
// taken away by the sanitiser, and the policy forbids what it may have missed.
const frameHead = `<!doctype html><html><head><meta charset="utf-8"><title>mail</title><style>` +
	`body{font:15px/1.55 system-ui,"Segoe UI","Noto Sans","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;margin:12px;color:#1a2730;background:#fff;overflow-wrap:anywhere}` +
	`table{border-collapse:collapse;max-width:100%}td,th{padding:2px 8px;border:1px solid #d9dfe4;text-align:left}blockquote{margin:8px 0;padding-left:12px;border-left:3px solid #d9dfe4}pre{white-space:pre-wrap}` +
	`</style></head><body>`

// messageHTML is what the sandboxed frame shows. It is a reading of the mail and audited as one.
func messageHTML(v *visit) error {
	_, body, err := v.s.o.Inbox.ReadBody(v.c.Request.Context(), v.By, v.c.Param("id"), "frame")
	if err != nil {
		return err
	}
	h := v.c.Writer.Header()
	h.Set("Content-Security-Policy", mailPolicy)
	h.Set("X-Frame-Options", "SAMEORIGIN")
	h.Set("Referrer-Policy", "no-referrer")
	v.c.Data(http.StatusOK, "text/html; charset=utf-8", []byte(frameHead+body.HTML+"</body></html>"))
	return nil
}

func original(v *visit) error {
	r, a, err := v.s.o.Inbox.OpenOriginal(v.c.Request.Context(), v.By, v.c.Param("id"))
	if err != nil {
		return err
	}
	if a.Name == "" {
		a.Name = "message.eml"
	}
	return v.download(r, a)
}

func attachment(v *visit) error {
	r, a, err := v.s.o.Inbox.OpenAttachment(v.c.Request.Context(), v.By, v.c.Param("id"), v.c.Param("file"))
	if err != nil {
		return err
	}
	return v.download(r, a)
}

// download never lets the browser show a stranger's file as a page of ours.
func (v *visit) download(r io.ReadCloser, a inbox.Attachment) error {
	defer func() { _ = r.Close() }()
	h := v.c.Writer.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": a.Name}))
	if h.Get("Content-Disposition") == "" {
		h.Set("Content-Disposition", "attachment")
	}
	if a.Size > 0 {
		h.Set("Content-Length", strconv.FormatInt(a.Size, 10))
	}
	v.c.Status(http.StatusOK)
	if _, err := io.Copy(v.c.Writer, r); err != nil {
		v.s.o.Log.Warn("download cut off", "error", err) // the head has left: nothing else can be said
	}
	return nil
}
