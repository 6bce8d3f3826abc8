"""The words by which a question says what is to be computed."""

from tablerag.tools.number_words import CURRENCY, TEXT_SCALE, WORD_SCALE

__all__ = [
    "AVERAGE",
    "BEYOND",
    "BETWEEN",
    "COMPARISONS",
    "COUNT",
    "FIRST",
    "FORMS",
    "HIGHEST",
    "LAST",
    "LOWEST",
    "MONTHS",
    "NOISE",
    "NUMBER_WORDS",
    "OPERATION_WORDS",
    "PER",
    "SHARE",
    "SIZE_WORDS",
    "SUM",
    "WORD_COLUMNS",
]

BEYOND = (
    r"^(is|are|was|were|do|does|did|has|have|had|can|could)\b|\b(same|difference|differ|versus|consecutive|besides|"
    r"except|other than|aside from|how (many|much) (more|less|fewer|longer|older|higher)|more or less|both|neither|"
    r"older|younger|better|faster|slower|earlier|later|listed (above|below)|above or below|ratio|in a row|"
    r"how long|how old|time between|not|never|without|half|twice|double|every time|each time)\b"
)
"""Questions whose meaning these rules cannot express: they are left alone rather than misread."""
COUNT = r"\b(how many|number of|count of|count the|how often)\b"
SUM = r"\b(total|sum|altogether|combined|overall|in all)\b"
AVERAGE = r"\b(average|mean|on average|avg)\b"
SHARE = r"\b(what percentage|what percent|percentage of|percent of|share of|proportion of|what share|what proportion)\b"
PER = r"\b(?:per|by each|for each|in each|for every|by|each|of each)\s+(?:the\s+)?([\w ]+)"
HIGHEST = (
    r"\b(highest|most|largest|biggest|greatest|maximum|max|longest|tallest|latest|newest|heaviest|fastest|"
    r"top|best|oldest age|strongest|richest|widest|deepest|farthest|furthest|youngest|most recent|more than any)\b"
)
LOWEST = (
    r"\b(lowest|least|smallest|fewest|minimum|min|shortest|earliest|cheapest|lightest|slowest|worst|weakest|"
    r"poorest|narrowest|nearest|closest|oldest)\b"
)
FIRST = r"\b(first|listed first|top of the list)\b"
LAST = r"\b(last|listed last|bottom of the list|final)\b"
MONTHS = frozenset(
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
NUMBER_WORDS = {
    word: number
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
_N = rf"(?P<before>{CURRENCY})?\s*(?P<n>-?\d[\d,]*(?:\.\d+)?){TEXT_SCALE}?\s*%?"
COMPARISONS = (
    (">=", rf"\b(?:at least|no less than|not less than|minimum of)\s+{_N}"),
    ("<=", rf"\b(?:at most|no more than|not more than|up to|maximum of)\s+{_N}"),
    (">", rf"\b(?:more than|over|above|greater than|higher than|larger than|exceeding|exceed|exceeds|exceeded)\s+{_N}"),
    ("<", rf"\b(?:less than|under|below|fewer than|lower than|smaller than|cheaper than)\s+{_N}"),
    (">=", rf"{_N}\s+or (?:more|above|higher|greater|over)"),
    ("<=", rf"{_N}\s+or (?:less|below|fewer|lower|under)"),
    (">", rf"\bafter\s+{_N}"),
    (">=", rf"\bsince\s+{_N}"),
    ("<", rf"\bbefore\s+{_N}"),
    ("<=", rf"\buntil\s+{_N}"),
)
BETWEEN = (
    rf"\b(?:between|from)\s+{CURRENCY}?\s*(?P<low>-?\d[\d,]*(?:\.\d+)?)(?: ?(?P<low_scale>{WORD_SCALE}))?"
    rf"\s+(?:and|to)\s+{_N}"
)
OPERATION_WORDS = frozenset(
    """
    total sum altogether combined overall average mean avg percentage percent share proportion number count
    highest most largest biggest greatest maximum max longest tallest latest newest heaviest fastest top best strongest
    lowest least smallest fewest minimum min shortest earliest cheapest lightest slowest worst weakest oldest
    more less fewer than over under above below between before after since until exceeding exceed greater higher
    larger lower smaller first last listed amount value values per each every entire whole different distinct unique
    one two three four five six seven eight nine ten and or with having name list have has had all any sort order
    """.split()
)
FORMS = {
    form: word
    for word, forms in {
        "sell": "sold sale sales", "spend": "spent spending", "pay": "paid payment payments", "buy": "bought",
        "fly": "flew flown flight flights", "build": "built", "grow": "grew grown growth", "teach": "taught",
        "lend": "lent", "send": "sent", "lose": "lost loss losses", "choose": "chose chosen choice", "ship": "shipment",
        "drive": "drove driven", "weigh": "weight", "high": "height", "long": "length", "deep": "depth",
        "wide": "width", "leave": "left", "earn": "earnings", "hire": "hiring",
    }.items()
    for form in forms.split()
}  # fmt: skip
"""Forms of a word that do not begin alike, as headers and questions use them."""
SIZE_WORDS = frozenset(
    "largest biggest longest tallest shortest smallest highest lowest deepest heaviest oldest newest cheapest".split()
)
"""Superlatives that speak of the one number a table holds, even when its header is not named."""
NOISE = frozenset(
    """
    win won winner play played score scored hold held lose lost receive received use used release released locate
    located happen happened occur occurred serve served appear appeared attend attended finish finished start started
    table row rows column entry entries record records item items document data information according given shown
    were was are is be been being did do does there their its placed made held found find called named listed came come
    take taken took get got gets gave belong belongs include includes included contain contains company year time
    people person place thing type kind
    """.split()
)
WORD_COLUMNS = {
    "who": ("name", "player", "person", "author", "director", "driver", "artist", "winner", "candidate", "manager"),
    "where": ("city", "location", "place", "country", "venue", "site", "state", "region", "town", "address"),
    "when": ("date", "year", "day", "time", "month"),
}
"""Columns that a question word asks for when no header is named."""
