# `make` lists the targets.
.DEFAULT_GOAL := help
.PHONY: help build test lint golden docs fuzz bench demo ci

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

build: ## build bin/tracecheck
	go build -o bin/tracecheck ./cmd/tracecheck

test: ## run the tests
	go test ./...

lint: ## gofmt, vet and staticcheck
	@test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	go vet ./...
	go tool staticcheck ./...

golden: ## rewrite want.txt of the samples and the generated docs, then read the difference
	go test ./cmd/tracecheck -run 'TestSamples|TestDocs' -update
	git diff --stat

docs: ## regenerate docs/rules.md and docs/cli.md
	go test ./cmd/tracecheck -run TestDocs -update

FUZZTIME ?= 20s
fuzz: ## fuzz every reader of bytes for FUZZTIME each
	go test ./ingest -run '^$$' -fuzz FuzzReader -fuzztime $(FUZZTIME)
	go test ./adapters/native -run '^$$' -fuzz FuzzDecode -fuzztime $(FUZZTIME)
	go test ./adapters/ccf -run '^$$' -fuzz FuzzDecode -fuzztime $(FUZZTIME)
	go test ./adapters/etcdraft -run '^$$' -fuzz FuzzDecode -fuzztime $(FUZZTIME)
	go test ./adapters/etcdraft -run '^$$' -fuzz FuzzReader -fuzztime $(FUZZTIME)

bench: ## events per second and allocations of the replay and of the decoders
	go test ./... -run '^$$' -bench . -benchmem

demo: build ## build, and check two real traces that are built in
	bin/tracecheck demo

ci: ## what .ci/run runs
	.ci/run
