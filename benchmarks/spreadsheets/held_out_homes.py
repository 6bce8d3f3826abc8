"""Held out: a laboratory's report, a house move and insurances compared."""

from datetime import date

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from benchmarks.spreadsheets.sheets import book, form, indent, merge, put, show, sums, table

__all__ = ["BOOKS"]


@book(
    "blood_results",
    "en",
    form("Report", "A:H", (3, 6)),
    table("Report", "A:H", (9, 10), (11, 24)),
    form("Report", "A:B", (27, 29)),
    table("History", "B:G", (2, 3), (4, 9)),
)
def blood_results(workbook: Workbook) -> None:
    """Patient and sample as pairs without colons, limits under one name, groups of tests; earlier values by date."""
    _report(workbook.create_sheet("Report"))
    _history(workbook.create_sheet("History"))


def _report(sheet: Worksheet) -> None:
    """The patient, the results by group and the flags."""
    put(
        sheet,
        "A1",
        """
        VALE PATHOLOGY – LABORATORY REPORT

        Patient | Hartnell, Josephine | | | Sample no. | 24-118-0932
        Date of birth | 1961-11-05 | | | Taken | 2024-04-27 08:10
        Referred by | Dr N. Achebe, Vale Surgery | | | Received | 2024-04-27 11:45
        Clinical note | tired, on metformin since 2019 | | | Fasting | yes


        Test | Result | Flag | Unit | Reference range | | Method | Comment
         | | | | from | to | |
        Blood count
        Haemoglobin | 11.4 | L | g/dL | 12 | 15.5 | photometry |
        White cells | 6.2 | | 10⁹/L | 4 | 11 | flow |
        Platelets | 431 | H | 10⁹/L | 150 | 400 | flow | repeat in 4 weeks
        Mean cell volume | 79.2 | L | fL | 80 | 98 | calculated |
        Iron
        Ferritin | 9 | L | µg/L | 15 | 200 | immunoassay |
        Transferrin saturation | 12% | L | | 20% | 45% | calculated |
        Sugar and kidneys
        HbA1c | 51 | H | mmol/mol | | 48 | HPLC |
        Creatinine | 74 | | µmol/L | 45 | 84 | enzymatic |
        eGFR | >60 | | mL/min | 60 | | CKD-EPI |
        Thyroid
        TSH | pending | | mU/L | 0.4 | 4 | immunoassay | to follow


        H | above the reference range
        L | below the reference range
        pending | not yet measured
        """,
    )
    merge(sheet, "A1:H1", "A9:A10", "B9:B10", "C9:C10", "D9:D10", "E9:F9", "G9:G10", "H9:H10")
    for row in range(3, 7):
        merge(sheet, f"B{row}:D{row}", f"F{row}:H{row}")
    for row in (11, 16, 19, 23):
        merge(sheet, f"A{row}:H{row}")
    for rows in ("A12:A15", "A17:A18", "A20:A22", "A24:A24"):
        indent(sheet, rows)
    put(sheet, "A31", "Released by Dr M. Sund, 28 April 2024. Results are valid without signature.")


def _history(sheet: Worksheet) -> None:
    """Earlier values by date."""
    put(sheet, "B2", "Test | Unit | Measured on")
    for column, day in enumerate((date(2022, 5, 3), date(2022, 11, 14), date(2023, 5, 9), date(2024, 4, 27)), start=4):
        sheet.cell(3, column, day).number_format = "dd/mm/yy"
    put(
        sheet,
        "B4",
        """
        Haemoglobin | g/dL | 12.9 | 12.6 | 12.2 | 11.4
        Ferritin | µg/L | 41 | 33 | 20 | 9
        HbA1c | mmol/mol | 47 | 49 | 48 | 51
        Creatinine | µmol/L | 70 | | 72 | 74
        Cholesterol | mmol/L | 5.8 | 4.9 | |
        TSH | mU/L | 2.1 | | 2.4 |
        """,
    )
    merge(sheet, "B2:B3", "C2:C3", "D2:G2")


@book(
    "house_move",
    "en",
    table("To do", "A:D", 3, (4, 14)),
    table("To do", "F:H", 4, (5, 10)),
    table("People", "A:D", None, (1, 6)),
    table("Boxes", "A:F", (2, 3), (4, 10)),
)
def house_move(workbook: Workbook) -> None:
    """Lists of words with boxes to tick, side by side from different rows; people without header; boxes by room."""
    _tasks(workbook.create_sheet("To do"))
    _people(workbook.create_sheet("People"))
    _boxes(workbook.create_sheet("Boxes"))


def _tasks(sheet: Worksheet) -> None:
    """What to do until when, and contracts."""
    put(
        sheet,
        "A1",
        """
        OUR MOVE – Saturday 7 September

        Done | Task | Who | Until
        Eight weeks before
        ☑ | Give notice to landlord | Mara | early July
        ☑ | Three quotes from movers | Joel | mid July
        ☐ | Measure doors of new flat | Joel | next visit
        Two weeks before
        ☐ | Redirect post | Mara |
        ☐ | Book lift and parking bay | Joel | when the movers confirm
        ☐ | Empty freezer | both |
        The day itself
        ☐ | Read meters, take photos | Joel | before the van leaves
        ☐ | Hand over keys | Mara | 5 pm at the latest
        """,
        bold=1,
    )
    merge(sheet, "A1:H1", "A4:D4", "A8:D8", "A12:D12")
    put(
        sheet,
        "F4",
        """
        Contract | Cancel or take along | Letter sent
        Electricity | take along | yes
        Gas | cancel, new flat has none | yes
        Internet | take along, engineer needed | no
        Gym | cancel | no
        Home insurance | new sum insured | by phone
        Newspaper | new address | online
        """,
    )


def _people(sheet: Worksheet) -> None:
    """Telephone numbers without header."""
    put(
        sheet,
        "A1",
        """
        Mr Petrov | caretaker, old house | '0171 555 0142 | mornings only
        Ms Lund | agent | '0171 555 0199 | keys
        Strong & Sons | movers | '0800 555 010 | order 7731
        Aunt Vera | takes the cat | '01632 960 441 |
        Deniz | van driver, spare | '07700 900 318 | not Fridays
        City parking office | permit for the bay | '0171 555 0100 | two weeks ahead
        """,
    )


def _boxes(sheet: Worksheet) -> None:
    """Boxes by room."""
    put(
        sheet,
        "A1",
        """
        How many boxes?
        Room | Boxes | | | Furniture | Goes to
         | small | large | books | pieces |
        Kitchen | 9 | 4 | 1 | 3 | kitchen
        Living room | 4 | 6 | 11 | 7 | living room
        Bedroom | 3 | 8 | 2 | 5 | bedroom, back
        Study | 6 | 2 | 14 | 4 | bedroom, front
        Bathroom | 2 | 1 | | 1 | bathroom
        Cellar | 5 | 7 | | 6 | cellar 14
        Sum
        """,
    )
    sums(sheet, "B10:E10", (4, 9))
    merge(sheet, "A2:A3", "B2:D2", "F2:F3")


@book(
    "insurance_compared",
    "en",
    form("Our data", "A:E", (3, 6)),
    table("Offers", "A:H", (3, 5), (6, 19)),
    table("Scores", "A:E", 3, (4, 9)),
    form("Scores", "G:H", (3, 5)),
)
def insurance_compared(workbook: Workbook) -> None:
    """Insurers over their plans over numbers of offers, features down in merged groups; weights in per cent."""
    _our_data(workbook.create_sheet("Our data"))
    _offers(workbook.create_sheet("Offers"))
    _scores(workbook.create_sheet("Scores"))


def _our_data(sheet: Worksheet) -> None:
    """What the offers are for."""
    put(
        sheet,
        "A1",
        """
        What the offers are for

        Insured | Riverside Bakery Co-op | | Year founded | 2011
        Address | Old Mill, Unit 3, Tarrant | | Staff | 17
        Turnover | 1240000 | | Sum insured | 680000
        Claims since 2019 | two (water 2020, theft 2022) | | Wished start | 2024-07-01
        """,
        bold=1,
    )
    merge(sheet, "A1:E1", *(f"B{row}:C{row}" for row in range(3, 7)))
    show(sheet, "B5:E5", '"€"#,##0')


def _offers(sheet: Worksheet) -> None:
    """The offers by insurer and plan."""
    put(
        sheet,
        "A1",
        """
        Business insurance – offers compared

        What is covered | | Nordstern | | Alba Mutual | | Castell |
         | | Basic | Plus | Shop | Shop & Staff | One | Two
        Offer no. | | N-4471 | N-4472 | 88/120 | 88/121 | C24-09 | C24-10
        Premium | per year | 2180 | 2890 | 2415 | 3020 | 1990 | 2650
         | rate on sum insured | 0.32% | 0.43% | 0.36% | 0.44% | 0.29% | 0.39%
         | change after a claim | none | none | +10% | +10% | +25% | +25%
        Building | fire | yes | yes | yes | yes | yes | yes
         | burst pipes | yes | yes | yes | yes | no | yes
         | flood | no | yes | no | no | no | no
        Contents | theft | 50,000 | 80,000 | 60,000 | 60,000 | 40,000 | 75,000
         | spoiled goods | – | 5,000 | 3,000 | 3,000 | – | 4,000
         | machines | at current value | as new | as new | as new | at current value | as new
        Business | loss of earnings | 3 months | 12 months | 6 months | 6 months | – | 6 months
         | liability | 3 million | 5 million | 5 million | 10 million | 3 million | 3 million
        Staff | accidents at work | no | no | no | yes | no | no
         | legal costs | no | yes | no | yes | no | no
        Excess | per claim | 500 | 250 | 300 | 300 | 1000 | 500
        """,
        bold=5,
    )
    merge(sheet, "A1:H1", "A3:B4", "C3:D3", "E3:F3", "G3:H3", "A5:B5")
    merge(sheet, "A6:A8", "A9:A11", "A12:A14", "A15:A16", "A17:A18")
    show(sheet, "C6:H6", '"€"#,##0')
    put(sheet, "A21", "Offers as of 22 May 2024, all valid for six weeks.")


def _scores(sheet: Worksheet) -> None:
    """Weighted scores, and what they mean."""
    put(
        sheet,
        "A1",
        """
        Scores given at the meeting of 29 May

        Criterion | Weight | Nordstern Plus | Alba Shop & Staff | Castell Two | | '5 | could not be better
        Premium | 30% | 3 | 2 | 4 | | '3 | acceptable
        Cover of goods | 25% | 5 | 3 | 4 | | '1 | would have to be changed
        Loss of earnings | 20% | 5 | 3 | 3
        Staff | 10% | 2 | 5 | 1
        Service | 15% | 4 | 4 | 2
        Weighted | 100% | 3.95 | 3.05 | 3.2
        """,
        bold=3,
    )


BOOKS = (blood_results, house_move, insurance_compared)
