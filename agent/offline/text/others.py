"""Whether a sentence is about another thing than the question: another house, another role, another one's reason."""

import re

from tablerag.agent.offline.text.asked import Kind, TextQuestion
from tablerag.agent.offline.text.matching import loosely_found, word_set
from tablerag.agent.offline.text.names import names_in_text, roles_in
from tablerag.agent.offline.text.statements import Statement
from tablerag.agent.offline.text.vocabulary import listed, words_in

__all__ = ["is_of_another"]

FOUND = 0.75
"""How well a word must be found."""
NAMED = re.compile(r"\b[A-ZÀ-Þ][\w'’-]+ [A-ZÀ-Þ][\w'’-]+")
"""A name and the kind of thing that it names: "Oak House"."""


def is_of_another(asked: TextQuestion, kind: Kind, part: str, statement: Statement) -> bool:
    """Tell whether a sentence with an answer is about another thing than the question's."""
    if kind == "reason":
        return _is_reason_of_another(asked, part, statement)
    return _names_another(asked, statement) or (kind != "who" and _is_of_another_role(asked, statement))


def _names_another(asked: TextQuestion, statement: Statement) -> bool:
    """Tell whether a sentence has another name for a thing of the kind: "Oak House" for "Elm House"."""
    own = word_set(statement.text)
    said = [[w.text for w in words_in(m[0])] for m in NAMED.finditer(statement.text)]
    named = [(name, kind) for name, kind in asked.compound if {name, kind} <= asked.names]
    return any(
        not loosely_found(name, own) and any(words[-1] == kind and words[0] != name for words in said)
        for name, kind in named
    )


def _is_of_another_role(asked: TextQuestion, statement: Statement) -> bool:
    """Tell whether only the sentences around one have the question's role, and it has another."""
    near = word_set(f"{statement.text} {statement.heading} {statement.document}")
    roles = [w for w in asked.words if w in listed("roles")]
    missing = roles and not any(loosely_found(w, near) >= FOUND for w in roles)
    return bool(missing) and any(True for _ in roles_in(statement.text))


def _is_reason_of_another(asked: TextQuestion, part: str, statement: Statement) -> bool:
    """Tell whether a reason is for what somebody did whom the question does not name, and nothing of its things."""
    effect = statement.text.replace(part, " ")
    start, end = next(names_in_text(effect), (1, 0))
    subject = [w.text for w in words_in(effect[start:end])]
    known = word_set(asked.text)
    if start or len(subject) < 2 or any(loosely_found(w, known) for w in subject):
        return False
    heads = {group[-1] for group in asked.nouns}
    return not any(loosely_found(w, word_set(effect)) >= FOUND for w in heads)
