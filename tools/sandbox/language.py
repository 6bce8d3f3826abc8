"""Restricts a program in Python itself: its source before it runs, and every audit event while it runs."""

import ast
import builtins
import sys
from collections.abc import Mapping
from typing import Any

__all__ = ["ALLOWED_IMPORTS", "Refused", "checked", "safe_builtins", "watch"]

ALLOWED_IMPORTS = frozenset(
    "math re datetime statistics collections itertools functools decimal fractions json string pandas numpy".split()
)
REFUSED_NAMES = frozenset(
    "open exec eval compile __import__ input breakpoint globals locals vars memoryview help exit quit getattr setattr "
    "delattr".split()
)
"""Removed from the program's builtins."""
REFUSED_ATTRIBUTES = frozenset(
    "gi_frame gi_code cr_frame cr_code ag_frame f_globals f_locals f_builtins f_back f_code tb_frame tb_next "
    "func_globals func_code ctypes ctypeslib sys os io modules builtins subprocess socket loader importlib f2py "
    "testing eval query to_pickle read_pickle to_csv read_csv to_sql read_sql to_excel read_excel to_parquet "
    "read_parquet to_hdf read_hdf to_feather read_feather to_stata read_stata to_orc read_orc read_html read_xml "
    "to_xml read_json read_table read_clipboard to_clipboard read_fwf read_sas read_spss read_gbq fromfile tofile "
    "memmap loadtxt savetxt genfromtxt load save savez".split()
)
"""Escapes from the language, and the file access of pandas and numpy: refused by name, with a clear error."""
ALLOWED_PRIVATE = frozenset(("__name__", "_asdict", "_fields", "_replace", "_make"))
"""Attributes of named tuples, which ``itertuples`` returns."""
ALLOWED_EVENTS = frozenset(
    "compile exec object.__getattr__ object.__setattr__ sys._getframe sys._getframemodulename builtins.id "
    "array.__new__ time.sleep sys.unraisablehook sys.excepthook".split()
)
"""Harmless audit events (named tuples are compiled, too); all others are refused."""


class Refused(Exception):
    """The program tried something that is not allowed."""


def checked(code: str) -> ast.Module:
    """Parse the program; raise Refused for imports and names that lead out of the sandbox."""
    tree = ast.parse(code, "program")
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
            for name in names:
                if name.partition(".")[0] not in ALLOWED_IMPORTS or "." in name:
                    raise Refused(f"import of {name!r} is not allowed: use only {', '.join(sorted(ALLOWED_IMPORTS))}")
            attributes = [a.name for a in node.names] if isinstance(node, ast.ImportFrom) else []
        elif isinstance(node, ast.MatchClass):
            attributes = node.kwd_attrs
        else:
            attributes = [getattr(node, "attr", None) or getattr(node, "id", None) or ""]
        for name in attributes:
            if _leads_out(name, own=isinstance(node, ast.Name)):
                raise Refused(f"{name!r} is not allowed: use plain Python and pandas on the given tables")
    return tree


def _leads_out(name: str, *, own: bool) -> bool:
    """Return whether a name is refused; ``own`` is true for a plain name, which may start with one underscore."""
    private = name.startswith("__" if own else "_") and name not in ALLOWED_PRIVATE
    return private or name in REFUSED_ATTRIBUTES or name in REFUSED_NAMES


def safe_builtins() -> Mapping[str, Any]:
    """Return Python's builtins without the refused names, and with an import of the allowed modules only."""
    return {k: v for k, v in vars(builtins).items() if k not in REFUSED_NAMES} | {"__import__": _allowed_import}


def _allowed_import(name: str, _globals: Any = None, _locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
    """Import one of the allowed modules, which are all loaded already."""
    if level or name not in ALLOWED_IMPORTS:
        raise ImportError(f"import of {name!r} is not allowed: use only {', '.join(sorted(ALLOWED_IMPORTS))}")
    return sys.modules[name]


def watch(event: str, _: tuple[Any, ...]) -> None:
    """Refuse every audit event that is not known to be harmless: a hook for sys.addaudithook()."""
    if event == "import":
        raise ImportError("no further modules can be imported")
    if event not in ALLOWED_EVENTS:
        raise Refused(f"{event} is not allowed")
