"""Held out: customs declarations in French and a futsal tournament in Portuguese."""

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from benchmarks.spreadsheets.sheets import book, merge, put, show, sums, table

__all__ = ["BOOKS"]


@book(
    "déclarations_douane",
    "fr",
    table("Mars 2024", "A:L", (6, 8), (9, 18)),
    table("Récapitulatif", "A:E", 4, (5, 9)),
    table("Récapitulatif", "A:E", 13, (14, 19)),
    table("Bureaux", "A:C", None, (1, 6)),
)
def customs(workbook: Workbook) -> None:
    """Declarations under names, subdivisions and numbers of columns; sums twice with the same width; no header once."""
    _declarations(workbook.create_sheet("Mars 2024"))
    _summary(workbook.create_sheet("Récapitulatif"))
    _offices(workbook.create_sheet("Bureaux"))


def _declarations(sheet: Worksheet) -> None:
    """A register with lines of labels above; columns numbered."""
    put(
        sheet,
        "A1",
        """
        TRANSIT DU LITTORAL S.A.R.L.
        Registre des déclarations en douane
        Mois : mars 2024
        Déclarant agréé n° 4471 | | | | | Bureau principal : Le Havre-Port

        N° | Date | Régime | Marchandise | | Origine | Valeur | | | Liquidation (EUR) | |
         | | | Désignation | Code SH | | Devise | Montant | EUR | Droits | TVA | Total
        (1) | (2) | (3) | (4) | (5) | (6) | (7) | (8) | (9) | (10) | (11) | (12)
        24-0311 | 2024-03-01 | 40 00 | Luminaires LED | '9405.11 | Chine | USD | 18450 | 17041 | 800.93 | 3568.39 |
        24-0312 | 2024-03-01 | 40 00 | Café vert | '0901.11 | Brésil | USD | 62300 | 57543 | 0 | 3164.87 |
        24-0315 | 2024-03-05 | 42 00 | Roulements | '8482.10 | Japon | JPY | 4120000 | 25297 | 2023.76 | 0 |
        24-0319 | 2024-03-08 | 10 00 | Cognac | '2208.20 | France | EUR | 88200 | 88200 | 0 | 0 |
        24-0320 | 2024-03-11 | 40 00 | Tissus de coton | '5208.52 | Inde | USD | 27940 | 25807 | 2064.56 | 5574.31 |
        24-0324 | 2024-03-14 | 71 00 | Téléviseurs | '8528.72 | Turquie | EUR | 104600 | 104600 | suspendu | suspendu |
        24-0326 | 2024-03-19 | 40 00 | Vis et boulons | '7318.15 | Taïwan | USD | 9870 | 9116 | 337.29 | 1890.66 |
        24-0330 | 2024-03-22 | 10 00 | Pièces de rechange | '8409.99 | France | EUR | 15320 | 15320 | 0 | 0 |
        24-0333 | 2024-03-27 | 40 00 | Bananes | '0803.90 | Équateur | USD | 41100 | 37962 | 2847.15 | 2244.5 |
        TOTAL
        """,
        bold=4,
    )
    for row in range(9, 18):
        duty, tax = sheet[f"J{row}"].value, sheet[f"K{row}"].value
        if not isinstance(duty, str):
            sheet[f"L{row}"] = f"=J{row}+K{row} => {duty + tax:.10g}"
    sums(sheet, "I18:L18", (9, 17))
    merge(sheet, "A1:L1", "A2:L2", "A6:A7", "B6:B7", "C6:C7", "D6:E6", "F6:F7", "G6:I6", "J6:L6", "A18:H18")
    show(sheet, "H9:L18", "#,##0.00")
    for row in range(9, 18):
        sheet[f"B{row}"].number_format = "dd/mm/yyyy"
    put(sheet, "A20", "Régimes : 10 exportation, 40 mise à la consommation, 42 exonération de TVA, 71 entrepôt.")
    put(sheet, "A22", "Le déclarant | | | | | | | | | Visa du bureau")


def _summary(sheet: Worksheet) -> None:
    """The same sums by regime and by origin, one above the other."""
    put(
        sheet,
        "A1",
        """
        Récapitulatif du mois de mars 2024

        A. Par régime (montants en EUR)
        Régime | Déclarations | Valeur | Droits | TVA
        10 – Exportation | 2 | 103520 | 0 | 0
        40 – Mise à la consommation | 5 | 147469 | 6049.93 | 16442.73
        42 – Exonération de TVA | 1 | 25297 | 2023.76 | 0
        71 – Entrepôt | 1 | 104600 | |
        Ensemble


        B. Par zone d'origine (montants en EUR)
        Zone | Déclarations | Valeur | Droits | Part
        Asie | 4 | 77261 | 5226.54 | 20.3%
        Amérique | 2 | 95505 | 2847.15 | 25.1%
        Europe hors UE | 1 | 104600 | | 27.5%
        Union européenne | 2 | 103520 | 0 | 27.2%
        Afrique | – | – | – | –
        Ensemble | 9 | 380886 | 8073.69 | 100%

        Les droits suspendus de l'entrepôt ne sont pas compris.
        """,
        bold=1,
    )
    sums(sheet, "B9:E9", (5, 8))
    merge(sheet, "A1:E1", "A3:E3", "A12:E12")
    show(sheet, "C5:E9", "#,##0.00")
    show(sheet, "C14:D19", "#,##0.00")


def _offices(sheet: Worksheet) -> None:
    """Offices and their telephones, which nobody gave a header."""
    put(
        sheet,
        "A1",
        """
        FR002300 | Le Havre-Port | '02 35 55 01 10
        FR000690 | Rouen | '02 35 55 02 40
        FR001260 | Caen | '02 31 55 07 75
        FR002690 | Dunkerque-Ferry | '03 28 55 09 01
        FR000740 | Roissy-Fret | '01 48 55 30 00
        FR005110 | Cherbourg | '02 33 55 16 22
        """,
    )


@book(
    "torneio_futsal",
    "pt",
    table("Grupos", "B:I", 5, (6, 9)),
    table("Grupos", "K:R", 5, (6, 9)),
    table("Grupos", "B:I", 12, (13, 24)),
    table("Fase final", "A:H", (3, 4), (5, 11)),
    table("Marcadores", "A:F", 4, (5, 13)),
)
def tournament(workbook: Workbook) -> None:
    """Two groups side by side over all matches; a bracket whose rounds stand across; scorers with equal ranks."""
    _groups(workbook.create_sheet("Grupos"))
    _bracket(workbook.create_sheet("Fase final"))
    _scorers(workbook.create_sheet("Marcadores"))


def _groups(sheet: Worksheet) -> None:
    """Captions over both groups; below, matches of both with scores in three cells."""
    put(
        sheet,
        "B1",
        """
        XII TORNEIO DE FUTSAL DA FREGUESIA
        Pavilhão Municipal, 7 a 23 de junho de 2024

        Grupo A | | | | | | | | | Grupo B
        Equipa | J | V | E | D | GM | GS | Pts | | Equipa | J | V | E | D | GM | GS | Pts
        Os Velhotes | 3 | 2 | 1 | 0 | 14 | 8 | 7 | | Bombeiros | 3 | 3 | 0 | 0 | 17 | 5 | 9
        Café Central | 3 | 2 | 0 | 1 | 11 | 9 | 6 | | Padaria Lopes | 3 | 1 | 1 | 1 | 10 | 10 | 4
        Rua de Cima | 3 | 1 | 1 | 1 | 9 | 9 | 4 | | Escola 2/3 | 3 | 1 | 0 | 2 | 8 | 13 | 3
        Banda Nova | 3 | 0 | 0 | 3 | 5 | 13 | 0 | | Talho Reis | 3 | 0 | 1 | 2 | 6 | 13 | 1

        Jogos da fase de grupos
        Data | Hora | Grupo | Equipa 1 | Resultado | | | Equipa 2
        2024-06-07 | 20:00 | A | Os Velhotes | 5 | – | 2 | Banda Nova
        2024-06-07 | 21:00 | A | Café Central | 4 | – | 3 | Rua de Cima
        2024-06-07 | 22:00 | B | Bombeiros | 6 | – | 1 | Talho Reis
        2024-06-08 | 20:00 | B | Padaria Lopes | 5 | – | 3 | Escola 2/3
        2024-06-14 | 20:00 | A | Os Velhotes | 6 | – | 3 | Café Central
        2024-06-14 | 21:00 | A | Rua de Cima | 3 | – | 2 | Banda Nova
        2024-06-14 | 22:00 | B | Bombeiros | 5 | – | 2 | Padaria Lopes
        2024-06-15 | 20:00 | B | Escola 2/3 | 3 | – | 2 | Talho Reis
        2024-06-16 | 18:00 | A | Os Velhotes | 3 | – | 3 | Rua de Cima
        2024-06-16 | 19:00 | A | Café Central | 4 | – | 1 | Banda Nova
        2024-06-16 | 20:00 | B | Bombeiros | 6 | – | 2 | Escola 2/3
        2024-06-16 | 21:00 | B | Padaria Lopes | 3 | – | 3 | Talho Reis

        Vitória 3 pontos, empate 1. Apuram-se os quatro de cada grupo.
        """,
        bold=2,
    )
    merge(sheet, "B1:R1", "B2:R2", "B4:I4", "K4:R4", "B11:I11", "F12:H12")


def _bracket(sheet: Worksheet) -> None:
    """Each round further to the right, in the rows between those that met; goals beside the teams."""
    put(
        sheet,
        "A1",
        """
        Fase final

        Quartos de final | | | Meias-finais | | | Final |
        21 de junho | | | 22 de junho | | | 23 de junho |
        Os Velhotes | 6 | | Os Velhotes | 3 | | |
        Talho Reis | 2 | | Padaria Lopes | 1 | | |
        Padaria Lopes | 4 | | | | | Os Velhotes | 4
        Rua de Cima | 3 | | | | | Bombeiros | 5
        Bombeiros | 7 | | Bombeiros | 5 | | |
        Banda Nova | 0 | | Café Central | 4 | | |
        Café Central | 3 | | | | | Campeão: | Bombeiros

        Escola 2/3 desistiu; o Café Central passou com 3–0.
        """,
        bold=4,
    )
    merge(sheet, "A1:H1", *(f"{letters[0]}{row}:{letters[1]}{row}" for row in (3, 4) for letters in ("AB", "DE", "GH")))


def _scorers(sheet: Worksheet) -> None:
    """A list with a title, a line about it and a note."""
    put(
        sheet,
        "A1",
        """
        Melhores marcadores
        após a final, 23 de junho

        Lugar | Jogador | Equipa | Jogos | Golos | Média
        1 | Rui Tavares | Bombeiros | 6 | 14 | 2.33
        2 | Nuno Paiva | Os Velhotes | 6 | 11 | 1.83
        3 | Edgar Melo | Café Central | 5 | 8 | 1.6
        3 | João Brito | Bombeiros | 6 | 8 | 1.33
        5 | Artur Sá | Padaria Lopes | 5 | 7 | 1.4
        6 | Ivo Ramos | Rua de Cima | 4 | 6 | 1.5
        6 | Tiago Cruz | Os Velhotes | 6 | 6 | 1
        8 | David Reis | Talho Reis | 4 | 5 | 1.25
        9 | Hugo Luz | Escola 2/3 | 3 | 4 | 1.33

        Penáltis do desempate não contam.
        """,
        bold=1,
    )
    merge(sheet, "A1:F1")


BOOKS = (customs, tournament)
