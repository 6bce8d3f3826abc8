# make demo: answer the example questions; make test: run all tests. Both set everything up first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: setup demo test lint format bench bench-retrieval bench-scale bench-tables bench-linking bench-ingest bench-sql bench-hdrag serve clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	@touch $(READY)

demo: $(READY)
	$(BIN)/python -m examples.demo

test: $(READY)
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

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

bench-ingest: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev,bench]"
	$(BIN)/python -m benchmarks.throughput

bench-sql: $(READY)
	$(BIN)/python -m benchmarks.sql_speed

bench-hdrag: $(READY)
	@test -n "$(DATA)" || { echo "give DATA=FOLDER, which holds tatqa/"; exit 2; }
	$(BIN)/python -m benchmarks.hdrag_retrieval --data $(DATA) --tablerag
	$(BIN)/python -m benchmarks.hdrag_arithmetic --data $(DATA)

# Every system that needs no model, on 300 questions of WikiTableQuestions and, where it was built, HeteQA.
OFFLINE := $(BIN)/tablerag eval wikitq --data $(DATA) --limit 300 --model offline --out $(OUT)
OUT ?= evaluation-runs

bench-offline: $(READY)
	@test -n "$(DATA)" || { echo "give DATA=FOLDER, which holds wikitq/"; exit 2; }
	$(OFFLINE) --system tablerag --closed
	$(OFFLINE) --system text2sql --closed
	$(OFFLINE) --system tablerag --no-sql --closed
	$(OFFLINE) --system tablerag
	$(OFFLINE) --system text2sql
	$(BIN)/tablerag eval report $(OUT) --out $(OUT)/report

serve: $(READY)
	LANGSMITH_TRACING=false LANGGRAPH_CLI_NO_ANALYTICS=1 LANGGRAPH_NO_VERSION_CHECK=true \
	$(BIN)/langgraph dev --no-browser --n-jobs-per-worker 10

clean:
	rm -rf $(VENV) .tablerag-demo .langgraph_api *.egg-info
