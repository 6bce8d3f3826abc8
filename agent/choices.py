"""A message that chooses one of the readings offered last: "2", "the second", or words of the reading."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from tablerag.tools.records import TableSchema
from tablerag.tools.text import tokens

__all__ = ["GONE", "Offered", "choice_in", "current_tables", "no_such_reading", "offer"]

LARGEST = 99
"""The largest number that is a choice: 2013 is a year."""
CHOICE = re.compile(
    r"(?:(?:i (?:mean|meant|choose|want|take)|yes|ok(?:ay)?|ich meine|je veux dire) )?(?:the |das |die |der |le |la )?"
    r"(?:(?:no|nr|number|option|reading|choice|answer|nummer|numero) )?"
    r"(?P<place>\d{1,9}|[a-z]+|\d(?:st|nd|rd))(?: (?:one|reading|option|choice))?(?: please| bitte)?"
)
PLACES = {
    word: place
    for place, words in {
        1: "first 1st one erste erstes ersten premier premiere un eins",
        2: "second 2nd two zweite zweites zweiten deuxieme seconde deux zwei",
        3: "third 3rd three dritte drittes dritten troisieme trois drei",
        -1: "last latter letzte letztes letzten dernier derniere",
    }.items()
    for word in words.split()
}
AGREEING = frozenset("yes yep y ja oui".split())
FILLERS = frozenset("the a an one please i mean meant of is are where and for".split())
GONE = "The documents of this reading were changed or removed since: ask the question again."
NOTHING_OFFERED = "A number alone is no question, and there is no list to choose from. Ask, for example, for a total."


class Offered(TypedDict):
    """Readings that the thread's next messages may choose from."""

    question: str
    """The standalone question that they are readings of."""
    readings: list[dict[str, Any]]
    schemas: list[dict[str, Any]]
    """The tables that their statements read."""


def offer(question: str, readings: Sequence[dict[str, Any]], schemas: Sequence[Mapping[str, Any]]) -> Offered:
    """Return the readings with the tables among ``schemas`` that they read."""
    read = [dict(s) for s in schemas if any(f"`{s['name']}`" in r["sql"] for r in readings)]
    return Offered(question=question, readings=list(readings), schemas=read)


def choice_in(message: str, readings: Sequence[Mapping[str, Any]]) -> int | None:
    """Return the number of the reading that a message chooses, from 1; 0 for a number that is not in the list.

    None if the message is a question: also a year, and every text while no reading is offered.
    """
    text = " ".join(re.sub(r"[^\w]+", " ", message.casefold().translate(UNACCENTED)).split())
    exact = [n for n, r in enumerate(readings, start=1) if " ".join(r["meaning"].split()) == " ".join(message.split())]
    if exact:
        return exact[0]
    found = CHOICE.fullmatch(text)
    place = found["place"] if found else ""
    if place.isdigit() and int(place) <= LARGEST:
        return int(place) if 0 < int(place) <= len(readings) else 0
    if text in AGREEING and len(readings) == 1:
        return 1
    if place in PLACES and readings:
        number = PLACES[place] if PLACES[place] > 0 else len(readings)
        return number if number <= len(readings) else 0
    return _by_words(message, readings)


UNACCENTED = str.maketrans("éèêùûô", "eeeuuo")


def _by_words(message: str, readings: Sequence[Mapping[str, Any]]) -> int | None:
    """Return the only reading that has all words of a message; the one with just these words comes first."""
    said = set(tokens(message)) - FILLERS
    if not said or "?" in message:
        return None
    meant = [set(tokens(r["meaning"])) - FILLERS for r in readings]
    same = [n for n, words in enumerate(meant, start=1) if words == said]
    holding = [n for n, words in enumerate(meant, start=1) if said <= words]
    return same[0] if same else holding[0] if len(holding) == 1 else None


def no_such_reading(readings: Sequence[Mapping[str, Any]]) -> str:
    """Return the reply to a number that chooses nothing."""
    if not readings:
        return NOTHING_OFFERED
    if len(readings) == 1:
        return "There is only one reading: choose 1, or ask another question."
    return f"There are {len(readings)} readings: choose a number from 1 to {len(readings)}, or ask another question."


def current_tables(offered: Offered, stored: Sequence[TableSchema]) -> list[dict[str, Any]] | None:
    """Return the readings' tables as they are stored now; None if one of them is gone or changed."""
    now = {s.name: s for s in stored}
    kept = {s.stored_as for s in stored}
    found = []
    for schema in offered["schemas"]:
        if schema["members"]:
            if not all(m["stored_as"] in kept for m in schema["members"]):
                return None
            found.append(schema)
        elif schema["name"] in now:
            found.append(now[schema["name"]].model_dump(mode="json"))
        else:
            return None
    return found
