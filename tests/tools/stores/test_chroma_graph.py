"""A damaged graph of vectors is noticed before Chroma loads it, which would crash the process."""

import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tablerag.tools.errors import StoreDamaged, StoreUnavailable
from tablerag.tools.stores import chroma, chroma_engine
from tablerag.tools.stores.chroma import ChromaStore
from tablerag.tools.stores.chroma_graph import HEADER, Header, check_files, check_graph
from tablerag.tools.stores.window_store import collection_name
from tests.support.fakes import chunk

DIMENSION = 8
COUNT = 600
LOAD_UNCHECKED = """
import sys
from pathlib import Path
from tablerag.tools.stores import chroma, chroma_engine
chroma_engine.check_vectors = lambda *_: None
with chroma_engine.guarded(Path(sys.argv[1]), sys.argv[2]):
    chroma_engine.look(Path(sys.argv[1]), sys.argv[2])
"""


class FewNumbers:
    """An embedding that is quick to compute and store."""

    name, version = "few", "1"

    def embed_query(self, text: str) -> Sequence[float]:
        return random.Random(text).choices((-1.0, -0.5, 0.5, 1.0), k=DIMENSION)

    def embed_documents(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [self.embed_query(t) for t in texts]


def opened(folder: Path) -> ChromaStore:
    return ChromaStore("default", FewNumbers(), folder)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(chroma, "HNSW", {"space": "cosine", "batch_size": 10, "sync_threshold": 20})
        store = opened(folder)
        store.add([chunk(f"text {i}", id=f"c{i}", document_id=f"d{i % 50}") for i in range(COUNT)])
        store.delete_documents(["d7", "d9"])
        store.add([chunk(f"other text {i}", id=f"c{i}", document_id=f"d{i % 50}") for i in range(25)])
    return folder


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "chroma"))


def file_of(folder: Path, name: str) -> Path:
    (file,) = folder.glob(f"*-*-*/{name}")
    return file


def overwrite(file: Path, at: int, content: bytes) -> None:
    with file.open("r+b") as stream:
        stream.seek(at)
        stream.write(content)


def changed_header(**fields: int | float) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        file = file_of(folder, "header.bin")
        header = Header._make(HEADER.unpack(file.read_bytes()))
        file.write_bytes(HEADER.pack(*header._replace(**fields)))

    return change


def upper_neighbour(folder: Path) -> None:
    file = file_of(folder, "link_lists.bin")
    words = memoryview(file.read_bytes()).cast("I")
    first = next(i for i, word in enumerate(words) if word)
    overwrite(file, 4 * (first + 2), struct.pack("<I", COUNT + 5))


DAMAGES: dict[str, Callable[[Path], object]] = {
    "more elements than there are": changed_header(count=2_000),
    "a start that does not exist": changed_header(entry=1 << 30),
    "a level that does not exist": changed_header(top_level=9),
    "room for too many": changed_header(capacity=1 << 40),
    "elements of another size": changed_header(element_bytes=1 << 20),
    "levels without end": changed_header(level_factor=1e30),
    "a neighbour that does not exist": lambda f: overwrite(file_of(f, "data_level0.bin"), 4, b"\xff\xff\xff\x7f"),
    "too many neighbours": lambda f: overwrite(file_of(f, "data_level0.bin"), 0, b"\xff\xff"),
    "a neighbour above that does not exist": upper_neighbour,
    "levels cut off": lambda f: file_of(f, "link_lists.bin").write_bytes(b"\0" * 40),
    "vectors cut off": lambda f: file_of(f, "data_level0.bin").write_bytes(b"\0" * 4000),
    "a header cut off": lambda f: file_of(f, "header.bin").write_bytes(b"\1\0\0\0"),
    "no header": lambda f: file_of(f, "header.bin").unlink(),
    "no ids": lambda f: file_of(f, "index_metadata.pickle").unlink(),
    "no folder": lambda f: shutil.rmtree(file_of(f, "header.bin").parent),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_would_crash_is_noticed(folder: Path, damage: str) -> None:
    DAMAGES[damage](folder)
    for use in (
        lambda s: s.search("text 3", 5),
        lambda s: s.count(),
        lambda s: s.check(),
        lambda _: check_files(folder, collection_name("default")),
    ):
        with pytest.raises(StoreDamaged, match=r"(has changed\)|No such file).*run `tablerag doctor --fix`"):
            use(opened(folder))


def test_what_is_written_changed_and_deleted_is_sound(folder: Path) -> None:
    check_files(folder, collection_name("default"))
    store = opened(folder)
    store.check()
    assert len(store.search("text 3", 5)) == 5
    assert store.count() == opened(folder).count() == COUNT - 2 * COUNT // 50 + 2


def test_every_bit_of_the_header_that_matters_is_compared(folder: Path) -> None:
    file = file_of(folder, "header.bin")
    whole = file.read_bytes()
    unnoticed = set()
    for bit in range(len(whole) * 8):
        content = bytearray(whole)
        content[bit // 8] ^= 1 << bit % 8
        file.write_bytes(content)
        found, right = HEADER.unpack(content), HEADER.unpack(whole)
        try:
            check_graph(file.parent, DIMENSION)
        except ValueError:
            continue
        unnoticed |= {n for n, a, b in zip(Header._fields, found, right, strict=True) if a != b}
    assert unnoticed <= {"capacity", "count", "entry", "level_factor", "tried"}


def last_digit(folder: Path, text: bytes, last: bool) -> None:
    """Change an id in the direction from it to its label, or from its label to it."""
    file = file_of(folder, "index_metadata.pickle")
    content = file.read_bytes()
    at = content.rindex(text) if last else content.index(text)
    overwrite(file, at + len(text) - 1, b"X")


@pytest.mark.parametrize("last", [True, False])
def test_ids_that_are_not_those_of_the_vectors_are_noticed_by_the_doctor(folder: Path, last: bool) -> None:
    last_digit(folder, b"c123", last)
    with pytest.raises(StoreDamaged, match=r"index_metadata.pickle has changed\): run `tablerag doctor --fix`"):
        opened(folder).check()


def test_a_process_that_crashed_while_loading_is_remembered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed_header(entry=1 << 30)(folder)
    command = [sys.executable, "-c", LOAD_UNCHECKED, str(folder), collection_name("default")]
    assert subprocess.run(command, check=False).returncode < 0
    assert (folder / "loading").exists()
    monkeypatch.setattr(chroma_engine, "check_vectors", lambda *_: None)
    with pytest.raises(StoreDamaged, match=r"opened \(loading it crashes the process\): run `tablerag doctor --fix`"):
        opened(folder).search("text 3", 5)
    with pytest.raises(StoreDamaged, match="crashes the process"):
        opened(folder).check()
    opened(folder).discard()
    assert opened(folder).search("text 3", 5) == []


def test_a_process_that_was_killed_while_loading_costs_one_look(folder: Path) -> None:
    (folder / "loading").touch()
    assert len(opened(folder).search("text 3", 5)) == 5
    assert not (folder / "loading").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="has other permissions")
def test_a_folder_that_cannot_be_written_is_no_damage(written: Path) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(shutil.copytree(written, Path(place) / "chroma"))
        Path(place).chmod(0o755)
        is_root = os.geteuid() == 0
        for file in (*folder.rglob("*"), folder):
            file.chmod(0o555 if file.is_dir() else 0o444)
        try:
            if is_root:
                os.seteuid(65534)
            for use in (lambda s: s.search("text 3", 5), lambda s: s.count(), lambda s: s.check()):
                with pytest.raises(
                    StoreUnavailable, match=r"\(Permission denied\): check that the folder can be"
                ) as told:
                    use(opened(folder))
                assert not isinstance(told.value, StoreDamaged)
        finally:
            if is_root:
                os.seteuid(0)
            folder.chmod(0o755)
