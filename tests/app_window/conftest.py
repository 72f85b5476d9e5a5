"""The window's tests: no display, no person's own folders, small matters made here with invented names."""

import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parent))  # for what a spawned process imports by name

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from app.backend.protocol import Failed, Handler
from app.backend.requests import ReadMatter
from app.backend.work import handlers
from app.errors import PinciteError
from ingest.mupdf import pymupdf

CLAUSES = (
    (
        "SERVICES AGREEMENT",
        "1. Term. This Agreement begins on 1 March 2024 and lasts for two years.",
        "7. Termination. Either party may terminate this Agreement upon thirty (30) days' written notice, "
        "provided that all fees due have been paid.",
    ),
    (
        "9. Liability. The Supplier's total liability shall not exceed EUR 250,000.",
        "10. Governing law. This Agreement is governed by the law of Norvania.",
    ),
)


def write_pdf(path: Path, pages: tuple[tuple[str, ...], ...], rotation: int = 0, crop: bool = False) -> Path:
    with pymupdf.open() as document:
        for paragraphs in pages:
            page = document.new_page(width=595, height=842)
            top = 80.0
            for words in paragraphs:
                page.insert_textbox((72, top, 520, top + 60), words, fontsize=11, fontname="tiro")
                top += 74
            if crop:
                page.set_cropbox(pymupdf.Rect(40, 50, 560, 800))
            page.set_rotation(rotation)
        document.save(path, no_new_id=True)
    return path


class QueuedRunner:
    """Runs the backend's own handlers in this process, one job after another, when told to."""

    def __init__(self, by_type: dict[type, Handler]) -> None:
        self._handlers = by_type
        self._waiting: list[tuple[int, Any, dict[str, Any]]] = []
        self._cancelled: set[int] = set()
        self._last = 0
        self.requests: list[Any] = []

    def start(self, request: object, on_done=None, on_failed=None, on_event=None, on_cancelled=None) -> int:  # type: ignore[no-untyped-def]
        self._last += 1
        self.requests.append(request)
        callbacks = {"done": on_done, "failed": on_failed, "event": on_event, "cancelled": on_cancelled}
        self._waiting.append((self._last, request, callbacks))
        return self._last

    def cancel(self, job: int) -> None:
        self._cancelled.add(job)

    def run(self) -> None:
        """Until nothing waits any more."""
        while self._waiting:
            job, request, callbacks = self._waiting.pop(0)
            self._run(job, request, {name: call or _nothing for name, call in callbacks.items()})

    def _run(self, job: int, request: Any, call: dict[str, Callable[..., object]]) -> None:
        if job in self._cancelled:
            call["cancelled"]()
            return
        work = self._handlers[type(request)].work(request)
        try:
            while True:
                event = next(work)
                call["event"](event)
                if job in self._cancelled:
                    work.close()
                    call["cancelled"]()
                    return
        except StopIteration as end:
            call["done"](end.value)
        except PinciteError as error:
            call["failed"](Failed(job, error.code, str(error), None))


def _nothing(*_: object) -> None:
    return None


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings, logs and stores of the test alone; child processes inherit them."""
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        folder = tmp_path / "home" / name.lower()
        folder.mkdir(parents=True, exist_ok=True)
        monkeypatch.setenv(name, str(folder))
    monkeypatch.setenv("PINCITE_SETTINGS", str(tmp_path / "home" / "settings.json"))


@pytest.fixture
def make_pdf(tmp_path: Path) -> Callable[..., Path]:
    """Two pages of clauses; ``rotation`` and ``crop`` as the file declares them."""
    return lambda name, rotation=0, crop=False: write_pdf(tmp_path / name, CLAUSES, rotation, crop)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A matter of two documents: an agreement of two pages and a note."""
    return write_matter(tmp_path / "Alder v Birch")


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Such a matter and its store, read once for all tests that change neither document nor settings."""
    base = tmp_path_factory.mktemp("kept")
    root = write_matter(base / "Alder v Birch")
    runner = QueuedRunner(handlers(base / "store"))
    runner.start(ReadMatter(root))
    runner.run()
    return root, base / "store"


def write_matter(made: Path) -> Path:
    made.mkdir()
    write_pdf(made / "Services Agreement.pdf", CLAUSES)
    note = "Call with Ms Quill on 4 April 2024. She says that the cooling unit failed twice in March."
    (made / "Call note.txt").write_text(note, encoding="utf-8")
    return made


@pytest.fixture
def make_runner() -> Callable[[Path], QueuedRunner]:
    return lambda store: QueuedRunner(handlers(store))


@pytest.fixture
def runner(tmp_path: Path) -> QueuedRunner:
    return QueuedRunner(handlers(tmp_path / "store"))


@pytest.fixture
def quiet_exit() -> Iterator[list[Callable[[], None]]]:
    """What a test starts and must end, even when it fails."""
    endings: list[Callable[[], None]] = []
    yield endings
    for end in reversed(endings):
        end()
