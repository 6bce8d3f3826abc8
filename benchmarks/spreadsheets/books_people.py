"""Rosters, timesheets, surveys, donors and registers of people, in English."""

from random import Random

from openpyxl import Workbook

from benchmarks.spreadsheets.sheets import book, derive, form, merge, put, show, sums, table

__all__ = ["BOOKS"]


@book("ward_roster", "en", table("Week 19", "B:J", (4, 5), (6, 13)), table("Week 19", "L:N", 5, (6, 11)))
def ward_roster(workbook: Workbook) -> None:
    """Weekdays over dates as header, codes of shifts as cells, and the legend beside, with its own header."""
    sheet = workbook.create_sheet("Week 19")
    put(sheet, "B1", "St Columba Hospital | | | | | | | | Version 2\nWard 7B – duty roster, 6–12 May 2024", bold=2)
    put(
        sheet,
        "B4",
        """
        Name | Grade | Mon | Tue | Wed | Thu | Fri | Sat | Sun | | Shift codes
         | | 2024-05-06 | 2024-05-07 | 2024-05-08 | 2024-05-09 | 2024-05-10 | 2024-05-11 | 2024-05-12 |
        Abara, Ngozi | CNM | E | E | E | E | E | | | | E | Early 07:00–15:00 | 7.5
        Byrne, Sinead | RN | L | L | | N | N | N | | | L | Late 13:00–21:00 | 7.5
        Castellanos, Rut | RN | N | N | N | | | E | E | | N | Night 20:45–07:15 | 10
        Doyle, Patrick | RN | E | L | L | | | L | L | | AL | Annual leave | 7.5
        Fitzgerald, Una | RN | AL | AL | AL | AL | AL | | | | SD | Study day | 7.5
        Ivanova, Daria | HCA | L | E | | E | L | | N | | S | Sick | 0
        Keane, Oisin | HCA | | N | N | N | | E | E
        Lynch, Maeve | Student | SD | E | E | SD | | |
        """,
        bold=2,
    )
    put(sheet, "L5", "Code | Meaning | Hours", bold=1)
    for column in "DEFGHIJ":
        sheet[f"{column}5"].number_format = "d mmm"
    merge(sheet, "B4:B5", "C4:C5", "L4:N4")
    put(sheet, "B16", "Changes only with the ward manager's agreement.")


@book("timesheet", "en", form("Timesheet", "A:H", (3, 5)), table("Timesheet", "A:H", 7, (8, 15)))
def timesheet(workbook: Workbook) -> None:
    """Pairs of label and value over the table, times as cells, a total, lines for signatures."""
    sheet = workbook.create_sheet("Timesheet")
    put(sheet, "A1", "WEEKLY TIMESHEET", bold=1)
    merge(sheet, "A1:H1")
    put(
        sheet,
        "A3",
        """
        Employee: | | Jonas Whitaker | | Employee ID: | | TW-3381 |
        Department: | | Field Engineering | | Week ending: | | 2024-03-17 |
        Manager: | | A. Delacroix | | Contract hours: | | 37.5 |

        Day | Date | Start | End | Break (h) | Project | Task | Hours
        Monday | 2024-03-11 | 08:00 | 16:30 | 0.5 | P-118 | Site survey | 8
        Tuesday | 2024-03-12 | 08:00 | 17:00 | 0.5 | P-118 | Cabling | 8.5
        Wednesday | 2024-03-13 | 07:30 | 16:00 | 0.5 | P-118 | Cabling | 8
        Thursday | 2024-03-14 | 09:00 | 17:00 | 1 | P-204 | Client workshop | 7
        Friday | 2024-03-15 | 08:00 | 14:00 | 0 | INT | Training | 6
        Saturday
        Sunday
        Total
        """,
    )
    merge(sheet, *(f"{left}{row}:{right}{row}" for row in (3, 4, 5) for left, right in ("AB", "CD", "EF", "GH")))
    sums(sheet, "H15:H15", (8, 14))
    put(sheet, "A18", "Employee signature | | | | Date\n\nManager signature | | | | Date")


@book(
    "donor_list",
    "en",
    table("2023", "A:F", None, (1, 18)),
    table("Pledges", "C:F", 4, (5, 9)),
    table("Online", "A:H", 1, (2, 8)),
)
def donor_list(workbook: Workbook) -> None:
    """A list that nobody gave a header, a small table that starts in the middle, an export with all cells as text."""
    sheet = workbook.create_sheet("2023")
    chance = Random(7)
    names = (
        "Aldridge Family Trust;Beckwith, H.;Calloway, Mr & Mrs R.;Dunmore Rotary Club;Eastgate Surgery;Fenwick, Dr L.;"
        "Garrity, S.;Hollis & Sons;Imran, Z.;Jarvis, P.;Kettle, Miss A.;Lomax, J.;Mortlock, E.;Nayar, V.;"
        "Oakley Primary School;Pemberton, G.;Quarles, T.;Rudge, M."
    ).split(";")
    for row, name in enumerate(names, start=1):
        day = f"2023-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}"
        amount = chance.choice([10, 20, 25, 50, 100, 250, 12.5])
        way = chance.choice(["card", "cheque", "cash", "transfer"])
        aid = chance.choice(["Y", "N"])
        put(sheet, f"A{row}", f"{4000 + 3 * row} | {day} | {name} | {amount} | {way} | {aid}")
    show(sheet, "D1:D18", '"£"#,##0.00')
    pledges = workbook.create_sheet("Pledges")
    put(
        pledges,
        "C2",
        """
        Pledges for the new roof

        Donor | Pledged | Received so far | Outstanding
        Hollis & Sons | 5000 | 2500 |
        Dunmore Rotary Club | 3000 | 3000 |
        Aldridge Family Trust | 12000 | 4000 |
        Anonymous | 750 | 0 |
        Total
        """,
    )
    sums(pledges, "D9:E9", (5, 8))
    derive(pledges, "F5:F9", "=D{0}-E{0}", "DE", lambda pledged, received: pledged - received)
    put(
        workbook.create_sheet("Online"),
        "A1",
        """
        Txn ID | Created (UTC) | Amount | Fee | Net | Amount.1 | Currency | Memo
        ch_001a | 2023/2/6 9:14 | '£25.00 | '0.58 | '24.42 | '25.00 | gbp |
        ch_001b | 2023/2/6 21:40 | '£1,200.00 | '18.20 | '1,181.80 | '1,200.00 | gbp | roof
        ch_001c | 2023/2/17 7:02 | '£10.00 | '0.35 | '9.65 | '10.00 | gbp |
        ch_001d | 2023/3/1 12:31 | '£50.00 | '0.95 | '49.05 | '50.00 | gbp | in memory of Joan
        ch_001e | 2023/3/9 18:55 | '-£50.00 | '0.00 | '-50.00 | '-50.00 | gbp | refund
        ch_001f | 2023/4/22 16:20 | '£15.00 | '0.43 | '14.57 | '15.00 | gbp |
        ch_0020 | 2023/4/30 8:08 | '£20.00 | '0.50 | '19.50 | '20.00 | gbp | roof
        """,
    )


@book(
    "customer_survey",
    "en",
    table("Comments", "A:E", 1, (2, 9)),
    table("Ratings", "A:H", (3, 4), (5, 11)),
    table("Ratings", "A:D", 15, (16, 19)),
)
def customer_survey(workbook: Workbook) -> None:
    """Words only on one sheet; on the other percentages under a scale with its bases, and a split below."""
    sheet = workbook.create_sheet("Comments")
    put(
        sheet,
        "A1",
        """
        Respondent | Branch | What did you like? | What should we improve? | May we contact you?
        R-003 | Harbour | Friendly people at the desk | Opening hours | Yes
        R-008 | Harbour | Nothing in particular | The queue on Saturdays | No
        R-011 | Old Town | New children's corner | | Yes
        R-017 | Station | Quick | More seats, please! | No
        R-020 | Old Town | Helpful advice about the tent⏎(thanks, Marek) | Parking | Yes
        R-026 | Station | Prices | Prices | No
        R-031 | Harbour | | The website is slow | Yes
        R-034 | Old Town | Everything | Keep it up | No
        """,
        bold=1,
    )
    ratings = workbook.create_sheet("Ratings")
    put(
        ratings,
        "A1",
        """
        Q4. How satisfied are you with ...?

        Aspect | Very⏎satisfied | Satisfied | Neither⏎nor | Dissatisfied | Very⏎dissatisfied | Don't know | Base
         | % | % | % | % | % | % | n
        Staff | 48% | 37% | 9% | 4% | 1% | 1% | 412
        Range of goods | 29% | 44% | 17% | 7% | 2% | 1% | 410
        Prices | 12% | 33% | 30% | 18% | 6% | 1% | 411
        Waiting time | 18% | 31% | 22% | 20% | 8% | 1% | 409
        Opening hours | 22% | 40% | 19% | 13% | 4% | 2% | 412
        Website | 15% | 29% | 24% | 11% | 5% | 16% | 398
        Overall | 31% | 46% | 14% | 7% | 2% | 0% | 412
        * Percentages may not add up to 100 because of rounding.

        Q5. Would you recommend us?
        Branch | Yes | No | Net
        Harbour | 71% | 12% | 59%
        Old Town | 80% | 7% | 73%
        Station | 58% | 21% | 37%
        All | 70% | 13% | 57%
        """,
        bold=1,
    )


@book("parish_register", "en", table("Baptisms", "A:H", 3, (4, 14)), form("Notes on hands", "A:B", (1, 4)))
def parish_register(workbook: Workbook) -> None:
    """A transcription: uncertain dates as text, ditto marks, blanks, years as section rows; a table of hands."""
    sheet = workbook.create_sheet("Baptisms")
    put(sheet, "A1", "Baptisms at St Osyth, Little Wickering – transcribed from the bishop's transcripts")
    put(
        sheet,
        "A3",
        """
        Folio | Date | Child | Surname | Father | Mother | Abode | Remarks
         | '1742
        12r | 4 Apr | Thomas | Ablewhite | John | Susan | of this parish |
        " | 11 Apr | Mary | Pettit | Wm. | Eliz. | " | twin
        " | " | Anne | " | " | " | " | twin
        12v | ? Jun | [blank] | Coker | Rich'd | | a traveller | page torn
        " | 29 Aug | James | Ablewhite | Jas. | Hannah | Mill End |
         | '1743
        13r | 2 Jan [1742/3] | Sarah | Fuller | Nath'l | Sarah | " | bur. 9 Jan
        " | 20 Mar | Robert | Dowsett | Rob't | Mary | of this parish |
        13v | 7 May | Eliz. | Coker | | Jane | " | base born
        14r | 12 Nov | John | Pettit | Wm. | Eliz. | " |
        """,
        bold=1,
    )
    hands = workbook.create_sheet("Notes on hands")
    put(
        hands,
        "A1",
        """
        Hand A | to f. 12r, the Rev. Mr Stubbs; clear, long s throughout
        Hand B | f. 12v only, the curate; hard to read, abbreviates everything
        Hand C | from f. 13r, the parish clerk; phonetic spelling
        Hand D | marginal notes added about 1790
        """,
    )


BOOKS = (ward_roster, timesheet, donor_list, customer_survey, parish_register)
