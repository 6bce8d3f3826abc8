"""Laboratory, clinic, field work, weather and meters, in English."""

from datetime import datetime, timedelta
from math import sin
from random import Random

from openpyxl import Workbook

from benchmarks.spreadsheets.sheets import book, form, indent, merge, put, table

__all__ = ["BOOKS"]


@book("titration_log", "en", form("Run 118", "A:B", (1, 7)), table("Run 118", "A:G", (9, 10), (11, 50)))
def titration_log(workbook: Workbook) -> None:
    """What an instrument exports: its settings, then names, units and readings; a gap of readings and flags."""
    sheet = workbook.create_sheet("Run 118")
    put(
        sheet,
        "A1",
        """
        Instrument | AquaTitr 5000
        Serial no. | '0093-2217
        Operator | jmb
        Method | pH_slow_v3
        Started | 2024-02-08 10:14
        Cell constant | 0.987
        Comment |

        Step | Time | Volume | pH | Conductivity | Temp. | Flag
         | s | mL | – | µS/cm | °C |
        """,
    )
    chance = Random(118)
    for step in range(40):
        ph = 3.1 + step * 0.16 + (2.2 if step > 24 else 0) + chance.uniform(-0.03, 0.03)
        flag = {12: "stirrer", 25: "EP1"}.get(step, "")
        reading = "" if step == 31 else f"{ph:.2f}"
        put(
            sheet,
            f"A{11 + step}",
            f"{step} | {step * 15} | {step * 0.25:.2f} | {reading} | {1413 - 9 * step + chance.randint(-4, 4)}"
            f" | {22 + chance.uniform(0, 0.4):.1f} | {flag}",
        )


@book(
    "trial_results",
    "en",
    table("Table 1", "A:D", (3, 4), (5, 18)),
    table("Table 2", "A:G", (1, 2), (3, 9)),
)
def trial_results(workbook: Workbook) -> None:
    """As in a journal: mean (SD) as text, indented categories under unvalued rows, notes with daggers."""
    sheet = workbook.create_sheet("Table 1")
    put(
        sheet,
        "A1",
        """
        Table 1. Baseline characteristics of the intention-to-treat population

        Characteristic | Placebo | Treatment | P value†
         | (n = 124) | (n = 119) |
        Age, years – mean (SD) | 54.2 (9.1) | 53.7 (8.8) | 0.66
        Sex – no. (%)
        Female | 71 (57.3) | 66 (55.5) | 0.78
        Male | 53 (42.7) | 53 (44.5) |
        Body-mass index* | 27.4 (4.2) | 27.9 (4.6) | 0.38
        Smoking status – no. (%)
        Never | 60 (48.4) | 62 (52.1) | 0.84
        Former | 41 (33.1) | 36 (30.3) |
        Current | 23 (18.5) | 21 (17.6) |
        Blood pressure, mm Hg
        Systolic | 138.6 (12.4) | 137.9 (13.0) | 0.67
        Diastolic | 86.1 (7.7) | 85.5 (8.1) | 0.55
        Time since diagnosis – median (IQR), months | 31 (14–58) | 29 (12–61) | 0.71
        Any earlier treatment | 88 (71.0) | 90 (75.6) | 0.41
        * The body-mass index is the weight in kilograms divided by the square of the height in metres.
        † Student's t-test or chi-squared test, as appropriate.
        """,
        bold=4,
    )
    indent(sheet, "A7:A8")
    indent(sheet, "A11:A13")
    indent(sheet, "A15:A16")
    events = workbook.create_sheet("Table 2")
    put(
        events,
        "A1",
        """
        Adverse event | Mild | | Moderate | | Severe |
         | Placebo | Treatment | Placebo | Treatment | Placebo | Treatment
        Headache | 14 | 17 | 5 | 4 | 0 | 1
        Nausea | 9 | 21 | 2 | 8 | 0 | 0
        Dizziness | 6 | 8 | 1 | 3 | 0 | 0
        Rash | 2 | 5 | 0 | 2 | 0 | 1
        Fatigue | 18 | 16 | 6 | 7 | 1 | 0
        Injection-site pain | 11 | 29 | 3 | 9 | 0 | 0
        Any event | 52 | 71 | 15 | 28 | 1 | 2
        """,
    )
    merge(events, "A1:A2", "B1:C1", "D1:E1", "F1:G1")


@book("meadow_survey", "en", table("Counts", "A:L", (1, 4), (5, 17)))
def meadow_survey(workbook: Workbook) -> None:
    """Species by plots, four header rows that describe the plots: code, field, date, soil; zeros left blank."""
    sheet = workbook.create_sheet("Counts")
    put(
        sheet,
        "A1",
        """
        Plot | | A1 | A2 | A3 | A4 | B1 | B2 | B3 | C1 | C2 | Plots
        Field | | Long Meadow | | | | Brook Field | | | Top Close | |
        Surveyed
        Species | English name | clay | clay | loam | loam | peat | peat | peat | chalk | chalk |
        Achillea millefolium | Yarrow | 4 | 2 | 7 | | | | | 3 | 5 | 5
        Briza media | Quaking-grass | | | 1 | 3 | | | | 11 | 14 | 4
        Caltha palustris | Marsh marigold | | | | | 9 | 12 | 4 | | | 3
        Centaurea nigra | Common knapweed | 12 | 8 | 10 | 15 | 1 | | | 6 | 9 | 7
        Dactylorhiza fuchsii | Common spotted orchid | | 1 | | 2 | | | 1 | 5 | 3 | 5
        Filipendula ulmaria | Meadowsweet | | | | | 21 | 18 | 26 | | | 3
        Lotus corniculatus | Bird's-foot trefoil | 6 | 5 | 9 | 11 | | | | 17 | 13 | 6
        Primula veris | Cowslip | 2 | | 4 | 6 | | | | 8 | 10 | 5
        Rhinanthus minor | Yellow rattle | 30 | 24 | 41 | 38 | | | 2 | 19 | 22 | 7
        Sanguisorba minor | Salad burnet | | | | 1 | | | | 9 | 12 | 3
        Silene flos-cuculi | Ragged robin | | | | | 7 | 5 | 8 | | | 3
        Trifolium pratense | Red clover | 15 | 18 | 13 | 16 | 3 | 2 | | 10 | 8 | 8
        Species in plot | | 6 | 6 | 7 | 8 | 5 | 4 | 5 | 9 | 9 | 12
        """,
    )
    days = ["06-12", "06-12", "06-13", "06-13", "06-20", "06-20", "06-21", "07-02", "07-02"]
    put(sheet, "C3", " | ".join(f"2023-{day}" for day in days))
    merge(sheet, "C2:F2", "G2:I2", "J2:K2", "L1:L4", "A1:B1", "A2:B2", "A3:B3")


@book(
    "weather_normals",
    "en",
    table("Normals", "A:N", 4, (5, 11)),
    table("Normals", "A:N", 16, (17, 23)),
)
def weather_normals(workbook: Workbook) -> None:
    """Months across, measures down, one block per station with its height and place on lines of their own."""
    sheet = workbook.create_sheet("Normals")
    months = "Jan | Feb | Mar | Apr | May | Jun | Jul | Aug | Sep | Oct | Nov | Dec | Year"
    for top, station, place, shift in ((1, "Kestrel Point", "12 m, 51.2 N, 3.9 W", 0), (13, "High Tor", "418 m", -4)):
        put(sheet, f"A{top}", f"Station: {station}\n{place}; averages 1991–2020", bold=1)
        put(sheet, f"A{top + 3}", f"Month | {months}", bold=1)
        means = [round(10.4 + shift - 6 * sin((month + 2.6) * 0.5236), 1) for month in range(12)]
        lines = {
            "Mean daily maximum °C": [round(m + 3.1, 1) for m in means],
            "Daily mean °C": means,
            "Mean daily minimum °C": [round(m - 3.4, 1) for m in means],
            "Precipitation mm": [round(104 - shift * 9 - 31 * sin(month * 0.52), 1) for month in range(12)],
            "Days with rain ≥ 1 mm": [14 + (month * 5) % 4 for month in range(12)],
            "Days of air frost": [7, 7, 5, 2, 0, 0, 0, 0, 0, 1, 3, 6],
            "Sunshine hours": [52, 74, 118, 171, 208, 203, 199, 181, 144, 99, 63, 47],
        }
        for row, (name, values) in enumerate(lines.items(), start=top + 4):
            whole = sum(values) / (12 if "°C" in name else 1)
            put(sheet, f"A{row}", f"{name} | {' | '.join(map(str, values))} | {whole:.1f}")


@book("meter_readings", "en", table("15 min", "A:F", 1, (2, 75)))
def meter_readings(workbook: Workbook) -> None:
    """Totals and means right below the names, then many readings by date and time; hidden rows among them."""
    sheet = workbook.create_sheet("15 min")
    put(
        sheet,
        "A1",
        """
        Timestamp | Grid import⏎(kWh) | PV yield⏎(kWh) | Feed-in⏎(kWh) | Power factor | Status
        Sum | 212.4 | 148.9 | 61.3 | |
        Mean | 2.95 | 2.07 | 0.85 | 0.97 |
        """,
        bold=1,
    )
    chance, start = Random(15), datetime(2024, 4, 9, 0, 0)
    for step in range(72):
        moment = start + timedelta(minutes=15 * step)
        sun = max(0.0, 6 * sin((step - 24) * 0.0654)) if step > 24 else 0.0
        line = f"{max(0.0, 3.4 - sun):.2f} | {sun:.2f} | {max(0.0, sun - 3.4):.2f} | {chance.uniform(0.93, 1):.2f}"
        state = "estimated" if step in (40, 41) else "ok"
        put(sheet, f"A{4 + step}", f"{moment:%Y-%m-%d %H:%M} | {line} | {state}")
    for row in range(8, 20):
        sheet.row_dimensions[row].hidden = True


BOOKS = (titration_log, trial_results, meadow_survey, weather_normals, meter_readings)
