"""Presentations (PPTX): each slide's words on a page of its own, then its speaker's notes and comments, labelled.

Shapes are read in the order in which they are stacked, tables as tables, charts by their values, diagrams by their
words. Hidden slides are left out and counted, as hidden sheets are, and so is what lies beyond the slide.
"""

from collections import Counter
from collections.abc import Iterator

from ingest.failures import Damaged
from ingest.formats.model import Read, counted_warnings
from ingest.formats.office.charts import A
from ingest.formats.office.drawings import DrawnThings
from ingest.formats.office.embedded import embedded_members
from ingest.formats.office.relations import Parts, R, main_part
from ingest.formats.office.slide_text import SlideParagraph, paragraphs
from ingest.formats.office.word_tree import MC, alternative_of
from ingest.formats.safe_xml import Node, Package
from ingest.limits import Limits
from ingest.rendition.flow import LEFT_OUT, Block, BlockKind, Grid, GridCell, note
from verify.domain.document import Metadata, SourceWarning, SpanKind, WarningCode

_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_P188 = "{http://schemas.microsoft.com/office/powerpoint/2018/8/main}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_DEPTH = 40
_TITLES = ("title", "ctrTitle")
_FURNITURE = ("sldNum", "dt", "sldImg", "hdr")
"""Placeholders of every slide: number, date, the slide's own picture on a page of notes, running head."""


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
        self._drawn = DrawnThings(package, self._counts)
        self._said: set[str] = set()
        self._size = (0, 0)
        self._authors: dict[str, str] = {}

    def slides(self) -> Iterator[Block | Grid]:
        main = main_part(self._package, "ppt/presentation.xml")
        presentation = self._package.xml(main)
        if presentation is None:
            raise Damaged("the file has no list of slides")
        parts = Parts(self._package, main)
        self._size = _numbers(presentation.find(f"{_P}sldSz"), "cx", "cy") or (0, 0)
        self._authors = self._named_authors(parts)
        first = True
        for entry in presentation.iter(f"{_P}sldId"):
            relation = parts.get(entry.get(f"{R}id"))
            slide = None if relation is None or relation.outside else self._package.xml(relation.target)
            if relation is None or slide is None:
                self._counts["missing"] += 1
                continue
            if slide.get("show", "1") in ("0", "false"):
                self._counts["hidden"] += 1
                continue
            if not first:
                yield Block(BlockKind.PAGE_BREAK, ())
            first = False
            own = Parts(self._package, relation.target)
            yield from self._shapes(slide, own, 0)
            yield from self._layout(own, slide)
            yield from self._beside(own)

    def warnings(self) -> Iterator[SourceWarning]:
        counts, lost, hidden = self._counts, WarningCode.TRUNCATED, WarningCode.HIDDEN_TEXT
        return counted_warnings(
            (counts["hidden"], hidden, "hidden slides were left out"),
            (counts["unseen"], hidden, "hidden shapes with words were left out"),
            (counts["beyond"], WarningCode.OFF_PAGE_TEXT, "shapes with words lie beyond their slide and were left out"),
            (counts["missing"], lost, "slides are missing from the file"),
            (counts["lost"], lost, "charts or diagrams cannot be read and were left out; save the file as PDF"),
            (counts["drawn"], lost, "pictures are of a kind that is not read (EMF, WMF, SVG); save the file as PDF"),
            (counts["outside"], lost, "pictures do not lie in the file and were left out"),
            (counts["struck"], WarningCode.HAS_STRUCK_TEXT, "pieces of text are struck through; they are shown so"),
            (counts["comment"], WarningCode.HAS_ANNOTATIONS, "comments or notes are shown and labelled"),
        )

    def _named_authors(self, parts: Parts) -> dict[str, str]:
        """Who commented, in the old form of comments and the new one."""
        kinds = (("commentAuthors", f"{_P}cmAuthor"), ("authors", f"{_P188}author"))
        return {
            author.get("id", ""): author.get("name", "")
            for kind, tag in kinds
            for relation in parts.of_kind(kind)
            if (root := self._package.xml(relation.target)) is not None
            for author in root.iter(tag)
        }

    def _shapes(self, parent: Node, parts: Parts, depth: int) -> Iterator[Block | Grid]:
        if depth > _DEPTH:
            yield LEFT_OUT
            return
        for node in parent:
            if node.tag == f"{MC}AlternateContent":
                chosen = alternative_of(node)
                if chosen is not None:
                    yield from self._shapes(chosen, parts, depth + 1)
            elif node.tag in (f"{_P}cSld", f"{_P}spTree"):
                yield from self._shapes(node, parts, depth + 1)
            elif self._is_unseen(node, on_slide=depth < 3):
                continue
            elif node.tag == f"{_P}sp":
                yield from self._shape(node)
            elif node.tag == f"{_P}graphicFrame":
                yield from self._frame(node, parts)
            elif node.tag == f"{_P}pic":
                yield from self._drawn.blocks(node, parts)
            elif node.tag == f"{_P}grpSp":
                yield from self._shapes(node, parts, depth + 3)

    def _is_unseen(self, node: Node, *, on_slide: bool) -> bool:
        """Hidden, or placed beyond the slide; the places of a group's shapes are the group's own."""
        if node.tag not in (f"{_P}sp", f"{_P}graphicFrame", f"{_P}pic", f"{_P}grpSp"):
            return False
        has_words = any((t.text or "").strip() for t in node.iter(f"{A}t"))
        named = node.find(f".//{_P}cNvPr")
        if named is not None and named.get("hidden", "0") in ("1", "true"):
            self._counts["unseen"] += has_words
            return True
        beyond = on_slide and self._lies_beyond(node)
        self._counts["beyond"] += beyond and has_words
        return beyond

    def _lies_beyond(self, node: Node) -> bool:
        place = node.find(f"{_P}spPr/{A}xfrm")
        place = node.find(f"{_P}grpSpPr/{A}xfrm") if place is None else place
        place = node.find(f"{_P}xfrm") if place is None else place
        if place is None or not all(self._size):
            return False
        corner, extent = _numbers(place.find(f"{A}off"), "x", "y"), _numbers(place.find(f"{A}ext"), "cx", "cy")
        if corner is None or extent is None:
            return False
        ends = zip(corner, extent, self._size, strict=True)
        return any(start >= whole or start + length <= 0 for start, length, whole in ends)

    def _shape(self, node: Node) -> Iterator[Block]:
        place = node.find(f".//{_P}nvPr/{_P}ph")
        kind = "" if place is None else place.get("type", "body")
        if kind in _FURNITURE:
            return
        body = node.find(f"{_P}txBody")
        if kind == "ftr":
            yield from self._once("Slide footer", " ".join(_text(p) for p in paragraphs(body)))
            return
        for paragraph in paragraphs(body):
            self._counts["struck"] += sum(
                SpanKind.STRUCK in run.kinds and bool(run.text.strip()) for run in paragraph.runs
            )
            yield _block(paragraph, heading=kind in _TITLES)

    def _once(self, label: str, text: str) -> Iterator[Block]:
        """What every slide repeats is shown with the first."""
        text = " ".join(text.split())
        if any(map(str.isalpha, text)) and text not in self._said:
            self._said.add(text)
            yield note(label, text)

    def _frame(self, node: Node, parts: Parts) -> Iterator[Block | Grid]:
        table = node.find(f".//{A}tbl")
        if table is None:
            drawn = list(self._drawn.blocks(node, parts))
            self._counts["lost"] += not drawn
            yield from drawn
            return
        rows = tuple(tuple(map(_cell, _cells(row))) for row in table.iterfind(f"{A}tr"))
        if any(rows):
            yield Grid(rows)

    def _layout(self, slide: Parts, root: Node) -> Iterator[Block]:
        """Words that stand on every slide of a layout or master and are nobody's to fill in."""
        if root.get("showMasterSp", "1") in ("0", "false"):
            return
        for relation in slide.of_kind("slideLayout"):
            layout = self._package.xml(relation.target)
            masters = Parts(self._package, relation.target).of_kind("slideMaster")
            for page in (layout, *(self._package.xml(master.target) for master in masters)):
                for shape in () if page is None else page.iter(f"{_P}sp"):
                    if shape.find(f".//{_P}nvPr/{_P}ph") is None:
                        text = " ".join(_text(p) for p in paragraphs(shape.find(f"{_P}txBody")))
                        yield from self._once("On every slide", text)

    def _beside(self, slide: Parts) -> Iterator[Block]:
        """Speaker's notes and comments of a slide."""
        for relation in (*slide.of_kind("notesSlide"), *slide.of_kind("comments")):
            root = self._package.xml(relation.target)
            if root is None:
                continue
            is_note = relation.kind == "notesSlide"
            for label, text in _notes(root) if is_note else self._comments(root):
                if text.strip():
                    self._counts["comment"] += 1
                    yield note(label, " ".join(text.split()), None if is_note else SpanKind.COMMENT)

    def _comments(self, root: Node) -> Iterator[tuple[str, str]]:
        for comment in root.iter(f"{_P}cm", f"{_P188}cm", f"{_P188}reply"):
            who = self._authors.get(comment.get("authorId", ""), "")
            what = "Reply" if comment.tag == f"{_P188}reply" else "Comment"
            text = comment.findtext(f"{_P}text") or " ".join(
                _text(p) for p in paragraphs(comment.find(f"{_P188}txBody"))
            )
            yield f"{what} by {who}" if who else what, text


def _notes(root: Node) -> Iterator[tuple[str, str]]:
    for shape in root.iter(f"{_P}sp"):
        if shape.find(f".//{_P}nvPr/{_P}ph[@type='body']") is not None:
            yield "Speaker's notes", " ".join(_text(p) for p in paragraphs(shape.find(f"{_P}txBody")))


def _text(paragraph: SlideParagraph) -> str:
    text = "".join(run.text for run in paragraph.runs)
    return f"{paragraph.marker} {text}" if paragraph.marker else text


def _block(paragraph: SlideParagraph, *, heading: bool) -> Block:
    if heading:
        return Block(BlockKind.HEADING, paragraph.runs, 1)
    if paragraph.marker:
        return Block(BlockKind.ITEM, paragraph.runs, paragraph.level, paragraph.marker)
    return Block(BlockKind.PARAGRAPH, paragraph.runs)


def _numbers(node: Node | None, first: str, second: str) -> tuple[int, int] | None:
    values = [] if node is None else [node.get(name, "") for name in (first, second)]
    if len(values) != 2 or not all(v.removeprefix("-").isdecimal() and len(v) < 15 for v in values):
        return None
    return int(values[0]), int(values[1])


def _cells(row: Node) -> Iterator[Node]:
    """Cells that are no part of one to their left or above."""
    merged = ("1", "true")
    return (c for c in row.iterfind(f"{A}tc") if c.get("hMerge") not in merged and c.get("vMerge") not in merged)


def _cell(node: Node) -> GridCell:
    found = paragraphs(node.find(f"{A}txBody"))
    blocks = tuple(_block(paragraph, heading=False) for paragraph in found)
    return GridCell(blocks, _span(node, "gridSpan"), _span(node, "rowSpan"))


def _span(node: Node, name: str) -> int:
    value = node.get(name, "1")
    return min(int(value), 63) if value.isdecimal() and len(value) < 5 and int(value) else 1
