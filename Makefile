# oh-my-webbridge. `make help` lists what there is; the README says what it is for.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# A tool's version stands in its own module, so that none of them is a
# dependency of what is built here.
TOOL := go tool -modfile=.ci/tools/go.mod
SUITE := bin/omw-conformance
OWN := exec:conformance/targets/omw.json
OWN_EXTENSION := exec:conformance/targets/sim-chrome.json

FUZZTIME ?= 10s
# A process of a test that ends under the race detector would wait a second.
GOTEST := GORACE=atexit_sleep_ms=0 go test -timeout 300s

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The tests in e2e need a browser: make e2e runs them.
UNITS = $$(go list ./... | grep -v /e2e/)

.PHONY: build
build: ## bin/omw and bin/omw-conformance
	@CGO_ENABLED=0 go build -trimpath -o bin/ ./cmd/...

.PHONY: extension
extension: ## extension/dist/chrome, ready to be loaded
	@extension/build

.PHONY: e2e
e2e: extension ## the extension in a real Chromium, with bin/omw: from the pairing to an order placed in a shop
	@.ci/chromium
	@CGO_ENABLED=0 go build -trimpath -o bin/ ./cmd/omw
	@go test -count=1 -parallel 4 -timeout 600s ./e2e/...

.PHONY: fidelity
fidelity: ## 500 generated pages in the simulator and in Chromium: what agrees, what does not: out/fidelity.json
	@.ci/chromium
	@mkdir -p out
	@go run ./e2e/fidelity --json out/fidelity.json

.PHONY: conformance
conformance: build ## every rule of every role in virtual time, then the instant ones over TCP
	@mkdir -p out
	@$(SUITE) run --role daemon --target inproc --lane virtual --out out/virtual.ndjson
	@$(SUITE) run --role daemon --target $(OWN) --lane real --waits=no --out out/real.ndjson
	@for browser in chrome firefox; do for role in extension sim; do \
	  $(SUITE) run --role $$role --target sim:$$browser --lane virtual --out out/$$role-$$browser.ndjson; done; done
	@$(SUITE) run --role client --target inproc --lane virtual --out out/client.ndjson
	@$(SUITE) run --role extension --target $(OWN_EXTENSION) --lane real --waits=no -j 8 --out out/extension-real.ndjson

.PHONY: conformance-real
conformance-real: build ## every rule against bin/omw over TCP in real time, the waiting ones all at once
	@mkdir -p out
	@$(SUITE) run --role daemon --target $(OWN) --lane real --out out/real-all.ndjson

.PHONY: mutants
mutants: build ## break each rule once and see its own scenario notice: out/mutants.html
	@mkdir -p out
	@$(SUITE) mutants --out out/mutants.json --html out/mutants.html

.PHONY: strangers
strangers: build ## judge a daemon in Python, started and by its address: exactly its deviations are named
	@.ci/strangers

.PHONY: clients
clients: build ## judge clients: four keep every rule, eight that are wrong on purpose are each named by theirs
	@.ci/clients

.PHONY: explore
explore: build ## faults at every step of every tape, then two at a time; and faults that were planted are found
	@$(SUITE) explore --schedules 10000
	@$(SUITE) explore --planted

# The tests of the packages run once, under the race detector.
.PHONY: test
test: lint race fuzz mutants strangers clients explore e2e fidelity conformance ## everything: lint, units under race, fuzz, mutants, strangers, Chromium, suite

.PHONY: unit
unit: unit-extension ## the tests of every package, and of the extension's modules
	@$(GOTEST) $(UNITS)

.PHONY: unit-extension
unit-extension: extension
	@cd extension && npm test --silent

.PHONY: race
race: unit-extension ## the same under the race detector
	@$(GOTEST) -race $(UNITS)

.PHONY: fuzz
fuzz: ## each fuzz target for FUZZTIME (10s)
	@.ci/fuzz $(FUZZTIME)

.PHONY: lint
lint: extension ## gofumpt, go vet, staticcheck, also for the systems that are not this one; tsc for the extension
	@unformatted=$$($(TOOL) gofumpt -l .); if [ -n "$$unformatted" ]; then echo "not gofumpt'd: $$unformatted" >&2; exit 1; fi
	@go vet ./...
	@$(TOOL) staticcheck ./...
	@cd extension && npm run check --silent
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
	@rm -rf bin out extension/dist extension/node_modules
