"""Make the example documents from examples/data.py: ``python -m examples.make_corpus``.

The documents are committed, so this script is needed only to change them. It needs the development extra.
"""

import csv
from pathlib import Path

from docx import Document
from openpyxl import Workbook
from openpyxl.styles import Font
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from examples.data import ALLOWANCES, ORDERS, PRODUCTS, QUARTERS, SUPPLIERS, WAREHOUSES

__all__ = ["make_corpus"]

CORPUS = Path(__file__).parent / "corpus"


def orders_csv(path: Path) -> None:
    """Write the orders with dates, thousands separators and a currency, as a shop would export them."""
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(
            ["Order ID", "Order Date", "Customer", "Region", "Product", "Quantity (kg)", "Price per kg", "Status"]
        )
        for order_id, day, customer, region, product, quantity, price, status in ORDERS:
            writer.writerow([order_id, day, customer, region, product, f"{quantity:,}", f"€{price:.2f}", status])


def stock_xlsx(path: Path) -> None:
    """Write a workbook of two sheets."""
    book = Workbook()
    products = book.active
    products.title = "Products"
    products.append(["SKU", "Product", "Origin", "Price (EUR)", "Organic"])
    for row in PRODUCTS:
        products.append(list(row))
    warehouses = book.create_sheet("Warehouses")
    warehouses.append(["Warehouse", "City", "Capacity (kg)", "Stock (kg)"])
    for row in WAREHOUSES:
        warehouses.append(list(row))
    for sheet in book:
        for cell in sheet[1]:
            cell.font = Font(bold=True)
    book.save(path)


def suppliers_html(path: Path) -> None:
    """Write a web page with a table and a paragraph."""
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{v:,}</td>" if i == 4 else f"<td>{v}</td>" for i, v in enumerate(row)) + "</tr>"
        for row in SUPPLIERS
    )
    path.write_text(
        f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Our suppliers</title></head><body>
<h1>Our suppliers</h1>
<p>We buy green coffee from six growers. Every supplier is visited once a year,
and every lot is cupped before it ships.</p>
<table>
<caption>Suppliers</caption>
<thead><tr><th>Supplier</th><th>Country</th><th>Founded</th><th>Farms</th><th>Annual tonnes</th></tr></thead>
<tbody>
{rows}
</tbody></table>
<h2>Payment</h2>
<p>Suppliers are paid within 14 days of the arrival of a container. Organic lots earn a premium
of 0.40 EUR per kilogram.</p>
</body></html>
""",
        encoding="utf-8",
    )


def handbook_docx(path: Path) -> None:
    """Write a Word document with headings, paragraphs and a table."""
    document = Document()
    document.core_properties.title = "Staff handbook"
    document.add_heading("Staff handbook", 0)
    document.add_heading("Leave", 1)
    document.add_paragraph(
        "Every employee has 27 days of paid leave a year. Leave that is not taken by the end of March expires."
    )
    document.add_paragraph("Parents get 16 weeks of paid parental leave, which may be split into two parts.")
    document.add_heading("Warehouses", 1)
    document.add_paragraph("Noordkade is managed by Femke Jansen, who has run it since the site opened in 2011.")
    document.add_paragraph("Speicher Ost is managed by Henrik Voss. Molo Nuovo is managed by Chiara Bassi.")
    document.add_heading("Travel", 1)
    document.add_paragraph("Trips are booked by the office. The allowances below are paid without receipts.")
    table = document.add_table(rows=1, cols=3)
    for cell, text in zip(
        table.rows[0].cells, ("Destination", "Hotel per night (EUR)", "Meals per day (EUR)"), strict=True
    ):
        cell.text = text
    for row in ALLOWANCES:
        for cell, value in zip(table.add_row().cells, row, strict=True):
            cell.text = str(value)
    document.save(path)


def report_pdf(path: Path) -> None:
    """Write a PDF report of two pages with text and a ruled table."""
    styles = getSampleStyleSheet()
    total = sum(revenue for _, revenue, _ in QUARTERS)
    table = Table(
        [["Quarter", "Revenue (EUR)", "Cost (EUR)"], *[[q, f"{r:,}", f"{c:,}"] for q, r, c in QUARTERS]],
        colWidths=(90, 120, 120),
    )
    table.setStyle(
        TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black), ("FONT", (0, 0), (-1, 0), "Helvetica-Bold")])
    )
    story = [
        Paragraph("Annual report 2025", styles["Title"]),
        Paragraph(
            f"The total revenue of 2025 was {total:,} EUR, the highest since the company was founded. "
            "The fourth quarter was the strongest, carried by the holiday season.",
            styles["BodyText"],
        ),
        Spacer(1, 14),
        Paragraph("Revenue and cost by quarter", styles["Heading2"]),
        table,
        Spacer(1, 14),
        Paragraph("Outlook", styles["Heading2"]),
        Paragraph(
            "In 2026 a second roaster of type Probat P60 will be installed in Rotterdam. It can roast 240 kilograms "
            "an hour and replaces the gas roaster of 1998.",
            styles["BodyText"],
        ),
    ]
    SimpleDocTemplate(str(path), pagesize=A4, title="Annual report 2025", invariant=1).build(story)


def growers_md(path: Path) -> None:
    """Write Markdown notes about the growers."""
    path.write_text(
        """# Notes on our growers

## Serra Azul

Serra Azul was founded by Joaquim Teixeira, a former railway engineer who planted his first trees near Patrocínio.
The farm dries its coffee on raised beds and runs on solar power since 2019.

## Kaldi Cooperative

Kaldi Cooperative was founded by Almaz Bekele together with thirty neighbours. Its washing station in Yirgacheffe
employs 85 people in the season.

## Finca Alta Vista

Finca Alta Vista was founded by Elena Marín. Her daughter Lucía took over the cupping lab in 2015.

## Kivu Washing Station

Kivu Washing Station was founded by Jean-Paul Habimana after he returned from his studies in Kigali.

## Cordillera Growers

Cordillera Growers was founded by Óscar Restrepo as a union of family farms.

## Hacienda Boquete

Hacienda Boquete was founded by the brothers Arturo and Luis Pitti. It grows only the Geisha variety.
""",
        encoding="utf-8",
    )


def make_corpus(folder: Path) -> None:
    """Write all six documents into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    orders_csv(folder / "orders.csv")
    stock_xlsx(folder / "stock.xlsx")
    suppliers_html(folder / "suppliers.html")
    handbook_docx(folder / "handbook.docx")
    report_pdf(folder / "annual_report.pdf")
    growers_md(folder / "growers.md")


if __name__ == "__main__":
    make_corpus(CORPUS)
