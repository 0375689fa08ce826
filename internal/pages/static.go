package pages

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/gin-gonic/gin"
)

// asset is one embedded file, ready to send.
type asset struct {
	body, zipped []byte
	kind, tag    string
}

// assets are the style sheets, scripts and icons, by name.
type assets map[string]asset

// loadAssets compresses everything once: the style sheet shrinks to a ninth.
func loadAssets(files fs.FS) (assets, error) {
	out := assets{}
	names, err := fs.Glob(files, "*.*")
	if err != nil {
		return nil, fmt.Errorf("list assets: %w", err)
	}
	for _, name := range names {
		body, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read asset %s: %w", name, err)
		}
		zipped, err := zip(body)
		if err != nil {
			return nil, fmt.Errorf("compress asset %s: %w", name, err)
		}
		sum := sha256.Sum256(body)
		out[name] = asset{body, zipped, mime.TypeByExtension(path.Ext(name)), hex.EncodeToString(sum[:6])}
	}
	return out, nil
}

func zip(body []byte) ([]byte, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// url carries the content's digest, so browsers may keep the file for ever.
func (a assets) url(name string) string { return "/static/" + name + "?v=" + a[name].tag }

func (a assets) serve(c *gin.Context) {
	f, ok := a[c.Param("name")]
	if !ok {
		c.Status(http.StatusNotFound)
		return
	}
	h := c.Writer.Header()
	h.Set("Content-Type", f.kind)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("ETag", `"`+f.tag+`"`)
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache")
	if c.Query("v") == f.tag {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if c.GetHeader("If-None-Match") == h.Get("ETag") {
		c.Status(http.StatusNotModified)
		return
	}
	body := f.body
	if strings.Contains(c.GetHeader("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = f.zipped
	}
	c.Data(http.StatusOK, f.kind, body)
}
