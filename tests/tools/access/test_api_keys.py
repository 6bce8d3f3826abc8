"""Reading the deployment's API keys, and what each may use."""

import pytest

from tablerag.tools.access.api_keys import ApiKeys
from tablerag.tools.errors import ConfigError
from tablerag.tools.settings import get_settings


def test_each_key_has_its_corpora() -> None:
    keys = ApiKeys.read('{"one": ["a", "b"], "all": ["*"]}')
    owner = keys.owner_of("one")
    assert owner.startswith("key-") and "one" not in owner
    assert keys.corpora_of(owner) == {"a", "b"}
    assert keys.may_use(owner, "a") and not keys.may_use(owner, "c")
    assert keys.may_use(keys.owner_of("all"), "anything")
    assert "one" not in repr(keys)


@pytest.mark.parametrize("key", ["", "on", "ones", "One", "öne", "\udc80"])
def test_no_other_key_has_an_owner(key: str) -> None:
    assert ApiKeys.read('{"one": ["a"]}').owner_of(key) is None


def test_nobody_may_use_nothing() -> None:
    assert not ApiKeys().may_use("", "a")
    assert not ApiKeys.read("") and not ApiKeys.read("  ")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"secret-1": ["a"]', "it is no JSON"),
        ('["secret-1"]', "it is no object"),
        ("{}", "it is no object with keys"),
        ('{"secret-1": "a"}', "key 1 has no list of corpora"),
        ('{"secret-1": []}', "key 1 has no list of corpora"),
        ('{"secret-1": [""]}', "key 1 has no list of corpora"),
        ('{"fine": ["a"], "secret 1": ["a"]}', "key 2 cannot be sent in a header"),
        ('{"": ["a"]}', "key 1 cannot be sent in a header"),
        ('{"secret-1": ["a"], "secret-1": ["b"]}', "a key stands in it twice"),
    ],
)
def test_keys_that_cannot_be_read_are_refused_in_one_line(
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
