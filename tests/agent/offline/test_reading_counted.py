"""What is counted or ranked is what the question names: no rows that only name it, and nothing left unread."""

import pytest

from tests.agent.offline.conftest import Ask, is_unsure, misread

HERDS = {"Elm Farm": 103, "Oak Farm": 406, "Vale Creamery": 20, "Ash Farm": 88, "Hill Dairy": 12, "Moor Farm": 61}
FILES = {
    "client_register.csv": "ClNo,Name,Typ,Since,Herd\n"
    + "".join(
        f"{1001 + n},{name},{'DRY' if 'Farm' not in name else 'FRM'},201{n}-03-0{n + 1},{herd}\n"
        for n, (name, herd) in enumerate(HERDS.items())
    ),
    "codes.md": "# Codes used in the lab files\n\n## Client type\n\n| Code | Meaning |\n|---|---|\n"
    "| FRM | farm |\n| DRY | dairy |\n| VET | clinic |\n\n## Result\n\n| Code | Meaning |\n|---|---|\n"
    "| POS | positive |\n| NEG | negative |\n| REJ | rejected |\n",
    "samples_by_material.csv": "Material,Samples\nmilk,190\nblood,150\nfeed,60\n",
    "stops.csv": "Stop,Village,Rte\nS1,Thornby,A\nS2,Oxley,A\nS3,Kettleby,B\nS4,Marsh,B\n",
    "incident_book_2024.csv": "No,When,Depot,Kind,Cause\n"
    + "".join(
        f"{n},2024-{1 + n % 12:02d}-0{1 + n % 9},{('Leeds', 'York')[n % 2]},{('near miss', 'injury', 'damage')[n % 3]},"
        f"{('slip', 'collision')[n % 2]}\n"
        for n in range(1, 24)
    ),
    "parts_by_depot.html": "<table><tr><th rowspan=2>Part<th colspan=2>Pieces in depot<tr><th>Leeds<th>York"
    "<tr><td>Base jack<td>292<td>310<tr><td>Tube 3 m<td>120<td>80<tr><td>Board<td>40<td>55</table>",
    "visits.csv": "Stop,VisitDt,Vis\n"
    + "".join(f"S{1 + n % 4},2024-{1 + n // 4:02d}-{3 + n % 4:02d},{(9, 7, 2, 4)[n % 4] + n // 8}\n" for n in range(24))
    + "S2,2024-09-02,21\n",
}
VISITORS_OF_B = sum((2, 4)[n % 4 - 2] + n // 8 for n in range(24) if n % 4 > 1)

CASES = [
    ("What percentage of the samples was milk?", [(47.5,)]),
    ("Which farm has the biggest herd?", [("Oak Farm", 406)]),
    ("Which village had the most visitors?", [("Oxley", 7 * 6 + 2 * (0 + 1 + 2) + 21)]),
    ("How many visitors did route B have?", [(VISITORS_OF_B,)]),
    ("Average herd size?", [(115,)]),
    ("How many near misses were reported in 2024?", [(7,)]),
]
NOT_SURE = [
    "How many animals does Elm Farm keep?",  # one row has this name
    "How many days may a blood sample take?",
    "On average, how many people work at a farm?",
    "Total children's samples of milk?",
    "Who has worked at the lab longest?",
    "How many base jacks do we have?",
    "Why will the depot in York close?",
    "When does the lease of Elm Farm end?",
]


def test_what_is_named_is_counted_and_ranked(ask: Ask) -> None:
    assert not misread(ask, CASES)


@pytest.mark.parametrize("question", NOT_SURE)
def test_what_nothing_tells_is_not_sure(ask: Ask, question: str) -> None:
    assert is_unsure(ask(question))
