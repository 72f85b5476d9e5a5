"""OpenDocument text (ODT): as ``office`` does for Word files, with changes, comments and notes labelled."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from ingest.failures import Damaged, Locked
from ingest.formats.model import Read, counted_warnings
from ingest.formats.odf.drawings import DRAW, Drawn
from ingest.formats.odf.numbering import Numbers, item_start, list_styles
from ingest.formats.odf.styles import TextStyle, read_styles
from ingest.formats.office.embedded import embedded_members
from ingest.formats.office.word_notes import change_note, mark_of_note, noted
from ingest.formats.safe_xml import Node, Package
from ingest.limits import Limits
from ingest.rendition.flow import (
    LEFT_OUT,
    Block,
    BlockKind,
    Grid,
    GridCell,
    Run,
    cut_behind,
    in_line,
    labelled,
    note_of,
    text_of,
)
from verify.domain.document import Metadata, SourceWarning, SpanKind, WarningCode

_URN = "{urn:oasis:names:tc:opendocument:xmlns:"
TEXT, OFFICE, TABLE, STYLE = (f"{_URN}{name}:1.0}}" for name in ("text", "office", "table", "style"))
_MANIFEST = f"{_URN}manifest:1.0}}"
_LOEXT = "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_SVG = f"{_URN}svg-compatible:1.0}}"
_DEPTH = 60
_WRAPPERS = frozenset(
    f"{TEXT}{name}"
    for name in (
        "section", "index-body", "index-title", "table-of-content", "illustration-index", "table-index",
        "object-index", "user-index", "alphabetical-index", "bibliography", "numbered-paragraph",
    )
)  # fmt: skip
_UNSEEN = frozenset((f"{TEXT}script", f"{TEXT}tracked-changes", f"{_SVG}title", f"{_SVG}desc"))
_MOST_REPEATED = 60
"""Columns; what is repeated more often is the empty rest of a table."""


def open_package(data: bytes, limits: Limits) -> Package:
    """Raises Damaged, or Locked for an encrypted file."""
    package = Package(data, limits)
    manifest = package.xml("META-INF/manifest.xml")
    if manifest is not None and next(manifest.iter(f"{_MANIFEST}encryption-data"), None) is not None:
        raise Locked("the file is encrypted; save it without a password")
    return package


def declared_title(package: Package) -> str | None:
    meta = package.xml("meta.xml")
    title = None if meta is None else meta.findtext(f".//{_DC}title")
    return (title or "").strip() or None


def read_odt(data: bytes, limits: Limits) -> Read:
    """Raises Damaged or Locked."""
    package = open_package(data, limits)
    content = package.xml("content.xml")
    body = None if content is None else content.find(f"{OFFICE}body/{OFFICE}text")
    if content is None or body is None:
        raise Damaged("the file has no text part")
    reader = OpenDocument(package, content, package.xml("styles.xml"))
    flow = [*reader.heads("header"), *reader.blocks(body, 0), *reader.heads("footer")]
    return Read(
        flow, Metadata(title=declared_title(package)), tuple(reader.warnings()), partial(embedded_members, data, limits)
    )


class OpenDocument:
    """Reads the text of an OpenDocument file, wherever it stands in it."""

    def __init__(self, package: Package, content: Node, styles: Node | None) -> None:
        self._styles = read_styles(styles, content)
        self._heads = styles
        self.counts: Counter[str] = Counter()
        self.drawn = Drawn(package, lambda node, depth: self.blocks(node, depth), self.counts)
        self._boxes: list[Block | Grid] = []
        self._deleted = _deletions(content)
        self._levels = list_styles(styles, content)
        self._headings = Numbers(self._levels.get("", {}))
        self._lists: dict[str, Numbers] = {}
        self._mark = ""
        self._notes: list[Block] = []
        self._marks = self._comments = self._changes = self._left_out = 0
        self._inserting: set[str] = set()
        self._insertions = _ids(content, "insertion")
        self.counts["formatting"] = len(_ids(content, "format-change"))

    def warnings(self) -> Iterator[SourceWarning]:
        counts, revised, lost = self.counts, WarningCode.HAS_REVISIONS, WarningCode.TRUNCATED
        by_hand = "pieces of text are struck through by hand; they are shown so"
        unread = "pictures are of a kind that is not read (EMF, WMF, SVG); save the file as PDF"
        return counted_warnings(
            (self._changes, revised, "tracked changes are shown and labelled"),
            (self._comments, WarningCode.HAS_ANNOTATIONS, "comments are shown and labelled"),
            (self._left_out, WarningCode.HIDDEN_TEXT, "pieces of hidden text were left out"),
            (counts["formatting"], revised, "tracked changes of formatting are not shown"),
            (counts["struck"], WarningCode.HAS_STRUCK_TEXT, by_hand),
            (counts["drawn"], lost, unread),
            (counts["outside"], lost, "pictures or frames do not lie in the file and were left out"),
            (counts["lost"], lost, "embedded objects cannot be read and were left out"),
        )

    def heads(self, kind: str) -> Iterator[Block]:
        """Each header or footer of the page styles once, labelled: the rendition has pages of its own."""
        seen = set()
        for master in () if self._heads is None else self._heads.iter(f"{STYLE}master-page"):
            for node in master:
                place = node.tag.rpartition("}")[2]
                if not place.startswith(kind) or node.get(f"{STYLE}display") == "false":
                    continue
                runs = self._plain(node, 0)
                text = text_of(runs)
                if text not in seen and any(map(str.isalpha, text)):
                    seen.add(text)
                    yield note_of(f"Page {kind}", runs)

    def blocks(self, parent: Node | Sequence[Node], depth: int, level: int = -1) -> Iterator[Block | Grid]:
        if depth > _DEPTH:
            yield LEFT_OUT
            return
        for node in parent:
            tag = node.tag
            if tag in (f"{TEXT}p", f"{TEXT}h"):
                yield from self._paragraph(node, depth, level)
            elif tag == f"{TEXT}list":
                yield from self._list(node, depth, level + 1, None)
            elif tag == f"{TABLE}table":
                yield self._table(node, depth)
                yield from self._taken()
            elif tag in _WRAPPERS:
                yield from self._wrapped(node, depth, level)
            elif isinstance(tag, str) and tag.startswith(DRAW):
                yield from self.drawn.read(node, depth + 1)
            elif tag in (f"{TEXT}change", f"{TEXT}change-start", f"{TEXT}change-end"):
                self._change(node)
                yield from self._taken()

    def _wrapped(self, node: Node, depth: int, level: int) -> Iterator[Block | Grid]:
        shown = node.get(f"{TEXT}display")
        if shown == "none" or (shown == "condition" and node.get(f"{TEXT}is-hidden") != "false"):
            self._left_out += any(str(text).strip() for text in node.itertext())
            return
        if node.tag == f"{TEXT}numbered-paragraph":
            numbers = self._numbers(node, None)
            value = node.get(f"{TEXT}level", "1")
            at = min(int(value) - 1, 9) if value.isdecimal() and len(value) < 3 and int(value) else 0
            self._mark = numbers.next(at, item_start(node))
            level = at
        yield from self.blocks(node, depth + 1, level)

    def _list(self, node: Node, depth: int, level: int, outer: Numbers | None) -> Iterator[Block | Grid]:
        """The first paragraph of an item carries its number or bullet."""
        if depth > _DEPTH:
            yield LEFT_OUT
            return
        numbers = self._numbers(node, outer)
        for item in node:
            if item.tag not in (f"{TEXT}list-item", f"{TEXT}list-header"):
                continue
            only_list = len(item) > 0 and item[0].tag == f"{TEXT}list"
            if item.tag == f"{TEXT}list-item" and not only_list:
                self._mark = numbers.next(level, item_start(item))
            for child in item:
                if child.tag == f"{TEXT}list":
                    yield from self._list(child, depth + 1, level + 1, numbers)
                else:
                    yield from self.blocks([child], depth + 1, level)

    def _numbers(self, node: Node, outer: Numbers | None) -> Numbers:
        """A list inside a list counts with it; one that continues goes on from the last of its style."""
        name = node.get(f"{TEXT}style-name")
        if outer is not None and name is None:
            return outer
        if node.get(f"{TEXT}continue-numbering") == "true" and name in self._lists:
            return self._lists[name]
        numbers = Numbers(self._levels.get(name or "?", {}))
        self._lists[name or ""] = numbers
        return numbers

    def _paragraph(self, node: Node, depth: int, level: int) -> Iterator[Block | Grid]:
        runs: list[Run] = []
        style = self._styles.get(node.get(f"{TEXT}style-name", ""), TextStyle())
        outer, self._boxes = self._boxes, []
        self._runs(node, runs, _styled(Run(""), style), depth)
        boxes, self._boxes = self._boxes, outer
        if style.hidden or _hides_itself(node):
            self._left_out += bool("".join(run.text for run in runs).strip())
            runs.clear()
        if "".join(run.text for run in runs).strip():
            if node.tag == f"{TEXT}h":
                value = node.get(f"{TEXT}outline-level", "1")
                outline = int(value) if value.isdecimal() and 0 < len(value) < 3 else 1
                mark = self._mark or self._headings.next(outline - 1)
                self._mark = ""
                yield Block(BlockKind.HEADING, (Run(f"{mark} "), *runs) if mark else tuple(runs), outline)
            elif level >= 0:
                mark, self._mark = self._mark, ""
                yield Block(BlockKind.ITEM, tuple(runs), level, mark)
            else:
                yield Block(BlockKind.PARAGRAPH, tuple(runs))
        self.counts["struck"] += sum(SpanKind.STRUCK in run.kinds and bool(run.text.strip()) for run in runs)
        yield from self._taken()
        yield from boxes

    def _taken(self) -> list[Block]:
        notes, self._notes = self._notes, []
        return notes

    def _runs(self, node: Node, runs: list[Run], style: Run, depth: int) -> None:
        if depth > _DEPTH:
            self._boxes.append(LEFT_OUT)
            return
        self._add(node.text, runs, style)
        for child in node:
            self._inline(child, runs, style, depth)
            self._add(child.tail, runs, style)

    def _add(self, text: str | None, runs: list[Run], style: Run) -> None:
        """White space in the XML is one space; more are written as elements."""
        if text:
            clean = " ".join(text.split()) if text.strip() else " "
            clean = (" " if text[:1].isspace() and text.strip() else "") + clean
            clean += " " if text[-1:].isspace() and text.strip() else ""
            kinds = [SpanKind.INSERTED] if self._inserting else []
            runs.append(style._replace(text=clean).of(*kinds))

    def _inline(self, node: Node, runs: list[Run], style: Run, depth: int) -> None:
        tag = node.tag
        if tag in _CHARACTERS:
            runs.append(style._replace(text=_CHARACTERS[tag]))
        elif tag == f"{TEXT}s":
            count = node.get(f"{TEXT}c", "1")
            runs.append(
                style._replace(text=" " * (min(int(count), 200) if count.isdecimal() and len(count) < 5 else 1))
            )
        elif tag == f"{TEXT}note":
            self._note(node, runs, depth)
        elif tag == f"{OFFICE}annotation":
            self._comment(node, depth)
        elif tag in (f"{TEXT}change", f"{TEXT}change-start", f"{TEXT}change-end"):
            if tag == f"{TEXT}change" and node.get(f"{TEXT}change-id", "") in self._deleted:
                cut_behind(runs)
            self._change(node)
        elif tag in (f"{TEXT}hidden-text", f"{TEXT}hidden-paragraph"):
            self._left_out += tag == f"{TEXT}hidden-text"
        elif tag == f"{TEXT}span":
            own = self._styles.get(node.get(f"{TEXT}style-name", ""), TextStyle())
            if own.hidden:
                self._left_out += 1
                return
            self._runs(node, runs, _styled(style, own), depth + 1)
        elif tag == f"{TEXT}ruby-text":
            aside: list[Run] = []
            self._runs(node, aside, style, depth + 1)
            reading = text_of(aside)
            runs += [style._replace(text=f"({reading})")] if reading.strip() else []
        elif isinstance(tag, str) and tag.startswith(DRAW):
            self._boxes += self.drawn.read(node, depth + 1)
        elif isinstance(tag, str) and not tag.startswith(OFFICE) and tag not in _UNSEEN:
            self._runs(node, runs, style, depth + 1)

    def _note(self, node: Node, runs: list[Run], depth: int) -> None:
        citation, body = node.find(f"{TEXT}note-citation"), node.find(f"{TEXT}note-body")
        self._marks += 1
        mark = ("" if citation is None else citation.text or "").strip() or str(self._marks)
        runs.append(mark_of_note(mark))
        self._notes.append(noted(mark, self._plain(body, depth)))

    def _comment(self, node: Node, depth: int, place: str = "") -> None:
        self._comments += 1
        who = node.findtext(f"{_DC}creator") or ""
        day = (node.findtext(f"{_DC}date") or "")[:10]
        settled = " (resolved)" if node.get(f"{_LOEXT}resolved") == "true" else ""
        label = settled + (f" by {who}" if who else "") + (f", {day}" if day else "")
        runs = [run.of(SpanKind.COMMENT) for run in self._plain(node, depth)]
        self._notes.append(note_of(f"Comment{place}{label}", runs))

    def comment(self, node: Node, place: str = "") -> list[Block]:
        """A comment that stands beside no paragraph; ``place`` (" on B4") goes into its label."""
        self._comment(node, 0, place)
        return self._taken()

    def is_struck(self, cell: Node) -> bool:
        """Whether a sheet's cell is struck through, by its own style or throughout by the styles in it."""
        if self._styles.get(cell.get(f"{TABLE}style-name", ""), TextStyle()).struck:
            return True
        runs: list[Run] = []
        for paragraph in cell.iterfind(f"{TEXT}p"):
            style = self._styles.get(paragraph.get(f"{TEXT}style-name", ""), TextStyle())
            self._runs(paragraph, runs, _styled(Run(""), style), 0)
        return any(SpanKind.STRUCK in run.kinds and run.text.strip() for run in runs)

    def _plain(self, node: Node | None, depth: int) -> list[Run]:
        """The words under a node on one line."""
        if node is None:
            return []
        outer, self._notes = self._notes, []
        runs = in_line(self.blocks(node, depth + 1))
        self._notes = outer
        return runs

    def _change(self, node: Node) -> None:
        name = node.get(f"{TEXT}change-id", "")
        if node.tag == f"{TEXT}change" and name in self._deleted:
            self._changes += 1
            who, region = self._deleted.pop(name)  # told where it first stood: one that names itself has no end
            self._notes.append(change_note(f"Deleted{who}", text_of(self._plain(region, 0)), gone=True))
        elif node.tag == f"{TEXT}change-start" and name in self._insertions:
            self._changes += 1
            self._inserting.add(name)
            self._notes.append(labelled(f"The underlined words were inserted{self._insertions[name]}"))
        elif node.tag == f"{TEXT}change-end":
            self._inserting.discard(name)

    def _table(self, node: Node, depth: int) -> Grid:
        rows = []
        for row in node.iter(f"{TABLE}table-row"):
            if _nearest_table(row) is not node:
                continue
            if row.get(f"{TABLE}visibility") in ("collapse", "filter"):
                self._left_out += any(str(text).strip() for text in row.itertext())
                continue
            cells = [cell for cell in row if cell.tag == f"{TABLE}table-cell"]
            rows.append(tuple(made for cell in cells for made in self._repeated(cell, depth)))
        return Grid(tuple(row for row in rows if row))

    def _repeated(self, node: Node, depth: int) -> list[GridCell]:
        value = node.get(f"{TABLE}number-columns-repeated", "1")
        count = int(value) if value.isdecimal() and len(value) < 6 else 1
        return [self._cell(node, depth)] * (count if 0 < count <= _MOST_REPEATED else 0)

    def _cell(self, node: Node, depth: int) -> GridCell:
        blocks = tuple(_flat(self.blocks(node, depth + 1)))
        columns, rows = (span_of(node, f"{TABLE}number-{name}-spanned") for name in ("columns", "rows"))
        return GridCell(blocks, columns, rows)


_CHARACTERS = {f"{TEXT}tab": "\t", f"{TEXT}line-break": "\n"}


def _styled(run: Run, style: TextStyle) -> Run:
    """The run as a span in it is set; what strikes through the text around strikes through it too."""
    kinds = [SpanKind.STRUCK] if style.struck else []
    return run._replace(
        bold=run.bold or style.bold, italic=run.italic or style.italic, raised=run.raised or style.raised,
        lowered=run.lowered or style.lowered,
    ).of(*kinds)  # fmt: skip


def _nearest_table(row: Node) -> Node | None:
    return next(row.iterancestors(f"{TABLE}table"), None)


def span_of(node: Node, name: str) -> int:
    value = node.get(name, "1")
    return max(1, min(int(value), 60)) if value.isdecimal() and len(value) < 5 else 1


def _flat(blocks: Iterator[Block | Grid]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Grid):
            for row in block.rows:
                yield Block(BlockKind.PARAGRAPH, tuple(in_line([Grid((row,))])))
        else:
            yield block


def _hides_itself(paragraph: Node) -> bool:
    """A field in the paragraph may hide it whole."""
    return any(field.get(f"{TEXT}is-hidden") == "true" for field in paragraph.iter(f"{TEXT}hidden-paragraph"))


def _regions(content: Node, kind: str) -> Iterator[tuple[str, str, Node]]:
    for region in content.iter(f"{TEXT}changed-region"):
        change = region.find(f"{TEXT}{kind}")
        if change is not None:
            who = change.findtext(f".//{_DC}creator") or ""
            day = (change.findtext(f".//{_DC}date") or "")[:10]
            label = (f" by {who}" if who else "") + (f", {day}" if day else "")
            yield region.get(f"{TEXT}id") or region.get("{http://www.w3.org/XML/1998/namespace}id") or "", label, change


def _deletions(content: Node) -> dict[str, tuple[str, Node]]:
    return {name: (label, change) for name, label, change in _regions(content, "deletion")}


def _ids(content: Node, kind: str) -> dict[str, str]:
    return {name: label for name, label, _ in _regions(content, kind)}
