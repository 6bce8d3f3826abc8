"""The lexical index in tantivy: the contract, and what its files need."""

import os
import shutil
import time
from pathlib import Path

import pytest

from tablerag.tools.errors import DiskFull, StoreDamaged, StoreUnavailable
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.stores.tantivy_index import TantivyIndex
from tests.support.full_disk import files_of_at_most
from tests.tools.stores.lexical_index_contract import CHUNKS, LexicalIndexContract, Opens


class TestTantivy(LexicalIndexContract):
    @pytest.fixture
    def opens(self, tmp_path: Path) -> Opens:
        return lambda corpus="default": Services(Settings(home=tmp_path, _env_file=None)).lexical_index(corpus)


def test_another_layout_is_refused(tmp_path: Path) -> None:
    index = TantivyIndex("default", tmp_path)
    index.add(CHUNKS)
    (index.path / "layout").write_text("0", encoding="utf-8")
    with pytest.raises(StoreUnavailable, match="doctor --fix"):
        TantivyIndex("default", tmp_path).count()


def test_a_commit_within_one_tick_of_the_clock_is_seen(tmp_path: Path) -> None:
    index, other = TantivyIndex("default", tmp_path), TantivyIndex("default", tmp_path)
    index.add(CHUNKS[:1])
    meta = index.path / "meta.json"
    committed = meta.stat().st_mtime_ns
    assert other.count() == 1
    index.add(CHUNKS[1:2])
    os.utime(meta, ns=(committed, committed))
    assert other.count() == 2


def test_checks_of_merged_segments_are_forgotten(tmp_path: Path) -> None:
    index = TantivyIndex("default", tmp_path)
    for chunk in CHUNKS[:3] * 2:
        index.add([chunk])
        assert index.count()
    assert set(index._folder._checked) == set(index._folder._segment_files())


@pytest.mark.parametrize(
    ("pattern", "content", "reason"),
    [
        ("meta.json", b"{", ""),
        (".managed.json", b"words", ""),
        ("*.store", b"words", " ({name} has changed)"),
        ("*.idx", b"words", " ({name} has changed)"),
        ("*.pos", None, " ({name} has changed)"),
    ],
)
def test_damage_is_told_in_words_for_people(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], pattern: str, content: bytes | None, reason: str
) -> None:
    TantivyIndex("default", tmp_path).add(CHUNKS)
    copied = tmp_path / "copied"  # the library watches the files that it has opened
    shutil.copytree(tmp_path / "default", copied / "default")
    (file,) = (copied / "default").glob(pattern)
    whole = file.read_bytes()
    file.write_bytes(whole[:-9] + b"#" + whole[-8:] if content is None else content)
    says = set()
    for ask in (TantivyIndex.count, TantivyIndex.check, lambda i: i.search("Oslo", 3), lambda i: i.add(CHUNKS)):
        with pytest.raises(StoreDamaged) as caught:
            ask(TantivyIndex("default", copied))
        says.add(str(caught.value))
    reason = reason.format(name=file.name)
    doing = "read" if reason else "opened"
    fix = "run `tablerag doctor --fix`, which builds it again"
    assert says == {f"the lexical index in {copied / 'default'} is damaged and cannot be {doing}{reason}: {fix}"}
    assert capfd.readouterr().err == ""


def test_a_full_disk_is_named_and_the_lock_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = TantivyIndex("default", tmp_path)
    index.add(CHUNKS[:1])
    started = time.monotonic()
    with monkeypatch.context() as full, files_of_at_most(100):
        full.setattr("tablerag.tools.full_disk.has_room", lambda *_: False)
        with pytest.raises(DiskFull, match=r"cannot be written: free space on its disk and try again"):
            index.add(CHUNKS[1:2])
    index.add(CHUNKS[1:2])
    assert time.monotonic() - started < 20  # another writer waits for the lock for a minute
    assert index.count() == 2


def test_of_a_link_in_its_place_only_the_link_is_deleted(tmp_path: Path) -> None:
    (tmp_path / "others").mkdir()
    (tmp_path / "others" / "letter.txt").write_text("mine")
    (tmp_path / "default").symlink_to(tmp_path / "others")
    TantivyIndex("default", tmp_path).discard()
    assert not (tmp_path / "default").exists()
    assert (tmp_path / "others" / "letter.txt").exists()
