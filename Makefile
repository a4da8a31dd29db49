# `make run` and `make test` do everything; `make help` lists the rest.
# PYTHON=python3.12 make test    uses that Python
# VENV=.venv312 make test        keeps a second environment beside the first

VENV ?= .venv
BIN  := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PY   := $(BIN)/python
SAY  := @echo "[headframe]"

# The Numba cache has one folder for each state of the kernel sources (see tools/kernel_hash.py).
WITH_CACHE := NUMBA_CACHE_DIR="$$($(PY) tools/kernel_hash.py)"
PYTEST     := $(WITH_CACHE) $(PY) -m pytest
WORKERS    ?= auto
LIVE       := tests/server tests/abuse tests/browser # a browser leaves a loop behind: it comes last
AGAIN      := $(MAKE) --no-print-directory
TOGETHER   := $(PY) tools/side_by_side.py

# Dozens of processes start in the tests: without this each compiles all of Python that it imports.
export PYTHONDONTWRITEBYTECODE :=

ifdef PYTHON
export PYTHON
endif

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run test lint format docs web protocol browser warm unit unit_alone \
	live live_alone quiet_alone slow screenshots clean FORCE

help:
	@echo "make run     set up $(VENV), start the simulator, print its address, open a browser"
	@echo "make test    set up what the tests need, then run every check and every test"
	@echo "make lint    ruff, mypy, import-linter"
	@echo "make format  let ruff rewrite the sources"
	@echo "make docs    build the documentation into build/docs"
	@echo "make web     types, format and tests of the page in web/; builds it if it has changed"
	@echo "make protocol  write the page's types and docs/protocol.md from src/headframe/protocol"
	@echo "make screenshots  pictures of the page for the documentation (ARGS='--only lhd reach')"
	@echo "make unit    the tests alone (make unit ARGS='-k spatial')"
	@echo "make live    the tests with a real server and a real browser"
	@echo "make slow    the long tests that 'make test' leaves out"
	@echo "make clean   remove everything that make has made"

# ---------------------------------------------------------------------- run

# Compiles into the repository's own cache, where tests and the command `headframe` find it later.
# make run ARGS="tcchs --dynamics --port 9000" passes arguments on.
run: $(VENV)/.run
	@$(PY) tools/build_web.py
	@$(BIN)/headframe run $(ARGS)

# --------------------------------------------------------------------- test

# What is in real time mostly waits: beside it goes all that only computes, of the lowest priority.
# Browsers draw in several threads: their tests have the computer to themselves.
test: $(VENV)/.dev
	@$(TOGETHER) "$(AGAIN) warm" "$(AGAIN) lint web browser"
	@$(TOGETHER) "nice -n 19 $(AGAIN) unit_alone" "nice -n 19 $(AGAIN) docs" "$(AGAIN) quiet_alone"
	@$(AGAIN) live_alone
	$(SAY) "all checks passed"

lint: $(VENV)/.dev
	$(SAY) "ruff"
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	$(SAY) "mypy"
	@$(PY) -m mypy --strict src tools/catalogue
	$(SAY) "import-linter"
	@$(BIN)/lint-imports --cache-dir .cache/import_linter
	$(SAY) "records in kernels"
	@$(PY) tools/record_check.py
	$(SAY) "the page's types"
	@$(PY) -m headframe.protocol --check

format: $(VENV)/.dev
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .

docs: $(VENV)/.dev
	$(SAY) "docs"
	@$(WITH_CACHE) $(PY) -m sphinx -q -W --keep-going -b html -d .cache/doctrees docs build/docs
	$(SAY) "the documentation is in $(CURDIR)/build/docs/index.html"

web: $(VENV)/.dev
	$(SAY) "the page"
	@$(PY) tools/build_web.py --check
	@$(PY) tools/build_web.py

protocol: $(VENV)/.dev
	@$(PY) -m headframe.protocol
	@$(PY) tools/protocol_page.py

browser:
	@$(PY) tools/browser.py --install

screenshots: warm browser
	@$(WITH_CACHE) $(PY) tools/screenshots $(ARGS)

# Two processes that compile at once can spoil each other's cache: compile in one, then test in many.
warm: $(VENV)/.dev
	$(SAY) "compiling the kernels"
	@$(WITH_CACHE) $(PY) -m headframe.jit

unit: warm unit_alone
unit_alone:
	$(SAY) "tests"
	@$(PYTEST) -n $(WORKERS) --ignore tests/server --ignore tests/abuse --ignore tests/browser $(ARGS)

# A real server and a real browser, one for each file.
live: warm browser live_alone quiet_alone
live_alone:
	$(SAY) "tests of the server and of the page"
	@$(PYTEST) -n $(WORKERS) --dist loadfile --no-loadscope-reorder -m "not slow and not quiet" $(LIVE)

# Levers that are held, and times that are measured without a second try: one by one.
quiet_alone:
	$(SAY) "tests in real time"
	@$(PYTEST) -m "quiet and not slow" $(LIVE)

slow: warm browser web
	$(SAY) "slow tests"
	@$(PYTEST) -n $(WORKERS) -m slow --timeout 3600 $(ARGS)

clean:
	rm -rf $(VENV) .cache build dist docs/_generated .hypothesis
	rm -rf web/node_modules src/headframe/server/static
	find src tests tools docs -name __pycache__ -type d -prune -exec rm -rf {} +

# -------------------------------------------------------------- environment
# The stamps .run and .dev are older than pyproject.toml when its dependencies may have changed.

$(VENV)/.made: FORCE
	@sh tools/make_venv.sh "$(VENV)"

$(VENV)/.run: $(VENV)/.made pyproject.toml
	@$(PY) tools/make_install.py plot
	@touch $@

$(VENV)/.dev: $(VENV)/.made pyproject.toml
	@$(PY) tools/make_install.py dev plot
	@touch $@ $(VENV)/.run
