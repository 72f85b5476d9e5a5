"""Whether a bundle's memos show what its answer says: made again from the same parts, and compared as they look."""

import io
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

from app.services.answers.answers import Answer
from app.services.bundle.file import load_json
from app.services.bundle.memo import TITLE, CropImage, memo_blocks
from app.services.bundle.memo_docx import memo_docx
from app.services.bundle.memo_pdf import memo_pdf
from app.services.evidence.crops import crop_from_json
from app.store.records import record_from_json
from ingest.failures import Damaged
from ingest.formats.safe_xml import canonical_xml
from verify.domain.ids import CheckId

_DPI = 100
_CLEAR, _STRAY = 60, 12
"""Of 255: what an eye sees as another shade; and samples on a page that may differ so by the smoothing of edges."""
_BROKEN = (zipfile.BadZipFile, KeyError, RuntimeError, NotImplementedError, EOFError, OSError)
_LARGEST_PART = 64 << 20


def memo_differences(answer: Answer, core_sha256: str, members: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """Members and what differs: a memo of the same bytes is the same; else its parts (DOCX) or its rendered pages (PDF)
    are compared, for another version of a library may write the same memo in other bytes."""
    try:
        sources = [record_from_json(r) for r in load_json(members["sources.json"])]
        crops = crop_images(answer, members)
        blocks = memo_blocks(answer, sources, crops, core_sha256)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        yield "sources.json", f"no memo can be made of it ({type(error).__name__})"
        return
    found = members.get("memo.docx", b"")
    made = memo_docx(TITLE, blocks)
    if found != made and (differs := _parts_that_differ(found, made)):
        yield "memo.docx", f"not the memo of this answer: {', '.join(differs[:3])}"
    found = members.get("memo.pdf", b"")
    made = memo_pdf(TITLE, memo_foot(answer, core_sha256), blocks)
    if found != made and (why := _look_differs(found, made)):
        yield "memo.pdf", f"not the memo of this answer: {why}"


def memo_foot(answer: Answer, core_sha256: str) -> str:
    return f"{answer.answer_id} · {core_sha256}"


def crop_images(answer: Answer, members: Mapping[str, bytes]) -> list[CropImage]:
    """The pictures of each check in page order, as the memo shows them. Raises KeyError, TypeError or ValueError."""
    found = []
    for name in (n for n in members if n.startswith("crops/") and n.endswith(".json")):
        d = crop_from_json(load_json(members[name]))
        if d.rendering is None or d.image_width is None:
            raise ValueError("a crop without its rendering")
        png = members[name.removesuffix(".json") + ".png"]
        width = d.image_width * 7200 // d.rendering.dpi
        found.append(CropImage(CheckId(d.check_id or ""), d.page_index, png, width))
    order = {c.check_id: n for n, c in enumerate(answer.report.checks)}
    return sorted(found, key=lambda c: (order.get(c.check_id, -1), c.page_index))


def _parts_that_differ(found: bytes, made: bytes) -> list[str]:
    """Names of the parts of a package that only one of the two has, or that say something else: a header, a field,
    hidden text or a picture is a part or stands in one."""
    try:
        ours, theirs = _parts(made), _parts(found)
    except (*_BROKEN, Damaged, ValueError) as error:
        return [f"it cannot be opened ({type(error).__name__})"]
    return sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))


def _parts(data: bytes) -> dict[str, bytes]:
    """XML in its canonical form. Raises as zipfile and ``canonical_xml`` do; ValueError for two parts of one name."""
    parts: dict[str, bytes] = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for entry in archive.infolist():
            if entry.filename in parts or entry.file_size > _LARGEST_PART:
                raise ValueError("two parts of one name, or one that is too large")
            content = archive.read(entry)
            is_xml = entry.filename.endswith((".xml", ".rels"))
            parts[entry.filename] = canonical_xml(content) if is_xml else content
    return parts


def _look_differs(found: bytes, made: bytes) -> str:
    """Why two PDFs do not look the same; empty where they do. Pages are rendered with all that lies on them."""
    from ingest.mupdf import pymupdf

    try:
        with (
            pymupdf.open(stream=found, filetype="pdf") as theirs,
            pymupdf.open(stream=made, filetype="pdf") as ours,
        ):
            if len(theirs) != len(ours):
                return "another number of pages"
            if why := _carries(theirs):
                return why
            for page, due in zip(theirs, ours, strict=True):
                if page.rect != due.rect or not _same_picture(page, due):
                    return f"page {page.number + 1} looks different"
                if page.get_text().split() != due.get_text().split():
                    return f"page {page.number + 1} has other words"
    except (RuntimeError, ValueError) as error:
        return f"it cannot be opened ({type(error).__name__})"
    return ""


def _carries(document: Any) -> str:
    """What a memo never has and a viewer may show, print or run."""
    if any(page.first_annot or page.first_widget or page.get_links() for page in document):
        return "it has annotations, fields or links"
    if document.embfile_count() or document.get_ocgs():
        return "it has attachments or layers"
    catalog = document.pdf_catalog()
    keys = document.xref_get_keys(catalog)
    if {"OpenAction", "AA", "AcroForm", "Names"} & set(keys):
        return "it has actions or a form"
    return ""


def _same_picture(page: Any, due: Any) -> bool:
    """At most a few grey pixels apart: another version of the renderer smooths an edge otherwise."""
    import numpy as np

    ours, theirs = (np.frombuffer(p.get_pixmap(dpi=_DPI, colorspace="rgb").samples, np.uint8) for p in (due, page))
    if ours.shape != theirs.shape:
        return False
    apart = np.abs(ours.astype(np.int16) - theirs) > _CLEAR
    return int(apart.sum()) <= _STRAY
