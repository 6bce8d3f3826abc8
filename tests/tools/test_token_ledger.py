"""Tokens by corpus and day, on both databases."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tablerag.tools import token_ledger
from tablerag.tools.services import Services
from tablerag.tools.token_ledger import TokenLedger


def test_tokens_are_counted_by_corpus_and_day(both: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = both.token_ledger
    assert ledger.spent("a") == 0
    both.catalog.create()
    ledger.add("a", 100)
    ledger.add("a", 20)
    ledger.add("b", 0)
    TokenLedger(both.database).add("b", 3)
    assert (ledger.spent("a"), ledger.spent("b"), ledger.spent("A")) == (120, 3, 0)
    monkeypatch.setattr(token_ledger, "_today", lambda: "2999-01-01")
    assert ledger.spent("a") == 0


def test_what_is_counted_at_the_same_time_is_not_lost(both: Services) -> None:
    both.catalog.create()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: TokenLedger(both.database).add("a", n), range(1, 21)))
    assert both.token_ledger.spent("a") == 210
