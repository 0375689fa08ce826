package httpd_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/gin-gonic/gin"

	"thhotel/internal/fault"
	"thhotel/internal/httpd"
)

// TestBodyBudget: large bodies share a budget from reading to answering; the one
// too many is asked to come again, small ones pass, and what was spent comes back.
func TestBodyBudget(t *testing.T) {
	const large = 1 << 20
	held, let := make(chan struct{}), make(chan struct{})
	s := serve(t, httpd.Options{MaxBody: large, BodyBudget: 2*large + 4<<10}, func(e *gin.Engine) {
		e.POST("/", func(c *gin.Context) {
			b, err := httpd.ReadBody(c.Request)
			if err != nil {
				httpd.Refuse(c.Writer, c.Request, fault.As(err))
				return
			}
			if c.Query("hold") != "" {
				held <- struct{}{}
				<-let
			}
			c.String(http.StatusOK, "%d", len(b))
		})
	})
	post := func(query string, size int, chunked bool) (int, string, []byte) {
		var body io.Reader = bytes.NewReader(make([]byte, size))
		if chunked {
			body = io.MultiReader(body) // of unknown length
		}
		r, err := http.NewRequest(http.MethodPost, s.URL+"/"+query, body)
		if err != nil {
			t.Error(err)
		}
		res, answer := do(t, r)
		return res.StatusCode, res.Header.Get("Retry-After"), answer
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if status, _, body := post("?hold=1", large, false); status != http.StatusOK {
				t.Errorf("a body within the budget: %d %s", status, body)
			}
		})
		<-held
	}
	for _, chunked := range []bool{false, true} {
		status, wait, body := post("", large, chunked)
		if status != http.StatusTooManyRequests || wait != "2" || codeIn(t, body) != httpd.CodeRateLimited || !strings.Contains(string(body), "大型请求") {
			t.Errorf("one too many (chunked %v): %d, Retry-After %q, %s", chunked, status, wait, body)
		}
	}
	for range 20 {
		if status, _, body := post("", 60<<10, false); status != http.StatusOK {
			t.Errorf("a small body: %d %s", status, body)
		}
	}
	close(let)
	wg.Wait()
	for range 5 { // also what the refused ones had spent
		if status, _, body := post("", large, true); status != http.StatusOK {
			t.Errorf("afterwards: %d %s", status, body)
		}
	}
}
