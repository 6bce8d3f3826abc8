"""Parsing API keys, finding one in a request, and what each may use."""

import pytest

from tablerag.tools.access.api_keys import ApiKeys, key_in
from tablerag.tools.errors import AccessDenied, ConfigError
from tablerag.tools.settings import get_settings


def test_each_key_has_its_corpora() -> None:
    keys = ApiKeys.read('{"one": ["a", "b"], "all": ["*"]}')
    owner = keys.owner_of("one")
    assert owner.startswith("key-") and "one" not in owner
    assert keys.corpora_of(owner) == {"a", "b"}
    assert keys.may_use(owner, "a") and keys.may_use(owner, "b") and not keys.may_use(owner, "c")
    assert keys.may_use(keys.owner_of("all"), "anything")
    assert not keys.may_use("", "a") and not keys.may_use("nobody", "a")
    assert keys.corpora_of("nobody") == frozenset()
    assert "one" not in repr(keys)


def test_a_corpus_of_another_key_is_denied() -> None:
    keys = ApiKeys.read('{"one": ["a"]}')
    keys.require(keys.owner_of("one"), "a")
    for owner in (keys.owner_of("one"), ""):
        with pytest.raises(AccessDenied, match="this API key has no access to corpus 'b'"):
            keys.require(owner, "b")


@pytest.mark.parametrize("key", ["", "on", "ones", "One", "öne", "\udc80"])
def test_no_other_key_has_an_owner(key: str) -> None:
    assert ApiKeys.read('{"one": ["a"]}').owner_of(key) == ""


def test_without_keys_everybody_uses_everything() -> None:
    for keys in (ApiKeys(), ApiKeys.read(""), ApiKeys.read("  ")):
        assert not keys
        assert keys.corpora_of("") is None and keys.may_use("", "anything")


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
def test_a_key_is_found_in_either_header(headers: dict[str, str], key: str) -> None:
    assert key_in(headers) == key


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"secret-1": ["a"]', "invalid JSON"),
        ('["secret-1"]', "must be a non-empty object"),
        ("{}", "must be a non-empty object"),
        ('{"secret-1": "a"}', "key 1 has no list of corpora"),
        ('{"secret-1": []}', "key 1 has no list of corpora"),
        ('{"secret-1": [""]}', "key 1 has no list of corpora"),
        ('{"fine": ["a"], "secret 1": ["a"]}', "key 2 cannot be sent in a header"),
        ('{"": ["a"]}', "key 1 cannot be sent in a header"),
        ('{"secret-1": ["a"], "secret-1": ["b"]}', "duplicate key"),
    ],
)
def test_keys_that_cannot_be_parsed_are_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, text: str, says: str
) -> None:
    monkeypatch.setenv("TABLERAG_API_KEYS", text)
    get_settings.cache_clear()
    with pytest.raises(ConfigError) as refused:
        get_settings()
    shown = f"{refused.value} {refused.value.__cause__}"
    assert says in shown and "\n" not in str(refused.value)
    assert "secret-1" not in shown and "secret 1" not in shown
    get_settings.cache_clear()


def test_a_key_may_have_a_name_that_others_read() -> None:
    keys = ApiKeys.read('{"a-secret": {"corpora": ["x"], "name": "EMEA desk"}, "b-secret": ["x"]}')
    owner, nameless = keys.owner_of("a-secret"), keys.owner_of("b-secret")
    assert (keys.name_of(owner), keys.name_of(nameless), keys.name_of("")) == ("EMEA desk", nameless, "")


@pytest.mark.parametrize("name", ['""', "7", '" "', '"two\\nlines"', f'"{"x" * 61}"'])
def test_a_key_s_name_is_a_line(name: str) -> None:
    with pytest.raises(ValueError, match="key 1 name must be a text of 1 to 60 characters in one line"):
        ApiKeys.read(f'{{"a-secret": {{"corpora": ["x"], "name": {name}}}}}')
