# Everything sets itself up in .venv; python3 with its venv module is all that is needed.
SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest
# Bytecode is written once, as pip does for packages that it copies.
COMPILE := $(BIN)/python -m compileall -q tangentlite templates
VERSIONS := 3.10 3.11 3.12 3.13

.PHONY: help demo test check check-all bench docs examples clean

help:
	@echo "make demo       a function, its gradient, its value against finite differences"
	@echo "make test       the whole test suite"
	@echo "make check      format, lint, types, tests: what a change must pass"
	@echo "make bench      gradients against those by hand and those of peers: docs/benchmarks.md"
	@echo "make docs       the documentation, as a site in docs/_build"
	@echo "make examples   every problem of examples/, with its numbers and its picture"
	@echo "make check-all  the same on every Python found, slow tests, lowest versions, docs"

demo: $(VENV)/.core
	@$(BIN)/python examples/demo.py

test: $(VENV)/.test
	$(PYTEST) -n 2 -m "not slow"

check: $(VENV)/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(PYTEST) -n 2 -m "not slow"

check-all: check $(VENV)/.docs
	$(PYTEST) -n 2 -m slow || [ $$? -eq 5 ]
	@for version in $(VERSIONS); do .ci/interpreter $$version || exit 1; done
	.ci/interpreter lowest
	.ci/ecosystem
	$(MAKE) docs

docs: $(VENV)/.docs
	rm -rf docs/_build
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build
	@echo "docs/_build/index.html"

# One core, so that the time of the processor is the time of a call.
ONE_CORE := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 MKL_NUM_THREADS=1 \
    XLA_FLAGS="--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

bench: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[bench,numba]"
	$(ONE_CORE) $(BIN)/python -m tests.bench --write

examples: $(VENV)/.core
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[examples]"
	@for example in examples/*.py; do echo "== $$example"; $(ONE_CORE) $(BIN)/python $$example || exit 1; done

# Set-up is repeated only if pyproject.toml changes.
$(VENV)/.core: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@$(COMPILE)
	@touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	@$(COMPILE)
	@touch $@ $(VENV)/.core

$(VENV)/.docs: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	@touch $@

$(VENV)/bin/python:
	.ci/venv $(VENV)

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis docs/_build
