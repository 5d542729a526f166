package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/spec"
)

// metrics serves what is known of the traces that are being checked, for Prometheus. A trace is looked at by the one who
// checks it, once in a while and whenever it is asked for, so that checking waits for nobody.
type metrics struct {
	server *http.Server
	traces []*measured // by the number of the trace; set before the server starts
}

// newMetrics returns metrics of so many traces.
func newMetrics(traces int) *metrics {
	ms := &metrics{}
	for range traces {
		ms.traces = append(ms.traces, &measured{fresh: make(chan struct{}, 1)})
	}
	return ms
}

// measured is what was last known of one trace.
type measured struct {
	asked  atomic.Bool
	now    atomic.Pointer[measures]
	last   time.Time                   // when now was made
	fresh  chan struct{}               // a new one has been made
	behind atomic.Pointer[ingest.Tail] // of a followed file; else nil
}

// measures are the numbers of one moment.
type measures struct {
	trace                 string
	checked, ignored      uint64
	unrecognised, damaged uint64
	groups                int
	read                  time.Time // when the last line was read
	broken, waiting       []brokenRule
	servers               []serverNow
	left                  int // servers that are not shown
}

type brokenRule struct {
	rule  *spec.Rule
	times uint64
}

type serverNow struct {
	group, server string
	standing      spec.Standing
}

// shownServers bounds the series that one trace makes, and measuredEvery is how old the numbers may be.
const (
	shownServers  = 2000
	measuredEvery = time.Second
)

// serve starts to answer at an address. A port of 0 is one that is free.
func (ms *metrics) serve(address string) (string, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return "", fmt.Errorf("--metrics: %w", err)
	}
	registry := prometheus.NewRegistry()
	if err := registry.Register(ms); err != nil {
		return "", err
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	ms.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := ms.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			panic(err) // nothing else ends a listener that nobody has closed
		}
	}()
	return listener.Addr().String(), nil
}

// watch has a driver look at its trace after each line, and while it waits for one.
func (ms *metrics) watch(number int, d *driver, live *pipe) {
	m := ms.traces[number]
	d.after = func() { m.look(d, true) }
	if live == nil {
		return
	}
	tick := live.tick
	live.tick = func() error {
		m.look(d, false)
		return tick()
	}
}

func (ms *metrics) close() error { return ms.server.Close() }

// look makes new numbers if the last are old or somebody asks. It is called by the one who checks the trace.
func (m *measured) look(d *driver, line bool) {
	now := time.Now()
	if !m.asked.Load() && now.Sub(m.last) < measuredEvery {
		return
	}
	m.asked.Store(false)
	m.last = now
	l := &d.report.Lines
	next := &measures{
		trace: d.report.Trace, checked: l.Checked, ignored: l.Ignored, unrecognised: l.Unrecognised, damaged: l.Damaged,
		groups: d.checker.Groups(), read: now,
	}
	if was := m.now.Load(); was != nil && !line {
		next.read = was.read
	}
	d.checker.Broken(func(r *spec.Rule, times uint64) { next.broken = append(next.broken, brokenRule{r, times}) })
	waiting := map[*spec.Rule]uint64{}
	d.checker.Waiting(func(r *spec.Rule, times uint64) { waiting[r] += times })
	for r, times := range waiting {
		next.waiting = append(next.waiting, brokenRule{r, times})
	}
	d.checker.Standings(func(g *spec.Group, id spec.ID, s spec.Standing) {
		if len(next.servers) == shownServers {
			next.left++
			return
		}
		next.servers = append(next.servers, serverNow{g.Name, g.NameOf(id), s})
	})
	m.now.Store(next)
	select {
	case m.fresh <- struct{}{}:
	default:
	}
}

var (
	linesDesc    = prometheus.NewDesc("tracecheck_lines_total", "Lines read, by what became of them.", []string{"trace", "verdict"}, nil)
	violationsD  = prometheus.NewDesc("tracecheck_violations_total", "Violations found, by rule.", []string{"trace", "rule"}, nil)
	qualityDesc  = prometheus.NewDesc("tracecheck_quality_findings_total", "Findings about the trace itself, by rule.", []string{"trace", "rule"}, nil)
	doubtfulDesc = prometheus.NewDesc("tracecheck_doubtful_total", "Lines that would be violations if nothing were missing before them.", []string{"trace"}, nil)
	waitingDesc  = prometheus.NewDesc("tracecheck_violations_waiting", "Violations, by rule, that the next lines may still take back, where they show that lines are missing.", []string{"trace", "rule"}, nil)
	groupsDesc   = prometheus.NewDesc("tracecheck_groups", "Raft groups seen.", []string{"trace"}, nil)
	lagDesc      = prometheus.NewDesc("tracecheck_lag_bytes", "Bytes of a followed file that are yet to be read.", []string{"trace"}, nil)
	lastDesc     = prometheus.NewDesc("tracecheck_last_line_timestamp_seconds", "When the last line was read.", []string{"trace"}, nil)
	termDesc     = prometheus.NewDesc("tracecheck_term", "The current term (KRaft: epoch) of a server, as last shown.", []string{"trace", "group", "server"}, nil)
	commitDesc   = prometheus.NewDesc("tracecheck_commit_index", "The commit index (KRaft: high watermark) of a server, as last shown.", []string{"trace", "group", "server"}, nil)
	leftDesc     = prometheus.NewDesc("tracecheck_servers_not_shown", "Servers of which there are too many to show each.", []string{"trace"}, nil)
)

// Describe implements [prometheus.Collector].
func (ms *metrics) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{linesDesc, violationsD, qualityDesc, doubtfulDesc, waitingDesc, groupsDesc, lagDesc, lastDesc, termDesc, commitDesc, leftDesc} {
		to <- d
	}
}

// Collect implements [prometheus.Collector].
func (ms *metrics) Collect(to chan<- prometheus.Metric) {
	seen := map[string]bool{} // a file that is given twice is told of once
	for _, m := range ms.traces {
		if now := m.now.Load(); now != nil && seen[now.trace] {
			continue
		} else if now != nil {
			seen[now.trace] = true
		}
		m.collect(to)
	}
}

// patienceOfScrapes is how long one who asks waits for new numbers. A source that waits for its next record does not answer.
const patienceOfScrapes = 300 * time.Millisecond

func (m *measured) collect(to chan<- prometheus.Metric) {
	m.asked.Store(true)
	select {
	case <-m.fresh:
	case <-time.After(patienceOfScrapes):
	}
	now := m.now.Load()
	if now == nil {
		return // nothing was read yet
	}
	counter := func(d *prometheus.Desc, v uint64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(v), append([]string{now.trace}, labels...)...)
	}
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, append([]string{now.trace}, labels...)...)
	}
	counter(linesDesc, now.checked, "checked")
	counter(linesDesc, now.ignored, "ignored")
	counter(linesDesc, now.unrecognised, "unrecognised")
	counter(linesDesc, now.damaged, "damaged")
	for _, b := range now.broken {
		switch {
		case b.rule == replay.Doubtful:
			counter(doubtfulDesc, b.times)
		case b.rule.Quality():
			counter(qualityDesc, b.times, b.rule.ID)
		default:
			counter(violationsD, b.times, b.rule.ID)
		}
	}
	for _, w := range now.waiting {
		gauge(waitingDesc, float64(w.times), w.rule.ID)
	}
	gauge(groupsDesc, float64(now.groups))
	gauge(lastDesc, float64(now.read.UnixMilli())/1000)
	gauge(leftDesc, float64(now.left))
	if tail := m.behind.Load(); tail != nil {
		gauge(lagDesc, float64(tail.Behind()))
	}
	for _, s := range now.servers {
		if s.standing.Known&spec.HasTerm != 0 {
			gauge(termDesc, float64(s.standing.CurrentTerm), s.group, s.server)
		}
		if s.standing.Known&spec.HasCommit != 0 {
			gauge(commitDesc, float64(s.standing.CommitIndex), s.group, s.server)
		}
	}
}
