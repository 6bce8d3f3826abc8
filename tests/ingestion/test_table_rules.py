"""The rule that the page adds to tablerag.yaml: one more at its end, and nothing else changes."""

from pathlib import Path

import pytest

from tablerag.ingestion.overrides import OVERRIDES_FILE, load_overrides
from tablerag.ingestion.table_rules import use_table
from tablerag.tools.errors import ConfigError
from tablerag.tools.records import TableSchema

SCHEMA = TableSchema(table_id="d:t0", name="sales", columns=(), row_count=1, source="a [1].pdf", set_aside=True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# ours\n",
        "tables:\n  - source: b.csv  # as agreed\n    skip: true\n  # the end\n",
        "tables:\n- source: b.csv\n  skip: true",
    ],
)
def test_a_rule_is_added_and_the_rest_stays(tmp_path: Path, text: str) -> None:
    file = tmp_path / OVERRIDES_FILE
    if text:
        file.write_text(text, encoding="utf-8")
    use_table(tmp_path, SCHEMA)
    assert file.read_text(encoding="utf-8").startswith(text.rstrip())
    rules = load_overrides([tmp_path])
    assert rules.for_document("a [1].pdf", tmp_path).for_table("sales", "page 1").use is True
    assert rules.for_document("a 1.pdf", tmp_path).for_table("sales", "page 1").use is None
    assert rules.for_document("b.csv", tmp_path).skips_document is ("b.csv" in text)


def test_a_file_that_cannot_be_added_to_stays_and_the_rule_is_told(tmp_path: Path) -> None:
    file = tmp_path / OVERRIDES_FILE
    file.write_text("tables: [{source: b.csv, skip: true}]\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="does not end in a list of tables.*(?s:.*)use: true"):
        use_table(tmp_path, SCHEMA)
    assert file.read_text(encoding="utf-8") == "tables: [{source: b.csv, skip: true}]\n"
