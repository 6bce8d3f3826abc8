"""Metrics of knowledge.yaml as columns: the embedded reasoner reads them as such, and writes them out at last."""

from collections.abc import Callable, Sequence

from sqlglot import exp

from tablerag.agent.offline.interpretation import ReadRows
from tablerag.tools.knowledge.rewriting import condition_of, expanded
from tablerag.tools.records import Column, SqlResult, TableSchema, ValueHint
from tablerag.tools.table_rows import TableRows

__all__ = ["METRIC", "expanding", "reading_metrics", "with_metric_columns"]

METRIC = "metric"
"""The kind of a column that stands for a metric."""


def with_metric_columns(schemas: Sequence[TableSchema]) -> tuple[TableSchema, ...]:
    """Return schemas with a column for each metric."""
    return tuple(_with_columns(s) if s.rules and s.rules.metrics else s for s in schemas)


def _with_columns(schema: TableSchema) -> TableSchema:
    assert schema.rules
    added = [
        Column(name=m.column, header=m.name, type="decimal", unit=m.unit, kind=METRIC) for m in schema.rules.metrics
    ]
    return schema.model_copy(update={"columns": (*schema.columns, *added)})


def _bare(schema: TableSchema) -> TableSchema:
    own = tuple(c for c in schema.columns if c.kind != METRIC)
    return schema if len(own) == len(schema.columns) else schema.model_copy(update={"columns": own})


def reading_metrics(read_rows: ReadRows) -> ReadRows:
    """Return a function that also gives each metric cells: those of a column that it is computed from.

    They only show that it is a number; statements compute it.
    """

    def read(schema: TableSchema, hints: Sequence[ValueHint]) -> TableRows:
        rows = read_rows(_bare(schema), hints)
        metrics = schema.rules.metrics if schema.rules and _bare(schema) is not schema else ()
        if not metrics:
            return rows
        places = []
        for metric in metrics:
            used = [c.name for c in condition_of(metric.expression).find_all(exp.Column)]
            numbers = [n for n in used if (c := schema.column(n)) and c.type in ("integer", "decimal")]
            places.append(rows.names.index(numbers[0]) if numbers else None)
        names = (*rows.names, *(m.column for m in metrics))
        cells = tuple((*row, *(1 if p is None else row[p] for p in places)) for row in rows.rows)
        return TableRows(names, cells, rows.complete)

    return read


def expanding(
    run: Callable[[str, Sequence[TableSchema]], SqlResult],
) -> Callable[[str, Sequence[TableSchema]], SqlResult]:
    """Return a function that runs statements with metrics written out."""
    return lambda sql, schemas: run(expanded(sql, schemas), [_bare(s) for s in schemas])
