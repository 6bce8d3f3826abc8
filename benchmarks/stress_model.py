"""A stand-in for a model that takes its time: it looks one weight up, in the tables that it is shown."""

import json
import random
import re
from collections.abc import Callable
from typing import Any

from tests.support.model_server import ModelServer, Reply
from tests.support.model_thoughts import content_of

__all__ = ["started_model"]

THOUGHT_S = (0.2, 2.5)
ASKED = re.compile(r"What is the (\w+) weight of ([A-Z]+-\d{4})\?")


def started_model(seed: int) -> ModelServer:
    """Return a running stand-in that keeps no requests."""
    model, think = ModelServer().start(), _thoughts(random.Random(seed))

    def respond(request: dict[str, Any]) -> Reply:
        model.requests.clear()
        return think(request)

    model.responder = respond
    return model


def _thoughts(chance: random.Random) -> Callable[[dict[str, Any]], Reply]:
    def think(request: dict[str, Any]) -> Reply:
        said = [content_of(m) for m in request["messages"] if m["role"] == "user"]
        return Reply(json.dumps(_thought(said)), delay_s=chance.uniform(*THOUGHT_S))

    return think


def _thought(said: list[str]) -> dict[str, str]:
    """Return a statement for a question, and the answer to its result."""
    if shown := [text for text in said if "<sql_result>" in text]:
        lines = shown[-1].partition("<sql_result>\n")[2].split("\n")
        found = lines[1] if len(lines) > 1 and lines[1].strip().isdigit() else ""
        return {"answer": found} if found else {"missing": "nothing was found"}
    asked = ASKED.findall(said[0])
    table = asked and re.search(rf"`({asked[-1][0].lower()}\w*)`", said[0])
    if not table:
        return {"missing": "no such table"}
    (name, number), found = asked[-1], table[1]
    return {"sql": f"SELECT `{name.lower()}_weight_kg` FROM `{found}` WHERE `{name.lower()}_delivery` = '{number}'"}
