"""What of a chunk is embedded."""

from tablerag.tools.embedding.windows import parts, windows
from tests.support.fakes import chunk

TABLE = "Stock\n| City | Stock |\n| --- | --- |\n" + "\n".join(f"| Town {i} | {i} |" for i in range(40))


def test_a_tables_windows_repeat_title_and_header() -> None:
    found = windows(chunk(TABLE, kind="table", title="stock > Stock"), chars=100)
    assert 3 < len(found) <= 7
    assert all(w.startswith("stock > Stock\nstock > Stock\n| City | Stock |\n| Town") for w in found)
    rows = [line for w in found for line in w.splitlines() if line.startswith("| Town")]
    assert rows == [f"| Town {i} | {i} |" for i in range(40)]


def test_a_text_is_cut_at_sentences() -> None:
    text = "One sentence is here. Another follows it. " * 20
    found = windows(chunk(text, title="Handbook"), chars=200)
    assert len(found) > 3
    assert all(w.startswith("Handbook\nHandbook\n") and w.endswith(".") for w in found)


def test_nothing_still_has_a_window() -> None:
    assert windows(chunk("", title="")) == [""]
    assert windows(chunk("| a |\n| --- |", kind="table", title="t")) == ["t\nt\n| a |"]


def test_a_row_longer_than_many_windows_is_cut_between_cells() -> None:
    row = "| " + " | ".join(f"cell {i}" for i in range(500)) + " |"
    found = windows(chunk(f"| h |\n| --- |\n{row}", kind="table"), chars=100)
    assert 5 <= len(found) <= 7
    assert max(map(len, found)) < 1400


def test_parts_of_each_kind() -> None:
    header, lines = parts(chunk(TABLE, kind="table", title="Stock"))
    assert header == "| City | Stock |"
    assert lines[0] == "| Town 0 | 0 |"
    assert parts(chunk("A. B.")) == ("", ["A.", "B."])
    assert parts(chunk("no rule here", kind="table")) == ("", ["no rule here"])
