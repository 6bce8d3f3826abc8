"""Which corpora a request may use, by its headers: what routes of our own ask."""

import pytest

from tablerag.tools.access import keys
from tablerag.tools.access.keys import allowed_corpora, key_in, may_use
from tablerag.tools.settings import Settings


@pytest.fixture
def keyed(monkeypatch: pytest.MonkeyPatch):
    def set_keys(text: str) -> None:
        monkeypatch.setattr(keys, "get_settings", lambda: Settings(api_keys=text, _env_file=None))

    return set_keys


@pytest.mark.parametrize(
    ("headers", "key"),
    [
        ({}, ""),
        ({"x-api-key": " one "}, "one"),
        ({"authorization": "Bearer two"}, "two"),
        ({"authorization": "bearer  two"}, "two"),
        ({"authorization": "Basic two"}, ""),
        ({"authorization": "Bearer"}, ""),
        ({"x-api-key": "one", "authorization": "Bearer two"}, "one"),
    ],
)
def test_where_a_key_stands(headers: dict[str, str], key: str) -> None:
    assert key_in(headers) == key


def test_with_keys_each_uses_its_own_corpora(keyed) -> None:
    keyed('{"one": ["a", "b"], "all": ["*"]}')
    assert allowed_corpora("one") == {"a", "b"}
    assert allowed_corpora("two") == allowed_corpora("") == frozenset()
    assert may_use({"x-api-key": "one"}, "b") and may_use({"x-api-key": "all"}, "z")
    assert not may_use({"x-api-key": "one"}, "c")
    assert not may_use({}, "a")


def test_without_keys_everybody_uses_everything(keyed) -> None:
    keyed("")
    assert allowed_corpora("") == {"*"}
    assert may_use({}, "anything")
