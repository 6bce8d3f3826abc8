"""The annotator's decisions: saved at once, resumed, undone, and entered by key or by line."""

import fcntl
import io
import itertools
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from tablerag.cli.heteqa_screen import annotate
from tablerag.evaluation.heteqa.annotation import Annotations
from tablerag.evaluation.heteqa.building import DOCUMENTS
from tablerag.evaluation.heteqa.records import QUESTIONS, HeteQuestion, read_questions
from tablerag.tools.errors import ConfigError


def clock() -> Callable[[], str]:
    ticks = itertools.count()
    return lambda: f"2026-01-01T00:00:{next(ticks):02}+00:00"


def screened(folder: Path, keys: str, *lines: str | type[BaseException], colour: bool = False, height: int = 60) -> str:
    """Annotate with scripted keys and lines; return what the screen showed."""
    shown, pressed, typed = io.StringIO(), iter(keys), iter(lines)
    width = 110 if height > 24 else 80
    screen = Console(file=shown, width=width, height=height, force_terminal=colour, highlight=False)

    def edit(prompt: str, text: str) -> str:
        line = next(typed)
        if isinstance(line, str):
            return line
        raise line

    annotate(folder, folder / DOCUMENTS, screen, lambda: next(pressed, ""), edit)
    return shown.getvalue()


def statuses(folder: Path) -> list[str]:
    return [q.status for q in read_questions(folder / QUESTIONS)]


def test_decisions_are_written_and_resumed(copied: Path) -> None:
    annotations = Annotations(copied, clock())
    before = annotations.questions[1]
    annotations.accept(0)
    annotations.fix(1, " New words? ", "42")
    annotations.discard(2, "unclear")
    again = Annotations(copied)
    assert again.next_pending() == 3
    assert again.counts() == {"pending": len(again.questions) - 3, "accepted": 1, "fixed": 1, "discarded": 1}
    fixed = again.questions[1]
    assert (fixed.question, fixed.answer) == ("New words?", "42")
    assert fixed.log[-1].was == {"status": "pending", "question": before.question, "answer": before.answer}
    assert again.questions[2].log[-1].detail == "unclear"


def test_undo_takes_back_one_decision_after_another_across_sessions(copied: Path, built: Path) -> None:
    before = read_questions(built / QUESTIONS)
    now = clock()
    first = Annotations(copied, now)
    first.fix(4, "Other words?", "1")
    first.accept(0)
    second = Annotations(copied, now)
    assert [second.undo(), second.undo(), second.undo()] == [0, 4, None]
    after = read_questions(copied / QUESTIONS)
    assert [(q.status, q.question, q.answer) for q in after] == [(q.status, q.question, q.answer) for q in before]
    assert [d.did for d in after[4].log[-2:]] == ["fixed", "undid"]


def test_an_empty_fix_is_refused(copied: Path) -> None:
    with pytest.raises(ConfigError, match="question and answer must not be blank"):
        Annotations(copied).fix(0, "  ", "42")


def test_keys_decide_one_question_a_screen(copied: Path) -> None:
    shown = screened(copied, "afdsux?q", "Fixed words?", "42", "", "not clear")
    assert statuses(copied)[:5] == ["accepted", "fixed", "pending", "pending", "pending"]
    assert "question 1 of" in shown and "question 4 of" in shown
    assert "undone" in shown and "unknown key 'x'" in shown
    assert "run the same command to continue; 1 accepted, 1 fixed, 0 discarded" in " ".join(shown.split())
    assert "question 3 of" in screened(copied, "q").splitlines()[0]


def test_a_screen_shows_question_table_programs_results_and_passage(copied: Path) -> None:
    question = next(q for q in read_questions(copied / QUESTIONS) if q.bridge)
    shown = screened(copied, "s" * 40)
    flat = re.sub(r"[\s│]+", " ", shown)
    for part in (question.question, question.sql, question.pandas, str(question.sql_result), "SQL found", "Rider"):
        assert re.sub(r"\s+", " ", part) in flat
    assert f"passage, {question.bridge.direction}" in flat and question.bridge.title in flat
    assert "\x1b" not in shown
    assert "\x1b[" in screened(copied, "q", colour=True)


def test_nothing_of_a_record_steers_the_terminal(copied: Path) -> None:
    questions = read_questions(copied / QUESTIONS)
    evil = "a\x1b]0;evil\x07 [red]b[/]"
    changed: dict[str, object] = {k: evil for k in ("question", "answer", "sql", "pandas", "sql_result")}
    hostile: HeteQuestion = questions[0].model_copy(update=changed)
    (copied / QUESTIONS).write_text(hostile.model_dump_json() + "\n", encoding="utf-8")
    shown = screened(copied, "q", colour=True)
    assert "\x1b]0;" not in shown and "[red]b[/]" in shown


def test_a_document_that_is_gone_is_said_and_the_question_shown(copied: Path) -> None:
    for table in (copied / DOCUMENTS / "tables").iterdir():
        table.unlink()
    shown = screened(copied, "q")
    assert "cannot show" in shown and "SQL found" in shown


def test_one_key_without_enter_at_a_real_terminal(copied: Path) -> None:
    primary, secondary = pty.openpty()
    environment = {"PATH": os.environ["PATH"], "TERM": "xterm", "NO_COLOR": "1", "COLUMNS": "100", "LINES": "50"}
    child = subprocess.Popen(
        [sys.executable, "-m", "tablerag.cli.app", "heteqa", "annotate", str(copied)],
        stdin=secondary, stdout=secondary, stderr=secondary, env=environment, close_fds=True,
    )  # fmt: skip
    os.close(secondary)
    try:
        seen = _until(primary, "q quit")
        assert "question 1 of" in seen
        _resize_until_drawn(primary)
        assert "question 1 of" in _until(primary, "q quit"), "it is drawn anew in another size"
        os.write(primary, b"a")
        assert "1 accepted" in _until(primary, "q quit")
        os.write(primary, b"f")
        _until(primary, "question: ")
        os.write(primary, b"\x15\x04")  # the line cleared, then Ctrl-D
        assert "not changed" in _until(primary, "q quit")
        os.write(primary, b"f")
        _until(primary, "question: ")
        os.write(primary, b" Really?\n")
        _until(primary, "answer: ")
        os.write(primary, b"\n")
        _until(primary, "SQL: ")
        os.write(primary, b"\n")
        assert "1 fixed" in _until(primary, "q quit")
        os.write(primary, b"q")
        assert child.wait(timeout=30) == 0
    finally:
        child.kill()
        child.wait()
        os.close(primary)
    fixed = read_questions(copied / QUESTIONS)[1]
    assert (
        fixed.question.endswith("Really?") and fixed.status == "fixed" and fixed.answer == fixed.log[-1].was["answer"]
    )


def _resize_until_drawn(terminal: int) -> None:
    """Resize a terminal until something is drawn, since the first change may come too early."""
    for rows in (24, 30, 24, 30, 24, 30):
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))
        if select.select([terminal], [], [], 5)[0]:
            return


def _until(terminal: int, expected: str, timeout_s: float = 60.0) -> str:
    """Read a terminal until a text appears."""
    seen, end = "", time.monotonic() + timeout_s
    while expected not in seen:
        ready, _, _ = select.select([terminal], [], [], max(end - time.monotonic(), 0))
        assert ready, f"{expected!r} did not show within {timeout_s:g} s: {seen[-500:]}"
        seen += os.read(terminal, 65536).decode("utf-8", "replace")
    return seen


def plain_question(folder: Path) -> HeteQuestion:
    """Return the first question, with a number found by its SQL as the answer."""
    questions = read_questions(folder / QUESTIONS)
    plain = next(q for q in questions if q.bridge is None and isinstance(q.sql_result, (int, float)))
    (folder / QUESTIONS).write_text(plain.model_dump_json() + "\n", encoding="utf-8")
    return plain


def test_a_fixed_statement_is_run_and_kept_and_undone(copied: Path) -> None:
    question = plain_question(copied)
    sql = f"SELECT COUNT(*) FROM `{question.tables[0].sql_name}`"
    screened(copied, "fq", "How many rows are there?", "36", sql)
    (fixed,) = read_questions(copied / QUESTIONS)
    assert (fixed.status, fixed.sql, fixed.sql_result, fixed.answer) == ("fixed", sql, 36, "36")
    Annotations(copied).undo()
    (undone,) = read_questions(copied / QUESTIONS)
    assert (undone.sql, undone.sql_result, undone.answer) == (question.sql, question.sql_result, question.answer)


def test_an_answer_that_sql_does_not_find_is_warned_of(copied: Path) -> None:
    questions = read_questions(copied / QUESTIONS)
    first, second = [q for q in questions if q.bridge is None][:2]
    (copied / QUESTIONS).write_text(f"{first.model_dump_json()}\n{second.model_dump_json()}\n", encoding="utf-8")
    shown = " ".join(screened(copied, "fq", "", "123456", "").split())
    assert f"saved {first.id}, but its SQL finds {first.sql_result}, not 123456" in shown
    assert "but its SQL" not in screened(copied, "fq", "Other words?", "", "")


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("DROP TABLE x", "not changed"),
        ("SELECT 1 FROM nowhere", "not changed"),
        ("SELECT `points` FROM `{table}`", "SQL finds more than one value"),
    ],
)
def test_a_statement_that_does_not_fit_is_told_and_nothing_kept(copied: Path, sql: str, told: str) -> None:
    question = plain_question(copied)
    sql = sql.format(table=question.tables[0].sql_name)
    assert told in " ".join(screened(copied, "fq", "", "", sql).split())
    assert read_questions(copied / QUESTIONS) == [question]


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, EOFError])
@pytest.mark.parametrize("keys", ["fq", "dq"])
def test_an_interrupted_prompt_goes_back_to_the_question(
    copied: Path, keys: str, interrupt: type[BaseException]
) -> None:
    shown = screened(copied, keys, interrupt)
    assert "not changed" in shown and "0 fixed, 0 discarded" in shown
    assert set(statuses(copied)) == {"pending"}


def test_two_annotators_at_once_are_refused(copied: Path) -> None:
    def key() -> str:
        with pytest.raises(ConfigError, match="another process is annotating this folder"):
            screened(copied, "a")
        return "q"

    annotate(copied, copied / DOCUMENTS, Console(file=io.StringIO()), key, lambda prompt, text: text)
    assert set(statuses(copied)) == {"pending"}


def test_every_question_fits_a_small_terminal_with_its_keys(copied: Path) -> None:
    number = len(read_questions(copied / QUESTIONS))
    shown = screened(copied, "s" * number, colour=True, height=24)
    screens = re.split(r"\x1b\[H\x1b\[2J|\x1b\[2J\x1b\[H", shown)[1:]
    assert len(screens) == number
    for screen in screens:
        lines = re.sub(r"\x1b\[[0-9;]*m", "", screen).rstrip("\n").split("\n")
        drawn = lines[: next(i for i, line in enumerate(lines) if "q quit" in line) + 1]
        assert len(drawn) <= 23 and "question" in drawn[0]
        assert any("answer  " in line for line in drawn[-5:]), "the question stands next to the keys"
