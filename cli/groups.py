"""Groups of commands, with whole sentences as help and modules that are imported at first use."""

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

__all__ = ["CommandGroup", "IngestCommand", "lazy_group"]


class CommandGroup(TyperGroup):
    """A group whose help shows the whole first sentence of each command."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands as a list of names and wrapped sentences."""
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, c.get_short_help_str(limit=1_000)) for name, c in found if c is not None and not c.hidden]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class IngestCommand(TyperCommand):
    """A command with ``--ray [ADDRESS]``: what follows the option and is no address is an argument of its own."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the address of a Ray on this machine in, where none is given."""
        if "--ray" in args:
            from tablerag.ingestion.ray_reading import LOCAL, is_address  # here: most ingests need none

            at = args.index("--ray") + 1
            if at == len(args) or not is_address(args[at]):
                args.insert(at, LOCAL)
        return super().parse_args(ctx, args)


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
