"""Measure whether a question's own table is found among many more passages, on HybridQA.

    python -m benchmarks.mixed_retrieval --data FOLDER

All tables and their linked passages are one corpus. Counts the questions whose table is among the schemas S_t of the
three chunks kept, and among those shown before a question is decomposed.
"""

import argparse
import json
import tempfile
from pathlib import Path

from rich.progress import track

from benchmarks.hybridqa_documents import write_documents
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.evidence import overview, search
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

CORPUS = "mixed"


def main() -> None:
    """Ingest, search, count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with hybridqa/")
    parser.add_argument("--home", type=Path, help="keep the stores in this folder, and reuse them")
    args = parser.parse_args()
    data = args.data / "hybridqa"
    questions = json.loads((data / "released_data" / "dev.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        home = args.home or Path(folder) / "home"
        services = Services(Settings(home=home, _env_file=None))
        if not services.catalog.documents(CORPUS):
            tables, passages = write_documents(data, Path(folder) / "documents")
            print(f"ingesting {tables} tables and {passages} passages", flush=True)
            ingest([Path(folder) / "documents"], services, CORPUS)
        options = {"corpus": CORPUS, "recall_n": 30, "top_k": 3}
        counts = {"evidence": 0, "overview": 0, "both kinds": 0}
        for question in track(questions, "asking"):
            own = f"{question['table_id']}.html"
            chunks, schemas = search(services, question["question"], **options)
            counts["evidence"] += any(s.source.endswith(own) for s in schemas)
            counts["both kinds"] += len({c.table_id is None for c in chunks}) == 2
            _, shown = overview(services, question["question"], **options)
            counts["overview"] += any(s.source.endswith(own) for s in shown)
        services.close()
    print(
        f"{len(questions)} questions: own table in S_t {counts['evidence']}, in the overview {counts['overview']}; "
        f"tables and text both kept {counts['both kinds']}"
    )


if __name__ == "__main__":
    main()
