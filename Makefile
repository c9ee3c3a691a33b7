# "make help" lists the targets. Nothing but Go, make and git need be there: what else a target needs,
# it gets.

GOLANGCI_LINT_VERSION := v2.15.0
GOFUMPT_VERSION       := v0.12.0
REDOCLY_VERSION       := 2.77.0
CYCLONEDX_VERSION     := v1.10.0
# The last one before nfpm needs modules that the module proxy does not hand out to everybody.
NFPM_VERSION          := v2.45.2
HELM_VERSION          := v3.22.0
KUBECONFORM_VERSION   := v0.8.0
KUBERNETES_VERSION    := v1.37.2
KWOK_VERSION          := v0.8.0
# Its module has the ServiceMonitor's definition.
PROMETHEUS_OPERATOR_VERSION := v0.85.0
VERSITYGW_VERSION     := v1.8.0

# What a caller may set.
PKGS       ?= ./test/e2e ./test/conformance ./api ./jobs ./test/console ./test/... ./dunning ./ocr ./store ./...
TESTFLAGS  ?=
TIMEOUT    ?= 30m
SEED       ?= 1
BENCH      ?= .
BENCHTIME  ?= 2s
BENCHFLAGS ?=
FUZZTIME   ?= 20s
ROUNDS     ?=
TIME       ?=
FIRST      ?= 1
FAULTS     ?=
SETUP      ?=
STORAGE    ?=
YEARS      ?= 300
WORLDS     ?= 20
DOCUMENTS  ?= 100000
DEMO_FLAGS ?=
VERSION    ?=
DIST       ?= dist
GOLDEN     ?=
MAINTAINER ?= The maintainers of purr <purr@example.no>

TOOLS         := $(CURDIR)/.tools
GOLANGCI_LINT := $(TOOLS)/golangci-lint-$(GOLANGCI_LINT_VERSION)
GOFUMPT       := $(TOOLS)/gofumpt-$(GOFUMPT_VERSION)
WITHSERVERS   := $(TOOLS)/withservers
NFPM          := $(TOOLS)/nfpm-$(NFPM_VERSION)
CYCLONEDX     := $(TOOLS)/cyclonedx-gomod-$(CYCLONEDX_VERSION)
HELM          := $(TOOLS)/helm-$(HELM_VERSION)
KUBECONFORM   := $(TOOLS)/kubeconform-$(KUBECONFORM_VERSION)
KUBESCHEMAS   := $(TOOLS)/kubeschemas-$(KUBERNETES_VERSION)
KUBERNETES    := $(TOOLS)/kubernetes-$(KUBERNETES_VERSION)
KWOK          := $(TOOLS)/kwok-$(KWOK_VERSION)
VERSITYGW     := $(TOOLS)/versitygw-$(VERSITYGW_VERSION)
TIDB          := $(TOOLS)/tidb-server

# Servers are installed where the PATH of ordinary users does not always lead.
export PATH := $(PATH):/usr/local/sbin:/usr/sbin:/usr/libexec:/opt/homebrew/bin

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo 'PKGS=./store and TESTFLAGS="-run TestX -v" narrow "make test" down; so do BENCH, BENCHTIME and'
	@echo 'BENCHFLAGS "make bench", and FUZZTIME "make fuzz". DEMO_FLAGS are flags of "purr demo".'
	@echo 'ROUNDS=20 or TIME=2m bounds "make chaos", FAULTS=kill,db-stop and SETUP=parts narrow it, and SEED=7 FIRST=13'
	@echo 'ROUNDS=1 runs one round again; STORAGE=s3 keeps the files on an S3 server that fails too. YEARS=12 bounds'
	@echo '"make law", and SEED=7 FIRST=3 YEARS=1 lives one world again. Then it makes WORLDS=20 of two years that are judged by their rows.'
	@echo 'STEPS="chart law" narrows "make everywhere" down, and TIME=30m is how long its chaos on S3 lasts; it goes on after a'
	@echo 'failure, and fails in the end.'
	@echo 'DOCUMENTS=2000 lets "make test-storage" move fewer.'
	@echo 'Random tests make the same choices each time; SEED=0 lets them make others, SEED=N those of N.'
	@echo 'VERSION=v1.2.3 tells make packages, image and release the version, DIST=folder where to put what they make,'
	@echo 'and MAINTAINER="Name <address>" whom the packages name as theirs.'
	@echo 'Tests run on MariaDB and Redis servers of their own and look at pages in Chromium; all are installed if missing.'
	@echo 'Or they use yours:'
	@echo '  PURR_TEST_MYSQL=mysql://USER:PASSWORD@HOST:PORT   an account that may create databases'
	@echo '  PURR_TEST_REDIS=redis://:PASSWORD@HOST:PORT       databases that hold something are left alone'
	@echo '  PURR_TEST_CHROMIUM=/PATH/TO/PROGRAM               Chromium, Chrome, or what else is made of it'

# Compiling everything, and downloading the modules before, is silent.
PATIENCE = @echo 'building purr; the first time this takes a minute or two, and downloads Go modules' >&2

PACK = go run ./internal/devtools/pack -version '$(VERSION)' -out '$(DIST)' -maintainer '$(MAINTAINER)' -nfpm $(NFPM) -cyclonedx $(CYCLONEDX)

# It knows its version and commit from git, where git is; else it is a program without either.
.PHONY: build
build: ## build bin/purr
	$(PATIENCE)
	flags=$$(if git rev-parse -q --verify HEAD >/dev/null 2>&1; then $(PACK) flags; else echo '-s -w'; fi) && \
		CGO_ENABLED=0 go build -trimpath -ldflags="$$flags" -o bin/purr ./cmd/purr

.PHONY: demo
demo: ## run purr demo
	$(PATIENCE)
	go run ./cmd/purr demo $(DEMO_FLAGS)

# SQLite in Go is C translated, and locks by means that the race detector does not know: inside of it the detector finds
# nothing, and takes half of all time. So that code is compiled without, and its driver in Go with it; so is the interpreter of the
# scripts of the Redis inside the process, which runs one script at a time. What calls them is compiled with the detector. Code that
# uses sync.Map or atomic.Pointer cannot join them: its copy of their generic code, unchecked, would serve the whole program, and
# races would be found where there are none.
#
# LIBRARIES are Go's and others' code that only computes, keeps its state to itself, or reaches our values through package reflect
# alone (gorm and its dialects, encoding/xml, fmt). It is compiled without too: what our code does with its memory is what the tests
# look for. Checked stay reflect, what holds bytes for us (strings, bytes, bufio, io), database/sql and the drivers; a test of store
# holds that races on rows are found. -l keeps LIBRARIES from taking in generic code of package sync, and its atomic operations,
# unchecked; none of them calls those as functions. Nothing of ours uses unsafe, so its pointers are not checked (checkptr). Where
# two patterns name a package, the last counts.
LIBRARIES = regexp/... text/template/... html/... encoding/... unicode/... compress/... net/url net/textproto net/mail net/netip \
	fmt errors strconv internal/strconv sort time context math/big path/... mime/... image/... vendor/golang.org/x/... \
	gorm.io/... github.com/jinzhu/... golang.org/x/text/... golang.org/x/image/... codeberg.org/go-pdf/fpdf \
	github.com/santhosh-tekuri/jsonschema/... github.com/chromedp/cdproto/... github.com/go-json-experiment/... github.com/alicebob/miniredis/...
UNCHECKED = '-gcflags=all=-d=checkptr=0 -dwarf=false' $(foreach p,$(LIBRARIES),'-gcflags=$(p)=-race=false -l') \
	-gcflags=modernc.org/...=-race=false -gcflags=github.com/yuin/gopher-lua/...=-race=false

# Test programs without the tables of a debugger (dwarf) and of names: linking takes four times as long with them. A stack shows its
# functions and lines all the same.
LINKED = '-ldflags=-s -w'

# Go has a quicker race detector for the processors of the last ten years (x86-64-v3), which takes a tenth off.
LEVEL = $(if $(filter-out $(shell grep -sm1 '^flags' /proc/cpuinfo),avx2 bmi1 bmi2 f16c fma abm movbe),,GOAMD64=v3)

# The packages that take longest come first, so that none of them runs alone in the end. Some of them mostly wait, so there are
# two more at a time than there are processors. Each runs its goroutines on one processor: the detector finds a race by the order that
# the program enforces, not by the moment, and takes a quarter less where processors do not hand locks to each other. The
# programs that tests start, make whole and make chaos run on all. A test program under the detector would sleep for a second
# before it ends, for goroutines that outlive it; our tests end theirs. "make lint" vets. Go does not see that package rapid reads
# RAPID_SEED, and would show what it remembers of another seed. What was compiled in one folder serves in all (-trimpath): a fresh
# clone compiles only what is new in it.
.PHONY: test
test: servertools ## run all tests with the race detector
	$(WITHSERVERS) env $(LEVEL) CGO_ENABLED=1 GOGC=400 GORACE=atexit_sleep_ms=50 RAPID_SEED=$(SEED) \
		go test -race -trimpath -cpu 1 -p $$(($$(getconf _NPROCESSORS_ONLN) + 2)) -vet=off $(if $(filter-out 1,$(SEED)),-count 1) $(UNCHECKED) $(LINKED) -timeout $(TIMEOUT) $(TESTFLAGS) $(PKGS)

# What proves by its length stands in files with the tag "whole": worlds, stories and firms that live for months, a clerk's Monday,
# a program that is killed all the time. With the tag the tests of the whole program run on MariaDB and Redis too, and those that make a
# share of their tries make all: in make test each COMMIT and an eighth of the other statements fail, a crawl follows fewer links of a
# kind, the ladder is tried four times, and some random tests make a third of their tries. Without the race detector all of it takes
# less than a quarter of its time.
WHOLE = $(WITHSERVERS) env GOGC=400 RAPID_SEED=$(SEED) go test -trimpath -vet=off -tags whole -timeout $(TIMEOUT) $(TESTFLAGS)
.PHONY: whole
whole: servertools ## run the tests of the whole program on both set-ups, with all of their tries and what proves by its length
	$(WHOLE) $(if $(filter-out 1,$(SEED)),-count 1) ./test/console ./test/lives ./test/conformance ./test/...
	$(WHOLE) -run '^TestAnonymisedNumbers|MadeUpFiles|^TestGeneratedFilesAre|AgreesWithAModel|^TestListsOfAnyLength' ./ocr/bankfile ./ledger ./store

.PHONY: test-backup
test-backup: servertools ## make and restore 20 backups of each database under load
	$(WITHSERVERS) go test -tags chaos -count 1 -timeout $(TIMEOUT) -run TwentyBackups -v ./test/backup

# Not by withservers, whose folder is in memory.
.PHONY: test-storage
test-storage: servertools ## move 100 000 documents to an S3 server while purr works and the copying is killed (ten minutes or more, 10 GB in TMPDIR)
	PURR_TEST_DOCUMENTS=$(DOCUMENTS) go test -tags everywhere -trimpath -vet=off -count 1 -timeout 3h -run '^TestK2bAHundredThousand' -v $(TESTFLAGS) ./test/e2e

.PHONY: test-cluster
test-cluster: ## run purr on a Galera cluster, on Redis Sentinels and on a Redis Cluster, whose servers fail (about six minutes)
	@test/scripts/install-test-servers galera
	TMPDIR=$(if $(wildcard /dev/shm),/dev/shm,/tmp) go test -tags cluster -count 1 -timeout 15m -v $(TESTFLAGS) ./test/cluster

# What is left out asks for schemas of before, which TiDB never had, for plans in MariaDB's words, or for a bound of connections.
# A database of its own takes each test some seconds there, so the time limit is long.
NOT_ON_TIDB = ^Test[^/]*/^sqlite$$|(After|Across)AnUpgrade|^TestN1RowsFromBefore|^TestD9WhatWasKeptBefore|^TestK3aMigrateRefusesWhileItWouldBreakAPart|AsksByIndex|UsesItsIndexD26|^TestS1aListsOfShipmentsReadAnIndex|^TestD119TheConnectionsAreCounted|^TestL15APlanThatCannotBeSettledStopsNoOther
TIDB_PKGS  ?= ./store ./ledger ./billing ./ocr/... ./dunning ./jobs ./test/conformance
.PHONY: test-tidb
test-tidb: servertools $(TIDB) ## run the tests that need a database server on TiDB, which it builds first (ten minutes)
	PURR_TEST_TIDB=$(TIDB) $(WITHSERVERS) go test -trimpath -vet=off -tags whole -count 1 -p 1 -timeout 3h -skip '$(NOT_ON_TIDB)' $(TESTFLAGS) $(TIDB_PKGS)

.PHONY: tidb
tidb: $(TIDB) ## build the database server TiDB, for test-tidb

# The older program is this tree's, and the newer ones are the same with one and two more migrations. FROM=v1.2.0 takes that commit's program
# instead, whose schema this tree's must follow.
.PHONY: test-upgrade
test-upgrade: servertools ## upgrade an installation part by part under load, on MariaDB and on a Galera cluster, with programs of three schemas (15 minutes)
	@test/scripts/install-test-servers galera
	$(WITHSERVERS) env PURR_UPGRADE_FROM=$(FROM) go test -tags upgrade -trimpath -vet=off -count 1 -timeout 30m -v $(TESTFLAGS) ./test/upgrade

.PHONY: test-printer
test-printer: ## have the printer that comes with CUPS print a letter, as root
	@test/scripts/install-test-servers printer
	PATH="$$PATH:/usr/sbin" go test -tags realprinter -count 1 -timeout 5m -run Debian -v $(TESTFLAGS) ./mailer/letters

.PHONY: bench
bench: servertools ## run all benchmarks, on servers that are as durable as in production
	$(WITHSERVERS) -durable go test -run '^$$' -bench '$(BENCH)' -benchmem -benchtime $(BENCHTIME) -timeout 1h $(BENCHFLAGS) $(PKGS)

.PHONY: servers
servers: servertools ## let MariaDB and Redis run, for tests that an editor starts, until Ctrl-C
	$(WITHSERVERS)

.PHONY: servertools
servertools: $(VERSITYGW)
	@test/scripts/install-test-servers
	@go build -o $(WITHSERVERS) ./internal/devtools/withservers

.PHONY: fuzz
fuzz: servertools ## run each fuzz target for a short time, and each random test with new choices
	$(WITHSERVERS) test/scripts/fuzz $(FUZZTIME) $(PKGS)

.PHONY: chaos
chaos: servertools ## break everything under load, and check that nothing is lost or done twice; then make law
	go test -tags chaos -vet=off -count 1 -timeout 0 -v -run '^TestChaos$$' ./test/chaos -seed $(SEED) -first $(FIRST) \
		$(if $(ROUNDS),-rounds $(ROUNDS)) $(if $(TIME),-for $(TIME)) $(if $(FAULTS),-faults $(FAULTS)) $(if $(SETUP),-setup $(SETUP)) $(if $(filter s3,$(STORAGE)),-s3)
	$(if $(ROUNDS)$(TIME)$(FAULTS)$(SETUP),,$(MAKE) --no-print-directory law)

# On a folder in memory, where there is one: the law does not ask whether a disk keeps what it was given.
.PHONY: law
law: servertools ## let creditors live for 300 years at random, and hold every step, reason and øre against the law
	TMPDIR=$(if $(wildcard /dev/shm),/dev/shm,/tmp) GOGC=400 $(WITHSERVERS) \
		go test -tags chaos -vet=off -count 1 -timeout 0 -v -run '^TestLaw$$' ./test/law -seed $(SEED) -first $(FIRST) -years $(YEARS)
	$(if $(filter-out 1,$(FIRST)),,TMPDIR=$(if $(wildcard /dev/shm),/dev/shm,/tmp) RAPID_SEED=$(SEED) PURR_TEST_LIVES=$(WORLDS) $(WITHSERVERS) \
		go test -tags whole -vet=off -count 1 -timeout 0 -v -run '^TestD94ToD98|^TestN1Nobody' ./test/lives)

# The short ones come first. TiDB is a target of its own: it takes hours by itself.
STEPS ?= openapi compose chart test-chart clients test-backup test-cluster test-upgrade test-storage chaos law test-packages
.PHONY: everywhere
everywhere: ## run all that is too long for make test, one after the other (hours; as root); one that fails stops no other, and the table in the end tells
	@test/scripts/everywhere $(foreach s,$(STEPS),'$(s)$(if $(filter chaos,$(s)), STORAGE=s3 TIME=$(or $(TIME),10m))')

.PHONY: openapi
openapi: ## have a public linter look at docs/openapi.json: no error, no warning
	@test/scripts/install-test-servers npm
	REDOCLY_TELEMETRY=off npm exec --yes --package=@redocly/cli@$(REDOCLY_VERSION) -- redocly lint --config api/openapi/redocly.yaml docs/openapi.json

.PHONY: chart
chart: $(HELM) $(KUBECONFORM) $(KUBESCHEMAS) ## render the Helm chart with each file of ci/, and hold it against the schemas of Kubernetes and the golden files
	HELM=$(HELM) KUBECONFORM=$(KUBECONFORM) SCHEMAS=$(KUBESCHEMAS) KUBERNETES_VERSION=$(KUBERNETES_VERSION) \
		go test -tags chart -count 1 -v -run '^TestChart|^TestK5b' . $(if $(GOLDEN),-golden)

# The definition of ServiceMonitors lies in the module of the Prometheus operator, and what becomes of pods in kwok's.
.PHONY: test-chart
test-chart: servertools $(HELM) $(KUBERNETES) $(KWOK) ## install and upgrade the Helm chart on a real API server, which it builds first (half an hour), and run its pods' programs
	HELM=$(HELM) PURR_TEST_KUBERNETES=$(KUBERNETES) PURR_TEST_KWOK=$(KWOK) \
		PURR_TEST_KWOK_STAGES="$(call MODULE,sigs.k8s.io/kwok@$(KWOK_VERSION))/kustomize/stage" PURR_TEST_SERVICEMONITORS="$(SERVICEMONITORS)" \
		$(WITHSERVERS) go test -tags kubernetes -trimpath -vet=off -count 1 -timeout 30m -v $(TESTFLAGS) ./test/kubernetes

.PHONY: compose
compose: ## have Docker Compose's own library read deploy/compose.yaml, as docker compose config does
	cd test/compose && go test -count 1 ./...

.PHONY: clients
clients: servertools ## have public generators make clients of the OpenAPI document, in Go and TypeScript, and run them on purr
	@test/scripts/install-test-servers npm
	$(WITHSERVERS) go test -tags generated -count 1 -timeout 15m -v $(TESTFLAGS) ./test/generated

# The codes and examples come first, since the program holds them, and shows them in docs/openapi.json.
.PHONY: docs
docs: servertools ## write the reference pages in docs/ anew, from the code
	$(WITHSERVERS) env PURR_UPDATE_DOCS=1 go test -count=1 -run '^TestReferenceCodesJ3|^TestJ1ConversationsInJSON' ./api
	$(WITHSERVERS) env PURR_UPDATE_DOCS=1 go test -count=1 -run '^TestReference' ./...

.PHONY: pictures
pictures: servertools ## take the pictures of docs/console.md anew, from what the demo leaves
	$(WITHSERVERS) go test -tags pictures -count=1 -run '^TestPictures$$' ./test/console

.PHONY: gallery
gallery: servertools ## take pictures of every page at three widths, in light and dark, and print three, into GALLERY=folder
	PURR_GALLERY=$(abspath $(GALLERY)) $(WITHSERVERS) go test -tags pictures -count=1 -timeout 30m -run '^TestGallery$$' ./test/console

.PHONY: lint
lint: $(GOLANGCI_LINT) $(GOFUMPT) ## check format, lint and go.mod
	@unformatted=$$($(GOFUMPT) -l .) && test -z "$$unformatted" || { echo "run \"make fmt\" for: $$unformatted"; exit 1; }
	$(GOLANGCI_LINT) run
	go run ./internal/devtools/errfirst -test=false ./...
	go mod tidy -diff

.PHONY: rooms
rooms: ## draw the rooms: their files and lines, the arrows between them, those that run up; and the measures
	@go run ./internal/devtools/rooms

.PHONY: fmt
fmt: $(GOFUMPT) ## format all Go files
	$(GOFUMPT) -w .

# What is handed out. The same commit gives the same bytes: the tests build it in two folders.
.PHONY: packages
packages: $(NFPM) $(CYCLONEDX) ## make deb, rpm and tar.gz for amd64 and arm64 in dist/, with what is inside them and checksums
	$(PACK) packages

.PHONY: image
image: ## make the OCI image for amd64 and arm64 in dist/
	$(PACK) image

.PHONY: release
release: $(NFPM) $(CYCLONEDX) ## make all that is handed out of a version, in dist/; refuses changed files and a commit without a tag
	$(PACK) release

.PHONY: test-packages
test-packages: $(NFPM) $(CYCLONEDX) ## build packages and image twice, install, upgrade, remove and purge them in an empty Debian, follow docs/install.md; needs root
	@test/scripts/install-test-servers packages
	PURR_TEST_NFPM=$(NFPM) PURR_TEST_CYCLONEDX=$(CYCLONEDX) \
		go test -tags packages -vet=off -trimpath -count 1 -timeout 120m -v $(TESTFLAGS) ./test/packages

.PHONY: clean
clean: ## remove what was built, tools included
	rm -rf bin dist $(TOOLS)

$(GOLANGCI_LINT):
	GOBIN=$(TOOLS) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION)
	mv $(TOOLS)/golangci-lint $@

# The S3 server that tests start. An older one goes, since tests take what is there.
$(VERSITYGW):
	rm -f $(TOOLS)/versitygw-*
	GOBIN=$(TOOLS) go install github.com/versity/versitygw/cmd/versitygw@$(VERSITYGW_VERSION)
	mv $(TOOLS)/versitygw $@

# Its module lies apart, since no program of ours needs what it needs. It links to names inside of Go's own library.
$(TIDB):
	@echo 'building TiDB; this takes ten minutes or more' >&2
	cd internal/devtools/tidb && go build -trimpath -ldflags='-checklinkname=0 -s -w' -o $@ github.com/pingcap/tidb/cmd/tidb-server

$(GOFUMPT):
	GOBIN=$(TOOLS) go install mvdan.cc/gofumpt@$(GOFUMPT_VERSION)
	mv $(TOOLS)/gofumpt $@

$(NFPM):
	GOBIN=$(TOOLS) go install github.com/goreleaser/nfpm/v2/cmd/nfpm@$(NFPM_VERSION)
	mv $(TOOLS)/nfpm $@

$(CYCLONEDX):
	GOBIN=$(TOOLS) go install github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@$(CYCLONEDX_VERSION)
	mv $(TOOLS)/cyclonedx-gomod $@

$(HELM):
	GOBIN=$(TOOLS) go install helm.sh/helm/v3/cmd/helm@$(HELM_VERSION)
	mv $(TOOLS)/helm $@

$(KUBECONFORM):
	GOBIN=$(TOOLS) go install github.com/yannh/kubeconform/cmd/kubeconform@$(KUBECONFORM_VERSION)
	mv $(TOOLS)/kubeconform $@

# The servers of Kubernetes are built from its own modules, in a module apart, since no program of ours needs what they need.
$(KUBERNETES):
	@echo 'building Kubernetes; this takes twenty minutes or more' >&2
	mkdir -p $@.new
	cd internal/devtools/kubernetes && CGO_ENABLED=0 go build -trimpath -ldflags='-s -w -X k8s.io/component-base/version.gitVersion=$(KUBERNETES_VERSION)' -o $@.new/ tool
	mv $@.new/server $@.new/etcd
	mv $@.new $@

$(KWOK):
	GOBIN=$(TOOLS) go install sigs.k8s.io/kwok/cmd/kwok@$(KWOK_VERSION)
	mv $(TOOLS)/kwok $@

# The schemas are made of the API's own document, which the modules of Kubernetes and of the Prometheus operator hold.
SERVICEMONITORS = $(call MODULE,github.com/prometheus-operator/prometheus-operator@$(PROMETHEUS_OPERATOR_VERSION))/example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml
MODULE = $$(go mod download -json $(1) | sed -n 's/.*"Dir": "\(.*\)",/\1/p')
$(KUBESCHEMAS):
	go run ./internal/devtools/kubeschemas $@.new "$(call MODULE,k8s.io/kubernetes@$(KUBERNETES_VERSION))/api/openapi-spec/swagger.json" \
		"$(SERVICEMONITORS)"
	mv $@.new $@
