"""A reader process: reads jobs from standard input and writes what the files hold; see ingestion/reader_pool.py."""

import os
import pickle
import sys
from typing import BinaryIO

from tablerag.ingestion.reader_pool import HEAD, READY, read_one

__all__ = ["main"]


def main() -> None:
    """Answer jobs until the input ends. What libraries print goes nowhere: the stream is the answers' own."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    jobs = sys.stdin.buffer
    settings = _received(jobs)
    answers.write(READY)
    answers.flush()
    while (job := _received(jobs)) is not None:
        data = pickle.dumps(read_one(job, settings))
        answers.write(HEAD.pack(len(data)))
        answers.write(data)
        answers.flush()


def _received(stream: BinaryIO) -> object:
    head = stream.read(HEAD.size)
    return pickle.loads(stream.read(HEAD.unpack(head)[0])) if len(head) == HEAD.size else None


if __name__ == "__main__":
    main()
