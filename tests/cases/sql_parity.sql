-- equal: counting rows, values and distinct values
SELECT COUNT(*), COUNT(note), COUNT(DISTINCT customer), COUNT(DISTINCT product, customer) FROM orders
-- equal: count of distinct pairs by group
SELECT product, COUNT(DISTINCT customer, paid) AS n FROM orders GROUP BY product ORDER BY product
-- equal: sums and means by group
SELECT customer, SUM(quantity), AVG(quantity), SUM(price), AVG(price) FROM orders GROUP BY customer ORDER BY customer
-- equal: sums of nothing are NULL
SELECT SUM(quantity), AVG(price), MIN(ordered), MAX(note), COUNT(*) FROM orders WHERE id < 0
-- equal: least and greatest of every kind
SELECT MIN(quantity), MAX(quantity), MIN(price), MAX(price), MIN(ordered), MAX(shipped), MIN(product), MAX(customer) FROM orders
-- equal: HAVING over an aggregate that is not shown
SELECT customer FROM orders GROUP BY customer HAVING SUM(quantity) > 20 AND COUNT(*) >= 2 ORDER BY customer
-- equal: HAVING over an alias
SELECT product, SUM(quantity * price) AS worth FROM orders GROUP BY product HAVING worth > 50 ORDER BY worth DESC
-- equal: groups regard no case
SELECT LOWER(product) AS p, COUNT(*) FROM orders GROUP BY p ORDER BY p
-- equal: groups of a function's text regard no case
SELECT COUNT(*) AS n FROM orders GROUP BY LEFT(product, 3) ORDER BY n, MIN(id)
-- equal: groups of a CASE
SELECT CASE WHEN quantity < 0 THEN 'back' WHEN quantity < 10 THEN 'few' ELSE 'many' END AS size, COUNT(*) FROM orders GROUP BY size ORDER BY size
-- equal: groups of a truth
SELECT quantity > 9 AS much, COUNT(*) FROM orders GROUP BY much ORDER BY much
-- equal: groups of NULL
SELECT paid, COUNT(*), SUM(quantity) FROM orders GROUP BY paid ORDER BY paid
-- equal: groups of two expressions
SELECT YEAR(ordered) AS y, QUARTER(ordered) AS q, COUNT(*) FROM orders GROUP BY y, q ORDER BY y, q
-- equal: a sum of truths
SELECT SUM(paid), SUM(quantity > 9), SUM(paid AND quantity > 9), AVG(paid), SUM(NOT paid) FROM orders
-- equal: a sum of texts
SELECT SUM(code), AVG(code) FROM orders
-- equal: conditional sums
SELECT SUM(IF(paid, quantity, 0)), SUM(CASE WHEN product = 'widget' THEN price END), COUNT(CASE WHEN paid THEN 1 END) FROM orders
-- equal: distinct sums
SELECT SUM(DISTINCT quantity), AVG(DISTINCT price), COUNT(DISTINCT YEAR(ordered)) FROM orders
-- equal: deviations of a population and of a sample
SELECT STDDEV(quantity), STD(quantity), STDDEV_POP(price), STDDEV_SAMP(price), VARIANCE(quantity), VAR_POP(price), VAR_SAMP(price) FROM orders
-- equal: deviations by group, of one value too
SELECT customer, STDDEV_SAMP(quantity), VAR_SAMP(quantity), STDDEV_POP(quantity) FROM orders GROUP BY customer ORDER BY customer
-- equal: a share of the total
SELECT customer, ROUND(100 * SUM(quantity) / (SELECT SUM(quantity) FROM orders), 2) AS share FROM orders GROUP BY customer ORDER BY share DESC, customer
-- equal: a share of the total by a window
SELECT product, ROUND(SUM(quantity) * 100.0 / SUM(SUM(quantity)) OVER (), 1) AS share FROM orders GROUP BY product ORDER BY product
-- equal: GROUP_CONCAT in an order
SELECT customer, GROUP_CONCAT(product ORDER BY id) FROM orders GROUP BY customer ORDER BY customer
-- equal: GROUP_CONCAT of distinct values in descending order with a separator
SELECT GROUP_CONCAT(DISTINCT LOWER(customer) ORDER BY LOWER(customer) DESC SEPARATOR '; ') FROM orders WHERE id > 5
-- equal: GROUP_CONCAT of numbers
SELECT product, GROUP_CONCAT(quantity ORDER BY quantity DESC, id SEPARATOR '|') FROM orders GROUP BY product ORDER BY product
-- equal: GROUP_CONCAT of distinct numbers
SELECT GROUP_CONCAT(DISTINCT quantity ORDER BY quantity) FROM orders
-- equal: GROUP_CONCAT of an expression
SELECT GROUP_CONCAT(CONCAT(product, ':', quantity) ORDER BY id SEPARATOR ', ') FROM orders WHERE customer = 'alpha'
-- equal: GROUP_CONCAT of nothing and of NULL
SELECT GROUP_CONCAT(note ORDER BY id) FROM orders WHERE note IS NULL
-- equal: GROUP_CONCAT by two keys
SELECT GROUP_CONCAT(id ORDER BY product, quantity DESC, id) FROM orders WHERE id < 15
-- equal: a median by windows
SELECT AVG(quantity) FROM (SELECT quantity, ROW_NUMBER() OVER (ORDER BY quantity, id) AS r, COUNT(*) OVER () AS n FROM orders) AS t WHERE r IN (FLOOR((n + 1) / 2), CEIL((n + 1) / 2))
-- equal: an aggregate of an aggregate
SELECT MAX(total), AVG(total) FROM (SELECT SUM(quantity) AS total FROM orders GROUP BY customer) AS t
-- equal: ranks with ties
SELECT id, RANK() OVER (ORDER BY quantity DESC) AS r, DENSE_RANK() OVER (ORDER BY quantity DESC) AS d FROM orders ORDER BY r, id
-- equal: ranks within groups
SELECT id, RANK() OVER (PARTITION BY customer ORDER BY quantity) AS r FROM orders ORDER BY id
-- equal: parts by windows over a text without case
SELECT id, COUNT(*) OVER (PARTITION BY UPPER(product)) AS n FROM orders ORDER BY id
-- equal: NTILE
SELECT id, NTILE(4) OVER (ORDER BY quantity, id) AS part FROM orders ORDER BY id
-- equal: relative ranks
SELECT id, PERCENT_RANK() OVER (ORDER BY quantity) AS p, CUME_DIST() OVER (ORDER BY quantity) AS c FROM orders ORDER BY id
-- equal: LAG and LEAD
SELECT id, LAG(quantity) OVER (ORDER BY id) AS before_, LEAD(quantity, 2) OVER (ORDER BY id) AS after_ FROM orders ORDER BY id
-- equal: LAG with a default
SELECT id, LAG(quantity, 1, -1) OVER (PARTITION BY customer ORDER BY id) AS before_ FROM orders ORDER BY id
-- equal: FIRST_VALUE, LAST_VALUE and NTH_VALUE
SELECT id, FIRST_VALUE(product) OVER w AS f, LAST_VALUE(product) OVER w AS l, NTH_VALUE(product, 2) OVER w AS n FROM orders WINDOW w AS (PARTITION BY customer ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) ORDER BY id
-- equal: a running total
SELECT id, SUM(quantity) OVER (ORDER BY id) AS running FROM orders ORDER BY id
-- equal: a running total with peers
SELECT id, SUM(quantity) OVER (ORDER BY product) AS running FROM orders ORDER BY id
-- equal: a moving mean
SELECT id, AVG(quantity) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS mean FROM orders ORDER BY id
-- equal: a frame around each row
SELECT id, MAX(quantity) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS most FROM orders ORDER BY id
-- equal: a frame by range
SELECT id, COUNT(*) OVER (ORDER BY quantity RANGE BETWEEN 5 PRECEDING AND 5 FOLLOWING) AS near FROM orders ORDER BY id
-- equal: a deviation by a window
SELECT id, STDDEV_POP(quantity) OVER (PARTITION BY customer ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS s FROM orders ORDER BY id
-- equal: a deviation by a moving frame
SELECT id, ROUND(VAR_POP(quantity) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW), 6) AS v FROM orders ORDER BY id
-- equal: the first of each group
SELECT customer, product, quantity FROM (SELECT customer, product, quantity, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY quantity DESC, id) AS r FROM orders) AS t WHERE r = 1 ORDER BY customer
-- equal: growth from the year before
SELECT y, total, total - LAG(total) OVER (ORDER BY y) AS more, ROUND(100 * (total - LAG(total) OVER (ORDER BY y)) / LAG(total) OVER (ORDER BY y), 1) AS percent FROM (SELECT YEAR(ordered) AS y, SUM(quantity) AS total FROM orders WHERE ordered IS NOT NULL GROUP BY YEAR(ordered)) AS t ORDER BY y
-- equal: a window over groups
SELECT product, SUM(quantity) AS total, RANK() OVER (ORDER BY SUM(quantity) DESC) AS place FROM orders GROUP BY product ORDER BY place, product
-- equal: parts of a date
SELECT id, YEAR(ordered), MONTH(ordered), DAY(ordered), DAYOFMONTH(ordered), QUARTER(ordered), DAYOFYEAR(ordered), DAYOFWEEK(ordered), WEEKDAY(ordered) FROM orders ORDER BY id
-- equal: parts of a time
SELECT id, HOUR(shipped), MINUTE(shipped), SECOND(shipped), MICROSECOND(shipped), TIME(shipped), DATE(shipped) FROM orders ORDER BY id
-- equal: parts of a time that a date lacks
SELECT HOUR(ordered), MINUTE(ordered), SECOND(ordered), HOUR(DATE(shipped)) FROM orders WHERE id = 1
-- equal: EXTRACT of simple units
SELECT id, EXTRACT(YEAR FROM ordered), EXTRACT(MONTH FROM ordered), EXTRACT(DAY FROM shipped), EXTRACT(HOUR FROM shipped), EXTRACT(QUARTER FROM ordered), EXTRACT(WEEK FROM ordered) FROM orders ORDER BY id
-- equal: EXTRACT of two units
SELECT id, EXTRACT(YEAR_MONTH FROM ordered), EXTRACT(DAY_HOUR FROM shipped), EXTRACT(DAY_MINUTE FROM shipped), EXTRACT(HOUR_SECOND FROM shipped), EXTRACT(MINUTE_SECOND FROM shipped), EXTRACT(DAY_SECOND FROM shipped) FROM orders ORDER BY id
-- equal: names of days and months
SELECT id, DAYNAME(ordered), MONTHNAME(ordered) FROM orders ORDER BY id
-- equal: WEEK in modes 0 to 3
SELECT id, WEEK(ordered), WEEK(ordered, 0), WEEK(ordered, 1), WEEK(ordered, 2), WEEK(ordered, 3), WEEKOFYEAR(ordered) FROM orders ORDER BY id
-- equal: WEEK in modes 4 to 7
SELECT id, WEEK(ordered, 4), WEEK(ordered, 5), WEEK(ordered, 6), WEEK(ordered, 7) FROM orders ORDER BY id
-- equal: YEARWEEK in all modes
SELECT id, YEARWEEK(ordered), YEARWEEK(ordered, 0), YEARWEEK(ordered, 1), YEARWEEK(ordered, 2), YEARWEEK(ordered, 3), YEARWEEK(ordered, 4), YEARWEEK(ordered, 5), YEARWEEK(ordered, 6), YEARWEEK(ordered, 7) FROM orders ORDER BY id
-- equal: the last day of a month
SELECT id, LAST_DAY(ordered), LAST_DAY(shipped), LAST_DAY('2023-02-03') FROM orders ORDER BY id
-- equal: adding days and weeks
SELECT id, DATE_ADD(ordered, INTERVAL 1 DAY), ordered + INTERVAL 2 WEEK, ADDDATE(ordered, 30), DATE_ADD(shipped, INTERVAL 10 DAY) FROM orders ORDER BY id
-- equal: adding months keeps to the month's end
SELECT id, DATE_ADD(ordered, INTERVAL 1 MONTH), DATE_ADD(ordered, INTERVAL 13 MONTH), DATE_ADD(shipped, INTERVAL 1 MONTH), ADDDATE(ordered, INTERVAL 6 MONTH) FROM orders ORDER BY id
-- equal: adding years and quarters over leap days
SELECT id, DATE_ADD(ordered, INTERVAL 1 YEAR), DATE_ADD(ordered, INTERVAL 4 YEAR), DATE_ADD(ordered, INTERVAL 1 QUARTER) FROM orders ORDER BY id
-- equal: subtracting
SELECT id, DATE_SUB(ordered, INTERVAL 1 DAY), ordered - INTERVAL 1 MONTH, SUBDATE(ordered, 7), DATE_SUB(shipped, INTERVAL 90 MINUTE), DATE_SUB(ordered, INTERVAL 2 YEAR) FROM orders ORDER BY id
-- equal: adding hours, minutes and seconds to a date
SELECT id, DATE_ADD(ordered, INTERVAL 1 HOUR), DATE_ADD(ordered, INTERVAL 90 MINUTE), DATE_ADD(ordered, INTERVAL 86399 SECOND) FROM orders ORDER BY id
-- equal: adding hours, minutes and seconds to a time
SELECT id, DATE_ADD(shipped, INTERVAL 25 HOUR), shipped + INTERVAL 61 MINUTE, TIMESTAMPADD(SECOND, 59, shipped) FROM orders ORDER BY id
-- equal: negative amounts
SELECT id, DATE_ADD(ordered, INTERVAL -1 DAY), DATE_SUB(ordered, INTERVAL -1 MONTH), DATE_ADD(ordered, INTERVAL -1 YEAR) FROM orders ORDER BY id
-- equal: amounts from a column
SELECT id, DATE_ADD(ordered, INTERVAL quantity DAY), DATE_ADD(ordered, INTERVAL quantity MONTH), DATE_SUB(shipped, INTERVAL quantity HOUR) FROM orders ORDER BY id
-- equal: amounts of two units
SELECT id, DATE_ADD(shipped, INTERVAL '1:30' MINUTE_SECOND), DATE_ADD(shipped, INTERVAL '1 2' DAY_HOUR), DATE_ADD(shipped, INTERVAL '2:15' HOUR_MINUTE), DATE_ADD(ordered, INTERVAL '1-2' YEAR_MONTH), DATE_SUB(shipped, INTERVAL '1 1:1:1' DAY_SECOND) FROM orders ORDER BY id
-- equal: adding to a text
SELECT DATE_ADD('2024-01-31', INTERVAL 1 MONTH), DATE_ADD('2023-12-31', INTERVAL 1 DAY)
-- equal: the difference of two dates in days
SELECT id, DATEDIFF(shipped, ordered), DATEDIFF(ordered, '2024-01-01'), DATEDIFF('2024-12-31', '2023-12-31') FROM orders ORDER BY id
-- equal: TIMESTAMPDIFF in years, quarters and months
SELECT id, TIMESTAMPDIFF(YEAR, ordered, '2024-02-29'), TIMESTAMPDIFF(QUARTER, ordered, '2024-02-29'), TIMESTAMPDIFF(MONTH, ordered, '2024-02-29'), TIMESTAMPDIFF(MONTH, '2024-02-29', ordered) FROM orders ORDER BY id
-- equal: TIMESTAMPDIFF in weeks down to seconds
SELECT id, TIMESTAMPDIFF(WEEK, ordered, shipped), TIMESTAMPDIFF(DAY, ordered, shipped), TIMESTAMPDIFF(HOUR, shipped, ordered), TIMESTAMPDIFF(MINUTE, ordered, shipped), TIMESTAMPDIFF(SECOND, ordered, shipped) FROM orders ORDER BY id
-- equal: ages in years
SELECT name, TIMESTAMPDIFF(YEAR, joined, '2024-02-28') AS years FROM customers ORDER BY name
-- equal: DATE_FORMAT by numbers
SELECT id, DATE_FORMAT(ordered, '%Y-%m'), DATE_FORMAT(ordered, '%d/%m/%Y'), DATE_FORMAT(ordered, '%e.%c.%y'), DATE_FORMAT(shipped, '%H:%i:%s'), DATE_FORMAT(shipped, '%Y%m%d%H%i%S') FROM orders ORDER BY id
-- equal: DATE_FORMAT by names
SELECT id, DATE_FORMAT(ordered, '%W, %M %e, %Y'), DATE_FORMAT(ordered, '%a %b %D'), DATE_FORMAT(ordered, '%W') FROM orders ORDER BY id
-- equal: DATE_FORMAT of weeks
SELECT id, DATE_FORMAT(ordered, '%U %u %V %v %X %x'), DATE_FORMAT(ordered, '%x-W%v'), DATE_FORMAT(ordered, '%j %w') FROM orders ORDER BY id
-- equal: DATE_FORMAT of hours of twelve
SELECT id, DATE_FORMAT(shipped, '%h:%i %p'), DATE_FORMAT(shipped, '%r'), DATE_FORMAT(shipped, '%T'), DATE_FORMAT(shipped, '%k %l %I'), DATE_FORMAT(shipped, '%f') FROM orders ORDER BY id
-- equal: DATE_FORMAT of a percent sign and of letters
SELECT DATE_FORMAT(ordered, '%Y%%, Q'), DATE_FORMAT(ordered, 'year %Y month %m'), DATE_FORMAT('2024-02-05', '%c/%e') FROM orders WHERE id = 1
-- equal: groups by a formatted month
SELECT DATE_FORMAT(ordered, '%Y-%m') AS month, SUM(quantity) FROM orders GROUP BY month ORDER BY month
-- equal: groups by a month's name
SELECT DATE_FORMAT(ordered, '%M') AS name, COUNT(*) FROM orders GROUP BY name ORDER BY name
-- equal: STR_TO_DATE of dates
SELECT STR_TO_DATE('31/12/2024', '%d/%m/%Y'), STR_TO_DATE('Feb 3, 2024', '%b %e, %Y'), STR_TO_DATE('5.6.99', '%e.%c.%y'), STR_TO_DATE('20240229', '%Y%m%d'), STR_TO_DATE('March 4 2021', '%M %d %Y')
-- equal: STR_TO_DATE of times
SELECT STR_TO_DATE('2024-02-29 13:14:15', '%Y-%m-%d %H:%i:%s'), STR_TO_DATE('02/29/2024 01:05 PM', '%m/%d/%Y %h:%i %p'), STR_TO_DATE('2024-01-02 03:04', '%Y-%m-%d %H:%i')
-- equal: STR_TO_DATE of what does not fit
SELECT STR_TO_DATE('2023-02-30', '%Y-%m-%d'), STR_TO_DATE('abc', '%Y-%m-%d'), STR_TO_DATE('2024-13-01', '%Y-%m-%d')
-- equal: STR_TO_DATE compared with a date
SELECT id FROM orders WHERE ordered >= STR_TO_DATE('01.12.2024', '%d.%m.%Y') ORDER BY id
-- equal: dates compared with texts
SELECT id FROM orders WHERE ordered BETWEEN '2024-01-01' AND '2024-06-30' ORDER BY id
-- equal: dates compared with texts in other forms
SELECT id FROM orders WHERE ordered = '2024-1-31' OR ordered = '20240229' OR ordered = '2023/12/31' ORDER BY id
-- equal: times compared with dates as texts
SELECT id FROM orders WHERE shipped = '2024-01-01' OR shipped = '2023-07-01' ORDER BY id
-- equal: times up to a date
SELECT id FROM orders WHERE shipped <= '2023-07-01' ORDER BY id
-- equal: times between dates
SELECT id FROM orders WHERE shipped BETWEEN '2023-05-16' AND '2024-01-01' ORDER BY id
-- equal: dates compared with times as texts
SELECT id FROM orders WHERE ordered < '2024-01-31 12:00:00' AND ordered > '2023-12-31 00:00:01' ORDER BY id
-- equal: dates compared with times
SELECT id FROM orders WHERE shipped = ordered + INTERVAL 1 DAY OR DATE(shipped) = ordered ORDER BY id
-- equal: a date column beside a time column
SELECT id, shipped > ordered, ordered = shipped, ordered <= shipped FROM orders ORDER BY id
-- equal: dates in a list of texts
SELECT id FROM orders WHERE ordered IN ('2024-01-31', '2024-02-29', '2020-2-29') ORDER BY id
-- equal: dates as numbers
SELECT id, ordered + 0, YEAR(ordered) * 100 + MONTH(ordered) FROM orders ORDER BY id
-- equal: MAKEDATE, PERIOD_ADD, PERIOD_DIFF
SELECT MAKEDATE(2024, 60), MAKEDATE(2023, 365), MAKEDATE(2024, 0), PERIOD_ADD(202312, 3), PERIOD_DIFF(202403, 202211), FROM_DAYS(738000)
-- equal: seconds and times
SELECT id, TIME_TO_SEC(TIME(shipped)), SEC_TO_TIME(quantity * 60), SEC_TO_TIME(3661) FROM orders ORDER BY id
-- equal: a date's days since the year zero
SELECT id, TO_DAYS(ordered) FROM orders ORDER BY id
-- equal: dates of texts that are none
SELECT YEAR('2024-02-30'), MONTH('abc'), DATE('2024-01-05 10:11:12'), DATEDIFF('2024-02-30', '2024-01-01'), LAST_DAY('x')
-- equal: the first day of a month and of a year
SELECT id, DATE_FORMAT(ordered, '%Y-%m-01'), DATE_SUB(ordered, INTERVAL DAYOFMONTH(ordered) - 1 DAY), MAKEDATE(YEAR(ordered), 1) FROM orders ORDER BY id
-- equal: a week's first day
SELECT id, DATE_SUB(ordered, INTERVAL WEEKDAY(ordered) DAY) AS monday FROM orders ORDER BY id
-- equal: division is never an integer's
SELECT 7 / 2, 1 / 3, -7 / 2, 7 / 0, 0 / 5, id / 4, quantity / 3 FROM orders ORDER BY id
-- equal: division of decimals and of texts
SELECT id, price / 3, price / quantity, code / 2, 10 / price FROM orders ORDER BY id
-- equal: DIV of integers and of decimals
SELECT id, quantity DIV 4, quantity DIV -4, price DIV 0.5, 0.3 DIV 0.1, quantity DIV 0, 7.5 DIV 2 FROM orders ORDER BY id
-- equal: MOD of integers, negative too
SELECT id, quantity % 4, MOD(quantity, -4), -quantity MOD 3, quantity % 0 FROM orders ORDER BY id
-- equal: MOD of decimals
SELECT id, price % 1, MOD(price, 0.7), MOD(-10.5, 3), 5.5 % 2 FROM orders ORDER BY id
-- equal: ROUND takes halves away from zero
SELECT ROUND(2.5), ROUND(-2.5), ROUND(3.5), ROUND(0.5), ROUND(1.005, 2), ROUND(-1.005, 2), ROUND(2.675, 2), ROUND(1.45, 1)
-- equal: ROUND of a column
SELECT id, ROUND(price), ROUND(price, 1), ROUND(price, 2), ROUND(quantity), ROUND(quantity / 8, 2), ROUND(price * quantity, 1) FROM orders ORDER BY id
-- equal: ROUND to tens and hundreds
SELECT id, ROUND(quantity, -1), ROUND(price, -1), ROUND(1250, -2), ROUND(-1250, -2), ROUND(quantity * 37, -2) FROM orders ORDER BY id
-- equal: ROUND within ROUND
SELECT ROUND(ROUND(price, 2), 1), ROUND(AVG(price), 2), ROUND(SUM(price), 1) FROM orders GROUP BY price ORDER BY price
-- equal: TRUNCATE
SELECT id, TRUNCATE(price, 1), TRUNCATE(price, 0), TRUNCATE(-price, 1), TRUNCATE(quantity, -1) FROM orders ORDER BY id
-- equal: FLOOR, CEIL, SIGN, ABS
SELECT id, FLOOR(price), CEIL(price), CEILING(-price), FLOOR(-price), SIGN(price), ABS(quantity), FLOOR(quantity) FROM orders ORDER BY id
-- equal: powers, roots and logarithms
SELECT ROUND(POWER(2, 10)), POW(2, -1), SQRT(16), SQRT(-1), EXP(0), LN(1), LOG(2, 8), LOG10(1000), LOG2(8), LOG(0), LN(-1)
-- equal: powers, roots and logarithms of a column
SELECT id, SQRT(ABS(price)), POW(quantity, 2), LN(ABS(quantity) + 1), ROUND(EXP(discount), 6), LOG10(id) FROM orders ORDER BY id
-- equal: angles
SELECT ROUND(SIN(1), 9), ROUND(COS(1), 9), ROUND(TAN(1), 9), ROUND(ATAN(1), 9), ROUND(ATAN2(1, 2), 9), ROUND(PI(), 6), DEGREES(PI()), ROUND(RADIANS(180), 9)
-- equal: FORMAT groups the thousands
SELECT FORMAT(1234567.891, 2), FORMAT(-1234.5, 0), FORMAT(0.005, 2), FORMAT(quantity * 1000, 0) FROM orders ORDER BY id
-- equal: texts are numbers in arithmetic
SELECT id, code + 1, code * 2, -code, '12abc' + 1, 'abc' + 1, '3.5x' * 2, '' + 1 FROM orders ORDER BY id
-- equal: texts compared with numbers
SELECT id FROM orders WHERE code = 12 ORDER BY id
-- equal: texts larger than a number
SELECT id FROM orders WHERE code > 9 ORDER BY id
-- equal: texts between numbers
SELECT id FROM orders WHERE code BETWEEN 5 AND 30 ORDER BY id
-- equal: texts in a list of numbers
SELECT id FROM orders WHERE code IN (12, 7, 100) ORDER BY id
-- equal: numbers compared with texts
SELECT id FROM orders WHERE quantity = '10' OR quantity = '7.0' OR quantity = '30abc' ORDER BY id
-- equal: numbers in a list of texts
SELECT id FROM orders WHERE quantity IN ('10', '7', 3) ORDER BY id
-- equal: texts compared with texts that look like numbers
SELECT id FROM orders WHERE code = '12' OR code > '9' ORDER BY id
-- equal: texts compared with a column of numbers
SELECT id FROM orders WHERE code = quantity ORDER BY id
-- equal: CAST to integers
SELECT id, CAST(code AS SIGNED), CAST(price AS SIGNED), CAST('3.9' AS SIGNED), CAST(2.5 AS SIGNED), CAST(-2.5 AS SIGNED), CAST(ABS(quantity) AS UNSIGNED) FROM orders ORDER BY id
-- equal: CAST to decimals
SELECT id, CAST(code AS DECIMAL(10, 2)), CAST(price AS DECIMAL(10, 1)), CAST(price AS DECIMAL(10, 0)), CAST('12.345abc' AS DECIMAL(6, 2)), CAST(quantity AS DECIMAL(8, 2)) FROM orders ORDER BY id
-- equal: CAST to a decimal too small for it
SELECT CAST(1234.5 AS DECIMAL(4, 2)), CAST(-1234.5 AS DECIMAL(5, 2)), CAST(99.995 AS DECIMAL(4, 2))
-- equal: CAST to texts
SELECT id, CAST(quantity AS CHAR), CAST(ordered AS CHAR), CAST(shipped AS CHAR), CAST(quantity AS CHAR(2)), CAST(paid AS CHAR) FROM orders ORDER BY id
-- equal: CAST to dates
SELECT id, CAST(shipped AS DATE), CAST(ordered AS DATETIME), CAST('2024-02-29' AS DATE), CAST('2024-02-30' AS DATE), CAST('2024-1-5 6:7:8' AS DATETIME) FROM orders ORDER BY id
-- equal: CONVERT
SELECT CONVERT('12', SIGNED), CONVERT('12.5', DECIMAL(5, 2)), CONVERT(12, CHAR), CONVERT('2024-01-02', DATE), CAST('1.5' AS DOUBLE)
-- equal: decimals of known places as texts
SELECT CONCAT(ROUND(price, 2), ' EUR'), CONCAT(ROUND(quantity / 3, 1), '%'), CONCAT(CAST(price AS DECIMAL(10, 3)), ''), CONCAT(1.50, 'x'), FORMAT(price, 1) FROM orders ORDER BY id
-- equal: comparisons with NULL
SELECT id, note = NULL, note <=> NULL, quantity <=> 7, NOT (note <=> 'zero'), note <> 'zero' FROM orders ORDER BY id
-- equal: IN with NULL
SELECT id, quantity IN (7, NULL), quantity NOT IN (7, NULL), quantity IN (7, 10), customer IN ('ALPHA', 'beta') FROM orders ORDER BY id
-- equal: AND, OR, NOT and XOR with NULL
SELECT id, paid AND NULL, paid OR NULL, NOT paid, paid XOR TRUE, paid XOR NULL, quantity XOR 0 FROM orders ORDER BY id
-- equal: IS TRUE, IS NOT FALSE and IS UNKNOWN
SELECT id, paid IS TRUE, paid IS NOT TRUE, paid IS FALSE, paid IS NOT FALSE, paid IS NULL FROM orders ORDER BY id
-- equal: BETWEEN and NOT BETWEEN
SELECT id FROM orders WHERE quantity BETWEEN -5 AND 7 AND price NOT BETWEEN 1 AND 2 ORDER BY id
-- equal: texts between texts
SELECT id FROM orders WHERE product BETWEEN 'b' AND 'GADGET' ORDER BY id
-- equal: pairs in a list
SELECT id FROM orders WHERE (customer, product) IN (('alpha', 'WIDGET'), ('Delta', 'Bolt')) ORDER BY id
-- equal: pairs in a query
SELECT id FROM orders WHERE (customer, quantity) IN (SELECT customer, MAX(quantity) FROM orders GROUP BY customer) ORDER BY id
-- equal: equal pairs
SELECT id FROM orders WHERE (customer, product) = ('ALPHA', 'nut') ORDER BY id
-- equal: COALESCE, IFNULL and NULLIF
SELECT id, COALESCE(note, customer, 'none'), IFNULL(discount, 0), NULLIF(quantity, 7), NULLIF(product, 'WIDGET'), COALESCE(NULL, NULL) FROM orders ORDER BY id
-- equal: GREATEST and LEAST
SELECT id, GREATEST(quantity, 10), LEAST(quantity, price), GREATEST(quantity, NULL), GREATEST('a', 'B', 'c'), LEAST(ordered, '2024-01-01') FROM orders ORDER BY id
-- equal: CASE with a value
SELECT id, CASE product WHEN 'WIDGET' THEN 1 WHEN 'bolt' THEN 2 ELSE 0 END, CASE quantity WHEN 7 THEN 'seven' END FROM orders ORDER BY id
-- equal: CASE of a function's text
SELECT id, CASE LEFT(product, 1) WHEN 'w' THEN 'W' WHEN 'B' THEN 'b' ELSE '-' END FROM orders ORDER BY id
-- equal: IF within IF
SELECT id, IF(quantity > 10, IF(paid, 'a', 'b'), 'c'), IF(NULL, 1, 2), IF(code, 'yes', 'no') FROM orders ORDER BY id
-- equal: texts compare without case
SELECT id FROM orders WHERE customer = 'ALPHA' AND product <> 'WIDGET' ORDER BY id
-- equal: a function's text compares without case
SELECT id FROM orders WHERE CONCAT(customer, '-', product) = 'ALPHA-widget' OR SUBSTRING(product, 1, 2) = 'bO' ORDER BY id
-- equal: two functions' texts compare without case
SELECT id FROM orders WHERE UPPER(product) = LOWER(product) OR LEFT(customer, 1) IN ('D', 'e') ORDER BY id
-- equal: DISTINCT regards no case
SELECT COUNT(*) FROM (SELECT DISTINCT product FROM orders) AS t
-- equal: DISTINCT of a function's text
SELECT COUNT(*) FROM (SELECT DISTINCT CONCAT(customer, '/', product) AS pair FROM orders) AS t
-- equal: counting distinct texts of a function
SELECT COUNT(DISTINCT LEFT(product, 2)), COUNT(DISTINCT CONCAT(product, '!')) FROM orders
-- equal: a text with no letters of a case
SELECT name FROM customers WHERE city = '東京'
-- equal: SUBSTRING from both ends
SELECT id, SUBSTRING(product, 2), SUBSTRING(product, 2, 3), SUBSTRING(product, -3), SUBSTRING(product, -3, 2), SUBSTRING(product, 0), SUBSTRING(product, -20), SUBSTRING(product, 20), MID(product, 2, 2), SUBSTRING(product, 1, 0) FROM orders ORDER BY id
-- equal: LEFT and RIGHT
SELECT id, LEFT(product, 3), RIGHT(product, 3), LEFT(product, 0), RIGHT(product, 0), LEFT(product, -1), RIGHT(product, 20), LEFT(quantity, 1) FROM orders ORDER BY id
-- equal: SUBSTRING_INDEX
SELECT id, SUBSTRING_INDEX(note, ' ', 1), SUBSTRING_INDEX(note, '.', 2), SUBSTRING_INDEX(note, ',', -1), SUBSTRING_INDEX(note, ',', -2), SUBSTRING_INDEX(note, 'x', 0) FROM orders ORDER BY id
-- equal: LOCATE, INSTR and POSITION
SELECT id, LOCATE('E', product), INSTR(product, 'g'), POSITION('t' IN product), LOCATE('t', product, 5), LOCATE('', product), LOCATE('e', product, 0), INSTR(note, 'ORDER') FROM orders ORDER BY id
-- equal: FIELD and ELT
SELECT id, FIELD(product, 'nut', 'BOLT', 'widget'), FIELD(quantity, 10, 7), ELT(2, 'a', 'b'), ELT(3, 'a', 'b'), ELT(id, product, customer) FROM orders ORDER BY id
-- equal: FIND_IN_SET
SELECT id, FIND_IN_SET('two', note), FIND_IN_SET('FOUR', 'one,two,four'), FIND_IN_SET('', note), FIND_IN_SET('a', ''), FIND_IN_SET(NULL, 'a') FROM orders ORDER BY id
-- equal: ordered by FIELD
SELECT id, product FROM orders WHERE customer = 'Alpha' ORDER BY FIELD(product, 'Nut', 'Bolt', 'Widget'), id
-- equal: STRCMP
SELECT STRCMP('a', 'B'), STRCMP('A', 'a'), STRCMP('b', 'a'), STRCMP(NULL, 'a')
-- equal: LPAD and RPAD
SELECT id, LPAD(quantity, 5, '0'), RPAD(product, 8, '.-'), LPAD(product, 3, 'x'), LPAD('a', -1, 'x'), RPAD('a', 3, ''), LPAD(id, 3, ' ') FROM orders ORDER BY id
-- equal: TRIM in all ways
SELECT id, TRIM(note), LTRIM(note), RTRIM(note), TRIM(LEADING 'f' FROM note), TRIM(TRAILING 't' FROM product), TRIM(BOTH 'x' FROM 'xxaxx'), TRIM(BOTH 'ab' FROM 'ababcab') FROM orders ORDER BY id
-- equal: REPLACE, REVERSE, REPEAT and SPACE
SELECT id, REPLACE(note, 'e', 'E'), REPLACE(note, '', 'x'), REVERSE(product), REPEAT('ab', 3), REPEAT('a', 0), REPEAT('a', -1), CONCAT('[', SPACE(3), ']') FROM orders ORDER BY id
-- equal: INSERT into a text
SELECT INSERT('Quadratic', 3, 4, 'What'), INSERT('Quadratic', -1, 4, 'What'), INSERT('Quadratic', 3, 100, 'What')
-- equal: CONCAT and CONCAT_WS with NULL
SELECT id, CONCAT(customer, ' ', product), CONCAT(customer, note), CONCAT_WS('-', customer, note, product), CONCAT_WS(NULL, 'a', 'b'), CONCAT(id, ':', quantity), CONCAT(ordered, ' ', paid) FROM orders ORDER BY id
-- equal: UPPER and LOWER beyond ASCII
SELECT name, UPPER(city), LOWER(city), UCASE(name), LCASE(name) FROM customers ORDER BY name
-- equal: lengths in characters and in bytes
SELECT name, CHAR_LENGTH(city), LENGTH(city), CHARACTER_LENGTH(name), OCTET_LENGTH(city), ASCII(name), REVERSE(city) FROM customers ORDER BY name
-- equal: lengths of numbers
SELECT CHAR_LENGTH(quantity), LENGTH(id), LENGTH('') FROM orders ORDER BY id
-- equal: LIKE without case
SELECT id FROM orders WHERE product LIKE 'w%' OR note LIKE '%ORDER%' OR customer LIKE '_eta' ORDER BY id
-- equal: LIKE with a backslash
SELECT id FROM orders WHERE note LIKE '%\_%' OR note LIKE '%100\%%' ORDER BY id
-- equal: LIKE with an escape of its own
SELECT id FROM orders WHERE note LIKE '%|%%' ESCAPE '|' OR note LIKE 'a!_b%' ESCAPE '!' ORDER BY id
-- equal: NOT LIKE
SELECT id FROM orders WHERE note NOT LIKE '%e%' ORDER BY id
-- equal: LIKE on numbers and dates
SELECT id FROM orders WHERE quantity LIKE '1%' OR ordered LIKE '2024-0%' ORDER BY id
-- equal: LIKE with letters beyond ASCII
SELECT name FROM customers WHERE city LIKE 'M%STER' OR city LIKE '%ÜRI%' OR city LIKE '_ódź' ORDER BY name
-- equal: LIKE with a pattern made of a column
SELECT id FROM orders WHERE note LIKE CONCAT('%', product, '%') OR note LIKE CONCAT('%', quantity, '%') ORDER BY id
-- equal: REGEXP without case
SELECT id FROM orders WHERE product REGEXP '^w' OR note REGEXP 'Y$' OR customer RLIKE 'E.*A' ORDER BY id
-- equal: REGEXP of digits and classes
SELECT id FROM orders WHERE code REGEXP '^[0-9]+$' AND note REGEXP '[[:space:]]' ORDER BY id
-- equal: REGEXP of word boundaries
SELECT id FROM orders WHERE note REGEXP '\\bone\\b' OR note REGEXP '[[:<:]]order[[:>:]]' ORDER BY id
-- equal: REGEXP of choices and counts
SELECT id FROM orders WHERE note REGEXP '(two|three)' OR code REGEXP '^[0-9]{3}$' OR note REGEXP 'a\\.b' ORDER BY id
-- equal: NOT REGEXP
SELECT id FROM orders WHERE note NOT REGEXP '[aeiou]' ORDER BY id
-- equal: REGEXP of letters beyond ASCII
SELECT name FROM customers WHERE city REGEXP '^[[:alpha:]]+$' OR city REGEXP 'ü' OR city REGEXP '^\\w+ \\w+$' ORDER BY name
-- equal: REGEXP of NULL and of numbers
SELECT id, note REGEXP 'a', quantity REGEXP '^1', NULL REGEXP 'a' FROM orders ORDER BY id
-- equal: REGEXP_REPLACE
SELECT id, REGEXP_REPLACE(note, '[0-9]+', '#'), REGEXP_REPLACE(product, 'G', 'x'), REGEXP_REPLACE(note, '^ +| +$', '') FROM orders ORDER BY id
-- equal: REGEXP_REPLACE with groups
SELECT id, REGEXP_REPLACE(note, '([a-z]+)-([0-9]+)', '\\2:\\1') FROM orders ORDER BY id
-- equal: REGEXP_REPLACE with groups as MySQL writes them
SELECT id, REGEXP_REPLACE(note, '([a-z]+)-([0-9]+)', '$2:$1') FROM orders ORDER BY id
-- equal: REGEXP_SUBSTR and REGEXP_INSTR
SELECT id, REGEXP_SUBSTR(note, '[0-9]+'), REGEXP_SUBSTR(note, '[A-Z]+'), REGEXP_INSTR(note, '[0-9]'), REGEXP_INSTR(note, 'zzz') FROM orders ORDER BY id
-- equal: REGEXP_LIKE with and without regard to case
SELECT id, REGEXP_LIKE(product, 'WIDGET'), REGEXP_LIKE(product, 'Widget', 'c'), REGEXP_LIKE(product, 'widget', 'i') FROM orders ORDER BY id
-- equal: UNION drops duplicates without case
SELECT COUNT(*) FROM (SELECT customer FROM orders UNION SELECT name FROM customers) AS t
-- equal: UNION ALL with an order and a limit
SELECT product AS w FROM orders WHERE id < 4 UNION ALL SELECT name FROM customers ORDER BY w LIMIT 5
-- equal: INTERSECT and EXCEPT
SELECT name FROM customers INTERSECT SELECT customer FROM orders ORDER BY name
-- equal: EXCEPT
SELECT name FROM customers EXCEPT SELECT customer FROM orders ORDER BY name
-- equal: INTERSECT binds closer than UNION
SELECT LOWER(name) AS n FROM customers WHERE rating = 5 UNION SELECT LOWER(customer) FROM orders INTERSECT SELECT LOWER(name) FROM customers ORDER BY n
-- equal: bracketed parts of UNION with limits
(SELECT id FROM orders ORDER BY quantity DESC, id LIMIT 2) UNION ALL (SELECT id FROM orders ORDER BY quantity, id LIMIT 2) ORDER BY id
-- equal: joins without regard to case
SELECT o.id, c.city FROM orders AS o JOIN customers AS c ON o.customer = c.name ORDER BY o.id
-- equal: outer joins
SELECT c.name, COUNT(o.id), SUM(o.quantity) FROM customers AS c LEFT JOIN orders AS o ON o.customer = c.name GROUP BY c.name ORDER BY c.name
-- equal: what has no partner
SELECT o.id FROM orders AS o LEFT JOIN customers AS c ON c.name = o.customer WHERE c.name IS NULL ORDER BY o.id
-- equal: a join by a range
SELECT c.name, COUNT(*) FROM customers AS c JOIN orders AS o ON o.ordered >= c.joined AND o.ordered < DATE_ADD(c.joined, INTERVAL 1 YEAR) GROUP BY c.name ORDER BY c.name
-- equal: a join on a function
SELECT o.id, c.name FROM orders AS o JOIN customers AS c ON LEFT(o.customer, 3) = UPPER(LEFT(c.name, 3)) ORDER BY o.id
-- equal: a table joined with itself
SELECT a.id, b.id FROM orders AS a JOIN orders AS b ON a.product = b.product AND a.price = b.price AND a.id < b.id ORDER BY a.id, b.id
-- equal: a subquery in SELECT
SELECT c.name, (SELECT MAX(o.ordered) FROM orders AS o WHERE o.customer = c.name) AS latest FROM customers AS c ORDER BY c.name
-- equal: EXISTS and NOT EXISTS
SELECT name FROM customers AS c WHERE EXISTS (SELECT 1 FROM orders AS o WHERE o.customer = c.name AND o.paid) AND NOT EXISTS (SELECT 1 FROM orders AS o WHERE o.customer = c.name AND o.quantity < 0) ORDER BY name
-- equal: IN and NOT IN of a query
SELECT name FROM customers WHERE name NOT IN (SELECT customer FROM orders WHERE customer IS NOT NULL) ORDER BY name
-- equal: NOT IN of a query with NULL
SELECT name FROM customers WHERE name NOT IN (SELECT customer FROM orders)
-- equal: texts in a query of numbers
SELECT id FROM orders WHERE code IN (SELECT quantity FROM orders WHERE quantity > 5) ORDER BY id
-- equal: numbers in a query of texts
SELECT id FROM orders WHERE quantity IN (SELECT code FROM orders) ORDER BY id
-- equal: ALL
SELECT id FROM orders WHERE quantity >= ALL (SELECT quantity FROM orders WHERE product = 'Widget') ORDER BY id
-- equal: ALL of nothing and of NULL
SELECT COUNT(*) FROM orders WHERE quantity > ALL (SELECT quantity FROM orders WHERE id < 0)
-- equal: ANY
SELECT id FROM orders WHERE price < ANY (SELECT credit FROM customers WHERE rating > 3) ORDER BY id
-- equal: SOME and equal to ANY
SELECT id, customer = ANY (SELECT name FROM customers), quantity > SOME (SELECT rating FROM customers) FROM orders ORDER BY id
-- equal: unlike ALL with NULL
SELECT id, quantity <> ALL (SELECT rating FROM customers), price > ALL (SELECT credit FROM customers) FROM orders ORDER BY id
-- equal: common table expressions
WITH totals AS (SELECT customer, SUM(quantity) AS total FROM orders GROUP BY customer), mean AS (SELECT AVG(total) AS m FROM totals) SELECT customer, total FROM totals, mean WHERE total > m ORDER BY customer
-- equal: a text of a derived table compares without case
SELECT COUNT(*) FROM (SELECT CONCAT(customer, '') AS c FROM orders) AS t WHERE c = 'ALPHA'
-- equal: texts of a derived table are grouped without case
SELECT COUNT(*) AS n FROM (SELECT CONCAT(customer, '') AS c FROM orders) AS t GROUP BY c ORDER BY n
-- equal: order by expressions with NULL
SELECT id FROM orders ORDER BY discount IS NULL, discount DESC, id
-- equal: NULL comes first, and last in descending order
SELECT id, discount FROM orders ORDER BY discount, id
-- equal: order by a function's text
SELECT id, product FROM orders ORDER BY CONCAT(product, ''), id
-- equal: order by a position and an alias
SELECT product AS p, COUNT(*) AS n FROM orders GROUP BY p ORDER BY 2 DESC, p
-- equal: LIMIT and OFFSET
SELECT id FROM orders ORDER BY price DESC, id LIMIT 5 OFFSET 3
-- equal: a limit of a subquery
SELECT SUM(quantity) FROM (SELECT quantity FROM orders ORDER BY quantity DESC, id LIMIT 3) AS t
-- equal: numbers and truths as conditions
SELECT id FROM orders WHERE quantity AND NOT quantity - 10 ORDER BY id
-- equal: texts as conditions
SELECT id FROM orders WHERE code ORDER BY id
-- equal: bits
SELECT id, id & 6, id & 1 FROM orders ORDER BY id
-- equal: ROLLUP written as UNION ALL
SELECT product, SUM(quantity) AS total FROM orders GROUP BY product UNION ALL SELECT NULL, SUM(quantity) FROM orders ORDER BY product
-- equal: a pivot
SELECT customer, SUM(CASE WHEN YEAR(ordered) = 2023 THEN quantity ELSE 0 END) AS y2023, SUM(CASE WHEN YEAR(ordered) = 2024 THEN quantity ELSE 0 END) AS y2024 FROM orders GROUP BY customer ORDER BY customer
-- equal: a cohort by months since joining
SELECT c.name, TIMESTAMPDIFF(MONTH, c.joined, o.ordered) AS months, COUNT(*) FROM customers AS c JOIN orders AS o ON o.customer = c.name GROUP BY c.name, months ORDER BY c.name, months
-- equal: gaps between orders
SELECT id, customer, DATEDIFF(ordered, LAG(ordered) OVER (PARTITION BY customer ORDER BY ordered, id)) AS gap FROM orders ORDER BY customer, ordered, id
-- equal: a weighted mean
SELECT product, ROUND(SUM(price * quantity) / NULLIF(SUM(quantity), 0), 4) FROM orders GROUP BY product ORDER BY product
-- equal: the most frequent value
SELECT product, n FROM (SELECT product, COUNT(*) AS n, RANK() OVER (ORDER BY COUNT(*) DESC) AS r FROM orders GROUP BY product) AS t WHERE r = 1 ORDER BY product
-- equal: a correlation by sums
SELECT ROUND((COUNT(*) * SUM(quantity * price) - SUM(quantity) * SUM(price)) / SQRT((COUNT(*) * SUM(quantity * quantity) - SUM(quantity) * SUM(quantity)) * (COUNT(*) * SUM(price * price) - SUM(price) * SUM(price))), 6) FROM orders
-- equal: comparisons of expressions of texts and of numbers
SELECT id FROM orders WHERE CONCAT(quantity, '') = 10 OR LEFT(code, 1) = 3 OR LENGTH(product) = '3' ORDER BY id
-- equal: arithmetic nested in brackets
SELECT id, (quantity + 1) * 2 - -3, -(quantity - 2) % 5, (price + 1) / (quantity - 7), quantity - (3 - 1) FROM orders ORDER BY id
-- equal: functions within the same functions
SELECT id, LEFT(LEFT(product, 4), 2), MOD(MOD(quantity, 7), 3), REPLACE(REPLACE(product, 'e', 'x'), 'x', 'y'), DATE_ADD(DATE_ADD(ordered, INTERVAL 1 MONTH), INTERVAL 1 MONTH), YEAR(LAST_DAY(ordered)) FROM orders ORDER BY id
-- equal: NOT LIKE, NOT IN and NOT BETWEEN with NULL
SELECT id, note NOT LIKE 'a%', customer NOT IN ('alpha', NULL), quantity NOT BETWEEN NULL AND 5 FROM orders ORDER BY id
-- equal: dates from a derived table
SELECT MAX(YEAR(d)), MIN(d), COUNT(DISTINCT MONTH(d)) FROM (SELECT DATE_ADD(ordered, INTERVAL 1 DAY) AS d FROM orders) AS t WHERE d > '2020-03-01'
-- equal: dates chosen by CASE, COALESCE and IF
SELECT id, YEAR(COALESCE(ordered, '2001-02-03')), DATE_FORMAT(IF(paid, ordered, shipped), '%Y-%m-%d'), COALESCE(ordered, DATE(shipped)) FROM orders ORDER BY id
-- equal: greatest and least of dates, with a day between
SELECT DATEDIFF(MAX(ordered), MIN(ordered)), TIMESTAMPDIFF(MONTH, MIN(ordered), MAX(ordered)), YEAR(MAX(ordered)) FROM orders
-- equal: grouping by week, quarter and weekday
SELECT YEARWEEK(ordered, 3) AS w, CONCAT(YEAR(ordered), '-Q', QUARTER(ordered)) AS q, DAYNAME(ordered) AS d, COUNT(*) FROM orders GROUP BY w, q, d ORDER BY w, q, d
-- equal: ordering by month and by a date's parts
SELECT id FROM orders ORDER BY MONTH(ordered), DAY(ordered) DESC, id
-- equal: a date's text cut and compared
SELECT id FROM orders WHERE LEFT(ordered, 7) = '2024-01' OR SUBSTRING(ordered, 1, 4) = 2020 OR DATE_FORMAT(ordered, '%Y') = 2021 ORDER BY id
-- equal: a date compared with a number
SELECT id FROM orders WHERE ordered > 20240630 AND ordered <= 20241130 ORDER BY id
-- equal: a truth compared with texts and numbers
SELECT id, paid = 1, paid = '1', paid = TRUE, paid <> FALSE, paid + 1 FROM orders ORDER BY id
-- equal: rounding of means and of quotients
SELECT product, ROUND(AVG(price), 2), ROUND(SUM(quantity) / COUNT(*), 1), FLOOR(AVG(quantity)), CEIL(SUM(price)), TRUNCATE(AVG(price), 1) FROM orders GROUP BY product ORDER BY product
-- equal: numbers very small and large
SELECT 1e3, 1.5e-3, 123456789 * 1000, 0.1 + 0.2, 1 - 0.9, 99999999999 + 1, 3 * 0.1
-- equal: least and greatest of a function's texts
SELECT MIN(LOWER(product)), MAX(CONCAT(product, '')), MIN(LEFT(customer, 2)) FROM orders WHERE product <> 'x'
-- equal: windows over dates and texts
SELECT id, MAX(ordered) OVER (PARTITION BY customer ORDER BY id), FIRST_VALUE(UPPER(product)) OVER (ORDER BY id), SUM(quantity) OVER (PARTITION BY YEAR(ordered) ORDER BY id) FROM orders ORDER BY id
-- equal: a share within each group by a window
SELECT id, ROUND(quantity / SUM(ABS(quantity)) OVER (PARTITION BY customer), 3) AS share FROM orders ORDER BY id
-- equal: nested aggregates by a derived table with HAVING
SELECT n, COUNT(*) FROM (SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer HAVING COUNT(DISTINCT product) > 1) AS t GROUP BY n ORDER BY n
-- equal: GROUP_CONCAT of distinct texts of two columns
SELECT GROUP_CONCAT(DISTINCT LOWER(customer), '/', LOWER(product) ORDER BY LOWER(customer), LOWER(product) SEPARATOR ' ') FROM orders WHERE id < 9
-- equal: GROUP_CONCAT of dates by month
SELECT MONTH(ordered) AS m, GROUP_CONCAT(ordered ORDER BY ordered SEPARATOR ' ') FROM orders GROUP BY m ORDER BY m
-- equal: DISTINCT of dates, numbers and NULL
SELECT DISTINCT paid, quantity > 10, YEAR(ordered) FROM orders ORDER BY paid, quantity > 10, YEAR(ordered)
-- equal: EXISTS of a comparison of kinds
SELECT c.name FROM customers AS c WHERE EXISTS (SELECT 1 FROM orders AS o WHERE o.code = c.rating) ORDER BY c.name
-- equal: STR_TO_DATE of hours alone and of names of days
SELECT STR_TO_DATE('Friday 1 March 2024', '%W %e %M %Y'), STR_TO_DATE('13:14', '%H:%i'), STR_TO_DATE('1999-366', '%Y-%j'), STR_TO_DATE('24/1/5', '%y/%c/%e'), STR_TO_DATE('10:11:12 PM', '%r')
-- equal: DATE_FORMAT of a week's year at the turn of a year
SELECT DATE_FORMAT('2021-01-03', '%x-%v %X-%V %U %u'), DATE_FORMAT('2020-12-31', '%x-%v %X-%V'), DATE_FORMAT('2024-12-30', '%x%v'), DATE_FORMAT('2023-01-01', '%X%V %u %U')
-- equal: units of microseconds
SELECT DATE_ADD('2024-01-01 00:00:00', INTERVAL 1500000 MICROSECOND), TIMESTAMPDIFF(MICROSECOND, '2024-01-01', '2024-01-01 00:00:01'), EXTRACT(MICROSECOND FROM '2024-01-01 00:00:00.25')
-- equal: capitals beyond ASCII in a text that is sought
SELECT name FROM customers WHERE city = 'ZÜRICH' OR city IN ('KÖLN', 'łÓDŹ') OR UPPER(city) <> 'SÃO PAULO' ORDER BY name
-- equal: ROLLUP
SELECT product, SUM(quantity) FROM orders GROUP BY product WITH ROLLUP
-- equal: INTERSECT ALL
SELECT name FROM customers INTERSECT ALL SELECT customer FROM orders
-- equal: EXCEPT ALL
SELECT name FROM customers EXCEPT ALL SELECT customer FROM orders
-- equal: all bit operators
SELECT id | 1, id ^ 3, ~id, id << 2 FROM orders
-- equal: letters with accents are the same letters
SELECT name FROM customers WHERE city = 'Munster' OR city = 'koln' ORDER BY name
-- equal: the decimals of a stored decimal beside a text
SELECT CONCAT(price, ' EUR') FROM orders WHERE id = 1
-- equal: groups of texts that differ in an accent
SELECT COUNT(*) AS n FROM (SELECT 'É' AS x UNION SELECT 'é' UNION SELECT 'e') AS t
-- equal: blanks at the end and at the beginning of a literal
SELECT 'a ' = 'a' AS one, ' a' <> 'a' AS other
-- equal: blanks at the end of a text that is sought
SELECT name FROM customers WHERE city = 'Oslo  ' OR city IN ('KÖLN ', NULL) OR city BETWEEN 'P ' AND 'Q ' ORDER BY name
-- equal: blanks at the end of a text that is left out
SELECT name FROM customers WHERE city NOT IN ('koln ', 'oslo') AND city <> 'Zürich ' AND CONCAT(name, ' ') >= 'B ' ORDER BY name
-- equal: the days before the latest date
SELECT id FROM orders WHERE ordered >= (SELECT DATE_SUB(MAX(ordered), INTERVAL 60 DAY) FROM orders) ORDER BY id
-- equal: dates moved from an aggregate and from a subquery
SELECT MAX(ordered) - INTERVAL 1 MONTH, DATE_ADD(MIN(shipped), INTERVAL COUNT(*) HOUR), DATE_SUB((SELECT MAX(ordered) FROM orders), INTERVAL 1 YEAR), (SELECT MIN(ordered) FROM orders) + INTERVAL MAX(quantity) DAY FROM orders
-- equal: dates moved from a window
SELECT id, DATE_ADD(MAX(ordered) OVER (PARTITION BY customer), INTERVAL 1 DAY) FROM orders ORDER BY id
-- equal: a date of an aggregate that is too late for the calendar
SELECT DATE_ADD(MAX(ordered), INTERVAL 9000 YEAR) FROM orders
-- equal: dates read from an aggregate and from a subquery
SELECT STR_TO_DATE(MAX(DATE_FORMAT(ordered, '%d.%m.%Y')), '%d.%m.%Y'), STR_TO_DATE((SELECT CONCAT(MAX(YEAR(ordered)), '-02-30') FROM orders), '%Y-%m-%d'), MAKEDATE(MAX(YEAR(ordered)), 60) FROM orders
-- equal: functions of dates over aggregates
SELECT YEAR(MAX(ordered)), LAST_DAY(MIN(ordered)), DATEDIFF(MAX(ordered), MIN(ordered)), TIMESTAMPDIFF(MONTH, MIN(ordered), MAX(ordered)), DATE_FORMAT(MAX(shipped), '%Y-%m'), DAYNAME(MAX(ordered)), WEEK(MIN(ordered), 3), QUARTER(MAX(ordered)), UNIX_TIMESTAMP(MAX(shipped)) - UNIX_TIMESTAMP(MIN(shipped)), TIME(MAX(shipped)), FROM_DAYS(TO_DAYS(MAX(ordered))) FROM orders
-- equal: functions of texts over aggregates and subqueries
SELECT LEFT(MAX(product), 3), LPAD(MIN(product), 12, '*'), SUBSTRING_INDEX(MAX(product), 'e', 1), REPLACE(MIN(product), 'a', 'o'), REGEXP_SUBSTR((SELECT MAX(product) FROM orders), '[a-z]+'), LOCATE('e', MAX(product)), CONCAT_WS('-', MIN(product), COUNT(*)), REPEAT(LEFT(MAX(product), 1), COUNT(*)), FORMAT(SUM(quantity), 1), CAST(MAX(quantity) AS CHAR), CONV(MAX(quantity), 10, 2) FROM orders
-- equal: functions of numbers over aggregates and subqueries
SELECT ROUND(SUM(price), -1), TRUNCATE(AVG(price), 1), MOD(SUM(quantity), 7), POW(COUNT(*), 2), GREATEST(MAX(price), 3), SUM(quantity) DIV 3, SQRT(COUNT(*)), FLOOR((SELECT AVG(price) FROM orders)), CAST(SUM(price) AS SIGNED), IF(SUM(quantity) > 3, 'much', 'little'), NULLIF(COUNT(*), 0) FROM orders
