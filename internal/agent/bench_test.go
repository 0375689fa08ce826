package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/audit"
	"thhotel/internal/clock"
	"thhotel/internal/testkit"
)

// BenchmarkDo is the pipeline alone, on SQLite: a read tool with an empty
// handler, and a write tool that stores nothing of its own.
func BenchmarkDo(b *testing.B) {
	db := testkit.DB(b)
	p := &people{who: map[string]access.Caller{}}
	p.set("agent", access.RoleSuperAgent, "hotel:case.read", "hotel:task_result.submit")
	r := agent.NewRegistry()
	get := readTool("desk.get")
	save := readTool("desk.save")
	write(&save)
	for _, x := range []agent.Tool{get, save} {
		if _, err := r.Register(x); err != nil {
			b.Fatal(err)
		}
	}
	e, err := agent.NewExecutor(agent.Options{DB: db, Clock: clock.Real(), Registry: r, Auth: p, Audit: audit.New(db, clock.Real()), Log: slog.New(slog.DiscardHandler),
		Services: []agent.Service{{Name: "desk", Dialect: shout{}, Tools: []string{"desk.get", "desk.save"}}}})
	if err != nil {
		b.Fatal(err)
	}
	var n atomic.Int64
	for _, tool := range []string{"desk.get", "desk.save"} {
		for _, callers := range []int{1, 32} {
			b.Run(fmt.Sprintf("%s/callers=%d", tool, callers), func(b *testing.B) {
				b.SetParallelism(callers)
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						args := json.RawMessage(fmt.Sprintf(`{"id":"x","idempotency_key":"key-%010d"}`, n.Add(1)))
						out := e.Do(context.Background(), agent.Call{Tool: tool, Service: "desk", Arguments: args,
							Credential: agent.Credential{Token: "agent"}, Trace: access.Trace{RequestID: "r"}})
						if out.Fault != nil {
							b.Error(out.Fault)
						}
					}
				})
			})
		}
	}
}
