"""Budgets, attendance, stock and statements, in Chinese."""

from random import Random

from openpyxl import Workbook

from benchmarks.spreadsheets.sheets import book, form, merge, put, show, sums, table

__all__ = ["BOOKS"]


@book("部门支出预算表", "zh", table("支出预算", "A:H", (4, 7), (8, 19)))
def department_budget(workbook: Workbook) -> None:
    """An office's budget: unit line at the right, three header rows and one that numbers the columns, 一、二、三."""
    sheet = workbook.create_sheet("支出预算")
    put(sheet, "A1", "2024年部门支出预算总表", bold=1)
    put(sheet, "A2", "编制部门：临江区文化和旅游局 | | | | | | | 单位：万元")
    put(
        sheet,
        "A4",
        """
        功能分类科目 | | 合计 | 基本支出 | | | 项目支出 | 备注
        科目编码 | 科目名称 | | 小计 | 人员经费 | 公用经费 | |
         | | | | 工资福利 | 办公差旅 | |
        栏次 | | 1=2+5 | 2=3+4 | 3 | 4 | 5 | 6
        一、文化旅游体育与传媒支出
        '2070101 | 行政运行 | | | 412.6 | 58.3 | |
        '2070104 | 图书馆 | | | 186.2 | 24.7 | 95 | 含新馆开办
        '2070109 | 群众文化 | | | 143.9 | 17.5 | 62.8 |
        '2070204 | 文物保护 | | | 88.4 | 11.2 | 130 |
        二、社会保障和就业支出
        '2080505 | 养老保险缴费 | | | 96.7 | | |
        '2080506 | 职业年金缴费 | | | 48.3 | | |
        三、住房保障支出
        '2210201 | 住房公积金 | | | 72.5 | | |
        '2210203 | 购房补贴 | | | 15.8 | | | 按实结算
        合计
        """,
        bold=4,
    )
    for row in (9, 10, 11, 12, 14, 15, 17, 18):
        parts = [sheet[f"{letter}{row}"].value or 0 for letter in "EFG"]
        sheet[f"D{row}"] = f"=E{row}+F{row} => {parts[0] + parts[1]:.10g}"
        sheet[f"C{row}"] = f"=D{row}+G{row} => {sum(parts):.10g}"
    sums(sheet, "C19:G19", (9, 18))
    merge(sheet, "A1:H1", "A4:B4", "C4:C6", "D4:F4", "D5:D6", "G4:G6", "H4:H6", "A5:A6", "B5:B6", "A7:B7")
    merge(sheet, "A8:B8", "A13:B13", "A16:B16", "A19:B19")
    show(sheet, "C9:G19", "#,##0.00")
    put(sheet, "A20", "注：本表反映部门本年度全部支出预算情况。")


@book("员工考勤表", "zh", table("3月", "A:AK", (3, 4), (5, 11)))
def attendance(workbook: Workbook) -> None:
    """Days 1 to 31 over their weekdays, marks in the cells, counts at the right, the marks explained below."""
    sheet = workbook.create_sheet("3月")
    put(sheet, "A1", "员工考勤表\n部门：仓储部 | | | | | | 2024年3月", bold=1)
    days = " | ".join(map(str, range(1, 32)))
    put(sheet, "A3", f"序号 | 姓名 | {days} | 出勤⏎天数 | 迟到 | 请假 | 签名", bold=1)
    week = "日一二三四五六"
    put(sheet, "C4", " | ".join(week[(day + 4) % 7] for day in range(1, 32)), bold=1)
    chance = Random(3)
    for number, name in enumerate("周立群;钱海燕;孙万有;李小满;吴桂芬;郑一鸣;王秋实".split(";"), start=1):
        marks = []
        for day in range(1, 32):
            weekend = (day + 4) % 7 in (0, 6)
            marks.append("" if weekend else chance.choice("√√√√√√√√√√△○"))
        counts = (marks.count("√") + marks.count("△"), marks.count("△"), marks.count("○"))
        put(
            sheet,
            f"A{4 + number}",
            f"{number} | {name} | {' | '.join(marks)} | {counts[0]} | {counts[1]} | {counts[2]}",
        )
    merge(sheet, "A1:AK1", "A3:A4", "B3:B4", "AH3:AH4", "AI3:AI4", "AJ3:AJ4", "AK3:AK4")
    put(sheet, "A12", "说明：√ 出勤　△ 迟到　○ 请假")
    put(sheet, "A14", "制表人：冯雪 | | | | | | | 审核：")


@book("进销存台账", "zh", table("台账", "B:Q", (4, 5), (6, 14)))
def stock_ledger(workbook: Workbook) -> None:
    """Opening, in, out and closing, each with quantity, price and amount; from column B on, totals and signatures."""
    sheet = workbook.create_sheet("台账")
    put(sheet, "B2", "鑫达五金店商品进销存台账（2023年12月）", bold=1)
    three = "数量 | 单价 | 金额"
    put(
        sheet,
        "B4",
        f"""
        货号 | 品名 | 规格 | 单位 | 期初结存 | | | 本期入库 | | | 本期出库 | | | 期末结存 | |
         | | | | {three} | {three} | {three} | {three}
        """,
        bold=2,
    )
    goods = (
        ("WJ-001", "膨胀螺栓", "M8×80", "套", 320, 0.85, 500, 410),
        ("WJ-002", "自攻螺丝", "4×30", "盒", 46, 6.5, 60, 71),
        ("WJ-007", "角磨片", "100mm", "片", 210, 2.2, 0, 134),
        ("WJ-011", "生料带", "20m", "卷", 88, 1.1, 200, 165),
        ("WJ-015", "PVC弯头", "DN25", "个", 150, 0.9, 300, 288),
        ("WJ-016", "PVC三通", "DN25", "个", 97, 1.3, 100, 142),
        ("WJ-023", "门锁", "单舌", "把", 12, 48, 10, 9),
        ("WJ-031", "合页", "4寸", "副", 64, 5.4, 0, 22),
    )
    for row, (number, name, size, unit, first, price, bought, sold) in enumerate(goods, start=6):
        put(sheet, f"B{row}", f"{number} | {name} | {size} | {unit}")
        left = first + bought - sold
        for column, quantity in zip("FILO", (first, bought, sold, left), strict=True):
            if quantity:
                put(sheet, f"{column}{row}", f"{quantity} | {price} | {round(quantity * price, 2)}")
    put(sheet, "B14", "合计")
    for column in "FHIKLNOQ":
        sums(sheet, f"{column}14:{column}14", (6, 13))
    merge(sheet, "B2:Q2", "B4:B5", "C4:C5", "D4:D5", "E4:E5", "F4:H4", "I4:K4", "L4:N4", "O4:Q4", "B14:E14")
    put(sheet, "B16", "制表：林芳 | | | 复核： | | | 日期：2023年12月31日")


@book("资产负债表", "zh", table("资产负债表", "A:H", 4, (5, 17)))
def balance_sheet(workbook: Workbook) -> None:
    """Assets and liabilities in one ruled form without a gap, with line numbers; sections have no amounts."""
    sheet = workbook.create_sheet("资产负债表")
    put(sheet, "A1", "资 产 负 债 表\n | | | | | | | 会企01表", bold=1)
    put(sheet, "A3", "编制单位：青禾食品有限公司 | | | 2023年12月31日 | | | | 单位：元")
    put(
        sheet,
        "A4",
        """
        资产 | 行次 | 期末余额 | 年初余额 | 负债和所有者权益 | 行次 | 期末余额 | 年初余额
        流动资产： | | | | 流动负债：
        货币资金 | 1 | 1286430.52 | 958211.07 | 短期借款 | 31 | 800000 | 1000000
        应收账款 | 2 | 743209 | 811540.6 | 应付账款 | 32 | 612380.4 | 590114.25
        预付款项 | 3 | 58000 | 41200 | 应付职工薪酬 | 33 | 186540 | 172300
        存货 | 4 | 926617.33 | 874002.18 | 应交税费 | 34 | 74219.85 | 69905.1
        流动资产合计 | 10 | 3014256.85 | 2684953.85 | 流动负债合计 | 40 | 1673140.25 | 1832319.35
        非流动资产： | | | | 非流动负债：
        固定资产 | 11 | 2145800 | 2290340 | 长期借款 | 41 | 500000 | 500000
        在建工程 | 12 | 132600 | | 非流动负债合计 | 45 | 500000 | 500000
        无形资产 | 13 | 318000 | 330000 | 所有者权益：
         | | | | 实收资本 | 51 | 2000000 | 2000000
        非流动资产合计 | 20 | 2596400 | 2620340 | 未分配利润 | 52 | 1437516.6 | 972974.5
        资产总计 | 30 | 5610656.85 | 5305293.85 | 负债和所有者权益总计 | 60 | 5610656.85 | 5305293.85
        """,
        bold=1,
    )
    merge(sheet, "A1:H1")
    show(sheet, "C6:D17", "#,##0.00")
    show(sheet, "G6:H17", "#,##0.00")
    put(sheet, "A19", "单位负责人： | | | 会计机构负责人： | | | 制表人：")


@book("车辆管理登记表", "zh", table("车辆", "B:K", 5, (6, 15)), form("车辆", "M:N", (6, 9)))
def vehicles(workbook: Workbook) -> None:
    """A register with a blank spacer row under the title, codes and dates, and key figures in a box beside it."""
    sheet = workbook.create_sheet("车辆")
    put(sheet, "B2", "公务车辆管理登记表", bold=1)
    put(sheet, "B3", "登记部门：后勤处 | | | | | 更新日期： | 2024-05-20")
    put(
        sheet,
        "B5",
        """
        序号 | 车牌号 | 品牌型号 | 购置日期 | 使用部门 | 驾驶员 | 行驶里程⏎(公里) | 年检到期 | 保险到期 | 状态
        1 | 江A·3K071 | 远航M5 | 2019-04-12 | 办公室 | 田文 | 86210 | 2025-04-30 | 2024-11-02 | 正常
        2 | 江A·8D226 | 远航M5 | 2019-04-12 | 业务一处 | 卢小强 | 104377 | 2025-04-30 | 2024-11-02 | 正常
        3 | 江A·1F905 | 驰骋商务 | 2021-09-03 | 业务二处 | | 45120 | 2025-09-30 | 2024-09-15 | 维修
        4 | 江A·6T338 | 驰骋商务 | 2021-09-03 | 后勤处 | 钟建国 | 51902 | 2025-09-30 | 2024-09-15 | 正常
        5 | 江A·2M114 | 山鹰越野 | 2016-07-21 | 后勤处 | 马春 | 171455 | 2024-07-31 | 2024-07-20 | 待报废
        6 | 江A·D7702 | 绿能E3 | 2023-02-15 | 办公室 | 田文 | 12830 | 2027-02-28 | 2025-02-14 | 正常
        7 | 江A·D7715 | 绿能E3 | 2023-02-15 | 业务一处 | 何琳 | 15066 | 2027-02-28 | 2025-02-14 | 正常
        8 | 江A·D7718 | 绿能E3 | 2023-02-15 | 信息中心 | | 9975 | 2027-02-28 | 2025-02-14 | 正常
        9 | 江A·5R660 | 通达中巴 | 2014-11-30 | 后勤处 | 钟建国 | 228310 | 2024-11-30 | 2024-12-01 | 正常
        10 | 江A·0Q483 | 远航M5 | 2020-06-18 | 业务二处 | 卢小强 | 73084 | 2024-06-30 | 2024-06-17 | 正常
        """,
        bold=1,
    )
    put(sheet, "M5", "车辆概况\n车辆总数 | 10\n正常使用 | 8\n维修 | 1\n待报废 | 1")
    merge(sheet, "B2:K2", "M5:N5")


BOOKS = (department_budget, attendance, stock_ledger, balance_sheet, vehicles)
