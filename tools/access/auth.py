"""langgraph.json's "auth": an API key reaches its own threads, assistants, crons, items and corpora only.

Without TABLERAG_API_KEYS nobody needs a key, and Gate in tools/access/requests.py accepts this machine only. The
corpora that a request names are checked here, those that its run uses in tools/access/corpora.py.
"""

from collections.abc import Mapping
from typing import Any

from langgraph_sdk import Auth

from tablerag.tools.access.api_keys import key_in
from tablerag.tools.errors import AccessDenied, ConfigError
from tablerag.tools.settings import get_settings

__all__ = ["auth", "refuse_foreign", "user_of"]

Filter = dict[str, Any] | None
OWNER = "owner"
SYSTEM = {"created_by": "system"}
"""Metadata of the server's own assistants, one for each graph."""
WRITES = ("create", "update", "create_run")

try:
    KEYS = get_settings().api_keys
except ConfigError as error:  # the server would start, then fail every request
    raise SystemExit(f"tablerag: {error}") from None

auth = Auth()


@auth.authenticate
async def authenticate(headers: dict[bytes, bytes]) -> Auth.types.MinimalUserDict:
    """Return the owner of a request's key; without keys in the settings every caller is the same."""
    return user_of(key_in({name.decode("latin-1"): value.decode("latin-1") for name, value in headers.items()}))


def user_of(key: str) -> Auth.types.MinimalUserDict:
    """Return the owner of a key; raise the server's 401 for a missing or unknown one."""
    if not KEYS:
        return {"identity": "local", "is_authenticated": False}
    if not key:
        raise Auth.exceptions.HTTPException(401, "missing API key: send X-Api-Key or Authorization: Bearer")
    owner = KEYS.owner_of(key)
    if not owner:
        raise Auth.exceptions.HTTPException(401, "unknown API key: check it for typos")
    return {"identity": owner}


@auth.on
async def others(ctx: Auth.types.AuthContext, value: Any) -> bool:
    """Refuse everything that no rule below covers."""
    return not KEYS


@auth.on.threads
async def threads(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> Filter:
    """Restrict threads and their runs to their owner."""
    if ctx.action == "create_run":
        given = value.get("kwargs") or {}
        refuse_foreign(ctx, given.get("context"), given.get("config"))
    return _owned(ctx, value)


@auth.on.assistants
async def assistants(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> Filter:
    """Restrict assistants to their owner; everyone may read the server's own."""
    refuse_foreign(ctx, value.get("context"), value.get("config"))
    if KEYS and ctx.action in WRITES and SYSTEM.keys() & (value.get("metadata") or {}).keys():
        raise Auth.exceptions.HTTPException(403, "created_by is reserved for the server: remove it from the metadata")
    mine = _owned(ctx, value)
    return {"$or": [mine, SYSTEM]} if mine and ctx.action in ("read", "search") else mine


@auth.on.crons
async def crons(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> Filter:
    """Restrict cron jobs to their owner."""
    payload = value.get("payload") or {}
    refuse_foreign(ctx, payload.get("context"), payload.get("config"))
    return _owned(ctx, value)


@auth.on.store
async def store(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> None:
    """Prefix each owner's items with the owner's name."""
    if KEYS:
        namespace = tuple(value.get("namespace") or ())
        own = (ctx.user.identity,)
        value["namespace"] = namespace if namespace[:1] == own else own + namespace


def _owned(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> Filter:
    """Tag what is written with its owner, and return the filter that matches only the owner's resources."""
    if not KEYS:
        return None
    mine = {OWNER: ctx.user.identity}
    if ctx.action in WRITES:
        if value.get("metadata") is None:
            value["metadata"] = {}
        value["metadata"].update(mine)  # in place: the server stores this dict
    return mine


def refuse_foreign(
    ctx: Auth.types.AuthContext, context: Mapping[str, Any] | None, config: Mapping[str, Any] | None
) -> None:
    """Refuse a corpus that the key has no access to."""
    configurable = (config or {}).get("configurable") or {}
    for corpus in filter(None, ((context or {}).get("corpus"), configurable.get("corpus"))):
        try:
            KEYS.require(ctx.user.identity, str(corpus))
        except AccessDenied as error:
            raise Auth.exceptions.HTTPException(403, str(error)) from None
