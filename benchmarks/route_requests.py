"""Hostile HTTP requests for benchmarks.route_fuzz, made from a random generator."""

import json
import random
from dataclasses import dataclass
from typing import Any

__all__ = ["FOREIGN", "Sent", "hostile"]

FOREIGN = (
    "https://evil.example",
    "null",
    "http://[",
    "http://127.0.0.1.evil.example",
    "file://",
    "",
    "http://a:b@c:99999",
)
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "CONNECT", "get", "X" * 2000, "BREW")
IDS = (
    "x", "none:0", "default", "revenue_and_cost_by_quarter", "..", ".", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "%00",
    "a%00b",
    "%2F", "%252F", "%ff%fe", "%ED%A0%80", "%0d%0aSet-Cookie:x", "%E2%80%AE", "'%20OR%201=1--", "%22%3Cscript%3E",
    "a" * 5000,
    "00000000-0000-0000-0000-000000000000", "%", "%zz", "-1", "1e999", "%F0%9F%92%A9", "*", "{id}", "~", "%7Broot%7D",
)  # fmt: skip
OWN = (
    "/app/api/corpora", "/app/api/documents", "/app/api/documents/{}", "/app/api/tables", "/app/api/tables/{}",
    "/app/api/tables/{}/rows", "/app/api/tables/revenue_and_cost_by_quarter/rows", "/app/api/passages/{}",
    "/app/api/receipts", "/app/api/uploads", "/app/api/uploads/{}", "/app/api/openapi.json", "/app/api/{}",
    "/app/static/{}",
    "/app/{}", "/app", "/app/static/..%2f..%2fapp.py", "//app//api//corpora", "/{}",
)  # fmt: skip
LANGGRAPH = (
    "/threads", "/threads/search", "/threads/{}", "/threads/{}/state", "/threads/{}/history", "/threads/{}/runs",
    "/threads/{}/runs/wait", "/threads/{}/runs/stream", "/runs", "/runs/wait", "/runs/stream", "/runs/batch",
    "/runs/crons",
    "/assistants", "/assistants/search", "/assistants/{}", "/assistants/{}/schemas", "/assistants/tablerag/graph",
    "/store/items", "/store/items/search", "/store/namespaces", "/mcp", "/a2a/{}", "/info", "/ok", "/metrics",
    "/internal/truncate", "/openapi.json",
)  # fmt: skip
VALUES = (
    "",
    "default",
    "nobody",
    "0",
    "-1",
    "1",
    "99999999999",
    "1e9",
    "NaN",
    "%00",
    "3,5",
    "1,,2",
    "%FF",
    "..%2F..",
    "٣",
    "a" * 3000,
)
QUERIES = ("corpus", "offset", "limit", "row_ids", "around", "x", "corpus[]", "%00")
TYPES = (
    "application/json", "text/plain", "multipart/form-data", "multipart/form-data; boundary=",
    "multipart/form-data; boundary=b",
    "multipart/form-data; boundary=" + "b" * 3000, "multipart/form-data; boundary=\"b\xff\"",
    "application/x-www-form-urlencoded",
    "application/json; charset=utf-16", "multipart/mixed; boundary=b", ";", "\xff", "application/merge-patch+json", "",
)  # fmt: skip
NAMES = (
    "a.csv", "../../a.csv", "", "a\x00.csv", "\u202egnp.csv", "a\nb.csv", ".csv", "CON.csv", "x" * 100_000 + ".csv",
    "a.exe",
    'a".csv', "a\\", "=?utf-8?b?YQ==?=.csv", "é.csv", "a.xlsx", "a.pdf", "tablerag.yaml", "/etc/passwd", "a.csv/",
    "\udcff.csv",
)  # fmt: skip
CONTENTS = (
    b"a,b\n1,2\n",
    b"",
    b"\x00" * 100,
    b"PK\x03\x04" + b"x" * 50,
    b"%PDF-1.7\n",
    b"\xff\xfe\x00",
    b"a," * 20_000,
    b'"',
)
SQL = (
    "SELECT 1", "DROP TABLE revenue_and_cost_by_quarter", "SELECT * FROM revenue_and_cost_by_quarter", "\ud800",
    "(" * 5000,
    "SELECT FLOOR('1e99999999')", "", "SELECT " + "1+" * 3000 + "1", "SELECT 'a\x00b'", "SELECT `\udfff` FROM a",
)  # fmt: skip
JSONS = (
    b"", b"null", b"[]", b"1", b'"x"', b"{", b"[" * 100_000, b'{"a":' * 20_000 + b"1" + b"}" * 20_000, b"NaN",
    b'{"limit": NaN}',
    b"1" * 10_000, b'{"limit": 1e999}', b'{"limit": 99999999999999999999999}', b'{"a": 1, "a": 2}',
    b'{"metadata": "\\ud800"}',
    b'\xff\xfe{"a": 1}', '{"a": 1}'.encode("utf-16"), b'{"\\u0000": "\\u0000"}', b"{}" * 3,
    b'{"limit": -1, "offset": -1}',
    b'{"thread_id": "../../x"}', b'{"metadata": []}', b'{"assistant_id": "nobody"}', b"\xef\xbb\xbf{}", b"{}",
    b'{"assistant_id": "tablerag", "input": "x"}', b'{"assistant_id": "tablerag", "input": {"question": 7}}',
    b'{"assistant_id": "tablerag", "input": {"question": "What was the total revenue of 2025?"}}',
    b'{"assistant_id": "tablerag", "input": {"question": "x"}, "context": {"corpus": "nobody"}}',
    b'{"assistant_id": "tablerag", "input": {"question": "x"}, "config": {"recursion_limit": -1}}',
    b'{"assistant_id": "tablerag", "command": {"resume": 1}}', b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}',
    b'{"namespace": ["a"], "key": "k", "value": 1}', b'{"namespace": [""], "key": "", "value": {}}',
    b'{"graph_id": "nobody"}', b'{"graph_id": "tablerag", "assistant_id": "x"}',
)  # fmt: skip


@dataclass(frozen=True)
class Sent:
    """A request as bytes; HOST in it is the server's own name."""

    raw: bytes
    method: str
    target: str
    about: str
    """The route without its hostile parts, for counting."""
    origin: str | None
    key: bool
    """Whether the right key was sent."""
    closed: bool
    """Whether the client closes its side afterwards."""


def hostile(chance: random.Random, key: str) -> Sent:
    """Return a request; ``key`` is the server's API key, "" if it has none."""
    own = chance.random() < 0.65
    route = chance.choice(OWN if own else LANGGRAPH)
    method = chance.choice(METHODS) if chance.random() < 0.3 else chance.choice(("GET", "POST", "POST", "DELETE"))
    if chance.random() < 0.3:
        method, route = "POST", chance.choice(("/app/api/uploads", "/app/api/receipts"))
    target = route.replace("{}", chance.choice(IDS)) + _query(chance)
    kind, body = _body(chance, route)
    headers = (
        [("Host", "HOST")]
        if chance.random() < 0.97
        else [("Host", chance.choice(("[::1", "evil.example", "a:b:c", "\xff")))]
    )
    origin = chance.choice((*FOREIGN, "http://HOST")) if chance.random() < 0.2 else None
    headers += [("Origin", origin)] if origin is not None else []
    headers += [("Content-Type", kind)] if kind else []
    right = bool(key) and chance.random() < 0.7
    if key:
        headers += (
            [("X-Api-Key", key)]
            if right
            else chance.choice(
                (
                    [],
                    [("X-Api-Key", f"{key}x")],
                    [("Authorization", "Bearer \xff")],
                    [("X-Api-Key", "k" * 5000)],
                    [("Authorization", f"Basic {key}")],
                )
            )
        )
    headers += _odd_headers(chance)
    length = (
        len(body)
        if chance.random() < 0.95
        else chance.choice((0, len(body) + 9, max(0, len(body) - 3), -1, 10**15, "x", "5, 6"))
    )
    encoded = chance.random() < 0.05
    if encoded:
        body = (
            b"%x\r\n%b\r\n" % (len(body), body) + chance.choice((b"0\r\n\r\n", b"zz\r\n", b""))
            if body
            else b"0\r\n\r\n"
        )
        headers.append(("Transfer-Encoding", "chunked"))
    elif body or length:
        headers.append(("Content-Length", str(length)))
    head = f"{method} {target} HTTP/1.1\r\n" + "".join(f"{n}: {v}\r\n" for n, v in headers) + "\r\n"
    closed = chance.random() < 0.05
    return Sent(head.encode("latin-1", "replace") + body, method, target, route, origin, right, closed)


def _query(chance: random.Random) -> str:
    given = [f"{chance.choice(QUERIES)}={chance.choice(VALUES)}" for _ in range(chance.choice((0, 0, 1, 1, 2, 40)))]
    return f"?{'&'.join(given)}".encode().decode("latin-1") if given else ""


def _odd_headers(chance: random.Random) -> list[tuple[str, str]]:
    odd = (
        ("Range", "bytes=0-,5-1,-9999999999999999999999"), ("If-None-Match", "*"), ("If-Modified-Since", "yesterday"),
        ("If-Range", "\xff"), ("X-Long", "x" * 60_000), ("Accept", "application/xml"),
        ("Accept-Encoding", "\xff, gzip;q=9"),
        ("Cookie", "a=b; " * 500), ("Expect", "100-continue"), ("Upgrade", "websocket"), ("Connection", "close"),
        ("Sec-Fetch-Site", "cross-site"), ("X-Forwarded-For", "8.8.8.8"), ("X-HTTP-Method-Override", "DELETE"),
        ("Last-Event-ID", "\xff"), ("mcp-protocol-version", "x"),
        ("If-Modified-Since", "Mon, 99 Foo 99999 00:00:00 GMT"),
    )  # fmt: skip
    return chance.sample(odd, chance.choice((0, 0, 0, 1, 2, 5)))


def _body(chance: random.Random, route: str) -> tuple[str, bytes]:
    """Return a content type and a body."""
    if route == "/app/api/uploads" and chance.random() < 0.8:
        kind = chance.choice(TYPES) if chance.random() < 0.3 else "multipart/form-data; boundary=b"
        return kind, _form(chance)
    kind = chance.choice(TYPES) if chance.random() < 0.2 else "application/json"
    if route == "/app/api/receipts" and chance.random() < 0.7:
        return kind, _receipt(chance)
    return kind, chance.choice(JSONS) if chance.random() < 0.8 else chance.randbytes(chance.choice((1, 30, 3000)))


def _receipt(chance: random.Random) -> bytes:
    hashes = ("", "0" * 64, "\ud800", "x" * 10_000)
    made: dict[str, Any] = {"sql": chance.choice(SQL), "tables": [chance.choice(SQL)], "sources": ["\udfff.csv"]}
    made |= {"tables": ["revenue_and_cost_by_quarter"]} if chance.random() < 0.5 else {}
    made["result_hash"] = chance.choice(hashes)
    deferred = {"table": chance.choice(("revenue_and_cost_by_quarter", "\ud800")), "deferred": True, "untold": "\ud800"}
    made["rows"] = chance.choice(([], [deferred], [deferred] * 300, {}, [None]))
    made |= chance.choice(
        ({}, {"row_count": 5}, {"row_count": None, "row_ids": [1, "x"]}, {"row_count": 10**400}, {"tables": 7})
    )
    return json.dumps(made).encode()


def _form(chance: random.Random) -> bytes:
    """Return a form, which may lack its end, have thousands of parts, or headers that are none."""
    parts = []
    for _ in range(chance.choice((1, 1, 1, 2, 5, 3000))):
        name = chance.choice(NAMES[:5] if len(parts) > 5 else NAMES).encode("utf-8", "surrogateescape")
        field = chance.choice((b"files", b"files", b"files", b"", b"x" * 9000, b"files\x00"))
        head = b'Content-Disposition: form-data; name="%b"; filename="%b"' % (field, name)
        odd = (
            b"",
            b"Content-Disposition: form-data",
            b"X: " + b"y" * 20_000,
            b"nonsense",
            b"Content-Type: multipart/mixed; boundary=c",
        )
        head = head if chance.random() < 0.8 else chance.choice(odd)
        inner = b"--c\r\n" + head + b"\r\n\r\nx\r\n--c--" if chance.random() < 0.1 else chance.choice(CONTENTS)
        parts.append(b"--b\r\n" + head + b"\r\n\r\n" + inner + b"\r\n")
    made = b"".join(parts)[:900_000] + b"--b--\r\n"
    return made[: chance.randrange(len(made))] if chance.random() < 0.15 else made
