"""Clients that send slowly, or nothing: the server answers all others meanwhile, and ends what takes too long."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from tests.support.graph_server import CORPORA, GraphServer, fill_corpora, running_graph_server

PATIENCE_S = 1.0
UVICORN_KEEP_ALIVE_S = 5
MANY = 60
FORM = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.csv"\r\n\r\n'
END = b"\r\n--x--\r\n"


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphServer]:
    folder = tmp_path_factory.mktemp("impatient")
    fill_corpora(folder, {"default": CORPORA["default"]})
    with running_graph_server(folder, TABLERAG_REQUEST_TIMEOUT_S=str(PATIENCE_S)) as server:
        yield server


def head(
    length: int, path: str = "/app/api/uploads?corpus=slow", kind: str = "multipart/form-data; boundary=x"
) -> bytes:
    fields = f"Host: 127.0.0.1\r\nContent-Type: {kind}\r\nContent-Length: {length}"
    return f"POST {path} HTTP/1.1\r\n{fields}\r\n\r\n".encode()


async def response(reader: asyncio.StreamReader) -> str:
    """Return a response's head, with its names in lower case, and body."""
    fields = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = int(fields.partition("content-length: ")[2].partition("\r")[0])
    return fields + (await reader.readexactly(length)).decode()


async def sent_slowly(url: str, begin: bytes, part: bytes, every_s: float, parts: int = 1000, end: bytes = b"") -> str:
    """Send the beginning at once, the parts slowly, then the end; return the response, "" if there is none."""
    reader, writer = await asyncio.open_connection(urlsplit(url).hostname, urlsplit(url).port)

    async def send() -> None:
        writer.write(begin)
        for _ in range(parts):
            await asyncio.sleep(every_s)
            writer.write(part)
        writer.write(end)
        await writer.drain()

    sending = asyncio.create_task(send())
    try:
        return await response(reader)
    except (ConnectionError, asyncio.IncompleteReadError):
        return ""
    finally:
        sending.cancel()
        writer.close()


def test_slow_uploads_and_heads_keep_nobody_else_waiting(impatient: GraphServer) -> None:
    async def waits() -> tuple[list[float], Counter[str]]:
        upload, get = head(9000) + FORM, b"GET /app/api/corpora HTTP/1.1\r\nX-Slow: "
        slow = [asyncio.create_task(sent_slowly(impatient.url, upload, b"a", 0.2)) for _ in range(MANY)]
        slow += [asyncio.create_task(sent_slowly(impatient.url, get, b"a", 0.2)) for _ in range(MANY)]
        await asyncio.sleep(PATIENCE_S / 2)
        took = []
        async with httpx.AsyncClient(base_url=impatient.url, timeout=10) as client:
            for _ in range(5):
                begun = time.monotonic()
                assert (await client.get("/app/api/corpora")).status_code == 200
                took.append(time.monotonic() - begun)
        replies = await asyncio.wait_for(asyncio.gather(*slow), 20)
        assert all("retry-after: 10" in reply for reply in replies if " 429 " in reply)
        return took, Counter(reply[9:12] for reply in replies)

    took, ends = asyncio.run(waits())
    assert max(took) < 5
    assert ends.keys() == {"", "408", "429"} and ends[""] == MANY and ends["408"] >= 4
    files = {"files": ("a.csv", b"a,b\n1,2\n")}
    assert httpx.post(f"{impatient.url}/app/api/uploads?corpus=after", files=files).status_code == 202
    assert "Traceback" not in impatient.log


def test_a_long_body_may_come_at_the_minimum_rate(impatient: GraphServer) -> None:
    rows, parts = b"1,2\n" * 1000, 12
    body = FORM + b"a,b\n" + rows * parts + END
    begin = head(len(body), "/app/api/uploads?corpus=steady") + FORM + b"a,b\n"
    begun = time.monotonic()
    reply = asyncio.run(sent_slowly(impatient.url, begin, rows, 0.25, parts, END))
    assert reply.startswith("http/1.1 202") and time.monotonic() - begun > 2 * PATIENCE_S


def test_a_slow_body_ends_at_the_servers_own_routes_too(impatient: GraphServer) -> None:
    begin = head(500, "/runs/wait", "application/json") + b'{"assistant_id": '
    reply = asyncio.run(sent_slowly(impatient.url, begin, b" ", 0.2))
    assert reply.startswith("http/1.1 408") and "too slowly" in reply and "connection: close" in reply


def test_an_upload_that_is_cut_off_leaves_no_trace(impatient: GraphServer) -> None:
    async def leave() -> None:
        _, writer = await asyncio.open_connection(urlsplit(impatient.url).hostname, urlsplit(impatient.url).port)
        writer.write(head(9000) + FORM + b"a,b\n")
        await writer.drain()
        writer.close()

    for _ in range(6):  # more than one client may send at the same time
        asyncio.run(leave())
    files = {"files": ("a.csv", b"a,b\n1,2\n")}
    until = time.monotonic() + 10
    status = 429  # as long as the server has not noticed that the others left
    while status == 429 and time.monotonic() < until:
        status = httpx.post(f"{impatient.url}/app/api/uploads?corpus=other", files=files).status_code
    assert status == 202
    assert "Traceback" not in impatient.log


def test_a_refused_upload_cannot_hold_its_connection(impatient: GraphServer) -> None:
    """The response comes before the body has ended; the connection is closed when the body still does not end."""

    async def refused() -> tuple[str, float]:
        reader, writer = await asyncio.open_connection(urlsplit(impatient.url).hostname, urlsplit(impatient.url).port)
        writer.write(head(10**12))
        begun, reply = time.monotonic(), await response(reader)
        with pytest.raises((ConnectionError, BrokenPipeError)):
            while time.monotonic() - begun < 10 * PATIENCE_S:
                writer.write(b"a")
                await writer.drain()
                await asyncio.sleep(0.1)
        return reply, time.monotonic() - begun

    reply, held_s = asyncio.run(refused())
    assert reply.startswith("http/1.1 413") and held_s < 5 * PATIENCE_S


def test_an_unused_connection_outlives_the_pools_of_clients(impatient: GraphServer) -> None:
    where = urlsplit(impatient.url)

    async def ask_twice() -> list[str]:
        reader, writer = await asyncio.open_connection(where.hostname, where.port)
        heads = []
        for pause_s in (UVICORN_KEEP_ALIVE_S + 0.5, 0):
            writer.write(b"GET /ok HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            heads.append((await response(reader)).partition("\r\n")[0])
            await asyncio.sleep(pause_s)
        writer.close()
        return heads

    assert asyncio.run(ask_twice()) == ["http/1.1 200 ok"] * 2
