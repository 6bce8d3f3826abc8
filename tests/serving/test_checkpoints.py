"""Saved threads: a damaged file is renamed when the server starts."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tablerag.serving import checkpoints

CONFIG = {"configurable": {"thread_id": "a", "checkpoint_ns": ""}}


async def stored() -> int:
    async with checkpoints.checkpointer() as saver:
        return len([found async for found in saver.alist(None)])


async def store() -> None:
    async with checkpoints.checkpointer() as saver:
        for number in range(40):
            saved = {"v": 1, "id": f"{number:02}", "ts": "", "channel_values": {"text": "x" * 900}}
            await saver.aput(CONFIG, saved | {"channel_versions": {}, "versions_seen": {}}, {}, {})


def overwritten(file: Path, start: int) -> None:
    content = bytearray(file.read_bytes())
    content[start : start + 4096] = random.Random(1).randbytes(4096)
    file.write_bytes(content)


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: overwritten(file, 0),
        lambda file: overwritten(file, 4096),
        lambda file: overwritten(file, 8192),
        lambda file: file.write_bytes(file.read_bytes()[:5000]),
    ],
)
def test_a_damaged_file_is_renamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], object]
) -> None:
    monkeypatch.setenv("TABLERAG_HOME", str(tmp_path))
    checkpoints.get_settings.cache_clear()
    asyncio.run(store())
    assert asyncio.run(stored()) == 40
    assert [f.name for f in tmp_path.iterdir() if "damaged" in f.name] == []
    damage(tmp_path / "threads.db")
    assert asyncio.run(stored()) == 0
    assert [f.name[:18] for f in tmp_path.glob("*.damaged-*")] == ["threads.db.damaged"]
    assert asyncio.run(stored()) == 0
    checkpoints.get_settings.cache_clear()
