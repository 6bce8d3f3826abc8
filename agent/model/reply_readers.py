"""Turns a model's reply into a thought: parsed, and checked against what the model was shown."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from langchain_core.messages import AIMessage

from tablerag.agent.computed_answer import computes
from tablerag.agent.denials import affirming
from tablerag.agent.model.asking import NotSearched, OutOfSteps, Ungrounded
from tablerag.agent.model.claims import Figure, figures_of, is_computed, is_stated
from tablerag.agent.model.grounding import cells_of, numbers_in, sentence_with, strays, unknown_figures
from tablerag.agent.model.known_words import KnownWords, table_parts
from tablerag.agent.model.quoting import cited, sentences_with
from tablerag.agent.model.replies import ResolveReply, StepReply, read_reply, read_step_reply
from tablerag.agent.model.saying import CLAIMLESS, COUNTED, FALLS, RISES, names_own_rows, plain_answer, says_figures
from tablerag.agent.reasoning import (
    AskBack,
    NoQuestion,
    Purpose,
    ResolveTask,
    Said,
    Standalone,
    Subquery,
    Validation,
    Verdict,
)
from tablerag.agent.stated_numbers import signed_numbers, stated_numbers
from tablerag.agent.turns import MAX_QUESTION_CHARS
from tablerag.tools.calculator import depends_on, figures
from tablerag.tools.errors import ReplyInvalid
from tablerag.tools.linking.keys import COMMON, DECIDED, key_of
from tablerag.tools.question_words import language_of
from tablerag.tools.records import Chunk, Citation, SqlResult, SupportingRows, TableSchema
from tablerag.tools.sql.brought_figures import brought
from tablerag.tools.sql.own_words import in_known_words
from tablerag.tools.text import words

__all__ = ["Shown", "not_found", "read_resolved", "read_step"]

WHOLE_NUMBER = re.compile(r"\d+(?:[.,\u00a0\u202f]\d+)*")
MOST_FOUND = 4
"""Names that one step searches for."""
MOST_CHOICES = 10
"""Choices of a question back to the user."""
WHICH = "Which of these do you mean?"
MORE_EXACTLY = "Which table, period or value do you mean?"
"""Questions back in place of a model's, if its words are unknown."""
MOST_NAMED = 5
"""Numbers that a reason names."""
MOST_ASSUMED = 300
"""Characters of an assumption, which is shown to people."""
MOST_UNIT_WORDS = 4
MOST_NAME_WORDS = 4
NAME = re.compile(r"\b[A-Z](?=\w*[a-z])[\w'’-]{2,}")
"""A word with a capital letter; EUR and UK are written in other ways, too."""
DICTATED = 5
"""A run of so many words of a passage is copied from it."""
LARGE = 1000
"""Years aside, smaller numbers count things or name them: "the first 3"."""
STEM = 4
"""Letters that forms of a name share: Germany, German."""


@dataclass(frozen=True)
class Shown:
    """What a model was shown for a question, which its reply is held against."""

    question: str
    chunks: Sequence[Chunk] = ()
    dialogue: Sequence[Said] = ()
    prompt: str = ""
    results: Sequence[SqlResult] = ()
    """Of this step and those before it."""
    supporting: Sequence[SupportingRows] = ()
    schemas: Sequence[TableSchema] = ()
    """Those of the tables that results are of."""
    steps_left: int = 0
    opening: bool = False
    """Whether only the question itself was searched for."""
    asked: str = ""
    """What the user wrote, if the question is not that."""
    in_doubt: bool = False
    """Whether a passage seems to give another figure than the last result."""

    @cached_property
    def cells(self) -> list[str]:
        """The cells of all results and of the rows behind the last one."""
        rows = cells_of(self.results[-1], self.supporting) if self.results else []
        # Of a statement that finds nothing, the count is 0.
        empty = ["0"] if any(not r.rows or r.empty for r in self.results) else []
        return [*rows, *(cell for r in self.results[:-1] for cell in cells_of(r)), *empty]

    @cached_property
    def computed(self) -> list[SqlResult]:
        """The results with what was read from tables; columns that a statement fills itself are empty."""
        own = [(r, brought(r.sql, self.asked or self.question)) for r in self.results]
        return [_without(r, columns) if columns else r for r, columns in own if len(columns) < len(r.columns)]

    @cached_property
    def figures(self) -> list[Figure]:
        """The numbers that were computed."""
        return figures_of(self.computed, self.schemas)

    @cached_property
    def known(self) -> KnownWords:
        """The words of the question, of tables and of results, and none of texts."""
        said = [self.prompt, *(s.text for s in self.dialogue if s.role == "user")]
        chunks = [f"{c.title} {c.source} {c.text}" for c in self.chunks if c.kind == "table"]
        tables = [*_words_of_tables(self.schemas), *chunks, *self.cells]
        return KnownWords([self.question, *table_parts(said), *tables])

    @cached_property
    def texts(self) -> list[str]:
        """Everything that the model has read, without the rules."""
        said = (s.text for s in self.dialogue if s.role == "user")
        return [self.question, self.prompt, *said, *(c.text for c in self.chunks)]


def _words_of_tables(schemas: Sequence[TableSchema]) -> list[str]:
    tables = [f"{s.title} {s.source} {s.locator}" for s in schemas]
    return [*tables, *(f"{c.name} {c.header} {' '.join(c.examples)}" for s in schemas for c in s.columns)]


def _without(result: SqlResult, columns: frozenset[int]) -> SqlResult:
    rows = tuple(tuple(None if i in columns else c for i, c in enumerate(row)) for row in result.rows)
    return result.model_copy(update={"rows": rows})


def read_resolved(message: AIMessage, task: ResolveTask) -> Standalone | NoQuestion:
    """Read a question that stands alone; raise ReplyInvalid for one that is too long, or in other people's words."""
    question = read_reply(message.text, ResolveReply).question
    if len(question) > MAX_QUESTION_CHARS:
        raise ReplyInvalid(f"question has {len(question)} characters, the limit is {MAX_QUESTION_CHARS}")
    said = [task.question, *(f"{t.question} {t.answer}" for t in task.history)]
    if strange := KnownWords([*said, *_words_of_tables(task.schemas)]).strange(question):
        raise ReplyInvalid(f"nobody said {', '.join(strange[:MOST_NAMED])}: use the words of the conversation")
    return Standalone(question) if question else NoQuestion()


def read_step(message: AIMessage, shown: Shown) -> Subquery | Validation:
    """Read the next step, or the end; raise ReplyInvalid, of which Ungrounded is for what nothing shown says."""
    reply = read_step_reply(message.text)
    statements: dict[Purpose, str] = {"answer": reply.sql, "part": reply.part, "bridge": reply.bridge}
    purpose: Purpose | None = next((p for p, sql in statements.items() if sql), None)
    if (purpose or reply.find) and not reply.answer:
        if not shown.steps_left:
            raise OutOfSteps('no step is left: reply with "answer" or "missing"')
        if purpose:
            unit = reply.unit if _is_known_unit(reply.unit, shown) else ""
            assumption = _own_words(reply.assumption[:MOST_ASSUMED], shown)
            sql = in_known_words(statements[purpose], shown.known.cover)
            return Subquery(shown.question, sql, purpose, assumption=assumption, unit=unit)
        found = reply.find[:MOST_FOUND]
        told = [term for term in found if _may_be_shown(term, shown)]
        return Subquery("; ".join(told) or shown.question, find=found)
    if reply.answer:
        return _answered(reply, shown)
    if reply.ask:
        choices = tuple(c for c in reply.choices[:MOST_CHOICES] if _own_words(c, shown))
        question = _own_words(reply.ask, shown) or (WHICH if choices else MORE_EXACTLY)
        return Validation("", "none", "", final=True, ask=AskBack(question, choices))
    if shown.opening and shown.steps_left:
        raise NotSearched(_own_words(reply.missing or "", shown))
    return Validation("", "none", not_found(_own_words(reply.missing or "", shown)), final=True)


def not_found(missing: str | None) -> str:
    """Say what the documents do not hold, in a model's words."""
    return f"Not found: {missing.rstrip('.')}." if missing else ""


def _is_known_unit(unit: str, shown: Shown) -> bool:
    """Tell whether the words of a unit stand in what was shown, in texts beside a number; "000" tells thousands."""
    words, told = unit.casefold().split(), " ".join(shown.texts).casefold()
    own = [w for w in words if not shown.known.cover(w)]
    beside = rf"\d\s?(?:\w+\s)?{re.escape(' '.join(own))}\b|{re.escape(' '.join(own))}\s?\d"
    if len(words) > MOST_UNIT_WORDS or any(map(str.isdigit, unit)) or (own and not re.search(beside, told)):
        return False
    return all(w in told or (w in ("thousand", "thousands") and "000" in told) for w in words)


def _answered(reply: StepReply, shown: Shown) -> Validation:
    """Return the final answer with the verdict that the evidence gives it."""
    answer = plain_answer(reply.answer or "", shown.cells)
    quotes = cited(reply.citations, shown.chunks)
    _check_figures(reply, answer, shown)
    _check_names(answer, shown)
    verdict, quotes = _verdict(reply, answer, shown, quotes)
    cause = reply.cause if verdict == "conflict" else ""
    reason = _reason(verdict, quotes)
    # A formula must not replace what was computed by what it makes of a text's figures.
    formula = reply.formula if verdict == "text_only" or not _is_by_sql(answer, shown) else ""
    assumption = _own_words(reply.assumption[:MOST_ASSUMED], shown)
    return Validation(reply.answer or "", verdict, reason, quotes, cause, formula, final=True, assumption=assumption)


def _check_figures(reply: StepReply, answer: str, shown: Shown) -> None:
    """Raise Ungrounded for numbers that stand in nothing that was shown."""
    known = numbers_in([*shown.texts, *shown.cells])
    # Of what a calculator is to compute, the figures must be known, and not the outcome.
    unknown = unknown_figures(figures(reply.formula), known) if computes(reply.formula) else strays(answer, known)
    if unknown:
        named = ", ".join(unknown[:MOST_NAMED]) + " and others" * (len(unknown) > MOST_NAMED)
        raise Ungrounded(f"{named} is not in what was shown")


def _check_names(answer: str, shown: Shown) -> None:
    """Raise Ungrounded for names that stand in nothing that was shown; another language may spell its nouns so."""
    if language_of(words(shown.question)) != "en":
        return
    columns = [c for r in shown.results for c in r.columns]
    known = set(key_of(" ".join([*shown.texts, *shown.cells, *columns])).split()) | DECIDED | COMMON | CLAIMLESS
    known |= {*COUNTED, *RISES, *FALLS}
    stems = {w[:STEM] for w in known if len(w) >= STEM}
    said = [w for w in NAME.findall(answer) if key_of(w) not in known and key_of(w)[:STEM] not in stems]
    if said:
        raise Ungrounded(f"{', '.join(said[:MOST_NAMED])} is not in what was shown")


def _verdict(
    reply: StepReply, answer: str, shown: Shown, quotes: tuple[Citation, ...]
) -> tuple[Verdict, tuple[Citation, ...]]:
    """Decide which of SQL and text gives the answer: text only with a quote, SQL only with its cells' words."""
    quoted = [c.quote for c in quotes if c.quote]
    by_sql, by_text = _is_by_sql(answer, shown), _is_stated(answer, quotes, shown)
    differs = reply.conflict or (shown.in_doubt and by_sql)
    if differs and shown.results and quoted and by_sql != by_text:
        return "conflict", quotes
    if by_sql:
        agree = by_text and not shown.in_doubt and _is_by_sql(answer, shown, signed=True)
        return ("agree" if agree else "sql_only"), quotes if agree else ()
    if quoted and _tells_both(answer, quotes, shown):
        return "conflict", quotes
    if quoted and _is_quoted(reply, answer, quotes, shown):
        return "text_only", quotes
    # A bare number stands in some sentence by chance.
    found = sentence_with(answer, shown.chunks) if any(map(str.isalpha, answer)) else None
    if found is not None:
        return "text_only", (found,)
    if shown.computed and (_is_computed_from(reply.formula, shown) or _says_cells(answer, shown)):
        return "sql_only", ()
    if quoted:
        raise Ungrounded("no quote holds the answer's figure: cite the words that state it")
    raise Ungrounded("an answer needs a statement that gives it, or a citation with a quote")


def _is_stated(answer: str, quotes: Sequence[Citation], shown: Shown) -> bool:
    """Tell whether quotes state an answer, and the sentences they are cut from as well."""
    chunks = {c.id: c for c in shown.chunks}
    whole = [" ".join(sentences_with(q.quote, chunks[q.chunk_id])) for q in quotes if q.quote]
    figures, quoted = shown.figures, [q.quote for q in quotes if q.quote]
    return is_stated(answer, figures, quoted) and is_stated(answer, figures, whole)


def _tells_both(answer: str, quotes: Sequence[Citation], shown: Shown) -> bool:
    """Tell whether an answer sets a figure of its quotes against a computed one: "6,790, but there are 6,709"."""
    said = [n for n in WHOLE_NUMBER.findall(answer) if n not in shown.question]
    stated = {n for n in said if _is_stated(n, quotes, shown)}
    computed = {n for n in said if is_computed(n, shown.figures, (), shown.question)}
    return bool(stated - computed) and bool(computed - stated) and stated | computed == {*said}


def _is_by_sql(answer: str, shown: Shown, *, signed: bool = False) -> bool:
    cells = [c for r in shown.computed for row in r.rows for c in row if isinstance(c, str)]
    paired = names_own_rows(answer, shown.computed, shown.asked or shown.question)
    return paired and is_computed(answer, shown.figures, cells, shown.question, signed=signed)


def _own_words(text: str, shown: Shown) -> str:
    """Return what a model says besides an answer; "" if its words are unknown, or repeat a passage or its figure."""
    said, passages = key_of(text).split(), [f" {key_of(c.text)} " for c in shown.chunks if c.kind == "text"]
    runs = [f" {' '.join(said[i : i + DICTATED])} " for i in range(len(said) - DICTATED + 1)]
    tables = [
        f"{s.title} {s.source} {s.locator} {c.header} {' '.join(c.examples)}" for s in shown.schemas for c in s.columns
    ]
    known = numbers_in([shown.question, *shown.cells, *tables])
    strange = [n for n in stated_numbers(text) if abs(n.value) >= LARGE and strays(n.text, known)]
    repeats = any(run in p for run in runs for p in passages)
    return text if shown.known.cover(text) and not strange and not repeats else ""


def _may_be_shown(term: str, shown: Shown) -> bool:
    """Tell whether people may see what is searched for: known words, and a few names that stand in texts."""
    names = {*NAME.findall(" ".join(shown.texts))} & {*NAME.findall(term)}
    rest = NAME.sub(lambda found: "" if found[0] in names else found[0], term)
    return len(names) <= MOST_NAME_WORDS and (not key_of(rest) or bool(_own_words(rest, shown)))


def _is_quoted(reply: StepReply, answer: str, quotes: Sequence[Citation], shown: Shown) -> bool:
    """Tell whether the quotes and their places hold the figures of an answer, or are as many as it counts.

    In English, its words must be in the cited passages, the question or a cell.
    """
    passages = [c.text for c in shown.chunks if c.id in {q.chunk_id for q in quotes}]
    places = [f"{c.quote} {c.source} {c.locator}" for c in quotes]
    if language_of(words(shown.question)) == "en" and not computes(reply.formula):
        known = _stems(" ".join([shown.question, *places, *passages, *shown.cells])) | _stems(
            " ".join(DECIDED | COMMON | {*COUNTED})
        )
        if not _stems(_without_figures(answer, places)) <= known:
            return False
    known_numbers = numbers_in(places) | {Decimal(n) for n in range(1, len(quotes) + 1)}
    return computes(reply.formula) or not strays(answer, known_numbers)


def _without_figures(answer: str, quotes: Sequence[str]) -> str:
    """Return an answer without the figures that quotes state in the same unit, however they write it."""
    told = [n for q in quotes for n in signed_numbers(q)]
    for number in signed_numbers(answer):
        if any(number.unit in ("", n.unit) and abs(number.value - n.value) <= number.tolerance for n in told):
            answer = answer.replace(number.text, " ", 1)
    return answer


def _stems(text: str) -> set[str]:
    """Return the beginnings of the words of a text that forms of a word share."""
    return {w[:STEM] for w in key_of(text).split() if not w.isdigit()}


def _is_computed_from(formula: str, shown: Shown) -> bool:
    """Tell whether a formula computes with figures of results, and takes no other from a text."""
    own = {abs(f.value) for f in shown.figures}
    used = figures(formula) if computes(formula) else []
    known = own | numbers_in([shown.asked or shown.question])
    return any(n in own and depends_on(formula, n) for n in used) and not unknown_figures(used, known)


def _says_cells(answer: str, shown: Shown) -> bool:
    """Tell whether an answer has the words of cells, headers and the question, and the figures of results."""
    names = [c for r in shown.results for c in r.columns]
    read = [str(c) for r in shown.computed for row in r.rows for c in row if c is not None]
    behind = [str(c) for s in shown.supporting for row in s.rows for c in row if c is not None]
    told = " ".join([*affirming([*read, *behind], answer), *names, shown.question])
    asked = shown.asked or shown.question
    if not _has_of_results(answer, read, shown.figures):
        return False
    return names_own_rows(answer, shown.computed, asked) and says_figures(answer, shown.figures, asked, told)


def _has_of_results(answer: str, read: Sequence[str], figures: Sequence[Figure]) -> bool:
    """Tell whether an answer with numbers has one of the results, or a word of their cells.

    "It is 999,999" repeats the question; whether something holds (1 or 0) may be said with the question's number.
    """
    numbers = signed_numbers(answer)
    if not numbers or any(f.fits(n) for f in figures for n in numbers) or any(f.value in (0, 1) for f in figures):
        return True
    said = {w for w in key_of(answer).split() if w.isalpha()} - COMMON - DECIDED
    return bool(said & {*key_of(" ".join(read)).split()})


def _reason(verdict: Verdict, quotes: Sequence[Citation]) -> str:
    said = f"The text says: “{quotes[0].quote}”" if quotes and quotes[0].quote else ""
    told = {
        "agree": f"Computed by SQL; the text agrees. {said}",
        "conflict": f"SQL and text differ. {said}",
        "sql_only": "Computed by SQL over the whole table.",
        "text_only": said,
        "none": "",
    }
    return told[verdict].strip()
