"""The rules by which the fuzzer of the routes judges responses, and the requests that it makes."""

import random
from dataclasses import replace

import pytest

from benchmarks.route_fuzz import Reply, main, trouble
from benchmarks.route_requests import LANGGRAPH, OWN, Sent, hostile

GET = Sent(b"", "GET", "/app/api/tables", "/app/api/tables", None, key=True, closed=False)
FOREIGN = replace(GET, origin="https://evil.example")
POST = replace(FOREIGN, method="POST")
CORS = {"access-control-allow-origin": "*"}


@pytest.mark.parametrize(
    ("sent", "reply", "wrong"),
    [
        (GET, Reply(200, {}, "{}"), ""),
        (GET, Reply(0, {}, ""), ""),
        (GET, Reply(404, {}, '{"error": "unknown table: reload the list"}'), ""),
        (GET, Reply(500, {}, '{"error": "x"}'), "server error"),
        (GET, Reply(503, {}, '{"error": "busy"}'), "server error"),
        (GET, Reply(503, {"retry-after": "5"}, '{"error": "busy"}'), ""),
        (GET, Reply(404, {}, "Not Found"), "without JSON"),
        (GET, Reply(404, {}, '{"error": ""}'), "not one line"),
        (GET, Reply(400, {}, '{"error": "a\\nb"}'), "not one line"),
        (GET, Reply(400, {}, '{"error": "KeyError: x"}'), "names an exception"),
        (GET, Reply(200, {}, "/tmp/secret/home/a.csv"), "path of the machine"),
        (FOREIGN, Reply(200, CORS, "{}"), "another origin"),
        (FOREIGN, Reply(200, {}, "{}"), ""),
        (POST, Reply(202, {}, "{}"), "another origin"),
        (replace(GET, key=False), Reply(200, {}, "{}"), "without a key"),
        (replace(GET, key=False, target="/ok"), Reply(200, {}, "{}"), ""),
    ],
)
def test_each_rule_is_applied(sent: Sent, reply: Reply, wrong: str) -> None:
    found = trouble(sent, reply, "/tmp/secret", keys=True)
    assert wrong in found and bool(wrong) == bool(found)


def test_a_request_is_made_again_from_its_seed_and_number() -> None:
    made = [hostile(random.Random(f"1 True {n}"), "key") for n in range(400)]
    assert made == [hostile(random.Random(f"1 True {n}"), "key") for n in range(400)]
    assert len({m.raw for m in made}) > 390
    assert {m.about for m in made} >= {*OWN} and len({m.about for m in made} & {*LANGGRAPH}) > 20


def test_a_missing_schemathesis_is_named_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--schemathesis", ""]) == 2
    assert capsys.readouterr().err == (
        "schemathesis is missing: pip install schemathesis, or give its path with --schemathesis\n"
    )
