"""Budgets, statements, loans and invoices, in English."""

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from benchmarks.spreadsheets.sheets import book, derive, form, indent, merge, number_in, put, show, sums, table

__all__ = ["BOOKS"]


@book(
    "city_budget",
    "en",
    table("General Fund", "A:H", (5, 6), (7, 24)),
    table("Capital", "A:F", 1, (2, 8)),
)
def city_budget(workbook: Workbook) -> None:
    """Two years side by side under merged groups, sections with subtotals by formula, sources below."""
    sheet = workbook.create_sheet("General Fund")
    put(sheet, "A1", "City of Marlow Falls\nAdopted Operating Budget – General Fund\n(in thousands of dollars)", bold=2)
    merge(sheet, "A1:H1", "A2:H2", "A3:H3")
    put(
        sheet,
        "A5",
        """
        Department | Fund | FY 2023 | | | FY 2024 | | % Change
         | | Adopted | Actual | Variance | Adopted | FTE |
        Public Safety
        Police | 101 | 18420 | 18911 | | 19350 | 142.5
        Fire and Rescue | 101 | 12760 | 12644 | | 13105 | 98
        Emergency Communications | 104 | 2310 | 2288 | | 2475 | 24
        Subtotal
        Public Works
        Streets | 101 | 6145 | 6420 | | 6380 | 51
        Parks | 101 | 3890 | 3802 | | 4010 | 37.5
        Fleet Services | 502 | 2215 | 2340 | | 2290 | 18
        Subtotal
        Administration
        City Manager | 101 | 1120 | 1098 | | 1185 | 9
        Finance | 101 | 2045 | 2011 | | 2130 | 21
        Human Resources | 101 | 980 | 1004 | | 1015 | 10
        Legal | 101 | 1405 | 1377 | | 1460 | 11
        Subtotal
        """,
        bold=2,
    )
    merge(sheet, "A5:A6", "B5:B6", "C5:E5", "F5:G5", "H5:H6")
    for first, last in ((8, 10), (13, 15), (18, 21)):
        indent(sheet, f"A{first}:A{last}")
        sums(sheet, f"C{last + 1}:G{last + 1}", (first, last))
    derive(sheet, "E8:E22", "=D{0}-C{0}", "DC", lambda actual, adopted: actual - adopted)
    sheet["A23"] = "Transfers out"
    put(sheet, "C23", "1500 | 1500 | 0 | 1250")
    sheet["A24"] = "Total General Fund"
    for letter in "CDEFG":
        parts = [11, 16, 22, 23]
        total = sum(number_in(sheet, f"{letter}{row}") for row in parts)
        sheet[f"{letter}24"] = f"={'+'.join(f'{letter}{row}' for row in parts)} => {total:g}"
    derive(sheet, "H8:H24", "=F{0}/C{0}-1", "FC", lambda new, old: new / old - 1)
    show(sheet, "C7:F24", "#,##0;(#,##0)")
    show(sheet, "H7:H24", "0.0%")
    put(sheet, "A26", "Source: Department of Finance, Ordinance 2023-88.\nFTE = full-time equivalents.")
    _capital_projects(workbook.create_sheet("Capital"))


def _capital_projects(sheet: Worksheet) -> None:
    """Write a plain list with a total below its last column."""
    put(
        sheet,
        "A1",
        """
        Project No. | Project | District | Funding Source | Approved | Estimated Cost ($000)
        C-201 | Mill Street bridge deck | 2 | State grant | 2022-11-14 | 4200
        C-207 | Library roof | 1 | General obligation bonds | 2023-01-23 | 865
        C-210 | Northside water main | 4 | Revenue bonds | 2023-02-06 | 3110
        C-214 | Fire station 5 generator | 3 | General fund | 2023-02-06 | 145
        C-219 | Riverwalk phase II | 2 | Federal grant | 2023-04-17 | 2780
        C-222 | Traffic signal upgrade | 1 | General fund | 2023-05-01 | 610
         | | | | Total |
        """,
        bold=1,
    )
    sums(sheet, "F8:F8", (2, 7))


@book(
    "income_statement",
    "en",
    table("P&L", "B:H", 5, (6, 22)),
    table("Balance sheet", "A:C", 3, (4, 10)),
    table("Balance sheet", "E:G", 3, (4, 10)),
)
def income_statement(workbook: Workbook) -> None:
    """Years as numbers over spacer columns; a second sheet with assets beside liabilities."""
    sheet = workbook.create_sheet("P&L")
    put(sheet, "B2", "Halden Instruments plc\nConsolidated income statement for the years ended 31 December", bold=2)
    put(
        sheet,
        "B5",
        """
        £ millions | Note | | 2023 | | 2022 | 2021
        Revenue | 3 | | 412.6 | | 388.1 | 351.9
        Cost of sales | | | -248.3 | | -239.4 | -214.0
        Gross profit | | | 164.3 | | 148.7 | 137.9

        Selling and distribution | 4 | | -51.2 | | -48.8 | -44.1
        Administrative expenses | 4 | | -38.9 | | -36.0 | -33.7
        Research and development | 5 | | -22.4 | | -20.1 | -18.8
        Other operating income | | | 1.7 | | 0.9 | 2.3
        Operating profit | | | 53.5 | | 44.7 | 43.6

        Finance income | 7 | | 0.8 | | 0.3 | 0.2
        Finance costs | 7 | | -6.1 | | -4.9 | -4.4
        Profit before tax | | | 48.2 | | 40.1 | 39.4
        Taxation | 8 | | -11.0 | | -8.7 | -8.1
        Profit for the year | | | 37.2 | | 31.4 | 31.3

        Basic earnings per share (pence) | 9 | | 24.8 | | 20.9 | 20.7
        """,
        bold=1,
    )
    show(sheet, "E6:H20", "#,##0.0;(#,##0.0)")
    put(sheet, "B24", "The notes on pages 88 to 131 form part of these financial statements.")
    sheet.column_dimensions["D"].width = 2
    sheet.column_dimensions["F"].width = 2
    sides = workbook.create_sheet("Balance sheet")
    put(sides, "A1", "Halden Instruments plc – balance sheet (£m)", bold=1)
    merge(sides, "A1:G1")
    put(
        sides,
        "A3",
        """
        Assets | 2023 | 2022 | | Equity and liabilities | 2023 | 2022
        Property, plant and equipment | 121.4 | 118.0 | | Share capital | 15.0 | 15.0
        Intangible assets | 84.2 | 86.9 | | Retained earnings | 160.3 | 138.7
        Inventories | 66.8 | 71.5 | | Borrowings | 92.5 | 101.2
        Trade receivables | 72.3 | 65.4 | | Trade payables | 58.1 | 60.6
        Cash | 41.9 | 30.2 | | Provisions | 21.4 | 19.8
        Other | 3.3 | 2.1 | | Other liabilities | 42.6 | 38.8
        Total assets | | | | Total equity and liabilities
        """,
        bold=1,
    )
    sums(sides, "B10:C10", (4, 9))
    sums(sides, "F10:G10", (4, 9))


@book(
    "loan_schedule",
    "en",
    form("Loan", "B:C", (3, 8)),
    table("Loan", "B:H", 11, (12, 47)),
    table("Deposit rates", "A:C", (3, 4), (5, 14)),
)
def loan_schedule(workbook: Workbook) -> None:
    """Parameters as a form, the schedule of payments below; rates in sections within sections."""
    sheet = workbook.create_sheet("Loan")
    put(
        sheet,
        "B1",
        """
        Equipment Loan Amortization

        Loan amount | 48000
        Annual interest rate | 6.6%
        Term (months) | 36
        First payment | 2023-04-01
        Lender | Three Rivers Credit Union
        Account | LN-22-00871
        """,
        bold=1,
    )
    merge(sheet, "B1:H1")
    show(sheet, "C3:C3", '"$"#,##0.00')
    put(sheet, "B11", "No. | Due date | Opening balance | Payment | Principal | Interest | Closing balance", bold=1)
    balance, payment = 48000.0, 1473.55
    for number in range(1, 37):
        row, interest = 11 + number, round(balance * 0.066 / 12, 2)
        paid = min(payment, round(balance + interest, 2)) if number < 36 else round(balance + interest, 2)
        month = (number + 2) % 12 + 1
        due = f"{2023 + (number + 2) // 12}-{month:02d}-01"
        closing = round(balance + interest - paid, 2)
        principal = round(paid - interest, 2)
        put(sheet, f"B{row}", f"{number} | {due} | {balance:.2f} | {paid:.2f} | {principal:.2f} | {interest:.2f} | 0")
        sheet[f"H{row}"] = f"=D{row}-F{row} => {closing}"
        balance = closing
    show(sheet, "D12:H47", '"$"#,##0.00')
    rates = workbook.create_sheet("Deposit rates")
    put(
        rates,
        "A1",
        """
        Three Rivers Credit Union – deposit rates from 1 March 2024

        Product | Annual rate (%) |
         | below 10,000 | 10,000 and above
        I. Demand deposits | 0.35 | 0.35
        II. Fixed-term deposits
        (i) Lump sum
        3 months | 2.4 | 2.6
        6 months | 2.9 | 3.05
        12 months | 3.5 | 3.75
        (ii) Regular saving
        12 months | 3.1 | 3.1
        24 months | 3.4 | –
        III. Notice accounts, 30 days | 1.6 | 2.05
        """,
        bold=4,
    )
    merge(rates, "A1:C1", "A3:A4", "B3:C3")


@book(
    "invoice",
    "en",
    form("Invoice", "A:F", (4, 7)),
    table("Invoice", "A:F", 9, (10, 18)),
    form("Invoice", "A:B", (21, 24)),
)
def invoice(workbook: Workbook) -> None:
    """Head data in pairs over the items, sums under the last columns only, bank details as a form."""
    sheet = workbook.create_sheet("Invoice")
    put(sheet, "A1", "BRIGHTWATER LANDSCAPES LTD\n14 Quarry Lane, Ashcombe AC3 7LN", bold=1)
    put(
        sheet,
        "A4",
        """
        Invoice no.: | BW-10428 | | | Date: | 2024-05-17
        Customer: | Ashcombe Town Council | | | Due: | 2024-06-16
        Contact: | Ms P. Farrow | | | Order no.: | ATC/24/0193
        Site: | Memorial Park | | | Terms: | 30 days net

        Item | Description | Qty | Unit | Unit price | Amount
        1 | Turf, hard-wearing, supplied and laid | 320 | m² | 7.4 |
        2 | Topsoil, screened | 26 | t | 38.5 |
        3 | Silver birch, 14–16 cm girth | 9 | no. | 185 |
        4 | Tree stakes and ties | 18 | set | 12.25 |
        5 | Labour, two-man team | 6 | day | 410 |
        6 | Skip hire | 2 | no. | 240 |
         | | | | Subtotal |
         | | | | VAT 20% |
         | | | | Total due |
        """,
    )
    derive(sheet, "F10:F15", "=C{0}*E{0}", "CE", lambda quantity, price: quantity * price)
    sums(sheet, "F16:F16", (10, 15), bold=False)
    net = number_in(sheet, "F16")
    sheet["F17"] = f"=F16*0.2 => {net * 0.2:g}"
    sheet["F18"] = f"=F16+F17 => {net * 1.2:g}"
    show(sheet, "E10:F18", '"£"#,##0.00')
    put(
        sheet,
        "A20",
        """
        Payment details
        Bank: | Southmoor Bank
        Sort code: | '20-44-61
        Account no.: | '00718832
        Reference: | BW-10428
        """,
        bold=1,
    )
    put(sheet, "A27", "Registered in England no. 04418820. Goods remain our property until paid for in full.")


@book("association_accounts", "en", table("Sheet1", "B:M", (4, 6), (7, 15)))
def association_accounts(workbook: Workbook) -> None:
    """A ledger of means of payment: three header rows, from column B on, spacer columns, a carried balance."""
    sheet = workbook.create_sheet("Sheet1")
    put(sheet, "B2", "Allotment Association – cash and bank ledger, spring 2024")
    put(
        sheet,
        "B4",
        """
        Date | Voucher | Details | | Receipts | | | | Payments | | | Balance
         | | | | Cash | Bank | | | Cash | Bank | |
         | | | | | Transfer | Card | | | Transfer | Direct debit |
         | | Balance brought forward | | | | | | | | | 2316.4
        2024-03-02 | 41 | Plot rents, 14 members | | 180 | 420 | 240 | | | | | 3156.4
        2024-03-05 | 42 | Water company | | | | | | | | 318.72 | 2837.68
        2024-03-16 | 43 | Seed potatoes, bulk order | | | | | | | 264.5 | | 2573.18
        2024-03-23 | 44 | Sale of seed potatoes | | 311 | | 96 | | | | | 2980.18
        2024-04-06 | 45 | Hire of chipper | | | | | | 85 | | | 2895.18
        2024-04-11 | 46 | Insurance | | | | | | | | 402.16 | 2493.02
        2024-04-27 | 47 | Plant fair | | 642.5 | | 388 | | | | | 3523.52
         | | Totals | | 1133.5 | 420 | 724 | | 85 | 264.5 | 720.88 | 3523.52
        """,
    )
    merge(sheet, "B4:B6", "C4:C6", "D4:D6", "F4:H4", "F5:F6", "G5:H5", "J4:L4", "J5:J6", "K5:L5", "M4:M6")
    show(sheet, "F7:M15", "#,##0.00")
    put(sheet, "B17", "Examined and found correct:\n______________________    R. Okafor, 4 May 2024")


BOOKS = (city_budget, income_statement, loan_schedule, invoice, association_accounts)
