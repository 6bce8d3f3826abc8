"""One host of the soak test: a process that ingests, asks or checks as it is told, one JSON object a line.

python -m benchmarks.soak_host SETTINGS    # JSON of Settings; then commands on stdin, answers on stdout
"""

import json
import resource
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.soak_documents import ROWS, TOPICS, VERSION, question
from tablerag import TableRAG
from tablerag.ingestion.auditing import audit
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.errors import TableLost, TableRagError
from tablerag.tools.replica import FRESH_S
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.sql.guard import guard

__all__ = ["main"]

CORPUS = "default"


class Host:
    """What a host does for each command."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.services = Services(Settings(**settings, model="offline", workers=1, _env_file=None))  # pyright: ignore[reportCallIssue]
        self.rag = TableRAG.over(self.services, model="offline")
        self._asks = threading.Event()
        self._names: list[str] = []
        self._writes = threading.Lock()

    def tell(self, **message: Any) -> None:
        """Write one message."""
        with self._writes:
            print(json.dumps(message, default=str), flush=True)

    def run(self) -> None:
        """Do what each line says, until there is none."""
        threading.Thread(target=self._ask_on, daemon=True).start()
        self.tell(what="ready")
        for line in sys.stdin:
            command = json.loads(line)
            started = time.monotonic()
            try:
                said = getattr(self, command.pop("do"))(**command) or {}
            except TableRagError as error:
                said = {"error": str(error)}
            except Exception as error:  # noqa: BLE001 - it is told as what it is: a failure of the test
                traceback.print_exc()
                said = {"crash": f"{type(error).__name__}: {error}"}
            self.tell(what="done", started=started, **said)

    def ingest(self, folder: str, file_bytes: int = 0) -> dict[str, Any]:
        """Ingest a folder, with files of at most so many bytes where a disk is to be full."""
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        if file_bytes:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, limits[1]))
        try:
            report = ingest([Path(folder)], self.services, CORPUS)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        failed = [f"{e.source}: {e.error}" for e in report.entries if e.status == "failed"]
        return {"counts": report.counts, "failed": failed, "unfinished": len(self.services.catalog.unfinished())}

    def ask_on(self, names: list[str]) -> None:
        """Begin to ask about these documents, again and again."""
        self._names = names
        self._asks.set()

    def ask_off(self) -> None:
        """Ask no more."""
        self._asks.clear()

    def _ask_on(self) -> None:
        number = 0
        while True:
            self._asks.wait()
            name = self._names[number % len(self._names)]
            number += 1
            self.tell(what="answer", **self._ask(name))

    def _ask(self, name: str) -> dict[str, Any]:
        started = time.monotonic()
        try:
            answer = self.rag.ask(question(name))
        except TableRagError as error:
            return {"name": name, "at": started, "error": str(error)}
        except Exception as error:  # noqa: BLE001 - as above
            traceback.print_exc()
            return {"name": name, "at": started, "crash": f"{type(error).__name__}: {error}"}
        if TableLost.replaced in answer.text:
            return {"name": name, "at": started, "error": answer.text}
        quoted = {int(v) for c in answer.citations for v in VERSION.findall(f"{c.quote}")}
        return {"name": name, "at": started, "text": answer.text, "quoted": sorted(quoted)}

    def check(self, versions: Mapping[str, int]) -> dict[str, Any]:
        """Compare every store with the versions of documents that were published."""
        time.sleep(FRESH_S)
        wrong = [f"audit: {flaw.says}" for flaw in audit(self.services).flaws]
        documents = {d.source.rpartition(".")[0]: d for d in self.services.catalog.documents(CORPUS)}
        if documents.keys() != versions.keys():
            wrong.append(f"documents: {sorted(documents)} instead of {sorted(versions)}")
        for name in documents.keys() & versions.keys():
            wrong += [f"{name}: {w}" for w in self._wrong_with(name, documents[name].document_id, versions[name])]
            answer = self._ask(name)
            if answer.get("text") != str(versions[name]):
                wrong.append(f"{name}: answered {answer} instead of {versions[name]}")
        return {"wrong": wrong}

    def _wrong_with(self, name: str, document_id: str, version: int) -> list[str]:
        (schema,) = self.services.catalog.schemas_of_document(document_id)
        figure = next(c.name for c in schema.columns if c.header == TOPICS[name].has)
        sql = f"SELECT MIN(`{figure}`), MAX(`{figure}`), COUNT(*) FROM `{schema.name}`"
        found = self.services.database.run(guard(sql, [schema], row_limit=9)).rows[0]
        wrong = [] if found == (version, version, ROWS) else [f"table has {found}, not {ROWS} rows of {version}"]
        dense = self.services.vector_store(CORPUS).of_documents([document_id])
        lexical = self.services.own_lexical_index(CORPUS).of_documents([document_id])
        if Counter(c.id for c in dense) != Counter(c.id for c in lexical):
            wrong.append(f"{len(dense)} chunks in Chroma, {len(lexical)} in the lexical index")
        told = {int(v) for c in (*dense, *lexical) for v in VERSION.findall(c.text)}
        if told != {version}:
            wrong.append(f"chunks of the versions {sorted(told)}")
        return wrong


def main() -> None:
    """Serve the commands."""
    Host(json.loads(sys.argv[1])).run()


if __name__ == "__main__":
    main()
