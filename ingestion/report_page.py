"""The ingest report as one HTML page: self-contained, without scripts, all document text escaped."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from tablerag.tools.counting import counted

__all__ = ["page"]

Report = Mapping[str, Any]
DOUBTFUL = 0.6
"""Header confidence below which a table is highlighted."""
OPEN_TABLES = 12
"""Reports of at most this many tables are shown unfolded."""
PAGE = Template((Path(__file__).parent / "report.html").read_text(encoding="utf-8"))


def page(report: Report) -> str:
    """Return the page of a report made by ``report_of``."""
    statuses = report["documents_by_status"]
    numbers = [*statuses.items(), ("tables", report["tables"]), ("rows", report["rows"])]
    return PAGE.substitute(
        corpus=_text(report["corpus"]),
        when=_text(report["written_at"]),
        numbers="".join(f"<li><b>{count:,}</b>{_text(name)}</li>" for name, count in numbers),
        documents="\n".join(_document(d, unfolded=report["tables"] <= OPEN_TABLES) for d in report["documents"]),
    )


def _text(value: object) -> str:
    return escape("".join(c if c.isprintable() else " " for c in str(value)))


def _document(document: Report, *, unfolded: bool) -> str:
    status = document["status"]
    parts = [
        f'<article><h2>{_text(document["source"])} <span class="status {_text(status)}">{_text(status)}</span></h2>',
        f'<p class="soft">{_counted(document)}</p>' if not document["error"] else "",
        f'<p class="error">{_text(document["error"])}</p>' if document["error"] else "",
    ]
    # Tables show their own warnings.
    own = {w for t in document["tables"] for w in t["warnings"]}
    parts.append(_warnings([w for w in document["warnings"] if not any(w.endswith(o) for o in own)]))
    parts += [_table(t, unfolded=unfolded) for t in document["tables"]]
    return "".join(parts) + "</article>"


def _counted(document: Report) -> str:
    tables, rows = document["tables"], sum(t["rows"] for t in document["tables"])
    return f"{counted(len(tables), 'table')}, {counted(rows, 'row')}, {counted(document['chunks'], 'chunk')}"


def _warnings(warnings: Sequence[str]) -> str:
    return f'<ul class="warnings">{"".join(f"<li>{_text(w)}</li>" for w in warnings)}</ul>' if warnings else ""


def _table(table: Report, *, unfolded: bool) -> str:
    unfit = table["cells_that_do_not_fit"]
    sure = table["header_confidence"]
    facts = [
        counted(table["rows"], "row"),
        counted(len(table["columns"]), "column"),
        f"{counted(table['header_rows'], 'header row')} {_bar(sure)}",
        *([f'<span class="mark">{unfit:,} cell{"s do" if unfit > 1 else " does"} not fit</span>'] if unfit else []),
        *([f'<span class="mark">{counted(len(table["warnings"]), "note")}</span>'] if table["warnings"] else []),
    ]
    heads = ("column", "header", "type", "unit", "not fitting", "no value", "changed", "examples")
    rows = "".join(f"<tr>{''.join(_column(c))}</tr>" for c in table["columns"])
    return (
        f"<details{' open' if unfolded else ''}><summary><code>{_text(table['name'])}</code> "
        f'<span class="soft">{_text(table["locator"])}</span> · {" · ".join(facts)}</summary>'
        f'<div class="scroll"><table><thead><tr>{"".join(f"<th>{h}</th>" for h in heads)}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{_warnings(table['warnings'])}</details>"
    )


def _bar(confidence: float) -> str:
    low = " low" if confidence < DOUBTFUL else ""
    percent = f"{confidence:.0%}"
    return (
        f'<span class="bar{low}" title="header confidence {percent}"><i style="width:{percent}"></i></span> '
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
