"""Held out: a clinic's vaccinations, a bank's rates and an audit of energy, in English."""

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from benchmarks.spreadsheets.sheets import book, derive, form, indent, merge, number_in, put, show, sums, table

__all__ = ["BOOKS"]


@book(
    "vaccination_plan",
    "en",
    table("Schedule", "A:I", (4, 5), (6, 15)),
    table("Clinics", "A:H", 4, (5, 14)),
    table("Stock", "B:I", (4, 6), (7, 14)),
    table("Stock", "K:N", (5, 6), (7, 13)),
    table("Class 3", "A:G", 3, (4, 11)),
    form("Class 3", "A:B", (14, 17)),
)
def vaccinations(workbook: Workbook) -> None:
    """Ages under a group name, clinics with a total, stock with units beside a log, marks with their legend."""
    _schedule(workbook.create_sheet("Schedule"))
    _clinics(workbook.create_sheet("Clinics"))
    _stock(workbook.create_sheet("Stock"))
    _pupils(workbook.create_sheet("Class 3"))


def _schedule(sheet: Worksheet) -> None:
    """Which vaccine at which age; words in most cells."""
    put(
        sheet,
        "A1",
        """
        HARBOUR ROAD HEALTH CENTRE
        Childhood vaccination plan, in force from 1 April 2024

        Vaccine | Protects against | Age at dose | | | | Given | | Doses in all
         | | 1st | 2nd | 3rd | Booster | Route | Site |
        6-in-1 | diphtheria, tetanus, polio etc. | 8 weeks | 12 weeks | 16 weeks | | i.m. | thigh | 3
        MenB | meningococci group B | 8 weeks | 16 weeks | | 1 year | i.m. | left thigh | 3
        Rotavirus | gastroenteritis | 8 weeks | 12 weeks | | | oral | – | 2
        PCV | pneumococci | 12 weeks | | | 1 year | i.m. | thigh | 2
        Hib/MenC | meningitis | 1 year | | | | i.m. | upper arm | 1
        MMR | measles, mumps, rubella | 1 year | 3 years 4 months | | | i.m. or s.c. | upper arm | 2
        4-in-1 | as 6-in-1, pre-school | | | | 3 years 4 months | i.m. | upper arm | 1
        HPV | papillomaviruses | 12–13 years | | | | i.m. | upper arm | 1
        Td/IPV | teenage booster | | | | 14 years | i.m. | upper arm | 1
        MenACWY | four groups of meningococci | 14 years | | | | i.m. | upper arm | 1

        At least four weeks between two doses of the same vaccine.
        Premature infants: by age since birth, not corrected.
        """,
        bold=5,
    )
    merge(sheet, "A1:I1", "A2:I2", "A4:A5", "B4:B5", "C4:F4", "G4:H4", "I4:I5")


def _clinics(sheet: Worksheet) -> None:
    """A list with a line of labels above and a total below."""
    put(
        sheet,
        "A1",
        """
        Vaccination clinics, May 2024
        Coordinator: Sr M. Adeyemi | | | Room: 4 | | | Phone: 555 0133

        Date | Start | Session | Nurse | Booked | Came | Vaccinated | Remarks
        2024-05-02 | 09:00 | Babies | Adeyemi | 18 | 17 | 17 |
        2024-05-07 | 14:00 | Pre-school | Lund | 22 | 19 | 18 | one with fever
        2024-05-09 | 09:00 | Babies | Adeyemi | 20 | 20 | 20 |
        2024-05-14 | 14:00 | School leavers | Petrie | 35 | 29 | 29 | bus late
        2024-05-16 | 09:00 | Babies | Lund | 17 | 15 | 14 |
        2024-05-21 | 17:30 | Travel | Petrie | 9 | 9 | 9 | yellow fever: 2
        2024-05-23 | 09:00 | Babies | Adeyemi | 19 | 18 | 18 |
        2024-05-28 | 14:00 | Catch-up MMR | Lund | 24 | 13 | 13 | letters went out late
        2024-05-30 | 09:00 | Babies | Petrie | 16 | 16 | 15 |
        Total
        """,
        bold=1,
    )
    sums(sheet, "E14:G14", (5, 13))
    put(sheet, "A16", "Came: with walk-ins. Those not vaccinated were given a new appointment.")


def _stock(sheet: Worksheet) -> None:
    """Stock under three header rows, the last one of units; a log of temperatures under a caption beside it."""
    put(
        sheet,
        "B2",
        """
        Vaccine stock, fridge 2 – week of 27 May 2024

        Vaccine | Batch | Expires | Stock | | | | Value | | Temperature of the fridge
         | | | opening | in | out | closing | | | Day | a.m. | p.m. | Initials
         | | | doses | doses | doses | doses | £ | | | °C | °C |
        6-in-1 | A21CB884 | 2025-03-31 | 42 | 20 | 33 | 29 | 1102 | | Mon | 4.1 | 4.6 | MA
        MenB | ABX771 | 2025-01-31 | 38 | 20 | 25 | 33 | 2475 | | Tue | 4.0 | 4.3 | MA
        Rotavirus | RV5510 | 2024-11-30 | 26 | 10 | 21 | 15 | 510 | | Wed | 4.4 | 5.9 | JL
        PCV | EX9032 | 2025-06-30 | 31 | 0 | 14 | 17 | 843 | | Thu | 4.2 | 4.5 | JL
        MMR | W0119 | 2025-02-28 | 19 | 30 | 28 | 21 | 231 | | Fri | 4.1 | 4.4 | MA
        HPV | 1688277 | 2026-04-30 | 60 | 0 | 29 | 31 | 2689 | | Sat | 4.0 | 4.1 | DP
        MenACWY | NX4470 | 2025-09-30 | 12 | 25 | 29 | 8 | 240 | | Sun | 3.9 | 4.0 | DP
        Total
        """,
        bold=5,
    )
    sums(sheet, "E14:I14", (7, 13))
    merge(sheet, "B2:N2", "B4:B6", "C4:C6", "D4:D6", "E4:H4", "I4:I5", "K4:N4", "K5:K6", "N5:N6", "B14:D14")
    show(sheet, "I7:I14", "#,##0")
    show(sheet, "L7:M13", "0.0")
    put(sheet, "B16", "Out: given or discarded. Wednesday p.m.: door left ajar, checked again at 18:00.")


def _pupils(sheet: Worksheet) -> None:
    """One letter in each cell; what the letters mean stands below."""
    put(
        sheet,
        "A1",
        """
        Oakfield Primary, class 3 – status at 1 June 2024

        Pupil | Born | MMR 1 | MMR 2 | 4-in-1 | Consent form | Letter sent
        Amin, Yusuf | 2015-10-02 | Y | Y | Y | yes | –
        Barlow, Tess | 2016-01-19 | Y | N | Y | yes | 2024-05-13
        Chukwu, Ada | 2015-11-30 | E | E | E | yes | –
        Donnelly, Finn | 2016-03-08 | Y | Y | N | no | 2024-05-13
        Eriksen, Maja | 2016-02-14 | E | ? | ? | yes | 2024-05-14
        Farouk, Layla | 2015-09-21 | Y | Y | Y | yes | –
        Gray, Oliver | 2016-06-05 | N | N | N | no | 2024-05-13
        Hughes, Megan | 2016-04-27 | Y | Y | Y | yes | –

        Key
        Y | given at this centre
        E | given elsewhere, proof seen
        N | not given
        ? | record requested
        """,
        bold=3,
    )
    merge(sheet, "A1:G1")


@book(
    "deposit_rates",
    "en",
    table("Deposits", "A:E", (5, 6), (7, 20)),
    table("Mortgages", "A:H", (3, 5), (6, 11)),
    table("Mortgages", "A:D", 14, (15, 18)),
    table("Currencies", "B:H", (4, 5), (6, 14)),
)
def bank_rates(workbook: Workbook) -> None:
    """Deposits in sections, mortgages by loan to value over three rows, products in words, rates of exchange."""
    _deposits(workbook.create_sheet("Deposits"))
    _mortgages(workbook.create_sheet("Mortgages"))
    _currencies(workbook.create_sheet("Currencies"))


def _deposits(sheet: Worksheet) -> None:
    """Sections with indented accounts, the unit in a line of its own above the names."""
    put(
        sheet,
        "A1",
        """
        Lindow Savings Bank
        Interest rates for deposits
        Valid from 10 June 2024 until further notice
         | | | | % per annum
        Product | Minimum (£) | Rate | | Interest paid
         | | gross | AER |
        Instant access
        Easy Saver | 1 | 2.05 | 2.07 | monthly
        Easy Saver Plus | 5000 | 2.6 | 2.63 | monthly
        Young Saver | 1 | 3.5 | 3.5 | yearly
        Notice accounts
        30 days | 1000 | 3.1 | 3.14 | monthly
        90 days | 1000 | 3.65 | 3.65 | yearly
        Fixed terms
        3 months | 2500 | 3.9 | 3.96 | at maturity
        6 months | 2500 | 4.25 | 4.3 | at maturity
        1 year | 500 | 4.7 | 4.7 | at maturity
        2 years | 500 | 4.4 | 4.4 | yearly
        3 years | 500 | 4.2 | 4.2 | yearly
        5 years | 500 | 4.05 | 4.05 | yearly

        AER: what the rate would be if interest were paid and added once each year.
        Fixed terms cannot be ended early. Up to £85,000 per person is protected.
        """,
        bold=2,
    )
    merge(sheet, "A1:E1", "A2:E2", "A3:E3", "A5:A6", "B5:B6", "C5:D5", "E5:E6", "A22:E22", "A23:E23")
    for rows in ("A8:A10", "A12:A13", "A15:A20"):
        indent(sheet, rows)
    show(sheet, "B8:B20", "#,##0")
    show(sheet, "C8:D20", "0.00")


def _mortgages(sheet: Worksheet) -> None:
    """Two columns for each loan to value, a smaller table below under a caption."""
    put(
        sheet,
        "A1",
        """
        Mortgages for new customers – rates in %

        Fixed for | Fee (£) | Loan to value | | | | |
         | | up to 60 % | | 60–75 % | | 75–90 % |
         | | rate | APRC | rate | APRC | rate | APRC
        2 years | 999 | 4.39 | 6.8 | 4.59 | 6.9 | 5.14 | 7.1
        2 years | 0 | 4.74 | 6.8 | 4.94 | 6.9 | 5.44 | 7.1
        3 years | 999 | 4.29 | 6.4 | 4.49 | 6.5 | 4.99 | 6.7
        5 years | 999 | 4.14 | 5.8 | 4.29 | 5.9 | 4.79 | 6.1
        5 years | 0 | 4.29 | 5.8 | 4.44 | 5.9 | 4.94 | 6.2
        10 years | 1499 | 4.49 | 5.1 | 4.69 | 5.3 | – | –

        Existing customers
        Product | Rate | Early repayment charge | Available until
        Switch 2 | 4.45 | 2% of the balance, then 1% | 2024-07-31
        Switch 5 | 4.2 | 5% falling by 1 each year | 2024-07-31
        Further advance | 5.1 | none | open
        Standard variable | 7.99 | none | open

        Your home may be repossessed if you do not keep up repayments.
        """,
        bold=1,
    )
    merge(sheet, "A1:H1", "A3:A5", "B3:B5", "C3:H3", "C4:D4", "E4:F4", "G4:H4")
    show(sheet, "C6:H11", "0.00")
    show(sheet, "B15:B18", "0.00")


def _currencies(sheet: Worksheet) -> None:
    """A board of rates from the second column on, with the time in a line of its own."""
    put(
        sheet,
        "B1",
        """
        Foreign currencies
        10 June 2024, 09:15

        Currency | Code | Per | Notes | | Transfers |
         | | | we buy | we sell | we buy | we sell
        Canadian dollar | CAD | £1 | 1.824 | 1.662 | 1.762 | 1.728
        Danish krone | DKK | £1 | 9.214 | 8.396 | 8.905 | 8.732
        Euro | EUR | £1 | 1.235 | 1.126 | 1.194 | 1.171
        Indian rupee | INR | £1 | – | – | 107.6 | 104.1
        Japanese yen | JPY | £1 | 209.1 | 189.4 | 201.7 | 197.3
        Norwegian krone | NOK | £1 | 14.23 | 12.91 | 13.72 | 13.44
        Polish zloty | PLN | £1 | 5.44 | 4.83 | 5.18 | 5.06
        Swiss franc | CHF | £1 | 1.198 | 1.089 | 1.155 | 1.133
        US dollar | USD | £1 | 1.331 | 1.213 | 1.288 | 1.263

        Rates change during the day. No notes of INR are held.
        """,
        bold=1,
    )
    merge(sheet, "B4:B5", "C4:C5", "D4:D5", "E4:F4", "G4:H4")


@book(
    "energy_audit",
    "en",
    form("Building", "A:D", (3, 7)),
    table("Building", "A:F", (10, 11), (12, 18)),
    table("Bills 2023", "A:H", (4, 5), (6, 19)),
    table("Lighting", "A:G", (3, 4), (5, 18)),
    table("Measures", "B:H", (5, 6), (7, 14)),
)
def energy_audit(workbook: Workbook) -> None:
    """A form over losses of heat, bills by month with units below, lamps in sections, measures with a total."""
    _building(workbook.create_sheet("Building"))
    _bills(workbook.create_sheet("Bills 2023"))
    _lighting(workbook.create_sheet("Lighting"))
    _measures(workbook.create_sheet("Measures"))


def _building(sheet: Worksheet) -> None:
    """Two pairs of label and value in each row; below, a table whose second header row mixes units and names."""
    put(
        sheet,
        "A1",
        """
        Energy audit – Weavers' Hall

        Address | 14 Loom Street, Garside | Auditor | P. Rennie
        Built | 1958, extended 1994 | Visited | 2024-02-20
        Floor area | 2340 m² | Heating | gas boiler, 2009
        Users | 85 staff, 300 visitors a day | Ventilation | windows, fans in WCs
        Opening hours | Mon–Sat 8–20 | Report no. | EA-24-031

        Losses of heat by component
        Component | Area | U-value, W/m²K | | Loss | Share
         | m² | today | target | kW | %
        Outer walls | 1180 | 1.4 | 0.28 | 51.2 | 35.1
        Roof | 860 | 0.9 | 0.16 | 24 | 16.4
        Ground floor | 860 | 0.7 | 0.25 | 12.6 | 8.6
        Windows | 340 | 2.8 | 1.2 | 29.5 | 20.2
        Doors | 28 | 3 | 1.6 | 2.6 | 1.8
        Air change | | | | 26.1 | 17.9
        Total
        """,
        bold=1,
    )
    sums(sheet, "E18:F18", (12, 17))
    merge(sheet, "A1:D1", "A10:A11", "C10:D10")
    show(sheet, "C12:D17", "0.00")
    show(sheet, "E12:F18", "0.0")
    put(sheet, "A20", "At −5 °C outside and 20 °C inside. U-values estimated from drawings.")


def _bills(sheet: Worksheet) -> None:
    """A year of months with what each source costs; a total and a figure per area below."""
    put(
        sheet,
        "A1",
        """
        Metered consumption and cost, 2023
        Source: suppliers' bills, without VAT

        Month | Electricity | | Gas | | Water | | Cost
         | kWh | £ | kWh | £ | m³ | £ | £
        January | 14210 | 3979 | 61800 | 4944 | 88 | 246 |
        February | 13080 | 3662 | 54300 | 4344 | 81 | 227 |
        March | 13350 | 3738 | 47100 | 3768 | 90 | 252 |
        April | 11920 | 3338 | 29600 | 2368 | 86 | 241 |
        May | 11240 | 3147 | 12700 | 1016 | 93 | 260 |
        June | 10880 | 3046 | 4100 | 328 | 97 | 272 |
        July | 11410 | 3195 | 3600 | 288 | 104 | 291 |
        August | 10150 | 2842 | 3500 | 280 | 79 | 221 |
        September | 11560 | 3237 | 8900 | 712 | 92 | 258 |
        October | 12840 | 3595 | 26400 | 2112 | 95 | 266 |
        November | 13690 | 3833 | 46700 | 3736 | 91 | 255 |
        December | 12470 | 3492 | 55200 | 4416 | 70 | 196 |
        Year
        per m² | 62.7 | 17.57 | 151.2 | 12.1 | 0.46 | 1.28 | 30.94
        """,
        bold=5,
    )
    derive(sheet, "H6:H17", "=C{0}+E{0}+G{0}", "CEG", lambda power, gas, water: power + gas + water)
    sums(sheet, "B18:H18", (6, 17))
    merge(sheet, "A4:A5", "B4:C4", "D4:E4", "F4:G4")
    show(sheet, "B6:H18", "#,##0")


def _lighting(sheet: Worksheet) -> None:
    """Rooms in sections by floor, sums of each floor, a sum of all."""
    put(
        sheet,
        "A1",
        """
        Lighting survey

        Room | Lamps | | | Hours | Use | Proposal
         | type | number | W each | per year | kWh per year |
        Ground floor
        Foyer | halogen spot | 24 | 50 | 3700 | | LED 7 W
        Main hall | T8 tube | 96 | 66 | 2100 | | LED tube 24 W
        Kitchen | T8 tube | 18 | 66 | 2600 | | LED tube 24 W
        Subtotal
        First floor
        Offices | T5 tube | 110 | 32 | 2400 | | sensors
        Library | CFL | 42 | 26 | 3100 | | LED 9 W
        Corridor | CFL | 30 | 26 | 3700 | | LED 9 W, sensors
        Subtotal
        Outside
        Car park | sodium | 8 | 180 | 4100 | | LED 60 W
        Sign | T8 tube | 6 | 44 | 4100 | | timer
        All
        """,
        bold=4,
    )
    for rows in ("6:F8", "11:F13", "16:F17"):
        derive(sheet, f"F{rows}", "=ROUND(C{0}*D{0}*E{0}/1000,0)", "CDE", _kilowatt_hours)
    sums(sheet, "F9:F9", (6, 8))
    sums(sheet, "F14:F14", (11, 13))
    total = sum(number_in(sheet, cell) for cell in ("F9", "F14", "F16", "F17"))
    sheet["F18"] = f"=F9+F14+F16+F17 => {total:.10g}"
    merge(sheet, "A1:G1", "A3:A4", "B3:D3", "G3:G4", "A5:G5", "A10:G10", "A15:G15")
    show(sheet, "F6:F18", "#,##0")


def _kilowatt_hours(count: int, watts: int, hours: int) -> int:
    return round(count * watts * hours / 1000)


def _measures(sheet: Worksheet) -> None:
    """What should be done, from the second column and row on, with notes below."""
    put(
        sheet,
        "B2",
        """
        Recommended measures
        in order of payback; prices of May 2024

        No. | Measure | Investment | Saving per year | | | Payback
         | | £ | kWh | £ | t CO₂ | years
        1 | Lower flow temperature, night setback | 900 | 24000 | 1920 | 4.4 | 0.5
        2 | Sensors in offices and corridor | 4200 | 5600 | 1570 | 1.2 | 2.7
        3 | LED in hall, kitchen and foyer | 14800 | 15900 | 4450 | 3.3 | 3.3
        4 | Insulation of pipes and valves | 3100 | 9500 | 760 | 1.7 | 4.1
        5 | Photovoltaics 38 kWp | 41500 | 33000 | 7100 | 6.8 | 5.8
        6 | Roof insulation 200 mm | 39000 | 52000 | 4160 | 9.5 | 9.4
        7 | New windows, south and west | 88000 | 31000 | 2480 | 5.7 | 35.5
        Total
        """,
        bold=1,
    )
    sums(sheet, "D14:G14", (7, 13))
    merge(sheet, "B2:H2", "B3:H3", "B5:B6", "C5:C6", "E5:G5", "B14:C14")
    show(sheet, "D7:F14", "#,##0")
    put(sheet, "B16", "1) Savings do not add up fully where measures affect each other.\n2) Grants not deducted.")


BOOKS = (vaccinations, bank_rates, energy_audit)
