package recorder

import (
	"runtime"
	"time"

	"github.com/hashicorp/raft"
)

// request is one that a server handles, or is about to handle. It has one at a
// time: raft handles them one by one anyway, and so a line of an answer stands
// before the line of the next request.
type request struct {
	from     raft.ServerID
	action   string // of the answer
	answer   chan raft.RPCResponse
	reply    raft.RPCResponse
	answered chan struct{}
	fields   func(response any) (fields, bool) // of the answer's message

	snapshot *raft.InstallSnapshotRequest
}

// brings reports whether the request in hand brings a snapshot up to an index.
func (s *server) brings(index uint64) bool {
	return s.request != nil && s.request.snapshot != nil && s.request.snapshot.LastLogIndex == index
}

// takeAnswer writes the answer to the request in hand, if raft has given it. The
// caller holds the lock. Raft goes on as soon as it has answered, so every step
// looks for an answer first.
func (s *server) takeAnswer() {
	r := s.request
	if r == nil {
		return
	}
	select {
	case r.reply = <-r.answer:
	default:
		return
	}
	s.request = nil
	if r.reply.Error == nil {
		if message, ok := r.fields(r.reply.Response); ok {
			message["to"] = r.from
			s.write(r.action, fields{"message": message})
		}
	}
	close(r.answered)
}

// serve hands requests to raft, and answers back to who asked.
func (t *transport) serve(from <-chan raft.RPC) {
	for {
		select {
		case rpc := <-from:
			if !t.handle(rpc) {
				return
			}
		case <-t.closed:
			return
		}
	}
}

// handle hands over one request and waits for its answer. It reports false if the
// transport was closed.
func (t *transport) handle(rpc raft.RPC) bool {
	r := &request{answer: make(chan raft.RPCResponse, 1), answered: make(chan struct{})}
	t.s.step(func() {
		t.arrives(rpc.Command, r)
		t.s.request = r
		t.requests <- raft.RPC{Command: rpc.Command, Reader: rpc.Reader, RespChan: r.answer} // it has room
	})
	// Nobody may take the answer without the lock, or a step of raft that comes
	// after it could be written first. So wait until there is one to take.
	for wait := 0; ; wait++ {
		select {
		case <-r.answered:
			rpc.Respond(r.reply.Response, r.reply.Error)
			return true
		case <-t.closed:
			return false
		default:
		}
		switch {
		case len(r.answer) > 0:
			t.s.step(func() {})
		case wait < 100:
			runtime.Gosched()
		default:
			time.Sleep(50 * time.Microsecond)
		}
	}
}

// arrives writes the line of a request that arrives, before raft looks at it, and
// says how its answer is written.
func (t *transport) arrives(command any, r *request) {
	s := t.s
	header := func(h raft.WithRPCHeader) {
		head := h.GetRPCHeader()
		r.from = raft.ServerID(head.ID)
		if len(head.Addr) > 0 && r.from != "" {
			s.trace.ids[s.trans.DecodePeer(head.Addr)] = r.from
		}
	}
	arrives := func(action string, message fields) {
		message["from"] = r.from
		s.write(action, fields{"message": message})
	}
	switch c := command.(type) {
	case *raft.AppendEntriesRequest:
		header(c)
		name, message := appendRequest(c)
		arrives("Handle"+name+"Request", message)
		r.action = "Respond" + name
		r.fields = func(response any) (fields, bool) { return appendResponse(c, response) }
	case *raft.RequestVoteRequest:
		header(c)
		arrives("HandleRequestVoteRequest", voteRequest(c))
		r.action, r.fields = "RespondRequestVote", voteResponse
	case *raft.RequestPreVoteRequest:
		header(c)
		arrives("HandlePreVoteRequest", preVoteRequest(c))
		r.action, r.fields = "RespondPreVote", voteResponse
	case *raft.InstallSnapshotRequest:
		header(c)
		r.snapshot = c
		arrives("HandleInstallSnapshotRequest", snapshotRequest(c))
		r.action, r.fields = "RespondInstallSnapshot", snapshotResponse
	case *raft.TimeoutNowRequest:
		header(c)
		arrives("HandleTimeoutNow", fields{})
		r.fields = func(any) (fields, bool) { return nil, false } // it says nothing
	default:
		r.fields = func(any) (fields, bool) { return nil, false }
	}
}
