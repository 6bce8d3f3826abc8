"""Questions that ask how to do something: texts may tell it, and no figure of a table does."""

import re

__all__ = ["HOW_TO", "asks_how_to"]

HOW_TO = "The question asks how to do something, which no table tells."
LEADS = (
    r"^\W*(?:(?:please|and|so|hi|hello|bitte|und)\W+)*"
    r"(?:(?:(?:can|could|would|will) you )?(?:tell|show|explain)(?: to)?(?: me| us)? |(?:i|we) (?:want|need) to know )?"
)
RESULT = r"(?:be|compare|count|differ|do|fare|perform|rank|rate|score|spend|split|stand)\b"
"""How somebody does or ranks is a figure."""
ENGLISH = (
    rf"{LEADS}how (?:to|(?:do|can|could|should|would|must|may|might) (?:i|we|you|one|people|someone|somebody|anyone)) "
    rf"(?!{RESULT})\w"
)
GERMAN_RESULT = r"(?:hab|hatt|lag|lieg|schneid|sind|steh|stand|viel|war|verteil|entwickel)\w*"
GERMAN = rf"{LEADS}wie (?!{GERMAN_RESULT} )\w+(?:e|en|t|st|ann|oll|uss|arf) (?:ich|wir|man)\b"
FRENCH = (
    rf"{LEADS}comment (?:puis-je|peut-on|pouvons-nous|dois-je|faut-il|fait-on|est-ce qu\w* ?(?:je|on|nous)"
    r"|\w+(?:er|ir|re))\b"
)
PATTERN = re.compile("|".join((ENGLISH, GERMAN, FRENCH)), re.IGNORECASE)


def asks_how_to(question: str) -> bool:
    """Tell whether a question asks for instructions.

    >>> asks_how_to("How do I get the donations report?"), asks_how_to("How do we compare to last year?")
    (True, False)
    """
    return PATTERN.match(" ".join(question.split())) is not None
