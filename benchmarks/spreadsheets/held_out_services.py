"""Held out: a ferry line, reservoirs and a theatre's box office."""

from datetime import date

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from benchmarks.spreadsheets.sheets import book, form, indent, merge, number_in, put, show, sums, table

__all__ = ["BOOKS"]


@book(
    "ferry_line",
    "en",
    table("Times", "A:H", (4, 5), (6, 10)),
    table("Times", "A:H", (13, 14), (15, 19)),
    form("Times", "A:B", (22, 25)),
    table("Fares", "B:F", (3, 4), (5, 12)),
    table("Fares", "H:J", (3, 4), (5, 10)),
)
def ferry_line(workbook: Workbook) -> None:
    """Sailings across with their days under the numbers, stops down, times as cells; fares with hidden rows."""
    sheet = workbook.create_sheet("Times")
    put(
        sheet,
        "A1",
        """
        KELDSAY ISLAND FERRIES
        Summer timetable, 29 March – 26 October 2024
        Mainland to Keldsay
        Sailing | 101 | 103 | 105 | 107 | 109 | 111 | 113
        runs on | daily | Mo–Fr | daily | Sa Su | daily | daily | Fr
        North Quay dep. | 06:15 | 07:40 | 09:30 | 11:00 | 13:10 | 16:45 | 20:30
        Skerry Point | 06:38 | 08:03 | 09:53 | – | 13:33 | 17:08 | R
        Gull Holm | – | R | 10:12 | – | R | R | R
        Little Keldsay | 07:05 | 08:31 | 10:34 | 11:52 | 14:02 | 17:35 | 21:22
        Keldsay arr. | 07:25 | 08:50 | 10:55 | 12:10 | 14:20 | 17:55 | 21:40

        Keldsay to mainland
        Sailing | 102 | 104 | 106 | 108 | 110 | 112 | 114
        runs on | daily | Mo–Fr | daily | Sa Su | daily | daily | Su
        Keldsay dep. | 05:00 | 07:50 | 09:10 | 12:30 | 14:45 | 18:15 | 21:00
        Little Keldsay | 05:18 | 08:09 | 09:29 | 12:49 | 15:04 | 18:34 | 21:18
        Gull Holm | – | R | R | – | 15:25 | R | –
        Skerry Point | 05:46 | 08:37 | 09:58 | 13:18 | 15:46 | 19:02 | R
        North Quay arr. | 06:05 | 09:00 | 10:20 | 13:40 | 16:10 | 19:25 | 22:05

        Signs
        R | calls on request, tell the crew
        – | does not call
        dep. | gates close five minutes before
        arr. | subject to tide and weather
        """,
        bold=2,
    )
    merge(sheet, "A1:H1", "A2:H2", "A3:H3", "A12:H12")
    fares = workbook.create_sheet("Fares")
    put(fares, "B1", "Fares from 29 March 2024 (£)", bold=1)
    put(
        fares,
        "B3",
        """
        Passengers | Single | | Return | | | Vehicles | Length | Single
         | Peak | Off-peak | Peak | Off-peak | | | up to (m) | incl. driver
        Adult | 14.2 | 11.4 | 25.6 | 20.5 | | Motorcycle | | 18.5
        Child 5–15 | 7.1 | 5.7 | 12.8 | 10.25 | | Car | 5 | 42
        Under 5 | free | free | free | free | | Van | 6 | 58.5
        Islander | 6 | 6 | 12 | 12 | | Camper | 7.5 | 64
        Student | 10.65 | 8.55 | 19.2 | 15.4 | | Lorry | 10 | 121
        Railcard | 9.5 | 7.6 | 17.1 | 13.7 | | Bicycle | | 3
        Group of 10 | 120 | 96 | 218 | 174
        Dog | 3 | 3 | 6 | 6
        """,
        bold=2,
    )
    merge(fares, "B1:J1", "B3:B4", "C3:D3", "E3:F3", "H3:H4")
    show(fares, "C5:F12", '"£"#,##0.00')
    show(fares, "J5:J10", '"£"#,##0.00')
    fares.row_dimensions[9].hidden = True
    put(fares, "B14", "Peak: Fridays from noon, Saturdays, and every day from 1 July to 31 August.")


@book(
    "reservoirs",
    "en",
    table("Storage", "A:I", (3, 4), (5, 19)),
    table("Inflow", "A:H", (4, 5), (6, 17)),
    table("Rules", "B:D", 2, (3, 7)),
    form("Rules", "F:G", (3, 5)),
)
def reservoirs(workbook: Workbook) -> None:
    """Years as numbers and months as dates for headers, systems with indented lakes, rules in words."""
    _storage(workbook.create_sheet("Storage"))
    _inflow(workbook.create_sheet("Inflow"))
    _rules(workbook.create_sheet("Rules"))


def _storage(sheet: Worksheet) -> None:
    """The filling by month and year, and its extremes."""
    put(
        sheet,
        "A1",
        """
        Water in store at the end of each month

        Month | % of usable capacity
         | 2018 | 2019 | 2020 | 2021 | 2022 | 2023 | 2024 | 2018–23
        January | 91 | 88 | 96 | 97 | 90 | 93 | 95 | 93
        February | 94 | 91 | 99 | 97 | 92 | 91 | 98 | 94
        March | 97 | 96 | 98 | 95 | 91 | 94 | 99 | 95
        April | 98 | 92 | 93 | 91 | 88 | 95 | 97 | 93
        May | 93 | 86 | 84 | 93 | 84 | 90 | 94 | 88
        June | 84 | 82 | 80 | 87 | 78 | 81 | | 82
        July | 70 | 77 | 77 | 80 | 66 | 79 | | 75
        August | 63 | 74 | 78 | 74 | 53 | 77 | | 70
        September | 62 | 76 | 73 | 69 | 50 | 75 | | 68
        October | 66 | 84 | 82 | 74 | 58 | 86 | | 75
        November | 74 | 90 | 87 | 80 | 74 | 91 | | 83
        December | 85 | 94 | 95 | 86 | 84 | 95 | | 90

        Highest | 98 | 96 | 99 | 97 | 92 | 95 | 99
        Lowest | 62 | 74 | 73 | 69 | 50 | 75 | 94
        """,
        bold=1,
    )
    merge(sheet, "A1:I1", "A3:A4", "B3:I3")
    put(sheet, "A21", "Source: daily gauge boards; 2024 provisional.")


def _inflow(sheet: Worksheet) -> None:
    """The inflow by lake and month, with sums."""
    put(sheet, "A1", "Monthly inflow, first half of 2024\nPrinted 3 June 2024", bold=1)
    sheet["A4"] = "System / lake"
    for column in range(2, 8):
        cell = sheet.cell(4, column, date(2024, column - 1, 1))
        cell.number_format = "mmm-yy"
        sheet.cell(5, column, "ML")
    put(sheet, "H4", "Catchment\nkm²")
    put(
        sheet,
        "A6",
        """
        Northern system
        Loch Arder | 4120 | 3875 | 2960 | 2215 | 1480 | | 38.4
        Blackmere | 1975 | 1840 | 1420 | 990 | 610 | | 17.2
        Upper Tarn | 640 | 598 | 455 | 320 | 205 | | 5.1
        Subtotal
        Southern system
        Hollin Water | 2890 | 2510 | 2130 | 1660 | 1120 | | 29.9
        Dunmoor | 1105 | 980 | 870 | 640 | 395 | | 12.6
        Subtotal
        Pumped from River Esk | 0 | 0 | 350 | 900 | 1450
        Leakage and spill | -1210 | -1540 | -430 | -60 | 0
        Total
        """,
    )
    sums(sheet, "B10:F10", (7, 9))
    sums(sheet, "H10:H10", (7, 9))
    sums(sheet, "B14:F14", (12, 13))
    sums(sheet, "H14:H14", (12, 13))
    for column in "BCDEF":
        cells = [f"{column}{row}" for row in (10, 14, 15, 16)]
        sheet[f"{column}17"] = f"={'+'.join(cells)} => {sum(number_in(sheet, cell) for cell in cells):g}"
    merge(sheet, "A1:H1", "A4:A5")
    show(sheet, "B7:F17", "#,##0;-#,##0")
    indent(sheet, "A7:A9", 2)
    indent(sheet, "A12:A13", 2)


def _rules(sheet: Worksheet) -> None:
    """Bands of storage and what they mean, and telephone numbers."""
    put(
        sheet,
        "B2",
        """
        Band | When | What is done
        Green | above the control curve | Normal releases
        Yellow | below the curve for two weeks | Press notice, pumping from the Esk begins
        Amber | 20 points below the curve | Hosepipe ban; night pressure cut
        Red | under 40 % in store | Drought permit, releases halved
        Black | under 25 % in store | Standpipes by rota
        """,
        bold=1,
    )
    put(sheet, "F3", "Duty engineer | ext. 2210\nControl room | ext. 2200\nPress office | ext. 2745")


@book(
    "box_office",
    "en",
    table("Week 3", "B:L", (5, 7), (8, 17)),
    table("Week 3", "B:F", 21, (22, 25)),
    table("Cast", "A:I", 3, (4, 10)),
)
def box_office(workbook: Workbook) -> None:
    """Seats and takings by part of the house with spacer columns, units below; who plays whom, words only."""
    _week(workbook.create_sheet("Week 3"))
    _cast(workbook.create_sheet("Cast"))


def _week(sheet: Worksheet) -> None:
    """Seats and takings by performance, and reduced tickets."""
    put(
        sheet,
        "B2",
        "Corn Exchange Theatre – weekly return\nShow: The Tin Kite | | | | | Week ending 16 March 2024",
        bold=1,
    )
    put(
        sheet,
        "B5",
        """
        Performance | | | Stalls | | | Circle | | | House |
        Day | Time | | Sold | Takings | | Sold | Takings | | Sold | Takings
         | | | seats | £ | | seats | £ | | seats | £
        Mon | 19:30 | | 148 | 3256 | | 61 | 976 | | 209 | 4232
        Tue | 19:30 | | 163 | 3586 | | 70 | 1120 | | 233 | 4706
        Wed | 14:00 | | 201 | 2814 | | 118 | 1298 | | 319 | 4112
        Wed | 19:30 | | 155 | 3410 | | 64 | 1024 | | 219 | 4434
        Thu | 19:30 | | 187 | 4114 | | 93 | 1488 | | 280 | 5602
        Fri | 19:30 | | 240 | 6000 | | 151 | 2718 | | 391 | 8718
        Sat | 14:00 | | 236 | 4720 | | 140 | 1960 | | 376 | 6680
        Sat | 19:30 | | 248 | 6200 | | 166 | 2988 | | 414 | 9188
        Week
        % of capacity | | | 78.8% | | | 63.2% | | | 72.2%
        """,
        bold=3,
    )
    sums(sheet, "E16:F16", (8, 15))
    sums(sheet, "H16:I16", (8, 15))
    sums(sheet, "K16:L16", (8, 15))
    merge(sheet, "B2:L2", "B5:C5", "B6:B7", "C6:C7", "E5:F5", "H5:I5", "K5:L5", "B16:C16", "B17:C17")
    for letter in "DGJ":
        sheet.column_dimensions[letter].width = 1.5
    for letter in "FIL":
        show(sheet, f"{letter}8:{letter}16", "#,##0")
    put(
        sheet,
        "B20",
        """
        Free and reduced tickets
        Kind | Authorised by | | Stalls | Circle
        Press | publicity | | 14 | 0
        Staff | house manager | | 9 | 6
        Schools | education | | 62 | 45
        Carers | box office | | 11 | 3
        """,
        bold=2,
    )
    put(sheet, "B28", "Signed (box office manager) | | | | | | Countersigned (producer)")


def _cast(sheet: Worksheet) -> None:
    """Who plays whom."""
    put(
        sheet,
        "A1",
        """
        Who plays whom, week 3

        Part | Mon | Tue | Wed mat. | Wed eve. | Thu | Fri | Sat mat. | Sat eve.
        Ada | Quill | Quill | Marsh | Quill | Quill | Quill | Marsh | Quill
        The Tinker | Osei | Osei | Osei | Osei | Brandt | Osei | Osei | Osei
        Mrs Pell | Vane | Vane | Vane | Vane | Vane | Vane | Vane | Vane
        Constable | Brandt | Brandt | Lowe | Brandt | Lowe | Brandt | Brandt | Brandt
        Kite (voice) | Ito | Ito | Ito | Ito | Ito | Ito | Ito | Ito
        Children | team A | team B | team A | team B | team A | team B | team A | team B
        Stand-by | Lowe | Lowe | Quill | Lowe | – | Lowe | Quill | Lowe
        """,
        bold=1,
    )
    merge(sheet, "A1:I1", "B6:I6")


BOOKS = (ferry_line, reservoirs, box_office)
