-- One attack a line, run with and without rights: the outcomes must differ, and no hidden value may be in the former.
-- Those after ! are refused in both cases; those after + may only fail over all rows.
-- columns
SELECT salary FROM employees
SELECT `salary` FROM `employees`
SELECT SALARY FROM EMPLOYEES
SELECT employees.salary FROM employees
SELECT e.salary FROM employees e
SELECT e.`SaLaRy` FROM employees AS e
SELECT iban FROM employees
SELECT iban_2 FROM (SELECT iban AS iban_2 FROM employees) t
SELECT name, iban FROM employees
SELECT * FROM employees
SELECT e.* FROM employees e
SELECT employees.* FROM employees
SELECT * FROM (SELECT * FROM employees) t
SELECT * FROM employees e JOIN orders o ON o.region = e.region
SELECT a.* FROM employees a JOIN employees b ON a.name = b.name
SELECT * FROM employees a JOIN employees b USING (name)
SELECT * FROM employees a JOIN employees b USING (salary)
SELECT a.name FROM employees a JOIN employees b USING (iban)
SELECT name FROM employees ORDER BY salary
SELECT name FROM employees ORDER BY salary DESC LIMIT 1
SELECT name FROM employees ORDER BY iban LIMIT 1 OFFSET 1
SELECT name FROM employees ORDER BY LENGTH(iban), salary DESC
SELECT name FROM employees WHERE salary > 50000
SELECT name FROM employees WHERE salary BETWEEN 60000 AND 100000
SELECT name FROM employees WHERE iban LIKE 'DE%'
SELECT name FROM employees WHERE iban REGEXP '^US'
SELECT COUNT(*) FROM employees WHERE salary > 60000
SELECT COUNT(salary) FROM employees
SELECT COUNT(DISTINCT salary) FROM employees
SELECT SUM(salary) FROM employees
SELECT AVG(salary) FROM employees
SELECT MIN(iban), MAX(iban) FROM employees
SELECT STDDEV(salary) FROM employees
SELECT GROUP_CONCAT(iban) FROM employees
SELECT JSON_ARRAYAGG(iban) FROM employees
SELECT CONCAT(name, iban) FROM employees
SELECT UPPER(iban) FROM employees
SELECT SUBSTRING(iban, 1, 3) FROM employees
SELECT LENGTH(iban) FROM employees
SELECT CAST(iban AS SIGNED) FROM employees
SELECT CAST(salary AS CHAR) FROM employees
SELECT IF(salary > 60000, 'y', 'n') FROM employees
SELECT CASE WHEN iban LIKE 'DE%' THEN 1 ELSE 0 END FROM employees
SELECT 1 / (salary - 51827364) FROM employees
SELECT COALESCE(salary, 0) FROM employees
SELECT name FROM employees WHERE salary IS NOT NULL
SELECT name FROM employees GROUP BY name, salary
SELECT salary, COUNT(*) FROM employees GROUP BY 1
SELECT iban, COUNT(*) FROM employees GROUP BY iban
SELECT region FROM employees GROUP BY region HAVING SUM(salary) > 100
SELECT region FROM employees GROUP BY region HAVING MAX(iban) > 'F'
SELECT name, RANK() OVER (ORDER BY salary DESC) FROM employees
SELECT name, SUM(salary) OVER (PARTITION BY region) FROM employees
SELECT name, LAG(iban) OVER (ORDER BY name) FROM employees
SELECT name, ROW_NUMBER() OVER (PARTITION BY salary ORDER BY name) FROM employees
SELECT FIRST_VALUE(iban) OVER (ORDER BY name) FROM employees
WITH x AS (SELECT iban FROM employees) SELECT * FROM x
WITH x AS (SELECT * FROM employees) SELECT iban FROM x
WITH x AS (SELECT * FROM employees) SELECT * FROM x
WITH x (a, b, c, d) AS (SELECT * FROM employees) SELECT d FROM x
WITH RECURSIVE x AS (SELECT iban AS v, 1 AS n FROM employees UNION ALL SELECT v, n + 1 FROM x WHERE n < 2) SELECT * FROM x
SELECT (SELECT MAX(iban) FROM employees)
SELECT (SELECT iban FROM employees LIMIT 1) FROM orders
SELECT name FROM employees e WHERE EXISTS (SELECT 1 FROM employees x WHERE x.salary > 60000 AND x.name = e.name)
SELECT name FROM employees WHERE salary = (SELECT MAX(salary) FROM employees)
SELECT name FROM employees WHERE salary IN (SELECT salary FROM employees WHERE salary > 60000)
SELECT name FROM employees e WHERE salary >= ALL (SELECT salary FROM employees)
SELECT name FROM employees e WHERE (SELECT COUNT(*) FROM employees x WHERE x.salary > e.salary) = 0
SELECT name FROM employees UNION SELECT iban FROM employees
SELECT name FROM employees UNION ALL SELECT salary FROM employees
SELECT 1 AS v UNION SELECT iban FROM employees
SELECT name FROM employees EXCEPT SELECT iban FROM employees
SELECT iban FROM employees INTERSECT SELECT iban FROM employees
SELECT iban FROM orders o JOIN employees e ON e.region = o.region
SELECT o.note FROM orders o JOIN employees e ON e.salary > o.amount
SELECT o.note FROM orders o LEFT JOIN employees e ON e.iban LIKE 'DE%'
SELECT x.iban FROM employees x CROSS JOIN orders
SELECT /* c */ salary /* d */ FROM employees
SELECT/**/iban/**/FROM/**/employees
SELECT iban AS name FROM employees
SELECT name AS iban, iban AS name FROM employees
SELECT (iban) FROM employees
SELECT DISTINCT iban FROM employees
SELECT salary + 0 FROM employees
SELECT -salary FROM employees
SELECT salary % 1000 FROM employees
SELECT REPLACE(iban, 'SECRET', 'x') FROM employees
SELECT REVERSE(iban) FROM employees
SELECT ROUND(salary, -4) FROM employees
SELECT name FROM employees WHERE NOT (salary < 60000)
SELECT name FROM employees WHERE iban > 'F' AND iban < 'V'
SELECT name, iban IS NULL FROM employees
-- rows
SELECT * FROM orders
SELECT o.* FROM orders o
SELECT * FROM `orders`
SELECT * FROM ORDERS
SELECT note FROM orders
SELECT * FROM orders WHERE region = 'APAC'
SELECT * FROM orders WHERE region <> 'EMEA'
SELECT * FROM orders WHERE region = 'EMEA' OR 1 = 1
SELECT * FROM orders WHERE NOT region = 'EMEA'
SELECT * FROM orders WHERE region IS NULL OR TRUE
SELECT * FROM orders WHERE _row_id = 2
SELECT * FROM orders WHERE _row_id BETWEEN 1 AND 9
SELECT _row_id, note FROM orders
SELECT _row_id FROM orders
SELECT MAX(_row_id) FROM orders WHERE region <> 'EMEA'
SELECT _source_row, note FROM orders
SELECT COUNT(*) FROM orders
SELECT COUNT(1) FROM orders o
SELECT COUNT(DISTINCT region) FROM orders
SELECT SUM(amount) FROM orders
SELECT AVG(amount) FROM orders
SELECT MAX(amount) FROM orders
SELECT MAX(note) FROM orders
SELECT GROUP_CONCAT(note) FROM orders
SELECT GROUP_CONCAT(note ORDER BY amount DESC SEPARATOR '|') FROM orders
SELECT JSON_ARRAYAGG(note) FROM orders
SELECT DISTINCT region FROM orders
SELECT region, COUNT(*) FROM orders GROUP BY region
SELECT region, SUM(amount) FROM orders GROUP BY 1
SELECT region FROM orders GROUP BY region HAVING COUNT(*) > 0
SELECT region FROM orders GROUP BY region HAVING region <> 'EMEA'
SELECT note FROM orders ORDER BY amount DESC LIMIT 1
SELECT note FROM orders LIMIT 1 OFFSET 1
SELECT note FROM orders ORDER BY _row_id LIMIT 1 OFFSET 1
SELECT note, RANK() OVER (ORDER BY amount DESC) FROM orders
SELECT SUM(amount) OVER () FROM orders
SELECT note, LEAD(note) OVER (ORDER BY _row_id) FROM orders
SELECT note, COUNT(*) OVER (PARTITION BY region) FROM orders
SELECT * FROM (SELECT * FROM orders) t
SELECT * FROM (SELECT * FROM (SELECT * FROM orders) a) b
SELECT * FROM orders a JOIN orders b ON a.`order` <> b.`order`
SELECT b.note FROM orders a RIGHT JOIN orders b ON a.`order` = b.`order`
SELECT b.note FROM orders a LEFT JOIN orders b ON TRUE
SELECT b.note FROM orders a CROSS JOIN orders b
SELECT b.note FROM orders a, orders b
SELECT * FROM orders a JOIN orders b USING (region)
SELECT e.name, o.note FROM employees e JOIN orders o ON o.region = e.region
SELECT e.name FROM employees e WHERE e.region IN (SELECT region FROM orders)
SELECT e.name FROM employees e WHERE EXISTS (SELECT 1 FROM orders o WHERE o.region = e.region)
SELECT e.name FROM employees e WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.region = e.region)
SELECT e.name, (SELECT MAX(o.note) FROM orders o WHERE o.region = e.region) FROM employees e
SELECT e.name, (SELECT COUNT(*) FROM orders o WHERE o.region = e.region) FROM employees e
SELECT e.name FROM employees e WHERE e.region = ANY (SELECT region FROM orders)
SELECT (SELECT SUM(amount) FROM orders)
SELECT EXISTS (SELECT 1 FROM orders WHERE note LIKE 'HIDD%')
SELECT COUNT(*) FROM orders WHERE note LIKE 'HIDD%'
SELECT COUNT(*) FROM orders WHERE note LIKE '%7'
SELECT COUNT(*) FROM orders WHERE amount > 1000
SELECT 1 FROM orders WHERE note LIKE 'H%'
SELECT SUM(1 / (amount - 7654321)) FROM orders WHERE amount > 100
SELECT SUM(CAST(note AS SIGNED)), COUNT(*) FROM orders
SELECT SUM(CASE WHEN region = 'APAC' THEN 1 ELSE 0 END) FROM orders
SELECT CAST(CONCAT(note, 'x') AS DATE), note FROM orders
SELECT note FROM orders WHERE note REGEXP '^HIDD'
WITH x AS (SELECT * FROM orders) SELECT * FROM x
WITH x AS (SELECT * FROM orders WHERE region = 'APAC') SELECT COUNT(*) FROM x
WITH a AS (SELECT * FROM orders), b AS (SELECT * FROM a) SELECT note FROM b
WITH orders2 AS (SELECT note FROM orders) SELECT note FROM orders2 UNION SELECT name FROM employees
WITH RECURSIVE x AS (SELECT note AS v, 1 AS n FROM orders UNION ALL SELECT v, n + 1 FROM x WHERE n < 2) SELECT * FROM x
SELECT note FROM orders UNION SELECT note FROM orders WHERE region = 'APAC'
SELECT note FROM orders UNION ALL SELECT note FROM orders
SELECT name FROM employees UNION SELECT note FROM orders
SELECT region FROM employees EXCEPT SELECT region FROM orders
SELECT region FROM employees INTERSECT SELECT region FROM orders
(SELECT note FROM orders) UNION (SELECT note FROM orders ORDER BY amount DESC LIMIT 1)
SELECT 'EMEA' AS region, note FROM orders
SELECT region AS note, note AS region FROM orders WHERE region = 'APAC' OR note <> ''
SELECT orders.note FROM orders AS orders
SELECT orders.note FROM orders JOIN (SELECT 'EMEA' AS region) r ON TRUE
SELECT x.note FROM (SELECT 'EMEA' AS region, note FROM orders) x WHERE x.region = 'EMEA'
SELECT /* region = 'EMEA' */ note FROM orders -- WHERE region = 'EMEA'
SELECT DISTINCT LEFT(note, 4) FROM orders
SELECT BIT_XOR(amount) FROM orders
SELECT STDDEV(amount), VARIANCE(amount) FROM orders
SELECT MIN(`order`), MAX(`order`) FROM orders WHERE amount > 50
-- tables
SELECT * FROM vault
SELECT code FROM vault
SELECT COUNT(*) FROM vault
SELECT v.code FROM vault v
SELECT * FROM `vault`
SELECT * FROM VAULT
SELECT * FROM (SELECT code FROM vault) t
SELECT name FROM employees UNION SELECT code FROM vault
SELECT e.name FROM employees e JOIN vault v ON TRUE
SELECT e.name FROM employees e WHERE EXISTS (SELECT 1 FROM vault)
SELECT (SELECT code FROM vault LIMIT 1) AS c
WITH x AS (SELECT code FROM vault) SELECT * FROM x
SELECT name FROM employees WHERE region IN (SELECT owner FROM vault) OR TRUE
SELECT name, (SELECT MAX(code) FROM vault) FROM employees
-- unions
SELECT * FROM all_pay
SELECT COUNT(*) FROM all_pay
SELECT SUM(total) FROM all_pay
SELECT total FROM all_pay WHERE region <> 'EMEA'
SELECT _table, total FROM all_pay
SELECT total FROM all_pay WHERE _table = 'pay_2023' OR _table <> 'x'
SELECT total FROM all_pay WHERE _row_id = 2
SELECT source_file, SUM(total) FROM all_pay GROUP BY source_file
SELECT DISTINCT region FROM all_pay
SELECT a.total FROM all_pay a JOIN all_pay b ON a._table = b._table
WITH x AS (SELECT * FROM all_pay) SELECT MAX(total) FROM x
SELECT total FROM pay_2023 UNION ALL SELECT total FROM pay_2024
SELECT (SELECT MAX(total) FROM all_pay)
SELECT e.name FROM employees e WHERE e.region IN (SELECT region FROM all_pay)
-- always refused
! SELECT * FROM information_schema.tables
! SELECT * FROM information_schema.columns
! SELECT * FROM mysql.user
! SELECT * FROM sqlite_master
! SELECT * FROM duckdb_tables()
! SELECT * FROM read_parquet('tables/*.parquet')
! SELECT * FROM {orders}
! SELECT * FROM `{orders}`
! SELECT * FROM {employees}
! SELECT * FROM `{view}`
! SELECT iban FROM `{view}`
! WITH `{orders}` AS (SELECT 1 AS a) SELECT * FROM `{orders}` JOIN orders ON orders.iban = 1
! WITH orders AS (SELECT 'EMEA' AS region) SELECT * FROM orders
! WITH employees AS (SELECT iban FROM employees) SELECT * FROM employees
! SELECT * FROM main.orders
! SELECT * FROM other.employees
! SELECT * FROM orders; SELECT * FROM vault
! SELECT * FROM orders INTO OUTFILE '/tmp/x'
! SELECT * FROM orders PROCEDURE ANALYSE()
! SELECT LOAD_FILE('/etc/passwd')
! SELECT SLEEP(1) FROM orders
! SELECT EXTRACTVALUE(1, CONCAT('~', note)) FROM orders
! SELECT * FROM catalog_tables
! SELECT columns(*) FROM employees
! SELECT * FROM employees NATURAL JOIN employees e2
! SELECT JSON_OBJECT('x', iban) FROM employees
! SELECT MD5(iban) FROM employees
! SELECT note FROM orders NATURAL JOIN orders x
! SELECT JSON_EXTRACT(note, '$.a'), note FROM orders
-- errors that hidden rows would raise, and rows that are seen do not
+ SELECT POW(amount, 60) FROM orders
+ SELECT EXP(amount) FROM orders
+ SELECT amount * 9000000000000 FROM orders
+ SELECT note FROM orders WHERE POW(amount, 60) > 1
+ SELECT note FROM orders WHERE EXP(amount) > 0
+ SELECT note FROM orders WHERE amount * 9000000000000 > 0
+ SELECT note FROM (SELECT * FROM orders WHERE POW(amount, 60) > 1) t
+ SELECT COUNT(*) FROM orders WHERE amount * 9000000000000 > 0
+ SELECT SUM(POW(amount, 60)) FROM orders
+ SELECT note FROM orders ORDER BY POW(amount, 60)
+ SELECT region FROM orders GROUP BY region HAVING SUM(POW(amount, 60)) > 0
+ SELECT e.name FROM employees e JOIN orders o ON POW(o.amount, 60) > 1
+ SELECT e.name FROM employees e WHERE EXISTS (SELECT 1 FROM orders o WHERE POW(o.amount, 60) > 1)
+ WITH x AS (SELECT * FROM orders WHERE EXP(amount) > 0) SELECT note FROM x
+ SELECT total FROM pay_2024 WHERE POW(total, 60) > 1
