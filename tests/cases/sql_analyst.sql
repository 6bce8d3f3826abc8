-- equal: cleaning: names without blanks and in capitals
SELECT id, UPPER(TRIM(customer)), CONCAT(UPPER(LEFT(customer, 1)), LOWER(SUBSTRING(customer, 2))) FROM orders ORDER BY id
-- equal: cleaning: digits alone
SELECT id, REGEXP_REPLACE(note, '[^0-9]', '') AS digits, REGEXP_REPLACE(code, '[^0-9.]', '') + 0 AS n FROM orders ORDER BY id
-- equal: cleaning: blanks to one
SELECT id, REGEXP_REPLACE(note, '[[:space:]]+', ' '), REPLACE(REPLACE(note, '\t', ' '), '  ', ' ') FROM orders ORDER BY id
-- equal: cleaning: what is empty is NULL
SELECT id, NULLIF(note, ''), NULLIF(TRIM(note), ''), COALESCE(NULLIF(note, ''), 'none') FROM orders ORDER BY id
-- equal: cleaning: parts of a text at signs
SELECT id, SUBSTRING_INDEX(SUBSTRING_INDEX(note, ',', 2), ',', -1), SUBSTRING_INDEX(note, '-', -1), SUBSTRING_INDEX(note, ' ', -2) FROM orders ORDER BY id
-- equal: cleaning: how often a letter occurs
SELECT id, LENGTH(note) - LENGTH(REPLACE(note, 'e', '')) AS es, CHAR_LENGTH(note) FROM orders ORDER BY id
-- equal: cleaning: padded keys
SELECT id, LPAD(id, 4, '0'), CONCAT('K', LPAD(quantity, 6, '0')), RPAD(code, 5, '*') FROM orders ORDER BY id
-- equal: cleaning: initials
SELECT name, CONCAT(LEFT(name, 1), '.'), CONCAT_WS(' ', LEFT(name, 1), LEFT(city, 1)) FROM customers ORDER BY name
-- equal: cleaning: zeros in front
SELECT id, TRIM(LEADING '0' FROM code), code + 0, TRIM(TRAILING '0' FROM CAST(price AS CHAR)) FROM orders ORDER BY id
-- equal: cleaning: texts with quotes and backslashes
SELECT 'it''s', "say ""no""", 'a\\b', CONCAT('x', '\'', 'y'), REPLACE('a/b/c', '/', '\\')
-- equal: cleaning: groups of cleaned texts
SELECT LOWER(TRIM(product)) AS p, COUNT(*), GROUP_CONCAT(DISTINCT customer ORDER BY customer) FROM orders GROUP BY LOWER(TRIM(product)) ORDER BY p
-- equal: cleaning: what follows a mark
SELECT id, SUBSTRING(note, LOCATE(' ', note) + 1), LEFT(note, LOCATE(' ', note)), RIGHT(note, 4) FROM orders ORDER BY id
-- equal: cleaning: reversed and repeated
SELECT id, REVERSE(code), REPEAT(code, 2), INSERT(product, 1, 1, '_'), MID(product, 2) FROM orders ORDER BY id
-- equal: cleaning: codes that are numbers
SELECT id, code REGEXP '^-?[0-9]+(\\.[0-9]+)?$' AS numeric_, code REGEXP '[a-z]' AS lettered FROM orders ORDER BY id
-- equal: cleaning: ASCII and lengths
SELECT id, ASCII(product), CHAR_LENGTH(CONCAT(customer, product)), LENGTH(price), ASCII('') FROM orders ORDER BY id
-- equal: cleaning: texts of characters
SELECT CHAR(72, 105), SPACE(3), CONCAT('[', SPACE(0), ']'), HEX('abc'), HEX(255)
-- equal: UTF-8: lengths and cuts
SELECT name, CHAR_LENGTH(city), LENGTH(city), LEFT(city, 2), RIGHT(city, 2), SUBSTRING(city, 2, 2), REVERSE(city), LPAD(city, 12, 'ö') FROM customers ORDER BY name
-- equal: UTF-8: letters with accents are those without
SELECT name FROM customers WHERE city = 'Munster' OR city = 'koln' OR city = 'sao paulo' OR city = 'ZURICH' ORDER BY name
-- equal: UTF-8: groups without accents
SELECT COUNT(*) AS n FROM customers GROUP BY city ORDER BY n DESC
-- equal: UTF-8: distinct without accents
SELECT COUNT(DISTINCT city), COUNT(DISTINCT UPPER(city)) FROM customers
-- equal: UTF-8: joins without accents
SELECT a.name, b.name FROM customers AS a JOIN customers AS b ON a.city = b.city AND a.name < b.name ORDER BY a.name, b.name
-- equal: UTF-8: LIKE without accents
SELECT name FROM customers WHERE city LIKE 'munst%' OR city LIKE '%LN' OR city LIKE '%paul_' ORDER BY name
-- equal: UTF-8: lists without accents
SELECT name FROM customers WHERE city IN ('munster', 'koln', 'Sao Paulo') ORDER BY name
-- equal: UTF-8: CASE without accents
SELECT name, CASE city WHEN 'munster' THEN 'M' WHEN 'KOLN' THEN 'K' ELSE '?' END FROM customers ORDER BY name
-- equal: UTF-8: where a letter stands
SELECT name, LOCATE('u', city), INSTR(city, 'O'), LOCATE('京', city) FROM customers ORDER BY name
-- equal: UTF-8: literals with letters of many scripts
SELECT 'Ünïcödé', UPPER('straße'), LOWER('ΑΒΓ'), CHAR_LENGTH('😀é'), LENGTH('😀é'), CONCAT('数', '量')
-- equal: UTF-8: accents in order
SELECT x FROM (SELECT 'zebra' AS x UNION ALL SELECT 'Ära' UNION ALL SELECT 'apfel' UNION ALL SELECT 'Öl' UNION ALL SELECT 'ort') AS t ORDER BY x
-- equal: UTF-8: groups of texts that differ in an accent or a capital
SELECT COUNT(*) AS n FROM (SELECT 'É' AS x UNION SELECT 'é' UNION SELECT 'e') AS t
-- equal: dates: revenue by month with zeros
SELECT DATE_FORMAT(ordered, '%Y-%m') AS m, SUM(IF(paid, price * quantity, 0)) AS revenue FROM orders WHERE ordered >= '2024-01-01' GROUP BY m ORDER BY m
-- equal: dates: by quarter
SELECT CONCAT(YEAR(ordered), ' Q', QUARTER(ordered)) AS q, COUNT(*), MIN(ordered), MAX(shipped) FROM orders WHERE ordered IS NOT NULL GROUP BY q ORDER BY q
-- equal: dates: by the first of the month
SELECT DATE_SUB(ordered, INTERVAL DAY(ordered) - 1 DAY) AS first_day, COUNT(*) FROM orders WHERE ordered IS NOT NULL GROUP BY first_day ORDER BY first_day
-- equal: dates: by the Monday of the week
SELECT DATE_SUB(ordered, INTERVAL WEEKDAY(ordered) DAY) AS monday, SUM(quantity) FROM orders WHERE ordered > '2024-01-01' GROUP BY monday ORDER BY monday
-- equal: dates: hours of the day
SELECT HOUR(shipped) AS h, COUNT(*) FROM orders WHERE shipped IS NOT NULL GROUP BY HOUR(shipped) ORDER BY h
-- equal: dates: days to ship
SELECT customer, AVG(DATEDIFF(shipped, ordered)), MAX(TIMESTAMPDIFF(HOUR, ordered, shipped)) FROM orders GROUP BY customer ORDER BY customer
-- equal: dates: minutes between
SELECT id, TIMESTAMPDIFF(MINUTE, ordered, shipped), TIMESTAMPDIFF(SECOND, shipped, '2024-06-30 12:00:00'), TIMESTAMPDIFF(DAY, shipped, ordered) FROM orders ORDER BY id
-- equal: dates: ends of months
SELECT id, LAST_DAY(ordered) = ordered, DAY(LAST_DAY(ordered)), DATEDIFF(LAST_DAY(ordered), ordered) FROM orders ORDER BY id
-- equal: dates: a fiscal year
SELECT YEAR(DATE_ADD(ordered, INTERVAL 3 MONTH)) AS fiscal, SUM(quantity) FROM orders WHERE ordered IS NOT NULL GROUP BY fiscal ORDER BY fiscal
-- equal: dates: weekends
SELECT id, DAYOFWEEK(ordered) IN (1, 7) AS weekend, DAYNAME(ordered), WEEKDAY(ordered) > 4 FROM orders ORDER BY id
-- equal: dates: between the same day of two years
SELECT id FROM orders WHERE ordered >= DATE_SUB('2025-02-28', INTERVAL 1 YEAR) AND ordered < '2025-02-28' ORDER BY id
-- equal: dates: texts of all forms in comparisons
SELECT id FROM orders WHERE ordered = '2024.02.29' OR ordered = '24-01-31' OR ordered = '2023-12-31 00:00:00' OR ordered = '241031' ORDER BY id
-- equal: dates: numbers in comparisons
SELECT id, ordered = 20240229, ordered > 20240101, shipped < 20240101, shipped >= 20240101000000 FROM orders ORDER BY id
-- equal: dates: BETWEEN numbers and lists of numbers
SELECT id FROM orders WHERE ordered BETWEEN 20240101 AND 20240630 OR ordered IN (20231231, 20200229) ORDER BY id
-- equal: dates: added and subtracted as numbers
SELECT id, ordered + 1, shipped + 0, ordered - 20000000, YEAR(ordered) + 1 FROM orders ORDER BY id
-- equal: dates: the sums of numbers of dates
SELECT MAX(ordered) + 0, MIN(shipped) + 0 FROM orders
-- equal: dates: all codes of DATE_FORMAT
SELECT id, DATE_FORMAT(shipped, '%a %b %c %D %d %e %f %H %h %I %i %j %k %l %M %m %p %r %S %s %T %U %u %V %v %W %w %X %x %Y %y %%') FROM orders ORDER BY id
-- equal: dates: DATE_FORMAT of a text and of NULL
SELECT DATE_FORMAT('2024-3-5 7:8:9', '%d.%m.%y %T'), DATE_FORMAT(NULL, '%Y'), DATE_FORMAT('x', '%Y'), DATE_FORMAT(20240305, '%M')
-- equal: dates: STR_TO_DATE of a column made of texts
SELECT id, STR_TO_DATE(CONCAT(DAY(ordered), '/', MONTH(ordered), '/', YEAR(ordered)), '%d/%m/%Y') = ordered FROM orders ORDER BY id
-- equal: dates: STR_TO_DATE with what follows
SELECT STR_TO_DATE('2024-02-29 and more', '%Y-%m-%d'), STR_TO_DATE('1 jan 70', '%d %b %y'), STR_TO_DATE('69/12/31', '%y/%m/%d'), STR_TO_DATE('2024-02-29T10:20:30', '%Y-%m-%dT%H:%i:%s'), STR_TO_DATE('12:30:05 AM', '%h:%i:%s %p')
-- equal: dates: intervals of a column's amount and of two units
SELECT id, DATE_ADD(shipped, INTERVAL id MINUTE), DATE_ADD(ordered, INTERVAL '1 3' DAY_HOUR), DATE_SUB(shipped, INTERVAL '0-3' YEAR_MONTH), ordered + INTERVAL id WEEK, ordered - INTERVAL id QUARTER FROM orders ORDER BY id
-- equal: dates: fractions of amounts
SELECT DATE_ADD('2024-01-31', INTERVAL 1.5 DAY), DATE_ADD('2024-01-31', INTERVAL 0.4 MONTH), DATE_ADD('2024-01-31 00:00:00', INTERVAL '2' HOUR)
-- equal: dates: beyond the last year
SELECT DATE_ADD('9999-12-31', INTERVAL 1 DAY), DATE_ADD(ordered, INTERVAL 9000 YEAR), DATE_SUB('0001-01-01', INTERVAL 1 DAY) FROM orders WHERE id = 1
-- equal: dates: leap days
SELECT DATE_ADD('2024-02-29', INTERVAL 1 YEAR), DATE_SUB('2024-02-29', INTERVAL 4 YEAR), DATEDIFF('2024-03-01', '2024-02-28'), DAYOFYEAR('2024-12-31'), LAST_DAY('2100-02-01')
-- equal: dates: whole months at ends of months
SELECT TIMESTAMPDIFF(MONTH, '2024-01-31', '2024-02-29'), TIMESTAMPDIFF(MONTH, '2024-02-29', '2024-03-31'), TIMESTAMPDIFF(YEAR, '2020-02-29', '2024-02-28'), TIMESTAMPDIFF(MONTH, '2024-03-31', '2024-02-29'), TIMESTAMPDIFF(QUARTER, '2023-11-30', '2024-05-29 23:59:59')
-- equal: dates: times
SELECT id, TIME(shipped), TIME_TO_SEC(shipped), SEC_TO_TIME(TIME_TO_SEC(shipped)), TIME(shipped) > '12:00:00', TIME('10:5') FROM orders ORDER BY id
-- equal: dates: times longer than a day
SELECT SEC_TO_TIME(100000), SEC_TO_TIME(-75), TIME_TO_SEC('26:10:05'), TIME_TO_SEC('-01:00:00'), HOUR('26:10:05'), MINUTE('10:15')
-- equal: dates: UNIX_TIMESTAMP and FROM_UNIXTIME
SELECT id, UNIX_TIMESTAMP(shipped) - UNIX_TIMESTAMP(ordered), FROM_UNIXTIME(UNIX_TIMESTAMP(shipped)) = shipped FROM orders WHERE shipped > '2000-01-01' ORDER BY id
-- equal: dates: COALESCE and CASE of dates
SELECT id, COALESCE(DATE(shipped), ordered), CASE WHEN shipped IS NULL THEN ordered ELSE shipped END, IFNULL(ordered, '1970-01-01') FROM orders ORDER BY id
-- equal: dates: the least and greatest of two
SELECT id, GREATEST(ordered, DATE(shipped)), LEAST(ordered, '2023-01-01'), GREATEST(shipped, ordered) FROM orders ORDER BY id
-- equal: dates: texts of dates
SELECT id, CONCAT(ordered), CONCAT(shipped, ''), LEFT(shipped, 10), LENGTH(ordered), ordered LIKE '%-12-%', CAST(ordered AS CHAR(7)) FROM orders ORDER BY id
-- equal: dates: casts of dates to numbers
SELECT id, CAST(ordered AS SIGNED), CAST(shipped AS SIGNED), CAST(YEAR(ordered) AS CHAR) FROM orders ORDER BY id
-- equal: dates: as truths
SELECT COUNT(*) FROM orders WHERE ordered AND shipped
-- equal: dates: ISO weeks at the turn of years
SELECT id, YEARWEEK(ordered, 3), WEEK(ordered, 3), WEEKOFYEAR(ordered), DATE_FORMAT(ordered, '%x-W%v'), EXTRACT(WEEK FROM ordered) FROM orders ORDER BY id
-- equal: windows: growth to the month before
SELECT m, total, LAG(total) OVER (ORDER BY m) AS before_, ROUND((total - LAG(total) OVER (ORDER BY m)) / NULLIF(LAG(total) OVER (ORDER BY m), 0) * 100, 2) AS growth FROM (SELECT DATE_FORMAT(ordered, '%Y-%m') AS m, SUM(quantity) AS total FROM orders WHERE ordered IS NOT NULL GROUP BY DATE_FORMAT(ordered, '%Y-%m')) AS t ORDER BY m
-- equal: windows: three best of each
SELECT product, id, worth FROM (SELECT product, id, price * quantity AS worth, ROW_NUMBER() OVER (PARTITION BY product ORDER BY price * quantity DESC, id) AS r FROM orders) AS t WHERE r <= 3 ORDER BY product, r
-- equal: windows: running sums by customer
SELECT id, customer, SUM(price) OVER (PARTITION BY customer ORDER BY id), AVG(price) OVER (PARTITION BY customer ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM orders ORDER BY id
-- equal: windows: shares
SELECT product, SUM(quantity), ROUND(SUM(quantity) / SUM(SUM(quantity)) OVER () * 100, 3) FROM orders GROUP BY product ORDER BY product
-- equal: windows: quartiles
SELECT q, MIN(quantity), MAX(quantity), COUNT(*) FROM (SELECT quantity, NTILE(4) OVER (ORDER BY quantity, id) AS q FROM orders) AS t GROUP BY q ORDER BY q
-- equal: windows: order of NULL
SELECT id, ROW_NUMBER() OVER (ORDER BY discount, id) AS up, ROW_NUMBER() OVER (ORDER BY discount DESC, id) AS down FROM orders ORDER BY id
-- equal: windows: over truths and texts
SELECT id, SUM(paid) OVER (ORDER BY id), COUNT(note) OVER (PARTITION BY LOWER(product)), MAX(code) OVER (PARTITION BY customer) FROM orders ORDER BY id
-- equal: windows: distances to the mean
SELECT id, quantity - AVG(quantity) OVER (PARTITION BY product), (price - AVG(price) OVER ()) / STDDEV(price) OVER () FROM orders ORDER BY id
-- equal: windows: the first and last of each
SELECT DISTINCT customer, FIRST_VALUE(quantity) OVER (PARTITION BY customer ORDER BY id) AS f FROM orders ORDER BY customer
-- equal: windows: ranks of texts
SELECT id, DENSE_RANK() OVER (ORDER BY product) AS d FROM orders ORDER BY id
-- equal: windows: LEAD with a default of another kind
SELECT id, LEAD(quantity, 1, 0) OVER (ORDER BY id), LAG(price, 2, 0) OVER (ORDER BY id) FROM orders ORDER BY id
-- equal: CASE: bands
SELECT CASE WHEN quantity >= 50 THEN 'large' WHEN quantity >= 10 THEN 'medium' WHEN quantity > 0 THEN 'small' ELSE 'none' END AS band, COUNT(*), SUM(price), AVG(discount) FROM orders GROUP BY band ORDER BY band
-- equal: CASE: branches of different kinds
SELECT id, CASE WHEN paid THEN quantity ELSE 'unpaid' END, CASE WHEN paid THEN price ELSE 0 END, IF(paid, ordered, 'none'), CASE WHEN id > 3 THEN paid ELSE 5 END FROM orders ORDER BY id
-- equal: CASE: of numbers and texts
SELECT id, CASE quantity WHEN '7' THEN 'seven' WHEN 10 THEN 'ten' END, CASE code WHEN 12 THEN 'twelve' WHEN '7' THEN 'seven' END FROM orders ORDER BY id
-- equal: CASE: within each other and within aggregates
SELECT customer, SUM(CASE WHEN product = 'widget' THEN CASE WHEN paid THEN quantity ELSE 0 END END), COUNT(CASE WHEN price > 2 THEN 1 END), MAX(CASE WHEN paid THEN ordered END) FROM orders GROUP BY customer ORDER BY customer
-- equal: CASE: conditions that are numbers, texts and NULL
SELECT id, CASE WHEN quantity THEN 'y' ELSE 'n' END, CASE WHEN code THEN 'y' ELSE 'n' END, IF(NULL, 1, 0), IF(discount, 'd', 'none'), IF('0.0', 1, 2), IF('0.5', 1, 2) FROM orders ORDER BY id
-- equal: CASE: of an expression's value
SELECT id, CASE YEAR(ordered) % 4 WHEN 0 THEN 'leap' WHEN 1 THEN 'first' ELSE 'other' END, CASE WEEKDAY(ordered) WHEN 5 THEN 'Sat' WHEN 6 THEN 'Sun' END FROM orders ORDER BY id
-- equal: CASE: in ORDER BY and GROUP BY
SELECT IF(quantity > 10, 'many', 'few') AS size, COUNT(*) AS n FROM orders GROUP BY IF(quantity > 10, 'many', 'few') ORDER BY CASE size WHEN 'many' THEN 1 ELSE 2 END
-- equal: joins: totals of each customer, of none too
SELECT c.name, COUNT(o.id), COALESCE(SUM(o.quantity * o.price), 0), MAX(o.ordered) FROM customers AS c LEFT JOIN orders AS o ON c.name = o.customer GROUP BY c.name ORDER BY c.name
-- equal: joins: texts with numbers
SELECT o.id, c.name FROM orders AS o JOIN customers AS c ON o.code = c.rating ORDER BY o.id, c.name
-- equal: joins: on a condition that is a truth
SELECT o.id, c.name FROM orders AS o JOIN customers AS c ON o.customer = c.name AND o.paid ORDER BY o.id
-- equal: joins: dates beside datetimes
SELECT a.id, b.id FROM orders AS a JOIN orders AS b ON a.ordered = b.shipped ORDER BY a.id, b.id
-- equal: joins: three tables and a derived one
SELECT c.name, t.total, m.mean FROM customers AS c JOIN (SELECT customer, SUM(quantity) AS total FROM orders GROUP BY customer) AS t ON t.customer = c.name CROSS JOIN (SELECT AVG(quantity) AS mean FROM orders) AS m WHERE t.total > m.mean ORDER BY c.name
-- equal: joins: right join and missing partners
SELECT o.id, c.name FROM customers AS c RIGHT JOIN orders AS o ON o.customer = c.name WHERE c.name IS NULL ORDER BY o.id
-- equal: joins: USING
SELECT region, COUNT(*) FROM sales JOIN stores USING (region) GROUP BY region ORDER BY region
-- equal: NULL: in arithmetic, texts and comparisons
SELECT id, discount + 1, CONCAT(note, '!'), note = note, discount <=> NULL, NOT discount, -discount FROM orders ORDER BY id
-- equal: NULL: in aggregates
SELECT COUNT(discount), SUM(discount), AVG(discount), COUNT(*) - COUNT(discount), MIN(note), MAX(note), SUM(NULL), COUNT(NULL) FROM orders
-- equal: NULL: in lists and queries
SELECT id FROM orders WHERE discount NOT IN (0.1, NULL) OR customer IN (NULL, 'Eta') ORDER BY id
-- equal: NULL: functions of it
SELECT CONCAT('a', NULL), CONCAT_WS(',', 'a', NULL, 'b'), GREATEST(1, NULL), LEAST(NULL, 'a'), COALESCE(NULL, NULL, 3), IFNULL(NULL, 'x'), NULLIF(1, 1), LEFT(NULL, 1), NULL + 1, NULL AND 0, NULL OR 1, ROUND(NULL), LENGTH(NULL), DATE_ADD(NULL, INTERVAL 1 DAY)
-- equal: NULL: ordered by several columns
SELECT id, discount, note FROM orders ORDER BY discount DESC, note, id
-- equal: NULL: empty groups
SELECT SUM(quantity), AVG(quantity), MAX(ordered), MIN(product), COUNT(*), COUNT(DISTINCT product), GROUP_CONCAT(product), STDDEV(quantity), VAR_SAMP(price) FROM orders WHERE id > 1000
-- equal: NULL: groups of nothing
SELECT product, COUNT(*) FROM orders WHERE id > 1000 GROUP BY product
-- equal: implicit: texts in sums and means
SELECT SUM(code), AVG(code), MAX(code + 0), MIN(code * 1), SUM(code > 10) FROM orders
-- equal: implicit: texts with letters behind their number
SELECT '5 apples' + 3, '12abc' = 12, 'abc' = 0, ' 7' + 1, '1e2' + 0, '-3.5x' * 2, '.5' + 0, '5.' + 0, '+4' + 0, '1e' + 0, '0x10' + 0, '' = 0
-- equal: implicit: truths in arithmetic
SELECT TRUE + 1, (1 = 1) * 5, (2 > 1) + (3 > 1), paid + 1, paid * quantity, SUM(paid) / COUNT(*) FROM orders WHERE id < 4 GROUP BY id, paid, quantity ORDER BY id
-- equal: implicit: truths as texts
SELECT id, CONCAT(paid, '/', quantity > 5), IF(paid = '1', 'yes', 'no'), paid LIKE '1' FROM orders ORDER BY id
-- equal: implicit: numbers as texts
SELECT id, CONCAT(quantity, price), LEFT(quantity, 1), LENGTH(quantity * 1.50), REPLACE(quantity, '0', 'o'), quantity LIKE '%0', UPPER(quantity), SUBSTRING(price, 1, 3) FROM orders ORDER BY id
-- equal: implicit: comparisons of texts with numbers
SELECT id, code = 12, code < 10, code <> 12, code <=> 7, code BETWEEN 2 AND 20, code IN (1, 2, 12) FROM orders ORDER BY id
-- equal: implicit: numbers compared with texts
SELECT id FROM orders WHERE quantity = '10 pieces' OR price = '2.50' OR quantity IN ('7', '12x') OR quantity > 'abc' AND quantity < 3 ORDER BY id
-- equal: implicit: texts in functions of numbers
SELECT ROUND('2.567', 1), ABS('-3'), FLOOR('2.7'), CEIL('2.1'), MOD('7', 3), '7' DIV 2, POWER('2', 3), SQRT('16'), SIGN('-2'), GREATEST('10', 9)
-- equal: implicit: CASTs of texts
SELECT CAST('12abc' AS SIGNED), CAST('-7.9' AS SIGNED), CAST('abc' AS SIGNED), CAST('1e3' AS DOUBLE), CAST('12.3456' AS DECIMAL(6, 2)), CAST('' AS SIGNED), CAST(' 42 ' AS SIGNED)
-- equal: implicit: unions of texts and numbers
SELECT 1 AS x UNION ALL SELECT 'b' UNION ALL SELECT 2.50 ORDER BY x
-- equal: implicit: COALESCE of texts and numbers
SELECT id, COALESCE(code, quantity), COALESCE(discount, 'none'), IFNULL(note, 0), COALESCE(discount, 0) FROM orders ORDER BY id
-- equal: DECIMAL: halves away from zero
SELECT ROUND(2.675, 2), ROUND(-2.675, 2), ROUND(0.125, 2), ROUND(1.5), ROUND(-1.5), ROUND(2.5), ROUND(1.45, 1), ROUND(1234.5678, -2), ROUND(15, -1), ROUND(-15, -1)
-- equal: DECIMAL: halves of columns and of quotients
SELECT id, ROUND(price, 2), ROUND(price * quantity, 1), ROUND(price / 2, 2), ROUND(quantity / 8, 2), ROUND(price * 1.19, 2), ROUND(SUM(price) / 3, 3) FROM orders GROUP BY id, price, quantity ORDER BY id
-- equal: DECIMAL: products and sums
SELECT id, price * discount, price + discount - 0.05, price * price * price, quantity * 0.07, 1.10 * 3 FROM orders ORDER BY id
-- equal: DECIMAL: exact sums
SELECT 0.1 + 0.2 = 0.3, 1.1 * 1.1 = 1.21, SUM(0.1) = 4.0, SUM(price) = SUM(price + 0.0) FROM orders
-- equal: DECIMAL: quotients that are exact
SELECT 0.15 / 0.05 = 3, 0.3 / 0.1 >= 3, FLOOR(0.3 / 0.1), 1 / 3 * 3 = 1, 7 / 2 = 3.5, 4.35 * 100 = 435, TRUNCATE(0.7 / 0.1, 0)
-- equal: DECIMAL: texts of decimals
SELECT CONCAT(1.50, ''), CONCAT(price), CONCAT(price * 2), CONCAT(ROUND(price, 1), '%'), CAST(2.50 AS CHAR), CONCAT(SUM(price)) FROM orders WHERE id < 6 GROUP BY price ORDER BY price
-- equal: DECIMAL: FORMAT
SELECT FORMAT(1234567.891, 2), FORMAT(0.5, 0), FORMAT(-9876.555, 2), FORMAT(price * 1000, 1), FORMAT(quantity, 2), FORMAT('1234.5', 1), FORMAT(1e6, 0) FROM orders WHERE id < 9 ORDER BY id
-- equal: DECIMAL: TRUNCATE and remainders
SELECT id, TRUNCATE(price, 1), TRUNCATE(-price, 0), TRUNCATE(price * quantity, -1), price % 0.3, MOD(-price, 2), price DIV 0.4, -7 % 3, 7 % -3, -7 DIV 2 FROM orders ORDER BY id
-- equal: DECIMAL: casts
SELECT CAST(2.5 AS SIGNED), CAST(-2.5 AS SIGNED), CAST(1.005 AS DECIMAL(5, 2)), CAST(99999 AS DECIMAL(4, 1)), CAST(price AS DECIMAL(10, 1)), CAST(quantity / 3 AS DECIMAL(10, 4)), CAST(quantity AS DECIMAL(10, 2)) FROM orders WHERE id < 12 ORDER BY id
-- equal: DECIMAL: means
SELECT product, AVG(quantity), AVG(price), ROUND(AVG(price), 2), ROUND(AVG(quantity), 0), AVG(quantity) > 10, AVG(price) * 2 FROM orders GROUP BY product ORDER BY product
-- equal: large: products beyond 32 bits
SELECT 123456789 * 1000, 2147483647 + 1, 100000 * 100000, quantity * 1000000000, 3000000000, 9223372036854775807, -9223372036854775808 FROM orders WHERE id = 1
-- equal: large: sums beyond 64 bits
SELECT SUM(quantity * 100000000000000000) AS s, SUM(9000000000000000000) AS t FROM orders WHERE quantity > 0 AND quantity < 90
-- equal: large: literals in CASE
SELECT SUM(CASE WHEN paid THEN 2000000000 ELSE 1 END) * 4, MAX(IF(paid, 2147483647, 0)) + 1, COALESCE(discount, 2147483647) * 2 FROM orders GROUP BY discount ORDER BY 3
-- equal: large: derived integers
SELECT x * x * x, x + x FROM (SELECT 2000000 AS x) AS t
-- equal: large: powers and exponents
SELECT POWER(10, 15), 1e15 + 1, 1.5e300 * 2, POW(2, 62), EXP(10), 1e-10
-- equal: zero: division and remainders by zero
SELECT id, quantity / 0, price / 0, quantity % 0, quantity DIV 0, MOD(price, 0), 1 / NULLIF(quantity, quantity), SUM(quantity) / SUM(0) FROM orders GROUP BY id, quantity, price ORDER BY id
-- equal: zero: a rate where nothing was
SELECT product, SUM(paid) / COUNT(paid), COALESCE(SUM(price) / NULLIF(SUM(quantity) - SUM(quantity), 0), -1) FROM orders GROUP BY product ORDER BY product
-- equal: zero: roots and logarithms without a real value
SELECT SQRT(-1), LN(0), LN(-1), LOG(0, 5), LOG(1, 5), LOG2(-2), LOG10(0), ACOS(2), ASIN(-2), POW(0, 0), LOG(10, 1000)
-- equal: LIKE: escapes
SELECT id, note LIKE '%100\%', note LIKE 'a\_b%', note LIKE '%a_b%', note LIKE '%\\\\%', note LIKE '%|%' ESCAPE '|', note LIKE '%!_%' ESCAPE '!' FROM orders ORDER BY id
-- equal: LIKE: numbers, dates, NULL and empty patterns
SELECT id, price LIKE '2.5%', ordered LIKE '2024%', note LIKE '', note LIKE '%', note LIKE NULL, shipped LIKE '%00:00:00' FROM orders ORDER BY id
-- equal: LIKE: patterns of columns
SELECT a.name, b.name FROM customers AS a JOIN customers AS b ON b.name LIKE CONCAT('%', RIGHT(a.name, 2)) ORDER BY a.name, b.name
-- equal: REGEXP: choices, counts and classes
SELECT id, note REGEXP '^[a-z]+ [a-z]+$', note REGEXP 'o{2}', note REGEXP '[[:digit:]]{3}', note REGEXP '^$', note RLIKE 'ORDER|LEAP', product REGEXP '^(wid|gad)get$' FROM orders ORDER BY id
-- equal: REGEXP: found parts
SELECT id, REGEXP_SUBSTR(note, '[a-z]+$'), REGEXP_INSTR(note, ' '), REGEXP_REPLACE(note, '(\\w+) (\\w+)', '\\2 \\1'), REGEXP_SUBSTR(code, '[0-9]+') + 0 FROM orders ORDER BY id
-- equal: GROUP_CONCAT: orders, separators and expressions
SELECT customer, GROUP_CONCAT(product ORDER BY quantity DESC, id SEPARATOR ' > '), GROUP_CONCAT(DISTINCT paid ORDER BY paid), GROUP_CONCAT(price ORDER BY id) FROM orders GROUP BY customer ORDER BY customer
-- equal: GROUP_CONCAT: ordered by a column with NULL and negative numbers
SELECT GROUP_CONCAT(region ORDER BY amount, price), GROUP_CONCAT(region ORDER BY amount DESC), GROUP_CONCAT(region ORDER BY price DESC, amount), JSON_ARRAYAGG(region ORDER BY amount) FROM sales
-- equal: GROUP_CONCAT: distinct in another order
SELECT GROUP_CONCAT(DISTINCT UPPER(product) ORDER BY UPPER(product) DESC SEPARATOR '|'), GROUP_CONCAT(DISTINCT YEAR(ordered) ORDER BY YEAR(ordered) DESC) FROM orders
-- equal: GROUP_CONCAT: of two columns
SELECT paid, GROUP_CONCAT(id, ':', quantity ORDER BY id SEPARATOR ' ') FROM orders GROUP BY paid ORDER BY paid
-- equal: GROUP_CONCAT: of CASE and NULL
SELECT product, GROUP_CONCAT(CASE WHEN paid THEN id END ORDER BY id) FROM orders GROUP BY product ORDER BY product
-- equal: sets: ROLLUP of one column
SELECT product, SUM(quantity) FROM orders GROUP BY product WITH ROLLUP
-- equal: sets: ROLLUP of two columns
SELECT LOWER(customer) AS c, LOWER(product) AS p, COUNT(*), SUM(price) FROM orders GROUP BY LOWER(customer), LOWER(product) WITH ROLLUP
-- equal: sets: ROLLUP with a name for the total
SELECT COALESCE(paid, 9) AS p, COUNT(*) FROM orders WHERE paid IS NOT NULL GROUP BY paid WITH ROLLUP
-- equal: sets: INTERSECT ALL and EXCEPT ALL
SELECT customer FROM orders INTERSECT ALL SELECT name FROM customers ORDER BY customer
-- equal: sets: EXCEPT ALL
SELECT quantity FROM orders EXCEPT ALL SELECT rating FROM customers ORDER BY quantity
-- equal: sets: UNION of numbers and truths
SELECT paid AS x FROM orders UNION SELECT rating FROM customers ORDER BY x
-- equal: sets: UNION without accents and capitals
SELECT COUNT(*) FROM (SELECT city FROM customers UNION SELECT 'MUNSTER' UNION SELECT 'koln') AS t
-- equal: bits: operators
SELECT id, id | 1, id ^ 3, id << 2, id >> 1, ~id, id & ~1, BIT_COUNT(id) FROM orders ORDER BY id
-- equal: bits: of negative numbers
SELECT quantity & 255, quantity | 0, quantity ^ 1, ~quantity, -1 >> 60, 1 << 63, 1 << 64, BIT_COUNT(-1) FROM orders ORDER BY id
-- equal: bits: HEX and CONV
SELECT HEX(quantity), CONV(id, 10, 2), CONV('ff', 16, 10), CONV('z', 36, 16), CONV(-5, 10, 16), HEX(product), CONV('12abc', 10, 16) FROM orders ORDER BY id
-- equal: queries: IN of texts and numbers
SELECT id FROM orders WHERE code IN (SELECT rating FROM customers) AND quantity NOT IN (SELECT credit FROM customers WHERE credit IS NOT NULL) ORDER BY id
-- equal: queries: ANY and ALL of other kinds
SELECT id FROM orders WHERE code > ALL (SELECT rating FROM customers WHERE rating IS NOT NULL) OR ordered > ALL (SELECT joined FROM customers WHERE joined IS NOT NULL) ORDER BY id
-- equal: queries: in SELECT, correlated
SELECT name, (SELECT COUNT(*) FROM orders AS o WHERE o.customer = c.name AND o.paid) AS paid, (SELECT AVG(price) FROM orders) AS mean FROM customers AS c ORDER BY name
-- equal: queries: the row of the greatest
SELECT id, price FROM orders WHERE price = (SELECT MAX(price) FROM orders) OR (customer, ordered) IN (SELECT customer, MAX(ordered) FROM orders GROUP BY customer) ORDER BY id
-- equal: queries: derived columns of every kind
SELECT MAX(d), MAX(t), SUM(b), AVG(q), MIN(s) FROM (SELECT ordered AS d, shipped AS t, paid AS b, quantity / 4 AS q, CONCAT(code, '') AS s FROM orders) AS x WHERE s > 5 AND d > '2020-01-01' AND q <> 2.5
-- equal: queries: WITH over WITH, of texts and truths
WITH a AS (SELECT SUBSTRING_INDEX(note, ' ', 1) AS w, paid AS p, quantity AS q FROM orders), b AS (SELECT w, SUM(p) AS n, SUM(q) AS total FROM a WHERE w <> '' GROUP BY w) SELECT w, n, total FROM b WHERE n > 0 AND w > 'b' ORDER BY total DESC, w
-- equal: order: FIELD, LENGTH and position
SELECT id, product FROM orders ORDER BY FIELD(product, 'bolt', 'nut') DESC, LENGTH(product), product, id LIMIT 12
-- equal: order: by texts as numbers
SELECT id, code FROM orders ORDER BY code + 0, id
-- equal: order: offset behind an expression
SELECT id FROM orders ORDER BY price * quantity DESC, id LIMIT 4 OFFSET 2
-- equal: FIELD, ELT, STRCMP and FIND_IN_SET of columns
SELECT id, FIELD(quantity, 7, '10', 30), FIELD(customer, 'beta', NULL, 'ALPHA'), ELT(id, 'a', 'b'), STRCMP(product, 'nut'), FIND_IN_SET(product, 'Bolt,NUT,Widget') FROM orders ORDER BY id
-- equal: GREATEST and LEAST of numbers, texts and mixtures
SELECT id, GREATEST(quantity, price, 5), LEAST(quantity, 2.5), GREATEST(product, 'h'), LEAST(customer, product), GREATEST(code, 5), LEAST(id, '7') FROM orders ORDER BY id
-- equal: conditions: XOR, NOT and precedence
SELECT id, NOT paid AND quantity > 5, NOT (paid AND quantity > 5), paid XOR quantity > 5, quantity > 5 IS TRUE, (discount > 0.1) IS NOT TRUE, !paid FROM orders ORDER BY id
-- equal: conditions: chained comparisons
SELECT id, 1 < quantity < 5, (quantity > 5) = paid, quantity = 7 OR 0, quantity BETWEEN 1 AND 10 = 1 FROM orders ORDER BY id
-- equal: conditions: HAVING with texts and truths
SELECT customer, MAX(code) AS c FROM orders GROUP BY customer HAVING MAX(code) > 5 AND SUM(paid) ORDER BY customer
-- equal: recursion: months without orders
WITH RECURSIVE months AS (SELECT DATE('2024-01-01') AS d UNION ALL SELECT DATE_ADD(d, INTERVAL 1 MONTH) FROM months WHERE d < '2024-12-01') SELECT DATE_FORMAT(d, '%Y-%m') AS m, COUNT(o.id), COALESCE(SUM(o.quantity), 0) FROM months LEFT JOIN orders AS o ON YEAR(o.ordered) = YEAR(d) AND MONTH(o.ordered) = MONTH(d) GROUP BY m ORDER BY m
-- equal: recursion: days from the first to the last order of a month, as texts and as dates
WITH RECURSIVE days AS (SELECT MIN(ordered) AS d, '2023-05-15' AS t, MAX(ordered) AS last_ FROM orders WHERE ordered LIKE '2023-05%' UNION ALL SELECT d + INTERVAL 1 DAY, t + INTERVAL 1 DAY, last_ FROM days WHERE d < last_) SELECT d, t, last_, d = t FROM days ORDER BY d
-- equal: recursion: texts that become longer and numbers that become larger
WITH RECURSIVE n(i, path, big) AS (SELECT 1, 'a', 1 UNION ALL SELECT i + 1, CONCAT(path, '/', i), big * 7 FROM n WHERE i < 20) SELECT i, path, big FROM n ORDER BY i
-- equal: recursion: growth that needs more decimals than it begins with
WITH RECURSIVE g AS (SELECT 2024 AS y, 1000 AS v, 9 AS third, 2 AS root UNION ALL SELECT y + 1, v * 1.05, third / 3, SQRT(root) FROM g WHERE y < 2030) SELECT y, v, ROUND(v, 2), third, root FROM g ORDER BY y
-- equal: recursion: NULL and truths in the first row
WITH RECURSIVE n AS (SELECT 1 AS i, NULL AS before_, FALSE AS even UNION ALL SELECT i + 1, i, NOT even FROM n WHERE i < 5) SELECT i, before_, even FROM n ORDER BY i
-- equal: recursion: a hierarchy of rows with its paths
WITH RECURSIVE t AS (SELECT id, 0 AS depth, CAST(id AS CHAR) AS path FROM orders WHERE id = 2 UNION ALL SELECT o.id, t.depth + 1, CONCAT(t.path, '>', o.id) FROM orders AS o JOIN t ON o.id BETWEEN t.id * 2 AND t.id * 2 + 1) SELECT id, depth, path FROM t ORDER BY path
-- equal: recursion: UNION ends where nothing is new
WITH RECURSIVE t AS (SELECT quantity AS q FROM orders WHERE id = 11 UNION SELECT o.id FROM t JOIN orders AS o ON o.quantity = t.q OR o.id = t.q) SELECT q FROM t ORDER BY q
-- equal: recursion: one query over another, and several first rows
WITH RECURSIVE a AS (SELECT 1 AS i UNION ALL SELECT 10 UNION ALL SELECT i + 1 FROM a WHERE i % 10 < 3), b AS (SELECT i, i AS j FROM a UNION ALL SELECT i, j * 2 FROM b WHERE j < 40), c AS (SELECT i, MAX(j) AS top FROM b GROUP BY i) SELECT a.i, c.top FROM a JOIN c ON c.i = a.i ORDER BY a.i
-- equal: recursion: the most steps
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT COUNT(*), SUM(i) FROM n
-- equal: medians: of all rows, of no rows and of texts, truths and doubles
SELECT MEDIAN(price), MEDIAN(quantity), MEDIAN(discount), MEDIAN(CASE WHEN id > 1000 THEN id END), MEDIAN(code), MEDIAN(paid), MEDIAN(SQRT(ABS(quantity))), MEDIAN(quantity) / 2, MEDIAN(quantity) = 9.5 FROM orders
-- equal: medians: of groups, with other aggregates
SELECT customer, MEDIAN(price) AS m, ROUND(MEDIAN(price), 2), SUM(quantity), COUNT(*), GROUP_CONCAT(id ORDER BY id) FROM orders GROUP BY customer ORDER BY customer
-- equal: medians: of an expression, in HAVING and ORDER BY
SELECT YEAR(ordered) AS y, MEDIAN(price * quantity) AS m FROM orders WHERE paid GROUP BY y HAVING MEDIAN(quantity) > 5 ORDER BY MEDIAN(price) DESC, y
-- equal: medians: over windows
SELECT id, MEDIAN(price) OVER (PARTITION BY customer), price - MEDIAN(price) OVER () FROM orders ORDER BY id
-- equal: medians: of each group once, by a window
SELECT DISTINCT product, MEDIAN(quantity) OVER (PARTITION BY product) AS m FROM orders ORDER BY product
-- equal: medians: over joins, with subqueries of the group's columns
SELECT c.rating, MEDIAN(o.price), COUNT(*), (SELECT COUNT(*) FROM customers AS x WHERE x.rating <= c.rating) AS n FROM orders AS o LEFT JOIN customers AS c ON c.name = o.customer WHERE o.id NOT IN (SELECT rating FROM customers WHERE rating IS NOT NULL) GROUP BY c.rating ORDER BY c.rating
-- equal: medians: in WITH, in derived tables and as a value
WITH t AS (SELECT product, MEDIAN(price) AS m FROM orders GROUP BY product) SELECT o.id, (SELECT MEDIAN(n) FROM (SELECT COUNT(*) AS n FROM orders GROUP BY customer) AS g) AS n FROM orders AS o JOIN t ON t.product = o.product WHERE o.price > t.m ORDER BY o.id
-- equal: JSON arrays: numbers, truths, dates, times and NULL
SELECT JSON_ARRAYAGG(quantity), JSON_ARRAYAGG(price), JSON_ARRAYAGG(paid), JSON_ARRAYAGG(ordered), JSON_ARRAYAGG(shipped), JSON_ARRAYAGG(discount) FROM orders WHERE id < 20
-- equal: JSON arrays: texts of every group, in an order
SELECT product, JSON_ARRAYAGG(note ORDER BY id DESC) FROM orders GROUP BY product ORDER BY product
-- equal: JSON arrays: quotes, backslashes, tabs and letters of many scripts
SELECT JSON_ARRAYAGG(CONCAT('a"b\\c/d\t', city)), JSON_ARRAYAGG(UPPER(city)) FROM customers
-- equal: JSON arrays: of nothing
SELECT JSON_ARRAYAGG(id), COUNT(*) FROM orders WHERE id > 1000
-- refused: a JSON array that is too long => return at most 262,144 bytes
SELECT JSON_ARRAYAGG(REPEAT('abc', 9000)) FROM orders
-- refused: a joined text that is too long => return at most 262,144 bytes
SELECT GROUP_CONCAT(REPEAT('abc', 9000)) FROM orders
-- refused: a joined text of distinct texts that is too long => return at most 262,144 bytes
SELECT GROUP_CONCAT(DISTINCT REPEAT(id, 9000)) FROM orders
-- refused: recursion without end => the recursion takes more than 10,000 steps
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n
-- refused: one step too many => the recursion takes more than 10,000 steps
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 10001) SELECT COUNT(*) FROM n
-- refused: recursion whose rows double => needs more memory
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n CROSS JOIN sales) SELECT COUNT(*) FROM n
-- refused: recursion whose texts double => needs more memory
WITH RECURSIVE n AS (SELECT 'ab' AS t UNION ALL SELECT CONCAT(t, t) FROM n) SELECT COUNT(*) FROM n
-- equal: bits: aggregates, of groups and of nothing
SELECT product, BIT_OR(quantity), BIT_AND(id), BIT_XOR(id) FROM orders GROUP BY product ORDER BY product
-- equal: bits: aggregates of no rows
SELECT BIT_OR(id), BIT_AND(id), BIT_XOR(id) FROM orders WHERE id > 1000
-- equal: bits: BIN and OCT
SELECT BIN(quantity), OCT(id), BIN(12.6), OCT('17x'), BIN(NULL) FROM orders ORDER BY id
-- equal: dates: TIMEDIFF of datetimes and of times
SELECT id, TIMEDIFF(shipped, CAST(ordered AS DATETIME)), TIMEDIFF(CAST(ordered AS DATETIME), shipped), TIMEDIFF(TIME(shipped), SEC_TO_TIME(3600)) FROM orders ORDER BY id
-- equal: bytes: texts compared, counted, ordered and grouped by their bytes
SELECT id, BINARY customer = 'alpha', CAST(product AS BINARY) IN ('widget', 'Bolt'), BINARY product < 'a' FROM orders ORDER BY BINARY product, id
-- equal: bytes: distinct texts
SELECT COUNT(DISTINCT BINARY city), COUNT(DISTINCT city), SUM(BINARY city = 'münster') FROM customers
-- equal: bytes: groups
SELECT COUNT(*) AS n FROM orders GROUP BY BINARY product ORDER BY n
-- equal: order: letters of many scripts, signs and digits
SELECT x FROM (SELECT 'Łódź' AS x UNION ALL SELECT 'Lodz 2' UNION ALL SELECT 'lo' UNION ALL SELECT 'Æon' UNION ALL SELECT 'ad' UNION ALL SELECT 'af' UNION ALL SELECT '€5' UNION ALL SELECT '_a' UNION ALL SELECT '-b' UNION ALL SELECT '9' UNION ALL SELECT 'øre' UNION ALL SELECT 'orf' UNION ALL SELECT 'Ωμέγα' UNION ALL SELECT 'жук' UNION ALL SELECT '東京') AS t ORDER BY x
-- equal: blanks: groups of cut texts that end with a blank
SELECT LEFT(note, 6) AS l, COUNT(*) FROM orders GROUP BY l ORDER BY l
-- equal: blanks: a literal that ends with a blank finds a text that does, and one that does not
SELECT id FROM orders WHERE LEFT(note, 6) = 'first ' OR LEFT(note, 4) IN ('leap  ', 'zero') ORDER BY id
-- equal: LIKE: letters with a stroke
SELECT name FROM customers WHERE city LIKE 'lod%' OR city LIKE '%Ø' ORDER BY name
-- refused: a pattern compared by its bytes => CAST(... AS BINARY) is only available in comparisons
SELECT id FROM orders WHERE product LIKE BINARY 'w%'
-- refused: TIMEDIFF of a date and a datetime => TIMEDIFF needs two datetimes or two times
SELECT TIMEDIFF(shipped, ordered) FROM orders
-- refused: back-references in a regular expression => back-references are not available
SELECT id FROM orders WHERE note REGEXP '(.)\\1'
-- refused: lookahead in a regular expression => lookahead and lookbehind are not available
SELECT id FROM orders WHERE note REGEXP 'one(?=,)'
-- refused: lookbehind in a regular expression => lookahead and lookbehind are not available
SELECT REGEXP_REPLACE(note, '(?<=a)b', 'x') FROM orders
-- refused: possessive quantifiers in a regular expression => possessive and atomic groups
SELECT id FROM orders WHERE note REGEXP 'a++b'
-- refused: a regular expression that is none => missing
SELECT id FROM orders WHERE note REGEXP '(a'
-- refused: word boundaries beside letters beyond ASCII => only supports ASCII letters
SELECT name FROM customers WHERE city REGEXP '\\bpaulo\\b'
-- refused: a back-reference in a pattern made of a column => back-references are not available
SELECT id FROM orders WHERE note REGEXP CONCAT('(', product, ')\\1')
-- refused: a date compared with a text that is none => invalid date
SELECT id FROM orders WHERE ordered = 'yesterday'
-- refused: a subquery of several rows as one value => More than one row
SELECT id, (SELECT name FROM customers) AS n FROM orders
-- refused: a number beyond BIGINT => Overflow
SELECT id * 9223372036854775807 FROM orders WHERE id > 1
-- refused: a number beyond DOUBLE => out of range
SELECT EXP(1000)
-- refused: a text that is too long => too long
SELECT REPEAT(product, 10000000) FROM orders
-- refused: a format of a column => formats of dates must be written in the statement
SELECT DATE_FORMAT(ordered, note) FROM orders
-- refused: an order of rows as values => rows can only be compared with = and IN
SELECT id FROM orders WHERE (customer, product) > ('a', 'b')
-- refused: a reference to a group that is not there => a group that is not in the regular expression
SELECT REGEXP_REPLACE(note, '[a-z]', '\\1') FROM orders
-- refused: a pattern that is too long => regular expression too long
SELECT id FROM orders WHERE note REGEXP CONCAT(REPEAT('a', 2000), product)
-- equal: trailing blanks count in groups of texts
SELECT COUNT(DISTINCT x) FROM (SELECT 'a' AS x UNION ALL SELECT 'a ') AS t
-- equal: signs sort before digits, and digits before letters
SELECT x FROM (SELECT 'a' AS x UNION ALL SELECT '~' UNION ALL SELECT '1') AS t ORDER BY x
-- differs: a time made of a text has no microseconds, unlike MariaDB's => [["2024-02-29 00:00:00"]] <> [["2024-02-29 00:00:00.000000"]]
SELECT DATE_ADD('2024-02-28 23:59:59', INTERVAL 1 SECOND) AS t
-- differs: a mean as text has as many decimals as it needs => [["8.5"]] <> [["8.500000000000"]]
SELECT CONCAT(AVG(quantity), '') AS mean FROM orders WHERE id < 3
-- equal: letters that are two letters elsewhere, and letters with a stroke
SELECT 'ß' = 'ss' AS one, 'œ' = 'oe' AS other, 'Æ' = 'ae', 'Ł' = 'l', 'ø' = 'O', 'đ' = 'D', 'ﬁ' = 'fi'
-- equal: the decimals of a stored decimal as text
SELECT CONCAT(price, ' EUR') FROM orders WHERE id = 1
-- refused: a date compared with a year => a date cannot be compared with this number
SELECT id FROM orders WHERE ordered > 2024
-- refused: a date compared with a column of numbers => a date cannot be compared with this number
SELECT id FROM orders WHERE ordered = quantity
-- equal: doubles: texts and halves
SELECT CONCAT(SQRT(2)), CONCAT(1e20), CONCAT(SQRT(16)), ROUND(2.5e0), ROUND(3.5e0), CAST(2.5e0 AS SIGNED), CONCAT(0e0), CONCAT(-1.5e0), LN(10), CONCAT(123456789.125e0)
-- differs: a DOUBLE as text: where it is written with its exponent => [["1.5e-7", "1000000000000000"]] <> [["0.00000015", "1e15"]]
SELECT CONCAT(1.5e-7) AS t, CONCAT(1e15) AS u
-- refused: a regular expression that would run for long on a long text => too complex for a long text
SELECT REGEXP_SUBSTR(REPEAT(product, 100000), '(\\w|a){300}$') FROM orders WHERE id = 1
