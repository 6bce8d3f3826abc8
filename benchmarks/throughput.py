"""Measure ingestion's reading, typing and storing beside pandas' reader and to_sql on the same files.

    python -m benchmarks.throughput [--rows 100000] [--long 1000000] [--small 200] [--only FORMAT ...]

For each format, both read files of generated rows and write them to a SQLite file. pandas writes the cells as they
are: it finds no headers, units or totals, chunks no text and builds no index; "with indexes" is the complete ingest.
Times depend on the machine, so compare the ratios. At the end, the CPU seconds and the memory peak of complete ingests
(a long CSV file of ten columns, an XLSX file, many small documents) are measured in separate processes, beside the CPU
seconds of pandas.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas
from docx import Document as WordDocument
from openpyxl import Workbook
from reportlab.lib import colors
from reportlab.platypus import SimpleDocTemplate
from reportlab.platypus import Table as PdfTable
from rich.console import Console
from rich.table import Table
from sqlalchemy import create_engine

from tablerag.ingestion.content import read_content
from tablerag.ingestion.manifest import SourceFile
from tablerag.ingestion.pipeline import ingest
from tablerag.ingestion.tables.storing import write_table
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.sql.database import Database

HEADER = ("Order", "Date", "Customer", "Region", "Quantity", "Price", "Note")
REGIONS = ("North", "South", "East", "West")


def rows_of(count: int, seed: int = 1) -> Iterator[tuple[object, ...]]:
    """Yield rows of orders."""
    chance = random.Random(seed)
    for i in range(1, count + 1):
        day = f"{2000 + chance.randrange(25)}-{chance.randrange(1, 13):02d}-{chance.randrange(1, 29):02d}"
        price = round(chance.random() * 1000, 2)
        customer, note = f"Customer {chance.randrange(5000)}", f"note {chance.randrange(10**6)}"
        yield i, day, customer, chance.choice(REGIONS), chance.randrange(1, 500), price, note


def write_csv(path: Path, count: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(HEADER) + "\n")
        file.writelines(",".join(map(str, row)) + "\n" for row in rows_of(count))


def write_xlsx(path: Path, count: int) -> None:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Orders")
    for row in (HEADER, *rows_of(count)):
        sheet.append(row)
    book.save(path)


def write_html(path: Path, count: int) -> None:
    body = "".join(f"<tr>{''.join(f'<td>{c}</td>' for c in row)}</tr>\n" for row in rows_of(count))
    head = "".join(f"<th>{h}</th>" for h in HEADER)
    path.write_text(f"<h1>Orders</h1><table><tr>{head}</tr>{body}</table>", encoding="utf-8")


def write_markdown(path: Path, count: int) -> None:
    lines = ["# Orders", "", f"| {' | '.join(HEADER)} |", f"|{' --- |' * len(HEADER)}"]
    lines += [f"| {' | '.join(map(str, row))} |" for row in rows_of(count)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_docx(path: Path, count: int) -> None:
    document = WordDocument()
    table = document.add_table(rows=count + 1, cols=len(HEADER))
    for row, values in zip(table._tbl.tr_lst, (HEADER, *rows_of(count)), strict=True):
        for cell, value in zip(row.tc_lst, values, strict=True):
            cell.p_lst[0].add_r().text = str(value)
    document.save(str(path))


def write_pdf(path: Path, count: int) -> None:
    table = PdfTable([HEADER, *(tuple(map(str, r)) for r in rows_of(count))], repeatRows=1)
    table.setStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black), ("FONTSIZE", (0, 0), (-1, -1), 7)])
    SimpleDocTemplate(str(path)).build([table])


FORMATS: dict[str, tuple[Callable[[Path, int], None], Callable[[Path], pandas.DataFrame] | None, float]] = {
    ".csv": (write_csv, pandas.read_csv, 1.0),
    ".xlsx": (write_xlsx, pandas.read_excel, 0.2),
    ".html": (write_html, lambda path: pandas.read_html(path)[0], 0.1),
    ".md": (write_markdown, None, 0.1),
    ".docx": (write_docx, None, 0.02),
    ".pdf": (write_pdf, None, 0.01),
}
"""Writer, pandas' reader if there is one, and the share of the rows in files of this format."""


def ours(path: Path, folder: Path) -> float:
    """Return the seconds of reading, typing and writing to SQL."""
    database = Database(f"sqlite:///{folder / f'ours{path.suffix}.db'}")
    started = time.perf_counter()
    content = read_content(SourceFile(path, path.name), "d" * 20, Settings(_env_file=None))
    for stored in content.tables:
        write_table(database, stored.schema.stored_as, stored.table, stored.companions)
    return time.perf_counter() - started


def theirs(path: Path, read: Callable[[Path], pandas.DataFrame], folder: Path) -> float:
    """Return the seconds of pandas' reader and to_sql."""
    engine = create_engine(f"sqlite:///{folder / f'pandas{path.suffix}.db'}")
    started = time.perf_counter()
    read(path).to_sql("orders", engine, index=False)
    return time.perf_counter() - started


def whole(path: Path, folder: Path) -> float:
    """Return the seconds of the complete ingest with chunks and indexes."""
    services = Services(Settings(home=folder / f"home{path.suffix}", workers=1, _env_file=None))
    started = time.perf_counter()
    (entry,) = ingest([path], services, "default").entries
    took = time.perf_counter() - started
    services.close()
    assert entry.status == "added", entry
    return took


WIDE_HEADER = (*HEADER, "Discount", "Status", "City")


def wide_rows(count: int) -> Iterator[tuple[object, ...]]:
    """Yield rows of orders with ten columns; the notes are all different."""
    chance = random.Random(2)
    for order, *others, note in rows_of(count):
        status = chance.choice(("open", "paid", "shipped", "returned"))
        discount, city = round(chance.random() * 0.3, 4), f"City {chance.randrange(800)}"
        yield order, *others, f"{note} for order {order}", discount, status, city


def write_wide_csv(path: Path, count: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(WIDE_HEADER) + "\n")
        file.writelines(",".join(map(str, row)) + "\n" for row in wide_rows(count))


def write_wide_xlsx(path: Path, count: int) -> None:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Orders")
    for row in (WIDE_HEADER, *wide_rows(count)):
        sheet.append(row)
    book.save(path)


OURS = """
import resource, sys, time
from pathlib import Path
from tablerag.ingestion.pipeline import ingest
from tablerag.ingestion.reader_worker import end_idle
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
services = Services(Settings(home=Path(sys.argv[2]), _env_file=None))
started = time.process_time()
entries = ingest([Path(sys.argv[1])], services, "default").entries
services.close()
end_idle()  # of what still runs, the system counts nothing
children = resource.getrusage(resource.RUSAGE_CHILDREN)
cpu = time.process_time() - started + children.ru_utime + children.ru_stime
# Unlike rusage, VmHWM does not count memory inherited from the parent process.
(own,) = (line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
assert {e.status for e in entries} == {"added"}, entries
print(cpu, round(int(own) / 1024), round(children.ru_maxrss / 1024))
"""
THEIRS = """
import sys, time
import pandas
from sqlalchemy import create_engine
started = time.process_time()
is_csv = sys.argv[1].endswith(".csv")
frame = pandas.read_csv(sys.argv[1]) if is_csv else pandas.read_excel(sys.argv[1], engine="calamine")
frame.to_sql("orders", create_engine("sqlite:///" + sys.argv[2]), index=False)
print(time.process_time() - started)
"""


def measured(script: str, path: Path, target: Path) -> list[float]:
    """Run a script on a file in a process of its own; return the numbers that it prints."""
    command = [sys.executable, "-c", script, str(path), str(target)]
    said = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent.parent)
    return [float(word) for word in said.stdout.split()]


def complete(console: Console, folder: Path, rows: int, small: int) -> None:
    """Print the CPU seconds and the memory peaks of complete ingests."""
    table = Table("complete ingest", "CPU s", "pandas CPU s", "ratio", "peak MB", "peak MB of its largest reader")
    for name, write, count in (("long.csv", write_wide_csv, rows), ("wide.xlsx", write_wide_xlsx, rows // 10)):
        write(folder / name, count)
        (cpu, own, reader) = measured(OURS, folder / name, folder / f"home-{name}")
        (other,) = measured(THEIRS, folder / name, folder / f"{name}.db")
        said = f"{name}: {count:,} rows x {len(WIDE_HEADER)} columns"
        table.add_row(said, f"{cpu:.1f}", f"{other:.1f}", f"{cpu / other:.2f}", f"{own:.0f}", f"{reader:.0f}")
    many = folder / "many"
    many.mkdir()
    for i in range(small):
        write_csv(many / f"{i}.csv", 50)
    cpu, own, reader = measured(OURS, many, folder / "home-many")
    said = f"{small} CSV files of 50 rows: {cpu / small * 1000:.0f} ms each"
    table.add_row(said, f"{cpu:.1f}", "", "", f"{own:.0f}", f"{reader:.0f}")
    console.print(table)


def main() -> None:
    """Print a row for each format, and the memory peak."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--long", type=int, default=1_000_000, help="rows of the long CSV file")
    parser.add_argument("--small", type=int, default=200, help="number of small documents")
    parser.add_argument("--only", nargs="*", default=list(FORMATS))
    options = parser.parse_args()
    console = Console()
    table = Table(
        "format", "rows", "MB", "rows/s", "pandas rows/s", "pandas is faster by", "with indexes rows/s", "documents/s"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for suffix in options.only:
            write, read, share = FORMATS[suffix]
            path, count = folder / f"orders{suffix}", int(options.rows * share)
            write(path, count)
            own = ours(path, folder)
            other = theirs(path, read, folder) if read else 0.0
            full = whole(path, folder)
            small = folder / f"small{suffix}"
            small.mkdir()
            for i in range(20):
                write(small / f"{i}{suffix}", 50)
            services = Services(Settings(home=folder / f"small_home{suffix}", _env_file=None))
            started = time.perf_counter()
            ingest([small], services, "default")
            each = 20 / (time.perf_counter() - started)
            services.close()
            pandas_rate, ratio = (f"{count / other:,.0f}", f"{own / other:.1f}") if read else ("no reader", "")
            size = f"{path.stat().st_size / 1e6:.1f}"
            table.add_row(
                suffix,
                f"{count:,}",
                size,
                f"{count / own:,.0f}",
                pandas_rate,
                ratio,
                f"{count / full:,.0f}",
                f"{each:.1f}",
            )
        console.print(table)
        complete(console, folder, options.long, options.small)


if __name__ == "__main__":
    main()
