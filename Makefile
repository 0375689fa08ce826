# Everything a developer runs. `make test` needs Go and make; as root on Debian it
# installs the rest, elsewhere it says what it skips.
.PHONY: demo build test check lint fuzz soak cluster

demo: ## start everything with demo data
	go run ./cmd/thhotel demo

build: ## one binary
	CGO_ENABLED=0 go build -trimpath -o bin/thhotel ./cmd/thhotel

test: ## all tests, on SQLite, MariaDB and a real browser
	bash .ci/test

lint:
	bash .ci/lint

check: ## what .ci/run runs
	bash .ci/run

fuzz: ## every fuzz target for FUZZTIME each (default 30s)
	bash .ci/fuzz

cluster: ## two servers on a three-node Galera cluster that loses nodes and servers (root on Debian)
	go test -count=1 -v -timeout 15m -run TestCluster ./internal/app/killtest

soak: ## long runs: hundreds of kill -9 per engine, ten minutes of fuzzing per target
	THHOTEL_CLUSTER_ROUNDS=10 go test -count=1 -v -timeout 2h -run TestCluster ./internal/app/killtest
	THHOTEL_KILLS=300 go test -count=1 -v -timeout 2h -run TestKill ./internal/app/killtest
	FUZZTIME=10m bash .ci/fuzz
