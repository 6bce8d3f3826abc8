"""The engine Tesseract, as the program of that name: used where it is installed and the extra is not."""

import csv
import io
import subprocess
from itertools import groupby
from operator import itemgetter

from PIL import Image

from tablerag.ingestion.readers.ocr.recognised import OcrLine, OcrWord, Pixels, Recognised
from tablerag.tools.errors import UnreadableDocument

__all__ = ["lines_of"]

PAGE_S = 120
LINE = ("block_num", "par_num", "line_num")


def lines_of(page: Pixels) -> Recognised:
    """Return the lines of a page; raise UnreadableDocument if the program fails."""
    image = io.BytesIO()
    Image.fromarray(page).save(image, "PNG")
    try:
        done = subprocess.run(
            ["env", "OMP_THREAD_LIMIT=1", "tesseract", "stdin", "stdout", "--psm", "11", "tsv"],
            input=image.getvalue(),
            capture_output=True,
            timeout=PAGE_S,
        )
    except subprocess.TimeoutExpired as error:
        raise UnreadableDocument(f"has a page that tesseract did not read in {PAGE_S} s: save it smaller") from error
    except OSError as error:
        raise UnreadableDocument(f"was not read, as tesseract did not start: {error.strerror}") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UnreadableDocument(f"was not read by tesseract: {said[-1] if said else 'it failed'}")
    rows = csv.DictReader(io.StringIO(done.stdout.decode("utf-8", "replace")), delimiter="\t", quoting=csv.QUOTE_NONE)
    words = [row for row in rows if (row.get("text") or "").strip() and float(row["conf"]) >= 0]
    lines = []
    for _, group in groupby(words, key=itemgetter(*LINE)):
        boxes = list(group)
        placed = tuple(
            OcrWord(
                row["text"].strip(),
                float(row["left"]),
                float(row["left"]) + float(row["width"]),
                float(row["conf"]) / 100,
            )
            for row in boxes
        )
        top = min(float(row["top"]) for row in boxes)
        bottom = max(float(row["top"]) + float(row["height"]) for row in boxes)
        lines.append(OcrLine(placed, top, bottom))
    return Recognised(lines, page)
