package mutate

import (
	"fmt"
	"testing"

	"github.com/tracecheck/tracecheck/internal/simulate"
	"github.com/tracecheck/tracecheck/replay"
)

func TestDamageStat(t *testing.T) {
	for _, d := range Damages {
		violations, quality := 0, 0
		rules := map[string]int{}
		ex := map[string]string{}
		for seed := uint64(0); seed < 300; seed++ {
			tr := Simulated(simulate.Random(seed+5000, 600))
			tr.Damage(d)
			c := replay.New(tr.Groups, replay.Options{})
			q, done := false, false
			for i := range tr.Actions {
				for _, f := range c.Step(&tr.Actions[i]) {
					if f.Rule.Quality() {
						q = true
					} else if !done {
						done = true
						rules[f.Rule.ID]++
						if ex[f.Rule.ID] == "" {
							ex[f.Rule.ID] = fmt.Sprintf("%d: %v %s | %s | %s", seed, q, f.Step, f.Message, f.Before)
						}
					}
				}
			}
			if done {
				violations++
			}
			if q {
				quality++
			}
		}
		fmt.Println(d.ID, d.What, "violations", violations, "quality", quality, rules)
		for r, e := range ex {
			fmt.Println("    ", r, e)
		}
	}
}
