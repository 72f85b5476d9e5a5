"""A DOCX draft: its paragraphs with tracked changes as accepted, and the same ones again in a copy to be marked."""

import io
import zipfile
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docx import Document
from docx.document import Document as WordDocument
from docx.oxml.ns import qn
from docx.oxml.parser import parse_xml
from docx.text.paragraph import Paragraph

from app.errors import InputUnreadable
from app.services.cite_check.draft_model import Block, BlockKind, Draft, DraftNote
from verify.domain.ids import Fingerprint

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MOST_BYTES = 500_000_000
"""Of all parts of the package, unpacked."""
_INDENT = 360
"""Twips (a quarter of an inch) on both sides: the least that sets a block quotation off."""
_FEWEST_WORDS = 8
_GONE = {qn("w:del"), qn("w:moveFrom"), qn("w:pPr"), qn("w:commentReference")}
_NOTE_PARTS = (("footnote", "/word/footnotes.xml"), ("endnote", "/word/endnotes.xml"))
_TEXTS = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "\u2011"}


@dataclass(frozen=True, slots=True)
class WordParagraph:
    """``element`` is its ``w:p``; ``name`` is that of its block."""

    element: Any
    name: str
    note: bool
    cell: bool
    anchor: int | None = None


def is_word(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(8)
    if path.suffix.lower() in (".docx", ".docm", ".dotx") and head == _OLE:
        raise InputUnreadable(f"{path} is protected with a password; save a copy without one")
    if not head.startswith(b"PK"):
        return False
    try:
        with zipfile.ZipFile(path) as package:
            return "word/document.xml" in package.namelist()
    except zipfile.BadZipFile:
        return False


def open_word(data: bytes, name: str) -> WordDocument:
    """Raises InputUnreadable for a package that is damaged or unpacks to too much."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            if sum(part.file_size for part in package.infolist()) > _MOST_BYTES:
                raise InputUnreadable(f"{name} unpacks to more than is read")
        return Document(io.BytesIO(data))
    except InputUnreadable:
        raise
    except Exception as error:  # python-docx lets lxml's, zipfile's and its own errors through
        raise InputUnreadable(f"{name} cannot be read; the file may be damaged") from error


def read_word(path: Path, fingerprint: Fingerprint) -> Draft:
    document = open_word(path.read_bytes(), str(path))
    blocks, notes = [], []
    paged = document.element.body.find(f".//{qn('w:lastRenderedPageBreak')}") is not None
    page = 0
    for paragraph in paragraphs(document):
        before, inside = _breaks(paragraph.element) if paged and not paragraph.note else (0, 0)
        page += before
        text = text_of(paragraph.element)
        if text.strip():
            kind = _kind(paragraph, document, text)
            blocks.append(Block(text, kind, page if paged else None, paragraph.name, anchor=paragraph.anchor))
        page += inside
    if (
        document.element.body.find(f".//{qn('w:ins')}") is not None
        or document.element.body.find(f".//{qn('w:del')}") is not None
    ):
        notes.append(DraftNote.CHANGES_ACCEPTED)
    if not paged:
        notes.append(DraftNote.NO_PAGES)
    return Draft(path.name, fingerprint, MEDIA_TYPE, tuple(blocks), tuple(notes))


def paragraphs(document: WordDocument) -> Iterator[WordParagraph]:
    """Those of the body in order, in tables too, each followed by the notes that it refers to."""
    note_parts = {kind: _notes(document, name) for kind, name in _NOTE_PARTS}
    for number, element in enumerate(document.element.body.iter(qn("w:p"))):
        in_cell = any(parent.tag == qn("w:tc") for parent in element.iterancestors())
        yield WordParagraph(element, f"par-{number}", False, in_cell)
        for kind, notes in note_parts.items():
            for reference in element.iter(qn(f"w:{kind}Reference")):
                note = notes.get(reference.get(qn("w:id")))
                anchor = _length_before(element, reference)
                for at, inner in enumerate(note.iter(qn("w:p")) if note is not None else ()):
                    yield WordParagraph(inner, f"{kind}-{reference.get(qn('w:id'))}.{at}", True, False, anchor)


def _notes(document: WordDocument, name: str) -> dict[str, Any]:
    """The notes by id."""
    part = next((p for p in document.part.package.iter_parts() if str(p.partname) == name), None)
    return {} if part is None else {note.get(qn("w:id")): note for note in parse_xml(part.blob)}


def runs_of(paragraph: Any) -> Iterator[Any]:
    """The ``w:r`` that remain if every tracked change is accepted."""
    for child in paragraph:
        if child.tag in _GONE:
            continue
        if child.tag == qn("w:r"):
            yield child
        elif child.tag != qn("w:p"):
            yield from runs_of(child)


def run_text(run: Any) -> str:
    return "".join(child.text or "" if child.tag == qn("w:t") else _TEXTS.get(child.tag, "") for child in run)


def _length_before(paragraph: Any, reference: Any) -> int:
    """Characters of the paragraph before the run that holds a note's mark."""
    length = 0
    for run in runs_of(paragraph):
        if reference in list(run):
            break
        length += len(run_text(run))
    return length


def text_of(paragraph: Any) -> str:
    return "".join(map(run_text, runs_of(paragraph)))


def _breaks(paragraph: Any) -> tuple[int, int]:
    """Page breaks before the paragraph's first character, and after it."""
    before = after = 0
    seen = False
    for run in runs_of(paragraph):
        for child in run:
            if child.tag == qn("w:lastRenderedPageBreak"):
                before, after = (before, after + 1) if seen else (before + 1, after)
            elif child.tag == qn("w:t") and (child.text or "").strip():
                seen = True
    return before, after


def _kind(paragraph: WordParagraph, document: WordDocument, text: str) -> BlockKind:
    if paragraph.note:
        return BlockKind.NOTE
    if paragraph.cell:
        return BlockKind.CELL
    shape = Paragraph(paragraph.element, document.part)
    style = (shape.style.name or "").lower() if shape.style is not None else ""
    if style.startswith(("heading", "title")):
        return BlockKind.HEADING
    set_off = "quot" in style or "block" in style or _indented(shape)
    return BlockKind.BLOCK_QUOTE if set_off and len(text.split()) >= _FEWEST_WORDS else BlockKind.PARAGRAPH


def _indented(shape: Paragraph) -> bool:
    if shape._p.pPr is not None and shape._p.pPr.find(qn("w:numPr")) is not None:
        return False
    sides = []
    for side in ("left_indent", "right_indent"):
        value = getattr(shape.paragraph_format, side)
        if value is None and shape.style is not None:
            value = getattr(shape.style.paragraph_format, side)
        sides.append(0 if value is None else value.twips)
    return min(sides) >= _INDENT


def isolate(paragraph: Any, start: int, end: int) -> list[Any]:
    """The runs that hold exactly these characters, runs being split where they hold more."""
    found, at = [], 0
    for run in list(runs_of(paragraph)):
        length = len(run_text(run))
        low, high = max(start - at, 0), min(end - at, length)
        if length and low < high:
            found.append(_cut(run, low, high))
        at += length
    return found


def _cut(run: Any, low: int, high: int) -> Any:
    """The middle one of up to three runs that this one is split into."""
    length = len(run_text(run))
    if high < length:
        run.addnext(_part(run, high, length))
    if low > 0:
        middle = _part(run, low, high)
        run.addnext(middle)
        _keep(run, 0, low)
        return middle
    _keep(run, low, high)
    return run


def _part(run: Any, low: int, high: int) -> Any:
    part = deepcopy(run)
    _keep(part, low, high)
    return part


def _keep(run: Any, low: int, high: int) -> None:
    """Leaves only these characters in the run; what has no text stays with the first of its parts."""
    at, total = 0, len(run_text(run))
    for child in list(run):
        if child.tag == qn("w:rPr"):
            continue
        text = child.text or "" if child.tag == qn("w:t") else _TEXTS.get(child.tag, "")
        left, right = max(low - at, 0), min(high - at, len(text))
        if not text:
            if not (low <= at < high or at == high == total):
                run.remove(child)
        elif left >= right:
            run.remove(child)
        elif child.tag == qn("w:t"):
            child.text = text[left:right]
            child.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
        at += len(text)
