"""The left pane's logic, over the real services, without a display."""

import shutil
from pathlib import Path

import pytest

from app.backend.requests import ListMatter, MatterListing, ReadMatter, SourceDone
from app.services.custody.sealing import seal
from app.services.matter.matter import open_matter
from app.services.matter.tagging import tag
from app.settings import Settings
from app.store.sealed import Passphrases
from app.viewmodels.matter import MatterModel, Pace, Reading, progress_words
from verify.domain.document import Parser, SourceRecord, SourceStatus
from verify.domain.ids import Fingerprint, SourceId
from verify.domain.progress import Progress, finish


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_folder_is_listed_then_read(folder: Path, runner) -> None:  # type: ignore[no-untyped-def]
    model = MatterModel(runner)
    words: list[str] = []
    model.progressed.connect(lambda: words.append(model.reading.words))
    model.open(folder)
    assert not model.can_ask
    runner.run()
    assert [type(r) for r in runner.requests] == [ListMatter, ReadMatter]
    assert [row.name for row in model.rows] == ["Call note.txt", "Services Agreement.pdf"]
    assert [row.words for row in model.rows] == ["1 page, ready", "2 pages, ready"]
    assert model.summary == "2 documents, 3 pages"
    assert model.can_ask
    assert model.reading.state is Reading.IDLE
    assert any(w.startswith("Reading:") for w in words)


def test_the_filter_wants_all_its_words(folder: Path, runner) -> None:  # type: ignore[no-untyped-def]
    model = MatterModel(runner)
    model.open(folder)
    runner.run()
    model.set_filter("AGREEMENT serv")
    assert [row.name for row in model.rows] == ["Services Agreement.pdf"]
    assert not model.shows_none
    model.set_filter("nothing")
    assert model.rows == ()
    assert model.shows_none


def test_a_list_that_takes_long_to_show_is_shown_a_tenth_of_the_time(tmp_path: Path, runner) -> None:  # type: ignore[no-untyped-def]
    clock = Clock()
    model = MatterModel(runner, clock)
    model.root = tmp_path
    shown: list[int] = []

    def show() -> None:
        shown.append(len(model.rows))
        clock.now += 0.3

    model.changed.connect(show)
    for number in range(20):
        parser, fingerprint = Parser("p", "1", "p"), Fingerprint("sha256:" + "0" * 64)
        record = SourceRecord(
            SourceId(f"s{number}"), f"{number}.pdf", fingerprint, "application/pdf", 1, SourceStatus.INDEXED, parser
        )
        model._read_event(tmp_path, SourceDone(record))
        clock.now += 0.2
    assert shown == [1, 15]  # at 0 s, and the first document after 10 times 0.3 s: that at 3.1 s
    model._read_done(tmp_path, MatterListing(tmp_path, tuple(model.records.values()), ()))
    assert shown == [1, 15, 20]


def test_pause_keeps_what_was_read_and_goes_on(folder: Path, runner) -> None:  # type: ignore[no-untyped-def]
    model = MatterModel(runner)
    model.open(folder)
    stopped: list[int] = []

    def pause_once() -> None:
        if model.records and not stopped and model.reading.state is Reading.RUNNING:
            stopped.append(1)
            model.pause()

    model.changed.connect(pause_once)
    runner.run()
    assert model.reading.state is Reading.PAUSED
    assert model.can_ask
    model.read()
    runner.run()
    assert model.reading.state is Reading.IDLE
    assert len(model.rows) == 2


def test_a_folder_that_is_gone_is_said(tmp_path: Path, runner) -> None:  # type: ignore[no-untyped-def]
    model = MatterModel(runner)
    said: list[str] = []
    model.failed.connect(said.append)
    model.open(tmp_path / "nowhere")
    runner.run()
    assert said == [f"There is no folder {tmp_path / 'nowhere'}. It may have been moved or renamed."]


def test_another_matter_never_gets_the_rows_of_the_one_before(folder: Path, tmp_path: Path, runner) -> None:  # type: ignore[no-untyped-def]
    model = MatterModel(runner)
    model.open(folder)
    other = tmp_path / "Other"
    other.mkdir()
    model.open(other)
    runner.run()
    assert model.root == other
    assert model.rows == ()
    assert model.summary == "No documents yet"


def test_pace_looks_at_the_last_half_minute() -> None:
    clock = Clock()
    pace = Pace(clock)
    pace.note(0)
    assert pace.rate is None
    clock.now = 10
    pace.note(100)
    assert pace.rate == pytest.approx(10)
    for second in range(11, 61):
        clock.now = second
        pace.note(100 + (second - 10))
    assert pace.rate == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize(
    ("progress", "rate", "words"),
    [
        (Progress("read", 20, 412, "pages"), 35.2, "Reading: 20 of 412 pages, 35 pages a second, less than a minute left"),  # noqa: E501
        (Progress("ocr", 3, 90, "pages"), 0.5, "Reading scans: 3 of 90 pages, 30 pages a minute, about 3 minutes left"),
        (Progress("read", 1, None, "pages"), None, "Reading: 1 page"),
    ],
)  # fmt: skip
def test_progress_in_words(progress: Progress, rate: float | None, words: str) -> None:
    assert progress_words(progress, rate) == words


@pytest.fixture
def quick_passphrases(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same function at a hundredth of its cost; what it costs is written in each seal."""
    monkeypatch.setattr("app.store.sealed.SCRYPT", {"n": 2**10, "r": 8, "p": 1})


@pytest.mark.usefixtures("quick_passphrases")
def test_an_access_class_opens_with_its_own_passphrase(kept, tmp_path: Path, make_runner) -> None:  # type: ignore[no-untyped-def]
    root, store = kept[0], shutil.copytree(kept[1], tmp_path / "store")
    with open_matter(root, Settings(), store, writable=True) as matter:
        note = next(r for r in matter.sources() if r.path == "Call note.txt")
        tag(matter, note.source_id, {"access_class": "Counsel"})
    given = Passphrases("a long passphrase of Ms Quill", {"Counsel": "another one of hers"})
    finish(seal(root, given, Settings(), store))
    model, failed = MatterModel(make_runner(store)), []
    runner = model._runner
    model.failed.connect(failed.append)
    model.open(root)
    model.give_passphrase("a long passphrase of Ms Quill")
    runner.run()
    assert [row.name for row in model.rows] == ["Services Agreement.pdf"]
    assert model.closed_classes == ("counsel",)
    failed.clear()
    model.open_class("counsel", "wrong")
    runner.run()
    assert len(failed) == 1 and "does not open" in failed[0]
    model.refresh()
    runner.run()
    assert [row.name for row in model.rows] == ["Services Agreement.pdf"]
    model.open_class("counsel", "another one of hers")
    runner.run()
    assert [row.name for row in model.rows] == ["Call note.txt", "Services Agreement.pdf"]
    assert model.closed_classes == ()


@pytest.mark.usefixtures("quick_passphrases")
def test_a_sealed_matter_asks_for_its_passphrase(folder: Path, tmp_path: Path, make_runner) -> None:  # type: ignore[no-untyped-def]
    store = tmp_path / "sealed store"
    runner = make_runner(store)
    model = MatterModel(runner)
    model.open(folder)
    runner.run()
    finish(seal(folder, Passphrases("a long passphrase of Ms Quill"), Settings(), store))
    asked: list[str] = []
    model.sealed.connect(asked.append)
    model.open(folder)
    runner.run()
    assert len(asked) == 1 and model.rows == ()
    model.give_passphrase("wrong")
    runner.run()
    assert len(asked) == 2
    model.give_passphrase("a long passphrase of Ms Quill")
    runner.run()
    assert [row.name for row in model.rows] == ["Call note.txt", "Services Agreement.pdf"]


def test_a_locked_document_is_read_once_its_password_is_given(tmp_path: Path, make_runner, make_pdf) -> None:  # type: ignore[no-untyped-def]
    from ingest.mupdf import pymupdf

    root = tmp_path / "Locked"
    root.mkdir()
    with pymupdf.open(make_pdf("a.pdf")) as document:
        document.save(root / "locked.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="quill", owner_pw="birch")
    runner = make_runner(tmp_path / "store")
    model = MatterModel(runner)
    model.open(root)
    runner.run()
    (row,) = model.rows
    assert "needs a password" in row.words and row.tone == "warn"
    model.give_password(row.source_id, "quill")
    runner.run()
    assert [r.words for r in model.rows] == ["2 pages, ready"]
