"""Real broken, locked and odd files: each has a status, none ends the reader. Also: a worker dies with its parent."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ingest.settings import OcrMode
from verify.domain.document import SourceStatus

REPO = Path(__file__).resolve().parents[3]
PASSWORDS = {
    "pdfminer.six__rc4-40.pdf": "baz", "pdfminer.six__aes-128.pdf": "foo", "pdfminer.six__aes-256-r6.pdf": "usersecret",
    "pypdf__r6-user-password.pdf": "asdfzxcv", "camelot__health_protected.pdf": "userpass",
}  # fmt: skip
UNKNOWN = {"tika__testUnicodePassword.pdf", "pdf.js__auth-event-ef-open.pdf"}


def read_folder(matter: Any, folder: Path) -> dict[str, SourceStatus]:
    matter.root = folder
    matter.read()
    return {path: record.status for path, record in matter.records().items()}


def test_damaged_files_have_a_status_each(matter: Any, shared: Path) -> None:
    folder = shared / "corpus/corrupt"
    statuses = read_folder(matter, folder)
    assert set(statuses) >= {file.name for file in folder.iterdir()}
    assert statuses["pdfplumber__empty.pdf"] is SourceStatus.UNREADABLE
    assert statuses["docsplit__actually_a_doc.pdf"] is SourceStatus.UNSUPPORTED
    assert statuses["docsplit__actually_an_image.pdf"] is SourceStatus.PARTIAL  # OCR is off here
    assert statuses["pdf.js__poppler-67295-0.pdf"] is SourceStatus.UNREADABLE
    assert statuses["doctor__broken-mime.pdf"] is SourceStatus.INDEXED


def test_locked_files_wait_for_their_password_and_owner_passwords_do_not_matter(matter: Any, shared: Path) -> None:
    folder = shared / "corpus/encrypted"
    statuses = read_folder(matter, folder)
    locked = {path for path, status in statuses.items() if status is SourceStatus.NEEDS_PASSWORD}
    assert locked == set(PASSWORDS) | UNKNOWN
    assert statuses["pypdf__r4-owner-password.pdf"] is SourceStatus.INDEXED
    matter.passwords.by_path = PASSWORDS
    statuses = read_folder(matter, folder)
    assert {path for path, status in statuses.items() if status is SourceStatus.NEEDS_PASSWORD} == UNKNOWN


@pytest.mark.parametrize("name", ["other_formats", "attachments_portfolio"])
def test_other_formats_and_families_have_a_status_each(matter: Any, shared: Path, name: str) -> None:
    folder = shared / "corpus" / name
    statuses = read_folder(matter, folder)
    assert set(statuses) >= {file.name for file in folder.iterdir()}
    top = {path: status for path, status in statuses.items() if "!/" not in path}
    assert set(top.values()) <= {SourceStatus.INDEXED, SourceStatus.PARTIAL}
    members = [path for path in statuses if "!/" in path]
    assert len(members) >= 6


@pytest.mark.slow
def test_every_file_of_the_corpus_has_a_status_with_recognition(matter: Any, shared: Path) -> None:
    matter.ocr = OcrMode.AUTO
    matter.jobs = 2
    for folder in sorted((shared / "corpus").iterdir()):
        if folder.is_dir():
            statuses = read_folder(matter, folder)
            assert set(statuses) >= {f.relative_to(folder).as_posix() for f in folder.rglob("*") if f.is_file()}


@pytest.mark.slow
def test_mutated_files_have_a_status_each(shared: Path) -> None:
    command = [sys.executable, str(REPO / "tests/benchmarks/fuzz_ingest.py"), "--seconds", "40", "--seed", "7"]
    done = subprocess.run([*command, "--corpus", str(shared / "corpus")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


PARENT = """
import sys, time
sys.path[:0] = [sys.argv[1], sys.argv[1] + "/tests/ingest"]
from pathlib import Path
from conftest import FolderBlobs, Matter, SqliteRegistry
from ingest.pipeline import read_matter
if __name__ == "__main__":
    store = Path(sys.argv[3])
    matter = Matter(Path(sys.argv[2]), store, SqliteRegistry(store / "db"), FolderBlobs(store / "blobs"))
    for event in read_matter(matter.root, matter.registry, matter.blobs, matter.passwords, matter.options()):
        print("event", flush=True)
"""


def children_of(pid: int) -> set[int]:
    """As /proc has them: a bare Debian lacks ``ps``."""
    stats = (folder / "stat" for folder in Path("/proc").iterdir() if folder.name.isdecimal())
    parents = {stat.parent.name: _parent(stat) for stat in stats}
    return {int(child) for child, parent in parents.items() if parent == pid}


def _parent(stat: Path) -> int | None:
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except (OSError, IndexError):
        return None


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks processes up in /proc")
@pytest.mark.parametrize("stopped", [False, True])
def test_workers_end_with_their_parent_even_while_they_hang(matter: Any, tmp_path: Path, stopped: bool) -> None:
    """A stopped worker stands for one that hangs in C: only the kernel can end it."""
    matter.write("a.txt", "words " * 200_000)
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    command = [sys.executable, str(script), str(REPO), str(matter.root), str(matter.store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        parent.stdout.readline()
        deadline = time.monotonic() + 20
        found: set[int] = set()
        while not found and time.monotonic() < deadline:
            found = {pid for pid in children_of(parent.pid) if "spawn_main" in _command_line(pid)}
            time.sleep(0.05)
        assert found
        time.sleep(1.0)
        for pid in found if stopped else ():
            os.kill(pid, signal.SIGSTOP)
        parent.kill()
        parent.wait()
    for pid in found if stopped else ():
        os.kill(pid, signal.SIGCONT)
    deadline = time.monotonic() + 5
    while any(map(alive, found)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, found))


def _command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""
