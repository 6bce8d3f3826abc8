"""What the codes of a column stand for, as its description in knowledge.yaml or in a database says."""

import re
from collections import Counter
from collections.abc import Collection, Sequence

from tablerag.tools.linking.keys import key_of
from tablerag.tools.records import Column

__all__ = [
    "LEAST_CODES",
    "LONGEST_CODE",
    "MOST_CODES",
    "NUMBER",
    "are_number_codes",
    "codes_in",
    "codes_of_column",
    "codes_told",
    "may_be_number_codes",
    "meanings_of",
]

LONGEST_CODE = 4
"""Characters of a code that a sentence explains."""
LEAST_CODES = 2
"""Codes of one column that a sentence must explain: one may be a word by chance."""
MOST_CODES = 12
"""Distinct values of a column of codes."""
NUMBER = re.compile(r"\d{1,2}")
"""A whole number that may be a code: years and amounts are longer."""
LEAST_SHARE = 0.75
"""The share of a column's numbers that must be explained for any of them to be a code."""
MEASURES = frozenset(
    """quantity quantities qty pieces pcs units count counts amount amounts total sum rating ratings score scores stars
    points marks grade grades rank ranking floor floors storey storeys rooms beds seats size stock age year years month
    months day days week weeks quarter hour hours minutes weight length width height distance price cost fee discount
    percent share rate capacity menge anzahl stuck stuckzahl betrag summe bewertung punkte etage etagen stockwerk
    geschoss note noten alter jahr jahre monat monate tag tage woche wochen quartal stunde stunden zimmer gewicht preis
    quantite nombre montant somme notes etages age annee mois jour jours semaine trimestre heure heures prix
    poids""".split()
)
"""Words of headers of what is counted or measured, whose numbers stand for nothing else."""
STATED = re.compile(r"(?<![\w.,])\d{1,2}(?![\d.,]?\d)")
SAYS = re.compile(r"(?:is|are|means|stands for|ist|bedeutet|est) ")
MEANING = r"(?!and |or |und |oder |et |ou )[^\W\d_][\w'’/ -]{1,60}?"
ENDS = r"(?= ?[,.;()\n]| (?:and|or|und|oder|et|ou) | [A-Z0-9]{1,4} ?[=:]|$)"
EQUALS = r"(?: ?[=:–] ?| [-—] | (?:means|stands for|bedeutet|steht für|signifie) )"

REST = re.compile(r" (?:by|in|of|at|to|from|for|on|between|von|in|an|bei|durch|par|de|à|pour) .*", re.IGNORECASE)
"""What follows the words that name the thing: "returned by the customer"."""


def codes_told(about: str, codes: Sequence[str]) -> dict[str, str]:
    """Return what a column's description says that its codes mean: as a list, or in a sentence.

    >>> codes_told("O: open; C: cancelled", ["O", "C"])
    {'O': 'open', 'C': 'cancelled'}
    >>> codes_told("State of the order (O = open, C = cancelled)", ["O", "C"])
    {'O': 'open', 'C': 'cancelled'}
    """
    told = (part.partition(":") for part in about.split(";") if ":" in part)
    known = {code.casefold() for code in codes}
    listed = {code.strip(): meaning.strip() for code, _, meaning in told if code.strip() and meaning.strip()}
    if found := {code: meaning for code, meaning in listed.items() if code.casefold() in known}:
        return found
    short = [code for code in codes if len(code) <= LONGEST_CODE and code == code.upper() and code in about]
    found = codes_in(f": {about}", short) if about else {}
    return found if len(found) >= LEAST_CODES else {}


def codes_of_column(column: Column, values: Sequence[str]) -> dict[str, str]:
    """Return what a column's description says that its values mean; nothing for numbers that are not codes."""
    told = codes_told(column.about, values) if column.about else {}
    if column.type == "text":
        return told
    return told if are_number_codes(column, values) and len(told) >= LEAST_SHARE * len(values) else {}


def may_be_number_codes(column: Column) -> bool:
    """Tell whether a column of whole numbers may hold codes, by its header and its description alone.

    With a description, that must explain some numbers.
    """
    if column.type != "integer" or column.unit or column.scale or column.kind not in ("", "id"):
        return False
    if not all(map(NUMBER.fullmatch, column.examples)) or _is_measured(column.header):
        return False
    stated = list(dict.fromkeys(STATED.findall(column.about)))
    return not column.about or len(codes_told(column.about, stated)) >= LEAST_CODES


def are_number_codes(column: Column, values: Collection[str]) -> bool:
    """Tell whether the distinct values of a column are few small numbers, and nothing counted or measured."""
    few = LEAST_CODES <= len(values) <= MOST_CODES and all(map(NUMBER.fullmatch, values))
    return few and not column.unit and not column.scale and not _is_measured(column.header)


def _is_measured(header: str) -> bool:
    return not MEASURES.isdisjoint(key_of(header.replace("_", " ")).split())


def codes_in(text: str, codes: Sequence[str], *, listed: bool = True) -> dict[str, str]:
    """Return what a sentence says that codes stand for: "A (running)", "A = running", "A - running", "(1) running".

    Also if they are only ``listed``, "A running, S spare".

    >>> codes_in("Conditions: 1 good, 2 fair, X taken out of use. REJ (rejected)", ["1", "2", "X"])
    {'1': 'good', '2': 'fair', 'X': 'taken out of use'}
    """
    found: dict[str, str] = {}
    for code in codes:
        one = re.escape(code)
        forms = [rf"(?<!\w){one}(?: ?\(({MEANING})\)|{EQUALS}({MEANING}){ENDS})"]
        if code.isdigit():
            forms = [rf"(?<![\d.])(?<!\d[,:/-]){forms[0]}", rf"\({one}\) ({MEANING}){ENDS}"]
        if listed:
            forms.append(
                rf"(?:(?<=[(,;:] )|(?<=\()|(?<= and )|(?<= or )|(?<= und )|(?<= oder )|(?<= et )|(?<= ou ))"
                rf"{one} ({MEANING}){ENDS}"
            )
        if said := re.search("|".join(forms), text):
            found[code] = SAYS.sub("", next(g for g in said.groups() if g).strip(), count=1)
    return found


def meanings_of(told: dict[str, str]) -> dict[str, str]:
    """Return codes by what they stand for, also by its first words where no other code has the same.

    >>> meanings_of({"R": "returned by the customer", "F": "sent in full", "P": "sent in part"})
    {'returned by the customer': 'R', 'sent in full': 'F', 'sent in part': 'P', 'returned': 'R'}
    """
    whole = {meaning: code for code, meaning in told.items()}
    heads = {meaning: REST.sub("", meaning) for meaning in whole}
    counts = Counter(head.casefold() for head in heads.values())
    alone = {head: whole[m] for m, head in heads.items() if counts[head.casefold()] == 1}
    return whole | {head: code for head, code in alone.items() if head not in whole}
