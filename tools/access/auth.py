"""langgraph.json's "auth": with TABLERAG_API_KEYS set, a key reaches its own threads and corpora, and nothing else.

Without keys nobody is asked who they are, and tools/access/gate.py answers this machine only. The corpora that a run
names are checked here, those that it uses in tools/access/runs.py.
"""

from collections.abc import Mapping
from typing import Any

from langgraph_sdk import Auth

from tablerag.tools.access.keys import key_in
from tablerag.tools.errors import ConfigError
from tablerag.tools.settings import get_settings

__all__ = ["auth"]

Filter = dict[str, Any] | None
OWNER = "owner"
SYSTEM = {"created_by": "system"}
"""What the server's own assistants, one for each graph, are marked with."""
WRITES = ("create", "update", "create_run")

try:
    KEYS = get_settings().api_keys
except ConfigError as error:  # the server would start, and fail at every request
    raise SystemExit(f"tablerag: {error}") from None

auth = Auth()


@auth.authenticate
async def authenticate(headers: dict[bytes, bytes]) -> Auth.types.MinimalUserDict:
    """Return whose key a request carries; without keys in the settings everyone is the same."""
    if not KEYS:
        return {"identity": "local", "is_authenticated": False}
    key = key_in({name.decode("latin-1"): value.decode("latin-1") for name, value in headers.items()})
    if not key:
        raise Auth.exceptions.HTTPException(401, "an API key is needed: send X-Api-Key or Authorization: Bearer")
    owner = KEYS.owner_of(key)
    if owner is None:
        raise Auth.exceptions.HTTPException(401, "this API key is not known here: check it for typing errors")
    return {"identity": owner}


@auth.on
async def others(ctx: Auth.types.AuthContext, value: Any) -> bool:
    """Refuse what no rule below knows."""
    return not KEYS


@auth.on.threads
async def threads(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> Filter:
    """Keep threads and their runs to their owner."""
    if ctx.action == "create_run":
        given = value.get("kwargs") or {}
        _refuse_foreign(ctx, given.get("context"), given.get("config"))
    return _owned(ctx, value)


@auth.on.assistants
async def assistants(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> Filter:
    """Keep assistants to their owner; the server's own are everyone's to read."""
    _refuse_foreign(ctx, value.get("context"), value.get("config"))
    if KEYS and ctx.action in WRITES and SYSTEM.keys() & (value.get("metadata") or {}).keys():
        raise Auth.exceptions.HTTPException(403, "created_by is the server's to say: leave it out of the metadata")
    mine = _owned(ctx, value)
    return {"$or": [mine, SYSTEM]} if mine and ctx.action in ("read", "search") else mine


@auth.on.crons
async def crons(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> Filter:
    """Keep cron jobs to their owner."""
    payload = value.get("payload") or {}
    _refuse_foreign(ctx, payload.get("context"), payload.get("config"))
    return _owned(ctx, value)


@auth.on.store
async def store(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> None:
    """Put each owner's items under the owner's name."""
    if KEYS:
        namespace = tuple(value.get("namespace") or ())
        own = (ctx.user.identity,)
        value["namespace"] = namespace if namespace[:1] == own else own + namespace


def _owned(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> Filter:
    """Mark what is written with its owner, and return the filter that only the owner's things pass."""
    if not KEYS:
        return None
    mine = {OWNER: ctx.user.identity}
    if ctx.action in WRITES:
        if value.get("metadata") is None:
            value["metadata"] = {}
        value["metadata"].update(mine)  # in place: the server writes this very dict
    return mine


def _refuse_foreign(
    ctx: Auth.types.AuthContext, context: Mapping[str, Any] | None, config: Mapping[str, Any] | None
) -> None:
    """Refuse a corpus that is named but not the key's."""
    configurable = (config or {}).get("configurable") or {}
    for corpus in ((context or {}).get("corpus"), configurable.get("corpus")):
        if KEYS and corpus and not KEYS.may_use(ctx.user.identity, str(corpus)):
            raise Auth.exceptions.HTTPException(403, f"this API key may not use the corpus {str(corpus)[:100]!r}")
