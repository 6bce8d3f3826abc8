"""Runs documented commands and snippets in forks of one process that has imported everything: none pays for imports.

python -m tests.docs.zygote    # stdin: one JSON object a line; stdout: the exit status of each
"""

import json
import os
import sys
import traceback
from pathlib import Path

import chromadb
import langchain_openai  # noqa: F401  # imported before the fork, like all of these
import langgraph.checkpoint.sqlite  # noqa: F401

import tablerag.agent.offline.reasoner
import tablerag.client
import tablerag.graphs.tablerag
import tablerag.ingestion.pipeline
import tablerag.ingestion.readers.html
import tablerag.tools.reranking.learned
import tablerag.tools.sql.backends.parquet_files
import tablerag.tools.stores.chroma
import tablerag.tools.stores.tantivy_index
from tablerag.cli.app import main as run_command_line
from tablerag.tools.embedding.static import StaticEmbedding

__all__ = ["main"]

assert chromadb and tablerag


def main() -> None:
    """Fork a run for each line, and write its exit status when it has ended."""
    StaticEmbedding()  # loaded before the fork, for all of them
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _run(json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _run(asked: dict) -> None:
    """Run ``arguments`` of tablerag or ``code`` in a folder with an environment; the output goes to two files."""
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        path = Path(os.devnull if name == "stdin" else asked[name])
        os.dup2(os.open(path, os.O_RDONLY if name == "stdin" else os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    status = 0
    try:
        if asked["code"]:
            exec(compile(asked["code"], "snippet", "exec"), {"__name__": "__main__"})
        else:
            run_command_line(asked["arguments"])
    except SystemExit as ended:
        status = ended.code or 0
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    main()
