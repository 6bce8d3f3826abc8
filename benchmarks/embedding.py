"""Measure the embedded embedding: loading time, and texts per second on one core.

python -m benchmarks.embedding
"""

import os
import statistics
import time

from benchmarks.scale import make_chunks
from tablerag.tools.embedding.static import FOLDER, StaticEmbedding
from tablerag.tools.embedding.windows import windows


def main() -> None:
    """Load it five times, embed 20,000 windows."""
    os.sched_setaffinity(0, {0})
    loads = []
    for _ in range(5):
        begun = time.perf_counter()
        embedding = StaticEmbedding()
        loads.append(time.perf_counter() - begun)
    texts = [w for chunk in make_chunks(0, 20_000) for w in windows(chunk)]
    begun = time.perf_counter()
    for first in range(0, len(texts), 500):
        embedding.embed_documents(texts[first : first + 500])
    seconds = time.perf_counter() - begun
    characters = statistics.mean(map(len, texts))
    size = sum(f.stat().st_size for f in FOLDER.iterdir()) / 1e6
    print(f"size {size:.1f} MB; loads in {1000 * statistics.median(loads):.0f} ms")
    print(f"{len(texts) / seconds:.0f} texts of {characters:.0f} characters per second on one core")


if __name__ == "__main__":
    main()
