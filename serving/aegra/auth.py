"""aegra.json's "auth": who a request's key is. Aegra itself keeps threads, runs and assistants to their owners.

Its routes do not take the filters that the rules of tools/access/auth.py return.
"""

from collections.abc import Mapping
from typing import Any

from langgraph_sdk import Auth

from tablerag.tools.access import auth as own
from tablerag.tools.access.api_keys import key_in

__all__ = ["auth"]

auth = Auth()


@auth.authenticate
async def authenticate(headers: Mapping[str, str]) -> Auth.types.MinimalUserDict:
    """Return the owner of a request's key, as the development server does; "local" where no keys are needed."""
    return {**own.user_of(key_in(headers)), "is_authenticated": True}  # Aegra takes nobody else


@auth.on.assistants
async def assistants(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> None:
    """Refuse a corpus that the key has no access to; a run is checked again."""
    own.refuse_foreign(ctx, value.get("context"), value.get("config"))
