package simulate

import "math/rand/v2"

// Options says what kind of cluster runs. The zero value of a field leaves its
// trouble out.
type Options struct {
	Seed    uint64
	Servers int // of which all but the last Spare vote at the start
	Spare   int // servers that are in no configuration at the start
	Steps   int

	Loss, Duplicate float64 // of messages
	Restarts        float64 // per step
	Partitions      float64 // per step
	Snapshots       float64 // per step
	Changes         float64 // per step: membership
	Transfers       float64 // per step
	PreVote         bool
	Joint           bool // membership changes by joint configurations
	Batch           int  // entries in one request, at most
	Bootstrap       bool // every log begins with the first configuration, 1@1, in term 1
}

// Random draws options for a seed: 3 to 7 servers, each trouble with a chance
// of being left out.
func Random(seed uint64, steps int) Options {
	draw := rand.New(rand.NewPCG(seed, 7))
	some := func(most float64) float64 {
		if draw.IntN(3) == 0 {
			return 0
		}
		return most * draw.Float64()
	}
	return Options{
		Seed: seed, Servers: 3 + draw.IntN(5), Spare: draw.IntN(2), Steps: steps,
		Loss: some(0.2), Duplicate: some(0.1), Restarts: some(0.01), Partitions: some(0.01),
		Snapshots: some(0.03), Changes: some(0.02), Transfers: some(0.01),
		PreVote: draw.IntN(2) == 0, Joint: draw.IntN(2) == 0, Batch: 1 + draw.IntN(4),
	}
}
