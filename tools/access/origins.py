"""The web pages whose scripts may call the server, by their origins (RFC 6454)."""

import ipaddress
import re
from collections.abc import Collection, Mapping
from urllib.parse import SplitResult, urlsplit

__all__ = ["STUDIO", "is_allowed_origin", "is_foreign_site", "is_loopback", "read_origins"]

STUDIO = "https://smith.langchain.com"
"""LangGraph Studio: a page of this site that calls the server on the user's machine."""
EXPECTED = "expected origins separated by commas, e.g. https://chat.example.com,http://intranet:8080"
SCHEMES = ("http", "https")
HOST = re.compile(r"[\w.-]+(:\d+)?|\[[\da-f:.]+\](:\d+)?")


def read_origins(given: str | Collection[str]) -> tuple[str, ...]:
    """Parse origins separated by commas. Raises ValueError for one that is not scheme://host or scheme://host:port."""
    named = [o.strip() for o in given.split(",")] if isinstance(given, str) else list(given)
    origins = tuple(o.lower() for o in named if o)
    for origin in origins:
        parts = _split(origin)
        if parts is None or origin != f"{parts.scheme}://{parts.netloc}" or not HOST.fullmatch(parts.netloc):
            raise ValueError(f"invalid origin {origin!r}: {EXPECTED}")
    return origins


def is_allowed_origin(origin: str, host: str, others: Collection[str]) -> bool:
    """Return whether a page of ``origin`` may call a server that the request calls ``host`` (its Host header).

    Allowed are the server's own pages, Studio, pages of this machine at any port, and ``others``.
    """
    parts = _split(origin)
    if parts is None:  # "null" is the origin of sandboxed frames and of files
        return False
    # The schemes may differ: behind a proxy that ends TLS, the server does not know its own.
    own = parts.netloc.lower() == host.lower()
    return own or origin.lower() in (STUDIO, *others) or is_loopback(parts.hostname or "")


def is_foreign_site(headers: Mapping[str, str]) -> bool:
    """Return whether a browser says that another site's page sent a request; programs do not send this header."""
    return headers.get("sec-fetch-site", "none") not in ("same-origin", "none")


def is_loopback(host: str) -> bool:
    """Return whether a host is a loopback address or a name that always means this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _split(origin: str) -> SplitResult | None:
    """Return the parts of a web page's origin; None if it is not one."""
    try:
        parts = urlsplit(origin)
        known = parts.scheme in SCHEMES and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        return None
    return parts if known else None
