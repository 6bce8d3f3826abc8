"""Groups of commands, with whole sentences as help and modules that are imported at first use."""

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

__all__ = ["CommandGroup", "lazy_group"]


class CommandGroup(TyperGroup):
    """A group whose help shows the whole first sentence of each command."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands as a list of names and wrapped sentences."""
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, c.get_short_help_str(limit=1_000)) for name, c in found if c is not None and not c.hidden]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class LazyGroup(CommandGroup):
    """A group without commands of its own; its module's Typer app has them."""

    app = ""
    """The Typer app, as MODULE:NAME."""
    _loaded: TyperGroup | None = None

    def list_commands(self, ctx: Any) -> list[str]:
        """Import the module and return its commands' names."""
        return self._group().list_commands(ctx)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import the module and return one of its commands."""
        return self._group().get_command(ctx, cmd_name)

    def _group(self) -> TyperGroup:
        if self._loaded is None:
            module, _, name = self.app.partition(":")
            self._loaded = typer.main.get_group(getattr(import_module(module), name))
        return self._loaded


def lazy_group(app: str, help: str) -> typer.Typer:
    """Return a Typer app that loads the one named ``MODULE:NAME`` at first use; showing ``help`` does not."""
    return typer.Typer(cls=type("LazyGroup", (LazyGroup,), {"app": app}), help=help, no_args_is_help=True)
