"""What a model would think of questions after one cell ("... of North?"): a responder for the stand-in.

It reads each real prompt and answers from what stands in it alone, so that an answer which reaches the wrong thread
shows. Answers carry the marks of raw replies, JSON keys and braces, which no client may ever see.
"""

import json
import re
from typing import Any

from tests.support.model_server import Reply

__all__ = ["RAW", "content_of", "lookup"]

RAW = ('"missing"', '"sql"', '"answer"', '"find"', '{"', "```")
"""Marks of a raw reply."""
NAMED = re.compile(r"of (?:the )?(.+?)\?")


def lookup(request: dict[str, Any]) -> Reply:
    """Answer any step of a question that ends in "of NAME?", looked up in the only table shown."""
    said = [content_of(m) for m in request["messages"] if m["role"] == "user"]
    if said[0].startswith("A user talks"):
        return _resolve(said[0])
    shown = [text for text in said if "<sql_result>" in text]
    return _answer(shown[-1]) if shown else _sql(said[0])


def content_of(message: dict[str, Any]) -> str:
    """Return the text of a message."""
    content = message["content"]
    return content if isinstance(content, str) else "".join(block["text"] for block in content)


def _part(prompt: str, name: str) -> str:
    found = re.search(rf"<{name}>\n(.*?)\n</{name}>", prompt, re.DOTALL)
    assert found, f"the prompt has no <{name}>"
    return found[1]


def _resolve(prompt: str) -> Reply:
    """Spell "and of X?" out with the words of the question before."""
    question = _part(prompt, "question")
    earlier = re.findall(r"^user: (.*)$", _part(prompt, "conversation"), re.MULTILINE)[-1]
    if question.lower().startswith("and"):
        question = NAMED.sub(f"of {NAMED.search(question)[1]}?", earlier)
    return _said({"question": question})


def _sql(prompt: str) -> Reply:
    table = _part(prompt, "tables")
    columns = re.findall(r"(?:^columns:|;) `(\w+)`", table, re.MULTILINE)
    name = NAMED.search(_part(prompt, "question"))[1].replace("'", "''")
    statement = f"SELECT `{columns[1]}` FROM `{re.search(r'`(.+?)`', table)[1]}` WHERE `{columns[0]}` = '{name}'"
    return _said({"sql": statement})


def _answer(prompt: str) -> Reply:
    lines = _part(prompt, "sql_result").split("\n")
    found = lines[1] if len(lines) > 1 and not lines[1].startswith(("(", "computed")) else ""
    return _said({"answer": found} if found else {"missing": "nothing was found"})


def _said(reply: dict[str, Any]) -> Reply:
    return Reply(json.dumps(reply))
