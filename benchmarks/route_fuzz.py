"""Fuzz the routes of a real server: python -m benchmarks.route_fuzz --minutes 30 --seed 1 [--schemathesis PATH]

Starts a server over the example corpus, first without API keys and then with them. Half of the time schemathesis makes
requests from the page's OpenAPI description and checks that responses match it; the other half, hostile requests are
written to sockets byte by byte: wrong methods, types, lengths, paths, forms, JSON, origins and keys, to the page's
routes and to LangGraph's own. Each is made from the seed and its number alone.

No response of the page's routes may be a 5xx (but 503 with Retry-After), name an exception or a path of the machine, or
be an error without one line of JSON. Other origins get no CORS headers and change nothing, wrong keys open nothing, and
/ok and /app/api/corpora answer within a second. What breaks a rule is printed, and the exit status is 1. Errors of
LangGraph's own routes are counted apart.
"""

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from socket import SHUT_WR, create_connection
from urllib.parse import urlsplit

import httpx

from benchmarks.route_requests import FOREIGN, Sent, hostile
from benchmarks.served_load import memory_of
from tablerag import TableRAG
from tests.support.graph_server import GraphServer, running_graph_server

__all__ = ["Reply", "main", "trouble"]

ROOT = Path(__file__).resolve().parent.parent
KEY = "fuzz-key-51d2"
REQUEST_TIMEOUT_S = 2.0
"""The server's limit for slow requests, short enough to be reached often."""
PATIENCE_S = 15.0
PROBED = ("/ok", "/app/api/corpora")
SLOW_S = 1.0
LONGEST_ERROR = 700
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
    "unsupported_method,allow_header_conformance"
)
LEAK = re.compile(
    r"Traceback|File \"|site-packages|\b\w{3,}(Error|Exception|Warning)\b|0x[0-9a-f]{8}|\btablerag\.(?!yaml)\w"
)
OPEN = re.compile(r"/(app/?(static/.*)?|app/api/openapi\.json|ok|info|docs|openapi\.json|metrics)(\?.*)?")
"""What a server with keys answers to everybody."""
OF_UVICORN = "Invalid HTTP request received."


@dataclass(frozen=True)
class Reply:
    """What came back; status 0 if the server closed the connection without a response."""

    status: int
    headers: dict[str, str]
    body: str


def exchanged(url: str, sent: Sent) -> Reply:
    """Send a request, and half-close the connection after one that is cut off at random; return the response."""
    place = urlsplit(url)
    with create_connection((place.hostname, place.port), timeout=PATIENCE_S) as connection:
        try:
            connection.sendall(sent.raw.replace(b"HOST", place.netloc.encode()))
            if sent.closed:
                connection.shutdown(SHUT_WR)
            response = HTTPResponse(connection, method=sent.method)
            response.begin()
            headers = {name.lower(): value for name, value in response.getheaders()}
            return Reply(response.status, headers, response.read(2_000_000).decode("utf-8", "replace"))
        except TimeoutError:
            raise
        except (HTTPException, OSError):  # the server closed the connection
            return Reply(0, {}, "")


def trouble(sent: Sent, reply: Reply, secret: str, *, keys: bool) -> str:
    """Return which rule a response breaks, "" if none. ``secret`` is the server's folder, which no body may name."""
    status, body = reply.status, reply.body
    if secret in body or "Traceback" in body or 'File "' in body:
        return "names a path of the machine or has a traceback"
    cors = [name for name in reply.headers if name.startswith("access-control-")]
    own = f"://{named[1].decode('latin-1')}" if (named := re.search(rb"\r\nHost: ([^\r]+)", sent.raw)) else "://HOST"
    # A page of the very host that a request names is the server's own: without keys such a host is refused.
    if (
        sent.origin in FOREIGN
        and not sent.origin.endswith(own)
        and (cors or (status < 400 and status and sent.method not in ("GET", "HEAD")))
    ):
        return "opens to another origin"
    if keys and not sent.key and 200 <= status < 300 and not OPEN.fullmatch(sent.target):
        return "opens without a key"
    if status >= 500 and not (status == 503 and "retry-after" in reply.headers):
        return "server error"
    if not sent.target.startswith("/app/api") or status < 400 or sent.method == "HEAD" or body == OF_UVICORN:
        return ""
    if LEAK.search(body):
        return "names an exception or a module"
    try:
        error = json.loads(body)["error"]
    except (ValueError, KeyError, TypeError):
        return "an error without JSON that says why"
    return "" if error and "\n" not in error and len(error) < LONGEST_ERROR else "an error that is not one line"


@dataclass
class Found:
    """What has been counted and found."""

    statuses: Counter[int] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    of_langgraph: Counter[str] = field(default_factory=Counter)
    waits: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    checked: int = 0
    """Requests of schemathesis."""


@contextmanager
def probed(server: GraphServer, found: Found, key: str) -> Iterator[None]:
    """Ask for PROBED and read the server's memory twice a second."""
    over = threading.Event()

    def probe() -> None:
        with httpx.Client(base_url=server.url, timeout=60, headers={"X-Api-Key": key} if key else {}) as client:
            while not over.wait(0.5):
                for path in PROBED:
                    begun = time.perf_counter()
                    status = client.get(path).status_code
                    found.waits.append(time.perf_counter() - begun)
                    if status != 200 or found.waits[-1] > SLOW_S:
                        found.broken[f"{path} answered {status} after {found.waits[-1]:.1f} s"] += 1
                found.memory.append(memory_of(server.process.pid))

    thread = threading.Thread(target=probe)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def send_hostile(server: GraphServer, found: Found, args: argparse.Namespace, seconds: float, *, keys: bool) -> None:
    """Send hostile requests at the rate for some time, and judge the responses."""
    ends, number = time.monotonic() + seconds, 0
    while time.monotonic() < ends and server.process.poll() is None:
        begun = time.monotonic()
        sent = hostile(random.Random(f"{args.seed} {keys} {number}"), KEY if keys else "")
        try:
            reply = exchanged(server.url, sent)
        except OSError as error:
            found.broken[f"request {number}: no response: {error}"] += 1
            reply = Reply(0, {}, "")
        found.statuses[reply.status] += 1
        if wrong := trouble(sent, reply, str(server.folder), keys=keys):
            kept = (
                found.of_langgraph if wrong == "server error" and not sent.target.startswith("/app") else found.broken
            )
            what = f"{wrong}: {reply.status} {sent.method} {sent.about}"
            if not kept[what]:
                print(f"request {number}, keys {keys}: {what}: {sent.raw[:200]!r} -> {reply.body[:200]!r}", flush=True)
            kept[what] += 1
        number += 1
        time.sleep(max(0.0, 1 / args.rate - (time.monotonic() - begun)))
    if server.process.poll() is not None:
        found.broken["the server ended"] += 1


def check_schemas(server: GraphServer, found: Found, args: argparse.Namespace, seconds: float, key: str) -> None:
    """Have schemathesis check the page's routes for some time, and print what it found."""
    report = server.folder / "schemathesis.ndjson"
    command = [args.schemathesis, "run", f"{server.url}/app/api/openapi.json", "--url", server.url]
    command += ["--checks", CHECKS, "--seed", str(args.seed), "--max-time", str(max(1, int(seconds)))]
    command += ["--rate-limit", f"{args.rate}/s", "--request-timeout", str(PATIENCE_S), "--continue-on-failure"]
    command += ["--suppress-health-check", "all", "--warnings", "off", "--report", "ndjson"]
    command += ["--report-ndjson-path", str(report)] + (["-H", f"X-Api-Key: {key}"] if key else [])
    done = subprocess.run(command, cwd=server.folder, capture_output=True, text=True)
    text = report.read_text(encoding="utf-8", errors="replace") if report.exists() else ""
    found.checked += len(re.findall(r'"status_code": ?\d+', text))
    if done.returncode:
        found.broken[f"schemathesis (exit status {done.returncode})"] += 1
        print(done.stdout[-6000:], done.stderr[-2000:], flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz a server without keys and one with them; print the counts."""
    parser = argparse.ArgumentParser(description="Fuzz the routes of a real server.")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=int, default=20, help="most requests per second")
    parser.add_argument("--schemathesis", default=shutil.which("schemathesis"), help="path of the program")
    args = parser.parse_args(arguments)
    if not args.schemathesis:
        print(
            "schemathesis is missing: pip install schemathesis, or give its path with --schemathesis", file=sys.stderr
        )
        return 2
    found, share = Found(), args.minutes * 60 / 4
    for keys in (False, True):
        key = KEY if keys else ""
        settings = {"TABLERAG_API_KEYS": json.dumps({KEY: ["*"]})} if keys else {}
        with tempfile.TemporaryDirectory() as name:
            with TableRAG(Path(name) / "home", model="offline") as rag:
                rag.ingest(ROOT / "examples" / "corpus")
            limit = {"TABLERAG_REQUEST_TIMEOUT_S": str(REQUEST_TIMEOUT_S), "TABLERAG_UPLOAD_MAX_MB": "1"}
            with running_graph_server(Path(name), **limit, **settings) as server, probed(server, found, key):
                check_schemas(server, found, args, share, key)
                send_hostile(server, found, args, share, keys=keys)
                raised = Counter(re.findall(r"^(?:\w+\.)*\w+(?:Error|Exception)\b.{,150}", server.log, re.MULTILINE))
                for error, count in raised.most_common(10):
                    print(f"keys {keys}: in the server's log {count} × {error}", flush=True)
    report(found, args.seed)
    return 1 if found.broken else 0


def report(found: Found, seed: int) -> None:
    """Print the counts."""
    statuses = ", ".join(f"{n} × {s or 'closed'}" for s, n in sorted(found.statuses.items()))
    print(
        f"seed {seed}: {found.checked:,} requests of schemathesis, {found.statuses.total():,} hostile ones: {statuses}"
    )
    print(f"{' and '.join(PROBED)}: {len(found.waits):,} requests, the longest {max(found.waits):.2f} s")
    print(f"server's memory: first {found.memory[0]:.0f} MB, last {found.memory[-1]:.0f}, most {max(found.memory):.0f}")
    for title, counts in (("broken", found.broken), ("server errors of LangGraph's routes", found.of_langgraph)):
        print(f"{title}: {counts.total()}")
        for what, count in counts.most_common(40):
            print(f"  {count} × {what}")


if __name__ == "__main__":
    sys.exit(main())
