"""Look up known vulnerabilities of this environment: python .ci/audit.py

pip-audit asks OSV, one distribution at a time. A vulnerability that a newer version fixes ends with status 1; any
other is only printed. Where OSV gives no answer, one line says so and the status is 0: that is no fault of a change.
"""

import json
import subprocess
import sys
import sysconfig
from typing import Any

__all__ = ["findings", "main"]

CONNECT_S = 5
MOST_S = 120
"""Two hundred answers take about twenty seconds."""


def findings(report: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return a line for each vulnerability that a newer version fixes, and for each other one."""
    fixed, open_ = [], []
    for one in report["dependencies"]:
        for found in one.get("vulns", ()):
            line = f"{one['name']} {one['version']}: {found['id']}"
            if found["fix_versions"]:
                fixed.append(f"{line}: raise it to {' or '.join(found['fix_versions'])} in constraints.txt")
            else:
                open_.append(f"{line}: no version fixes it")
    return fixed, open_


def main() -> int:
    """Print the findings and return the exit status."""
    options = f"--vulnerability-service osv --timeout {CONNECT_S} --progress-spinner off --format json".split()
    command = [sys.executable, "-m", "pip_audit", *options, "--path", sysconfig.get_path("purelib")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=MOST_S, check=False)
    except subprocess.TimeoutExpired:
        print(f"vulnerabilities were not looked up: no answer in {MOST_S} seconds")
        return 0
    try:
        fixed, open_ = findings(json.loads(done.stdout))
    except ValueError:
        said = done.stderr.strip().splitlines() or [f"pip-audit ended with status {done.returncode}"]
        print(f"vulnerabilities were not looked up: {said[-1][:200]}")
        return 0
    print("\n".join([*fixed, *open_]) or "no known vulnerability")
    return 1 if fixed else 0


if __name__ == "__main__":
    sys.exit(main())
