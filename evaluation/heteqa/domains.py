"""What a table is about, in nine words: by the words of its title and headers."""

import re

__all__ = ["DOMAINS", "domain_of"]

DOMAINS: dict[str, re.Pattern[str]] = {
    name: re.compile(rf"\b(?:{words})", re.IGNORECASE)
    for name, words in {
        "sport": "draft|league|championship|olympic|medal(?!s? of honor)|season|football|soccer|grand prix|tour\\b|cup|"
        "athlet|golf|hockey|basketball|cycl|rac(?:e|ing)|jockey|horse|stadium|club|player|skating|tournament|nfl|nba|"
        "rugby|cricket|coach|curling|f\\.c\\.|ncaa",
        "film and television": "film|television|episode|series|actor|director|dancing|cartoon|looney|starring|"
        "academy award",
        "music": "music|album|song|single|artist|band|eurovision|concert|opera|hottest",
        "transport": "airport|rail|route|station|bridge|tunnel|ship|locomotive|airline|aircraft|highway|cruise|roller",
        "education": "school|universit|college|alumni|institution",
        "military": "battle|war|medal of honor|regiment|navy|army|weapon|detainee",
        "politics": "election|congress|parliament|minister|candidate|party|senate|governor|constituency|capital",
        "places and buildings": "mountain|peak|volcano|building|church|historic|island|lake|county|river|monolith|"
        "castle|landmark|township|village|city",
        "business and technology": "compan|billionaire|net worth|software|system|video game|product|brand|bank|store",
    }.items()
}
"""Nine domains, looked for in this order."""


def domain_of(title: str, header: tuple[str, ...]) -> str:
    """Return the domain that most words of title and header speak for; "other" when none does."""
    text = f"{title} {title} {' '.join(header)}"
    counted = {name: len(pattern.findall(text)) for name, pattern in DOMAINS.items()}
    best = max(counted, key=lambda name: counted[name])
    return best if counted[best] else "other"
