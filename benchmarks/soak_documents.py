"""The documents of the soak test: in each, every number and every text tells its version."""

import re
from typing import NamedTuple

__all__ = ["ROWS", "TOPICS", "VERSION", "page", "question"]

VERSION = re.compile(r"v(\d+)v")
"""What tells the versions of a document apart in its texts."""
STARTS, ENDS = ("kel", "bran", "tor", "mil", "sund"), ("mar", "wick", "dal", "ford", "holm")
ROWS = len(STARTS) * len(ENDS)


class Topic(NamedTuple):
    """What a document lists: things whose names begin in one way, and how many of something each has."""

    begins: str
    thing: str
    has: str


TOPICS = {
    "ports": Topic("Har", "Port", "Boats"),
    "bakeries": Topic("Bak", "Bakery", "Loaves"),
    "libraries": Topic("Lib", "Library", "Books"),
    "stadiums": Topic("Sta", "Stadium", "Seats"),
    "museums": Topic("Mus", "Museum", "Paintings"),
    "airports": Topic("Air", "Airport", "Flights"),
}


def page(name: str, version: int) -> str:
    """Return a version of a document, as HTML."""
    begins, thing, has = TOPICS[name]
    names = (f"{begins}{start}{end}" for start in STARTS for end in ENDS)
    rows = "".join(f"<tr><td>{n}</td><td>{version}</td><td>v{version}v</td></tr>" for n in names)
    heads = f"<tr><th>{thing}</th><th>{has}</th><th>{thing} mark</th></tr>"
    return f"<h1>{name}</h1><p>This is v{version}v of the {name}.</p><table>{heads}{rows}</table>"


def question(name: str) -> str:
    """Return a question whose answer is the version of a document."""
    begins, _, has = TOPICS[name]
    return f"What are the {has.lower()} of {begins}{STARTS[3]}{ENDS[3]}?"
