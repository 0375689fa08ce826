package httpd

import (
	"container/list"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/time/rate"

	"thhotel/internal/clock"
)

// Rate says how often one credential may call. Callers without one share their
// address's allowance. Failures bound guessing: 401s per address.
type Rate struct {
	PerSecond float64 // default 100; negative switches limiting off
	Burst     int     // default 200
	Keys      int     // most credentials remembered; default 10,000
	Failures  int     // burst of refused credentials per address; default 50, then 2 a second
}

// limits holds one bounded table per purpose. It is per process: each replica
// allows its own share, which is what protects each replica.
type limits struct {
	clock    clock.Clock
	off      bool
	calls    *buckets
	failures *buckets
}

func newLimits(r Rate, c clock.Clock) *limits {
	l := &limits{clock: c, off: r.PerSecond < 0}
	keys := orElse(r.Keys, 10_000)
	l.calls = newBuckets(rate.Limit(orElse(r.PerSecond, 100)), orElse(r.Burst, 200), keys)
	l.failures = newBuckets(2, orElse(r.Failures, 50), keys)
	return l
}

func orElse[T int | float64](v, fallback T) T {
	if v == 0 {
		return fallback
	}
	return v
}

func (l *limits) middleware(c *gin.Context) {
	if l.off || strings.HasSuffix(c.Request.URL.Path, "z") || strings.HasPrefix(c.Request.URL.Path, "/static/") {
		c.Next()
		return
	}
	now := l.clock.Now()
	if wait := max(l.calls.take(limitKey(c), now), l.failures.wait(c.ClientIP(), now)); wait > 0 {
		Refuse(c.Writer, c.Request, errLimited(int(math.Ceil(wait.Seconds()))))
		c.Abort()
		return
	}
	c.Next()
	if c.Writer.Status() == http.StatusUnauthorized {
		l.failures.take(c.ClientIP(), l.clock.Now())
	}
}

// limitKey names who calls. A partner id is only a claim until its signature is
// verified, so it must not spend that partner's allowance: such calls count by address.
func limitKey(c *gin.Context) string {
	secret := Bearer(c.Request)
	if secret == "" {
		secret = Session(c.Request)
	}
	if secret == "" {
		return "ip:" + c.ClientIP()
	}
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:16])
}

// buckets is a bounded table of token buckets, least recently used out first.
type buckets struct {
	limit rate.Limit
	burst int
	most  int

	mu    sync.Mutex
	byKey map[string]*list.Element
	order *list.List // front: newest
}

type bucket struct {
	key string
	*rate.Limiter
}

func newBuckets(limit rate.Limit, burst, most int) *buckets {
	return &buckets{limit: limit, burst: burst, most: most, byKey: map[string]*list.Element{}, order: list.New()}
}

// take spends one and returns 0, or returns how long to wait.
func (b *buckets) take(key string, now time.Time) time.Duration {
	l := b.of(key)
	if l.AllowN(now, 1) {
		return 0
	}
	return l.delay(now)
}

// wait is take without spending.
func (b *buckets) wait(key string, now time.Time) time.Duration {
	l := b.of(key)
	if l.TokensAt(now) >= 1 {
		return 0
	}
	return l.delay(now)
}

func (l bucket) delay(now time.Time) time.Duration {
	missing := 1 - l.TokensAt(now)
	return time.Duration(missing / float64(l.Limit()) * float64(time.Second))
}

func (b *buckets) of(key string) bucket {
	b.mu.Lock()
	defer b.mu.Unlock()
	if el, ok := b.byKey[key]; ok {
		b.order.MoveToFront(el)
		return el.Value.(bucket) //nolint:forcetypeassert // only buckets go in
	}
	l := bucket{key, rate.NewLimiter(b.limit, b.burst)}
	b.byKey[key] = b.order.PushFront(l)
	if b.order.Len() > b.most {
		old := b.order.Back()
		b.order.Remove(old)
		delete(b.byKey, old.Value.(bucket).key) //nolint:forcetypeassert // only buckets go in
	}
	return l
}
