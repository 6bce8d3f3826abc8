"""What was computed lately is kept, within a size and for some minutes."""

import pytest

from tablerag.tools.recent import IDLE_S, Recent


def test_the_least_lately_used_are_dropped_when_all_are_too_large() -> None:
    kept, made = Recent[str, str](len, 10), list[str]()

    def of(key: str, value: str) -> str:
        return kept.of(key, lambda: made.append(key) or value)

    of("a", "1234"), of("b", "1234"), of("a", "-")
    assert of("c", "1234") == "1234"
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == ("1234", None, "1234")
    kept.keep("a", "12")
    assert of("d", "1234") and len(kept) == 3
    assert of("e", "12345678901") == "12345678901"
    assert len(kept) == 0, "it is too large by itself"
    assert made == ["a", "b", "c", "d", "e"]


def test_what_nobody_uses_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    monkeypatch.setattr("tablerag.tools.recent.monotonic", lambda: now)
    kept = Recent[str, str](len, 100)
    kept.keep("old", "x"), kept.keep("used", "x")
    now += IDLE_S * 0.9
    assert kept.get("used") == "x"
    now += IDLE_S * 0.9
    kept.keep("new", "x")
    assert [kept.get(k) for k in ("old", "used", "new")] == [None, "x", "x"]
