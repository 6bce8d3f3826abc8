"""The child of tools/sandbox.py: reads tables and a program from stdin, locks itself up, runs it, writes the answer.

Run as a script of its own, by ``python -I``; it imports nothing of this project. What each layer stops is said in
tools/sandbox.py. Everything that a program may need is loaded before the doors are shut: afterwards no file opens.
"""

import ast
import builtins
import contextlib
import ctypes
import io
import json
import os
import resource
import sys
from typing import Any

ALLOWED_IMPORTS = frozenset(
    "math re datetime statistics collections itertools functools decimal fractions json string pandas numpy".split()
)
REFUSED_NAMES = frozenset(
    "open exec eval compile __import__ input breakpoint globals locals vars memoryview help exit quit getattr setattr "
    "delattr".split()
)
"""Taken out of the program's builtins."""
REFUSED_ATTRIBUTES = frozenset(
    "gi_frame gi_code cr_frame cr_code ag_frame f_globals f_locals f_builtins f_back f_code tb_frame tb_next "
    "func_globals func_code ctypes ctypeslib sys os io modules builtins subprocess socket loader importlib f2py "
    "testing eval query to_pickle read_pickle to_csv read_csv to_sql read_sql to_excel read_excel to_parquet "
    "read_parquet to_hdf read_hdf to_feather read_feather to_stata read_stata to_orc read_orc read_html read_xml "
    "to_xml read_json read_table read_clipboard to_clipboard read_fwf read_sas read_spss read_gbq fromfile tofile "
    "memmap loadtxt savetxt genfromtxt load save savez".split()
)
"""Ways out of the language, and pandas' and numpy's own ways to files: refused by name, with a clear error."""
ALLOWED_EVENTS = frozenset(
    "compile exec object.__getattr__ object.__setattr__ sys._getframe sys._getframemodulename builtins.id "
    "array.__new__ time.sleep sys.unraisablehook sys.excepthook".split()
)
"""Audit events of harmless work (named tuples are compiled, too); every other one is refused."""
NOBODY = 65534
CLONE_NEWUSER, CLONE_NEWNET, CLONE_NEWIPC = 0x10000000, 0x40000000, 0x08000000
PR_SET_NO_NEW_PRIVS, PR_SET_DUMPABLE = 38, 4
MOST_ANSWERS = 1000


class Refused(Exception):
    """The program tried what it may not."""


def checked(code: str) -> ast.Module:
    """Parse the program; raise Refused for imports and names that lead out of the sandbox."""
    tree = ast.parse(code, "program")
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
            for name in names:
                if name.partition(".")[0] not in ALLOWED_IMPORTS or "." in name:
                    raise Refused(f"import of {name!r} is refused: only {', '.join(sorted(ALLOWED_IMPORTS))}")
            attributes = [a.name for a in node.names] if isinstance(node, ast.ImportFrom) else []
        else:
            attributes = [getattr(node, "attr", None) or getattr(node, "id", None) or ""]
        for name in attributes:
            if (name.startswith("__") and name != "__name__") or name in REFUSED_ATTRIBUTES or name in REFUSED_NAMES:
                raise Refused(f"{name!r} is refused: use plain Python and pandas on the given tables")
    return tree


def frames(tables: dict[str, Any]) -> dict[str, Any]:
    """Make the DataFrames, and load now what pandas loads late."""
    import pandas as pd

    made = {name: pd.DataFrame(t["rows"], columns=t["columns"]) for name, t in tables.items()}
    warm = pd.DataFrame({"a": ["1", "2", None], "b": [1.0, 2.0, None], "c": ["x y", "z", "x"]})
    warm["d"] = pd.to_datetime(["2020-01-01", "2021-02-03", None])
    for value in (warm, warm.describe(), warm.groupby("c")["b"].agg(["sum", "mean"]), warm.pivot_table("b", "c")):
        str(value)
    warm.merge(warm, on="c").sort_values("c").drop_duplicates().value_counts()
    warm["a"].str.extract(r"(\d)"), warm["c"].str.split(expand=True), pd.to_numeric(warm["a"], errors="coerce")
    warm["d"].dt.strftime("%Y"), warm["b"].rolling(2).mean(), warm["b"].quantile(0.5), warm["b"].rank()
    warm["b"].astype("Int64").sum(), pd.cut(warm["b"], 2), warm.melt(), pd.concat([warm, warm]).reset_index()
    warm.resample("YE", on="d")["b"].sum(), warm.to_dict("records"), warm.nlargest(1, "b"), pd.get_dummies(warm["c"])
    pd.crosstab(warm["a"], warm["c"]), warm["b"].interpolate(), warm.apply(len, axis=1), warm.T.to_string()
    return made


def lock(limits: dict[str, int]) -> None:
    """Shut the doors that the kernel keeps: rights, network, files, processes, memory, time."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.unshare(CLONE_NEWNET | CLONE_NEWIPC if os.getuid() == 0 else CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC)
    if os.getuid() == 0:
        with contextlib.suppress(PermissionError):  # a root that may not change users: the other layers hold
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    os.chdir("/")
    seconds, size = limits["seconds"], limits["memory_mb"] * 1_000_000
    for what, most in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, size),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 3),
    ):
        resource.setrlimit(what, (most, most))


def watch(event: str, _: tuple[Any, ...]) -> None:
    """Refuse every audited event that is not known to be harmless."""
    if event == "import":
        raise ImportError("nothing more can be imported here")
    if event not in ALLOWED_EVENTS:
        raise Refused(f"{event} is refused")


def allowed_import(name: str, _globals: Any = None, _locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
    """Import one of the allowed modules, all of which are loaded."""
    if level or name not in ALLOWED_IMPORTS:
        raise ImportError(f"import of {name!r} is refused: only {', '.join(sorted(ALLOWED_IMPORTS))}")
    return sys.modules[name]


def plain(value: Any) -> list[str]:
    """Return an answer as texts: of a Series its values, of a list its items."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    items = list(value) if isinstance(value, (list, tuple, set, frozenset)) else [value]
    texts = [_text(i) for i in items[:MOST_ANSWERS] if i is not None and i == i]
    return [t for t in texts if t]


def _text(item: Any) -> str:
    if isinstance(item, float):
        return f"{item:.10g}"
    return str(item).strip()[:MOST_ANSWERS]


def main() -> None:
    """Read the job, lock up, run, write one JSON object: {answer} or {error}."""
    job = json.load(sys.stdin)
    out, sys.stdout, sys.stderr = sys.stdout, io.StringIO(), io.StringIO()
    program = compile(checked_or_said(job["code"], out), "program", "exec")
    try:
        for name in ALLOWED_IMPORTS:
            __import__(name)
        tables = frames(job["tables"])
    except ImportError as error:
        print(json.dumps({"missing": str(error)}), file=out)
        return
    safe = {k: v for k, v in vars(builtins).items() if k not in REFUSED_NAMES} | {"__import__": allowed_import}
    space = {
        "__builtins__": safe, "__name__": "program", "tables": tables, "pd": sys.modules["pandas"],
        "np": sys.modules["numpy"],
    }  # fmt: skip
    answered: dict[str, Any] = {"error": "the program set no variable named answer"}
    lock(job["limits"])
    sys.addaudithook(watch)
    try:
        exec(program, space)
        if "answer" in space:
            answered = {"answer": plain(space["answer"])}
    except MemoryError:
        answered = {"error": "it ran out of memory"}
    except BaseException as error:
        answered = {"error": f"{type(error).__name__}: {error}"[:2000]}
    print(json.dumps(answered), file=out, flush=True)


def checked_or_said(code: str, out: Any) -> ast.Module:
    """Return the parsed program, or write why it is refused and end."""
    try:
        return checked(code)
    except (Refused, SyntaxError, ValueError, RecursionError, MemoryError) as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"[:2000]}), file=out, flush=True)
        sys.exit(0)


if __name__ == "__main__":
    main()
