"""The page process's own work: real PDFs, hashed and drawn."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.backend.page_worker import (
    BytesChecked,
    CheckBytes,
    CloseDocument,
    OpenDocument,
    Opened,
    PageFailed,
    PageWorker,
    RenderTile,
    Saved,
    SavePages,
    Tile,
)
from ingest.mupdf import pymupdf
from verify.domain.canonical import fingerprint_file
from verify.domain.geometry import Box

WHOLE = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
BOX = Box(10_000, 10_000, 20_000, 12_000)


def opened(worker: PageWorker, path: Path, fingerprint: str | None = None) -> Opened:
    reply = worker.answer(OpenDocument("d", str(path), fingerprint))
    assert isinstance(reply, Opened)
    return reply


def pixels(worker: PageWorker, page: int, width: int, height: int, document: str = "d") -> bytes:
    reply = worker.answer(RenderTile(document, page, WHOLE, 0, 0, width, height))
    assert isinstance(reply, Tile)
    return reply.samples


def test_sizes_are_those_of_the_displayed_page(make_pdf: Callable[..., Path]) -> None:
    worker = PageWorker()
    assert opened(worker, make_pdf("upright.pdf")).sizes == ((59_500, 84_200),) * 2
    assert opened(worker, make_pdf("turned.pdf", rotation=90)).sizes[0] == (84_200, 59_500)
    assert opened(worker, make_pdf("cropped.pdf", crop=True)).sizes[0] == (52_000, 75_000)


def test_a_tile_is_the_same_pixels_as_the_whole(make_pdf: Callable[..., Path]) -> None:
    worker = PageWorker()
    opened(worker, make_pdf("a.pdf"))
    whole = pixels(worker, 0, 595, 300)
    part = worker.answer(RenderTile("d", 0, WHOLE, 100, 60, 200, 40))
    assert isinstance(part, Tile)
    rows = [whole[(y * 595 + 100) * 3 : (y * 595 + 300) * 3] for y in range(60, 100)]
    assert part.samples == b"".join(rows)
    assert any(sample < 128 for sample in part.samples)  # there is ink


def test_changed_bytes_are_noticed_when_opening_and_while_open(make_pdf: Callable[..., Path]) -> None:
    path = make_pdf("a.pdf")
    worker, fingerprint = PageWorker(), fingerprint_file(path)
    assert not opened(worker, path, fingerprint).changed
    assert worker.answer(CheckBytes("d")) == BytesChecked("d", False)
    path.write_bytes(path.read_bytes() + b"\n% more")
    assert worker.answer(RenderTile("d", 0, WHOLE, 0, 0, 10, 10)) == PageFailed("d", "changed")
    assert worker.answer(CheckBytes("d")) == BytesChecked("d", True)
    assert opened(worker, path, fingerprint).changed


def test_a_touched_file_with_the_same_bytes_is_not_changed(make_pdf: Callable[..., Path]) -> None:
    path = make_pdf("a.pdf")
    worker = PageWorker()
    opened(worker, path, fingerprint_file(path))
    path.write_bytes(path.read_bytes())
    assert worker.answer(CheckBytes("d")) == BytesChecked("d", False)


def test_a_file_that_is_gone_is_changed(make_pdf: Callable[..., Path]) -> None:
    path = make_pdf("a.pdf")
    worker = PageWorker()
    opened(worker, path, fingerprint_file(path))
    path.unlink()
    assert worker.answer(CheckBytes("d")) == BytesChecked("d", True)
    assert worker.answer(OpenDocument("e", str(path), None)) == PageFailed("e", "missing")


def test_what_cannot_be_opened_is_said(tmp_path: Path, make_pdf: Callable[..., Path]) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 nothing of use")
    worker = PageWorker()
    assert worker.answer(OpenDocument("d", str(broken), None)) == PageFailed("d", "unreadable")
    assert worker.answer(RenderTile("d", 0, WHOLE, 0, 0, 10, 10)) == PageFailed("d", "not_open")
    locked = tmp_path / "locked.pdf"
    with pymupdf.open(make_pdf("a.pdf")) as document:
        document.save(locked, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="quill", owner_pw="birch")
    assert worker.answer(OpenDocument("d", str(locked), None)) == PageFailed("d", "locked")
    assert isinstance(worker.answer(OpenDocument("d", str(locked), None, password="quill")), Opened)


def test_a_page_that_is_not_there_fails_alone(make_pdf: Callable[..., Path]) -> None:
    worker = PageWorker()
    opened(worker, make_pdf("a.pdf"))
    assert worker.answer(RenderTile("d", 9, WHOLE, 0, 0, 10, 10)) == PageFailed("d", "page_failed")
    assert pixels(worker, 1, 10, 10)
    assert worker.answer(CloseDocument("d")) is None
    assert worker.answer(RenderTile("d", 0, WHOLE, 0, 0, 10, 10)) == PageFailed("d", "not_open")


@pytest.mark.parametrize(("rotation", "crop"), [(0, False), (90, False), (180, True), (270, True)])
def test_saved_pages_look_as_they_were_shown(
    tmp_path: Path, make_pdf: Callable[..., Path], rotation: int, crop: bool
) -> None:
    worker = PageWorker()
    sizes = opened(worker, make_pdf("a.pdf", rotation=rotation, crop=crop)).sizes
    target = tmp_path / "out.pdf"
    assert worker.answer(SavePages("d", (1,), ((1, BOX),), str(target))) == Saved(str(target))
    with pymupdf.open(target) as saved:
        assert len(saved) == 1
        page = saved[0]
        mark = next(page.annots())
        assert mark.type[1] == "Highlight"
        corners = mark.vertices
        assert min(x for x, _ in corners) == pytest.approx(100) and max(y for _, y in corners) == pytest.approx(120)
        page.delete_annot(mark)
        plain = saved.tobytes()
    width, height = sizes[1][0] // 100, sizes[1][1] // 100
    before = pixels(worker, 1, width, height)
    assert isinstance(worker.answer(OpenDocument("e", None, None, plain)), Opened)
    after = pixels(worker, 0, width, height, "e")
    differing = sum(abs(a - b) > 40 for a, b in zip(before, after, strict=True))
    assert differing < len(before) / 500


def test_the_original_is_never_written_over(make_pdf: Callable[..., Path], tmp_path: Path) -> None:
    path = make_pdf("a.pdf")
    before = path.read_bytes()
    worker = PageWorker()
    opened(worker, path, fingerprint_file(path))
    assert worker.answer(SavePages("d", (0,), (), str(path))) == PageFailed("d", "not_saved")
    assert path.read_bytes() == before
    gone = tmp_path / "no such folder" / "out.pdf"
    assert worker.answer(SavePages("d", (0,), (), str(gone))) == PageFailed("d", "not_saved")


def test_a_rendition_is_drawn_in_place_of_its_original(tmp_path: Path, make_pdf: Callable[..., Path]) -> None:
    original = tmp_path / "note.txt"
    original.write_text("A note.", encoding="utf-8")
    drawn = make_pdf("a.pdf").read_bytes()
    worker = PageWorker()
    reply = worker.answer(OpenDocument("d", str(original), fingerprint_file(original), drawn))
    assert isinstance(reply, Opened) and not reply.changed and len(reply.sizes) == 2
    original.write_text("Another note.", encoding="utf-8")
    assert worker.answer(CheckBytes("d")) == BytesChecked("d", True)
