# oh-my-webbridge. `make help` lists what there is; the README says what it is for.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# A tool's version stands in its own module, so that none of them is a
# dependency of what is built here.
TOOL := go tool -modfile=.ci/tools/go.mod
SUITE := bin/omw-conformance
OWN := exec:conformance/targets/omw.json

FUZZTIME ?= 10s
# A process of a test that ends under the race detector would wait a second.
GOTEST := GORACE=atexit_sleep_ms=0 go test -timeout 300s

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## bin/omw and bin/omw-conformance
	@go build -trimpath -o bin/ ./cmd/...

.PHONY: conformance
conformance: build ## every rule in virtual time, then the instant ones against bin/omw over TCP
	@mkdir -p out
	@$(SUITE) run --role daemon --target inproc --lane virtual --out out/virtual.ndjson
	@$(SUITE) run --role daemon --target $(OWN) --lane real --waits=no --out out/real.ndjson

.PHONY: conformance-real
conformance-real: build ## every rule against bin/omw over TCP in real time, the waiting ones all at once
	@mkdir -p out
	@$(SUITE) run --role daemon --target $(OWN) --lane real --out out/real-all.ndjson

.PHONY: mutants
mutants: build ## break each rule once and see its own scenario notice: out/mutants.json
	@mkdir -p out
	@$(SUITE) mutants --out out/mutants.json

.PHONY: strangers
strangers: build ## judge a daemon in Python, started and by its address: exactly its deviations are named
	@.ci/strangers

# The tests of the packages run once, under the race detector.
.PHONY: test
test: lint race fuzz mutants strangers conformance ## everything: lint, units under race, fuzz, mutants, strangers, suite

.PHONY: unit
unit: ## the tests of every package
	@$(GOTEST) ./...

.PHONY: race
race: ## the same under the race detector
	@$(GOTEST) -race ./...

.PHONY: fuzz
fuzz: ## each fuzz target for FUZZTIME (10s)
	@.ci/fuzz $(FUZZTIME)

.PHONY: lint
lint: ## gofumpt, go vet, staticcheck, also for the systems that are not this one
	@unformatted=$$($(TOOL) gofumpt -l .); if [ -n "$$unformatted" ]; then echo "not gofumpt'd: $$unformatted" >&2; exit 1; fi
	@go vet ./...
	@$(TOOL) staticcheck ./...
	@GOOS=darwin go vet ./cmd/omw ./daemon/... 
	@GOOS=windows go vet ./cmd/omw ./daemon/...

.PHONY: generate
generate: ## write again what is made from the schemas
	@go generate ./...

.PHONY: bench
bench: ## throughput and CPU of a command beside a bare floor in the same run
	@go test -run '^$$' -bench . -benchtime 3s -timeout 30m ./daemon/bench

.PHONY: clean
clean: ## remove what was built
	@rm -rf bin out
