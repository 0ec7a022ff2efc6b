# make verify: install into .venv and referee the corpus; make test: the same, then every test.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: verify test test-fast lint types clean
verify: $(STAMP)
	$(BIN)/qtheory verify

test: verify lint
	$(BIN)/python -m pytest -n 2 --dist worksteal

test-fast: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow"

lint: $(STAMP)
	$(BIN)/ruff check .

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -e ".[test,z3]"
	touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info
