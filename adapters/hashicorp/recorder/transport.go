package recorder

import (
	"io"
	"sync"

	"github.com/hashicorp/raft"
)

// transport writes a line before a message leaves, and one when its answer comes.
type transport struct {
	raft.Transport
	s        *server
	requests chan raft.RPC // to raft; has room for one, and never holds more
	closed   chan struct{}
	once     sync.Once
}

// preVoting is a transport that knows pre-votes.
type preVoting struct {
	*transport
	inner raft.WithPreVote
}

func (s *server) wrapTransport(trans raft.Transport) raft.Transport {
	t := &transport{Transport: trans, s: s, requests: make(chan raft.RPC, 1), closed: make(chan struct{})}
	go t.serve(trans.Consumer())
	if p, ok := trans.(raft.WithPreVote); ok {
		return &preVoting{t, p}
	}
	return t
}

func (t *transport) Consumer() <-chan raft.RPC { return t.requests }

// SetHeartbeatHandler leaves heartbeats with the other requests: a handler would
// answer them outside of raft's own goroutine, in no order with its other steps.
func (t *transport) SetHeartbeatHandler(func(raft.RPC)) {}

// Close ends the hand-over of requests, and the transport within if it can be closed.
func (t *transport) Close() error {
	t.once.Do(func() { close(t.closed) })
	if c, ok := t.Transport.(raft.WithClose); ok {
		return c.Close()
	}
	return nil
}

// exchange writes a request that is sent and, unless it is lost, the answer when
// it comes.
func (s *server) exchange(to raft.ServerID, send string, message fields, call func() error,
	receive string, answer func() (fields, bool)) error {
	message["to"] = to
	s.step(func() { s.write(send, fields{"message": message}) })
	if err := call(); err != nil {
		return err
	}
	if m, ok := answer(); ok {
		m["from"] = to
		s.step(func() { s.write(receive, fields{"message": m}) })
	}
	return nil
}

func (t *transport) AppendEntries(id raft.ServerID, target raft.ServerAddress, r *raft.AppendEntriesRequest,
	a *raft.AppendEntriesResponse) error {
	name, message := appendRequest(r)
	return t.s.exchange(id, name, message, func() error { return t.Transport.AppendEntries(id, target, r, a) },
		"Handle"+name+"Response", func() (fields, bool) { return appendResponse(r, a) })
}

func (t *transport) RequestVote(id raft.ServerID, target raft.ServerAddress, r *raft.RequestVoteRequest,
	a *raft.RequestVoteResponse) error {
	return t.s.exchange(id, "RequestVote", voteRequest(r), func() error { return t.Transport.RequestVote(id, target, r, a) },
		"HandleRequestVoteResponse", func() (fields, bool) { return voteResponse(a) })
}

func (p *preVoting) RequestPreVote(id raft.ServerID, target raft.ServerAddress, r *raft.RequestPreVoteRequest,
	a *raft.RequestPreVoteResponse) error {
	return p.s.exchange(id, "RequestPreVote", preVoteRequest(r), func() error { return p.inner.RequestPreVote(id, target, r, a) },
		"HandlePreVoteResponse", func() (fields, bool) { return voteResponse(a) })
}

func (t *transport) InstallSnapshot(id raft.ServerID, target raft.ServerAddress, r *raft.InstallSnapshotRequest,
	a *raft.InstallSnapshotResponse, data io.Reader) error {
	return t.s.exchange(id, "SendSnapshot", snapshotRequest(r), func() error { return t.Transport.InstallSnapshot(id, target, r, a, data) },
		"HandleInstallSnapshotResponse", func() (fields, bool) { return snapshotResponse(a) })
}

func (t *transport) TimeoutNow(id raft.ServerID, target raft.ServerAddress, r *raft.TimeoutNowRequest,
	a *raft.TimeoutNowResponse) error {
	return t.s.exchange(id, "SendTimeoutNow", fields{}, func() error { return t.Transport.TimeoutNow(id, target, r, a) },
		"", func() (fields, bool) { return nil, false })
}

// pipeline is a stream of AppendEntries to one peer, whose answers come later.
type pipeline struct {
	raft.AppendPipeline
	s       *server
	id      raft.ServerID
	answers chan raft.AppendFuture
	closed  chan struct{}
	once    sync.Once
}

func (t *transport) AppendEntriesPipeline(id raft.ServerID, target raft.ServerAddress) (raft.AppendPipeline, error) {
	inner, err := t.Transport.AppendEntriesPipeline(id, target)
	if err != nil {
		return nil, err
	}
	p := &pipeline{AppendPipeline: inner, s: t.s, id: id, answers: make(chan raft.AppendFuture), closed: make(chan struct{})}
	go p.receive()
	return p, nil
}

func (p *pipeline) AppendEntries(r *raft.AppendEntriesRequest, a *raft.AppendEntriesResponse) (raft.AppendFuture, error) {
	name, message := appendRequest(r)
	message["to"] = p.id
	p.s.step(func() { p.s.write(name, fields{"message": message}) })
	return p.AppendPipeline.AppendEntries(r, a)
}

func (p *pipeline) Consumer() <-chan raft.AppendFuture { return p.answers }

func (p *pipeline) Close() error {
	p.once.Do(func() { close(p.closed) })
	return p.AppendPipeline.Close()
}

// receive writes the line of each answer before raft sees it.
func (p *pipeline) receive() {
	for {
		select {
		case f := <-p.AppendPipeline.Consumer():
			if f.Error() == nil {
				name, _ := appendRequest(f.Request())
				if m, ok := appendResponse(f.Request(), f.Response()); ok {
					m["from"] = p.id
					p.s.step(func() { p.s.write("Handle"+name+"Response", fields{"message": m}) })
				}
			}
			select {
			case p.answers <- f:
			case <-p.closed:
				return
			}
		case <-p.closed:
			return
		}
	}
}
