"""A matter read to its end, changed, and read again: ids, statuses, what is read anew and what is not."""

import multiprocessing
import os
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ingest.limits import Limits
from ingest.mupdf import pymupdf
from ingest.ocr.engine import installed_languages
from ingest.pipeline import SourceRead, read_matter
from ingest.reading import can_recognise
from ingest.settings import OcrMode
from verify.domain.codec import decode_page
from verify.domain.document import Metadata, SourceStatus, WarningCode
from verify.domain.progress import Progress


def pdf_of(*pages: str, **saving: Any) -> bytes:
    """A PDF with one page a text, the same bytes each time."""
    with pymupdf.open() as document:
        for text in pages:
            page = document.new_page()
            page.insert_text((72, 90), text, fontsize=11)
        return bytes(document.tobytes(no_new_id=True, **saving))


def aged(file: Path) -> Path:
    """As if written an hour ago, so that its stamp is trusted."""
    status = file.stat()
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns - 3_600_000_000_000))
    return file


def test_a_matter_lives_through_copies_renames_revisions_and_deletions(matter: Any) -> None:
    first = aged(matter.write("a/agreement.pdf", pdf_of("The rent is EUR 40.", "Second page.")))
    aged(matter.write("note.txt", "The keeper rang at ten.\n"))
    aged(matter.write("z/copy.pdf", first.read_bytes()))
    summary = matter.read()
    assert (summary.read, summary.pages, summary.missing) == (2, 3, 0)
    agreement = matter.record("a/agreement.pdf")
    assert agreement.status is SourceStatus.INDEXED
    assert (agreement.page_count, agreement.media_type) == (2, "application/pdf")
    assert agreement.other_paths == ("z/copy.pdf",)
    assert "The rent is EUR 40." in matter.text("a/agreement.pdf")
    assert [p.text for p in matter.registry.passages(agreement.source_id)]

    summary = matter.read()
    assert (summary.read, summary.unchanged, matter.committed) == (0, 2, [])

    first.unlink()
    (matter.root / "note.txt").rename(matter.root / "call note.txt")
    summary = matter.read()
    assert summary.read == 0
    assert matter.record("z/copy.pdf").source_id == agreement.source_id
    assert matter.record("call note.txt").page_count == 1

    aged(matter.write("z/copy.pdf", pdf_of("The rent is EUR 50.")))
    matter.read()
    revised = matter.record("z/copy.pdf")
    assert revised.source_id == agreement.source_id
    assert revised.page_count == 1
    old = {r.source_id: r for r in matter.registry.records()}[f"{agreement.source_id}~{agreement.fingerprint[7:15]}"]
    assert (old.status, old.fingerprint) == (SourceStatus.SUPERSEDED, agreement.fingerprint)
    assert matter.registry.get_page(agreement.fingerprint, agreement.parser.profile, 0) is not None
    assert matter.registry.passages(old.source_id) == []

    (matter.root / "call note.txt").unlink()
    assert matter.read().missing == 1
    gone = matter.record("call note.txt")
    assert gone.status is SourceStatus.MISSING
    assert matter.registry.passages(gone.source_id) == []
    aged(matter.write("call note.txt", "The keeper rang at ten.\n"))
    matter.read()
    back = matter.record("call note.txt")
    assert (back.source_id, back.status) == (gone.source_id, SourceStatus.INDEXED)
    assert matter.registry.passages(back.source_id)


def test_bad_files_have_a_status_each_and_stop_nothing(matter: Any) -> None:
    good = pdf_of("The trustees agreed.")
    matter.write("empty.pdf", b"")
    matter.write("half.pdf", good[: len(good) // 3])
    matter.write("noise.bin", bytes(range(256)) * 40)
    matter.write("picture.pdf", pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 40, 40)).tobytes("png"))
    matter.write("text.pdf", "These are words under a wrong name.\n")
    matter.write("zz-good.pdf", good)
    locked = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "user_pw": "tulip", "owner_pw": "rose"}
    matter.write("locked.pdf", pdf_of("The porter is paid EUR 23.", **locked))
    matter.read()
    statuses = {path: record.status.value for path, record in matter.records().items()}
    assert statuses == {
        "empty.pdf": "unreadable", "half.pdf": statuses["half.pdf"], "noise.bin": "unsupported",
        "picture.pdf": "partial", "text.pdf": "indexed", "zz-good.pdf": "indexed", "locked.pdf": "needs_password",
    }  # fmt: skip
    assert statuses["half.pdf"] in ("unreadable", "indexed")
    assert matter.record("picture.pdf").media_type == "image/png"
    assert matter.text("text.pdf") == "These are words under a wrong name."
    for path in ("empty.pdf", "noise.bin", "locked.pdf"):
        [warning] = matter.record(path).warnings
        assert warning.detail

    matter.passwords.by_path = {"locked.pdf": "wrong"}
    matter.read()
    assert matter.record("locked.pdf").status is SourceStatus.NEEDS_PASSWORD
    matter.passwords.by_path = {"locked.pdf": "tulip"}
    assert matter.read().read == 1
    assert "EUR 23" in matter.text("locked.pdf")
    matter.passwords.by_path = {}
    assert matter.read().read == 0
    kept = b"".join(p.read_bytes() for p in matter.store.rglob("*") if p.is_file())
    assert b"tulip" not in kept


def test_an_ended_run_goes_on_from_the_pages_that_are_kept(matter: Any) -> None:
    matter.write("long.pdf", pdf_of(*(f"This is page {n} of the log." for n in range(1, 401))))
    steps = read_matter(matter.root, matter.registry, matter.blobs, matter.passwords, matter.options())
    for event in steps:
        if isinstance(event, Progress) and event.stage == "read" and event.done >= 16:
            break
    started = time.monotonic()
    steps.close()
    assert time.monotonic() - started < 3  # a second is promised (bench_index_scale.py); a busy machine has its room
    assert workers() == []
    assert matter.records() == {}
    [(fingerprint, profile)] = matter.registry._rows("SELECT DISTINCT fingerprint, profile FROM pages")
    kept = matter.registry.page_count_kept(fingerprint, profile)
    assert 16 <= kept < 400
    summary = matter.read()
    assert summary.pages == 400 - kept
    assert [page.index for page in matter.pages("long.pdf")] == list(range(400))
    words = matter.text("long.pdf")
    assert all(words.count(f"This is page {n} of the log.") == 1 for n in range(1, 401))
    assert len({p.ordinal for p in matter.registry.passages(matter.record("long.pdf").source_id)}) == len(
        matter.registry.passages(matter.record("long.pdf").source_id)
    )


def workers() -> list[int]:
    """The reading processes only: tests of other rooms in the same process keep children of their own."""
    return [child.pid for child in multiprocessing.active_children() if child.pid and child.name == "pincite-reader"]


def test_a_worker_that_hangs_on_a_page_costs_that_page_only(matter: Any) -> None:
    """SIGSTOP stands for a parser that never comes back."""
    matter.write("long.pdf", pdf_of(*(f"This is page {n} of the log." for n in range(1, 401))))
    matter.write("other.txt", "Nothing happens to this one.")
    matter.limits = replace(Limits(), seconds_silent=3.0)
    stopped: list[int] = []
    steps = read_matter(matter.root, matter.registry, matter.blobs, matter.passwords, matter.options())
    for event in steps:
        if not stopped and isinstance(event, Progress) and event.stage == "read" and event.done >= 16:
            stopped = workers()
            for pid in stopped:
                os.kill(pid, signal.SIGSTOP)
    assert stopped
    record = matter.record("long.pdf")
    assert record.page_count == 400
    assert matter.record("other.txt").status is SourceStatus.INDEXED
    failed = [w.page_index for w in record.warnings if w.code is WarningCode.PAGE_FAILED]
    assert len(failed) <= 1  # none if it was stopped between two pages and its last message was on the way
    assert record.status is (SourceStatus.PARTIAL if failed else SourceStatus.INDEXED)
    words = matter.text("long.pdf")
    missing = [n for n in range(1, 401) if f"This is page {n} of the log." not in words]
    assert [n - 1 for n in missing] == failed


def test_a_worker_that_dies_once_loses_nothing(matter: Any) -> None:
    matter.write("long.pdf", pdf_of(*(f"This is page {n} of the log." for n in range(1, 401))))
    killed = False
    for event in read_matter(matter.root, matter.registry, matter.blobs, matter.passwords, matter.options()):
        if not killed and isinstance(event, Progress) and event.stage == "read" and event.done >= 16:
            for pid in workers():
                os.kill(pid, signal.SIGKILL)
                killed = True
    assert killed
    record = matter.record("long.pdf")
    assert (record.status, record.page_count) == (SourceStatus.INDEXED, 400)
    words = matter.text("long.pdf")
    assert all(words.count(f"This is page {n} of the log.") == 1 for n in range(1, 401))


def test_a_file_written_to_while_it_is_read_is_not_taken_for_what_was_hashed(matter: Any) -> None:
    file = matter.write("log.pdf", pdf_of(*(f"This is page {n}." for n in range(1, 61))))
    for event in read_matter(matter.root, matter.registry, matter.blobs, matter.passwords, matter.options()):
        if isinstance(event, Progress) and event.stage == "read" and event.done == 0:
            file.write_bytes(pdf_of("Other words."))
    assert matter.record("log.pdf").status is SourceStatus.UNREADABLE
    assert matter.registry.passages(matter.record("log.pdf").source_id) == []
    matter.read()
    assert matter.text("log.pdf") == "Other words."
    assert matter.record("log.pdf").status is SourceStatus.INDEXED


def test_a_title_of_a_megabyte_is_cut_in_the_record_and_in_every_passage(matter: Any) -> None:
    with pymupdf.open(stream=pdf_of("One.", "Two.")) as document:
        document.set_metadata({"title": "T" * 1_000_000})
        matter.write("long.pdf", document.tobytes())
    matter.read()
    assert matter.record("long.pdf").metadata.title == "T" * 499 + "…"
    assert {len(passage.title) for passage in matter.registry.passages(matter.record("long.pdf").source_id)} == {500}


def test_what_a_person_set_outlives_a_new_reading_and_access_outlives_a_revision(matter: Any) -> None:
    matter.write("note.txt", "One.")
    matter.read()
    record = matter.record("note.txt")
    tagged = replace(record, metadata=Metadata(title="Call note", privilege="legal advice", access_class="counsel"))
    matter.registry.commit(tagged, (), None)
    matter.ocr = OcrMode.ALWAYS
    matter.read()
    assert matter.record("note.txt").metadata == tagged.metadata
    matter.write("note.txt", "Two.")
    matter.read()
    now = matter.record("note.txt").metadata
    assert (now.title, now.privilege, now.access_class) == (None, "legal advice", "counsel")


def test_other_ocr_settings_read_again_only_what_recognition_touches(matter: Any) -> None:
    matter.write("native.pdf", pdf_of("Words that need no recognition."))
    picture = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 400, 400))
    picture.clear_with(255)
    matter.write("scan.png", picture.tobytes("png"))
    matter.read()
    assert any(w.code is WarningCode.NO_TEXT for w in matter.record("scan.png").warnings)
    matter.ocr = OcrMode.AUTO
    matter.read()
    assert matter.committed == ["scan.png"]


def test_a_scan_that_lacked_an_engine_is_read_again_once_there_is_one(
    matter: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 400, 400))
    picture.clear_with(255)
    matter.write("scan.png", picture.tobytes("png"))
    matter.write("native.pdf", pdf_of("Words that need no recognition."))
    matter.ocr = OcrMode.AUTO
    monkeypatch.setenv("PATH", "/nowhere")
    matter.read()
    codes = {w.code for w in matter.record("scan.png").warnings}
    assert WarningCode.OCR_LANGUAGE_MISSING in codes
    assert matter.record("native.pdf").warnings == ()
    installed_languages.cache_clear()
    assert matter.read().read == 0
    monkeypatch.undo()
    installed_languages.cache_clear()
    if not can_recognise(("eng",)):
        pytest.skip("Tesseract is not installed")
    matter.read()
    assert matter.committed == ["scan.png"]
    assert WarningCode.OCR_LANGUAGE_MISSING not in {w.code for w in matter.record("scan.png").warnings}


def test_events_tell_progress_and_each_source(matter: Any) -> None:
    matter.write("a.pdf", pdf_of("One.", "Two."))
    matter.write("b.txt", "Three.")
    summary = matter.read()
    assert [event.record.path for event in matter.events if isinstance(event, SourceRead)] == ["a.pdf", "b.txt"]
    last = [event for event in matter.events if isinstance(event, Progress)][-1]
    assert (last.stage, last.done, last.total, last.unit) == ("read", 3, 3, "pages")
    assert summary.seconds > 0


def test_a_folder_that_is_not_there_is_an_error(matter: Any) -> None:
    matter.root.rmdir()
    with pytest.raises(OSError):
        matter.read()


def test_nothing_in_the_matter_is_written(matter: Any) -> None:
    matter.write("a.pdf", pdf_of("One."))
    matter.write("m/b.html", "<p>Two.</p>")
    before = {p: (p.stat().st_mtime_ns, p.read_bytes() if p.is_file() else b"") for p in matter.root.rglob("*")}
    matter.read()
    after = {p: (p.stat().st_mtime_ns, p.read_bytes() if p.is_file() else b"") for p in matter.root.rglob("*")}
    assert after == before


def test_pages_are_kept_as_the_codec_writes_them(matter: Any) -> None:
    matter.write("a.pdf", pdf_of("One."))
    matter.read()
    record = matter.record("a.pdf")
    data = matter.registry.get_page(record.fingerprint, record.parser.profile, 0)
    assert decode_page(data).text == "One."
