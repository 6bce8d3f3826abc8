"""A reader process: reads jobs from standard input and writes the outcomes; see ingestion/reader_worker.py."""

import gc
import os
import pickle
import signal
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from tablerag.ingestion.content import read_content
from tablerag.ingestion.document_content import DocumentContent
from tablerag.ingestion.reader_worker import HEAD, PAGE, READY, Job, OutOfMemory, PictureJob, Reading, UnpackJob
from tablerag.ingestion.readers.ocr import OcrSettings, using
from tablerag.ingestion.unpacking import Unpacked, unpack
from tablerag.tools.counting import one_line
from tablerag.tools.errors import TableRagError, UnreadableDocument

__all__ = ["main"]

SELDOM = 100_000
"""New objects between two collections: a grid of cells has millions, and no garbage in it."""
NEAR = 0.7
"""The share of the memory limit from which on a failure is put down to it: parsers ask for a lot at once."""
SETTING = "TABLERAG_READ_MEMORY_MB"
EMBEDDING_MB = 150
"""What the embedding takes beside reading."""
MORE_S = 60
"""Seconds beyond the time limit after which a process ends by itself, should the one that asked be gone."""


def main() -> None:
    """Answer jobs until the input ends. What libraries print is discarded, as standard output carries the answers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Control-C is for the process that asks
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    gc.freeze()
    gc.set_threshold(SELDOM, 20, 20)
    gc.enable()
    answers.write(READY)
    answers.flush()
    while (received := _received(sys.stdin.buffer)) is not None:
        job, reading = received
        _limit(reading)
        using.set(OcrSettings(reading.ocr, reading.ocr_pages, partial(_tell_page, answers, reading)))
        data = _outcome(job, reading)
        answers.write(HEAD.pack(len(data)))
        answers.write(data)
        answers.flush()
        del data


def _tell_page(answers: BinaryIO, reading: Reading, page: int, pages: int) -> None:
    """Tell who asked of a page that is about to be read by OCR; it has the time of a document."""
    _limit(reading)
    answers.write(HEAD.pack(0) + PAGE.pack(page, pages))
    answers.flush()


def _limit(reading: Reading) -> None:
    """Limit the memory of this process, and its seconds on a processor.

    The limit is of data (RLIMIT_DATA: heap and private writable mappings), which the kernel holds without delay and
    Python reports as MemoryError. Address space would count libraries and what is only reserved; a watchdog of resident
    memory is late, as one call may unpack gigabytes within its interval.
    """
    try:
        import resource
    except ImportError:
        return  # Windows has no such limits
    for limit, most in (
        (resource.RLIMIT_DATA, _most_bytes(reading)),
        (resource.RLIMIT_CPU, int(sum(os.times()[:2]) + reading.timeout_s) + MORE_S),
    ):
        with suppress(ValueError):  # what the system allows is less
            resource.setrlimit(limit, (most, resource.getrlimit(limit)[1]))


def _most_bytes(reading: Reading) -> int:
    return (reading.memory_mb + EMBEDDING_MB * reading.embeds) * 1_000_000


def _made(job: Job | UnpackJob | PictureJob, reading: Reading) -> DocumentContent | Unpacked | tuple[bytes, ...]:
    if isinstance(job, PictureJob):
        from tablerag.ingestion.pictures import pictures_of  # few tables are doubtful

        return pictures_of(job.path, job.regions)
    if isinstance(job, UnpackJob):
        return unpack(job.file.on_disk, job.file.path.name, job.folder, job.room)
    content = read_content(job.file, job.document_id, reading, job.wishes)
    if not reading.embeds:
        return content
    from tablerag.ingestion.embedding_chunks import embedded  # here: it loads the embedding

    return embedded(content)


def _outcome(job: Job | UnpackJob | PictureJob, reading: Reading) -> bytes:
    """Read one file and return the pickled outcome, an error if that fails."""
    most = f"{reading.memory_mb:,} MB"
    too_large = OutOfMemory(f"takes more than {most} of memory to read: split the file, or raise {SETTING}")
    try:
        return pickle.dumps(_made(job, reading))
    except MemoryError:
        failed = too_large
    except UnreadableDocument as error:
        failed = UnreadableDocument(one_line(str(error)))
    except TableRagError as error:
        failed = error
    except Exception:
        # Files may be hostile, and parsers raise more exceptions than they document.
        failed = UnreadableDocument("cannot be read, as it is damaged or made to mislead: open it and save it again")
    # Out of memory, parsers in C say anything. Outside the handler, what its traceback held is free again.
    is_near = _peak_bytes() > NEAR * _most_bytes(reading)
    return pickle.dumps(too_large if is_near else failed)


def _peak_bytes() -> int:
    """Return the most data that this process has had, reserved included; 0 where the system does not say.

    What is mapped now and is no data, such as libraries and the address space that engines reserve, is left out.
    """
    with suppress(OSError, KeyError), Path("/proc/self/status").open("rb") as status:
        kilobytes = {line.split(b":")[0]: int(line.split()[1]) for line in status if line.startswith(b"Vm")}
        return (kilobytes[b"VmPeak"] - kilobytes[b"VmSize"] + kilobytes[b"VmData"]) * 1024
    return 0


def _received(stream: BinaryIO) -> Any:
    head = stream.read(HEAD.size)
    return pickle.loads(stream.read(HEAD.unpack(head)[0])) if len(head) == HEAD.size else None


if __name__ == "__main__":
    main()
