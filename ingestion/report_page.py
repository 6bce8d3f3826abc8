"""The ingest report as one HTML page: self-contained, without scripts, all document text escaped."""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template
from types import MappingProxyType
from typing import Any, NamedTuple

from tablerag.tools.counting import counted
from tablerag.tools.left_out import USE_IT
from tablerag.tools.records import Cell

__all__ = ["Shown", "page"]

Report = Mapping[str, Any]
DOUBTFUL = 0.7
"""Confidence below which a table is highlighted."""
NOTHING: Mapping[str, "Shown"] = MappingProxyType({})
CELL_CHARS = 80
OPEN_TABLES = 12
"""Reports of at most this many tables are shown unfolded."""
PAGE = Template((Path(__file__).parent / "report.html").read_text(encoding="utf-8"))


class Shown(NamedTuple):
    """What people compare of a doubtful table: pictures of its places on pages (PNG), and its first rows as stored."""

    pictures: Sequence[bytes]
    rows: Sequence[Sequence[Cell]]


def page(report: Report, shown: Mapping[str, Shown] = NOTHING) -> str:
    """Return the page of a report made by ``report_of``; ``shown`` holds what to show of doubtful tables, by name."""
    statuses = report["documents_by_status"]
    numbers = [*statuses.items(), ("tables", report["tables"]), ("rows", report["rows"])]
    return PAGE.substitute(
        corpus=_text(report["corpus"]),
        when=_text(report["written_at"]),
        numbers="".join(f"<li><b>{count:,}</b>{_text(name)}</li>" for name, count in numbers),
        documents="\n".join(_document(d, shown, unfolded=report["tables"] <= OPEN_TABLES) for d in report["documents"]),
    )


def _text(value: object) -> str:
    return escape("".join(c if c.isprintable() else " " for c in str(value)))


def _document(document: Report, shown: Mapping[str, Shown], *, unfolded: bool) -> str:
    status = document["status"]
    parts = [
        f'<article><h2>{_text(document["source"])} <span class="status {_text(status)}">{_text(status)}</span></h2>',
        f'<p class="soft">{_counted(document)}</p>' if not document["error"] else "",
        f'<p class="error">{_text(document["error"])}</p>' if document["error"] else "",
    ]
    # Tables show their own warnings.
    own = {w for t in document["tables"] for w in t["warnings"]}
    parts.append(_warnings([w for w in document["warnings"] if not any(w.endswith(o) for o in own)]))
    parts += [_table(t, shown.get(t["name"]), unfolded=unfolded) for t in document["tables"]]
    return "".join(parts) + "</article>"


def _counted(document: Report) -> str:
    tables, rows = document["tables"], sum(t["rows"] for t in document["tables"])
    return f"{counted(len(tables), 'table')}, {counted(rows, 'row')}, {counted(document['chunks'], 'chunk')}"


def _warnings(warnings: Sequence[str]) -> str:
    return f'<ul class="warnings">{"".join(f"<li>{_text(w)}</li>" for w in warnings)}</ul>' if warnings else ""


def _table(table: Report, shown: Shown | None, *, unfolded: bool) -> str:
    unfit = table["cells_that_do_not_fit"]
    facts = [
        counted(table["rows"], "row"),
        counted(len(table["columns"]), "column"),
        counted(table["header_rows"], "header row"),
        _bar(table["confidence"]),
        *(['<span class="mark">set aside</span>'] if table["set_aside"] else []),
        *([f'<span class="mark">{unfit:,} cell{"s do" if unfit > 1 else " does"} not fit</span>'] if unfit else []),
        *([f'<span class="mark">{counted(len(table["warnings"]), "note")}</span>'] if table["warnings"] else []),
    ]
    heads = ("column", "header", "type", "unit", "not fitting", "no value", "changed", "examples")
    rows = "".join(f"<tr>{''.join(_column(c))}</tr>" for c in table["columns"])
    return (
        f"<details{' open' if unfolded or table['doubts'] else ''}><summary><code>{_text(table['name'])}</code> "
        f'<span class="soft">{_text(table["locator"])}</span> · {" · ".join(facts)}</summary>'
        f"{_doubtful(table, shown)}"
        f'<div class="scroll"><table><thead><tr>{"".join(f"<th>{h}</th>" for h in heads)}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{_warnings(table['warnings'])}</details>"
    )


def _doubtful(table: Report, shown: Shown | None) -> str:
    """Return what is against a table, what its page shows beside what is stored, and the rule to use it."""
    if not (table["doubts"] or table["set_aside"]):
        return ""
    pictures = [
        f'<img alt="{_text(table["name"])} on its page" src="data:image/png;base64,{b64encode(data).decode()}">'
        for data in (shown.pictures if shown else ())
    ]
    source = "".join(pictures) or _grid((), table["printed"])
    stored = _grid([c["header"] for c in table["columns"]], shown.rows) if shown else ""
    sides = [("In the document", source), ("As stored", stored)]
    beside = "".join(f"<figure><figcaption>{name}</figcaption>{side}</figure>" for name, side in sides if side)
    rule = f"<p>{USE_IT}:</p><pre>{escape(table['rule'])}</pre>" if table["rule"] else ""
    reasons = "".join(f"<li>{_text(doubt)}</li>" for doubt in table["doubts"])
    told = "Answers do not use this table." if table["set_aside"] else "Answers use this table."
    return f'<div class="doubtful"><p>{told}</p><ul>{reasons}</ul><div class="beside">{beside}</div>{rule}</div>'


def _grid(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    if not rows:
        return ""
    head = f"<thead><tr>{''.join(f'<th>{_text(h)}</th>' for h in heads)}</tr></thead>" if heads else ""
    cells = (
        "".join(f"<td>{_text('' if c is None else str(c)[:CELL_CHARS])}</td>" for c in row[: len(heads) or None])
        for row in rows
    )
    return (
        f'<div class="scroll"><table>{head}<tbody>{"".join(f"<tr>{row}</tr>" for row in cells)}</tbody></table></div>'
    )


def _bar(confidence: float) -> str:
    low = " low" if confidence < DOUBTFUL else ""
    percent = f"{confidence:.0%}"
    return (
        f'<span class="bar{low}" title="confidence {percent}"><i style="width:{percent}"></i></span> '
        f'<span class="soft">{percent} confidence</span>'
    )


def _column(column: Report) -> Iterator[str]:
    kind = f" ({column['kind']})" if column["kind"] not in ("", column["type"]) else ""
    beside = [n for n in (column["raw"], *column["range_ends"]) if n]
    yield f"<td><code>{_text(column['name'])}</code>"
    yield f'<br><span class="soft">also {_text(", ".join(beside))}</span></td>' if beside else "</td>"
    yield f"<td>{_text(column['header'])}</td><td>{_text(column['type'] + kind)}</td>"
    yield f"<td>{_text(' '.join(p for p in (column['scale'], column['unit']) if p))}</td>"
    for name in ("unfit", "no_value", "coerced"):
        mark = " mark" if name == "unfit" and column[name] else ""
        yield f'<td class="number{mark}">{column[name] or ""}</td>'
    yield f"<td>{_text(' | '.join(column['examples'][:3]))}</td>"
