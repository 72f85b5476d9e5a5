"""Whether a bundle's memo says what its answer says: set again from the same parts, its words are compared."""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence

from app.services.answers.answers import Answer
from app.services.bundle.file import load_json
from app.services.bundle.memo import TITLE, CropImage, memo_blocks
from app.services.bundle.memo_docx import memo_docx
from app.services.bundle.memo_pdf import memo_pdf
from app.services.evidence.crops import crop_from_json
from app.store.records import record_from_json
from verify.domain.ids import CheckId

_XML_TEXT = re.compile(r"<w:t(?: [^>]*)?>([^<]*)</w:t>|<w:p[ >]")
_LARGEST_PART = 64 << 20


def memo_differences(answer: Answer, core_sha256: str, members: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """Members and what differs. Words are compared, not bytes: another version of a library may set them otherwise."""
    try:
        sources = [record_from_json(r) for r in load_json(members["sources.json"])]
        crops = crop_images(answer, members)
        blocks = memo_blocks(answer, sources, crops, core_sha256)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        yield "sources.json", f"no memo can be made of it ({type(error).__name__})"
        return
    if _docx_words(members.get("memo.docx", b"")) != _docx_words(memo_docx(TITLE, blocks)):
        yield "memo.docx", "its words are not those of the answer"
    elif _docx_pictures(members["memo.docx"]) != sorted({c.png for c in crops}):
        yield "memo.docx", "its pictures are not those of the bundle"
    again = memo_pdf(TITLE, memo_foot(answer, core_sha256), blocks)
    if _pdf_words(members.get("memo.pdf", b"")) != _pdf_words(again):
        yield "memo.pdf", "its words are not those of the answer"


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


def _docx_words(data: bytes) -> Sequence[str]:
    xml = _part(data, "word/document.xml").decode("utf-8", "replace")
    return "".join(m[1] if m[1] is not None else " " for m in _XML_TEXT.finditer(xml)).split()


def _docx_pictures(data: bytes) -> list[bytes]:
    """One that cannot be read is like no picture of a bundle."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = [n for n in archive.namelist() if n.startswith("word/media/")]
    return sorted({_part(data, n) for n in names})


def _part(data: bytes, name: str) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.read(name) if archive.getinfo(name).file_size <= _LARGEST_PART else b""
    except (zipfile.BadZipFile, KeyError, RuntimeError, NotImplementedError, EOFError, ValueError, OSError):
        return b""


def _pdf_words(data: bytes) -> Sequence[str]:
    from ingest.mupdf import pymupdf

    try:
        with pymupdf.open(stream=data, filetype="pdf") as document:
            return " ".join(page.get_text() for page in document).split()
    except (RuntimeError, ValueError):
        return ()
