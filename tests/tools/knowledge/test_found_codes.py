"""Codes that a handbook explains are read in questions, without any command."""

import json
from pathlib import Path

import pytest

from tablerag import TableRAG
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.access.restricted import services_for
from tablerag.tools.knowledge.drafting import drafted
from tablerag.tools.knowledge.found_codes import found_codes, with_codes
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

WEIGHTS = [i * 37 % 101 for i in range(30)]
HANDBOOK = (
    "# Handbook\n\nLines carry a state: O open, C cancelled, R returned by the customer. Zones are near (N) and far.\n"
)


@pytest.fixture
def rag(services: Services, tmp_path: Path) -> TableRAG:
    rows = "".join(f"SO-{1000 + i},{'OCR'[i % 3]},Q{1 + i % 4},{weight}\n" for i, weight in enumerate(WEIGHTS))
    (tmp_path / "order_lines.csv").write_text(f"Line No,State,Quarter,Weight (kg)\n{rows}")
    (tmp_path / "handbook.md").write_text(HANDBOOK)
    rag = TableRAG.over(services)
    rag.ingest([tmp_path / "order_lines.csv", tmp_path / "handbook.md"])
    return rag


def test_a_question_uses_the_words_of_the_handbook(rag: TableRAG) -> None:
    answer = rag.ask("How many order lines were cancelled?")
    assert (answer.value, answer.sql) == (10, ("SELECT COUNT(*) AS `result` FROM `order_lines` WHERE `state` = 'C'",))
    assert "State “C” means “cancelled”, as defined in handbook.md." in answer.explanation
    others = rag.ask("How many order lines were not cancelled?")
    assert others.value == 20 and "State “C” means “cancelled”, as defined in handbook.md." in others.explanation
    assert rag.ask("What is the total weight of cancelled order lines?").value == sum(WEIGHTS[1::3])


def test_a_term_stands_for_what_a_code_means(rag: TableRAG) -> None:
    rag.services.knowledge.save("default", "terms: {RTB: returned by the customer}", "k.yaml")
    answer = rag.ask("How many order lines were RTB?")
    assert answer.value == 10 and "State “R” means" in answer.explanation
    assert "“RTB” read as “returned by the customer”, as defined in k.yaml, line 1." in answer.explanation


def test_what_is_found_follows_the_documents(rag: TableRAG, tmp_path: Path) -> None:
    known = found_codes(rag.services, "default")
    assert [list(of_table) for of_table in known.values()] == [["state"]], "quarters are no codes"
    (tmp_path / "handbook.md").write_text(HANDBOOK.replace("cancelled", "void"))
    rag.ingest(tmp_path / "handbook.md")
    ((says, source),) = [
        pair for of_table in found_codes(rag.services, "default").values() for pair in of_table.values()
    ]
    assert (says, source) == ("C: void; O: open; R: returned by the customer", "handbook.md")
    rag.remove("handbook.md")
    assert found_codes(rag.services, "default") == {}


def test_knowledge_comes_before_what_is_found(rag: TableRAG) -> None:
    rag.services.knowledge.save("default", 'tables: {order_lines: {columns: {state: "C: counted"}}}', "k.yaml")
    assert rag.ask("How many order lines were counted?").value == 10
    schema = rag.tables()[0]
    described = schema.model_copy(
        update={"columns": tuple(c.model_copy(update={"about": "x"}) for c in schema.columns)}
    )
    (kept,) = with_codes([described], found_codes(rag.services, "default"))
    assert [c.about for c in kept.columns] == ["x"] * len(kept.columns)


@pytest.mark.parametrize(
    "text",
    [
        "O open orders and C class.",  # one is no list
        "In O we trust, C is a letter, R is one too.",
        "See annex O, C and R.",
    ],
)
def test_a_text_that_explains_nothing(rag: TableRAG, tmp_path: Path, text: str) -> None:
    (tmp_path / "handbook.md").write_text(f"# Handbook\n\n{text}\n")
    rag.ingest(tmp_path / "handbook.md")
    assert found_codes(rag.services, "default") == {}


@pytest.fixture
def shop(services: Services, tmp_path: Path) -> TableRAG:
    customers = ("Galerie Lune", "Dorn GmbH", "Fjord AS")
    rows = "".join(f"SO-{1000 + i},{customers[i % 3]},{('SX'[i % 2], 'C', 'R')[i % 3]}\n" for i in range(30))
    (tmp_path / "orders.csv").write_text(f"Order No,Customer,Status\n{rows}")
    (tmp_path / "projects.csv").write_text("Project,State\nEos,P\nBoreas,A\nZephyr,D\nNotus,D\n")
    (tmp_path / "handbook.md").write_text(
        "# Handbook\n\nStatus: S shipped, C cancelled, R returned by the customer, X open.\n\n"
        "The state of a project is P = planned, A = active or D = done.\n"
    )
    rag = TableRAG.over(services)
    rag.ingest([tmp_path / name for name in ("orders.csv", "projects.csv", "handbook.md")])
    return rag


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many orders were returned?", 10),  # the first words of what R stands for
        ("How many orders were cancelled or returned?", 20),
        ("How many projects are done?", 2),
        ("How many cancelled orders does Dorn GmbH have?", 10),
        ("How many open orders does Fjord AS have?", None),  # it has none: never all of its orders
        ("How many open orders does Dorn GmbH have?", None),
    ],
)
def test_no_code_of_a_question_is_left_out(shop: TableRAG, question: str, value: int | None) -> None:
    assert shop.ask(question).value == value


def test_a_list_of_codes_is_no_answer(shop: TableRAG) -> None:
    assert shop.ask("Which customers have open orders?").verdict == "none"


@pytest.mark.parametrize("question", ["What does status R mean?", "What does the code R of an order stand for?"])
def test_what_a_code_means_is_told(shop: TableRAG, question: str) -> None:
    assert shop.ask(question).value == "returned by the customer"


def test_a_key_reads_codes_of_documents_that_it_sees(tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("Order No,Region,Status\n1,North,O\n2,South,O\n3,North,C\n4,North,C\n")
    rights = {
        "open": {"rows": {"orders": "region = 'North'"}},
        "shut": {"rows": {"orders": "region = 'North'"}, "tables": ["orders"]},
    }
    (tmp_path / "handbook.md").write_text(
        "# Handbook\n\nStatus: O open, C cancelled.\n\n| Person | Bonus |\n|---|---|\n| Ann | 5 |\n| Bo | 6 |\n"
    )
    keys = json.dumps({name: {"corpora": ["default"], **of} for name, of in rights.items()})
    services = Services(Settings(home=tmp_path / "home", model="offline", api_keys=keys, _env_file=None))
    ingest([tmp_path / "orders.csv", tmp_path / "handbook.md"], services, "default")
    found = {
        name: found_codes(services_for(services, services.settings.api_keys.owner_of(name)), "default")
        for name in rights
    }
    services.close()
    assert [set(of) for of in found["open"].values()] == [{"status"}]
    assert not any(found["shut"].values())  # a table of the handbook is not theirs, so neither are its texts


ROWS = "".join(f"T-{1000 + i},{1 + i % 3},{1 + i * 7 % 3},{1 + i % 3},{1 + i % 3}\n" for i in range(30))


@pytest.fixture
def desk(services: Services, tmp_path: Path) -> TableRAG:
    (tmp_path / "tickets.csv").write_text(f"Ticket,Status,Priority,Rating,Floor\n{ROWS}")
    rag = TableRAG.over(services)
    rag.ingest(tmp_path / "tickets.csv")
    return rag


def told(rag: TableRAG, folder: Path, text: str) -> list[dict[str, str]]:
    (folder / "handbook.md").write_text(f"# Handbook\n\n{text}\n")
    rag.ingest(folder / "handbook.md")
    found = found_codes(rag.services, "default")
    return [{column: says for column, (says, _) in of_table.items()} for of_table in found.values()]


def test_numbers_that_a_text_explains_are_codes(desk: TableRAG, tmp_path: Path) -> None:
    for text in (
        "Status: 1 = open, 2 = closed, 3 = cancelled.",
        "The status is 1: open, 2: closed or 3: cancelled.",
        "Ticketstatus\n\n- 1 - open\n- 2 - closed\n- 3 - cancelled",
        "## Status\n\n(1) open, (2) closed, (3) cancelled",
        "Statuses: 1=open 2=closed 3=cancelled",
        "Status 1 means open, status 2 means closed and status 3 means cancelled.",
        "| Status | What it is |\n|---|---|\n| 1 | open |\n| 2 | closed |\n| 3 | cancelled |",
    ):
        assert told(desk, tmp_path, text) == [{"status": "1: open; 2: closed; 3: cancelled"}], text
    told(desk, tmp_path, "Status: 1 = open, 2 = closed, 3 = cancelled.")
    answer = desk.ask("How many tickets are closed?")
    assert (answer.value, answer.sql[0].partition("WHERE ")[2]) == (10, "`status` = 2")
    assert "Status “2” means “closed”, as defined in handbook.md." in answer.explanation
    assert desk.ask("What does status 3 mean?").value == "cancelled"
    assert '"1: open; 2: closed; 3: cancelled"' in drafted(desk.services, "default").replace("'", '"')


def test_other_numbers_of_texts_are_no_codes(desk: TableRAG, tmp_path: Path) -> None:
    for text in (
        "## Status\n\n1. Open the lid\n2. Close the lid\n3. Call us",
        "## Status\n\n1) open\n2) close\n3) call",
        "To change the status: (1) open the lid, (2) close the lid, (3) call the desk.",
        "The status report lists 1 lid, 2 screws and 3 bolts.",
        "Rating: 1 = poor, 2 = fair, 3 = good. Floor: 1 = office, 2 = shop, 3 = attic.",
        "The zone is 1 = near, 2 = far or 3 = abroad.",  # another column than those of the table
        "2.1: Status. 2.2: Closed. 2.3: Open.",
        "Status: 1 = open. It changes in 2 steps: 3 days at most.",  # most are not explained
    ):
        assert told(desk, tmp_path, text) == [], text


def test_numbers_are_those_of_the_column_or_table_that_is_named(services: Services, tmp_path: Path) -> None:
    for name in ("ticket", "project"):
        rows = "".join(f"{name[0]}-{i},{1 + i % 3}\n" for i in range(9))
        (tmp_path / f"{name}s.csv").write_text(f"{name},Status\n{rows}")
    rag = TableRAG.over(services)
    rag.ingest(tmp_path)
    states, both = [{"status": "1: open; 2: closed; 3: cancelled"}], "1 = open, 2 = closed, 3 = cancelled."
    assert told(rag, tmp_path, f"Status: {both}") == states * 2
    assert told(rag, tmp_path, f"The state of a ticket: {both}") == states
    assert told(rag, tmp_path, f"Tickets: {both}") == states
    assert told(rag, tmp_path, "Ticket priority: 1 = low, 2 = medium, 3 = high.") == []


@pytest.mark.parametrize("head", ["Code | Meaning", "Status | Description", "Kürzel | Bedeutung"])
def test_a_table_of_codes_is_read_as_a_sentence_is(shop: TableRAG, tmp_path: Path, head: str) -> None:
    (tmp_path / "handbook.md").write_text(
        f"# Handbook\n\n## States of orders\n\n| {head} |\n|---|---|\n| S | Shipped |\n| C | Cancelled |\n"
        "| R | Returned by the customer |\n| X | Open |\n"
    )
    shop.ingest(tmp_path / "handbook.md")
    answer = shop.ask("How many orders were returned?")
    assert (answer.value, answer.sql[0].partition("WHERE ")[2]) == (10, "`status` = 'R'")
    place = "as defined in handbook.md, table “States of orders”."
    assert f"Status “R” means “Returned by the customer”, {place}" in answer.explanation
    assert shop.ask("How many cancelled orders does Dorn GmbH have?").value == 10
    assert shop.ask("How many open orders does Fjord AS have?").value is None
    assert "R: Returned by the customer" in drafted(shop.services, "default")
    assert shop.ask("What does status R mean?").value == "Returned by the customer"


def test_tables_that_are_united_share_their_codes(services: Services, tmp_path: Path) -> None:
    for year, zones in ((2024, 2), (2025, 3)):
        rows = "".join(f"SO-{year}-{i},{'SCR'[i % 3]},{1 + i % zones}\n" for i in range(30))
        (tmp_path / f"orders_{year}.csv").write_text(f"Order No,Status,Zone\n{rows}")
    (tmp_path / "handbook.md").write_text(
        "# Handbook\n\nZone: 1 = near, 2 = remote, 3 = abroad. Status: S shipped, C cancelled, R returned.\n"
    )
    rag = TableRAG.over(services)
    rag.ingest(tmp_path)
    for question, value in (("How many orders were returned?", 20), ("How many remote orders are there?", 25)):
        answer = rag.ask(question)
        assert answer.value == value and "as defined in handbook.md." in answer.explanation


def test_a_list_of_things_is_no_table_of_codes(shop: TableRAG, tmp_path: Path) -> None:
    (tmp_path / "teams.csv").write_text("Team,Lead,Status\nS,Ann,active\nC,Bo,active\nR,Cy,paused\nX,Di,active\n")
    (tmp_path / "handbook.md").unlink()
    shop.remove("handbook.md")
    shop.ingest(tmp_path / "teams.csv")
    assert found_codes(shop.services, "default") == {}
    assert shop.ask("How many teams are paused?").value == 1


def test_a_key_reads_codes_of_tables_that_it_sees(tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("Order No,Status\n1,O\n2,O\n3,C\n4,C\n")
    (tmp_path / "book.md").write_text(
        "# Book\n\n## States\n\n| Code | Meaning |\n|---|---|\n| O | open |\n| C | cancelled |\n\n"
        "## Bonus\n\n| Person | Bonus |\n|---|---|\n| Ann | 5 |\n| Bo | 6 |\n"
    )
    rights = {
        "both": {"tables": ["orders", "states"]},
        "one": {"tables": ["orders", "bonus"]},
        "part": {"tables": ["orders", "states"], "rows": {"states": "code = 'O'"}},
        "less": {"tables": ["orders", "states"], "hidden": {"states": ["meaning"]}},
    }
    keys = json.dumps({name: {"corpora": ["default"], **of} for name, of in rights.items()})
    services = Services(Settings(home=tmp_path / "home", model="offline", api_keys=keys, _env_file=None))
    ingest([tmp_path / "orders.csv", tmp_path / "book.md"], services, "default")
    restricted = {name: services_for(services, services.settings.api_keys.owner_of(name)) for name in rights}
    found = {name: found_codes(of, "default") for name, of in restricted.items()}
    answer = TableRAG.over(restricted["one"]).ask("How many orders were cancelled?")
    services.close()
    assert [set(of) for of in found["both"].values()] == [{"status"}]
    assert not found["one"] and not found["part"] and not found["less"]
    assert "means" not in answer.explanation
