"""Presentations (PPTX): each slide's words on a page of its own, then its speaker's notes and comments, labelled.

Shapes are read in the order in which they are stacked, tables as tables. Hidden slides are left out and counted, as
hidden sheets are. Charts and diagrams are drawings with data of their own, which are not read; that is told.
"""

import posixpath
from collections import Counter
from collections.abc import Iterator

from ingest.docx_parts import embedded_members
from ingest.failures import Damaged
from ingest.flow import LEFT_OUT, Block, BlockKind, Grid, GridCell, Run
from ingest.limits import Limits
from ingest.opening import Read
from ingest.safe_xml import Node, Package
from verify.domain.document import Metadata, SourceWarning, WarningCode

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_DEPTH = 40
_TITLES = ("title", "ctrTitle")
_FURNITURE = ("sldNum", "dt", "sldImg", "hdr", "ftr")
"""Placeholders of every slide: number, date, the slide's own picture on a page of notes, running head and foot."""


def read_slides(data: bytes, limits: Limits) -> Read:
    """Raises Damaged."""
    package = Package(data, limits)
    reader = _Reader(package)
    flow = list(reader.slides())
    core = package.xml("docProps/core.xml")
    title = None if core is None else (core.findtext(f"{_DC}title") or "").strip()
    members = lambda: embedded_members(data, limits)  # noqa: E731
    return Read(flow, Metadata(title=title or None), tuple(reader.warnings()), members)


class _Reader:
    def __init__(self, package: Package) -> None:
        self._package = package
        self._counts: Counter[str] = Counter()

    def slides(self) -> Iterator[Block | Grid]:
        main = "ppt/presentation.xml"
        presentation = self._package.xml(main)
        if presentation is None:
            raise Damaged("the file has no list of slides")
        parts = {key: target for key, _, target in self._relations(main)}
        first = True
        for entry in presentation.iter(f"{_P}sldId"):
            name = parts.get(entry.get(f"{_R}id", ""))
            slide = None if name is None else self._package.xml(name)
            if name is None or slide is None:
                self._counts["lost"] += 1
                continue
            if slide.get("show", "1") in ("0", "false"):
                self._counts["hidden"] += 1
                continue
            if not first:
                yield Block(BlockKind.PAGE_BREAK, ())
            first = False
            yield from self._shapes(slide, 0)
            yield from self._beside(name)

    def warnings(self) -> Iterator[SourceWarning]:
        said = (
            ("hidden", WarningCode.HIDDEN_TEXT, "hidden slides were left out"),
            ("lost", WarningCode.TRUNCATED, "slides are missing from the file"),
            (
                "drawing",
                WarningCode.TRUNCATED,
                "charts or diagrams were left out; save the file as PDF to have them read",
            ),
            ("comment", WarningCode.HAS_ANNOTATIONS, "comments or notes are shown and labelled"),
        )
        for key, code, words in said:
            if self._counts[key]:
                yield SourceWarning(code, None, f"{self._counts[key]} {words}")

    def _relations(self, part: str) -> Iterator[tuple[str, str, str]]:
        """Id, kind and target of the parts that a part refers to; what lies outside the file is passed over."""
        folder, _, name = part.rpartition("/")
        root = self._package.xml(f"{folder}/_rels/{name}.rels")
        for node in () if root is None else root.iter(_RELATION):
            if node.get("TargetMode") != "External":
                target = node.get("Target", "")
                path = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
                yield node.get("Id", ""), node.get("Type", "").rpartition("/")[2], posixpath.normpath(path)

    def _shapes(self, parent: Node, depth: int) -> Iterator[Block | Grid]:
        if depth > _DEPTH:
            yield LEFT_OUT
            return
        for node in parent:
            if node.tag == f"{_P}sp":
                yield from self._shape(node)
            elif node.tag == f"{_P}graphicFrame":
                yield from self._frame(node)
            elif node.tag in (f"{_P}cSld", f"{_P}spTree", f"{_P}grpSp"):
                yield from self._shapes(node, depth + 1)

    def _shape(self, node: Node) -> Iterator[Block]:
        place = node.find(f".//{_P}nvPr/{_P}ph")
        kind = "" if place is None else place.get("type", "body")
        if kind in _FURNITURE or _is_hidden(node):
            return
        body = node.find(f"{_P}txBody")
        for runs in _paragraphs(body):
            heading = kind in _TITLES
            yield Block(BlockKind.HEADING if heading else BlockKind.PARAGRAPH, runs, 1 if heading else 0)

    def _frame(self, node: Node) -> Iterator[Grid]:
        table = node.find(f".//{_A}tbl")
        if table is None:
            self._counts["drawing"] += 1
            return
        rows = tuple(tuple(map(_cell, _cells(row))) for row in table.iterfind(f"{_A}tr"))
        if any(rows):
            yield Grid(rows)

    def _beside(self, slide: str) -> Iterator[Block]:
        """Speaker's notes and comments of a slide."""
        for _, kind, target in self._relations(slide):
            if kind not in ("notesSlide", "comments"):
                continue
            root = self._package.xml(target)
            if root is None:
                continue
            texts = _notes(root) if kind == "notesSlide" else [str(n.text or "") for n in root.iter(f"{_P}text")]
            label = "Speaker's notes" if kind == "notesSlide" else "Comment"
            for text in filter(None, (" ".join(text.split()) for text in texts)):
                self._counts["comment"] += 1
                yield Block(BlockKind.NOTE, (Run(f"[{label}: {text}]", italic=True),))


def _notes(root: Node) -> list[str]:
    bodies = (s for s in root.iter(f"{_P}sp") if s.find(f".//{_P}nvPr/{_P}ph[@type='body']") is not None)
    return [" ".join(run.text for runs in _paragraphs(s.find(f"{_P}txBody")) for run in runs) for s in bodies]


def _is_hidden(node: Node) -> bool:
    named = node.find(f".//{_P}cNvPr")
    return named is not None and named.get("hidden", "0") in ("1", "true")


def _paragraphs(body: Node | None) -> Iterator[tuple[Run, ...]]:
    for paragraph in () if body is None else body.iterfind(f"{_A}p"):
        runs = tuple(_runs(paragraph))
        if "".join(run.text for run in runs).strip():
            yield runs


def _runs(paragraph: Node) -> Iterator[Run]:
    for node in paragraph:
        if node.tag == f"{_A}br":
            yield Run("\n")
        elif node.tag in (f"{_A}r", f"{_A}fld"):
            style = node.find(f"{_A}rPr")
            bold, italic, raised = (
                ("", "", "") if style is None else (style.get("b"), style.get("i"), style.get("baseline"))
            )
            text = "".join(t.text or "" for t in node.iterfind(f"{_A}t"))
            yield Run(
                text, bold in ("1", "true"), italic in ("1", "true"), False, (raised or "").lstrip("0").isdecimal()
            )


def _cells(row: Node) -> Iterator[Node]:
    """Cells that are no part of one to their left or above."""
    merged = ("1", "true")
    return (c for c in row.iterfind(f"{_A}tc") if c.get("hMerge") not in merged and c.get("vMerge") not in merged)


def _cell(node: Node) -> GridCell:
    blocks = tuple(Block(BlockKind.PARAGRAPH, runs) for runs in _paragraphs(node.find(f"{_A}txBody")))
    return GridCell(blocks, _span(node, "gridSpan"), _span(node, "rowSpan"))


def _span(node: Node, name: str) -> int:
    value = node.get(name, "1")
    return min(int(value), 63) if value.isdecimal() and len(value) < 5 and int(value) else 1
