"""A month's sales, in Japanese."""

from openpyxl import Workbook

from benchmarks.spreadsheets.sheets import book, merge, put, show, sums, table

__all__ = ["BOOKS"]


@book("売上月報", "ja", table("月報", "B:O", (5, 6), (7, 16)), table("月報", "B:G", (20, 21), (22, 26)))
def sales_report(workbook: Workbook) -> None:
    """The fiscal year's months from April on as headers, plan and fact in each row group; shops compared below."""
    sheet = workbook.create_sheet("月報")
    put(sheet, "B2", "令和5年度　部門別売上実績\n | | | | | | | | | | | | | （単位：千円）", bold=1)
    months = " | ".join(f"{month}月" for month in (4, 5, 6, 7, 8, 9, 10, 11, 12))
    put(
        sheet,
        "B5",
        f"""
        部門 | 区分 | 上期 | | | | | | 下期 | | | 合計 | 前年比 | 備考
         | | {months} | | |
        食品 | 計画 | 4200 | 4300 | 4250 | 4600 | 4800 | 4300 | 4350 | 4500 | 5900 | 41200 | |
         | 実績 | 4135 | 4412 | 4188 | 4730 | 4655 | 4391 | 4420 | 4478 | 6120 | 41529 | 102.3% |
        日用品 | 計画 | 1800 | 1750 | 1700 | 1750 | 1800 | 1850 | 1800 | 1900 | 2300 | 16650 | |
         | 実績 | 1762 | 1801 | 1655 | 1698 | 1840 | 1877 | 1795 | 1868 | 2241 | 16537 | 98.7% |
        衣料 | 計画 | 900 | 850 | 800 | 1100 | 950 | 900 | 1000 | 1150 | 1400 | 9050 | |
         | 実績 | 871 | 802 | 790 | 1164 | 912 | 845 | 968 | 1190 | 1377 | 8919 | 96.1% | 暖冬
        家電 | 計画 | 1500 | 1400 | 1600 | 2200 | 1900 | 1400 | 1300 | 1500 | 2600 | 15400 | |
         | 実績 | 1466 | 1352 | 1711 | 2390 | 1842 | 1377 | 1289 | 1544 | 2718 | 15689 | 104.5% |
        合計 | 計画
         | 実績
        """,
        bold=2,
    )
    for column in "DEFGHIJKLM":
        for row, rows in ((15, (7, 9, 11, 13)), (16, (8, 10, 12, 14))):
            parts = [sheet[f"{column}{r}"].value for r in rows]
            sheet[f"{column}{row}"] = f"={'+'.join(f'{column}{r}' for r in rows)} => {sum(parts)}"
    merge(sheet, "B2:O2", "B5:B6", "C5:C6", "D5:I5", "J5:L5", "M5:M6", "N5:N6", "O5:O6")
    merge(sheet, *(f"B{row}:B{row + 1}" for row in (7, 9, 11, 13, 15)))
    show(sheet, "D7:M16", "#,##0;△#,##0")
    put(sheet, "B17", "※前年比は税抜金額による。")
    put(
        sheet,
        "B19",
        """
        【店舗別】
        店舗名 | 売場面積 | 売上高 | | 来客数 | 客単価
         | （㎡） | 実績 | 坪効率 | （人） | （円）
        本店 | 1240 | 38214 | 102 | 301480 | 127
        駅前店 | 410 | 21960 | 177 | 228300 | 96
        港町店 | 655 | 14087 | 71 | 104215 | 135
        緑ヶ丘店 | 390 | 8413 | 71 | 66770 | 126
        計
        """,
        bold=3,
    )
    merge(sheet, "B20:B21", "D20:E20")
    sums(sheet, "C26:D26", (22, 25))
    sums(sheet, "F26:F26", (22, 25))
    put(sheet, "B29", "作成：営業企画課　　　承認：　　　　　　㊞")


BOOKS = (sales_report,)
