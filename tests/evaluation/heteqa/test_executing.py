"""Both programs of a candidate over a real table, and when their results agree."""

from collections.abc import Iterator

import pytest

from tablerag.evaluation.heteqa.agreement import cells_agree, judge, shown
from tablerag.evaluation.heteqa.executing import Execution, Executor
from tablerag.evaluation.heteqa.ties import tie_probes
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.sandbox.process import Sandbox
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

TEAMS = "Team,City,Points,Founded\nLions,Bern,30,1901\nBears,Bern,20,1950\nOwls,Genf,20,1930\nCats,Basel,10,\n"


@pytest.fixture(scope="module")
def executor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Executor]:
    folder = tmp_path_factory.mktemp("teams")
    (folder / "teams.csv").write_text(TEAMS, encoding="utf-8")
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    ingest([folder / "teams.csv"], services, "teams")
    with Sandbox() as sandbox:
        executor = Executor(services, sandbox)
        cells = executor.load(services.catalog.schemas("teams")[0])
        assert cells["points"] == [30, 20, 20, 10]
        yield executor
    services.close()


@pytest.mark.parametrize(
    ("sql", "pandas", "value"),
    [
        ("SELECT SUM(points) FROM teams WHERE city = 'Bern'", "df[df['city'] == 'Bern']['points'].sum()", 50),
        ("SELECT team FROM teams ORDER BY points DESC LIMIT 1", "df.nlargest(1, 'points')['team'].iloc[0]", "Lions"),
        ("SELECT city FROM teams GROUP BY city ORDER BY COUNT(*) DESC LIMIT 1", "df['city'].mode()", "Bern"),
        ("SELECT AVG(points) FROM teams", "df['points'].mean()", 20.0),
    ],
)
def test_agreeing_programs_give_the_value(executor: Executor, sql: str, pandas: str, value: object) -> None:
    judgement = judge(executor.execute(sql, pandas))
    assert judgement.kept and judgement.value == value


@pytest.mark.parametrize(
    ("sql", "pandas", "reason"),
    [
        ("SELECT SUM(points) FROM teams", "df['points'].max()", "disagree"),
        ("SELECT team FROM teams ORDER BY points DESC LIMIT 1 OFFSET 1", "'Bears'", "tied"),
        ("SELECT team FROM teams ORDER BY points DESC LIMIT 1 OFFSET 2", "'Owls'", "tied"),
        ("SELECT SUM(points) FROM teams WHERE city = (SELECT city FROM teams GROUP BY city ORDER BY COUNT(*) LIMIT 1)",
         "20", "tied"),
        ("SELECT team FROM teams WHERE city = 'Bern'", "'Lions'", "several"),
        ("SELECT team, points FROM teams LIMIT 1", "'Lions'", "several"),
        ("SELECT team FROM teams WHERE city = 'Chur'", "'Lions'", "empty"),
        ("SELECT founded FROM teams WHERE team = 'Cats'", "df['founded'].iloc[3]", "empty"),
        ("SELECT goals FROM teams", "1", "sql"),
        ("DELETE FROM teams", "1", "sql"),
        ("SELECT 1 FROM teams LIMIT 1", "df['goals']", "pandas"),
        ("SELECT COUNT(*) FROM teams WHERE points > 99", "len(df[df['points'] > 99])", "trivial"),
    ],
)  # fmt: skip
def test_what_is_not_one_agreed_value_is_not_kept(executor: Executor, sql: str, pandas: str, reason: str) -> None:
    judgement = judge(executor.execute(sql, pandas))
    assert (judgement.kept, judgement.reason) == (False, reason)


def test_probes_ask_for_the_keys_on_both_sides_of_each_cut() -> None:
    sql = "WITH c AS (SELECT city, SUM(points) AS p FROM teams GROUP BY city) SELECT city FROM c ORDER BY p LIMIT 2, 1"
    (probe,) = tie_probes(sql)
    assert probe.cuts == (2, 3)
    assert probe.sql.startswith("WITH c AS") and probe.sql.endswith("SELECT p AS key_0 FROM c ORDER BY p LIMIT 4")
    (aliased,) = tie_probes("SELECT city, COUNT(*) AS n FROM teams GROUP BY city ORDER BY n DESC LIMIT 1")
    assert "ORDER BY COUNT(*) DESC LIMIT 2" in aliased.sql
    assert list(tie_probes("SELECT city FROM teams LIMIT 1")) == []


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [(2, 2.0, True), (1e9, 1e9 + 1, True), (2, 2.1, False), ("a", "a", True), ("a", "A", False), (1, "1", False)],
)
def test_numbers_agree_to_a_millionth_and_texts_to_the_letter(a: object, b: object, same: bool) -> None:
    assert cells_agree(a, b) is same


def test_numbers_are_shown_rounded_half_up() -> None:
    assert [shown(v, 2) for v in (2.345, 12.0, 1e9, -0.5, "Ada", True)] == [
        "2.35", "12", "1000000000", "-0.5", "Ada", "True",
    ]  # fmt: skip


def test_the_first_reason_is_given_with_what_was_found() -> None:
    judgement = judge(Execution(((1,),), ((2,),)))
    assert judgement.detail == "SQL found 1, pandas 2"
