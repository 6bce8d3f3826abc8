"""The settings, read from the environment (and ``.env``) once; the only reader of the environment."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from tablerag.tools.access.api_keys import ApiKeys
from tablerag.tools.access.origins import read_origins
from tablerag.tools.errors import ConfigError

__all__ = ["Settings", "get_settings", "password_in", "read_settings"]


def _variable(name: str, default: Any, description: str) -> Any:
    """Return a field that is set by a provider's own variable."""
    return Field(default, validation_alias=AliasChoices(name), description=description)


def _urls_by_corpus(value: object) -> object:
    """Return the object in a JSON text; raise ValueError for another one."""
    if not isinstance(value, str):
        return value
    expected = 'expected a JSON object such as {"payroll": "http://127.0.0.1:8001"}'
    try:
        given = json.loads(value)
    except ValueError:
        raise ValueError(expected) from None
    if not isinstance(given, dict) or not all(isinstance(v, str) and v.startswith("http") for v in given.values()):
        raise ValueError(expected)
    return given


class Settings(BaseSettings):
    """All that a deployment may choose; every field is ``TABLERAG_<NAME>`` in the environment."""

    model_config = SettingsConfigDict(
        env_prefix="TABLERAG_",
        env_file=".env",
        extra="ignore",
        env_ignore_empty=True,
        populate_by_name=True,
        arbitrary_types_allowed=True,
        hide_input_in_errors=True,
    )

    home: Path = Field(Path(".tablerag"), description="Folder of the embedded stores")
    corpus: str = Field("default", description="Corpus used when none is named")
    database_url: str = Field(
        "", description="SQL database, with several hosts for a cluster; empty: files in the home"
    )
    query_database_url: str = Field(
        "", description="The same database, or replicas of it, as a SELECT-only user; empty: database_url"
    )
    vector_store: str = Field("", description="chroma or qdrant, with +URL for a server; empty: Chroma")
    chroma_url: str = Field("", description="Chroma server; empty: embedded Chroma in the home folder")

    chroma_urls: Annotated[dict[str, str], NoDecode, BeforeValidator(_urls_by_corpus)] = Field(
        default_factory=dict, description="JSON object of corpora and their own Chroma servers, beside chroma_url"
    )

    embedding: str = Field(
        "embedded", description="embedded, or openai:NAME for an OpenAI-compatible /embeddings endpoint"
    )
    embedding_url: str = Field(
        "", description="URL of that endpoint without /embeddings; empty: OPENAI_BASE_URL, or OpenAI's own"
    )
    embedding_api_key: SecretStr | None = Field(None, description="Key of that endpoint; empty: OPENAI_API_KEY")
    embedding_timeout_s: float = Field(60.0, gt=0, description="Timeout of a call of that endpoint in seconds")

    reranker: str = Field("embedded", description="embedded, the URL of a /rerank endpoint, or openai:NAME")
    reranker_model: str = Field("", description="Model that the /rerank endpoint should use; empty: its default")
    reranker_api_key: SecretStr | None = Field(None, description="Key of the /rerank endpoint")
    reranker_timeout_s: float = Field(30.0, gt=0, description="Timeout of a /rerank call in seconds")

    model: str = Field(
        "", description="PROVIDER:NAME, gguf:PATH or offline; empty: openai with a key or base URL, else offline"
    )
    openai_api_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices("OPENAI_API_KEY"), description="Key of the model's endpoint"
    )
    openai_base_url: str = Field(
        "",
        validation_alias=AliasChoices("OPENAI_BASE_URL"),
        description="URL of any OpenAI-compatible endpoint; empty: OpenAI's own",
    )
    anthropic_api_key: SecretStr | None = _variable("ANTHROPIC_API_KEY", None, "Key for anthropic:NAME")
    azure_openai_api_key: SecretStr | None = _variable("AZURE_OPENAI_API_KEY", None, "Key for azure:DEPLOYMENT")
    azure_openai_endpoint: str = _variable("AZURE_OPENAI_ENDPOINT", "", "URL of the Azure OpenAI resource")
    openai_api_version: str = _variable("OPENAI_API_VERSION", "", "Version of Azure OpenAI's API, e.g. 2024-10-21")
    google_api_key: SecretStr | None = _variable("GOOGLE_API_KEY", None, "Key for google:NAME")
    mistral_api_key: SecretStr | None = _variable("MISTRAL_API_KEY", None, "Key for mistral:NAME")
    ollama_host: str = _variable("OLLAMA_HOST", "", "URL of the server of ollama:NAME; empty: this machine's")
    gguf_context: int = Field(16_384, ge=512, description="Tokens that the model of gguf:PATH reads and writes at most")
    llm_timeout_s: float = Field(
        120.0, gt=0, description="Limit of one model call in seconds: retries and the whole of a streamed reply"
    )
    llm_retries: int = Field(3, ge=0, description="Retries of a model call on 429, 5xx and lost connections")
    llm_calls_per_minute: int = Field(0, ge=0, description="Most model calls of one process in a minute; 0: no limit")
    max_tokens_per_day: int = Field(
        0, ge=0, description="Most tokens of the model calls of one corpus in a day (UTC); 0: no limit"
    )
    llm_cache: str = Field("", description="SQLAlchemy URL of the cache of model calls; empty: no cache")

    chunk_tokens: int = Field(1000, ge=50, description="Tokens in a text chunk (TableRAG, section 4.1)")
    chunk_overlap: int = Field(200, ge=0, description="Tokens shared by neighbouring text chunks")
    max_file_mb: float = Field(400.0, gt=0, description="Larger files are reported and skipped")

    upload_max_mb: float = Field(50.0, gt=0, description="Larger files are refused by the page's upload")
    uploads: Path | None = Field(
        None, description="Folder of uploaded files, which all hosts must see; empty: in the home folder"
    )
    upload_max_files: int = Field(20, ge=1, le=1000, description="Files in one upload at most")

    checkpoint_url: str = Field(
        "", description="PostgreSQL or MySQL database of the server's threads; empty: a file in the home folder"
    )
    threads_keep_days: float = Field(
        0.0, ge=0, description="Days after which the server deletes threads that nobody used; 0: it keeps them"
    )
    request_timeout_s: float = Field(
        20.0, gt=0, description="Seconds that the head and the body of a request may take, longer bodies 1 s per 5 kB"
    )
    max_waiting_runs: int = Field(
        100, ge=1, description="Runs that may wait on the server; further ones are refused with 503 and Retry-After"
    )
    workers: int = Field(0, ge=0, le=64, description="Processes that read documents; 0: one for each core")
    read_timeout_s: float = Field(900.0, gt=0, description="Timeout for reading one document in seconds")
    read_memory_mb: int = Field(1000, ge=200, description="Memory of a process that reads documents, on Linux")

    ocr: Literal["auto", "off"] = Field(
        "auto", description="Whether scans and pictures are read by OCR if it is installed"
    )
    ocr_pages: int = Field(200, ge=1, description="Pages of one document that are read by OCR at most")

    lease_s: float = Field(
        60.0, gt=0, description="Seconds without a sign of life after which other hosts clean up after an ingest"
    )

    sql_timeout_s: float = Field(10.0, gt=0, description="Timeout of a SELECT in seconds")
    row_limit: int = Field(1000, ge=1, le=100_000, description="Rows that a SELECT may return")
    connection_most_rows: int = Field(
        200_000_000,
        ge=1,
        description="Rows that a SELECT may examine on a connected server, by its estimate",
    )

    api_keys: Annotated[ApiKeys, NoDecode, BeforeValidator(ApiKeys.read)] = Field(
        default_factory=ApiKeys, description="JSON object of the server's API keys and the corpora each may use"
    )
    allowed_origins: Annotated[tuple[str, ...], NoDecode, BeforeValidator(read_origins)] = Field(
        (), description="Origins, separated by commas, whose pages may call the server, beside Studio's and loopback"
    )

    @property
    def reads_pictures(self) -> bool:
        """Whether pictures are read by OCR where an engine is installed."""
        return self.ocr == "auto"

    @property
    def resolved_database_url(self) -> str:
        """The SQL database's URL, that of the embedded one when none is set."""
        return self.database_url or f"sqlite:///{self.home.resolve() / 'tables.db'}"

    def vector_store_of(self, corpus: str) -> str:
        """Return the name of a corpus's vector store, with + and its URL on a server; summaries are beside it."""
        own = self.chroma_urls.get(corpus.partition("~")[0])
        return f"chroma+{own}" if own else self.resolved_vector_store

    @property
    def resolved_vector_store(self) -> str:
        """The vector store's name where no corpus has its own, with + and its URL on a server."""
        return self.vector_store or (f"chroma+{self.chroma_url}" if self.chroma_url else "chroma")

    @property
    def resolved_model(self) -> str:
        """The reasoner's name: as set, else a model when one can be reached, else the embedded one."""
        if self.model:
            return self.model
        return "openai:gpt-4o-mini" if self.openai_api_key or self.openai_base_url else "offline"


@lru_cache(maxsize=1)
def get_settings() -> Settings:
    """Read the environment's settings; raise ConfigError as read_settings() does."""
    return read_settings()


def read_settings(**given: Any) -> Settings:
    """Read the settings, those given in place of the environment's.

    Raises ConfigError naming each invalid variable, and for a setting that does not exist.
    """
    unknown = next((name for name in given if name not in Settings.model_fields), None)
    if unknown is not None:
        raise ConfigError(f"unknown setting {unknown!r}: expected one of {', '.join(sorted(Settings.model_fields))}")
    try:
        return Settings(**given)
    except ValidationError as error:
        problems = "; ".join(map(_problem, error.errors()))
        raise ConfigError(f"invalid settings: {problems}. Fix the environment variable or .env") from error


def password_in(variable: str) -> str:
    """Return the password of a connected database in a variable of the environment or ``.env``; "" without one."""

    class Password(BaseSettings):
        model_config = SettingsConfigDict(env_file=".env", extra="ignore", hide_input_in_errors=True)
        value: SecretStr | None = Field(None, validation_alias=AliasChoices(variable))

    found = Password().value  # pyright: ignore[reportCallIssue]
    return found.get_secret_value() if found else ""


def _problem(error: Any) -> str:
    """Describe one invalid setting without its secrets."""
    got = "" if error["loc"] == ("api_keys",) else f" (got {error['input']!r})"
    name, *inside = map(str, error["loc"])
    variable = f"TABLERAG_{name.upper()}" if name in Settings.model_fields else name  # others are named by their alias
    return f"{'.'.join((variable, *inside))}: {error['msg'].removeprefix('Value error, ')}{got}"
