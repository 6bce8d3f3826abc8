"""What a command writes when it ends, as a process of its own."""

import os
import subprocess
import sys
from pathlib import Path


def test_ingest_ends_without_warnings(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "sales.csv").write_text("region,amount\nNorth,1\nSouth,2\n", encoding="utf-8")
    environment = os.environ | {"TABLERAG_HOME": str(tmp_path / "home"), "TABLERAG_MODEL": "offline"}
    for arguments in (["ingest", str(tmp_path / "docs")], ["sql", "SELECT SUM(amount) AS total FROM sales"]):
        command = [sys.executable, "-m", "tablerag.cli.app", *arguments]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, check=True)
        assert ended.stderr == ""
    assert "3" in ended.stdout
