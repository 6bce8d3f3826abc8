"""aegra.json's "auth": who a request's key is. Aegra itself keeps threads, runs and assistants to their owners.

Its routes do not take the filters that the rules of tools/access/auth.py return.
"""

from collections.abc import Mapping
from typing import Any

from langgraph_sdk import Auth

from tablerag.tools.access import auth as own

__all__ = ["auth"]

auth = Auth()


@auth.authenticate
async def authenticate(headers: Mapping[str, str]) -> Auth.types.MinimalUserDict:
    """Return the owner of a request's key, as the development server does; "local" where no keys are needed."""
    user = await own.authenticate({name.encode("latin-1"): value.encode("latin-1") for name, value in headers.items()})
    return {**user, "is_authenticated": True}  # Aegra takes nobody else


@auth.on.assistants
async def assistants(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> None:
    """Refuse a corpus that the key has no access to; a run is checked again."""
    await own.assistants(ctx, value)
