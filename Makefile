# make verify: install into .venv and referee the corpus; make test: the same, then every test.
PYTHON ?= python3
VENV := .venv
TORCH := 2.13.0
# The order of sets steers the search for proofs: the same on each run.
export PYTHONHASHSEED := 0
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TESTS := $(VENV)/.installed-tests
PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal

CERTIFICATES := $(CURDIR)/build/certificates

.PHONY: verify certificates test test-fast studies loops lint docs bench clean
verify: $(STAMP)
	$(BIN)/qtheory verify

# As verify; a test then has each certificate checked in a fresh process, by the kernel and the second checker.
certificates: $(STAMP)
	rm -rf $(CERTIFICATES)
	$(BIN)/qtheory verify --certificates $(CERTIFICATES)

test: lint certificates loops
	QTHEORY_CERTIFICATES=$(CERTIFICATES) $(PYTEST)

test-fast: loops
	$(PYTEST) -m "not slow and not later"

# The studies of which the tests run slices, some twenty minutes on two cores; FULL=--full: the whole campaign of
# statements too, as long again. Certificates that make test has left are all read again. WITHIN=MINUTES: what is not
# done by then is ended, and goes on there the next time.
studies: loops
	$(if $(wildcard $(CERTIFICATES)),QTHEORY_CERTIFICATES=$(CERTIFICATES)) $(BIN)/python tests/studies/all.py $(FULL) $(if $(WITHIN),--within $(WITHIN))

# Each worker would else compile the simulator's loops for itself, minutes of a processor.
loops: $(TESTS)
	$(BIN)/python tests/compile_loops.py

lint: $(TESTS)
	$(BIN)/ruff check .

# The documentation as a site, in build/docs/index.html; a warning is an error.
docs: $(STAMP)
	$(BIN)/python -m pip install --quiet -e ".[docs]"
	$(BIN)/python -m sphinx -q -W --keep-going -b html -d build/doctrees docs build/docs

# A peer that cannot be installed is left out, and the benchmark says so. No warnings: the build has one for every
# editable installation.
bench: $(TESTS)
	-$(BIN)/python -W ignore -m pip install --quiet -e ".[bench]"
	$(BIN)/python tests/benchmarks/all.py

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -e .
	touch $@

$(TESTS): $(STAMP)
	$(BIN)/python -m pip install --quiet -e ".[test,gpu,docs]" "torch==$(TORCH)"
	touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info
