"""Rights of API keys over tables, columns and rows: attempts to see more, on each kind of database."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from tablerag.agent.confirming import confirmed_entry
from tablerag.cli.doctor import check
from tablerag.ingestion.connecting import connect
from tablerag.ingestion.pipeline import ingest
from tablerag.tools import evidence
from tablerag.tools.access.api_keys import ApiKeys
from tablerag.tools.access.restricted import RestrictedServices, check_may_write, services_for
from tablerag.tools.access.rights import read_rights
from tablerag.tools.access.row_filters import misfits
from tablerag.tools.errors import AccessDenied, SqlProblem, TableRagError
from tablerag.tools.knowledge.entries import ConfirmedEntry
from tablerag.tools.records import Member, TableSchema
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.model_server import ModelServer
from tests.support.mysql_server import MysqlServer
from tests.tools.access.guarded_documents import CELLS, MARKS, RIGHTS
from tests.tools.connections.test_sqlite import run

KEY = "emea-key"
WIDE = {"*": "floor = 1"}
ORDERS = "CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT, region TEXT, margin REAL)"
ORDERED = "INSERT INTO orders VALUES (1,'pen','EMEA',0.51515),(2,'Zircon','US',0.62626),(3,'ink','EMEA',0.73737)"


def filled(folder: Path, database_url: str = "") -> Services:
    """Return services with the documents and a connected database, for one key with rights."""
    documents = folder / "documents"
    documents.mkdir()
    for name, text in CELLS.items():
        (documents / name).write_text(text, encoding="utf-8")
    run(folder / "shop.db", ORDERS, ORDERED)
    keys = json.dumps({KEY: RIGHTS, "all": ["*"]})
    services = Services(Settings(home=folder / "home", database_url=database_url, api_keys=keys, llm_model="offline"))
    ingest([documents], services, "default")
    connect(services, "default", "shop", f"sqlite:///{folder / 'shop.db'}")
    return services


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    services = filled(tmp_path_factory.mktemp("rights"))
    yield services
    services.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, mysql_server: MysqlServer) -> Iterator[Services]:
    with mysql_server.fresh_database() as url:
        services = filled(tmp_path_factory.mktemp("rights"), url)
        yield services
        services.close()


def seen_by(whole: Services) -> RestrictedServices:
    services = services_for(whole, whole.settings.api_keys.owner_of(KEY))
    assert isinstance(services, RestrictedServices)
    return services


def reply(services: Services, sql: str) -> str:
    """Return all that a statement says: its rows, what they were computed from, or why it is refused."""
    try:
        result, supporting = evidence.run_sql(services, sql, services.catalog.tables("default"))
    except (TableRagError, SqlProblem) as error:
        return f"{type(error).__name__}: {error}"
    return json.dumps([r.model_dump(mode="json") for r in (result, *supporting)], default=str)


def leaks(said: str, asked: str) -> list[str]:
    return [m for m in MARKS if m.casefold() in said.casefold() and m.casefold() not in asked.casefold()]


JOINED = [
    "SELECT * FROM orders",
    "SELECT margin FROM orders",
    "SELECT COUNT(*) FROM orders",
    "SELECT item FROM orders WHERE id = 2",
    "SELECT MAX(item) FROM orders",
    "SELECT o.item, s.name FROM orders AS o JOIN staff AS s ON s.region = o.region",
    "SELECT o.item FROM orders AS o JOIN teams AS t ON t.floor = o.id",
    "SELECT s.name, n.n FROM staff AS s, (SELECT COUNT(*) AS n FROM orders) AS n",
    "SELECT item FROM orders UNION SELECT name FROM staff",
    "SELECT t.team FROM teams AS t WHERE t.floor IN (SELECT id FROM orders WHERE margin > 0.6)",
]


@pytest.mark.parametrize("sql", JOINED)
@pytest.mark.parametrize("database", ["embedded", "served"])
def test_no_statement_over_a_connected_database_shows_more(
    request: pytest.FixtureRequest, database: str, sql: str
) -> None:
    whole: Services = request.getfixturevalue(database)
    said, everything = reply(seen_by(whole), sql), reply(whole, sql)
    marks = [m for m in MARKS if m in said and m not in sql]
    assert marks == [], said
    assert said != everything


QUESTIONS = [
    "What is the total salary of the staff?",
    "Which staff earn more than 50000?",
    "Who has the highest salary?",
    "What is the salary of Quillon?",
    "How many staff are there?",
    "How many staff work in the region US?",
    "Which staff are in the region APAC?",
    "What is the bonus of Vesper?",
    "What is the total bonus?",
    "What did the board agree?",
    "How much does Quillon earn?",
    "List all staff with their IBAN",
    "Who is in team Jade?",
    "What is the margin of Zircon?",
    "How many orders are there?",
    "Which visitors are there?",
    "Who visited for 8 minutes?",
    "What is the iban of Ada?",
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_answer_shows_more(embedded: Services, question: str) -> None:
    """The reasoner reads rows and values of its own, and offers and explains what it did not answer."""
    from tablerag.client import TableRAG

    TableRAG.over(embedded, corpus="default").ask(question)  # what is cached for others is not for the key
    answer = TableRAG.over(seen_by(embedded), corpus="default").ask(question)
    assert leaks(repr(answer), question) == []


@pytest.mark.parametrize("text", ["Quillon earns", "salary 98765", "bonus Vesper", "staff region team", "board June"])
def test_no_chunk_shows_more(embedded: Services, text: str) -> None:
    services = seen_by(embedded)
    chunks, schemas = evidence.search(services, text, corpus="default", recall_n=30, top_k=5, tables=10)
    opened, more = evidence.opening(services, text, corpus="default", recall_n=30, top_k=5)
    hints = services.value_linker.hints(text, schemas)
    said = repr([*chunks, *schemas, *opened, *more, *hints]) + services.catalog.tables("default").__repr__()
    dumped = json.dumps([s.model_dump(mode="json") for s in (*schemas, *more)])
    shown = said if "whole=" not in said else dumped + repr([*chunks, *opened, *hints])
    assert leaks(shown, text) == []
    assert leaks(dumped, text) == []


def test_a_table_seen_in_part_is_still_found_and_counted(embedded: Services) -> None:
    services = seen_by(embedded)
    _, schemas = evidence.search(services, "staff by team", corpus="default", recall_n=30, top_k=3, tables=10)
    staff = next(s for s in schemas if s.name == "staff")
    assert ([c.name for c in staff.columns], staff.row_count) == (["name", "region", "team"], 2)
    assert all(not c.examples for c in staff.columns)
    assert evidence.run_sql(services, "SELECT name FROM staff ORDER BY name", schemas)[0].rows == (("Ada",), ("Cid",))


def _renamed(orders: TableSchema) -> TableSchema:
    """Return a connected table whose item is read from the column that is hidden."""
    assert orders.origin
    return orders.model_copy(
        update={"origin": orders.origin.model_copy(update={"names": orders.origin.names | {"item": "margin"}})}
    )


@pytest.mark.parametrize("change", ["row_filter", "columns", "stored_as", "name", "origin", "members"])
def test_a_rewritten_schema_shows_no_more(embedded: Services, change: str) -> None:
    """The owner of a thread can rewrite its state, and the schemas in it."""
    services = seen_by(embedded)
    every = {s.name: s for s in embedded.catalog.tables("default")}
    seen = next(s for s in services.catalog.tables("default") if s.name == "staff")
    given: dict[str, TableSchema] = {
        "row_filter": seen.model_copy(update={"row_filter": None}),
        "columns": every["staff"],
        "stored_as": every["teams"].model_copy(update={"stored_as": every["payroll"].stored_as}),
        "name": every["payroll"].model_copy(update={"name": "teams"}),
        "origin": _renamed(next(s for s in services.catalog.tables("default") if s.name == "orders")),
        "members": every["teams"].model_copy(
            update={
                "members": (
                    Member(
                        name="payroll",
                        stored_as=every["payroll"].stored_as,
                        source="payroll.csv",
                        columns={"team": "person", "floor": "bonus"},
                    ),
                )
            }
        ),
    }
    forged = given[change]
    with pytest.raises(SqlProblem, match="may not see all of"):
        evidence.result_of(services, f"SELECT * FROM {forged.name}", [forged])
    try:
        read = services.rows(forged)
    except SqlProblem:
        return
    assert leaks(repr(read), "") == []


def test_confirmed_answers_over_hidden_tables_are_not_shown(embedded: Services) -> None:
    for question, sql in (
        ("How many floors?", "SELECT COUNT(*) FROM teams"),
        ("Who earns most?", "SELECT name FROM staff ORDER BY salary DESC LIMIT 1"),
        ("Where is Quillon?", "SELECT region FROM staff WHERE name = 'Quillon'"),
        ("Bonus of Vesper?", "WITH p AS (SELECT * FROM payroll) SELECT bonus FROM p WHERE person = 'Vesper'"),
    ):
        entry = ConfirmedEntry(question=question, sql=sql, answer="98765", line=1)
        embedded.knowledge.confirm("default", entry)
    services = seen_by(embedded)
    try:
        assert [e.question for e in services.knowledge.of("default").confirmed] == ["How many floors?"]
        assert services.knowledge.text("default") == ("", "")
        with pytest.raises(AccessDenied):
            services.knowledge.confirm("elsewhere", entry)
        assert not services.knowledge.withdraw("default", "How many floors?")
        with pytest.raises(AccessDenied):
            services.knowledge.save("default", "terms: {A: b}", "knowledge.yaml")
        with pytest.raises(AccessDenied):
            check_may_write(services)
        assert not services.knowledge.of("elsewhere").confirmed
    finally:
        embedded.knowledge.remove("default")


def test_a_key_with_rights_confirms_answers_for_itself(embedded: Services) -> None:
    question, sql = "How many people are in the team?", "SELECT COUNT(*) AS n FROM staff"
    shared = ConfirmedEntry(question=question, sql="SELECT COUNT(*) AS n FROM teams", answer="4", line=1)
    embedded.knowledge.confirm("default", shared)
    keys = json.dumps({KEY: RIGHTS, "other": RIGHTS, "all": ["default"]})
    mine, other, every = (
        services_for(Services(embedded.settings.model_copy(update={"api_keys": ApiKeys.read(keys)})), owner)
        for owner in map(ApiKeys.read(keys).owner_of, (KEY, "other", "all"))
    )
    try:
        entry, result = confirmed_entry(mine, "default", mine.catalog.tables("default"), question, sql, "EMEA desk")
        assert result.rows == ((2,),), "of the rows that the key sees"
        mine.knowledge.confirm("default", entry)
        assert [(e.sql, e.by) for e in mine.knowledge.of("default").confirmed] == [(entry.sql, "EMEA desk")]
        assert [e.sql for e in other.knowledge.of("default").confirmed] == [shared.sql]
        assert [e.sql for e in embedded.knowledge.of("default").confirmed] == [shared.sql]
        assert leaks(repr(other.knowledge.of("default")), "") == []
        assert mine.knowledge.withdraw("default", question)
        assert [e.sql for e in mine.knowledge.of("default").confirmed] == [shared.sql]
        every.knowledge.confirm("default", entry)
        assert [e.by for e in embedded.knowledge.of("default").confirmed] == ["EMEA desk"], "this key sees all tables"
    finally:
        embedded.knowledge.remove("default")


def test_a_key_without_rights_has_the_deployment_s_own_services(embedded: Services) -> None:
    keys = embedded.settings.api_keys
    assert services_for(embedded, keys.owner_of("all")) is embedded
    assert services_for(embedded, None) is embedded
    stranger = services_for(embedded, "key-unknown")
    assert stranger.catalog.corpora() == [] and stranger.catalog.tables("default") == []
    check_may_write(embedded)


@pytest.mark.parametrize(
    ("rights", "seen"),
    [
        ({"hidden": {"staff": ["nowhere"]}}, None),
        ({"hidden": {"*": ["nowhere"]}}, ["name", "region", "team", "salary", "iban"]),
        ({"hidden": {"*": ["salary"]}}, ["name", "region", "team", "iban"]),
        ({"hidden": {"staff": ["name", "region", "team", "salary", "iban"]}}, None),
        ({"rows": {"staff": "nowhere = 1"}}, None),
        ({"rows": WIDE}, None),
        ({"tables": ["s*"]}, ["name", "region", "team", "salary", "iban"]),
        ({"tables": ["S[t]aff"]}, None),
        ({"connections": []}, ["name", "region", "team", "salary", "iban"]),
    ],
)
def test_what_does_not_fit_a_table_closes_it(
    embedded: Services, rights: dict[str, Any], seen: list[str] | None
) -> None:
    services = RestrictedServices(embedded, read_rights(rights), None, "")
    found = {s.name: [c.name for c in s.columns] for s in services.catalog.tables("default")}
    assert found.get("staff") == seen
    assert ("orders" in found) is (
        "connections" not in rights and "tables" not in rights and rights.get("rows") != WIDE
    )


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ({"corpora": ["*"], "columns": {}}, "key 1 has an unknown field 'columns': expected name, corpora"),
        ({"tables": ["a"]}, "key 1 has no list of corpora"),
        ({"corpora": ["*"], "tables": "a"}, "key 1 tables must be a list of names"),
        ({"corpora": ["*"], "hidden": ["a"]}, "key 1 hidden must name the columns"),
        ({"corpora": ["*"], "rows": {"a": "SLEEP(9) = 1"}}, "key 1 rows of 'a': .* may compare columns with values"),
        ({"corpora": ["*"], "rows": {"a": "x = (SELECT 1)"}}, "may compare columns with values only, not use"),
        ({"corpora": ["*"], "rows": {"a": "b.x = 1"}}, "not use a name with a dot"),
        ({"corpora": ["*"], "rows": {"a": "1 = 1"}}, "names no column"),
        ({"corpora": ["*"], "rows": {"a": "x = 1; DROP TABLE a"}}, "invalid condition"),
        ({"corpora": ["*"], "rows": {"a": "x ="}}, "invalid condition 'x ='"),
    ],
)
def test_wrong_rights_are_refused_without_the_key(value: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says) as error:
        ApiKeys.read(json.dumps({"emea-4f1c": value}))
    assert "4f1c" not in str(error.value)


def test_doctor_names_rules_that_fit_no_table(embedded: Services) -> None:
    every = embedded.catalog.tables("default")
    rights = {"tables": ["staff", "stuff", "teams"], "hidden": {"staff": ["pay"]}, "rows": {"s*": "floor = 1"}}
    assert list(misfits(every, read_rights(rights))) == [
        "tables: no table is called 'stuff': run `tablerag tables`",
        "table staff is closed: a rule for it names a column that it lacks, or hides all of them",
    ]
    assert [f.says for f in check(embedded, "default") if f.what.startswith("rights")] == [
        "tables: no table is called 'shop*': run `tablerag tables`"
    ]


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("How many staff are there?", "2"),
        ("Which staff are in team Blue?", "Cid"),
        ("How many staff are there in each team?", "Blue"),
        ("Which floor is team Red on?", "1"),
    ],
)
def test_what_the_key_sees_is_answered(embedded: Services, question: str, right: str) -> None:
    from tablerag.client import TableRAG

    answer = TableRAG.over(seen_by(embedded), corpus="default").ask(question)
    assert right in answer.text, answer
    assert answer.verdict == "sql_only"


def test_tables_seen_in_part_are_joined_with_documents(embedded: Services) -> None:
    services = seen_by(embedded)
    joined = "SELECT o.item, t.team FROM orders AS o JOIN teams AS t ON t.floor = o.id ORDER BY 1"
    result, _ = evidence.run_sql(services, joined, services.catalog.tables("default"))
    assert result.rows == (("ink", "Jade"), ("pen", "Red"))


def test_a_model_is_shown_what_the_key_sees(embedded: Services, model_server: ModelServer) -> None:
    from tablerag.client import TableRAG

    served = embedded.settings.model_copy(
        update={"openai_base_url": model_server.url, "openai_api_key": SecretStr("k")}
    )
    whole = Services(served)
    restricted = services_for(whole, served.api_keys.owner_of(KEY))
    model_server.enqueue({"sql": "SELECT COUNT(*) FROM staff WHERE team = 'Blue'"}, {"answer": "1"})
    answer = TableRAG.over(restricted, corpus="default", model="openai:test").ask("How many staff are in team Blue?")
    said = json.dumps([r["messages"] for r in model_server.requests])
    whole.close()
    assert answer.value == 1
    assert "table `staff` (2 rows)" in said and "Ada" in said
    assert leaks(said, "") == [] and "salary" not in said.casefold()
