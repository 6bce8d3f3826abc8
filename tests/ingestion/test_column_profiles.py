"""Columns that a model describes, at ingest and for knowledge.yaml."""

import json
from pathlib import Path

import duckdb
import pytest

from tablerag import TableRAG
from tablerag.agent.model.rendering import tables_text
from tablerag.ingestion import column_profiles
from tablerag.ingestion.auditing import audit
from tablerag.ingestion.column_profiles import TableToDescribe
from tablerag.ingestion.connecting import connect, sync
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.access.restricted import services_for
from tablerag.tools.evidence import search
from tablerag.tools.knowledge.drafting import drafted
from tablerag.tools.knowledge.resolving import with_rules
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

REPLY = json.dumps({"columns": {"sts": "P for consignments that were packed", "qty": "marmalade jars in a line"}})


@pytest.fixture
def tables(services: Services, tmp_path: Path) -> list[TableToDescribe]:
    rows = "".join(f"{i},{'PQ'[i % 2]},{i}\n" for i in range(8))
    (tmp_path / "lines.csv").write_text(f"No,Sts,Qty\n{rows}")
    (tmp_path / "notes.md").write_text("# Notes\n\nP lines were packed and Q lines wait in the queue.\n")
    TableRAG.over(services).ingest([tmp_path / "lines.csv", tmp_path / "notes.md"])
    return column_profiles.to_describe(services, "default")


def test_the_model_sees_the_columns_and_the_passages_about_their_codes(tables: list[TableToDescribe]) -> None:
    (table,) = tables
    text = column_profiles.prompt(table)
    assert '"sts": {"header": "Sts", "type": "text"' in text
    assert "P lines were packed" in text
    assert column_profiles.estimate(tables).calls == 1


def test_each_table_is_described_once(services: Services, tables: list[TableToDescribe]) -> None:
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return 'Here: {"columns": {"sts": "state of a line", "qty": "Qty", "other": "nothing", "no": 7}}'

    for _ in range(2):
        meant, run = column_profiles.describe(services, tables, "m", ask)
        assert meant == {"lines": {"sts": "state of a line"}}
        assert (run.written, run.failed, len(asked)) == (1, {}, 1)


@pytest.mark.parametrize("reply", ["", "no", "[1]", '{"columns": []}', "{" * 5_000 + "}" * 5_000])
def test_an_unreadable_reply_is_reported(services: Services, tables: list[TableToDescribe], reply: str) -> None:
    meant, run = column_profiles.describe(services, tables, "m", lambda prompt: reply)
    assert (meant, dict(run.failed)) == ({}, {"lines": "the model's replies could not be read"})


def test_nothing_to_explain_is_an_answer(services: Services, tables: list[TableToDescribe]) -> None:
    meant, run = column_profiles.describe(services, tables, "m", lambda prompt: '{"columns": {}}')
    assert (meant, run.failed) == ({"lines": {}}, {})


def never(prompt: str) -> str:
    raise AssertionError("asked again")


def test_profiles_are_stored_with_the_table_and_find_it(
    services: Services, tables: list[TableToDescribe], tmp_path: Path
) -> None:
    (tmp_path / "staff.csv").write_text("Name,Age\nAda,36\nBo,41\n")
    rag = TableRAG.over(services)
    rag.ingest(tmp_path / "staff.csv")
    run = column_profiles.write_profiles(services, "default", tables, "m", lambda prompt: REPLY)
    assert (run.written, run.failed) == (1, {})
    (left,) = column_profiles.to_describe(services, "default")
    column_profiles.write_profiles(services, "default", [left], "m", lambda prompt: '{"columns": {}}')
    assert column_profiles.to_describe(services, "default") == [], "that nothing needs a profile is known, too"
    schema = rag.describe("lines")
    assert [c.profile for c in schema.columns] == ["", *json.loads(REPLY)["columns"].values()]
    assert schema.profiled_by == "m" and not any(c.about for c in schema.columns)
    assert 'perhaps "P for consignments that were packed" (drafted by a model)' in tables_text([schema])
    _, found = search(services, "marmalade", corpus="default", recall_n=30, top_k=1)
    assert [s.source for s in found] == ["lines.csv"]
    assert audit(services).flaws == []
    assert "sts: P for consignments that were packed  # by the model" in drafted(services, "default")
    profiled = schema.model_copy(
        update={"columns": (schema.columns[1].model_copy(update={"profile": "P: packed; Q: q"}),)}
    )
    assert not services.value_linker.hints("packed", [profiled]), "codes are read when a person has accepted them"


def test_what_people_and_texts_say_comes_before_a_profile(
    services: Services, tables: list[TableToDescribe], tmp_path: Path
) -> None:
    column_profiles.write_profiles(services, "default", tables, "m", lambda prompt: REPLY)
    services.knowledge.save("default", 'tables: {lines: {columns: {sts: "P: paid; Q: queued"}}}', "k.yaml")
    text = tables_text(with_rules(services.catalog.schemas("default"), services.knowledge.of("default")))
    assert '"P: paid; Q: queued"' in text and "consignments" not in text and "marmalade jars" in text


def test_a_table_that_did_not_change_keeps_its_profile_and_others_take_it_from_the_cache(
    services: Services, tables: list[TableToDescribe], tmp_path: Path
) -> None:
    column_profiles.write_profiles(services, "default", tables, "m", lambda prompt: REPLY)
    rag = TableRAG.over(services)
    rag.ingest(tmp_path / "lines.csv")
    assert column_profiles.to_describe(services, "default") == []
    (tmp_path / "lines.csv").write_text((tmp_path / "lines.csv").read_text() + "8,P,8\n")
    rag.ingest(tmp_path / "lines.csv")
    again = column_profiles.to_describe(services, "default")
    assert column_profiles.write_profiles(services, "default", again, "m", never).cached == 1
    assert rag.describe("lines").columns[2].profile == "marmalade jars in a line"


def test_a_union_has_the_profiles_of_its_first_table(services: Services, tmp_path: Path) -> None:
    for year in (2024, 2025):
        (tmp_path / f"lines_{year}.csv").write_text(f"No,Sts,Qty\n1,P,{year}\n2,Q,7\n")
    rag = TableRAG.over(services)
    rag.ingest(tmp_path)
    assert any(s.members for s in rag.tables())
    tables = column_profiles.to_describe(services, "default")
    column_profiles.write_profiles(services, "default", tables, "m", lambda prompt: REPLY)
    (union,) = (s for s in rag.tables() if s.members)
    assert [c.profile for c in union.columns if c.profile] == list(json.loads(REPLY)["columns"].values())


def test_a_connected_table_keeps_its_profiles_and_its_own_comments(services: Services, tmp_path: Path) -> None:
    url = f"duckdb:///{tmp_path / 'shop.duckdb'}"

    def change(*statements: str) -> None:
        services.database.connections.close()
        with duckdb.connect(url.removeprefix("duckdb:///")) as connection:
            for statement in statements:
                connection.execute(statement)

    change("CREATE TABLE loads (sts VARCHAR, qty INTEGER)", "INSERT INTO loads VALUES ('P', 1), ('Q', 2)")
    change("COMMENT ON COLUMN loads.sts IS 'state of the load'")
    connect(services, "default", "shop", url, may_write=True)
    tables = column_profiles.to_describe(services, "default")
    assert '"comment": "state of the load"' in column_profiles.prompt(tables[0])
    column_profiles.write_profiles(services, "default", tables, "m", lambda prompt: REPLY)
    change("INSERT INTO loads VALUES ('P', 3)")
    assert sync(services)[0].replaced
    (schema,) = services.catalog.schemas("default")
    assert [(c.about, c.profile) for c in schema.columns] == [
        ("state of the load", ""), ("", "marmalade jars in a line"),
    ]  # fmt: skip
    assert column_profiles.to_describe(services, "default") == [] and audit(services).flaws == []
    change("ALTER TABLE loads ADD COLUMN zone VARCHAR")
    assert sync(services)[0].replaced
    assert len(column_profiles.to_describe(services, "default")) == 1, "a new column is to be described"


def test_a_key_with_rights_sees_no_profiles(tmp_path: Path) -> None:
    keys = json.dumps({"some": {"corpora": ["default"], "tables": ["lines"]}, "all": {"corpora": ["default"]}})
    (tmp_path / "lines.csv").write_text("No,Sts,Qty\n" + "".join(f"{i},{'PQ'[i % 2]},{i}\n" for i in range(8)))
    services = Services(Settings(home=tmp_path / "home", model="offline", api_keys=keys, _env_file=None))
    ingest([tmp_path / "lines.csv"], services, "default")
    tables = column_profiles.to_describe(services, "default")
    column_profiles.write_profiles(services, "default", tables, "m", lambda prompt: REPLY)
    of = {name: services_for(services, services.settings.api_keys.owner_of(name)) for name in ("some", "all")}
    shown = {name: s.catalog.schemas("default")[0].columns[1].profile for name, s in of.items()}
    kinds = {name: {c.kind for c in s.retriever("default").search("marmalade jars")} for name, s in of.items()}
    services.close()
    assert shown == {"some": "", "all": "P for consignments that were packed"}
    assert kinds == {"some": {"table"}, "all": {"table", "profile"}}
