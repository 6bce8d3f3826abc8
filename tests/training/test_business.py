"""Business corpora: answers are computed from the rows, wordings are filled in, and a seed gives the same corpus."""

import json
import random
from datetime import date
from pathlib import Path

import pytest

from training.business.__main__ import corpus, main
from training.business.lexicon import LANGUAGES, Concept, TableSpec, concepts, domains, expand, plural_of, wordings
from training.business.queries import Filter, Query, answer
from training.business.questions import asked_of
from training.business.tables import Column, Table, tables_of

KEYS = ("order_no", "region", "order_date", "quantity", "sales_amount", "paid")
ROWS = [
    dict(zip(KEYS, cells, strict=True))
    for cells in (
        ("O-1", "North", date(2024, 3, 5), 4, 100, True),
        ("O-2", "South", date(2024, 4, 9), 9, 300, False),
        ("O-3", "North", date(2025, 3, 1), 2, 150, True),
        ("O-4", None, date(2025, 8, 1), 1, 250, True),
    )
]


@pytest.fixture
def orders() -> Table:
    spec = domains()["orders"][2]
    return Table(spec, tuple(Column(key, concepts()[key]) for key in KEYS), [dict(row) for row in ROWS])


NORTH = Filter("region", "=", ("North",))


@pytest.mark.parametrize(
    ("query", "gold"),
    [
        (Query("count", (NORTH,)), {"number": 2}),
        (Query("count", (Filter("order_date", "month", ("2024-03",)),)), {"number": 1}),
        (Query("count", (Filter("order_date", "quarter", ("2025-Q1",)),)), {"number": 1}),
        (Query("count", (Filter("order_date", "since", (date(2025, 1, 1),)),)), {"number": 2}),
        (Query("count", (Filter("region", "not", ("North",)),)), {"number": 1}),
        (Query("sum", (NORTH,), "sales_amount"), {"number": 250}),
        (Query("avg", (), "sales_amount"), {"number": 200}),
        (Query("share", (Filter("paid", "=", (True,)), NORTH)), {"number": 66.666667}),
        (Query("share", (NORTH,), "sales_amount"), {"number": 31.25}),
        (Query("list", (NORTH,)), {"items": ["O-1", "O-3"]}),
        (
            Query("lookup", (Filter("order_no", "=", ("O-2",)),), "paid"),
            {"text": "no", "also": ["nein", "non", "false"]},
        ),
        (Query("top", by="quantity"), {"text": "O-2"}),
        (Query("top", by="quantity", k=2, statistic="nth"), {"text": "O-1"}),
        (Query("top", by="quantity", k=2, descending=False), {"items": ["O-4", "O-3"], "ordered": True}),
        (Query("extreme", (), "sales_amount", descending=False), {"number": 100}),
        (Query("latest", by="order_date"), {"text": "O-4"}),
        (Query("group", (), "sales_amount", "region"), {"rows": [["North", 250], ["South", 300]]}),
        (Query("group", (), "", "year", "order_date"), {"rows": [["2024", 2], ["2025", 2]]}),
        (Query("best", (), "", "region"), {"text": "North"}),
        (Query("less", (), "quantity", by="sales_amount", statistic="count"), {"number": 4}),
        (Query("change", (), "sales_amount", by="order_date", periods=(2024, 2025)), None),
        (Query("percent", (NORTH,), "sales_amount", by="order_date", periods=(2024, 2025)), {"number": 50}),
        (Query("count", (Filter("region", "=", ("West",)),)), None),
        (Query("count", (Filter("quantity", ">", (0,)),)), None),
    ],
)
def test_answers_are_computed_from_the_rows(orders: Table, query: Query, gold: dict | None) -> None:
    assert answer(orders, query) == gold


def test_rows_reach_the_table_that_they_refer_to(orders: Table) -> None:
    customer = Column("company", concepts()["company"])
    country = Column("country", concepts()["country"])
    companies = Table(domains()["orders"][0], (customer, country), [{"company": "A", "country": "Italy"}])
    orders.columns = (*orders.columns, Column("customer", concepts()["customer"], target=companies))
    orders.rows = [row | {"customer": "A" if row["quantity"] > 3 else "B"} for row in orders.rows]
    assert answer(orders, Query("count", (Filter("customer.country", "=", ("Italy",)),))) == {"number": 2}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_domain_has_questions_in_every_language(language: str) -> None:
    for name, specs in domains().items():
        random_ = random.Random(f"{name} {language}")
        asked = asked_of(tables_of(specs, language, random_), language, random_, 12)
        assert len(asked) >= 10, name
        for one in asked:
            assert not set("{}[|~") & set(one.question), one.question
            assert set(one.answer) & {"number", "text", "items", "rows", "none"}


def test_the_lexicon_is_complete() -> None:
    assert len(domains()) >= 40
    frames = {c.options["frame"] for c in concepts().values() if "frame" in c.options}
    assert all(f"frame {frame}" in wordings("en") for frame in frames)
    for specs in domains().values():
        names = {spec.name for spec in specs}
        for spec in specs:
            assert isinstance(spec, TableSpec)
            assert all(isinstance(concepts()[c], Concept) for c, _ in spec.columns)
            assert {m[1:] for _, m in spec.columns if m.startswith("@")} <= names


def test_words() -> None:
    assert [plural_of(n) for n in ("delivery", "stay", "piece of equipment", "batch")] == [
        "deliveries", "stays", "pieces of equipment", "batches",
    ]  # fmt: skip
    assert {expand("[a|b[c|d]]x ~desc", random.Random(n)) for n in range(20)} == {"ax", "bcx", "bdx"}


def test_a_seed_gives_the_same_corpus(tmp_path: Path) -> None:
    for name in ("one", "two"):
        main(["--out", str(tmp_path / name), "--domains", "3", "--questions", "20", "--seed", "5"])
    texts = [p for p in sorted((tmp_path / "one").rglob("*")) if p.suffix in (".jsonl", ".csv", ".md")]
    assert len([p for p in texts if p.suffix == ".jsonl"]) == 3
    for path in texts:
        assert path.read_bytes() == (tmp_path / "two" / path.relative_to(tmp_path / "one")).read_bytes()


def test_a_corpus_is_a_folder_of_documents_with_questions(tmp_path: Path) -> None:
    counted = corpus(tmp_path / "a", ("shipments", "staff"), "en", random.Random(2), 40)
    asked = [json.loads(line) for line in (tmp_path / "a" / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    assert counted == len(asked) >= 35
    assert [q["id"] for q in asked] == list(range(1, len(asked) + 1))
    assert {q["domain"] for q in asked} == {"shipments", "staff"}
    for question in asked:
        assert all((tmp_path / "a" / file).is_file() for file in question["files"])
        assert question["follows"] is None or question["follows"] < question["id"]


def test_documents_hold_the_rows_that_answers_were_computed_from(tmp_path: Path) -> None:
    checked = 0
    for seed in range(12):
        folder = tmp_path / str(seed)
        corpus(folder, ("orders",), "en", random.Random(seed), 40)
        for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
            asked = json.loads(line)
            if asked["how"] == "count" and all(f.endswith(".csv") for f in asked["files"]):
                lines = [len((folder / f).read_text(encoding="utf-8").splitlines()) - 1 for f in asked["files"]]
                assert asked["answer"] == {"number": sum(lines)}, asked
                checked += 1
    assert checked


def test_questions_are_composed_over_real_files(tmp_path: Path) -> None:
    rows = [
        f"Town {n},{'North' if n % 3 else 'South'},{2019 + n % 4},{'yes' if n % 2 else 'no'},{n * 37}"
        for n in range(30)
    ]
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "towns.csv").write_text(
        "townName,region,year,is_coastal,Visitors\n" + "\n".join(rows) + "\n", encoding="utf-8"
    )
    (tmp_path / "given" / "small.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    main(["--out", str(tmp_path / "out"), "--tables", str(tmp_path / "given"), "--questions", "30"])
    folder = tmp_path / "out" / "public-000"
    asked = [json.loads(line) for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(asked) >= 25
    assert {q["domain"] for q in asked} == {"towns"}
    written = (folder / asked[0]["files"][0]).read_text(encoding="utf-8").splitlines()
    assert sorted(written[0].split(",")) == sorted(["townName", "region", "year", "is_coastal", "Visitors"])
    assert len(written) == 31
    (whole,) = {q["answer"]["number"] for q in asked if q["how"] == "count"} or {30}
    assert whole == 30


def test_tables_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    corpus(tmp_path / "a", ("invoices", "invoices"), "en", random.Random(4), 10)
    names = [p.name for p in (tmp_path / "a" / "docs").iterdir()]
    assert len(names) == 4
