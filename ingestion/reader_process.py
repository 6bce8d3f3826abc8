"""A reader process: reads jobs from standard input and writes the outcomes; see ingestion/reader_pool.py."""

import gc
import os
import pickle
import sys
from typing import Any, BinaryIO

from tablerag.ingestion.reader_pool import HEAD, READY, read_one

__all__ = ["main"]

SELDOM = 100_000
"""New objects between two collections: a grid of cells has millions, and no garbage in it."""


def main() -> None:
    """Answer jobs until the input ends. What libraries print is discarded, as standard output carries the answers."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    jobs = sys.stdin.buffer
    settings = _received(jobs)
    gc.freeze()
    gc.set_threshold(SELDOM, 20, 20)
    answers.write(READY)
    answers.flush()
    while (job := _received(jobs)) is not None:
        data = pickle.dumps(read_one(job, settings))
        answers.write(HEAD.pack(len(data)))
        answers.write(data)
        answers.flush()


def _received(stream: BinaryIO) -> Any:
    head = stream.read(HEAD.size)
    return pickle.loads(stream.read(HEAD.unpack(head)[0])) if len(head) == HEAD.size else None


if __name__ == "__main__":
    main()
