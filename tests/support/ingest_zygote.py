"""A process that has imported everything and forks an ingest for each line it is given: a start that costs nothing.

python -m tests.support.ingest_zygote    # stdin: "HOME FOLDER" a line; stdout: "started PID", then "ended STATUS"
"""

import os
import sys
from pathlib import Path

import tablerag.ingestion.readers.html
import tablerag.tools.retriever
import tablerag.tools.sql.backends.parquet_files
import tablerag.tools.stores.chroma
import tablerag.tools.stores.tantivy_index
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.embedding.static import StaticEmbedding
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

__all__ = ["main"]

assert tablerag


def main() -> None:
    """Fork an ingest for each line, and tell its process id at once and its end when it comes."""
    StaticEmbedding()  # loaded before the fork, for all of them
    for line in sys.stdin:
        home, folder = line.rstrip("\n").split("\t")
        child = os.fork()
        if not child:
            _ingest(Path(home), Path(folder))
        print(f"started {child}", flush=True)
        _, status = os.waitpid(child, 0)
        print(f"ended {status}", flush=True)


def _ingest(home: Path, folder: Path) -> None:
    services = Services(Settings(home=home, workers=1, _env_file=None))
    report = ingest([folder], services, "default")
    services.close()
    os._exit(any(e.status == "failed" for e in report.entries))


if __name__ == "__main__":
    main()
