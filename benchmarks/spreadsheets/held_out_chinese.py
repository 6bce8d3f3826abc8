"""Held out: risks, a sports day and weights of steel, in Chinese."""

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from benchmarks.spreadsheets.sheets import book, form, merge, put, show, sums, table

__all__ = ["BOOKS"]


@book(
    "风险机遇评估",
    "zh",
    table("6.1-1", "A:L", (3, 5), (6, 14)),
    table("评分", "A:C", 4, (5, 9)),
    table("评分", "E:G", 4, (5, 7)),
)
def risks(workbook: Workbook) -> None:
    """Three header rows, the last one of letters and a formula; processes merged over their risks; scales apart."""
    sheet = workbook.create_sheet("6.1-1")
    put(sheet, "A1", "风险和机遇评估分析表", bold=1)
    put(sheet, "A2", "类别：■质量　□环境　□职业健康 | | | | | | | | | | 编号：QR 6.1-1")
    put(
        sheet,
        "A3",
        """
        序号 | 过程 | 来源 | | 风险描述 | 风险分析 | | | | 风险⏎等级 | 应对措施 | 责任部门
         | | 内部 | 外部 | | 严重度 | 频度 | 可探测度 | 风险系数 | | |
         | | | | | S | O | D | S×O×D | | |
        1 | 合同评审 | | √ | 对市场需求趋势判断失误 | 4 | 1 | 3 | 12 | 一般 | 每半年重新分析市场 | 销售部
         | | √ | | 顾客要求识别不全 | 4 | 2 | 3 | 24 | 较大 | 评审表增加必填项 |
         | | √ | | 未确认能力即签约 | 5 | 1 | 2 | 10 | 一般 | 技术、生产会签 |
        2 | 采购 | | √ | 关键材料只有一家供方 | 5 | 2 | 2 | 20 | 较大 | 开发第二供方 | 采购部
         | | | √ | 来料批次不稳定 | 3 | 3 | 2 | 18 | 一般 | 加严抽样 |
        3 | 生产 | √ | | 模具磨损未及时发现 | 4 | 3 | 3 | 36 | 重大 | 首件、末件全尺寸检验 | 生产部
         | | √ | | 换线时用错标签 | 3 | 2 | 1 | 6 | 低 | 扫码核对 |
        4 | 设备管理 | √ | | 空压机停机 | 4 | 2 | 1 | 8 | 低 | 备用机每月试运行 | 设备科
        5 | 人员培训 | √ | | 特种作业证到期 | 5 | 1 | 1 | 5 | 低 | 到期前60天提醒 | 人事部
        """,
    )
    merge(sheet, "A1:L1", "A2:F2", "K2:L2", "C3:D3", "C4:C5", "D4:D5", "F3:I3")
    merge(sheet, *(f"{letter}3:{letter}5" for letter in "ABEJKL"))
    for letter in "ABL":
        merge(sheet, f"{letter}6:{letter}8", f"{letter}9:{letter}10", f"{letter}11:{letter}12")
    put(sheet, "A16", "编制：汤敏 | | | | 审核： | | | | 批准：")
    scale = workbook.create_sheet("评分")
    put(
        scale,
        "A1",
        """
        附：评分标准

        表一 严重度 | | | | 表二 风险等级
        分值 | 程度 | 后果 | | 风险系数 | 等级 | 要求
        5 | 严重 | 违反法规或造成人身伤害 | | 30及以上 | 重大 | 立即停止，专题整改
        4 | 较重 | 顾客退货、停线 | | 20–29 | 较大 | 一个月内完成措施
        3 | 中等 | 返工，影响交期 | | 20以下 | 一般或低 | 日常监控
        2 | 轻微 | 厂内可当场纠正
        1 | 可忽略 | 几乎无影响
        """,
    )
    merge(scale, "A1:G1", "A3:C3", "E3:G3")


@book(
    "田径运动会计分",
    "zh",
    form("计分表", "B:P", (4, 5)),
    table("计分表", "B:P", (7, 8), (9, 17)),
    table("计分表", "R:T", 7, (8, 10)),
    table("纪录", "A:F", 1, (2, 14)),
)
def sports_day(workbook: Workbook) -> None:
    """A form without colons over the scores, grades beside them with a shorter header; records with hidden rows."""
    sheet = workbook.create_sheet("计分表")
    put(sheet, "B2", "第十八届田径运动会班级计分表", bold=1)
    put(sheet, "B4", "运动会名称 | | 春季田径运动会 | | | | 举办日期 | | 2024-04-18 | | | 天气 | | 多云")
    put(sheet, "B5", "举办地点 | | 学校东操场 | | | | 总裁判长 | | 石建国 | | | 记录员 | | 谭雨桐")
    for row in (4, 5):
        merge(sheet, f"B{row}:C{row}", f"D{row}:G{row}", f"H{row}:I{row}", f"J{row}:L{row}", f"M{row}:N{row}")
        merge(sheet, f"O{row}:P{row}")
    put(
        sheet,
        "B7",
        """
        序号 | 班级 | 班主任 | 参赛⏎人数 | 径赛 | | | | 田赛 | | | 集体项目 | | 总分 | 名次
         | | | | 50米 | 200米 | 400米 | 800米 | 跳远 | 跳高 | 实心球 | 拔河 | 接力
        1 | 五（1）班 | 唐娜 | 18 | 3 | 4 | 1 | 2 | 4 | 0 | 2 | 7 | 5 | 28 | 2
        2 | 五（2）班 | 韩磊 | 15 | 4 | 3 | 0 | 1 | 3 | 2 | 1 | 5 | 2 | 21 | 5
        3 | 五（3）班 | 徐鸣 | 17 | 3 | 3 | 3 | 2 | 2 | 2 | 0 | 4 | 4 | 23 | 4
        4 | 五（4）班 | 丁向东 | 16 | 0 | 1 | 2 | 5 | 1 | 3 | 5 | 2 | 0 | 19 | 6
        5 | 六（1）班 | 梅若华 | 20 | 5 | 4 | 4 | 3 | 3 | 2 | 4 | 7 | 7 | 39 | 1
        6 | 六（2）班 | 贺兰 | 14 | 1 | 0 | 2 | 0 | 2 | 5 | 3 | 4 | 1 | 18 | 7
        7 | 六（3）班 | 闵行之 | 18 | 2 | 3 | 5 | 4 | 1 | 1 | 2 | 5 | 4 | 27 | 3
        8 | 六（4）班 | 方可 | 13 | 0 | 0 | 1 | 1 | 2 | 3 | 1 | 2 | 2 | 12 | 8
        合计
        """,
        bold=2,
    )
    merge(sheet, "B2:P2", "F7:I7", "J7:L7", "M7:N7", "B17:D17")
    merge(sheet, *(f"{letter}7:{letter}8" for letter in "BCDEOP"))
    sums(sheet, "E17:O17", (9, 16))
    put(sheet, "R6", "年级团体总分", bold=1)
    put(sheet, "R7", "年级 | 总分 | 平均\n五年级 | 91 | 22.75\n六年级 | 96 | 24\n全校 | 187 | 23.4", bold=1)
    merge(sheet, "R6:T6")
    put(sheet, "B19", "注：前五名按5、4、3、2、1计分，集体项目加倍取整。")
    records = workbook.create_sheet("纪录")
    put(
        records,
        "A1",
        """
        组别 | 项目 | 纪录 | 创造者 | 班级 | 年份
        男子组
        甲组 | 50米 | 7"42 | 马腾飞 | 六（2）班 | 2019
        甲组 | 200米 | 29"8 | 葛天 | 六（1）班 | 2022
        甲组 | 跳远 | 4.31 | 马腾飞 | 六（2）班 | 2019
        乙组 | 50米 | 7"90 | 吕思远 | 五（3）班 | 2021
        乙组 | 跳高 | 1.28 | 樊星 | 五（1）班 | 2017
        乙组 | 实心球 | 9.6 | 左克俭 | 五（4）班 | 2023
        女子组
        甲组 | 50米 | 7"81 | 叶知秋 | 六（3）班 | 2020
        甲组 | 400米 | 1'12"5 | 柯蓝 | 六（1）班 | 2018
        甲组 | 跳高 | 1.24 | 柯蓝 | 六（1）班 | 2018
        乙组 | 50米 | 8"05 | 阮小棠 | 五（2）班 | 2023
        乙组 | 跳远 | 3.68 | 桑榆 | 五（2）班 | 2022
        """,
    )
    merge(records, "A2:F2", "A9:F9")
    for row in (6, 7):
        records.row_dimensions[row].hidden = True


@book(
    "钢材理论重量",
    "zh",
    table("冷弯槽钢", "A:I", (4, 5), (6, 13)),
    table("圆方六角", "A:B", 3, (4, 13)),
    table("圆方六角", "D:E", 3, (4, 10)),
    table("圆方六角", "G:H", 3, (4, 8)),
    table("换算", "B:E", None, (3, 9)),
)
def steel_weights(workbook: Workbook) -> None:
    """The same three columns three times in one table; three lists side by side; conversions without header."""
    _channels(workbook.create_sheet("冷弯槽钢"))
    _bars(workbook.create_sheet("圆方六角"))
    _conversions(workbook.create_sheet("换算"))


def _channels(sheet: Worksheet) -> None:
    """Channels: the same three columns three times."""
    put(sheet, "A1", "冷弯等边槽钢理论重量表\n密度按 7.85 g/cm³ 计算，供参考", bold=1)
    names = " | ".join(["规格 | 截面面积 | 理论重量"] * 3)
    units = " | ".join(["mm | cm² | kg/m"] * 3)
    put(sheet, "A4", f"{names}\n{units}", bold=2)
    sizes = [(20, 10, 1.5), (20, 10, 2.0), (20, 10, 2.5), (30, 10, 1.5), (30, 10, 2.0), (30, 10, 2.5), (30, 30, 3.0)]
    sizes += [(40, 20, 2.0), (40, 20, 2.5), (40, 20, 3.0), (40, 40, 3.0), (50, 30, 2.5), (50, 30, 3.0), (50, 50, 3.0)]
    sizes += [
        (60, 30, 2.5),
        (60, 30, 3.0),
        (80, 40, 2.5),
        (80, 40, 3.0),
        (100, 50, 3.0),
        (100, 50, 4.0),
        (120, 50, 4.0),
    ]
    sizes += [(120, 60, 4.0), (140, 60, 4.0)]
    for number, (height, width, thick) in enumerate(sizes):
        area = round((height + 2 * width - 2 * thick) * thick / 100, 3)
        at = f"{'ADG'[number // 8]}{6 + number % 8}"
        put(sheet, at, f"'[{height}×{width}×{thick} | {area} | {area * 0.785:.3f}")
    merge(sheet, "A1:I1", "A2:I2")


def _bars(sheet: Worksheet) -> None:
    """Three kinds of bars side by side."""
    put(sheet, "A1", "常用型材每米重量", bold=1)
    put(
        sheet,
        "A2",
        """
        圆钢 | | | 方钢 | | | 六角钢
        直径(mm) | kg/m | | 边长(mm) | kg/m | | 对边(mm) | kg/m
        6 | 0.222 | | 8 | 0.502 | | 10 | 0.68
        8 | 0.395 | | 10 | 0.785 | | 12 | 0.979
        10 | 0.617 | | 12 | 1.13 | | 14 | 1.33
        12 | 0.888 | | 14 | 1.54 | | 17 | 1.96
        14 | 1.21 | | 16 | 2.01 | | 19 | 2.45
        16 | 1.58 | | 20 | 3.14
        18 | 2 | | 25 | 4.91
        20 | 2.47
        22 | 2.98
        25 | 3.85
        """,
    )
    merge(sheet, "A1:H1", "A2:B2", "D2:E2", "G2:H2")
    show(sheet, "B4:H13", "0.000")
    show(sheet, "D4:D10", "0")
    show(sheet, "G4:G8", "0")


def _conversions(sheet: Worksheet) -> None:
    """Conversions of units."""
    put(
        sheet,
        "B3",
        """
        1 | 英寸 | 25.4 | 毫米
        1 | 英尺 | 304.8 | 毫米
        1 | 磅 | 0.4536 | 千克
        1 | 短吨 | 907.2 | 千克
        1 | 平方英寸 | 6.452 | 平方厘米
        1 | 千磅力 | 4.448 | 千牛
        1 | 磅/英尺 | 1.488 | 千克/米
        """,
    )


BOOKS = (risks, sports_day, steel_weights)
