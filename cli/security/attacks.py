"""The attacks that are tried on a deployment: what each one tries, and what to do when it succeeds.

They change nothing: files are generated in a temporary folder and read in a reader process, statements only read.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from tablerag.cli.security import answers, files, home, server, statements
from tablerag.cli.security.deployment import Deployment, Skipped
from tablerag.tools.errors import TableRagError

__all__ = ["ATTACKS", "Attack", "Outcome", "attacked"]

State = Literal["ok", "warning", "broken", "skipped"]


@dataclass(frozen=True)
class Attack:
    """One kind of attack."""

    kind: str
    tried: str
    attempt: Callable[[Deployment], str]
    """Tries it; returns what went wrong, "" if nothing did. Raises Skipped for what this deployment does not have."""
    remedy: str
    failing: State = "broken"


@dataclass(frozen=True)
class Outcome:
    """How one kind of attack ended."""

    kind: str
    tried: str
    state: State
    says: str
    """What went wrong, or why it was skipped; "" if nothing did."""
    remedy: str


REPORT = "report it, see SECURITY.md"
LIMITS = f"{REPORT}; until then lower TABLERAG_SQL_TIMEOUT_S"
OLD = "restart the server with this version, by `make serve`"
ATTACKS = (
    Attack("numbers that freeze", "SQL functions of '1e99999999' and of 400 digits", statements.freezing, LIMITS),
    Attack("long values", "patterns and replacements over values of 100,000 characters", statements.long_values,
           LIMITS, "warning"),
    Attack("slow to check", "nested, chained and repeated statements, 20,000 characters", statements.slow_to_check,
           REPORT),
    Attack("borrowed names", "WITH under the name of a stored table and of the catalog", statements.borrowed_names,
           REPORT),
    Attack("hostile files", "a PDF and a workbook that unpack to 300 MB, read with 200; a file of NULs", files.hostile,
           f"{REPORT}; until then read no files of others"),
    Attack("forged agreement", "a model's reply with a made-up figure and a made-up quote", answers.forged, REPORT),
    Attack("live text", "links, images and HTML in a document's and a model's words", answers.live_text, REPORT),
    Attack("sandbox", "programs that open files, loop, fill memory and reach out", answers.sandboxed, REPORT),
    Attack("files of the home", "whether other users may read or change them", home.readable,
           "chmod -R o-rwx the folder of TABLERAG_HOME", "warning"),
    Attack("saved threads", "SQLite's check of threads.db", home.threads,
           "stop the server and move threads.db away: conversations are lost, documents are not"),
    Attack("health", "/ok", server.health, "restart the server"),
    Attack("other origins", "another site's page, and a form in place of JSON", server.origins, OLD),
    Attack("without a key", "no key and a wrong one, from another machine", server.keys,
           "set TABLERAG_API_KEYS, and restart the server"),
    Attack("open routes", "all routes of a server with keys, without a key", server.open_routes, OLD),
    Attack("full queue", "one run more than may wait, deleted again", server.full_queue, OLD, "warning"),
    Attack("overload", "five uploads at once that never end", server.overload, OLD, "warning"),
    Attack("slow requests", "a request whose head never ends", server.slow,
           f"set TABLERAG_REQUEST_TIMEOUT_S, and {OLD}", "warning"),
)  # fmt: skip
"""In the order in which they are tried; the last takes as long as the server's limit."""


def attacked(deployment: Deployment) -> Iterator[Outcome]:
    """Try each kind; one that cannot be tried does not stop the others."""
    for attack in ATTACKS:
        state: State = "ok"
        try:
            says = attack.attempt(deployment)
            state = attack.failing if says else "ok"
        except Skipped as why:
            state, says = "skipped", str(why)
        except TableRagError as error:
            state, says = "broken", str(error)
        yield Outcome(attack.kind, attack.tried, state, says, attack.remedy if says and state != "skipped" else "")
