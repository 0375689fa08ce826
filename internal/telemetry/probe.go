package telemetry

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// A probe reads at scrape time, at most this long, and is not asked again within
// probeKept: several who scrape must not become a load.
const (
	probeTime = 2 * time.Second
	probeKept = 5 * time.Second
)

// Gauge is one number that a probe reads.
type Gauge struct {
	Name, Help string
	Label      string // the name of its label, "" for none
}

// Probe reads gauges from somewhere slow, such as a database.
type Probe struct {
	Name   string // thhotel_probe_up{probe="name"} tells whether it could
	Gauges []Gauge
	// Read calls set for each value; label is "" for a gauge without one. Labels
	// come from a short fixed list.
	Read func(ctx context.Context, set func(gauge, label string, value float64)) error
}

// AddProbe registers a probe.
func (m *Metrics) AddProbe(p Probe) {
	c := &collector{m: m, probe: p, descs: map[string]*prometheus.Desc{}, labelled: map[string]bool{}}
	for _, g := range p.Gauges {
		var labels []string
		if c.labelled[g.Name] = g.Label != ""; g.Label != "" {
			labels = []string{g.Label}
		}
		c.descs[g.Name] = prometheus.NewDesc(g.Name, g.Help, labels, nil)
	}
	c.up = prometheus.NewDesc("thhotel_probe_up", "Whether the numbers of this group could be read; where not, they are absent.", nil, prometheus.Labels{"probe": p.Name})
	m.reg.MustRegister(c)
}

type collector struct {
	m        *Metrics
	probe    Probe
	descs    map[string]*prometheus.Desc
	labelled map[string]bool
	up       *prometheus.Desc

	mu   sync.Mutex
	at   time.Time
	last []prometheus.Metric
}

// Describe names the gauges.
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	out <- c.up
	for _, d := range c.descs {
		out <- d
	}
}

// Collect sends what was read last, or reads anew.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last == nil || c.m.clock.Since(c.at) >= probeKept {
		c.last = c.read()
		c.at = c.m.clock.Now()
	}
	for _, v := range c.last {
		out <- v
	}
}

func (c *collector) read() []prometheus.Metric {
	ctx, cancel := context.WithTimeout(context.Background(), probeTime)
	defer cancel()
	var list []prometheus.Metric
	err := c.probe.Read(ctx, func(gauge, label string, value float64) {
		d := c.descs[gauge]
		switch {
		case d == nil: // not declared; the test that scrapes notices
		case c.labelled[gauge]:
			list = append(list, prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, label))
		default:
			list = append(list, prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value))
		}
	})
	if err != nil {
		return []prometheus.Metric{prometheus.MustNewConstMetric(c.up, prometheus.GaugeValue, 0)}
	}
	return append(list, prometheus.MustNewConstMetric(c.up, prometheus.GaugeValue, 1))
}
