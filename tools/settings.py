"""The settings, read from the environment (and ``.env``) once; the only reader of the environment."""

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import AliasChoices, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from tablerag.tools.access.api_keys import ApiKeys
from tablerag.tools.errors import ConfigError

__all__ = ["Settings", "get_settings"]


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
    database_url: str = Field("", description="SQL database; empty: SQLite in the home folder")
    query_database_url: str = Field("", description="The same database as a SELECT-only user; empty: database_url")
    chroma_url: str = Field("", description="Chroma server; empty: embedded Chroma in the home folder")

    reranker: str = Field("embedded", description="embedded, the URL of a /rerank endpoint, or openai:NAME")
    reranker_model: str = Field("", description="Model that the /rerank endpoint is asked for; empty: its own")
    reranker_api_key: SecretStr | None = Field(None, description="Key of the /rerank endpoint")
    reranker_timeout_s: float = Field(30.0, gt=0, description="Seconds before a /rerank call is given up")

    model: str = Field("", description="openai:NAME or offline; empty: openai with a key or base URL, else offline")
    openai_api_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices("OPENAI_API_KEY"), description="Key of the model's endpoint"
    )
    openai_base_url: str = Field(
        "",
        validation_alias=AliasChoices("OPENAI_BASE_URL"),
        description="URL of any OpenAI-compatible endpoint; empty: OpenAI's own",
    )
    llm_timeout_s: float = Field(120.0, gt=0, description="Seconds before one model call is given up")
    llm_retries: int = Field(3, ge=0, description="Retries of a model call on 429, 5xx and lost connections")
    llm_calls_per_minute: int = Field(0, ge=0, description="Model calls of one process at most; 0: no limit")
    llm_cache: str = Field("", description="SQLAlchemy URL of a cache of model calls; empty: none")

    chunk_tokens: int = Field(1000, ge=50, description="Tokens in a text chunk (TableRAG, section 4.1)")
    chunk_overlap: int = Field(200, ge=0, description="Tokens shared by neighbouring text chunks")
    max_file_mb: float = Field(400.0, gt=0, description="Larger files are reported and skipped")

    upload_max_mb: float = Field(50.0, gt=0, description="Larger files are not taken by the page's upload")
    upload_max_files: int = Field(20, ge=1, le=1000, description="Files that one upload may bring")

    workers: int = Field(0, ge=0, le=64, description="Processes that read documents; 0: one for each core")
    read_timeout_s: float = Field(900.0, gt=0, description="Seconds before reading one document is given up")

    sql_timeout_s: float = Field(10.0, gt=0, description="Seconds before a SELECT is ended")
    row_limit: int = Field(1000, ge=1, le=100_000, description="Rows that a SELECT may return")

    api_keys: Annotated[ApiKeys, NoDecode, BeforeValidator(ApiKeys.read)] = Field(
        default_factory=ApiKeys, description="JSON object of the server's API keys and the corpora each may use"
    )

    @property
    def resolved_database_url(self) -> str:
        """The SQL database's URL, the embedded SQLite file when none is set."""
        return self.database_url or f"sqlite:///{self.home.resolve() / 'tables.db'}"

    @property
    def resolved_model(self) -> str:
        """The reasoner's name: as set, else a model when one can be reached, else the embedded one."""
        if self.model:
            return self.model
        return "openai:gpt-4o-mini" if self.openai_api_key or self.openai_base_url else "offline"


@lru_cache(maxsize=1)
def get_settings() -> Settings:
    """Read the settings; raise ConfigError naming each variable that does not fit."""
    try:
        return Settings()
    except ValidationError as error:
        problems = "; ".join(map(_problem, error.errors()))
        raise ConfigError(f"settings are wrong: {problems}. Mend the environment or .env") from error


def _problem(error: Any) -> str:
    """Say what is wrong with one setting; secrets are not shown."""
    got = "" if error["loc"] == ("api_keys",) else f" (got {error['input']!r})"
    return f"{'.'.join(map(str, error['loc']))}: {error['msg']}{got}"
