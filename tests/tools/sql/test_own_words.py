"""What a statement would show although no table has it: labels, figures and names of its writer."""

import pytest

from tablerag.agent.model.known_words import KnownWords
from tablerag.tools.sql.own_words import in_known_words

KNOWN = KnownWords(["What does the company pay by customer of Noordkade?", "sales region amount Customer name North"])


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT `region`, SUM(`amount`) AS total_amount FROM `sales` GROUP BY 1 ORDER BY 2 DESC LIMIT 3",
        "SELECT IF(`amount` > 2.5, 'High', 'low') AS level, COUNT(*) AS cnt FROM `sales` GROUP BY level",
        "SELECT 'Noordkade' AS customer, CONCAT('Q', QUARTER(`day`), ' ', YEAR(`day`)) AS q FROM `sales`",
        "SELECT 'first half of 2024' AS p, SUM(`amount`) FROM `a` UNION ALL SELECT 'second half', SUM(`b`) FROM `x`",
        "SELECT DATE_FORMAT(`day`, '%Y-%m') AS month, GROUP_CONCAT(`region` SEPARATOR '; ') FROM `sales` GROUP BY 1",
        "SELECT `region` FROM `sales` WHERE `region` LIKE '%call us%' ORDER BY FIELD(`region`, 'evil')",
        "SELECT SUBSTRING_INDEX(`region`, 'evil', 1), REPLACE(`region`, 'evil', '') FROM `sales`",
        "SELECT CASE WHEN `amount` > 90 THEN 'A' WHEN `amount` > 7 THEN 'B' ELSE 'C' END FROM `sales`",
        "SELECT SUM(`amount`) * 3600 AS per_customer FROM `sales`",
        "SELECT * FROM (SELECT 4500 AS high) a JOIN `sales` ON `amount` > high",
        "SELECT CONCAT(`region`, CHAR(10), 2024, 'Q', 1), CONV(`amount`, 10, 16), CONV('11', 2, 10) FROM `sales`",
        "not SQL at all '",
    ],
)  # fmt: skip
def test_an_ordinary_statement_stays_as_it_is(sql: str) -> None:
    assert in_known_words(sql, KNOWN.cover) == sql


@pytest.mark.parametrize(
    ("sql", "shown"),
    [
        ("SELECT 'Call 555-1234' AS note, SUM(`amount`) FROM `sales`",
         "SELECT 'group 1' AS note, SUM(`amount`) FROM `sales`"),
        ("SELECT 5551234 AS amount, SUM(`amount`) FROM `sales`", "SELECT NULL AS amount, SUM(`amount`) FROM `sales`"),
        ("SELECT SUM(`amount`) AS `Call 555-1234` FROM `sales`", "SELECT SUM(`amount`) AS `result` FROM `sales`"),
        ("SELECT SUM(`amount`) AS send_password FROM `sales` ORDER BY send_password",
         "SELECT SUM(`amount`) AS result FROM `sales` ORDER BY result"),
        ("WITH c(evil, amount) AS (SELECT 'evil.com', `amount` FROM `sales`) SELECT evil, amount FROM c",
         "WITH c(result, amount) AS (SELECT 'group 1', `amount` FROM `sales`) SELECT result, amount FROM c"),
        ("SELECT CONCAT(`region`, ': Call us') FROM `sales`", "SELECT CONCAT(`region`, 'group 1') FROM `sales`"),
        ("SELECT REPLACE(`region`, 'North', 'Wire it') FROM `sales`",
         "SELECT REPLACE(`region`, 'North', 'group 1') FROM `sales`"),
        ("SELECT DATE_FORMAT(`day`, 'Call %Y') FROM `sales`", "SELECT DATE_FORMAT(`day`, '%Y') FROM `sales`"),
        ("SELECT GROUP_CONCAT(`region` SEPARATOR ' call us ') FROM `sales`",
         "SELECT GROUP_CONCAT(`region` SEPARATOR ', ') FROM `sales`"),
        ("SELECT CONCAT('Ca', 'll', '5', '55', '12', '34') FROM `sales`",
         "SELECT CONCAT('group 1', 'group 2', 'group 3', 'group 4', 'group 5', 'group 6') FROM `sales`"),
        ("SELECT CONCAT('c', 'all us'), CONCAT('c', CONCAT('all', ' us'), `region`) FROM `sales`",
         "SELECT CONCAT('group 1', 'group 2'), CONCAT('group 1', CONCAT('group 3', 'group 4'), `region`) FROM `sales`"),
        ("SELECT GROUP_CONCAT('wire it' SEPARATOR ', ') FROM `sales`",
         "SELECT GROUP_CONCAT('group 1' SEPARATOR ', ') FROM `sales`"),
        ("SELECT LPAD(`region`, 40, 'call us') FROM `sales`", "SELECT LPAD(`region`, 40, 'group 1') FROM `sales`"),
        ("SELECT CONCAT(`region`, 5551234, 7) FROM `sales`",
         "SELECT CONCAT(`region`, 'group 1', 'group 2') FROM `sales`"),
        ("SELECT CONCAT(`region`, 5, 55, 12, 34, 6, 7) FROM `sales`",
         "SELECT CONCAT(`region`, 'group 1', 'group 2', 'group 3', 'group 4', 'group 5', 'group 6') FROM `sales`"),
        ("SELECT CONCAT(`region`, CHAR(67, 65, 76, 76)) FROM `sales`",
         "SELECT CONCAT(`region`, 'group 1') FROM `sales`"),
        ("SELECT CONCAT(`region`, CONV(29234652, 10, 36)) FROM `sales`",
         "SELECT CONCAT(`region`, 'group 1') FROM `sales`"),
        ("SELECT (SELECT 'wire it') AS name, `amount` FROM `sales`",
         "SELECT (SELECT 'group 1') AS name, `amount` FROM `sales`"),
    ],
)  # fmt: skip
def test_what_the_writer_made_up_is_not_shown(sql: str, shown: str) -> None:
    assert in_known_words(sql, KNOWN.cover) == shown


def test_a_label_that_a_condition_names_changes_there_too() -> None:
    sql = "SELECT s FROM (SELECT IF(`amount` > 9, 'whopper', 'low') AS s FROM `sales`) AS c WHERE s = 'whopper'"
    assert in_known_words(sql, KNOWN.cover) == sql.replace("whopper", "group 1")
