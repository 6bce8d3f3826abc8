"""Small talk and help: thanks, greetings, "what can you do", "what tables do you have". No SQL, no model."""

import re
from collections.abc import Sequence
from typing import Literal

from tablerag.tools.counting import counted
from tablerag.tools.records import TableSchema

__all__ = ["Aside", "aside_of", "reply_to"]

Aside = Literal["thanks", "greeting", "farewell", "help", "contents"]

THANKS = (
    r"(?:ok(?:ay)?|great|perfect|good|nice|cool|super|wonderful|excellent)?(?: )?"
    r"(?:thanks|thank you|thx|ty|cheers|merci|danke|gracias|grazie|obrigad[oa]|dank je|谢谢|ありがとう)"
    r"(?: (?:a lot|so much|very much|again|beaucoup|schön|sehr|mil|all|you|for (?:that|this|the (?:help|answer))))*"
)
PRAISE = r"(?:ok(?:ay)?|great|perfect|nice|cool|got it|i see|understood|good (?:job|work)|well done|very (?:good|nice))"
GREETING = (
    r"(?:hi|hello|hey|good (?:morning|afternoon|evening)|hallo|bonjour|hola|ciao|guten tag|你好)"
    r"(?: (?:there|all|tablerag))?"
)
FAREWELL = r"(?:bye|goodbye|bye bye|see you(?: later)?|tschüss|au revoir|adiós|ciao)"
HELP = (
    r"(?:help|what (?:can|do) you do(?: for me)?|how (?:does this|do you|does it) work|who are you|what are you|"
    r"what can i (?:ask|do)(?: you)?(?: here)?|how (?:can|do) i use (?:this|you)|what is this)"
)
THINGS = r"(?:tables?|documents?|files?|data(?:sets?| sources?)?|sources?)"
CONTENTS = (
    rf"(?:(?:what|which) {THINGS} (?:do you (?:have|know|see)|have you got|can (?:you see|i ask about)|exist|"
    r"(?:are|is) (?:there|available|loaded|ingested|indexed))(?: here| in (?:here|the corpus|this corpus))?|"
    rf"(?:list|show)(?: me)?(?: (?:all|the|your|available))* {THINGS}(?: (?:you have|there are))?|"
    r"what (?:do you know(?: about)?|is in (?:here|the corpus|this corpus)|can you tell me about))"
)
ASIDES: tuple[tuple[Aside, re.Pattern[str]], ...] = (
    ("thanks", re.compile(rf"{THANKS}|{PRAISE}(?: {THANKS})?")),
    ("greeting", re.compile(GREETING)),
    ("farewell", re.compile(rf"(?:{THANKS} )?{FAREWELL}")),
    ("contents", re.compile(CONTENTS)),
    ("help", re.compile(rf"(?:{GREETING} )?{HELP}")),
)
LONGEST = 80
"""Maximum length of an aside in characters; a longer message is a question."""
MOST_TABLES = 20
HELP_TEXT = (
    "I answer questions about your documents, from their tables and their text. Numbers are computed by SQL over whole "
    "tables and checked against the text; every answer shows its SQL, its rows and their sources. Ask, for example, "
    "for a total, an average, a ranking, a comparison, or what a document says about something; then ask follow-up "
    'questions ("and in 2013?"). "What tables do you have?" lists the tables.'
)


def aside_of(text: str) -> Aside | None:
    """Return which aside a message is; None for a question about the documents."""
    if len(text) > LONGEST:
        return None
    words = " ".join(re.sub(r"[^\w\s']+", " ", text.casefold()).split())
    if text and not words:  # only signs, such as "?"
        return "help"
    return next((kind for kind, pattern in ASIDES if pattern.fullmatch(words)), None)


def reply_to(aside: Aside, corpus: str, documents: int, schemas: Sequence[TableSchema]) -> str:
    """Return the reply to an aside; ``contents`` lists the corpus."""
    if aside == "contents":
        return _contents(corpus, documents, schemas)
    if aside == "help":
        return HELP_TEXT
    return {
        "thanks": "You are welcome. Ask me another question at any time.",
        "greeting": "Hello. What would you like to know about your documents?",
        "farewell": "Goodbye.",
    }[aside]


def _contents(corpus: str, documents: int, schemas: Sequence[TableSchema]) -> str:
    if not documents:
        return f"The corpus {corpus} has no documents yet: run `tablerag ingest PATH --corpus {corpus}` to add some."
    head = f"The corpus {corpus} has {counted(documents, 'document')} and {counted(len(schemas), 'table')}"
    if not schemas:
        return f"{head}."
    shown = schemas[:MOST_TABLES]
    lines = [f"- {s.name}: {counted(s.row_count, 'row')}, {_line(s.title)}, from {_line(s.source)}" for s in shown]
    more = [f"- and {len(schemas) - len(shown)} more"] if len(schemas) > len(shown) else []
    return "\n".join([f"{head}:", "", *lines, *more])


def _line(text: str) -> str:
    """Return a document's text in one line."""
    return " ".join(text.split())
