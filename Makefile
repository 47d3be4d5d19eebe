# Bare `make` prints what there is. Tools are installed on first need, at pinned versions, outside the tree.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

FUNCTIONS := body post feed preview graphql refresh
# What the functions run on: ARCH, else what the `sam build` around this make was told (its build.toml), else arm64.
ARCH      ?= $(or $(shell sed -n 's/^architecture = "\(.*\)"$$/\1/p' '$(ARTIFACTS_DIR)/../../build.toml' 2>/dev/null | head -n 1),arm64)
GOARCH_OF  = $(if $(filter arm64,$(ARCH)),arm64,amd64)
STAMP     := $(shell git status --short >/dev/null 2>&1 && echo true || echo false)
# What could change the bytes is said here: the same commit and compiler give the same binaries, wherever they are built.
BUILD     := CGO_ENABLED=0 GOOS=linux GOFLAGS= GOEXPERIMENT= GOAMD64=v1 GOARM64=v8.0
STAGE     ?= dev
ADDR      ?= 127.0.0.1:8090

export TOOLS ?= $(HOME)/.cache/channelapi
export SAM_CLI_TELEMETRY := 0

LINT := $(TOOLS)/bin/golangci-lint
VULN := $(TOOLS)/bin/govulncheck
SAM  := $(TOOLS)/python/bin/sam
CFN  := $(TOOLS)/python/bin/cfn-lint

.PHONY: help
help: ## this list
	@echo "make TARGET, of:"
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "settings of run and fixtures come from the environment (docs/configuration.md): LISTEN_ADDR, TELEGRAM_URL, REDIS_URL, …"

.PHONY: run
run: ## serve the API on 127.0.0.1:8080 (t.me, or the recorded pages where it cannot be reached)
	@mkdir -p build && go build -buildvcs=$(STAMP) -o build/local ./cmd/local && exec build/local

.PHONY: fixtures
fixtures: ## serve the recorded pages as a stand-in for t.me, on ADDR (127.0.0.1:8090)
	@mkdir -p build && go build -o build/fixtures ./cmd/fixtures && exec build/fixtures -addr $(ADDR)

.PHONY: test
test: ## every test: race detector, a real redis-server, a real browser, a few seconds of fuzzing, the binaries under the runtime emulator
	@.ci/tools build redis emulator browser
	REQUIRE_REDIS=1 REQUIRE_EMULATOR=1 REQUIRE_BROWSER=1 PATH="$(TOOLS)/bin:$$PATH" go test -race -timeout 10m ./...
	go test -run '^(TestWarmBody|TestTickBound)$$' -count 1 -p 1 ./functions/graphql/handler ./functions/refresh/handler
	@.ci/fuzz 3s

.PHONY: check
check: export AWS_DEFAULT_REGION ?= eu-central-1# the linters want one; a deployment takes the caller's own
check: ## go vet, linters, known vulnerabilities, tidy go.mod, the template and its policies
	@.ci/tools lint sam policies
	go vet ./...
	$(LINT) run ./...
	@.ci/vulnerabilities $(VULN)
	go mod tidy -diff
	$(SAM) validate --lint
	$(CFN) template.yaml
	@.ci/policies/check

.PHONY: fuzz
fuzz: ## fuzz every target for FUZZTIME (5m) each
	.ci/fuzz $${FUZZTIME:-5m}

.PHONY: golden
golden: ## write the golden answers anew; read the diff before you commit it
	go test $$(grep -rl --include='*_test.go' 'flag.Bool("update"' . | xargs -n1 dirname | sort -u) -run Golden -update

.PHONY: bench
bench: ## the budgets, as ratios in one run
	@.ci/bench

.PHONY: coalescing
coalescing: ## six processes under load over a real redis-server, near and far: is each page fetched once?
	@.ci/tools redis
	@mkdir -p build && go build -o build/coalescing ./cmd/coalescing && build/coalescing $(ARGS)

.PHONY: refresh-sim
refresh-sim: ## half an hour of visitors, simulated, with and without the refresher: who waits, and what it costs
	@.ci/tools redis
	@mkdir -p build && go build -o build/refresh-sim ./cmd/refresh-sim && build/refresh-sim $(ARGS)

.PHONY: e2e
e2e: ## sam build, every event in containers, sam local start-api under curl and load, against the recorded pages
	@.ci/tools sam engine redis
	@.ci/e2e

.PHONY: rehearse
rehearse: ## deploy to an emulated cloud, look at what is there, run it, update it, delete it
	@.ci/rehearse

.PHONY: build
build: $(FUNCTIONS:%=build/%/bootstrap) ## the six binaries as SAM builds them, below build/

.PHONY: FORCE
build/%/bootstrap: FORCE
	@$(MAKE) --no-print-directory build-$*Function ARTIFACTS_DIR=build/$*

# SAM calls this rule with a function's logical id and the folder that its binary belongs in.
build-%Function:
	$(BUILD) GOARCH=$(GOARCH_OF) go build -trimpath -buildvcs=$(STAMP) -tags lambda.norpc \
		-ldflags '-s -w' -o '$(ARTIFACTS_DIR)/bootstrap' ./functions/$(shell echo '$*' | tr 'A-Z' 'a-z')

# The same for the API as a plain server.
.PHONY: build-server
build-server:
	$(BUILD) GOARCH=$(GOARCH_OF) go build -trimpath -buildvcs=$(STAMP) -ldflags '-s -w' -o '$(ARTIFACTS_DIR)/server' ./cmd/local

.PHONY: container
container: ## the API as a plain server in a container image, channelapi:latest; nothing is pulled
	@.ci/tools build engine
	@.ci/container build

.PHONY: container-test
container-test: ## build that image and ask it: pages, health, stopping, trust, settings
	@.ci/tools build engine
	@.ci/container test

.PHONY: release
release: ## packages of the commit, for both processors, with SBOMs and SHA256SUMS, in build/release
	@.ci/tools build sbom
	@.ci/release build/release

.PHONY: reproducible
reproducible: ## the release built twice, in two places and from nothing: is it the same to the byte?
	@.ci/tools build sbom
	RELEASE_TWICE=1 PATH="$(TOOLS)/bin:$$PATH" go test -count=1 -timeout 20m -v -run '^TestRelease$$' ./cmd/release

.PHONY: deploy
deploy: ## sam build and sam deploy for STAGE (dev, prod), guided the first time, on arm64 unless ARCH says otherwise
	@.ci/tools build sam
	@.ci/deploy '$(STAGE)' '$(ARCH)'

.PHONY: logs
logs: ## what STAGE writes to its logs, as it comes
	@.ci/tools sam
	$(SAM) logs --config-env '$(STAGE)' --tail

.PHONY: destroy
destroy: ## delete STAGE with all it holds, logs included; asks first
	@.ci/tools sam
	$(SAM) delete --config-env '$(STAGE)'

.PHONY: clean
clean: ## remove what was built
	rm -rf build .aws-sam
