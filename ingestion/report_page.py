"""The ingest report as one HTML page: no script, nothing fetched, everything of a document's escaped."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from string import Template
from typing import Any

__all__ = ["page"]

Report = Mapping[str, Any]
DOUBTFUL = 0.6
"""Header confidence below which a table is marked."""
OPEN_TABLES = 12
"""Reports of at most so many tables come unfolded."""
PAGE = Template("""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Ingest report: $corpus</title>
<style>
:root { color-scheme: light dark; --ink: #1d2430; --soft: #5d6878; --line: #d9dee7; --back: #fff; --card: #f6f8fb;
  --good: #18794e; --warn: #9a6700; --bad: #b42318; --accent: #2459a9; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf2; --soft: #9aa6b8; --line: #333c4a; --back: #14181f;
  --card: #1b212b; --good: #4cc38a; --warn: #e2b33c; --bad: #ff8f80; --accent: #86b1f5; } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 72rem; background: var(--back); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 }
.when, .soft { color: var(--soft) }
.numbers { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0; padding: 0; list-style: none }
.numbers li { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .9rem }
.numbers b { display: block; font-size: 1.35rem; font-variant-numeric: tabular-nums }
article { border: 1px solid var(--line); border-radius: .6rem; margin: 0 0 1rem; padding: .8rem 1rem; }
article > h2 { font-size: 1.05rem; margin: 0; overflow-wrap: anywhere }
.status { display: inline-block; border-radius: 1rem; padding: 0 .6rem; font-size: .8rem; border: 1px solid }
.added, .replaced { color: var(--good) } .unchanged { color: var(--soft) }
.skipped, .removed { color: var(--warn) } .failed, .error { color: var(--bad) }
details { margin-top: .6rem; border-top: 1px solid var(--line); padding-top: .5rem }
summary { cursor: pointer; overflow-wrap: anywhere } summary:focus-visible { outline: 2px solid var(--accent) }
summary code { font-weight: 600 }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; margin-top: .5rem; font-size: .88rem }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--line) }
th { color: var(--soft); font-weight: 600; white-space: nowrap }
td.number { text-align: right; font-variant-numeric: tabular-nums }
ul.warnings { margin: .4rem 0 0; padding-left: 1.1rem; color: var(--warn) }
.mark { color: var(--warn); font-weight: 600 }
.bar { display: inline-block; width: 3.5rem; height: .5rem; border-radius: .25rem; background: var(--line);
  vertical-align: middle; overflow: hidden }
.bar i { display: block; height: 100%; background: var(--good) } .bar.low i { background: var(--warn) }
</style></head><body>
<header><h1>Corpus $corpus</h1><p class="when">Ingested $when</p></header>
<ul class="numbers">$numbers</ul>
<main>$documents</main>
</body></html>
""")


def page(report: Report) -> str:
    """Return the page of a report as ``report_of`` makes it."""
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
    # What a table warns of is said at the table.
    own = {w for t in document["tables"] for w in t["warnings"]}
    parts.append(_warnings([w for w in document["warnings"] if not any(w.endswith(o) for o in own)]))
    parts += [_table(t, unfolded=unfolded) for t in document["tables"]]
    return "".join(parts) + "</article>"


def _counted(document: Report) -> str:
    tables, rows = document["tables"], sum(t["rows"] for t in document["tables"])
    return f"{len(tables)} table{'s' * (len(tables) != 1)}, {rows:,} rows, {document['chunks']:,} chunks"


def _warnings(warnings: Sequence[str]) -> str:
    return f'<ul class="warnings">{"".join(f"<li>{_text(w)}</li>" for w in warnings)}</ul>' if warnings else ""


def _table(table: Report, *, unfolded: bool) -> str:
    unfit = table["cells_that_do_not_fit"]
    sure = table["header_confidence"]
    facts = [
        f"{table['rows']:,} rows",
        f"{len(table['columns'])} columns",
        f"{table['header_rows']} header row{'s' * (table['header_rows'] != 1)} {_bar(sure)}",
        *([f'<span class="mark">{unfit:,} cell{"s do" if unfit > 1 else " does"} not fit</span>'] if unfit else []),
        *([f'<span class="mark">{_notes(len(table["warnings"]))}</span>'] if table["warnings"] else []),
    ]
    heads = ("column", "header", "type", "unit", "not fitting", "no value", "changed", "examples")
    rows = "".join(f"<tr>{''.join(_column(c))}</tr>" for c in table["columns"])
    return (
        f"<details{' open' if unfolded else ''}><summary><code>{_text(table['name'])}</code> "
        f'<span class="soft">{_text(table["locator"])}</span> · {" · ".join(facts)}</summary>'
        f'<div class="scroll"><table><thead><tr>{"".join(f"<th>{h}</th>" for h in heads)}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{_warnings(table['warnings'])}</details>"
    )


def _notes(count: int) -> str:
    return f"{count} note{'s' * (count != 1)}"


def _bar(confidence: float) -> str:
    low = " low" if confidence < DOUBTFUL else ""
    percent = f"{confidence:.0%}"
    return (
        f'<span class="bar{low}" title="confidence {percent}"><i style="width:{percent}"></i></span> '
        f'<span class="soft">{percent} sure</span>'
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
