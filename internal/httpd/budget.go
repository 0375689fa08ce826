package httpd

import (
	"sync/atomic"

	"thhotel/internal/fault"
)

// A body of ten megabytes becomes many times that on its way through parsers and
// checks, so sixty-four of them at once would take all the memory there is. All
// large bodies share one budget of bytes, kept from reading until answering; who
// finds it spent is asked to come again. Small bodies never wait for large ones.

const (
	// DefaultBodyBudget is the bytes of large bodies in work at one time.
	DefaultBodyBudget = 40 << 20
	smallBody         = 64 << 10  // bytes of each body that cost nothing
	budgetStep        = 256 << 10 // spent in steps, as bytes really come: a promise holds nothing
	budgetRetry       = 2         // seconds
)

// budget is what is left for large bodies. A nil budget is endless.
type budget struct{ left atomic.Int64 }

func newBudget(bytes int64) *budget {
	b := &budget{}
	b.left.Store(bytes)
	return b
}

func (b *budget) take(n int64) bool {
	if b.left.Add(-n) >= 0 {
		return true
	}
	b.left.Add(n)
	return false
}

// afford makes room for the bytes that were just read.
func (b *limitedBody) afford(n int64) bool {
	if b.budget == nil {
		return true
	}
	if b.read += n; b.read <= smallBody+b.spent {
		return true
	}
	if !b.budget.take(budgetStep) {
		return false
	}
	b.spent += budgetStep
	return b.afford(0)
}

// release gives back what the body was given, once the request is answered.
func (b *limitedBody) release() {
	if b.budget != nil {
		b.budget.left.Add(b.spent)
		b.spent = 0
	}
}

func errBudget() *fault.Error {
	f := fault.New(fault.Limited, CodeRateLimited, "服务器正在处理的大型请求已达上限，请在 2 秒后原样重试。",
		"The server is working on as many large requests as it can. Send the same request again in 2 s.")
	f.RetryAfter = budgetRetry
	return f
}
