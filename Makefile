# Every target sets up what it needs in $(VENV), from a Python >= 3.11 with venv and nothing else.

PYTHON := $(shell for python in $(PYTHON) python3 python3.13 python3.12 python3.11; do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$python" && break; done)
VENV ?= .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
READY := $(VENV)/.ready
TESTS ?=
PYTEST_FLAGS ?= --numprocesses=auto
unexport PYTHONDONTWRITEBYTECODE    # every `dyncli` that a test starts would compile everything anew: 0.2 s each

.PHONY: help setup demo test torch dask check lint format types imports package release-check docs bench lock clean

help:            ## list the targets
	@sed -n 's/^\([a-z-]*\): .*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 24

setup: $(READY)  ## make .venv with the locked packages

$(READY): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "error: no Python 3.11 or newer was found; say which: make PYTHON=/path/to/python3"; exit 2; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(READY)

demo: $(READY)   ## run the bundled default for both of its cases, then a model on real handwritten digits
	$(BIN)/dyncli run piecewise
	$(BIN)/dyncli run early_exit

test: $(READY)   ## run the tests (TESTS="tests/unit/dyncli/script -k csv" chooses)
	$(BIN)/python -m pytest $(PYTEST_FLAGS) $(TESTS)

torch: $(READY)  ## add PyTorch to .venv, so that the tests against it run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary=:all: "torch==2.13.0"

dask: $(READY)   ## add Dask to .venv, so that the tests on a local cluster run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary=:all: "distributed>=2024.8"

lint: $(READY)   ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(READY) ## rewrite the files as ruff formats them
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(READY)  ## mypy --strict over dyncli and dyncore
	$(BIN)/mypy

imports: $(READY) ## the one arrow holds: import-linter
	$(BIN)/lint-imports

check: lint types imports test ## all of the above

package: $(READY) ## build wheel and sdist, then test the installed wheel from an empty folder
	.ci/package $(BIN)/python

release-check: $(READY) ## check metadata, test wheel and sdist under every Python here
	.ci/package $(BIN)/python 3.11 3.12 3.13

docs: $(READY)   ## check the spelling of the documentation, build it into site/
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary=:all: "sphinx>=9,<10" furo "myst-parser>=5,<6" codespell
	$(BIN)/python -m codespell_lib $(shell git ls-files "*.md" ":!tests")
	$(BIN)/python -m sphinx -W --keep-going -q docs site

bench: $(READY)  ## measure speed; not part of the tests
	$(BIN)/python -m tests.bench

lock:            ## renew requirements.lock from pyproject.toml
	$(PYTHON) -m venv --clear $(VENV)-lock
	$(VENV)-lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(VENV)-lock/bin/uv pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.11 --extra test --extra dev \
		--generate-hashes --no-header --no-annotate --no-emit-index-url --output-file requirements.lock
	rm -r $(VENV)-lock

clean:           ## remove what the targets made
	rm -rf $(VENV) $(VENV)-lock build dist site docs/pictures docs/reference/commands.md docs/reference/python.md docs/reference/engine .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
