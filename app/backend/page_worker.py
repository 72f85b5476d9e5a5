"""The process that draws pages. It holds PyMuPDF, so that the window's thread never waits for a render.

Requests and replies are plain values over a pipe, each reply under its request's ticket. The bytes that are hashed are
the bytes that are drawn: a file is read once, whole (up to ``HELD_BYTES``), and looked at again before every tile.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from verify.domain.canonical import fingerprint_file, sha256_of
from verify.domain.geometry import UNITS_PER_POINT, Box, to_units

HELD_BYTES = 256 * 1024 * 1024
"""A file up to this size is held in memory, so that a change on disk cannot reach the page being drawn."""
KEPT_DISPLAY_LISTS = 24
LONGEST_SIDE_PX = 30_000
"""MuPDF refuses larger coordinates; a view never asks for more (pdf-facts, section 8)."""


class OpenDocument(NamedTuple):
    """``path`` is the file whose bytes must have ``fingerprint`` (None: nothing to compare). ``data`` is drawn in place
    of the file: the rendition of a file without pages, or a member of an e-mail or archive."""

    document: str
    path: str | None
    fingerprint: str | None
    data: bytes | None = None
    password: str | None = None


class RenderTile(NamedTuple):
    """``matrix`` maps points of the displayed page to device pixels; the tile is ``width`` × ``height`` from (x, y)."""

    document: str
    page: int
    matrix: tuple[float, float, float, float, float, float]
    x: int
    y: int
    width: int
    height: int


class CheckBytes(NamedTuple):
    document: str


class CloseDocument(NamedTuple):
    document: str


class SavePages(NamedTuple):
    """Writes the pages, in order, with the boxes marked, to a new PDF at ``target``. Box: 1/100 pt, displayed page."""

    document: str
    pages: tuple[int, ...]
    marks: tuple[tuple[int, Box], ...]
    target: str


class Opened(NamedTuple):
    """``sizes``: width and height of each displayed page in 1/100 pt. ``changed``: not the bytes that were read."""

    document: str
    sizes: tuple[tuple[int, int], ...]
    changed: bool


class Tile(NamedTuple):
    """RGB, three bytes a pixel, rows packed."""

    width: int
    height: int
    samples: bytes


class BytesChecked(NamedTuple):
    document: str
    changed: bool


class Saved(NamedTuple):
    target: str


class PageFailed(NamedTuple):
    """``code``: ``missing``, ``unreadable``, ``locked``, ``page_failed``, ``changed``, ``not_open``, ``not_saved``."""

    document: str
    code: str


Request = OpenDocument | RenderTile | CheckBytes | CloseDocument | SavePages
Reply = Opened | Tile | BytesChecked | Saved | PageFailed

_FAULTS: dict[type, str] = {RenderTile: "page_failed", SavePages: "not_saved"}
MARK_COLOUR = (1.0, 0.84, 0.2)
_UNKNOWN_SIZE = (61_200, 79_200)
"""US Letter, for a page that says nothing usable of its size; its tiles then fail one by one."""


@dataclass(slots=True)
class _Document:
    handle: Any
    path: Path | None
    fingerprint: str | None
    stamp: tuple[int, int] | None
    changed: bool
    lists: "OrderedDict[int, Any]" = field(default_factory=OrderedDict)


def serve(pipe: Connection) -> None:
    """Answers until the other end closes or sends None. Every fault is a reply; only MuPDF's own crash ends it."""
    worker = PageWorker()
    while True:
        try:
            message = pipe.recv()
        except (EOFError, OSError, KeyboardInterrupt):
            return
        if message is None:
            return
        ticket, request = message
        reply = worker.answer(request)
        if reply is not None:
            try:
                pipe.send((ticket, reply))
            except OSError:
                return


class PageWorker:
    """Usable without a process too: ``answer`` is the whole interface."""

    def __init__(self) -> None:
        self._documents: dict[str, _Document] = {}

    def answer(self, request: Request) -> Reply | None:
        """None for a request that has no reply."""
        try:
            return self._dispatch(request)
        except FileNotFoundError:
            return PageFailed(request.document, "not_saved" if isinstance(request, SavePages) else "missing")
        except Exception:  # MuPDF raises many kinds of its own; a page that fails must not end the others
            return PageFailed(request.document, _FAULTS.get(type(request), "unreadable"))

    def _dispatch(self, request: Request) -> Reply | None:
        if isinstance(request, OpenDocument):
            return self._open(request)
        document = self._documents.get(request.document)
        if isinstance(request, CloseDocument):
            if document is not None:
                self._documents.pop(request.document).handle.close()
            return None
        if document is None:
            return PageFailed(request.document, "not_open")
        if isinstance(request, CheckBytes):
            return BytesChecked(request.document, _look_again(document))
        if isinstance(request, SavePages):
            if _look_again(document):
                return PageFailed(request.document, "changed")
            return _save(document, request)
        return _render(document, request)

    def _open(self, request: OpenDocument) -> Reply:
        from ingest.mupdf import pymupdf

        old = self._documents.pop(request.document, None)
        if old is not None:
            old.handle.close()
        path = None if request.path is None else Path(request.path)
        stamp = None if path is None else _stamp(path)
        data, found = _read(path, request.data)
        changed = request.fingerprint is not None and found is not None and found != request.fingerprint
        if data is not None:
            handle = pymupdf.open(stream=data, filetype="pdf")
        else:
            handle = pymupdf.open(path)
        if handle.needs_pass and not (request.password and handle.authenticate(request.password)):
            handle.close()
            return PageFailed(request.document, "locked")
        self._documents[request.document] = _Document(handle, path, request.fingerprint, stamp, changed)
        return Opened(request.document, tuple(_size(handle, i) for i in range(len(handle))), changed)


def _stamp(path: Path) -> tuple[int, int]:
    state = path.stat()
    return state.st_size, state.st_mtime_ns


def _read(path: Path | None, data: bytes | None) -> tuple[bytes | None, str | None]:
    """What to draw (None: open the file in place, it is too large to hold) and the fingerprint of the file's bytes."""
    if path is None:
        return data, None
    if path.stat().st_size > HELD_BYTES:
        return data, fingerprint_file(path)
    held = path.read_bytes()
    return (held if data is None else data), sha256_of(held)


def _look_again(document: _Document) -> bool:
    """True if the file's bytes are not those that were read for the record. Hashes only when size or time differ."""
    if document.path is None or document.fingerprint is None or document.changed:
        return document.changed
    try:
        stamp = _stamp(document.path)
        if stamp != document.stamp:
            document.changed = fingerprint_file(document.path) != document.fingerprint
            document.stamp = stamp
    except OSError:
        document.changed = True
    return document.changed


def _size(handle: Any, index: int) -> tuple[int, int]:
    try:
        rect = handle[index].bound()
        width, height = to_units(rect.width), to_units(rect.height)
    except Exception:  # a damaged page tree; the page itself will say so when it is drawn
        return _UNKNOWN_SIZE
    return (width, height) if width > 0 and height > 0 else _UNKNOWN_SIZE


def _render(document: _Document, request: RenderTile) -> Reply:
    from ingest.mupdf import mupdf, pymupdf

    was_changed = document.changed
    if _look_again(document) and not was_changed:
        return PageFailed(request.document, "changed")
    lists = document.lists
    if request.page not in lists:
        lists[request.page] = document.handle[request.page].get_displaylist(annots=1)
        if len(lists) > KEPT_DISPLAY_LISTS:
            lists.popitem(last=False)
    lists.move_to_end(request.page)
    area = mupdf.FzIrect(request.x, request.y, request.x + request.width, request.y + request.height)
    canvas = mupdf.fz_new_pixmap_with_bbox(mupdf.fz_device_rgb(), area, mupdf.FzSeparations(), 0)
    mupdf.fz_clear_pixmap_with_value(canvas, 0xFF)
    device = mupdf.fz_new_draw_device_with_bbox(mupdf.FzMatrix(*request.matrix), canvas, area)
    everything = mupdf.FzRect(mupdf.FzRect.Fixed_INFINITE)
    mupdf.fz_run_display_list(lists[request.page].this, device, mupdf.FzMatrix(), everything, mupdf.FzCookie())
    mupdf.fz_close_device(device)
    pixmap = pymupdf.Pixmap("raw", canvas)
    return Tile(request.width, request.height, bytes(pixmap.samples_mv))


def _save(document: _Document, request: SavePages) -> Reply:
    """Pages are placed as they are displayed (crop, /Rotate, UserUnit and form fields applied), so that a mark's box
    lies where the view drew it. Written aside and renamed: never half a file, and never over the original."""
    from ingest.mupdf import pymupdf

    target = Path(request.target)
    if document.path is not None and target.exists() and target.samefile(document.path):
        return PageFailed(request.document, "not_saved")
    with pymupdf.open() as flat, pymupdf.open() as copy:
        for index in request.pages:
            flat.insert_pdf(document.handle, from_page=index, to_page=index)
        flat.bake()
        for place, index in enumerate(request.pages):
            _place(copy, flat, place, [box for page, box in request.marks if page == index])
        partial = target.with_name(target.name + ".part")
        copy.save(partial, garbage=3, deflate=True)
    partial.replace(target)
    return Saved(request.target)


def _place(copy: Any, source: Any, index: int, boxes: list[Box]) -> None:
    from ingest.mupdf import pymupdf

    width, height = (side / UNITS_PER_POINT for side in _size(source, index))
    page = copy.new_page(width=width, height=height)
    turned = source[index].rotation
    source[index].set_rotation(0)  # show_pdf_page misplaces a page that is turned by its own entry
    page.show_pdf_page(page.rect, source, index, rotate=-turned)
    for box in boxes:
        mark = page.add_highlight_annot(pymupdf.Rect(*(edge / UNITS_PER_POINT for edge in box)))
        mark.set_colors(stroke=MARK_COLOUR)
        mark.update()
