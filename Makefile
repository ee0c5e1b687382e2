SHELL := /bin/bash
.PHONY: build test update lint

build: ; . script/env && script/setup go && go build -o bin/reviewgate ./cmd/reviewgate
test: ; script/test
update: ; . script/env && go test $$(git grep -l '"update"' -- '*_test.go' | xargs -n1 dirname | sort -u | sed 's|^|./|') -update
lint: ; . script/env && script/setup go lint && go vet ./... && staticcheck ./...
