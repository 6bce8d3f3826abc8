"""A small set in OTT-QA's layout: a cup of three seasons, whose riders have passages; and tables that do not fit."""

import gzip
import json
from pathlib import Path

__all__ = ["HEADER", "write_native"]

HEADER = ["Rider", "Team", "Coach", "Nation", "Points", "First race"]
TEAMS = ("Alpha Racing", "Beta Motors", "Gamma Works", "Delta Union")
COACHES = ("Oda Berg", "Per Dahl", "Sif Lund")
NATIONS = ("Norway", "Chile", "Japan")
NAMES = ("Ada", "Bo", "Cyr", "Dov", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lou")
SURNAMES = {2001: "North", 2002: "South", 2003: "West"}


def _row(season: int, i: int) -> list[str]:
    points = (i * 37 + season * 11) % 97 + i
    team = TEAMS[(i * i + season) % 3 if i % 5 else 3]
    coach, nation = COACHES[(i * 5 + season + i // 3) % 3], NATIONS[(i + i // 4) % 3]
    return [f"{NAMES[i]} {SURNAMES[season]}", team, coach, nation, str(points), f"{1980 + (i * 7 + season) % 20}"]


def _table(id_: str, title: str, header: list[str], rows: list[list[str]]) -> dict[str, object]:
    return {"id": id_, "title": title, "section": "Riders", "intro": "", "header": header, "rows": rows}


def _tables() -> list[dict[str, object]]:
    cups = [
        _table(f"{season}_Alpine_Cup_0", f"{season} Alpine Cup", HEADER, [_row(season, i) for i in range(12)])
        for season in SURNAMES
    ]
    narrow = _table("n", "Narrow", ["A", "B"], [["1", str(i)] for i in range(30)])
    unnamed = _table("u", "Unnamed", ["", *"abcdef"], [[*"1234567"]] * 30)
    twice = _table("t", "Winter Cup", [*HEADER, "Note"], [[*_row(2001, 1), "x"]] * 25)
    return [*cups, narrow, unnamed, twice]


def _passages() -> list[dict[str, str]]:
    riders = [f"{name} {surname}" for name in NAMES for surname in SURNAMES.values()]
    texts = {
        person: f"{person} ( born {i % 28 + 1} May {1950 + i} ) is an alpine rider , later a coach of racing teams ."
        for i, person in enumerate([*riders, *COACHES])
    }
    texts["Alpha Racing"] = "Alpha Racing is an alpine team of riders from Norway . The team was founded in 1950 ."
    texts["Japan"] = "Japan is an island country ."
    return [{"title": title, "text": text} for title, text in texts.items()]


def write_native(folder: Path) -> Path:
    """Write tables.jsonl.gz and passages.jsonl.gz; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, entries in (("tables", _tables()), ("passages", _passages())):
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(e) + "\n" for e in entries)
    return folder
