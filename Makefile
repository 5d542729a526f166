# `make` lists the targets.
.DEFAULT_GOAL := help
.PHONY: help build test test-kafka lint golden docs faults fuzz bench soak demo fidelity ci

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

build: ## build bin/tracecheck
	go build -o bin/tracecheck ./cmd/tracecheck

demo: build ## check two real traces that are built in
	bin/tracecheck demo

test: ## run the tests
	go test ./...

KAFKA ?=
test-kafka: ## play scenarios with real Apache Kafka (needs Java 17 and Maven); KAFKA='-scenarios all -keep DIR'
	cd internal/kafkatest && go test -count=1 -v -timeout 30m -parallel 3 . $(KAFKA)

lint: ## gofmt, vet, staticcheck
	@bad=$$(gofmt -l .); test -z "$$bad" || { echo "not formatted: $$bad"; exit 1; }
	go vet ./...
	go tool staticcheck ./...

docs: ## rewrite docs/rules.md, docs/cli.md, the tables of docs/model.md and the demo in README.md
	go test ./cmd/tracecheck -run TestDocs -update
	go test ./spec -run 'TestFidelity|TestTeeth|TestExtensions' -update

# The packages whose tests are conversations in text files.
conversations = $(shell grep -rl cockroachdb/datadriven --include=*_test.go . | xargs -r -n1 dirname | sort -u)

golden: docs ## rewrite every golden file; read the difference before you commit it
	go test ./cmd/tracecheck -run 'TestSamples|TestKafkaRecordings' -update
	$(if $(conversations),go test $(conversations) -rewrite)
	git diff --stat

faults: ## plant every known fault again and rewrite docs/faults.md
	go test ./internal/mutate -update
	go test ./cmd/tracecheck -run 'TestDamage$$|TestRealFaults' -update

FUZZTIME ?= 10s
fuzz: ## run every fuzz target for FUZZTIME (10s)
	@grep -rn '^func Fuzz' --include=*_test.go . | sed -E 's|/[^/]*_test.go:[0-9]+:func (Fuzz[A-Za-z0-9]*).*| \1|' | \
	while read -r dir target; do \
		echo "== $$dir $$target"; \
		go test "$$dir" -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) || exit 1; \
	done

fidelity: ## count the states of every bound that TLC has explored, also those of millions
	go test ./spec -run TestFidelity -large -v -timeout 60m

SOAK ?= 100000000
soak: build ## stream SOAK simulated events through stdin and watch the memory (about 10 minutes)
	go build -o bin/soak ./internal/soak
	bin/soak -events $(SOAK) | internal/soak/watch.sh bin/tracecheck check -

bench: ## speed and memory: events/s, MB/s, allocations, beside a bare scan
	go test ./... -run '^$$' -bench . -benchmem

ci: ## what .ci/run runs
	.ci/run
