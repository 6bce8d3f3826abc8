"""What the documentation's pages hold: fenced blocks, inline code, links and headings."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

__all__ = ["PAGES", "ROOT", "anchors", "commands", "fences", "inline_commands", "links", "page_name"]

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "agent/offline/model/README.md")]
    + [p for p in (ROOT / "docs").rglob("*.md") if "_build" not in p.parts]
)
FENCE = re.compile(r"^( *)```(\w*|\{[\w-]+\})[^\n]*\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
STARTS = ("tablerag ", "make ", "python -m ", "pip install ")
OPERATORS = {"&&", "||", ";", "|", ">", "<"}


def page_name(page: Path) -> str:
    """Return a page's path below the repository."""
    return page.relative_to(ROOT).as_posix()


def fences(page: Path, language: str) -> list[str]:
    """Return the fenced blocks of one language."""
    return [body for _, found, body in FENCE.findall(page.read_text(encoding="utf-8")) if found == language]


def commands(page: Path) -> Iterator[list[str]]:
    """Yield the words of every command of the page's ``sh`` blocks and ``console`` transcripts."""
    lines = [line for block in fences(page, "sh") for line in block.replace("\\\n", " ").splitlines()]
    lines += [line[2:] for block in fences(page, "console") for line in block.splitlines() if line.startswith("$ ")]
    for line in lines:
        yield from _split(line)


def inline_commands(page: Path) -> Iterator[list[str]]:
    """Yield the words of every command that stands in the text; it may leave arguments out."""
    prose = FENCE.sub("", page.read_text(encoding="utf-8"))
    for code in re.findall(r"(?<!`)`([^`]+)`(?!`)", prose):
        text = " ".join(code.split())
        if text.startswith(STARTS):
            yield from _split(text)


def _split(line: str) -> Iterator[list[str]]:
    """Yield the commands of a shell line, without assignments before them and targets of redirection."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    words: list[str] = []
    redirected = False
    for word in [*lexer, ";"]:
        if word in OPERATORS:
            if words and not redirected:
                yield words
            redirected = word in "<>"
            words = []
        elif words or "=" not in word:
            words.append(word)


def links(page: Path) -> list[str]:
    """Return the targets of the page's links and images that lead to a file or heading."""
    prose = FENCE.sub("", page.read_text(encoding="utf-8"))
    found = re.findall(r"\]\(([^)\s]+)\)", prose)
    return [target for target in found if not re.match(r"[a-z]+:", target)]


def anchors(page: Path) -> set[str]:
    """Return the anchors of the page's headings, as Markdown renderers form them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings}
