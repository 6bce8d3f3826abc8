"""Elections, a club's cash book, schools and wages, in German, French and Spanish."""

from openpyxl import Workbook

from benchmarks.spreadsheets.sheets import book, form, indent, merge, put, show, sums, table

__all__ = ["BOOKS"]

MEALS = """
Haute-Brenne | Saint-Aubin | 118,2 | 104,7 | 61,0 | 121,9 | 122,4 | 109,3 | 63,8 | 125,0 | 126,1 | 111,5 | 64,9 | 128,7
| Valcourt | 74,0 | 66,1 | 38,5 | 75,2 | 76,3 | 67,9 | 39,1 | 77,7 | 78,2 | 69,0 | 40,4 | 79,1
| Les Ormes | 21,3 | 19,0 | 11,2 | 22,0 | 22,1 | 19,6 | 11,5 | 22,4 | n.d. | n.d. | n.d. | n.d.
Total Haute-Brenne | | 213,5 | 189,8 | 110,7 | 219,1 | 220,8 | 196,8 | 114,4 | 225,1 | 204,3 | 180,5 | 105,3 | 207,8
Basse-Loue | Montrieux | 203,9 | 181,4 | 106,8 | 207,1 | 210,5 | 188,2 | 109,6 | 214,3 | 216,9 | 192,4 | 112,0 | 219,8
| Pont-Galant | 98,6 | 87,7 | 51,2 | 99,9 | 101,1 | 90,3 | 52,8 | 103,0 | 104,6 | 92,9 | 54,1 | 106,2
| Fresnay | 45,1 | 40,2 | 23,6 | 46,0 | 46,8 | 41,5 | 24,2 | 47,4 | 48,0 | 42,7 | 24,9 | 48,9
Total Basse-Loue | | 347,6 | 309,3 | 181,6 | 353,0 | 358,4 | 320,0 | 186,6 | 364,7 | 369,5 | 328,0 | 191,0 | 374,9
Côte-Verte | Port-Lavel | 151,0 | 134,3 | 90,4 | 153,7 | 155,9 | 139,1 | 93,3 | 158,8 | 160,7 | 143,0 | 95,8 | 163,5
| Sainte-Ode | 33,4 | 29,8 | 22,0 | 34,1 | 34,5 | 30,7 | 22,5 | 35,2 | 35,6 | 31,4 | 23,1 | 36,0
Total Côte-Verte | | 184,4 | 164,1 | 112,4 | 187,8 | 190,4 | 169,8 | 115,8 | 194,0 | 196,3 | 174,4 | 118,9 | 199,5

Ensemble | | 745,5 | 663,2 | 404,7 | 759,9 | 769,6 | 686,6 | 416,8 | 783,8 | 770,1 | 682,9 | 415,2 | 782,2
"""
"""A row without a department belongs to the one merged from above."""


@book("kassenbuch_verein", "de", table("2023", "A:F", 5, (6, 11)), table("2023", "A:F", 15, (16, 22)))
def club_cash_book(workbook: Workbook) -> None:
    """Income and expenses under each other; amounts as text with decimal commas, dates without year."""
    sheet = workbook.create_sheet("2023")
    put(
        sheet,
        "A1",
        """
        Turn- und Sportverein Hainfeld 1908 e. V.
        Kassenbuch 2023
        Kassenwart: | D. Brückner
        EINNAHMEN
        Beleg | Datum | Text | Konto | Betrag in € | Saldo in €
         | 01.01. | Übertrag aus 2022 | | | '4.218,07
        E 1 | 15.01. | Mitgliedsbeiträge 1. Halbjahr | 4000 | '6.340,00 | '10.558,07
        E 2 | 03.03. | Zuschuss Landessportbund | 4100 | '1.150,00 | '11.708,07
        E 3 | 24.06. | Sommerfest, Bewirtung | 4300 | '2.871,50 | '14.579,57
        E 4 | 15.07. | Mitgliedsbeiträge 2. Halbjahr | 4000 | '6.125,00 | '20.704,57
        Summe | | | | '16.486,50 |


        AUSGABEN
        Beleg | Datum | Text | Konto | Betrag in € | Saldo in €
        A 1 | 20.01. | Hallenmiete 1. Quartal | 5000 | '1.800,00 | '18.904,57
        A 2 | 11.02. | Versicherung | 5200 | '964,30 | '17.940,27
        A 3 | 30.03. | Übungsleiter Januar–März | 5100 | '2.700,00 | '15.240,27
        A 4 | 12.05. | Bälle, Matten | 5300 | '1.418,95 | '13.821,32
        A 5 | 26.06. | Sommerfest, Einkauf | 5400 | '1.733,12 | '12.088,20
        A 6 | 02.10. | Hallenmiete 2.–4. Quartal | 5000 | '5.400,00 | '6.688,20
        Summe | | | | '14.016,37 |

        Geprüft: Hainfeld, den 19.01.2024                    gez. Vogt, gez. Aschenbrenner
        """,
    )


@book("landtagswahlen", "de", table("Ergebnisse", "A:J", (4, 5), (6, 19)), table("Wahlkreise", "A:G", (3, 5), (6, 13)))
def state_elections(workbook: Workbook) -> None:
    """Years as numbers over percent and seats, footnote marks; constituencies with units as third header row."""
    sheet = workbook.create_sheet("Ergebnisse")
    put(
        sheet,
        "A1",
        """
        Landtagswahlen in Norderland seit 2007
        Zweitstimmen in Prozent, Sitze

        Partei | 2007 | | 2012 | | 2017 | | 2022 | | Veränderung
         | % | Sitze | % | Sitze | % | Sitze | % | Sitze | in Punkten
        Bürgerunion | 38.4 | 47 | 34.1 | 41 | 35.9 | 44 | 31.2 | 39 | -4.7
        Sozialdemokraten | 31.7 | 39 | 33.8 | 41 | 27.4 | 34 | 28.6 | 36 | 1.2
        Freie Liste | 9.2 | 11 | 6.6 | 8 | 9.8 | 12 | 6.1 | 7 | -3.7
        Grüne Mitte | 8.8 | 11 | 13.5 | 16 | 12.7 | 15 | 18.3 | 23 | 5.6
        Linksbund | 7.1 | 9 | 5.4 | 6 | 4.6 | – | 3.9 | – | -0.7
        Heimat 1) | – | – | – | – | 6.2 | 7 | 7.5 | 9 | 1.3
        Sonstige | 4.8 | – | 6.6 | – | 3.4 | – | 4.4 | – | 1

        Wahlberechtigte | 1412655 | | 1430218 | | 1441077 | | 1449930
        Wähler | 841942 | | 862421 | | 936700 | | 898957
        Wahlbeteiligung in % | 59.6 | | 60.3 | | 65 | | 62
        Ungültige Stimmen | 12629 | | 11211 | | 9367 | | 8090
        Sitze insgesamt | | 117 | | 112 | | 112 | | 114
        Überhangmandate | | 4 | | 1 | | 2 | | 3

        1) gegründet 2015
        Quelle: Landeswahlleiter; eigene Berechnungen
        """,
        bold=5,
    )
    merge(sheet, "A4:A5", "B4:C4", "D4:E4", "F4:G4", "H4:I4")
    areas = workbook.create_sheet("Wahlkreise")
    put(
        areas,
        "A1",
        """
        Wahlkreise am 8. Mai 2022, Stand der Gebiete: 31.12.2021

        Wahlkreis | | Fläche | Bevölkerung | | Wahl-⏎berechtigte | Gewählt
        Nr. | Name | | insgesamt | Ausländer | |
         | | km² | Anzahl | % | Anzahl |
        '01 | Küste-West | 812.4 | 91240 | 6.1 | 70118 | Bürgerunion
        '02 | Küste-Ost | 664.9 | 88507 | 5.7 | 69250 | Bürgerunion
        '03 | Hafenstadt I | 41.3 | 104882 | 17.9 | 71903 | Sozialdemokraten
        '04 | Hafenstadt II | 58.8 | 99316 | 14.2 | 70874 | Grüne Mitte
        '05 | Marsch | 1120.5 | 79944 | 4.3 | 63120 | Bürgerunion
        '06 | Geest-Süd | 987.1 | 85630 | 5.9 | 66845 | Bürgerunion
        '07 | Seenland | 1304.6 | 74318 | 3.8 | 59902 | Sozialdemokraten
         | Zusammen | 4989.6 | 623837 | 8.4 | 472012 |
        """,
    )
    merge(areas, "A3:B3", "C3:C4", "D3:E3", "F3:F4", "G3:G5")


@book("effectifs_scolaires", "fr", table("Effectifs", "A:N", (4, 5), (6, 18)), form("Lisez-moi", "A:B", (3, 7)))
def pupils(workbook: Workbook) -> None:
    """Four quarters of three years side by side, departments merged down the left, decimal commas as text."""
    sheet = workbook.create_sheet("Effectifs")
    put(sheet, "A1", "Fréquentation des cantines scolaires par trimestre\nNombre de repas servis (en milliers)", bold=1)
    quarters = " | ".join(["T1", "T2", "T3", "T4"] * 3)
    put(
        sheet,
        "A4",
        f"""
        Département | Commune | 2021 | | | | 2022 | | | | 2023 | | |
         | | {quarters}
        """,
    )
    put(sheet, "A6", MEALS)
    put(
        sheet,
        "A20",
        """
        Champ : écoles publiques. Lecture : au 1er trimestre 2021, 118 200 repas ont été servis à Saint-Aubin.
        Source : Observatoire régional de la restauration scolaire.
        """,
    )
    merge(sheet, "A4:A5", "B4:B5", "C4:F4", "G4:J4", "K4:N4", "A6:A8", "A9:B9", "A10:A12", "A13:B13", "A14:A15")
    merge(sheet, "A16:B16")
    put(
        workbook.create_sheet("Lisez-moi"),
        "A1",
        """
        À propos de ce fichier

        Producteur : | Observatoire régional de la restauration scolaire
        Mise à jour : | 2024-02-12
        Périodicité : | trimestrielle
        Contact : | statistiques@orrs.example
        Nombre de communes : | 8
        """,
    )


@book("planilla_sueldos", "es", table("Marzo", "B:N", (6, 7), (8, 15)))
def payroll(workbook: Workbook) -> None:
    """Wages with earnings and deductions in groups, a column for signatures that is empty, signatures below."""
    sheet = workbook.create_sheet("Marzo")
    put(
        sheet,
        "B1",
        """
        PANADERÍA LA ESPIGA S.R.L.
        PLANILLA DE SUELDOS Y JORNALES
        CORRESPONDIENTE AL MES DE MARZO DE 2024

        (Expresado en pesos)
        N° | Apellidos y nombres | Cargo | Días⏎trab. | HABERES | | | | DESCUENTOS | | | Líquido⏎pagable | Firma
         | | | | Básico | Antigüedad | Horas extra | Total | Jubilación | Anticipos | Total | |
        1 | Aguirre Soto, Marta | Encargada | 30 | 6200 | 930 | 0 | 7130 | 787.9 | 0 | 787.9 | 6342.1 |
        2 | Benavides, Luis | Maestro panadero | 30 | 5400 | 540 | 410 | 6350 | 701.7 | 500 | 1201.7 | 5148.3 |
        3 | Cuéllar, Rosa | Vendedora | 28 | 3360 | 168 | 0 | 3528 | 389.8 | 0 | 389.8 | 3138.2 |
        4 | Domínguez, Iván | Ayudante | 30 | 3000 | 0 | 275 | 3275 | 361.9 | 300 | 661.9 | 2613.1 |
        5 | Escobar Luna, Tania | Repostera | 30 | 4800 | 480 | 120 | 5400 | 596.7 | 0 | 596.7 | 4803.3 |
        6 | Flores, Hugo | Repartidor | 25 | 2750 | 0 | 0 | 2750 | 303.9 | 200 | 503.9 | 2246.1 |
        7 | Gutiérrez, Noel | Ayudante | 12 | 1200 | 0 | 0 | 1200 | 132.6 | 0 | 132.6 | 1067.4 |
         | TOTALES
        """,
        bold=7,
    )
    merge(sheet, "B1:N1", "B2:N2", "B3:N3", "B5:N5", "B6:B7", "C6:C7", "D6:D7", "E6:E7", "F6:I6", "J6:L6")
    merge(sheet, "M6:M7", "N6:N7")
    sums(sheet, "F15:M15", (8, 14))
    show(sheet, "F8:M15", "#,##0.00")
    indent(sheet, "C15:C15")
    put(sheet, "C19", "_____________________ | | | | | _____________________\nElaborado por | | | | | Gerente general")


BOOKS = (club_cash_book, state_elections, pupils, payroll)
