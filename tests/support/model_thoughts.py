"""What a model would think of questions after one cell ("... of North?"): a responder for the stand-in.

It reads each real prompt and answers from what stands in it alone, so that an answer which reaches the wrong thread
shows. Answers carry the marks of raw replies, JSON keys and braces, which no client may ever see.
"""

import json
import re
from typing import Any

from tests.support.model_server import Reply

__all__ = ["RAW", "lookup"]

RAW = ('"verdict"', '"sql"', '"subquery"', '"reason"', '{"', "```")
"""Marks of a raw reply."""
NAMED = re.compile(r"of (?:the )?(.+?)\?")


def lookup(request: dict[str, Any]) -> Reply:
    """Answer any step of a question that ends in "of NAME?", looked up in the only table shown."""
    prompt = _content(request["messages"][1])
    step = next(make for opening, make in STEPS.items() if prompt.startswith(opening))
    return step(prompt)


def _content(message: dict[str, Any]) -> str:
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


def _decompose(prompt: str) -> Reply:
    answers = re.findall(r"^   answer: (.*)$", _part(prompt, "steps"), re.MULTILINE)
    if not answers:
        return Reply(tool="solve_subquery", arguments={"subquery": _part(prompt, "question")})
    return _said({"answer": "" if answers[-1] == "no answer found" else answers[-1], "reason": "It was looked up."})


def _sql(prompt: str) -> Reply:
    table = re.search(r"`(\w+)`", _part(prompt, "tables"))[1]
    columns = re.findall(r"`(\w+)`", _part(prompt, "tables"))
    name = NAMED.search(_part(prompt, "subquery"))[1].replace("'", "''")
    return _said({"sql": f"SELECT `{columns[2]}` FROM `{table}` WHERE `{columns[1]}` = '{name}'"})


def _validation(prompt: str) -> Reply:
    lines = _part(prompt, "sql_result").split("\n")
    found = lines[2] if len(lines) > 2 and not lines[2].startswith(("(", "stored")) else ""
    verdict = "sql_only" if found else "none"
    return _said({"answer": found, "verdict": verdict, "reason": "Read off the table.", "citations": []})


def _conclusion(prompt: str) -> Reply:
    return _said({"answer": "", "explanation": "Nothing was found."})


def _said(reply: dict[str, Any]) -> Reply:
    return Reply(json.dumps(reply))


STEPS = {
    "A user talks": _resolve,
    "Decide on the next step": _decompose,
    "Write one SELECT": _sql,
    "Answer the subquery": _validation,
    "No more subqueries": _conclusion,
}
