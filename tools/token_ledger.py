"""How many tokens the model calls of each corpus cost each day, in the SQL database."""

from datetime import UTC, datetime

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from tablerag.tools.catalog_tables import TOKENS
from tablerag.tools.errors import StoreUnavailable
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.repeating import repeated_if_undone

__all__ = ["TokenLedger"]

COUNTING = "count tokens"


class TokenLedger:
    """Counts tokens by corpus and day (UTC). Processes that count at the same time lose nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._exists = False

    def spent(self, corpus: str) -> int:
        """Return today's tokens of a corpus; raise StoreUnavailable."""
        if not self._is_there():
            return 0
        wanted = select(TOKENS.c.tokens).where(TOKENS.c.corpus == corpus, TOKENS.c.day == _today())
        return sum(row.tokens for row in self._database.select(wanted))

    def add(self, corpus: str, tokens: int) -> None:
        """Add to today's tokens of a corpus; raise StoreUnavailable."""
        if not tokens:
            return
        if not self._is_there():
            with self._database.writing(COUNTING) as connection:
                TOKENS.create(connection, checkfirst=True)
        self._add(corpus, _today(), tokens)

    @repeated_if_undone
    def _add(self, corpus: str, day: str, tokens: int) -> None:
        more = update(TOKENS).where(TOKENS.c.corpus == corpus, TOKENS.c.day == day)
        with self._database.writing(COUNTING) as connection:
            if connection.execute(more.values(tokens=TOKENS.c.tokens + tokens)).rowcount:
                return
        try:
            with self._database.writing(COUNTING) as connection:
                connection.execute(insert(TOKENS).values(corpus=corpus, day=day, tokens=tokens))
        except StoreUnavailable as error:
            if not isinstance(error.__cause__, IntegrityError):
                raise
            with self._database.writing(COUNTING) as connection:  # another process was first
                connection.execute(more.values(tokens=TOKENS.c.tokens + tokens))

    def _is_there(self) -> bool:
        self._exists = self._exists or self._database.has_table(TOKENS.name)
        return self._exists


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
