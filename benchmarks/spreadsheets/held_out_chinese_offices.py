"""Held out: a card for an asset and a budget for an outing, in Chinese."""

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from benchmarks.spreadsheets.sheets import book, derive, form, merge, put, show, sums, table

__all__ = ["BOOKS"]


@book(
    "固定资产卡片",
    "zh",
    form("卡片", "B:I", (4, 8)),
    table("卡片", "B:I", (11, 12), (13, 17)),
    table("卡片", "B:I", 20, (21, 23)),
    table("清册", "A:J", 3, (4, 13)),
)
def asset_card(workbook: Workbook) -> None:
    """A form with merged values, two tables with merged cells under captions; a list whose sums come first."""
    _card(workbook.create_sheet("卡片"))
    _inventory(workbook.create_sheet("清册"))


def _card(sheet: Worksheet) -> None:
    """The form, the depreciation and the repairs."""
    put(sheet, "B2", "固 定 资 产 卡 片", bold=1)
    put(
        sheet,
        "B4",
        """
        资产编号 | SB-0317 | | 资产名称 | 数控折弯机 | | 类别 | 机器设备
        规格型号 | WC67K-100/3200 | | 制造厂商 | 皖东机床厂 | | 出厂编号 | '170822
        使用部门 | 钣金车间 | | 存放地点 | 二号厂房西侧 | | 保管人 | 贾师傅
        启用日期 | 2018-01-15 | | 原值（元） | 286000 | | 残值率 | 5%
        附属设备 | 液压站一台、后挡料装置一套、模具三副 | | | | | 使用年限 | 10
        """,
    )
    for row in range(4, 8):
        merge(sheet, f"C{row}:D{row}", f"F{row}:G{row}")
    merge(sheet, "B2:I2", "C8:G8")
    show(sheet, "F7:F7", "#,##0.00")
    put(
        sheet,
        "B10",
        """
        一、折旧记录
        年度 | 折旧额 | | 累计折旧 | | 净值 | | 备注
         | 本年 | 其中：加速 | 年初 | 年末 | 年初 | 年末 |
        2018 | 24905.83 | | 0 | 24905.83 | 286000 | 261094.17 | 2月起计提
        2019 | 27170 | | 24905.83 | 52075.83 | 261094.17 | 233924.17 |
        2020 | 31170 | 4000 | 52075.83 | 83245.83 | 233924.17 | 202754.17 | 两班生产
        2021 | 27170 | | 83245.83 | 110415.83 | 202754.17 | 175584.17 |
        2022 | 27170 | | 110415.83 | 137585.83 | 175584.17 | 148414.17 |

        二、维修及变动记录
        日期 | 内容 | | | 费用 | 承修单位 | | 经手人
        2019-06-20 | 更换油缸密封件 | | | 1850 | 皖东机床厂售后 | | 贾师傅
        2021-03-08 | 由一号厂房移至二号厂房 | | | 600 | 本厂机修班 | | 冷班长
        2022-11-14 | 主电机绕组重绕 | | | 3200 | 江淮电机维修部 | | 贾师傅
        """,
    )
    merge(sheet, "B10:I10", "B11:B12", "C11:D11", "E11:F11", "G11:H11", "I11:I12", "B19:I19")
    merge(sheet, *(f"C{row}:E{row}" for row in range(20, 24)), *(f"G{row}:H{row}" for row in range(20, 24)))
    show(sheet, "C13:H17", "#,##0.00")
    put(sheet, "B25", "建卡：财务部 | | | 建卡日期：2018年1月 | | | 复核：")


def _inventory(sheet: Worksheet) -> None:
    """The list of all assets."""
    put(sheet, "A1", "2022年末固定资产清册\n | | | | | | | | 金额单位：元", bold=1)
    put(
        sheet,
        "A3",
        """
        序号 | 编号 | 名称 | 部门 | 启用⏎日期 | 数量 | 原值 | 累计⏎折旧 | 净值 | 状态
        合计
        1 | FW-0001 | 一号厂房 | 行政部 | 2009-05-01 | 1 | 3200000 | 2026666 | | 在用
        2 | FW-0002 | 二号厂房 | 行政部 | 2016-09-01 | 1 | 4100000 | 1217188 | | 在用
        3 | SB-0211 | 剪板机 | 钣金车间 | 2011-03-20 | 1 | 98000 | 93100 | | 在用
        4 | SB-0317 | 数控折弯机 | 钣金车间 | 2018-01-15 | 1 | 286000 | 137586 | | 在用
        5 | SB-0340 | 激光切割机 | 钣金车间 | 2020-07-10 | 1 | 760000 | 174483 | | 在用
        6 | YS-0102 | 叉车 | 仓库 | 2012-04-12 | 2 | 148000 | 140600 | | 待报废
        7 | YS-0107 | 电动叉车 | 仓库 | 2021-10-08 | 1 | 92000 | 20393 | | 在用
        8 | BG-0055 | 服务器 | 信息科 | 2019-02-25 | 2 | 64000 | 46613 | | 在用
        9 | BG-0061 | 会议室投影 | 行政部 | 2017-06-30 | 1 | 15800 | 15010 | | 封存
        """,
        bold=2,
    )
    derive(sheet, "I5:I13", "=G{0}-H{0}", "GH", lambda cost, worn: cost - worn)
    sums(sheet, "F4:I4", (5, 13))
    merge(sheet, "A1:J1", "I2:J2", "A4:E4")
    show(sheet, "G4:I13", "#,##0")
    sheet.row_dimensions[10].hidden = True


@book(
    "团建经费预算",
    "zh",
    table("预算", "A:I", (7, 8), (9, 19)),
    table("分组", "A:D", 2, (3, 8)),
    table("分组", "A:D", 13, (14, 18)),
    form("分组", "F:G", (3, 6)),
)
def outing_budget(workbook: Workbook) -> None:
    """Numbered assumptions as text over the table, items merged over their lines; teams as columns of names."""
    _budget(workbook.create_sheet("预算"))
    _teams(workbook.create_sheet("分组"))


def _budget(sheet: Worksheet) -> None:
    """The assumptions and the costs by item."""
    put(
        sheet,
        "A1",
        """
        秋季团建经费预算（草案）
        根据今年春季活动实际支出估算：
        1、参加人数暂按46人计；
        2、时间：2024年9月21日至22日（共2天1晚）；
        3、地点：莫干山某酒店

        序号 | 项目 | 内容说明 | 计算依据 | | | | 预算小计 | 备注
         | | | 单价（元） | 数量 | 天数 | 次数 | （元） |
        1 | 住宿费 | 双人标准间 | 380 | 22 | 1 | 1 | | 含早餐
         | | 单人间 | 420 | 2 | 1 | 1 | | 司机、领队
        2 | 餐费 | 正餐 | 60 | 46 | 1 | 3 | | 周六午、晚，周日午
         | | 茶歇 | 15 | 46 | 2 | 1 | |
        3 | 交通费 | 大巴（含过路费） | 2600 | 1 | 2 | 1 | | 49座
         | | 保障车油费 | 300 | 1 | 1 | 1 | |
        4 | 活动费 | 拓展教练 | 120 | 46 | 1 | 1 | |
         | | 漂流门票 | 98 | 40 | 1 | 1 | | 自愿参加
        5 | 其他 | 保险 | 5 | 46 | 2 | 1 | |
         | | 不可预见费 | 2000 | 1 | 1 | 1 | |
        合计
        """,
        bold=1,
    )
    derive(
        sheet, "H9:H18", "=D{0}*E{0}*F{0}*G{0}", "DEFG", lambda price, count, days, times: price * count * days * times
    )
    sums(sheet, "H19:H19", (9, 18))
    merge(sheet, "A1:I1", "A2:I2", "A3:I3", "A4:I4", "A5:I5", "D7:G7", "A7:A8", "B7:B8", "C7:C8", "I7:I8", "A19:G19")
    merge(sheet, *(f"{letter}{row}:{letter}{row + 1}" for letter in "AB" for row in (9, 11, 13, 15, 17)))
    show(sheet, "H9:H19", '"¥"#,##0.00')
    put(sheet, "A20", "以上费用不含酒水，超出部分自理。")


def _teams(sheet: Worksheet) -> None:
    """The teams, their marks and what to bring."""
    put(
        sheet,
        "A1",
        """
        分组名单 | | | | | 图例
        红队 | 黄队 | 蓝队 | 绿队
        柳如烟★ | 易中原 | 白一帆 | 牛大力★ | | ★ | 队长
        霍建军 | 覃小芳★ | 苗苗 | 冉冉 | | △ | 素食
        龚琳△ | 尤勇 | 戚薇薇★ | 鲍国安 | | ◎ | 自驾
        海涛 | 阎锡光 | 舒畅△ | 沙莎 | | — | 不参加漂流
        米粒— | 宗庆◎ | 茅台生 | 项南
        巩丽 | | 池小满— |

        注：名单以报名截止时为准。

        物资准备
        物资 | 规格 | 负责人 | 完成情况
        队旗 | 60×90厘米，四色 | 柳如烟 | 已完成
        雨衣 | 一次性，均码 | 尤勇 | 已下单
        急救包 | 含创可贴、藿香正气水 | 苗苗 | 未开始
        音箱 | 户外便携 | 冉冉 | 借用
        横幅 | 6米，字样待定 | 柳如烟 | 未开始
        """,
    )
    merge(sheet, "A1:D1", "F1:G1", "A12:D12")


BOOKS = (asset_card, outing_budget)
