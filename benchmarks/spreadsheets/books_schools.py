"""Grades, schedules, timetables and sport, in English."""

from openpyxl import Workbook

from benchmarks.spreadsheets.sheets import book, form, merge, put, show, table

__all__ = ["BOOKS"]


@book("gradebook", "en", table("Section 2", "A:K", (2, 4), (5, 16)), table("Scale", "C:E", 4, (5, 9)))
def gradebook(workbook: Workbook) -> None:
    """Groups of assignments, their names turned upright, the points to be had as third header row, class figures."""
    sheet = workbook.create_sheet("Section 2")
    put(
        sheet,
        "A1",
        """
        BIOL 140 – Section 2 – Fall 2023
        Student | ID | Homework | | | Labs | | Exams | | Course total | Grade
         | | HW 1 | HW 2 | HW 3 | Lab 1⏎Microscopy | Lab 2⏎Enzymes | Midterm | Final | |
         | | max. 20 | max. 20 | max. 25 | max. 50 | max. 50 | max. 100 | max. 150 | max. 415 |
        Arroyo, Camila | '00412 | 18 | 17.5 | 23 | 46 | 48 | 88 | 131 | 371.5 | A-
        Boateng, Kofi | '00377 | 20 | 19 | 25 | 50 | 47 | 95 | 144 | 400 | A
        Chen, Lily | '00391 | 15 | | 19 | 41 | 39 | 72 | 108 | 294 | C
        Dube, Thando | '00420 | 17 | 16 | 22 | 44 | 45 | 81 | 119 | 344 | B
        Eriksen, Nils | '00365 | 12 | 14 | | 38 | ex | 64 | 97 | 225 | D
        Flores, Ana | '00399 | 19 | 20 | 24 | 48 | 49 | 91 | 138 | 389 | A
        Gupta, Rohan | '00408 | 16 | 15 | 20 | 45 | 42 | 77 | 121 | 336 | B-
        Haddad, Sami | '00383 | | | | 12 | | 31 | W | 43 | W
        Iverson, Tess | '00416 | 18 | 18 | 21 | 47 | 46 | 84 | 126 | 360 | B+

        Class average | | 16.9 | 17.1 | 22 | 41.2 | 45.1 | 75.9 | 123 | 306.9 |
        Highest | | 20 | 20 | 25 | 50 | 49 | 95 | 144 | 400 |
        """,
        bold=4,
    )
    merge(sheet, "A1:K1", "A2:A4", "B2:B4", "C2:E2", "F2:G2", "H2:I2")
    put(
        workbook.create_sheet("Scale"),
        "C2",
        """
        Letter grades

        From (%) | To (%) | Grade
        93 | 100 | A
        85 | 92.9 | B
        75 | 84.9 | C
        60 | 74.9 | D
        0 | 59.9 | F
        """,
    )


@book(
    "conference",
    "en",
    table("Day 1", "A:E", 3, (4, 13)),
    table("Speakers", "A:D", 1, (2, 8)),
    table("Topics", "A:C", None, (1, 8)),
)
def conference(workbook: Workbook) -> None:
    """Rooms across, times down with an unnamed first column, breaks merged over all rooms; an outline of words only."""
    sheet = workbook.create_sheet("Day 1")
    put(
        sheet,
        "A1",
        """
        Open Rivers Conference – Day 1, Thursday 19 September

         | Auditorium | Room Danube | Room Elbe | Workshop space
        08:30–09:00 | Registration
        09:00–09:15 | Welcome
        09:15–10:00 | Keynote: What a river remembers (M. Oduya)
        10:00–10:30 | Sediment budgets | Citizen sensors | Law of flood plains | Build a gauge (1)
        10:30–11:00 | Dam removal in practice | Cheap turbidity probes | Who owns a river bed? | Build a gauge (1)
        11:00–11:30 | Coffee
        11:30–12:00 | Fish passes that work | Gaps in time series | Treaties upstream | Build a gauge (2)
        12:00–12:30 | Beavers: costs and gains | Satellite water levels | | Build a gauge (2)
        12:30–14:00 | Lunch
        14:00–15:30 | Panel: Room for the river | Posters | Posters | Closed meeting
        """,
    )
    merge(sheet, "A1:E1", "B4:E4", "B5:E5", "B6:E6", "B9:E9", "B12:E12", "C13:D13", "E7:E8", "E10:E11")
    put(
        workbook.create_sheet("Speakers"),
        "A1",
        """
        Speaker | Affiliation | Session | Needs
        Miriam Oduya | Lake Basin Authority | Keynote | clip-on microphone
        Pavel Hora | Elbe Institute | Sediment budgets |
        Greta Lindqvist | Norrland University | Dam removal in practice | leaves at noon
        Sunil Rao | OpenGauge | Build a gauge | 12 power sockets
        Ines Duarte | Coimbra Law School | Law of flood plains |
        Tom Achterberg | Delta Works Office | Panel | wheelchair access
        Hye-jin Park | Han River Lab | Satellite water levels | online
        """,
        bold=1,
    )
    topics = workbook.create_sheet("Topics")
    put(
        topics,
        "A1",
        """
        Measuring | Stage | Float gauges, pressure probes, radar
         | Discharge | Current meters and dilution with salt
         | Sediment | Bottle samplers; turbidity as a stand-in
        Managing | Dams | Removal: what to do with the mud behind them
         | | Passes: pools, lifts, by-pass channels
         | Flood plains | Moving dikes back
        Living with rivers | Law | Upstream and downstream neighbours
         | Memory | Flood marks, stories, names of fields
        """,
    )
    merge(topics, "A1:A3", "A4:A6", "B4:B5", "A7:A8")


@book(
    "football_league",
    "en",
    table("Table", "A:J", 2, (3, 8)),
    table("Table", "L:P", 2, (3, 8)),
    table("Crosstable", "A:G", 2, (3, 8)),
    table("Players", "A:D", 2, (3, 7)),
    table("Players", "A:E", 9, (10, 13)),
)
def football_league(workbook: Workbook) -> None:
    """A standing with the next fixtures beside it; a crosstable; two tables with no row between them."""
    sheet = workbook.create_sheet("Table")
    put(
        sheet,
        "A1",
        """
        Standing after round 10 | | | | | | | | | | | Fixtures, round 11
         | Team | P | W | D | L | GF | GA | GD | Pts | | Date | Time | Home | Away | Pitch
        1 | Harrow Vale | 10 | 7 | 2 | 1 | 21 | 8 | 13 | 23 | | 2024-04-20 | 11:00 | Harrow Vale | Inkwell Rovers | 1
        2 | Inkwell Rovers | 10 | 6 | 2 | 2 | 18 | 11 | 7 | 20 | | 2024-04-20 | 13:30 | Saltmarsh | Kiln Lane | 2
        3 | Kiln Lane | 10 | 5 | 1 | 4 | 14 | 13 | 1 | 16 | | 2024-04-21 | 10:00 | Priory Park | Old Tannery | 1
        4 | Saltmarsh | 10 | 4 | 2 | 4 | 13 | 14 | -1 | 14 | | 2024-04-27 | 11:00 | Kiln Lane | Harrow Vale | 3
        5 | Old Tannery | 10 | 2 | 2 | 6 | 9 | 17 | -8 | 8 | | 2024-04-27 | 13:30 | Inkwell Rovers | Priory Park | 2
        6 | Priory Park | 10 | 1 | 1 | 8 | 7 | 19 | -12 | 4 | | 2024-04-28 | 10:00 | Old Tannery | Saltmarsh | 1
        """,
        bold=2,
    )
    merge(sheet, "A1:J1", "L1:P1")
    cross = workbook.create_sheet("Crosstable")
    put(
        cross,
        "A1",
        """
        Home (rows) v. away (columns)
         | HV | IR | KL | SM | OT | PP
        Harrow Vale | – | 2:1 | 3:0 | 1:1 | 2:0 | 4:1
        Inkwell Rovers | 1:2 | – | 2:2 | 2:0 | 3:1 | 2:0
        Kiln Lane | | 1:0 | – | 2:1 | 2:0 | 1:0
        Saltmarsh | 0:2 | 2:3 | | – | 2:1 | 3:1
        Old Tannery | 1:3 | 0:2 | 1:3 | | – | 1:0
        Priory Park | 0:1 | | 0:2 | 1:2 | 2:2 | –
        """,
    )
    players = workbook.create_sheet("Players")
    put(
        players,
        "A1",
        """
        Top scorers
        Player | Club | Goals | of which penalties
        J. Marsh | Harrow Vale | 9 | 2
        L. Okoro | Inkwell Rovers | 7 | 0
        D. Finch | Kiln Lane | 6 | 1
        P. Novak | Harrow Vale | 5 | 0
        S. Reyes | Saltmarsh | 5 | 3
        Disciplinary record
        Club | Yellow | Second yellow | Red | Points
        Harrow Vale | 11 | 0 | 1 | 14
        Inkwell Rovers | 8 | 1 | 0 | 11
        Kiln Lane | 17 | 0 | 0 | 17
        Saltmarsh | 9 | 2 | 1 | 18
        """,
    )
    merge(players, "A1:D1", "A8:E8")


@book("training_matrix", "en", table("Matrix", "A:M", (3, 5), (6, 15)), form("Matrix", "A:B", (18, 20)))
def training_matrix(workbook: Workbook) -> None:
    """Courses under two levels of groups, validity in months as last header row, x or a date in the cells."""
    sheet = workbook.create_sheet("Matrix")
    put(
        sheet,
        "A1",
        """
        Training matrix – Workshop and Yard

        Name | Job | Since | Mandatory | | | | | Machines | | | | Next⏎review
         | | | Induction | Fire | First aid | Lifting | Data | Forklift | Press | Lathe | Crane |
         | | | once | 12 mths | 36 mths | 24 mths | 12 mths | 36 mths | 24 mths | 24 mths | 12 mths |
        Adair, K. | Fitter | 2016 | x | 2023-09-14 | 2022-05-03 | x | 2023-09-14 | | x | x | | 2024-09-01
        Bello, S. | Fitter | 2019 | x | 2023-09-14 | | x | 2023-09-14 | x | | x | | 2024-09-01
        Crane, M. | Yard | 2021 | x | 2023-03-22 | | x | | x | | | x | 2024-03-01
        Dima, R. | Press operator | 2012 | x | 2023-09-14 | 2023-01-19 | x | 2023-09-14 | | x | | | 2024-09-01
        Ellery, J. | Apprentice | 2023 | x | booked | | x | booked | | | | | 2024-02-01
        Foss, T. | Yard | 2018 | x | 2023-03-22 | 2021-11-30 | x | 2023-03-22 | x | | | x | 2024-03-01
        Grewal, P. | Welder | 2020 | x | 2023-09-14 | | overdue | 2023-09-14 | | | x | | 2024-09-01
        Hume, L. | Foreman | 2009 | x | 2023-03-22 | 2022-05-03 | x | 2023-03-22 | x | x | x | x | 2024-03-01
        Iqbal, N. | Stores | 2022 | x | 2023-09-14 | | x | 2023-09-14 | x | | | | 2024-09-01
        Jansen, W. | Welder | 2015 | x | overdue | | x | overdue | | | x | | 2024-02-01


        x | done, no date recorded
        booked | course has a date
        overdue | must not work alone
        """,
        bold=5,
    )
    merge(sheet, "A1:M1", "A3:A5", "B3:B5", "C3:C5", "D3:H3", "I3:L3", "M3:M5")
    show(sheet, "M6:M15", "mmm yyyy")


BOOKS = (gradebook, conference, football_league, training_matrix)
