"""Held out: rents in German, an estimate of works in Russian, a wine grower's lists in Italian."""

from datetime import date

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from benchmarks.spreadsheets.sheets import book, derive, form, indent, merge, number_in, put, show, sums, table

__all__ = ["BOOKS"]


@book(
    "mietspiegel",
    "de",
    table("Tabelle", "A:J", (4, 6), (7, 15)),
    table("Tabelle", "L:M", 4, (5, 11)),
    form("Abrechnung", "A:F", (3, 5)),
    table("Abrechnung", "A:F", (8, 9), (10, 21)),
)
def rent_index(workbook: Workbook) -> None:
    """Means and ranges by year built, surcharges beside them; a bill for a flat whose units stand in a row."""
    _rents(workbook.create_sheet("Tabelle"))
    _running_costs(workbook.create_sheet("Abrechnung"))


def _rents(sheet: Worksheet) -> None:
    """The means and ranges by location, size and year, and the surcharges beside them."""
    put(sheet, "A1", "Mietspiegel der Stadt Auental 2024\nNettokaltmiete in € je m² und Monat", bold=1)
    put(
        sheet,
        "A4",
        """
        Wohnlage | Wohnfläche | Baujahr
         | | bis 1948 | | 1949–1978 | | 1979–2001 | | ab 2002 |
         | | Mittel | Spanne | Mittel | Spanne | Mittel | Spanne | Mittel | Spanne
        einfach | bis 40 m² | 8.9 | 7,60–10,30 | 8.45 | 7,30–9,80 | 9.3 | 8,10–10,60 | * |
         | 41–70 m² | 7.8 | 6,70–8,90 | 7.35 | 6,40–8,40 | 8.25 | 7,20–9,40 | 10.1 | 9,00–11,40
         | über 70 m² | 7.2 | 6,10–8,30 | 6.9 | 5,90–7,80 | 7.9 | 6,90–9,00 | 9.85 | 8,80–11,00
        mittel | bis 40 m² | 9.85 | 8,40–11,20 | 9.3 | 8,00–10,70 | 10.2 | 8,90–11,60 | 12.4 | 10,90–13,90
         | 41–70 m² | 8.7 | 7,40–9,90 | 8.15 | 7,00–9,30 | 9.05 | 7,90–10,30 | 11.2 | 9,90–12,60
         | über 70 m² | 8.3 | 7,10–9,50 | 7.7 | 6,60–8,80 | 8.6 | 7,50–9,80 | 10.9 | 9,70–12,20
        gut | bis 40 m² | 11.1 | 9,50–12,80 | * | | 11.4 | 9,90–13,00 | 13.6 | 12,00–15,30
         | 41–70 m² | 9.9 | 8,50–11,40 | 9.2 | 7,90–10,50 | 10.15 | 8,80–11,50 | 12.5 | 11,00–14,10
         | über 70 m² | 9.6 | 8,20–11,00 | 8.85 | 7,60–10,10 | 9.8 | 8,50–11,10 | 12.3 | 10,80–13,90
        * weniger als 30 Wohnungen erfasst, kein Wert ausgewiesen
        """,
        bold=3,
    )
    merge(sheet, "A1:J1", "A2:J2", "A4:A6", "B4:B6", "C4:J4", "C5:D5", "E5:F5", "G5:H5", "I5:J5")
    merge(sheet, "A7:A9", "A10:A12", "A13:A15")
    show(sheet, "C7:I15", "0.00")
    put(
        sheet,
        "L4",
        """
        Merkmal der Wohnung | Zu-/Abschlag
        Einbauküche | 3%
        Balkon über 4 m² | 2.5%
        Fußbodenheizung | 2%
        Aufzug ab 4. Geschoss | 2%
        kein Kellerabteil | -1.5%
        Einfachverglasung | -4%
        Erdgeschoss zur Hauptstraße | -3.5%
        """,
        bold=1,
    )


def _running_costs(sheet: Worksheet) -> None:
    """The bill for one flat."""
    put(sheet, "A1", "Betriebskostenabrechnung 2023", bold=1)
    put(
        sheet,
        "A3",
        """
        Mieter | Fam. Özkan | | Zeitraum | 01.01.–31.12.2023 |
        Objekt | Lindenhof 8, 2. OG links | | Wohnfläche | 68,4 m² |
        Mietvertrag | 0208-14 | | Personen | 3 |


        Kostenart | Gesamtkosten | Verteilung | Gesamt | Ihr Teil | Ihre Kosten
         | EUR | nach | Einheiten | Einheiten | EUR
        Grundsteuer | 2184.6 | m² | 912.5 | 68.4 |
        Wasser | 3310.25 | Zähler | 1480 | 118 |
        Abwasser | 2960 | Zähler | 1480 | 118 |
        Müllabfuhr | 1875.4 | Personen | 31 | 3 |
        Hausreinigung | 2640 | m² | 912.5 | 68.4 |
        Versicherung | 1998.75 | m² | 912.5 | 68.4 |
        Aufzug | 1420 | m² | 912.5 | 68.4 |
        Allgemeinstrom | 486.1 | m² | 912.5 | 68.4 |
        Heizung lt. Anlage | | | | | 842.37
        Summe
        Vorauszahlungen 12 × 180 € | | | | | -2160
        Nachzahlung
        """,
    )
    derive(sheet, "F10:F17", "=B{0}/D{0}*E{0}", "BDE", lambda cost, units, share: round(cost / units * share, 2))
    sums(sheet, "B19:B19", (10, 17))
    sums(sheet, "F19:F19", (10, 18))
    sheet["F21"] = f"=F19+F20 => {number_in(sheet, 'F19') - 2160:.2f}"
    merge(sheet, "A1:F1")
    merge(sheet, "B3:C3", "B4:C4", "B5:C5", "E3:F3", "E4:F4", "E5:F5")
    show(sheet, "B10:F21", "#,##0.00")
    put(sheet, "A23", "Die Nachzahlung ist mit der nächsten Miete fällig. Einwendungen binnen zwölf Monaten.")


@book(
    "смета_ремонта",
    "ru",
    table("Смета", "A:H", (6, 8), (9, 25)),
    table("Закупка", "A:E", 1, (2, 14)),
    table("Закупка", "G:I", 1, (2, 5)),
)
def repair_estimate(workbook: Workbook) -> None:
    """Column numbers under two header rows, parts with their sums; purchases in groups parted by blank rows."""
    _works(workbook.create_sheet("Смета"))
    _purchases(workbook.create_sheet("Закупка"))


def _works(sheet: Worksheet) -> None:
    """The works by part, with sums and tax."""
    put(sheet, "G1", "УТВЕРЖДАЮ\n____________ Лапин О. В.", bold=1)
    put(sheet, "A3", "Локальная смета на ремонт помещения\nОбъект: читальный зал, ул. Заречная, 11", bold=1)
    put(
        sheet,
        "A6",
        """
        № п/п | Наименование работ | Ед. изм. | Кол-во | Стоимость единицы, руб. | | Всего, руб. | Примечание
         | | | | материалы | работа | |
        1 | 2 | 3 | 4 | 5 | 6 | 7 | 8
         | Раздел 1. Демонтаж
        1 | Снятие линолеума | м² | 62 | 0 | 95 | |
        2 | Отбивка плитки | м² | 18.5 | 0 | 310 | |
        3 | Вывоз мусора | рейс | 2 | 0 | 7500 | | контейнер 8 м³
         | Итого по разделу 1
         | Раздел 2. Стены и потолок
        4 | Грунтовка | м² | 148 | 18 | 45 | | в два слоя
        5 | Шпатлёвка | м² | 148 | 92 | 260 | |
        6 | Окраска стен | м² | 104 | 135 | 210 | | моющаяся
        7 | Подвесной потолок | м² | 62 | 640 | 520 | |
         | Итого по разделу 2
         | Раздел 3. Пол
        8 | Наливной пол | м² | 62 | 410 | 330 | |
        9 | Укладка ламината | м² | 62 | 980 | 390 | | 33 класс
         | Итого по разделу 3
         | Всего по смете
        """,
        bold=2,
    )
    for rows in ("10:G12", "15:G18", "21:G22"):
        derive(sheet, f"G{rows}", "=D{0}*(E{0}+F{0})", "DEF", lambda count, goods, work: count * (goods + work))
    sums(sheet, "G13:G13", (10, 12))
    sums(sheet, "G19:G19", (15, 18))
    sums(sheet, "G23:G23", (21, 22))
    total = sum(number_in(sheet, cell) for cell in ("G13", "G19", "G23"))
    sheet["G24"] = f"=G13+G19+G23 => {total:.10g}"
    put(sheet, "B25", "в том числе НДС 20%")
    sheet["G25"] = f"=G24/6 => {total / 6:.2f}"
    merge(sheet, "A3:H3", "A4:H4", "E6:F6", "B9:H9", "B14:H14", "B20:H20")
    merge(sheet, *(f"{letter}6:{letter}7" for letter in "ABCDGH"))
    show(sheet, "E10:G25", "#,##0.00")
    indent(sheet, "B10:B12")
    indent(sheet, "B15:B18")
    indent(sheet, "B21:B22")
    put(sheet, "B27", "Составил: инженер Мухина | | | | Проверил:")


def _purchases(sheet: Worksheet) -> None:
    """What is to be bought, and from whom."""
    put(
        sheet,
        "A1",
        """
        Материал | Марка | Упаковка | Нужно | Цена за шт. | | Поставщик | Телефон | Доставка
        Краска | Альпина Матт | ведро 9 л | 3 | 4190 | | Стройдвор | '8-4852-30-11-02 | на следующий день
        Грунт | Оптимист | канистра 10 л | 4 | 890 | | ИП Юдин | '8-910-555-01-77 | самовывоз
        Валик | 250 мм | шт. | 4 | 310 | | Ламинат-Центр | '8-4852-44-90-15 | от 20 м² бесплатно
        Малярный скотч | 48 мм | шт. | 10 | 145 | | Потолки и Ко | '8-905-555-38-60 | вместе с монтажом

        Ламинат | Дуб речной | пачка 2,13 м² | 30 | 2087
        Подложка | 3 мм | пачка 5 м² | 13 | 640
        Плинтус | 2,5 м | шт. | 14 | 285
        Порожек | латунь | шт. | 2 | 470

        Плита потолочная | Байкал | коробка 20 шт. | 9 | 3120
        Профиль | Т-24, 3,7 м | шт. | 18 | 240
        Подвес | с зажимом | шт. | 60 | 22
        """,
        bold=1,
    )


@book(
    "azienda_vinicola",
    "it",
    table("Listino", "A:G", (4, 5), (6, 18)),
    table("Vendemmia", "A:H", (3, 4), (5, 14)),
    table("Vendemmia", "A:G", 17, (18, 21)),
)
def wine_grower(workbook: Workbook) -> None:
    """Prices in sections by colour with euro formats; harvests by year with indented plots, their days below."""
    _price_list(workbook.create_sheet("Listino"))
    _harvest(workbook.create_sheet("Vendemmia"))


def _price_list(sheet: Worksheet) -> None:
    """The wines and their prices."""
    put(sheet, "A1", "AZIENDA AGRICOLA COLLE SERENO\nListino prezzi franco cantina, valido dal 1° marzo 2024", bold=1)
    put(
        sheet,
        "A4",
        """
        Vino | Denominazione | Annata | Bottiglia | Prezzo IVA esclusa | |
         | | | (cl) | singola | da 6 | da 60
        BIANCHI
        Serenella | Colli Orientali DOC | 2023 | 75 | 7.8 | 7.4 | 6.9
        Vigna Alta | Colli Orientali DOC | 2022 | 75 | 11.5 | 10.9 | 10.2
        Passo del Lupo | IGT | 2023 | 75 | 6.2 | 5.9 | 5.5
        ROSSI
        Rosso di Casa | IGT | 2022 | 100 | 5.9 | 5.5 | 5
        Il Fattore | DOC Riserva | 2019 | 75 | 18 | 17 | 15.8
        Il Fattore magnum | DOC Riserva | 2018 | 150 | 41 | 39 | su richiesta
        Terre Brune | DOC | 2021 | 75 | 9.4 | 8.9 | 8.3
        DOLCI E SPUMANTI
        Oro di Colle | passito | 2020 | 37.5 | 16.5 | 15.8 | 14.9
        Brut Nature | metodo classico | s.a. | 75 | 14.2 | 13.5 | 12.6
        Rosé Brut | charmat lungo | 2023 | 75 | 9.9 | 9.4 | 8.8
        """,
        bold=2,
    )
    merge(sheet, "A1:G1", "A2:G2", "A4:A5", "B4:B5", "C4:C5", "E4:G4", "A6:G6", "A10:G10", "A15:G15")
    show(sheet, "E7:G18", '"€ "#,##0.00')
    put(sheet, "A20", "Cartoni da 6 bottiglie. Trasporto a carico del cliente sotto i 300 €.")


def _harvest(sheet: Worksheet) -> None:
    """The harvest by year."""
    put(sheet, "A1", "Uve raccolte per vigneto (quintali)", bold=1)
    put(
        sheet,
        "A3",
        """
        Vigneto | Ettari | Annata
         | | 2018 | 2019 | 2020 | 2021 | 2022 | 2023
        Collina | 6.1
        Friulano | 2.4 | 182 | 160 | 171 | 149 | 176 | 138
        Ribolla | 1.2 | 98 | 91 | 95 | 80 | 93 | 77
        Merlot | 2.5 | 201 | 188 | 195 | 170 | 190 | 165
        Piana | 5.3
        Refosco | 1.9 | 166 | 149 | 150 | 131 | 155 | 129
        Pinot grigio | 3.4 | 340 | 322 | 331 | 287 | 318 | 301
        Nuovi impianti | 0.8
        Verduzzo | 0.8 | | | | 12 | 31 | 40
        Totale
        """,
        bold=2,
    )
    sums(sheet, "C14:H14", (5, 13))
    merge(sheet, "A1:H1", "A3:A4", "B3:B4", "C3:H3")
    for rows in ("A6:A8", "A10:A11", "A13:A13"):
        indent(sheet, rows, 2)
    put(sheet, "A16", "Inizio della raccolta", bold=1)
    put(sheet, "A17", "Varietà | 2018 | 2019 | 2020 | 2021 | 2022 | 2023", bold=1)
    starts = {
        "Pinot grigio": "0827 0905 0828 0908 0824 0904",
        "Friulano": "0903 0912 0907 0915 0901 0911",
        "Merlot": "0917 0926 0921 0928 0912 0925",
        "Refosco": "1001 1009 1003 1011 0926 1008",
    }
    for row, (name, days) in enumerate(starts.items(), start=18):
        sheet.cell(row, 1, name)
        for column, day in enumerate(days.split(), start=2):
            cell = sheet.cell(row, column, date(2016 + column, int(day[:2]), int(day[2:])))
            cell.number_format = "d/m"


BOOKS = (rent_index, repair_estimate, wine_grower)
