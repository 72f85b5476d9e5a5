"""OpenDocument presentations (ODP): a page a slide, then its speaker's notes and comments, as ``slides`` does."""

from collections.abc import Iterator
from functools import partial

from ingest.failures import Damaged
from ingest.formats.model import Read, counted_warnings
from ingest.formats.odf.documents import OFFICE, OpenDocument, declared_title, open_package
from ingest.formats.odf.drawings import DRAW
from ingest.formats.odf.styles import styles_with
from ingest.formats.office.embedded import embedded_members
from ingest.formats.safe_xml import Node
from ingest.limits import Limits
from ingest.rendition.flow import Block, BlockKind, Grid, note
from verify.domain.document import Metadata, SourceWarning, WarningCode

_PRESENTATION = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
_FURNITURE = ("page-number", "date-time", "header", "footer", "page")
"""Placeholders of every slide, and the slide's own picture on a page of notes."""
_TITLES = ("title", "subtitle")


def read_odp(data: bytes, limits: Limits) -> Read:
    """Raises Damaged or Locked."""
    package = open_package(data, limits)
    content = package.xml("content.xml")
    body = None if content is None else content.find(f"{OFFICE}body/{OFFICE}presentation")
    if content is None or body is None:
        raise Damaged("the file has no slides")
    reader = _Slides(
        OpenDocument(package, content, package.xml("styles.xml")),
        styles_with(content, "drawing-page", f"{_PRESENTATION}visibility", "hidden"),
    )
    flow = list(reader.read(body))
    return Read(
        flow, Metadata(title=declared_title(package)), tuple(reader.warnings()), partial(embedded_members, data, limits)
    )


class _Slides:
    def __init__(self, document: OpenDocument, hidden: frozenset[str]) -> None:
        self._document = document
        self._hidden_styles = hidden
        self._hidden = self._notes = 0

    def read(self, body: Node) -> Iterator[Block | Grid]:
        first = True
        for page in body.iterfind(f"{DRAW}page"):
            if page.get(f"{DRAW}style-name", "") in self._hidden_styles:
                self._hidden += 1
                continue
            if not first:
                yield Block(BlockKind.PAGE_BREAK, ())
            first = False
            yield from self._shapes(page)
            for notes in page.iterfind(f"{_PRESENTATION}notes"):
                yield from self._beside(notes)

    def warnings(self) -> Iterator[SourceWarning]:
        yield from self._document.warnings()
        yield from counted_warnings(
            (self._hidden, WarningCode.HIDDEN_TEXT, "hidden slides were left out"),
            (self._notes, WarningCode.HAS_ANNOTATIONS, "notes are shown and labelled"),
        )

    def _shapes(self, page: Node) -> Iterator[Block | Grid]:
        for shape in page:
            role = shape.get(f"{_PRESENTATION}class", "")
            if role in _FURNITURE or shape.get(f"{_PRESENTATION}placeholder") == "true":
                continue
            if shape.tag == f"{OFFICE}annotation":
                yield from self._document.comment(shape)
            elif isinstance(shape.tag, str) and shape.tag.startswith(DRAW):
                for block in self._document.drawn.read(shape, 0):
                    if role in _TITLES and isinstance(block, Block) and block.kind is BlockKind.PARAGRAPH:
                        yield Block(BlockKind.HEADING, block.runs, 1)
                    else:
                        yield block

    def _beside(self, notes: Node) -> Iterator[Block]:
        for block in self._shapes(notes):
            text = " ".join(block.text.split()) if isinstance(block, Block) else ""
            if text and not text.startswith("[Picture"):
                self._notes += 1
                yield note("Speaker's notes", text)
