"""Reads a question over the tables at hand: its likeliest queries, each with its result and how sure it is."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from tablerag.agent.offline.reading.absent import absent_in
from tablerag.agent.offline.reading.better_names import OF_MONEY, Better
from tablerag.agent.offline.reading.compose import Draft, Program, counts_rows, says_code
from tablerag.agent.offline.reading.confidence import Candidate, Group, chance_of, groups_of, signs_of
from tablerag.agent.offline.reading.costs import Costs
from tablerag.agent.offline.reading.drafting import drafts_of
from tablerag.agent.offline.reading.facts import Facts, FactsCache, Field, split_words
from tablerag.agent.offline.reading.filters import bounds_in
from tablerag.agent.offline.reading.joining import are_siblings, joined, with_names
from tablerag.agent.offline.reading.mismatch import LISTS, asks_which, shows_number
from tablerag.agent.offline.reading.naming import (
    Tag,
    Weights,
    deed_weights,
    joint_names,
    names_in,
    taggings,
    telling_weights,
    weights_of,
)
from tablerag.agent.offline.reading.periods import Period, periods_in
from tablerag.agent.offline.reading.query import Contrast, Expr, Query
from tablerag.agent.offline.reading.scoring import costs_of, score_of, unread_of
from tablerag.agent.offline.reading.tag import sum_masks
from tablerag.agent.offline.reading.units import asked_units
from tablerag.agent.offline.reading.vocabulary import lexeme, likeness
from tablerag.agent.offline.reading.wide import with_wholes
from tablerag.agent.offline.reading.words import Asked, read
from tablerag.agent.offline.sql_text import name_of
from tablerag.tools.connections.patience import waiting_for
from tablerag.tools.errors import SqlProblem, TableChanged, TableLost
from tablerag.tools.records import SqlResult, TableSchema, ValueHint
from tablerag.tools.table_rows import TableRows

__all__ = ["BLANK", "Reader", "Reading", "is_vetoed"]

ReadRows = Callable[[TableSchema, Sequence[ValueHint]], TableRows]
RunSql = Callable[[str, Sequence[TableSchema]], SqlResult]
"""Guards and runs a statement; raises SqlProblem."""
TAGGINGS = 6
BEST = 12
"""How many of the best queries are run."""
MARGIN = 4.5
"""Queries with a score this far below the best are not run."""
KEPT = 3
MISMATCH = 0.8
IN = frozenset(("in", "en", "as"))
JUST_AS_WELL = 0.1
"""Results whose scores are this close are as likely."""
TIED, TIED_EXACT, EXACT = 0.35, 0.2, -0.1
"""The best reading of other tables fits as well if its score is this close."""
VETOES = (
    "names left", "much left", "exclusion left", "rank left", "period_clash", "dropped", "echo", "zero", "tied",
    "unnamed", "within", "unit left", "head left", "odd_sum", "no sum", "versions", "particle left",
    "filter left", "ties", "by_row", "several", "fewer", "partly_excluded", "loose", "measure left",
    "text left", "number left", "state left", "one_row", "other rows",
)  # fmt: skip
"""Costs that no answer may have: a name, number, "not" or "highest" unread, another period, or other tables as good."""
LOOSE_MONEY = 0.4
"""How loosely a column is named that only has money, where a table is called by the word for it."""
LOOSER = 0.3
"""A result of columns that are named so much less surely does not fit as well."""
ANY_MEASURE, OF_MEASURES = 0.9, ("change", "group sum", "group avg", "share sum", "top groups")
"""The cost of a measure that could as well be another one, and the kinds that must not assume it."""
TIES = 3
"""More things that all have the most are not what is asked for."""
MOST_MISSING = 2
"""Of a longer ranking, half must be found: "the five dearest" are not one."""
EMPTIED = 1.0
"""What was likelier by so much found nothing: that is the answer, rather than what is left."""
ADDED_UP = ("sum", "avg", "top groups", "group sum", "group avg")
"""Kinds of which a table that is only looked up changes nothing."""
LEAST_SCORE = -5.0
"""A lower score is a guess, even if all other guesses find nothing."""
VETOED = 0.4
NAMED, LIKE = 0.85, 0.8
"""How surely a word is one for the rows of a table, and how alike a word of the question must be."""
BLANK = "empty cells"
"""The kind of a reading whose cells are all empty."""
MOST_CHAINS = 8
JOINED_FIRST = 3
"""How many of the best tables are joined even with tables that explain no further word: for the names of codes."""
MOST_JOINED = 5
Telling = Callable[[int, Iterable[int]], float]
"""The weight of the words that the table at one place explains and those at others do not."""
Chain = tuple[tuple[int, ...], Facts]
"""The places of tables, and the tables joined."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a question."""

    query: Program
    sql: str
    result: SqlResult
    score: float
    likelihood: float
    """Of its result among all readings."""
    costs: dict[str, float]
    kind: str
    facts: Facts
    signs: Mapping[str, float]
    """What tells whether it is right, by name; empty for all but the likeliest."""
    confidence: float = 0.0
    """The chance that the likeliest reading is right; 0 for others."""


class Reader:
    """Reads questions; keeps what it learnt of recent tables. Safe to share between threads."""

    def __init__(self, read_rows: ReadRows, run_sql: RunSql) -> None:
        self._read_rows, self._run_sql = read_rows, run_sql
        self._cache = FactsCache()

    def readings(self, question: str, schemas: Sequence[TableSchema], hints: Sequence[ValueHint] = ()) -> list[Reading]:
        """Return up to KEPT readings with different results, the likeliest first."""
        asked, candidates = self.candidates(question, schemas, hints)
        groups = groups_of(self.ran(asked, candidates, schemas))
        found = [_reading(asked, groups, place) for place in range(min(KEPT, len(groups)))]
        rival = groups[0].candidates[0] if groups else None
        if candidates and _is_beaten(rival, candidates[0]) and (blank := self._blank(asked, candidates[0], schemas)):
            return [blank]
        if found and candidates[0].score - found[0].score > EMPTIED:
            found[0] = replace(found[0], confidence=min(found[0].confidence, VETOED))
        return found if says_code(asked) else [self._named(r, schemas) for r in found]

    def _named(self, reading: Reading, schemas: Sequence[TableSchema]) -> Reading:
        """Return a reading that shows the names of codes that other tables tell."""
        named = with_names(reading.query, reading.facts) if isinstance(reading.query, Query) else None
        if named is None:
            return reading
        tables = {named.source.table, *(j.table for j in named.source.joins)}
        result = self.result(sql := named.sql(), [s for s in schemas if s.name in tables])
        if result is None or len(result.rows) != len(reading.result.rows):
            return reading
        return replace(reading, query=named, sql=sql, result=result)

    def _blank(self, asked: Asked, one: Candidate, schemas: Sequence[TableSchema]) -> Reading | None:
        """Return a reading of the cells that a likely query asks for if all of them are empty."""
        query = one.draft.query
        if not isinstance(query, Query) or query.by is not None or not any(c.operator == "=" for c in query.where):
            return None
        summed = tuple(m.expr for m in query.measures if m.expr is not None)
        shown = summed if query.measures else _asked_of(query, one.facts)
        cells = replace(query, shown=shown, measures=(), distinct=True)
        if not shown or (query.measures and query.shown):
            return None
        try:
            result = self._run_sql(sql := cells.sql(), [s for s in schemas if s.name in one.tables])
        except SqlProblem:
            return None
        if not result.rows or any(c is not None for row in result.rows for c in row):
            return None
        draft = replace(one.draft, query=cells, kind=BLANK)
        reading = _reading(asked, groups_of([replace(one, draft=draft, sql=sql, result=result)]), 0)
        return None if is_vetoed(reading) else replace(reading, confidence=1.0)

    def likeliest(
        self, question: str, schemas: Sequence[TableSchema], hints: Sequence[ValueHint] = ()
    ) -> tuple[str, str, float] | None:
        """Return the likeliest statement without running any, what it computes, and the chance that it is right."""
        asked, candidates = self.candidates(question, schemas, hints)
        found = {c.draft.query.sql(): c for c in reversed(candidates[:BEST])}
        # Each statement is taken to have a result of its own.
        rows = {sql: SqlResult(sql=sql, columns=("n",), rows=((n,),)) for n, sql in enumerate(found)}
        groups = groups_of([replace(c, sql=sql, result=rows[sql]) for sql, c in found.items()])
        if not groups:
            return None
        best, reading = groups[0].candidates[0], _reading(asked, groups, 0)
        return best.sql, best.draft.query.words(), reading.confidence

    def candidates(
        self, question: str, schemas: Sequence[TableSchema], hints: Sequence[ValueHint] = ()
    ) -> tuple[Asked, list[Candidate]]:
        """Return the question's words and its candidates, none of them run, the best first."""
        asked = read(question)
        if not asked.words:
            return asked, []
        found = self._scored(asked, periods_in(asked), self.facts_of(schemas, hints), hints)
        return asked, sorted(found, key=lambda c: -c.score)

    def rowless(
        self, question: str, schemas: Sequence[TableSchema], hints: Sequence[ValueHint] = ()
    ) -> TableSchema | None:
        """Return the table without rows that the likeliest query reads, or that is named by a word it leaves."""
        empty = [s for s in schemas if not s.row_count]
        asked, candidates = self.candidates(question, schemas, hints) if empty else (read(""), [])
        if not candidates:
            return None
        tables, mask = candidates[0].tables, candidates[0].draft.mask
        left = [w.lexeme for i, w in enumerate(asked.words) if not mask >> i & 1]
        names = {f.schema.name: [n for n, sure in f.nouns if sure > NAMED] for f in self.facts_of(empty, hints)}
        named = (s for s in empty if any(likeness(w, n) >= LIKE for w in left for n in names.get(s.name, ())))
        return next((s for s in empty if s.name in tables), None) or next(named, None)

    def unreadable(self, question: str, schemas: Sequence[TableSchema]) -> str:
        """Return why the table that is nearest to a question, or named by it, cannot be read; "" if it can be."""
        asked = [w.lexeme for w in read(question).words]
        for schema in schemas:
            about = split_words(f"{schema.title} {schema.name}")
            if (schema is not schemas[0] or schema.origin) and not any(
                likeness(w, lexeme(a)) >= LIKE for w in asked for a in about
            ):
                continue
            try:
                with waiting_for([schema]):
                    self._read_rows(schema, ())
            except (TableLost, TableChanged) as error:
                return str(error)
            except SqlProblem:
                continue
        return ""

    def unsummed(self, question: str, schemas: Sequence[TableSchema], hints: Sequence[ValueHint] = ()) -> Field | None:
        """Return the column of text whose total or average is asked for, if no column of numbers has that name."""
        asked = read(question)
        if not asked.has("sum", "average") or asked.has("count"):
            return None
        words = [w.lexeme for w in asked.words]
        said = [f for facts in self.facts_of(schemas, hints) for f in facts.fields if f.is_named(words, LIKE)]
        if any(f.is_measure for f in said):
            return None
        return next((f for f in said if f.is_unsummed and not f.is_name), None)

    def ran(
        self,
        asked: Asked,
        candidates: Sequence[Candidate],
        schemas: Sequence[TableSchema],
        most: int = BEST,
        margin: float = MARGIN,
    ) -> list[Candidate]:
        """Run the best ``most`` statements; return all their candidates with their results, without empty ones."""
        results: dict[str, SqlResult | None] = {}
        empty: dict[str, bool] = {}
        found = []
        for one in candidates:
            sql = one.draft.query.sql()
            if _is_idle(one, sql):
                query = _unjoined(one.draft)
                if query is None:
                    continue
                one, sql = replace(one, draft=replace(one.draft, query=query)), query.sql()
            if sql not in results:
                if len(results) >= most or one.score < candidates[0].score - margin:
                    break
                # The fewer schemas, the faster a statement is checked.
                results[sql] = self.result(sql, [s for s in schemas if s.name in one.tables])
            result = results[sql]
            if result is not None and not _is_blank(one, result) and self._has_both_sides(one, sql, schemas, empty):
                found.append(_seen(asked, replace(one, sql=sql, result=result)))
        return found

    def _has_both_sides(self, one: Candidate, sql: str, schemas: Sequence[TableSchema], known: dict[str, bool]) -> bool:
        """Tell whether both sides of a comparison have rows: a difference from nothing is no answer."""
        query = one.draft.query
        if not isinstance(query, Contrast):
            return True
        if sql not in known:
            both = f"SELECT {query.one.scalar()} AS `one`, {query.two.scalar()} AS `two`"
            result = self.result(both, [s for s in schemas if s.name in one.tables])
            sides = result.rows[0] if result else (None, None)
            counted = [m.function in ("count", "distinct") for q in (query.one, query.two) for m in q.measures]
            empty = [v is None or (v == 0 and c) for v, c in zip(sides, counted, strict=True)]
            known[sql] = not (empty[1] if query.kind == "share" else any(empty))
        return known[sql]

    def facts_of(self, schemas: Sequence[TableSchema], hints: Sequence[ValueHint]) -> list[Facts]:
        """Return the facts of the tables that can be read."""
        found, members = [], {m.name for s in schemas for m in s.members}
        for place, schema in enumerate(schemas):
            try:
                facts = self._cache.of(schema, lambda schema=schema: self._read_rows(schema, hints))
            except SqlProblem:
                continue
            if facts.fields:
                found.append(replace(facts, place=place, is_member=schema.name in members))
        return [
            replace(
                f, siblings=tuple(o for o in found if are_siblings(f, o)), others=tuple(o for o in found if o is not f)
            )
            for f in found
        ]

    def _scored(
        self, asked: Asked, periods: Sequence[Period], tables: Sequence[Facts], hints: Sequence[ValueHint]
    ) -> Iterator[Candidate]:
        bar = Bar()
        explained: dict[int, int] = {}
        named = {
            i: [*names_in(asked, facts, hints, periods), *absent_in(asked, facts, tables, periods)]
            for i, facts in enumerate(tables)
        }
        weights = deed_weights(asked, weights_of(asked), tables)
        best: dict[int, float] = {}
        better = Better(asked, tables, named)
        for i, facts in enumerate(tables):
            tags = with_wholes(named[i], asked, facts)
            explained[i] = 0
            for tag in tags:
                explained[i] |= tag.mask
            drafted = list(_drafted(asked, facts, tags, periods, weights, bar, better, (i,)))
            best[i] = max((d.score for d in drafted), default=-math.inf)
            yield from drafted
        first = set(sorted(best, key=lambda i: -best[i])[:JOINED_FIRST])
        refers: dict[int, list[int]] = {i: [] for i in explained}
        for i, facts in enumerate(tables):
            for j, other in enumerate(tables):
                telling = sum(w for k, w in enumerate(weights) if w > 0.3 and (explained[j] & ~explained[i]) >> k & 1)
                # "The line amount of 2025": the orders have the date.
                dated = periods and not _has_dates(facts) and _has_dates(other)
                if i != j and (telling >= 1 or i in first or dated):
                    both = joined(facts, other)
                    if both is not None:
                        tags = with_wholes(joint_names(asked, both, named[i], named[j], periods), asked, both)
                        yield from _drafted(asked, both, tags, periods, weights, bar, better, (i, j))
                        refers[i].append(j)

        reach = _reach(explained, refers)
        said = {i: sum(w for n, w in enumerate(weights) if mask >> n & 1) for i, mask in reach.items()}
        widest = sorted(said, key=lambda i: (-said[i], -best[i]))[:JOINED_FIRST]
        yield from self._chained(asked, periods, tables, named, explained, weights, widest, bar, better)

    def _chained(
        self,
        asked: Asked,
        periods: Sequence[Period],
        tables: Sequence[Facts],
        named: Mapping[int, list[Tag]],
        explained: Mapping[int, int],
        weights: Weights,
        first: Iterable[int],
        bar: "Bar",
        better: Better,
    ) -> Iterator[Candidate]:
        """Yield drafts over three tables and more."""

        def telling(k: int, beside: Iterable[int]) -> float:
            new = explained[k] & ~sum_masks(explained[b] for b in beside)
            return sum(w for n, w in enumerate(weights) if w > 0.3 and new >> n & 1)

        made = set[frozenset[int]]()
        for members, chain in _chains(tables, first, telling, dated=bool(periods)):
            if frozenset(members) in made:
                continue
            made.add(frozenset(members))
            own = [t for i in members[:-1] for t in named[i]]
            tags = with_wholes(joint_names(asked, chain, own, named[members[-1]], periods), asked, chain)
            yield from _drafted(asked, chain, tags, periods, weights, bar, better, members)
            if len(made) == MOST_CHAINS:
                return

    def result(self, sql: str, schemas: Sequence[TableSchema]) -> SqlResult | None:
        """Run a statement; None if it fails or finds nothing."""
        try:
            result = self._run_sql(sql, schemas)
        except SqlProblem:
            return None
        return result if any(c is not None for row in result.rows for c in row) else None


def _chains(tables: Sequence[Facts], first: Iterable[int], telling: Telling, *, dated: bool) -> Iterator[Chain]:
    """Yield the places of three tables or more that refer to each other, and the tables joined.

    Only the second refers to the third, as in visits, animals, owners; or the first refers to both, and each has words
    or dates that the others lack: the lines of orders, the orders with their dates, and the products.
    """
    for i, k in product(first, range(len(tables))):
        if i == k or telling(k, (i,)) < 1:
            continue
        forks = joined(tables[i], tables[k]) is not None
        for j in range(len(tables)):
            lone = dated and _has_dates(tables[j]) and not (_has_dates(tables[i]) or _has_dates(tables[k]))
            if j in (i, k) or forks and not (lone or telling(j, (i, k)) >= 1):
                continue
            both = joined(tables[i], tables[j])
            chain = joined(both, tables[k]) if both is not None else None
            if chain is not None and chain.source.joins[-1].left.table == tables[i if forks else j].schema.name:
                yield from _lengthened(tables, (i, j, k), chain, telling)


def _lengthened(tables: Sequence[Facts], members: tuple[int, ...], chain: Facts, telling: Telling) -> Iterator[Chain]:
    """Yield joined tables, then with one more that any of them refers to, as long as it explains further words."""
    yield members, chain
    added = (n for n in range(len(tables)) if n not in members and telling(n, members) >= 1)
    longer = ((n, both) for n in added if (both := joined(chain, tables[n])) is not None)
    found = next(longer, None) if len(members) < MOST_JOINED else None
    if found is not None:
        yield from _lengthened(tables, (*members, found[0]), found[1], telling)


def _reach(explained: Mapping[int, int], refers: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """Return the words that a table explains together with those it refers to, and with those that these refer to."""
    reach = dict(explained)
    for _ in range(2):
        reach = {i: mask | sum_masks(reach[j] for j in refers[i]) for i, mask in reach.items()}
    return reach


def _has_dates(facts: Facts) -> bool:
    return any(f.is_date or f.is_year or f.is_month for f in facts.fields)


def _is_blank(one: Candidate, result: SqlResult) -> bool:
    """Tell whether a lookup finds only what the question itself names, and nothing beside, or groups have no names."""
    query = one.draft.query
    if isinstance(query, Query) and query.measures and len(result.columns) > 1:
        return all(row[0] in (None, "") for row in result.rows)  # groups without names
    if not isinstance(query, Query) or query.measures or one.draft.kind not in LISTS:
        return False
    wanted = _asked_of(query, one.facts)
    asked = [i for i, e in enumerate(query.shown) if e in wanted]
    whole = len(query.shown) == len(result.columns)
    return whole and bool(asked) and all(r[i] is None for r in result.rows for i in asked)


def _is_beaten(rival: Candidate | None, best: Candidate) -> bool:
    """Tell whether what has a result is much less likely than what has none, or of the same table with fewer words."""
    if rival is None or best.score - rival.score > EMPTIED:
        return True
    fewer = rival.draft.mask != best.draft.mask == best.draft.mask | rival.draft.mask
    return fewer and rival.tables == best.tables


def _asked_of(query: Query, facts: Facts) -> tuple[Expr, ...]:
    """Return the columns that a list is asked for: neither what the question gives nor what only names the rows."""
    given = {c.ref for c in query.where if c.operator == "="}
    asked = tuple(e for e in query.shown if e not in given)
    names = {f.shown for f in (*facts.display(), facts.number()) if f is not None}
    return tuple(e for e in asked if e not in names) or asked


def _is_idle(one: Candidate, sql: str) -> bool:
    """Tell whether a statement looks up a table of which it reads nothing but the key."""
    return any(
        sql.count(f"{name_of(f.schema.name)}.")
        <= sql.count(f" JOIN {name_of(f.schema.name)} ON ") + (f.schema.name == one.facts.schema.name)
        for f in one.facts.joined
    )


@dataclass
class Bar:
    """The best score so far: what is MARGIN below it is never run, so that its other costs need not be computed."""

    best: float = -math.inf


def _unjoined(draft: Draft) -> Query | None:
    """Return a sum or mean without the tables that are only looked up: the kilos that came "from growers"."""
    query = draft.query
    if not isinstance(query, Query) or not draft.kind.startswith(ADDED_UP):
        return None
    return replace(query, source=replace(query.source, joins=()))


def _drafted(
    asked: Asked,
    facts: Facts,
    tags: Sequence,
    periods: Sequence[Period],
    weights: Weights,
    bar: Bar,
    better: Better,
    members: Sequence[int],
) -> Iterator[Candidate]:
    bounds, numbers = bounds_in(asked, periods)
    weights = telling_weights(asked, weights, tags)
    resembled = better.named(members)
    for named in taggings(list(tags), weights)[:TAGGINGS]:
        for draft in drafts_of(asked, facts, named, periods, bounds, numbers, weights):
            unread = unread_of(asked, facts, draft, named, weights)
            if score_of(unread) < bar.best - MARGIN:
                continue
            costs = costs_of(asked, facts, draft, named, weights, unread)
            costs["resembled"] = better.cost(resembled, draft.mask, named.tags) + better.in_part(members, named.tags)
            if costs["resembled"] >= OF_MONEY and costs["column_gap"] >= LOOSE_MONEY:
                costs["other rows"] = 1.0  # revenue is in the tables of that name, or nowhere
            if counts_rows(draft.query):
                costs["other rows"] += better.counted(members[0], draft.mask, named.tags)
            score = score_of(costs)
            bar.best = max(bar.best, score)
            yield Candidate(score, draft, facts, costs)


def _repeats_question(query: Program, result: SqlResult) -> bool:
    """Tell whether the only cell of a result is a value that the question gave: "turnover of Mill Lane: Mill Lane"."""
    if not isinstance(query, Query) or query.measures or len(result.rows) != 1 or len(result.rows[0]) != 1:
        return False
    given = {str(v).casefold() for c in query.where if c.operator == "=" for v in c.values}
    return str(result.rows[0][0]).casefold() in given


def _seen(asked: Asked, one: Candidate) -> Candidate:
    """Return a candidate with what its result tells: a count of nothing, or a measure of many rows, is rarely meant."""
    query, result = one.draft.query, one.result
    if result and _repeats_question(query, result):
        costs = one.costs + Costs(echo=1.0)
        return replace(one, costs=costs, score=score_of(costs))
    counted = one.draft.kind.startswith(("count", "top counts"))
    if (
        result
        and counted
        and (result.rows == ((0,),) or (len(result.rows) == 1 < len(result.rows[0]) and result.rows[0][-1] == 1))
    ):
        costs = one.costs + Costs(zero=1.0)
        return replace(one, costs=costs, score=score_of(costs))
    if (
        one.draft.kind == "top counts"
        and isinstance(query, Query)
        and query.limit == 1
        and result
        and len(result.rows) > TIES
    ):
        return replace(one, costs=one.costs + Costs(ties=1.0))
    if isinstance(query, Query) and query.limit > MOST_MISSING and result and 2 * len(result.rows) < query.limit:
        return replace(one, costs=one.costs + Costs(fewer=1.0))  # five vehicles are no one kind of fuel
    if one.draft.kind == "top rows" and isinstance(query, Query) and query.limit > 1 and result:
        named = [row[:-1] for row in result.rows]
        if len(set(named)) < len(named):  # "the three insurers" are three
            costs = one.costs + Costs(repeated=1.0, fewer=1.0)
            return replace(one, costs=costs, score=score_of(costs))
    if one.draft.kind.startswith("top") and result and all(row[0] is None for row in result.rows):
        return replace(one, costs=one.costs + Costs(fewer=1.0))  # what has the most is not named
    rows = isinstance(query, Query) and not query.measures and query.by is None and result and len(result.rows) > 1
    if rows and result and one.costs.get("unfiltered") and asks_which(asked):
        partly = any(c is None for row in result.rows for c in row)  # "who has left" asks for no others
        one = replace(one, costs=one.costs + Costs(echo=float(partly)))
    if rows and result and one.draft.kind in LISTS and _asks_one_time(asked):
        one = replace(one, costs=one.costs + Costs(several=1.0))
    no_sum = asked.has("sum") and one.draft.kind in LISTS
    listed = asks_which(asked) and one.facts.display() and one.facts.display()[0].shown in getattr(query, "shown", ())
    if not rows or not ((one.costs.get("lookup") and not listed) or no_sum):
        return one
    costs = Costs(one.costs | {"many_rows": 1.0, "no sum": float(no_sum)})
    return replace(one, costs=costs, score=score_of(costs))


def _asks_one_time(asked: Asked) -> bool:
    """Tell whether a single time is asked for: "when does the Berlin office open", but not "when were they hired"."""
    first = set(asked.keys[:3])
    return bool(first & asked.language.set_of("when")) and not first & asked.language.set_of("plural_verbs")


def _fits_others(groups: Sequence[Group]) -> bool:
    """Tell whether a question fits another result as well: of other tables, or just so of the same: "net or gross"."""
    best = groups[0].candidates[0]
    second = groups[1].candidates[0] if len(groups) > 1 else None
    if second and second.draft.kind == best.draft.kind and groups[1].score > groups[0].score - JUST_AS_WELL:
        less = second.draft.mask != best.draft.mask == second.draft.mask | best.draft.mask  # it leaves "win" unread
        return not (less or _narrows(best, second) or _shows(best, second) or _shows(second, best))
    others = (c for g in groups[1:] for c in g.candidates if not c.tables & best.tables)
    others = (c for c in others if _gap(c) < _gap(best) + LOOSER)
    return any(c.score > best.score - (TIED if best.score < EXACT else TIED_EXACT) for c in others)


def _narrows(one: Candidate, other: Candidate) -> bool:
    """Tell whether a query is the other one with a condition more: "electricity" of a column of all energy."""
    some, less = one.draft.query, other.draft.query
    if not (isinstance(some, Query) and isinstance(less, Query) and some.measures == less.measures):
        return False
    return some.source == less.source and set(less.where) < set(some.where) and one.score >= other.score


def _gap(one: Candidate) -> float:
    """Return how unsurely the question names what a candidate computes with."""
    return one.costs.get("column_gap", 0.0) + one.costs.get("assumed_measure", 0.0)


def _shows(one: Candidate, other: Candidate) -> bool:
    """Tell whether the rows of one result have all that those of the other have: a name and its code."""
    rows, less = (c.result.rows if c.result else () for c in (one, other))
    return len(rows) == len(less) and all(set(b) <= set(a) for a, b in zip(rows, less, strict=True))


def _reading(asked: Asked, groups: Sequence[Group], place: int) -> Reading:
    """Return the best candidate of one of the groups, with how sure it is."""
    one = groups[place].candidates[0]
    assert one.result is not None
    costs = dict(one.costs) | ({"tied": 1.0} if place == 0 and _fits_others(groups) else {})
    keys = ["", *asked.keys]
    counted = sum_masks(1 << p.last for p in asked.of("count"))  # "how many litres"
    query = one.draft.query
    names = one.draft.kind in LISTS and isinstance(query, Query) and not any(c.values for c in query.where)
    bare = names and not shows_number(one.draft, one.facts)
    left = [u.mask for u in asked_units(asked) if bare or not one.draft.mask & u.mask]
    if any(m & counted or keys[(m & -m).bit_length() - 1] in IN for m in left):
        costs["unit left"] = 1.0
    reading = Reading(
        one.draft.query, one.sql, one.result, one.score, groups[place].likelihood, costs, one.draft.kind,
        one.facts, signs_of(groups) if place == 0 else {},
    )  # fmt: skip
    return replace(reading, confidence=_chance(reading)) if place == 0 else reading


def is_vetoed(reading: Reading) -> bool:
    """Tell whether a reading leaves or assumes what no answer may."""
    if reading.costs.get("mismatch", 0.0) >= MISMATCH:
        return True  # "who" is no course
    return reading.score < LEAST_SCORE or any(reading.costs.get(name, 0.0) >= 0.9 for name in VETOES)


def _chance(reading: Reading) -> float:
    """Return the chance that the likeliest reading is right; little if it is vetoed."""
    sure, costs = chance_of(reading.signs), reading.costs
    # "When was she born?" asks for a column that the table does not have.
    missing = costs.get("assumed_shown", 0.0) >= 0.2 and costs.get("unexplained", 0.0) >= 0.9
    # "What does Ann do?" names no amount, and asks for no total.
    assumed = costs.get("assumed_measure", 0.0)
    unasked = reading.kind == "sum" and costs.get("unsaid_sum", 0.0) and assumed > 0.2
    unasked = unasked or assumed >= ANY_MEASURE and reading.kind.startswith(OF_MEASURES)
    return min(sure, VETOED) if is_vetoed(reading) or missing or unasked else sure
