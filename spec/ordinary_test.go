package spec

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOrdinaryStepsAreTheSame: what is decided in one look is decided as guard
// by guard. Random steps of a small cluster, most of them in order and some not,
// are replayed both ways; what is reported, what becomes a fact and how often
// each rule was decided must be equal.
func TestOrdinaryStepsAreTheSame(t *testing.T) {
	var inOrder [numOrdinary]uint64
	for seed := range uint64(300) {
		groups := &Groups{}
		g := groups.Get("", Profile{SelfVoteOnTimeout: seed%2 == 0, BootstrapTerm: seed % 3}, ^Facts(0))
		var voters Set
		for i := range 3 {
			voters.Add(g.Server(fmt.Append(nil, i)))
		}
		config := g.Config(Config{Quorums: []Set{voters}})
		short, long := New(g), New(g)
		long.longWay = true
		draw := rand.New(rand.NewPCG(seed, 1))
		for ref := range Ref(200) {
			a := drawAction(draw, config)
			a.Ref = ref + 1
			b := a
			short.Step(&a)
			long.Step(&b)
			require.Equal(t, long.Breaches, short.Breaches, "seed %d, step %d: %s", seed, ref, a.Name())
			require.Equal(t, long.Facts, short.Facts, "seed %d, step %d: %s", seed, ref, a.Name())
		}
		for _, r := range Rules {
			require.Equal(t, long.Tally(r), short.Tally(r), "seed %d: %s", seed, r.Name)
		}
		for o, n := range short.inOrders {
			inOrder[o] += n
		}
	}
	for o, n := range inOrder {
		require.NotZero(t, n, "ordinary step %d was never taken", o)
	}
}

// drawAction draws a step about a leader, 1, of term 2 or 3 and its followers.
// Indexes are small, so that they often fit together.
func drawAction(draw *rand.Rand, config ConfigID) Action {
	pick := func(of ...uint64) uint64 { return of[draw.IntN(len(of))] }
	term, follower := pick(2, 2, 2, 3), ID(pick(2, 3))
	last := pick(1, 2, 3, 3, 4)
	request := Message{
		Type: AppendEntriesRequest, From: 1, To: follower, Term: term, LogIndex: pick(0, 1, 2, 3), LogTerm: pick(1, 2, 2),
		Entries: pick(0, 1, 1, 2), Commit: pick(0, 1, 2, 3), Has: MsgTerm | MsgLogIndex | MsgLogTerm | MsgEntries | MsgCommit,
	}
	answer := Message{
		Type: AppendEntriesResponse, From: follower, To: 1, Term: term, Match: pick(1, 2, 3), Success: pick(0, 1, 1) == 1,
		Has: MsgTerm | MsgSuccess | MsgMatch,
	}
	role := Follower
	server := ID(pick(1, 2, 3))
	if server == 1 {
		role = Leader
	}
	switch pick(0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6) {
	case 0:
		return Action{Kind: Send, Server: 1, Message: request}
	case 1:
		return Action{Kind: Receive, Server: follower, Message: request}
	case 2:
		return Action{Kind: Send, Server: follower, Message: answer,
			After: State{Has: HasLastIndex | HasCommit, LastIndex: last, CommitIndex: pick(0, 1, 2, 3)}}
	case 3:
		return Action{Kind: Receive, Server: 1, Message: answer}
	case 4:
		return Action{Kind: ClientRequest, Server: 1}
	case 5:
		return Action{Kind: Observe, Server: server, After: State{
			Has:  HasRole | HasTerm | HasVote | HasLastIndex | HasLastTerm | HasCommit | HasConfig,
			Role: role, CurrentTerm: term, VotedFor: 1, LastIndex: last, LastTerm: pick(1, 2), CommitIndex: pick(0, 1), Config: config,
		}}
	}
	return Action{Kind: AdvanceCommitIndex, Server: server, Index: last}
}
