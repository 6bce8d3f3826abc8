"""Ingest a folder into a temporary home, and print what was found and what was skipped.

python -m benchmarks.ingest_folder FOLDER [--suffix .html]
"""

import argparse
import tempfile
import time
from collections import Counter
from pathlib import Path

from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings


def main() -> None:
    """Ingest, and print counts, seconds, failures and the most common warnings."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--suffix", help="only files with this suffix")
    args = parser.parse_args()
    paths = sorted(args.folder.rglob(f"*{args.suffix}")) if args.suffix else [args.folder]
    with tempfile.TemporaryDirectory() as home:
        services = Services(Settings(home=Path(home), model="offline"))
        begun = time.perf_counter()
        entries = ingest(paths, services, "default").entries
        seconds = time.perf_counter() - begun
        again = Counter(e.status for e in ingest(paths, services, "default").entries)
        services.close()
    counts = Counter(e.status for e in entries)
    print(f"documents {dict(counts)}  tables {sum(e.tables for e in entries)}  rows {sum(e.rows for e in entries)}")
    print(f"chunks {sum(e.chunks for e in entries)}  seconds {seconds:.1f}  a second ingest: {dict(again)}")
    for entry in entries:
        if entry.status in ("failed", "skipped"):
            print(f"  {entry.status} {entry.source}: {entry.error}")
    kinds = Counter(w.split(": ", 1)[-1][:60] for e in entries for w in e.warnings)
    for warning, count in kinds.most_common(12):
        print(f"  {count} x {warning}")


if __name__ == "__main__":
    main()
