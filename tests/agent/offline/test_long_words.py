"""Cells that hold one long word, such as a picture in Base64, cost a question neither minutes nor gigabytes."""

import random
from pathlib import Path

from tablerag import TableRAG

LETTERS = 150_000


def test_a_question_about_a_table_with_long_words(tmp_path: Path) -> None:
    chance = random.Random(1)
    words = ["".join(chance.choices("abcdefghijklmnop", k=LETTERS)) for _ in range(8)]
    path = tmp_path / "pictures.csv"
    path.write_text("id,picture,n\n" + "".join(f"{i},{word},{i * 3}\n" for i, word in enumerate(words)), "utf-8")
    with TableRAG(tmp_path / "home", model="offline") as rag:
        rag.ingest([path])
        assert rag.ask("What is the sum of n?").value == 84
        assert rag.ask(f"What is the n of {words[2]}?"[:3000]).verdict == "none"
