"""Grades, timetables, forms and questionnaires, in Chinese."""

from openpyxl import Workbook

from benchmarks.spreadsheets.sheets import book, form, merge, put, table

__all__ = ["BOOKS"]


@book(
    "期中考试成绩",
    "zh",
    table("七年级2班", "A:K", 2, (3, 16)),
    table("分数段", "A:C", 4, (5, 10)),
    table("分数段", "E:G", 4, (5, 10)),
)
def midterm_grades(workbook: Workbook) -> None:
    """Marks with statistics as last rows and absent pupils as text; distributions of two subjects side by side."""
    sheet = workbook.create_sheet("七年级2班")
    put(
        sheet,
        "A1",
        """
        明德中学2023—2024学年第一学期期中考试成绩表（七年级2班）
        学号 | 姓名 | 语文 | 数学 | 英语 | 历史 | 地理 | 生物 | 总分 | 班级名次 | 备注
        '070201 | 安然 | 92 | 88 | 95 | 90 | 84 | 91 | 540 | 2 |
        '070202 | 白露 | 85 | 79 | 88 | 82 | 80 | 77 | 491 | 6 |
        '070203 | 曹睿 | 78 | 96 | 81 | 75 | 89 | 93 | 512 | 4 |
        '070204 | 杜鹃 | 缺考 | 缺考 | 72 | 70 | 68 | 66 | 276 | | 病假
        '070205 | 方圆 | 95 | 97 | 98 | 93 | 92 | 96 | 571 | 1 |
        '070206 | 顾北 | 66 | 58 | 61 | 70 | 63 | 59 | 377 | 9 |
        '070207 | 韩松 | 88 | 91 | 84 | 86 | 90 | 88 | 527 | 3 |
        '070208 | 江月 | 81 | 74 | 90 | 79 | 76 | 82 | 482 | 7 |
        '070209 | 康乐 | 73 | 69 | 75 | 72 | 70 | 71 | 430 | 8 |
        '070210 | 梁晨 | 84 | 86 | 79 | 88 | 82 | 85 | 504 | 5 |
        平均分 | | 82.4 | 82 | 82.3 | 80.5 | 79.4 | 80.8 | 492.7 | |
        最高分 | | 95 | 97 | 98 | 93 | 92 | 96 | 571 | |
        最低分 | | 66 | 58 | 61 | 70 | 63 | 59 | 276 | |
        及格率 | | 100% | 88.9% | 100% | 100% | 100% | 90% | | |
        """,
        bold=2,
    )
    merge(sheet, "A1:K1", "A13:B13", "A14:B14", "A15:B15", "A16:B16")
    bands = workbook.create_sheet("分数段")
    put(
        bands,
        "A1",
        """
        七年级语文、数学分数段统计

        语文 | | | | 数学
        分数段 | 人数 | 累计 | | 分数段 | 人数 | 累计
        90分以上 | 31 | 31 | | 90分以上 | 44 | 44
        80—89分 | 78 | 109 | | 80—89分 | 62 | 106
        70—79分 | 54 | 163 | | 70—79分 | 49 | 155
        60—69分 | 22 | 185 | | 60—69分 | 27 | 182
        50—59分 | 9 | 194 | | 50—59分 | 10 | 192
        50分以下 | 4 | 198 | | 50分以下 | 6 | 198
        """,
        bold=4,
    )
    merge(bands, "A1:G1", "A3:C3", "E3:G3")


@book(
    "课程表",
    "zh",
    table("三年级", "A:G", 3, (4, 11)),
    table("三年级", "A:G", 16, (17, 24)),
)
def school_timetable(workbook: Workbook) -> None:
    """Two classes' timetables under each other: days across, periods down in merged halves of the day, a break."""
    sheet = workbook.create_sheet("三年级")
    put(
        sheet,
        "A1",
        """
        三年级（1）班课程表

        时段 | 节次 | 星期一 | 星期二 | 星期三 | 星期四 | 星期五
        上午 | 第一节 | 语文 | 数学 | 语文 | 英语 | 数学
         | 第二节 | 数学 | 语文 | 英语 | 数学 | 语文
         | 第三节 | 体育 | 音乐 | 数学 | 语文 | 美术
         | 第四节 | 英语 | 科学 | 体育 | 道德与法治 | 体育
        午休
        下午 | 第五节 | 美术 | 语文 | 音乐 | 科学 | 语文
         | 第六节 | 道德与法治 | 书法 | 信息 | 体育 | 班会
         | 课后服务 | 合唱 | 足球 | 围棋 | 合唱 | —


        三年级（2）班课程表

        时段 | 节次 | 星期一 | 星期二 | 星期三 | 星期四 | 星期五
        上午 | 第一节 | 数学 | 语文 | 数学 | 语文 | 英语
         | 第二节 | 语文 | 英语 | 语文 | 数学 | 语文
         | 第三节 | 音乐 | 数学 | 体育 | 美术 | 数学
         | 第四节 | 体育 | 语文 | 科学 | 英语 | 书法
        午休
        下午 | 第五节 | 语文 | 体育 | 美术 | 语文 | 科学
         | 第六节 | 信息 | 道德与法治 | 语文 | 音乐 | 班会
         | 课后服务 | 合唱 | 足球 | 围棋 | 合唱 | —
        """,
    )
    merge(sheet, "A1:G1", "A14:G14")
    for top in (4, 17):
        merge(sheet, f"A{top}:A{top + 3}", f"A{top + 4}:G{top + 4}", f"A{top + 5}:A{top + 7}")


@book("应聘人员登记表", "zh", form("登记表", "A:F", (3, 7)), table("登记表", "A:F", 9, (10, 12)))
def applicant(workbook: Workbook) -> None:
    """A form of pairs, three in a row, some values merged over several cells, and a short table of jobs below."""
    sheet = workbook.create_sheet("登记表")
    put(
        sheet,
        "A1",
        """
        应聘人员登记表

        姓名 | 宋清扬 | 性别 | 女 | 出生年月 | 1996年3月
        民族 | 汉 | 籍贯 | 安徽黄山 | 政治面貌 | 群众
        学历 | 硕士 | 专业 | 材料工程 | 毕业时间 | 2021-06-30
        应聘岗位 | 质量工程师 | | | 期望薪资 | 12000
        通讯地址 | 云溪市河东路17号3幢502 | | | 联系电话 | '13800001234

        起止时间 | 工作单位 | | 职务 | 离职原因 | 证明人
        2021.07–2022.12 | 华岳新材料公司 | | 检验员 | 搬家 | 曲工
        2023.01–2023.10 | 北辰电子厂 | | 质量专员 | 合同期满 | 纪主管
        2023.11至今 | 自由职业 | | — | |

        本人承诺以上所填内容真实有效。
        签名： | | | | 日期：
        """,
        bold=1,
    )
    merge(sheet, "A1:F1", "B6:D6", "B7:D7", "B9:C9", "B10:C10", "B11:C11", "B12:C12", "A14:F14")


@book(
    "食堂满意度问卷",
    "zh",
    table("统计", "A:C", 4, (5, 8)),
    table("统计", "A:C", 11, (12, 16)),
    table("统计", "A:E", 19, (20, 23)),
    table("意见", "A:D", 1, (2, 7)),
)
def canteen_survey(workbook: Workbook) -> None:
    """One small table per question, the question over each; the last one wider than the others; remarks as text."""
    sheet = workbook.create_sheet("统计")
    put(
        sheet,
        "A1",
        """
        职工食堂满意度问卷统计（回收有效问卷236份）

        1. 您每周在食堂就餐几次？
        选项 | 人数 | 占比
        每天 | 121 | 51.3%
        三至四次 | 68 | 28.8%
        一至两次 | 35 | 14.8%
        几乎不去 | 12 | 5.1%

        2. 您对菜品口味是否满意？
        选项 | 人数 | 占比
        非常满意 | 42 | 17.8%
        满意 | 97 | 41.1%
        一般 | 71 | 30.1%
        不满意 | 26 | 11%
        合计 | 236 | 100%

        3. 各窗口评分（10分制）
        窗口 | 口味 | 卫生 | 服务 | 速度
        面食 | 8.4 | 8.9 | 8.1 | 7.2
        炒菜 | 7.6 | 8.2 | 7.9 | 6.8
        清真 | 8.8 | 9.1 | 8.7 | 8
        轻食 | 7.9 | 9 | 8.5 | 8.6
        """,
    )
    put(
        workbook.create_sheet("意见"),
        "A1",
        """
        问卷编号 | 部门 | 意见和建议 | 处理情况
        17 | 研发部 | 希望增加粗粮 | 已采纳
        43 | 生产一车间 | 夜班没有热菜 | 已采纳
        58 | 财务部 | 排队时间太长，能不能分批就餐？ |
        101 | 质检部 | 无 |
        164 | 生产二车间 | 米饭偏硬 | 已转食堂
        209 | 行政部 | 餐具有水渍 | 已整改
        """,
        bold=1,
    )


BOOKS = (midterm_grades, school_timetable, applicant, canteen_survey)
