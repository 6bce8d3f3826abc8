"""Which web pages may call the server, by their origins."""

import pytest

from tablerag.tools.access.origins import is_allowed_origin
from tablerag.tools.errors import ConfigError
from tablerag.tools.settings import read_settings

HOST = "rag.example:8080"
OTHERS = ("https://chat.example.com",)


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("http://rag.example:8080", True),
        ("https://RAG.example:8080", True),
        ("http://rag.example", False),
        ("http://rag.example:8080.evil.example", False),
        ("https://smith.langchain.com", True),
        ("http://smith.langchain.com", False),
        ("https://smith.langchain.com.evil.example", False),
        ("https://evilsmith.langchain.com", False),
        ("http://localhost:3000", True),
        ("http://127.0.0.1:5173", True),
        ("http://[::1]:3000", True),
        ("http://app.localhost", True),
        ("http://localhost.evil.example:3000", False),
        ("http://127.0.0.1.evil.example", False),
        ("https://chat.example.com", True),
        ("https://chat.example.com:444", False),
        ("https://evil.example", False),
        ("null", False),
        ("", False),
        ("file://", False),
        ("http://localhost:port", False),
        ("http://[::1", False),
    ],
)
def test_own_pages_studio_loopback_and_named_origins_are_allowed(origin: str, allowed: bool) -> None:
    assert is_allowed_origin(origin, HOST, OTHERS) is allowed


def test_origins_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERAG_ALLOWED_ORIGINS", "https://Chat.example.com, http://intranet:8080,")
    assert read_settings().allowed_origins == ("https://chat.example.com", "http://intranet:8080")


@pytest.mark.parametrize(
    "given", ["*", "https://*.example.com", "chat.example.com", "https://chat.example.com/app", "https://a b"]
)
def test_what_is_not_an_origin_is_refused(given: str) -> None:
    with pytest.raises(ConfigError, match="TABLERAG_ALLOWED_ORIGINS: invalid origin .* expected origins separated"):
        read_settings(allowed_origins=given)
