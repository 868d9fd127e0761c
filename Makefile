# Everything happens in .venv; nothing else is needed before these.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed

.PHONY: install demo test check format bench simulate eval conformance soak clean

install: $(STAMP)

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Engram needs Python 3.11 or newer")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(STAMP)

demo: install
	$(BIN)/engram demo

# One seed, so that a red run is a change and not a die; `make soak` throws new ones.
test: install
	ENGRAM_SEED=$${ENGRAM_SEED:-20261115} $(BIN)/python -m pytest -n 2 -m 'not soak' $(PYTEST_MORE)

check: install
	$(BIN)/ruff format --check src tests benchmarks scripts examples
	$(BIN)/ruff check src tests benchmarks scripts examples
	$(BIN)/mypy
	$(BIN)/python -m pytest -q -n 2 tests/test_architecture.py tests/test_docs.py

format: install
	$(BIN)/ruff format src tests benchmarks scripts examples
	$(BIN)/ruff check --fix src tests benchmarks scripts examples

# ARGS='--large --keep build/bench' asks 100,000 memories too, and finds them again the next time.
bench: install
	$(BIN)/python -m benchmarks $(ARGS)

# Ninety days of made-up conversation with a dream each night; docs/ninety-days.md says what must hold.
simulate: install
	$(BIN)/python -m benchmarks.ninety_days $(ARGS)

# Figures on the hand-written corpus, then of recall and capture on a folder of conversations;
# docs/evaluation.md says what they hold. TRUTH= leaves the corpus out, DATA= the conversations.
# ARGS='--only tasks' or '--task dates' measures a part, '--through remember' the other way in;
# TRUTH_ARGS='--task updates --limit 40' a part of the corpus.
DATA ?= $(wildcard ../shared/data)
TRUTH ?= $(wildcard data)
eval: install
	@test -n "$(TRUTH)$(DATA)" || { echo "make eval needs a folder of conversations: make eval DATA=path/to/folder" >&2; exit 2; }
	@test -z "$(TRUTH)" || $(BIN)/engram eval "$(TRUTH)" --out build/eval/truth $(TRUTH_ARGS)
	@test -z "$(DATA)" || $(BIN)/engram eval "$(DATA)" --out build/eval $(ARGS)

# The official checks of the protocol, as far as they run offline; npm fetches them once.
conformance: install
	scripts/conformance.sh

soak: install
	$(BIN)/python -m pytest -m soak --timeout 14400

clean:
	rm -rf .venv .mypy_cache .ruff_cache .hypothesis dist build
