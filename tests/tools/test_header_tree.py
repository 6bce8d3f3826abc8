"""Header trees from what is stored."""

from pathlib import Path

from tablerag.ingestion.pipeline import ingest
from tablerag.tools.header_tree import column_tree, row_tree
from tablerag.tools.services import Services

REPORT = """<table><tr><th rowspan=2>Item<th colspan=2>2023<th colspan=2>2024</tr>
<tr><th>Q1<th>Q2<th>Q1<th>Q2</tr><tr><td>Revenues:<td><td><td><td></tr>
<tr><td>Goods<td>1<td>2<td>3<td>4</tr><tr><td>Services<td>5<td>6<td>7<td>8</tr>
<tr><td>Costs:<td><td><td><td></tr><tr><td>Pay<td>9<td>10<td>11<td>12</tr></table>"""


def test_the_trees_of_columns_and_rows(tmp_path: Path, services: Services) -> None:
    (tmp_path / "report.html").write_text(REPORT, encoding="utf-8")
    ingest([tmp_path / "report.html"], services, "default")
    (schema,) = services.catalog.schemas("default")
    columns = column_tree(schema)
    assert [(n.text, [c.text for c in n.children]) for n in columns.children] == [
        ("Item", []),
        ("2023", ["Q1", "Q2"]),
        ("2024", ["Q1", "Q2"]),
    ]
    assert columns.children[1].all_leaves() == ["n_2023_q1", "n_2023_q2"]
    assert schema.row_path == ("section",)
    rows = row_tree(schema, services.database)
    assert [(n.text, [c.text for c in n.children]) for n in rows.children] == [
        ("Revenues", ["Goods", "Services"]),
        ("Costs", ["Pay"]),
    ]
    assert rows.all_leaves() == ["1", "2", "3"]
