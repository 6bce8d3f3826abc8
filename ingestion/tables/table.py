"""A table block turned into typed columns: header, sections, types and totals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from tablerag.ingestion.document import RawCell, TableBlock
from tablerag.ingestion.tables.body import Body
from tablerag.ingestion.tables.cells import cell_text, is_words
from tablerag.ingestion.tables.doubts import with_confidence
from tablerag.ingestion.tables.form import FORM_HEADERS, form_pairs
from tablerag.ingestion.tables.group_labels import with_group_labels
from tablerag.ingestion.tables.header import PATH, HeaderDecision, find_header
from tablerag.ingestion.tables.header_paths import table_unit, unit_for
from tablerag.ingestion.tables.hierarchy import bounded, row_paths
from tablerag.ingestion.tables.mixed_units import Part, divided
from tablerag.ingestion.tables.naming import column_names
from tablerag.ingestion.tables.overrides import TableWishes
from tablerag.ingestion.tables.stacked import stacked
from tablerag.ingestion.tables.totals import parent_rows, total_rows
from tablerag.ingestion.tables.typed_table import TypedTable
from tablerag.ingestion.tables.typing import ColumnProfile, TypedColumn, Unit, caption_unit, decide
from tablerag.ingestion.tables.typing.profile import SLIPS
from tablerag.ingestion.tables.typing.units import are_lettered
from tablerag.tools.counting import MOST_NAME_CHARS, OCR_NOTE, counted, doubt, shortened

__all__ = ["build_table"]

BATCH_ROWS = 4000
MOST_HIERARCHY_ROWS = 20_000
"""Longer tables are records: sections are not looked for."""
SECTION_HEADERS = ("section", "subsection", "section_3")


def build_table(block: TableBlock, wishes: TableWishes | None = None, stated: Unit | None = None) -> TypedTable | None:
    """Return the table in a block; None if it is not worth a SQL table.

    ``stated`` is the unit and scale that the text around the table gives; its headers and caption come before it.
    """
    wishes = wishes or TableWishes()
    table = _built(block, wishes, stated or Unit())
    return with_confidence(table) if table else None


def _built(block: TableBlock, wishes: TableWishes, stated: Unit) -> TypedTable | None:
    pairs = form_pairs(block) if wishes.header_rows is None else None
    if pairs:
        return _form(block, pairs, wishes)
    decision = find_header(block, wishes.header_rows)
    if decision is None:
        return None
    decision = _with_short_names(decision)
    if wishes.sections and len(block.grid) <= MOST_HIERARCHY_ROWS:
        block = with_group_labels(block, decision.first_row)
    body = _body(block, decision, has_sections=wishes.sections)
    totals = _totals(body, is_records=block.is_records) if wishes.totals else frozenset()
    kept, profiles, row_count = _profiled(body, decision, totals, likely=block.decimal_comma)
    if not row_count and not block.is_header:
        return None
    parts = _parts(body, decision, totals, kept, profiles)
    body.kept = [part.column for part in parts]
    draft = _Draft(block, decision, wishes, body, parts, row_count, totals, stated)
    return draft.table(draft.columns(profiles[: body.depth] + [part.profile for part in parts]))


def _with_short_names(decision: HeaderDecision) -> HeaderDecision:
    """Cut endless headers and titles: every question compares them with its words."""
    if all(len(name) <= MOST_NAME_CHARS for path in (*decision.paths, (decision.title,)) for name in path):
        return decision
    note = f"headers of more than {MOST_NAME_CHARS} characters are cut"
    paths = [tuple(shortened(name) for name in path) for path in decision.paths]
    return replace(decision, paths=paths, title=shortened(decision.title), warnings=(*decision.warnings, note))


@dataclass(frozen=True, slots=True)
class _Draft:
    """All that is known of a table before its columns are typed."""

    block: TableBlock
    decision: HeaderDecision
    wishes: TableWishes
    body: Body
    parts: Sequence[Part]
    """The grid columns that have a name or a cell, divided by units."""
    row_count: int
    totals: frozenset[int]
    stated: Unit

    def paths(self) -> list[tuple[str, ...]]:
        """Return the header path of each column, those of the sections first."""
        return [*((h,) for h in SECTION_HEADERS[: self.body.depth]), *map(self._path, self.parts)]

    def _path(self, part: Part) -> tuple[str, ...]:
        path = self.body.stack.path(self.decision.paths[part.column])
        if not part.unit:
            return path
        *above, last = path or (f"column_{part.column + 1}",)
        return (*above, f"{last} ({part.unit})")

    def columns(self, profiles: Sequence[ColumnProfile]) -> list[TypedColumn]:
        """Type all columns."""
        depth, units = self.body.depth, self.decision.units
        context = caption_unit(f"{self.block.caption} {self.decision.title}")
        if context == Unit():
            alone = map(table_unit, self.block.caption.split(" – "))
            context = next((unit for unit in alone if unit != Unit()), context)
        if not context.scale and not any(u.scale for u in units):
            context = Unit(context.unit or self.stated.unit, self.stated.scale)
        columns = []
        is_lettered = are_lettered(part for path in self.paths() for part in path)
        places = [*range(depth), *(part.column for part in self.parts)]
        for place, path, profile in zip(places, self.paths(), profiles, strict=True):
            header = PATH.join(path) or f"column_{place + 1}"
            stated = units[place] if units and len(columns) >= depth else Unit()
            general = unit_for(path, context)
            profile.is_lettered = is_lettered
            profile.told_comma = self.wishes.decimal_comma(header)
            column = decide(header, profile, Unit(stated.unit or general.unit, stated.scale or general.scale))
            part = self.parts[len(columns) - depth] if len(columns) >= depth else None
            if part and not part.is_whole:
                column = replace(column, is_part=True, takes_bare=not part.unit)
            columns.append(self.wishes.applied(column))
        return columns

    def table(self, columns: Sequence[TypedColumn]) -> TypedTable:
        """Return the table without the columns that the overrides leave out."""
        block, body, paths = self.block, self.body, self.paths()
        kept = [part.column for part in self.parts]
        wanted = [i for i, c in enumerate(columns) if not self.wishes.skips(c.header)]
        if len(wanted) < len(columns):
            body.kept = [kept[i - body.depth] for i in wanted if i >= body.depth]
        columns = [columns[i] for i in wanted]
        return TypedTable(
            title=shortened(block.caption or self.decision.title),
            names=self.wishes.named(columns, column_names([c.header for c in columns])),
            columns=columns,
            paths=[paths[i] for i in wanted],
            places=[None if i < body.depth else _place(block, kept[i - body.depth]) for i in wanted],
            body=body,
            block=block,
            row_count=self.row_count,
            path_depth=sum(i < body.depth for i in wanted),
            totals=self.totals,
            sections=body.skipped,
            header_rows=self.decision.row_count,
            header_confidence=self.decision.confidence,
            warnings=tuple(dict.fromkeys([*self.warnings(), *(w for c in columns for w in c.warnings), *self.marks()])),
        )

    def warnings(self) -> Iterator[str]:
        """Yield what was done to the rows."""
        yield from self.decision.warnings
        is_long = self.row_count > MOST_HIERARCHY_ROWS
        left_out = len(self.body.grid) - self.body.first_row - self.row_count if is_long else 0
        if left_out:
            yield f"left out {counted(left_out, 'row')} that are blank or repeat the header"
        repeated = 0 if is_long else self.body.repeated_headers()
        if repeated:
            yield f"removed {repeated} repeated header rows inside the table"
        if self.body.stack.names:
            yield f"joined {len(self.body.stack.names)} stacked tables into one with a section column"
        if mixed := len(self.parts) - len({part.column for part in self.parts}):
            yield f"added {counted(mixed, 'column')} for numbers whose unit differs from others in their column"
        if self.body.skipped:
            yield f"moved {len(self.body.skipped)} section rows into the column {SECTION_HEADERS[0]!r}"

    def marks(self) -> Iterator[str]:
        """Yield what is marked: totals, hidden rows, a hidden sheet."""
        if self.totals:
            yield _totals_note(self.block, self.totals)
        if self.block.hidden_rows:
            yield f"{counted(len(self.block.hidden_rows), 'row')} hidden in the source, kept and marked `_hidden`"
        yield from _ocr_notes(self.block, self.body)
        if self.block.hidden:
            yield "the sheet is hidden in the source"


def _body(block: TableBlock, decision: HeaderDecision, *, has_sections: bool) -> Body:
    """Return the rows below the header; sections of short tables are moved to paths."""
    header = [[cell_text(c) for c in row] for row in block.grid[: decision.first_row]]
    body = Body(block.grid, decision.first_row, header)
    if len(block.grid) > MOST_HIERARCHY_ROWS or not has_sections:
        return body
    body.stack = stacked(block.grid, decision.first_row, decision.row_count)
    skipped: set[int] = set()
    paths: dict[int, tuple[str, ...]] = {}
    parts = body.stack.names or ((decision.first_row, ""),)
    ends = [start for start, _ in parts[1:]] + [len(block.grid)]
    whole = [(row.index, row.cells) for row in body]
    for (start, name), end in zip(parts, ends, strict=True):
        rows = [row for row in whole if start <= row[0] < end]
        if rows:
            found = row_paths(block, rows)
            skipped |= {rows[i][0] for i in found.sections}
            paths |= {rows[i][0]: bounded((name, *path) if name else path) for i, path in enumerate(found.paths)}
    body.skipped, body.paths = frozenset(skipped), paths
    body.depth = max((len(p) for i, p in paths.items() if i not in skipped), default=0)
    return body


def _profiled(
    body: Body, decision: HeaderDecision, totals: frozenset[int], *, likely: bool
) -> tuple[list[int], list[ColumnProfile], int]:
    """Return the columns with a name or a cell, the profiles of path and columns, and the number of rows.

    ``likely`` is whether the file's format suggests decimal commas.
    """
    profiles = [ColumnProfile() for _ in range(body.depth + len(decision.paths))]
    count = _add_all(profiles, body, totals)
    own = profiles[body.depth :]
    _agree_on_commas(own, likely=likely)
    names = next((row for row in reversed(body.header) if any(row)), [])
    # A group's name spans the blank columns between its own, too.
    spaced = [i for i, (a, b) in enumerate(pairwise(decision.paths), start=1) if b and not names[i] and a[:1] == b[:1]]
    named = {i for i, path in enumerate(decision.paths) if path}.difference(spaced)
    kept = [i for i in range(len(own)) if i in named or own[i].holds_anything]
    body.kept = kept
    return kept, profiles[: body.depth] + [own[i] for i in kept], count


def _parts(
    body: Body,
    decision: HeaderDecision,
    totals: frozenset[int],
    kept: Sequence[int],
    profiles: Sequence[ColumnProfile],
) -> list[Part]:
    """Return the kept columns of a short table divided by the units of their numbers."""
    own = profiles[body.depth :]
    if len(body.grid) > MOST_HIERARCHY_ROWS:
        return [Part(column, profile) for column, profile in zip(kept, own, strict=True)]

    def cells_of(column: int) -> list[RawCell]:
        place = body.depth + kept.index(column)
        cells = ((row.index, row.cells[place]) for row in body)
        return [cell for index, cell in cells if not (index in totals and is_words(cell))]

    return divided(kept, own, lambda column: PATH.join(decision.paths[column]), cells_of)


def _agree_on_commas(profiles: Sequence[ColumnProfile], *, likely: bool = False) -> None:
    """Share the decimal mark of other columns with those in which 1.000 is ambiguous."""
    for profile in profiles:
        profile.settle()
    commas = sum(p.signs.comma for p in profiles if not p.signs.point)
    grouped = sum(p.signs.grouped for p in profiles)
    points = any(p.signs.point for p in profiles) or grouped > SLIPS * commas > 0
    for profile in profiles:
        profile.beside_commas = bool(commas or likely) and not points


def _add_all(profiles: Sequence[ColumnProfile], body: Body, totals: frozenset[int] = frozenset()) -> int:
    """Add the cells to the profiles of their columns; return the number of rows.

    The label of a total row does not count: "Total" may be in a column of dates.
    """
    end = len(body.grid) - len(totals)
    columns = body.counted(end) if totals <= {end} else None
    if columns is not None:
        for profile, column in zip(profiles, columns, strict=True):
            for texts, counts in column:
                profile.add_counted(texts, counts)
        for row in totals:
            for profile, cell in zip(profiles, _without_label(body.grid[row], profiles), strict=True):
                profile.add_all([cell])
        return len(body.grid) - body.first_row
    count = 0
    for columns in _cells(profiles, body, totals):
        count += len(columns[0])
        for profile, cells in zip(profiles, columns, strict=True):
            profile.add_all(cells)
    return count


def _cells(
    profiles: Sequence[ColumnProfile], body: Body, totals: frozenset[int]
) -> Iterator[Sequence[Sequence[RawCell]]]:
    """Yield the cells of the columns without the labels of total rows."""
    if not totals:
        yield from (batch.columns for batch in body.batches(BATCH_ROWS))
        return
    rows = (_without_label(row.cells, profiles) if row.index in totals else row.cells for row in body)
    while some := list(islice(rows, BATCH_ROWS)):
        yield list(zip(*some, strict=True))


def _without_label(cells: list[RawCell], profiles: Sequence[ColumnProfile]) -> list[RawCell]:
    """Return a total row's cells without its label, which the profile of its column sets aside."""
    place = next((i for i, cell in enumerate(cells) if is_words(cell)), None)
    if place is None:
        return cells
    profiles[place].set_aside(cells[place])
    return [None if i == place else cell for i, cell in enumerate(cells)]


def _place(block: TableBlock, column: int) -> int | None:
    return block.source_columns[column] if block.source_columns is not None else None


def _totals(body: Body, *, is_records: bool) -> frozenset[int]:
    if len(body.grid) > MOST_HIERARCHY_ROWS:  # records, of which only the last may be a total
        last = len(body.grid) - 1
        return frozenset({last}) if total_rows([body.grid[last]], is_records=is_records) else frozenset()
    rows = list(body)
    if not rows:
        return frozenset()
    own = [r.cells[body.depth :] for r in rows]
    parents = parent_rows(own, [r.cells[: body.depth] for r in rows]) if body.depth else frozenset()
    return frozenset(rows[i].index for i in total_rows(own, parents, is_records=is_records))


def _totals_note(block: TableBlock, totals: frozenset[int]) -> str:
    labels = dict.fromkeys(next((t for t in map(cell_text, block.grid[i]) if t), "") for i in sorted(totals)[:4])
    shown = ", ".join(repr(label) for label in labels if label)
    if len(totals) == 1:
        return f"1 row sums up others ({shown}) and is marked `_total`: leave it out of sums and counts"
    return f"{counted(len(totals), 'row')} of totals ({shown}), marked `_total`: leave them out of sums and counts"


def _ocr_notes(block: TableBlock, body: Body) -> Iterator[str]:
    """Yield the note on a table that was read by OCR."""
    if block.least_sure is not None:
        (confidence, word), place = min((block.least_sure[row.index], n) for n, row in enumerate(body, start=1))
        yield f"{OCR_NOTE}: {doubt(word, int(100 * confidence))} in data row {place}"


def _form(block: TableBlock, pairs: list[tuple[int, int, list[RawCell]]], wishes: TableWishes) -> TypedTable:
    """Return a key-value form as a table of fields and values."""
    grid = [cells for _, _, cells in pairs]
    rows = [block.source_rows[i] if block.source_rows is not None else 0 for i, _, _ in pairs]
    sources = {column for _, column, _ in pairs}
    narrowed = replace(
        block,
        grid=grid,
        source_rows=rows if block.source_rows is not None else None,
        pages=[block.pages[i] for i, _, _ in pairs] if block.pages is not None else None,
        hidden_rows=frozenset(n for n, (i, _, _) in enumerate(pairs) if i in block.hidden_rows),
        least_sure=[block.least_sure[i] for i, _, _ in pairs] if block.least_sure is not None else None,
        indents=None,
    )
    body, sections = _form_body(block, grid)
    headers = [*SECTION_HEADERS[: body.depth], *FORM_HEADERS]
    profiles = [ColumnProfile() for _ in headers]
    _add_all(profiles, body)
    _agree_on_commas(profiles)
    columns = [wishes.applied(decide(h, p)) for h, p in zip(headers, profiles, strict=True)]
    value_place = _place(block, next(iter(sources))) if len(sources) == 1 else None
    return TypedTable(
        title=shortened(block.caption),
        names=wishes.named(columns, headers),
        columns=columns,
        paths=[(h,) for h in headers],
        places=[*[None] * body.depth, value_place - 1 if value_place else None, value_place],
        body=body,
        block=narrowed,
        row_count=len(grid) - len(sections),
        path_depth=body.depth,
        sections=sections,
        header_rows=0,
        is_form=True,
        warnings=("a form: its labels are in `field`, its values in `value`", *_ocr_notes(narrowed, body)),
    )


def _form_body(block: TableBlock, grid: list[list[RawCell]]) -> tuple[Body, frozenset[int]]:
    """Return a form's rows; in one marked by its format, labels without a value open sections."""
    body = Body(grid, 0, ())
    sections = frozenset(i for i, row in enumerate(grid) if block.is_form and not cell_text(row[1]))
    if sections:
        path: tuple[str, ...] = ()
        paths = {}
        for i, row in enumerate(grid):
            path = (cell_text(row[0]),) if i in sections else path
            paths[i] = path
        body.skipped, body.paths, body.depth = sections, paths, 1
    return body, sections
