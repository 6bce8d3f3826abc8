"""The Starlette app that langgraph.json names: routes of our own beside the server's, and what guards both."""

from starlette.applications import Starlette
from starlette.middleware import Middleware

from serving.gate import Gate

__all__ = ["app"]

app = Starlette(middleware=[Middleware(Gate)])
"""The server takes its routes and its middleware over."""
