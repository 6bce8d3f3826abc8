"""Attempts to see what a key may not: columns and rows of `staff`, all of `payroll` and of the union with it."""

__all__ = ["ATTACKS", "CELLS", "MARKS", "RIGHTS"]

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

HIDDEN = [
    "SELECT salary FROM staff",
    "SELECT s.salary FROM staff AS s",
    "SELECT `SALARY` FROM `staff`",
    "SELECT Salary FROM STAFF",
    "SELECT staff.* FROM staff",
    "SELECT *, salary FROM staff",
    "SELECT MAX(salary) FROM staff",
    "SELECT SUM(iban) FROM staff",
    "SELECT name FROM staff ORDER BY salary",
    "SELECT name FROM staff ORDER BY 5",
    "SELECT name FROM staff WHERE salary > 50000",
    "SELECT name FROM staff WHERE iban LIKE 'DE%'",
    "SELECT name FROM staff GROUP BY name HAVING MAX(salary) > 50000",
    "SELECT name, RANK() OVER (ORDER BY salary DESC) AS r FROM staff",
    "SELECT name FROM staff WHERE EXISTS (SELECT 1 FROM staff AS t WHERE t.salary > 70000 AND t.name = staff.name)",
    "SELECT name FROM staff WHERE (SELECT MAX(salary) FROM staff) > 70000",
    "SELECT 1 / (salary - 71234) FROM staff",
    "SELECT CAST(iban AS SIGNED) FROM staff",
    "SELECT GROUP_CONCAT(iban) FROM staff",
    "SELECT JSON_ARRAYAGG(salary) FROM staff",
    "SELECT IF(salary > 70000, 'high', 'low') FROM staff",
    "SELECT CASE WHEN iban LIKE 'DE%' THEN 1 END FROM staff",
    "SELECT COALESCE(NULL, salary) FROM staff",
    "SELECT a.salary FROM staff AS a JOIN teams AS t ON t.team = a.team",
    "SELECT t.floor FROM teams AS t JOIN staff AS s ON s.salary = 71234",
    "SELECT x.salary FROM (SELECT * FROM staff) AS x",
    "WITH x AS (SELECT salary FROM staff) SELECT * FROM x",
    "WITH x (a, b, c, d, e) AS (SELECT * FROM staff) SELECT d FROM x",
    "SELECT name FROM staff UNION SELECT salary FROM staff",
    "SELECT name FROM staff UNION ALL SELECT iban FROM staff",
    "SELECT salary_text FROM staff",
    "SELECT COUNT(DISTINCT salary) FROM staff",
    "SELECT name FROM staff JOIN teams USING (salary)",
    "SELECT name FROM staff NATURAL JOIN teams",
    "SELECT salary AS team FROM staff",
    "SELECT team AS salary FROM staff ORDER BY salary",
    "SELECT MEDIAN(salary) FROM staff",
    "SELECT _ocr_word FROM staff",
]
ROWS = [
    "SELECT * FROM staff",
    "SELECT name FROM staff",
    "SELECT COUNT(*) FROM staff",
    "SELECT COUNT(*) FROM staff WHERE region = 'US'",
    "SELECT name FROM staff WHERE region <> 'EMEA'",
    "SELECT name FROM staff WHERE region = 'EMEA' OR 1 = 1",
    "SELECT name FROM staff WHERE NOT region = 'EMEA'",
    "SELECT name FROM staff WHERE _row_id = 2",
    "SELECT name FROM staff WHERE _row_id BETWEEN 1 AND 9",
    "SELECT name FROM staff ORDER BY _row_id LIMIT 1 OFFSET 2",
    "SELECT name FROM staff LIMIT 10 OFFSET 1",
    "SELECT region, COUNT(*) FROM staff GROUP BY region",
    "SELECT GROUP_CONCAT(name) FROM staff",
    "SELECT MAX(name) FROM staff",
    "SELECT MIN(region) FROM staff",
    "SELECT t.team, s.name FROM teams AS t LEFT JOIN staff AS s ON s.team = t.team",
    "SELECT t.team, s.name FROM staff AS s RIGHT JOIN teams AS t ON s.team = t.team",
    "SELECT a.name, b.name FROM staff AS a JOIN staff AS b ON a.name <> b.name",
    "SELECT t.team FROM teams AS t WHERE EXISTS (SELECT 1 FROM staff AS s WHERE s.team = t.team)",
    "SELECT t.team FROM teams AS t WHERE t.team IN (SELECT team FROM staff)",
    "SELECT t.team, (SELECT MAX(s.name) FROM staff AS s WHERE s.team = t.team) AS n FROM teams AS t",
    "SELECT COUNT(*) FROM teams AS t WHERE t.team NOT IN (SELECT team FROM staff)",
    "WITH staff2 AS (SELECT * FROM staff) SELECT name FROM staff2",
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 9) "
    "SELECT s.name FROM r JOIN staff AS s ON s._row_id = r.n",
    "SELECT name FROM staff UNION SELECT team FROM teams",
    "SELECT x.n FROM (SELECT COUNT(*) AS n FROM staff) AS x",
    "SELECT name, ROW_NUMBER() OVER (ORDER BY _row_id) AS r FROM staff",
    "SELECT LAG(name) OVER (ORDER BY _row_id) AS before_it, name FROM staff",
    "SELECT FIRST_VALUE(name) OVER (ORDER BY name DESC) AS last_name FROM staff",
    "SELECT COUNT(*) > 3 FROM staff",
    "SELECT /* all */ name FROM staff -- WHERE region = 'EMEA'",
    "SELECT name FROM staff WHERE '' = '' ) OR (1 = 1",
    "SELECT s.name FROM staff AS s, staff AS region WHERE region.region = 'US'",
    "SELECT LENGTH(GROUP_CONCAT(name)) FROM staff",
    "SELECT BIT_XOR(LENGTH(name)) FROM staff",
    "SELECT name FROM staff WHERE name REGEXP '^Q'",
]
TABLES = [
    "SELECT * FROM payroll",
    "SELECT COUNT(*) FROM payroll",
    "SELECT s.name, p.bonus FROM staff AS s JOIN payroll AS p ON p.person = s.name",
    "SELECT name FROM staff WHERE name IN (SELECT person FROM payroll)",
    "WITH payroll AS (SELECT * FROM payroll) SELECT * FROM payroll",
    "SELECT bonus FROM `payroll`",
    "SELECT * FROM PAYROLL AS staff",
    "SELECT * FROM payslips",
    "SELECT * FROM bonus_agreed",
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM _tablerag_tables",
    "SELECT * FROM read_parquet('*.parquet')",
    "SELECT name FROM staff UNION SELECT person FROM payroll",
    "SELECT (SELECT MAX(bonus) FROM payroll) FROM staff",
    "SELECT * FROM main.payroll",
    "DELETE FROM staff",
]
UNIONS = ["SELECT visitor FROM {union}", "SELECT COUNT(*) FROM {union}"]
STORED = ["SELECT * FROM `{stored}`", "SELECT salary FROM `{stored}`", "SELECT s.* FROM `{stored}` AS s"]
ATTACKS = [*HIDDEN, *ROWS, *TABLES, *STORED, *UNIONS]
