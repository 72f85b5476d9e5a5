"""Word files (DOCX): the text as it reads now, with what was deleted, inserted and commented labelled beside it.

A paragraph shows its current words, insertions underlined. What was deleted never stands among them: a note below says
who deleted, inserted or commented what. Hidden text (``vanish``) is left out, field codes and macros are not looked at.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ingest.docx_numbering import Numbering, W, format_number, read_numbering
from ingest.docx_styles import Style, cannot_be_seen, has_shading, is_on, number_of, read_styles, toggle, value_of
from ingest.docx_tree import MC, WRAPPERS, alternative_of, by_id, cells_of, outermost, rows_of, symbol_of, who_changed
from ingest.flow import LEFT_OUT, Block, BlockKind, Flow, Grid, GridCell, Run
from ingest.limits import Limits
from ingest.opening import Read
from ingest.safe_xml import Node, Package
from verify.domain.document import Metadata, SourceWarning, WarningCode

_DC = "{http://purl.org/dc/elements/1.1/}"
_DEPTH = 40
"""Tables and text boxes nested deeper than this are not followed."""


@dataclass(slots=True)
class _Notes:
    """Labelled notes of the paragraph that is being read, shown after it."""

    lines: list[Block] = field(default_factory=list)
    changes: list[tuple[str, str, list[str]]] = field(default_factory=list)

    def change(self, what: str, who: str, text: str) -> None:
        """Neighbouring runs of one change are one note."""
        if self.changes and self.changes[-1][:2] == (what, who):
            self.changes[-1][2].append(text)
        else:
            self.changes.append((what, who, [text]))

    def taken(self) -> list[Block]:
        changed = [
            Block(BlockKind.NOTE, (Run(f"[{what}{who}: “{''.join(texts)}”]", italic=True),))
            for what, who, texts in self.changes
            if "".join(texts).strip()
        ]
        blocks = changed + self.lines
        self.changes, self.lines = [], []
        return blocks


def read_docx(data: bytes, limits: Limits) -> Read:
    """Raises Damaged."""
    from ingest.docx_parts import embedded_members

    package = Package(data, limits)
    document = package.xml("word/document.xml")
    reader = _Reader(package)
    flow = reader.read(document) if document is not None else []
    return Read(flow, Metadata(title=_title(package)), tuple(reader.warnings()), lambda: embedded_members(data, limits))


def _title(package: Package) -> str | None:
    core = package.xml("docProps/core.xml")
    title = None if core is None else core.findtext(f"{_DC}title")
    return (title or "").strip() or None


class _Reader:
    def __init__(self, package: Package) -> None:
        self._package = package
        self._styles = read_styles(package.xml("word/styles.xml"))
        self._numbering: Numbering = read_numbering(package.xml("word/numbering.xml"))
        self._footnotes = by_id(package.xml("word/footnotes.xml"), "footnote")
        self._endnotes = by_id(package.xml("word/endnotes.xml"), "endnote")
        self._comments = by_id(package.xml("word/comments.xml"), "comment")
        self._notes = _Notes()
        self._counts: Counter[str] = Counter()
        self._shaded = False

    def read(self, document: Node) -> Flow:
        body = document.find(f"{W}body")
        flow: list[Block | Grid] = list(self._running_heads("header"))
        if body is not None:
            flow += self._blocks(body, 0)
        return flow + list(self._running_heads("footer"))

    def warnings(self) -> Iterator[SourceWarning]:
        inserted, deleted, comments = (self._counts[name] for name in ("inserted", "deleted", "comment"))
        if inserted or deleted:
            detail = f"{inserted} insertions and {deleted} deletions are tracked; both are shown and labelled"
            yield SourceWarning(WarningCode.HAS_REVISIONS, None, detail)
        if comments:
            yield SourceWarning(WarningCode.HAS_ANNOTATIONS, None, f"{comments} comments are shown and labelled")
        if self._counts["hidden"]:
            detail = f"{self._counts['hidden']} pieces of hidden text were left out"
            yield SourceWarning(WarningCode.HIDDEN_TEXT, None, detail)

    def _running_heads(self, kind: str) -> Iterator[Block]:
        """Each header or footer of the file once, labelled: the rendition has pages of its own."""
        seen = set()
        for name in sorted(n for n in self._package.names() if n.startswith(f"word/{kind}") and n.endswith(".xml")):
            root = self._package.xml(name)
            text = "" if root is None else " ".join(_plain(self._blocks(root, 0)).split())
            if text and text not in seen:
                seen.add(text)
                yield Block(BlockKind.NOTE, (Run(f"[Page {kind}: {text}]", italic=True),))

    def _blocks(self, parent: Node, depth: int) -> Iterator[Block | Grid]:
        """Paragraphs and tables in order, whatever wraps them."""
        if depth > _DEPTH:
            yield LEFT_OUT
            return
        for node in parent:
            tag = node.tag
            if tag == f"{W}p":
                yield from self._paragraph(node, depth)
            elif tag == f"{W}tbl":
                yield self._table(node, depth)
                yield from self._notes.taken()
            elif tag == f"{MC}AlternateContent":
                chosen = alternative_of(node)
                if chosen is not None:
                    yield from self._blocks(chosen, depth + 1)
            elif tag in WRAPPERS:
                yield from self._blocks(node, depth + 1)

    def _paragraph(self, node: Node, depth: int) -> Iterator[Block | Grid]:
        properties = node.find(f"{W}pPr")
        style = self._paragraph_style(properties)
        runs: list[Run] = []
        boxes: list[Block | Grid] = []
        self._runs(node, runs, boxes, style, None, depth)
        marker = self._marker(properties, style)
        rtl = is_on(properties, "bidi")
        if is_on(properties, "pageBreakBefore"):
            yield Block(BlockKind.PAGE_BREAK, ())
        if "".join(run.text for run in runs).strip():
            yield _shaped(tuple(runs), style, marker, rtl)
        yield from self._notes.taken()
        yield from boxes

    def _paragraph_style(self, properties: Node | None) -> Style:
        if properties is None:
            return self._styles.get("", Style())
        found = properties.find(f"{W}pStyle")
        style = self._styles.get("" if found is None else found.get(f"{W}val", ""), Style())
        level = number_of(properties, "outlineLvl")
        return style if level is None else Style(level + 1 if level < 9 else None, style.hidden, style.caps)

    def _marker(self, properties: Node | None, style: Style) -> tuple[str, int] | None:
        list_id, depth = style.list_id, style.depth
        own = None if properties is None else properties.find(f"{W}numPr")
        if own is not None:
            found = own.find(f"{W}numId")
            list_id = list_id if found is None else found.get(f"{W}val")
            depth = number_of(own, "ilvl") or (depth if found is None else 0)
        if list_id is None or list_id == "0":
            return None
        return self._numbering.label(list_id, min(depth, 8)), depth

    def _runs(
        self, parent: Node, runs: list[Run], boxes: list[Block | Grid], style: Style, change: str | None, depth: int
    ) -> None:
        """Collects the visible runs; tracked changes and comments go into the notes."""
        if depth > _DEPTH:
            boxes.append(LEFT_OUT)
            return
        for node in parent:
            tag = node.tag
            if tag == f"{W}r":
                self._run(node, runs, boxes, style, change, depth)
            elif tag in (f"{W}ins", f"{W}moveTo"):
                self._counts["inserted"] += 1
                self._runs(node, runs, boxes, style, f"Inserted|{who_changed(node)}", depth + 1)
            elif tag in (f"{W}del", f"{W}moveFrom"):
                self._counts["deleted"] += 1
                self._runs(node, runs, boxes, style, f"Deleted|{who_changed(node)}", depth + 1)
            elif tag in _INLINE_WRAPPERS:
                self._runs(node, runs, boxes, style, change, depth + 1)

    def _run(
        self, node: Node, runs: list[Run], boxes: list[Block | Grid], style: Style, change: str | None, depth: int
    ) -> None:
        properties = node.find(f"{W}rPr")
        named = None if properties is None else properties.find(f"{W}rStyle")
        run_style = self._styles.get("" if named is None else named.get(f"{W}val", ""), Style())
        hidden = toggle(properties, "vanish", style.hidden or (named is not None and run_style.hidden))
        hidden = hidden or (not self._shaded and cannot_be_seen(properties, node.getparent()))
        text = self._run_text(node, runs, boxes, depth)
        if hidden:
            self._counts["hidden"] += bool(text)
            return
        if toggle(properties, "caps", style.caps or (named is not None and run_style.caps)):
            text = text.upper()
        what, _, who = (change or "").partition("|")
        if what and text:
            self._notes.change(what, who, text)
        if what == "Deleted" or not text:
            return
        raised = properties is not None and (value_of(properties, "vertAlign") == "superscript")
        underlined = what == "Inserted" or toggle(properties, "u", False)
        runs.append(Run(text, toggle(properties, "b", False), toggle(properties, "i", False), underlined, raised))

    def _run_text(self, node: Node, runs: list[Run], boxes: list[Block | Grid], depth: int) -> str:
        parts: list[str] = []
        for child in node:
            tag = child.tag
            if tag in (f"{W}t", f"{W}delText"):
                parts.append(child.text or "")
            elif tag in _CHARACTERS:
                parts.append(_CHARACTERS[tag])
            elif tag == f"{W}br":
                parts.append("\n")
            elif tag == f"{W}sym":
                parts.append(symbol_of(child))
            elif tag in (f"{W}footnoteReference", f"{W}endnoteReference"):
                self._note(child, runs, "".join(parts), depth)
                parts.clear()
            elif tag == f"{W}commentReference":
                self._comment(child, depth)
            elif tag in (f"{W}drawing", f"{W}pict", f"{W}object", f"{MC}AlternateContent"):
                self._text_boxes(child, boxes, depth)
        return "".join(parts)

    def _note(self, node: Node, runs: list[Run], before: str, depth: int) -> None:
        """A raised mark in the text, and the note's own text below the paragraph."""
        foot = node.tag == f"{W}footnoteReference"
        body = (self._footnotes if foot else self._endnotes).get(node.get(f"{W}id", ""))
        if body is None or depth > _DEPTH:
            return
        self._counts["foot" if foot else "end"] += 1
        number = self._counts["foot" if foot else "end"]
        mark = str(number) if foot else format_number("lowerRoman", number)  # as Word does unless told otherwise
        if before:
            runs.append(Run(before))
        runs.append(Run(mark, raised=True))
        text = " ".join(_plain(self._quietly(body, depth)).split())
        self._notes.lines.append(Block(BlockKind.NOTE, (Run(mark, raised=True), Run(" " + text))))

    def _comment(self, node: Node, depth: int) -> None:
        body = self._comments.get(node.get(f"{W}id", ""))
        if body is None or depth > _DEPTH:
            return
        self._counts["comment"] += 1
        text = " ".join(_plain(self._quietly(body, depth)).split())
        self._notes.lines.append(Block(BlockKind.NOTE, (Run(f"[Comment{who_changed(body)}: {text}]", italic=True),)))

    def _quietly(self, body: Node, depth: int) -> list[Block | Grid]:
        """The blocks of a note or comment, whose own notes do not mix with the paragraph's."""
        outer, self._notes = self._notes, _Notes()
        blocks = list(self._blocks(body, depth + 1))
        self._notes = outer
        return blocks

    def _text_boxes(self, node: Node, boxes: list[Block | Grid], depth: int) -> None:
        for content in outermost(node, f"{W}txbxContent"):
            boxes += self._quietly(content, depth)

    def _table(self, node: Node, depth: int) -> Grid:
        outer, self._shaded = self._shaded, self._shaded or has_shading(node)
        rows: list[list[GridCell]] = []
        open_cells: dict[int, tuple[int, int]] = {}
        for row in rows_of(node):
            properties = row.find(f"{W}trPr")
            cells = [self._cell(cell, depth) for cell in cells_of(row)]
            if properties is not None and properties.find(f"{W}del") is not None:
                self._counts["deleted"] += 1
                who = who_changed(properties.find(f"{W}del"))
                self._notes.change("Deleted row", who, " | ".join(_plain(cell.blocks) for cell, _ in cells))
                continue
            header = is_on(properties, "tblHeader")
            rows.append([])
            column = 0
            for cell, merge in cells:
                above = open_cells.get(column)
                if merge == "continue" and above is not None:
                    kept = rows[above[0]][above[1]]
                    rows[above[0]][above[1]] = kept._replace(
                        rows=len(rows) - above[0], blocks=kept.blocks + cell.blocks
                    )
                else:
                    open_cells[column] = (len(rows) - 1, len(rows[-1]))
                    if merge is None:
                        del open_cells[column]
                    rows[-1].append(cell._replace(header=header))
                column += cell.columns
        self._shaded = outer
        return Grid(tuple(map(tuple, rows)))

    def _cell(self, node: Node, depth: int) -> tuple[GridCell, str | None]:
        """The cell, and its part in a merge down the rows: "restart", "continue" or None."""
        properties = node.find(f"{W}tcPr")
        span = (None if properties is None else number_of(properties, "gridSpan")) or 1
        merged = None if properties is None else properties.find(f"{W}vMerge")
        merge = None if merged is None else merged.get(f"{W}val", "continue")
        blocks = tuple(_flat(self._blocks(node, depth + 1)))
        return GridCell(blocks, min(span, 63)), merge


_INLINE_WRAPPERS = frozenset(
    f"{W}{name}"
    for name in (
        "hyperlink",
        "smartTag",
        "sdt",
        "sdtContent",
        "customXml",
        "fldSimple",
        "dir",
        "bdo",
        "ruby",
        "rubyBase",
    )
)
_CHARACTERS = {
    f"{W}tab": "\t", f"{W}ptab": "\t", f"{W}cr": "\n", f"{W}noBreakHyphen": "\u2011", f"{W}softHyphen": "\u00ad",
}  # fmt: skip


def format_roman(number: int) -> str:
    """Endnotes are numbered in small roman numerals, as Word does unless told otherwise."""

    return format_number("lowerRoman", number)


def _shaped(runs: tuple[Run, ...], style: Style, marker: tuple[str, int] | None, rtl: bool) -> Block:
    if style.level is not None:
        label = f"{marker[0]} " if marker and marker[0] else ""
        return Block(BlockKind.HEADING, (Run(label), *runs) if label else runs, style.level, right_to_left=rtl)
    if marker is not None and marker[0]:
        return Block(BlockKind.ITEM, runs, marker[1], marker[0], rtl)
    return Block(BlockKind.PARAGRAPH, runs, right_to_left=rtl)


def _flat(blocks: Iterator[Block | Grid]) -> Iterator[Block]:
    """A table inside a cell becomes a paragraph for each of its rows."""
    for block in blocks:
        if isinstance(block, Grid):
            for row in block.rows:
                text = " | ".join(_plain(cell.blocks) for cell in row)
                yield Block(BlockKind.PARAGRAPH, (Run(text),))
        else:
            yield block


def _plain(blocks: Sequence[Block | Grid] | Iterator[Block | Grid]) -> str:
    return "\n".join(block.text for block in _flat(iter(blocks)))
