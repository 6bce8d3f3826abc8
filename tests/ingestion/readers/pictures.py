"""Pictures of pages, drawn by Pillow, and a stand-in for the program tesseract that says what was drawn."""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from tablerag.ingestion import reader_worker
from tablerag.ingestion.readers import ocr

TESSERACT = """#!{python}
import json, sys
sys.stdin.buffer.read()
print("block_num\\tpar_num\\tline_num\\tleft\\ttop\\twidth\\theight\\tconf\\ttext")
for word in json.load(open({words!r})):
    print("\\t".join(map(str, word)))
"""
SALES = [
    ["Region", "Units", "Revenue"],
    ["North", "1,204", "35,817.50"],
    ["South", "987", "29,101.25"],
    ["East", "1,533", "47,260.00"],
    ["West", "642", "18,775.80"],
    ["Islands", "71", "2,040.10"],
]


@dataclass
class Picture:
    """A page of A4 at 150 dpi, and the words drawn on it."""

    image: Image.Image = field(default_factory=lambda: Image.new("L", (1240, 1754), 255))
    words: list[tuple[object, ...]] = field(default_factory=list)
    """block, paragraph, line, left, top, width, height, confidence in percent, text: as in tesseract's tables."""

    def write(self, text: str, x: float, y: float, *, size: int = 30, right: bool = False, sure: float = 96) -> None:
        """Draw a text that begins, or ends if ``right``, at ``x``."""
        draw, font = ImageDraw.Draw(self.image), ImageFont.load_default(size)
        x -= draw.textlength(text, font=font) if right else 0
        draw.text((x, y), text, fill=0, font=font)
        line = len(self.words) + 1
        for word in text.split():
            before = draw.textlength(text[: text.index(word)], font=font)
            left, top, end, bottom = draw.textbbox((x + before, y), word, font=font)
            self.words.append((1, 1, line, left, top, end - left, bottom - top, sure, word))

    def table(self, rows: Sequence[Sequence[str]], x: float = 150, y: float = 300, *, ruled: bool = False) -> None:
        """Draw rows of cells: the first column from its left edge, the others to their right one."""
        pitch, height = 300, 52
        for r, row in enumerate(rows):
            for c, cell in enumerate(row):
                at = x + pitch * c + (pitch - 20 if c else 10)
                self.write(cell, at, y + height * r + 8, right=bool(c))
        if ruled:
            draw = ImageDraw.Draw(self.image)
            right, bottom = x + pitch * len(rows[0]), y + height * len(rows)
            for r in range(len(rows) + 1):
                draw.line((x, y + height * r, right, y + height * r), fill=0, width=3)
            for c in range(len(rows[0]) + 1):
                draw.line((x + pitch * c, y, x + pitch * c, bottom), fill=0, width=3)


def scanned(image: Image.Image, *, angle: float = 0.0, noise: float = 0.0, blur: float = 0.0) -> Image.Image:
    """Return an image as a scanner gives it: askew, grainy and out of focus."""
    turned = image.rotate(angle, resample=Image.Resampling.BICUBIC, fillcolor=255, expand=abs(angle) > 45)
    pixels = np.asarray(turned.filter(ImageFilter.GaussianBlur(blur)), dtype=float)
    grain = np.random.default_rng(1).normal(0, noise, pixels.shape)
    return Image.fromarray(np.clip(0.9 * pixels + 10 + grain, 0, 255).astype(np.uint8))


def stand_in(folder: Path, words: Sequence[Sequence[object]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program named tesseract on PATH that says these words, for this process and for reader processes."""
    folder.mkdir(exist_ok=True)
    (folder / "words.json").write_text(json.dumps(words), encoding="utf-8")
    program = folder / "tesseract"
    program.write_text(TESSERACT.format(python=sys.executable, words=str(folder / "words.json")), encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setattr(ocr, "find_spec", lambda name: None)
    ocr.installed.cache_clear()
    reader_worker.end_idle()  # it knows another PATH
