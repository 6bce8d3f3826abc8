"""Programs in words, for people who do not read SQL."""

from tablerag.agent.offline.program import ALL, NUMBERS, Condition, Program, Rows
from tablerag.agent.offline.reading.query import lower_first
from tablerag.agent.offline.sql_text import literal
from tablerag.tools.records import ROW_ID, TableSchema
from tablerag.tools.text import total_of

__all__ = ["describe"]

COMPARED = {
    "<>": "is not", "<": "is less than", ">": "is more than", "<=": "is at most", ">=": "is at least",
    "contains": "contains", "starts": "starts with", "year": "is in",
}  # fmt: skip


def describe(program: Program, schema: TableSchema) -> str:
    """Return what a program computes as a noun phrase, such as 'total of "Total (EUR)" where "Region" is 'North''.

    Columns have their document's headers, in double quotes.
    """
    return _Description({name: c.header for c in schema.columns for name in c.all_names()}).program(program)


class _Description:
    def __init__(self, headers: dict[str, str]) -> None:
        self._headers = headers

    def program(self, program: Program) -> str:
        """Describe a program."""
        rows, others = self._rows(program.rows), self._rows(program.other or ALL)
        column = self._name(program.column) if program.column else ""
        match program.operation:
            case "count":
                return f"number of rows{rows}"
            case "count_distinct":
                return f"number of different values of {column}{rows}"
            case "sum":
                return f"{lower_first(total_of(column))}{rows}"
            case "avg":
                return f"average of {column}{rows}"
            case "most_common" | "best_group":
                way = "highest" if program.descending else "lowest"
                value = lower_first(total_of(self._name(program.measure))) if program.measure else "number of rows"
                return f"{self._name(program.group)} with the {way} {value}{rows}"
            case "same":
                return f"{column} of other rows with the same {self._name(program.group)} as the row{rows}"
            case "difference" | "choice":
                value = f"highest {column}" if column else "number of rows"
                if program.operation == "difference":
                    return f"difference between {value}{rows} and {value}{others}"
                first, second = program.labels
                return f"'{first}' if {value}{rows} is more than {value}{others}, else '{second}'"
        return f"{column}{rows}"

    def _rows(self, rows: Rows) -> str:
        """Describe rows, as what follows a noun; "" for all rows."""
        found = f" where {' and '.join(map(self._condition, rows.conditions))}" if rows.conditions else ""
        greatest = rows.extreme == "max"
        if rows.above:
            found = f" with a {'higher' if rows.above == '>' else 'lower'} {self._name(rows.by)} than the row{found}"
        elif rows.by == ROW_ID:
            found = f" in the {'last' if greatest else 'first'} row{found}"
        elif rows.extreme:
            found = f" with the {'highest' if greatest else 'lowest'} {self._name(rows.by)}{found}"
        return f" in the row {'after' if rows.step > 0 else 'before'} the one{found}" if rows.step else found

    def _condition(self, condition: Condition) -> str:
        name, values = self._name(condition.column), list(map(_written, condition.values))
        if condition.operator == "between":
            return f"{name} is between {values[0]} and {values[1]}"
        return f"{name} {COMPARED.get(condition.operator, 'is')} {' or '.join(values)}"

    def _name(self, name: str) -> str:
        bare = name.removesuffix(NUMBERS)
        return "position in the table" if name == ROW_ID else f'"{self._headers.get(bare, bare)}"'


def _written(value: str | float) -> str:
    return f"'{value}'" if isinstance(value, str) else literal(value)
