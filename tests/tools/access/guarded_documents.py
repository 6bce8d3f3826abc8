"""Documents of which a key sees a part, and what it must never be shown."""

__all__ = ["CELLS", "MARKS", "RIGHTS"]

RIGHTS = {
    "corpora": ["default"],
    "tables": ["staff", "teams", "shop*", "orders", "visits_*"],
    "hidden": {"staff": ["salary", "iban"], "orders": ["margin"]},
    "rows": {"staff": "region = 'EMEA' AND NOT salary > 900000", "orders": "region = 'EMEA'"},
}
CELLS = {
    "staff.csv": "Name,Region,Team,Salary,IBAN\n"
    "Ada,EMEA,Red,71234,DE89QUARTZ1\nBob,US,Blue,65432,US12QUARTZ2\nCid,EMEA,Blue,43210,FR76QUARTZ3\n"
    "Quillon,APAC,Jade,98765,SG55QUARTZ4\nZephyrine,EMEA,Onyx,912345,DE77QUARTZ5\n",
    "payroll.csv": "Person,Bonus\nAda,17171\nQuillon,28282\nVesper,39393\n",
    "teams.csv": "Team,Floor\nRed,1\nBlue,2\nJade,3\nOnyx,4\n",
    "visits_2024.csv": "Visitor,Minutes\nAnn,5\nBea,6\n",
    "visits_2025.csv": "Visitor,Minutes\nCal,7\n",
    "payslips.csv": "Visitor,Minutes\nMordecai,8\n",
    "memo.md": "# Memo\n\nThe board met in June. Quillon earns 98765 and Vesper 39393.\n\n"
    "| Person | Bonus agreed |\n|---|---|\n| Vesper | 39393 |\n",
}
MARKS = (
    "65432", "98765", "912345", "71234", "43210", "QUARTZ", "Quillon", "Zephyrine", "Bob", "17171", "28282", "39393",
    "Vesper", "Mordecai", "APAC", "Zircon", "0.51515", "0.62626", "0.73737",
)  # fmt: skip
"""No reply may have any of these but those that the attempt itself says."""
