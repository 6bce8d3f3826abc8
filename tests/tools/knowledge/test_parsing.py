"""knowledge.yaml is parsed with lines, and every error names its place."""

import pytest

from tablerag.tools.errors import ConfigError
from tablerag.tools.knowledge.parsing import parse

FILE = """\
terms: {ARR: annual recurring revenue}
synonyms:
  headcount: [employees, staff]
metrics:
  - {name: gross margin, table: sales, unit: "%",
     expression: (SUM(revenue) - SUM(cost)) / SUM(revenue)}
tables:
  orders: {description: one order per row, exclude: "status = 'cancelled'"}
"""


def test_every_entry_has_its_line() -> None:
    known = parse(FILE, "knowledge.yaml")
    assert [(w.word, w.means, w.is_term, w.line) for w in known.words] == [
        ("ARR", ("annual recurring revenue",), True, 1),
        ("headcount", ("employees", "staff"), False, 3),
    ]
    assert [(m.name, m.table, m.unit, m.line) for m in known.metrics] == [("gross margin", "sales", "%", 5)]
    assert [(t.table, t.exclude, t.lines["exclude"]) for t in known.tables] == [("orders", "status = 'cancelled'", 8)]
    assert known.place(5) == "knowledge.yaml, line 5"


@pytest.mark.parametrize("text", ["", "# nothing\n", "terms:\nmetrics:\n"])
def test_a_file_may_be_empty(text: str) -> None:
    assert not parse(text, "k.yaml")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("terms: {A: b\nmetrics: x", "invalid YAML in k.yaml, line 2, column 8: "),
        ("terms: {A: b\nmetrics: x", "what began in line 1, column 8 is not closed"),
        ("terms:\n\tA: b", "invalid YAML in k.yaml, line 2, column 1: found character"),
        ("a: b: c", "invalid YAML in k.yaml, line 1, column 5: mapping values are not allowed"),
        ("terms: @x", "invalid YAML in k.yaml, line 1, column 8: found character"),
        ("terms: {A: 'b\nmetrics: x", "what began in line 1, column 12 is not closed"),
        (
            "words: {A: b}",
            "line 1, column 1: unknown key 'words', expected one of terms, synonyms, metrics,",
        ),
        ("terms: [A]", "line 1, column 8: expected a mapping"),
        ("terms: {A: b, A: c}", "line 1, column 15: 'A' is there twice: delete one"),
        ("terms: {A: {b: c}}", "line 1, column 12: expected a text"),
        ("synonyms: {a: []}", "line 1, column 15: expected a text, got an empty list"),
        ("metrics:\n  - {name: m, table: t}", "line 2, column 5: a metric needs expression"),
        ("confirmed: [{question: q}]", "line 1, column 13: a confirmed answer needs sql"),
        ("metrics: {name: m}", "line 1, column 10: expected a list"),
        ("tables: {t: {colour: red}}", "line 1, column 14: unknown key 'colour'"),
        ("terms: &a {A: b}\nsynonyms: *a", "line 2, column 11: write it out instead of an alias"),
        (f"terms: {{A: {'b' * 2001}}}", "line 1, column 12: expected a text of 1 to 2,000 characters, got 2,001"),
        ("x" * 500_001, "k.yaml has 500,001 characters: expected at most 500,000"),
        ("[" * 5_000, "invalid entry in k.yaml, line 1, column 9: nested too deeply"),
        ("terms: {A: \x00}", "invalid YAML in k.yaml"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(text, "k.yaml")
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
