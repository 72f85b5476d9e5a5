"""The running text of one part of a Word file: paragraphs, tables, and what is drawn, changed and noted in them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ingest.formats.office.equations import M, linear
from ingest.formats.office.relations import Parts
from ingest.formats.office.symbols import UNKNOWN, in_font, symbol
from ingest.formats.office.word_fields import Fields, fields_pair_up, form_value
from ingest.formats.office.word_file import WordFile
from ingest.formats.office.word_notes import GONE, Notes, mark_of_note, noted
from ingest.formats.office.word_numbering import W
from ingest.formats.office.word_styles import Style, cannot_be_seen, has_shading, is_on, number_of, toggle, value_of
from ingest.formats.office.word_tables import RowChange, grid_of, in_one_column
from ingest.formats.office.word_tree import (
    MC,
    WRAPPERS,
    alternative_of,
    cells_of,
    outermost,
    rows_of,
    texts_in,
    who_changed,
)
from ingest.formats.safe_xml import Node
from ingest.rendition.flow import LEFT_OUT, Block, BlockKind, Grid, Run, cut_behind
from verify.domain.document import SpanKind

_DEPTH = 40
"""Tables and text boxes nested deeper than this are not followed."""
_SYMEX = "{http://schemas.microsoft.com/office/word/2015/wordml/symex}"
_INLINE_WRAPPERS = frozenset(
    f"{W}{name}" for name in ("hyperlink", "smartTag", "sdt", "sdtContent", "customXml", "dir", "bdo")
)
_CHARACTERS = {
    f"{W}tab": "\t", f"{W}ptab": "\t", f"{W}cr": "\n", f"{W}br": "\n", f"{W}noBreakHyphen": "\u2011",
    f"{W}softHyphen": "\u00ad",
}  # fmt: skip
_CHANGES = {
    f"{W}ins": "Inserted", f"{W}moveTo": "Moved here", f"{W}del": "Deleted", f"{W}moveFrom": "Moved away",
}  # fmt: skip
_DRAWN = frozenset((f"{W}drawing", f"{W}pict", f"{W}object"))
_FORMATTING = tuple(
    f"{W}{name}"
    for name in (
        "rPrChange", "pPrChange", "sectPrChange", "tblPrChange", "tblGridChange", "trPrChange", "tcPrChange",
        "numberingChange", "tblPrExChange", "cellIns", "cellDel", "cellMerge",
    )
)  # fmt: skip


@dataclass(slots=True)
class _Line:
    """The paragraph that is being read; ``boxes`` stand after it."""

    style: Style
    runs: list[Run] = field(default_factory=list)
    boxes: list[Block | Grid] = field(default_factory=list)


class _Look(NamedTuple):
    """How a run is set."""

    seen: bool
    caps: bool
    struck: bool
    font: str
    model: Run


class Body:
    """Reads one part. ``counts`` and the numbering belong to the whole file."""

    def __init__(self, word: WordFile, part: Node, parts: Parts) -> None:
        self._word = word
        self._counts: Counter[str] = word.counts
        self._parts = parts
        self._notes = Notes()
        self._fields = Fields(followed=fields_pair_up(part))
        self._shaded = False
        self._before: list[Run] = []

    def read(self, parent: Node) -> Iterator[Block | Grid]:
        yield from self._whole(parent, 0)
        self._counts["fields"] += self._fields.without_result

    def _whole(self, parent: Node, depth: int) -> Iterator[Block | Grid]:
        """What stands under a node, with its last paragraph though that one's end was deleted."""
        yield from self._blocks(parent, depth)
        if self._before:
            runs, self._before = tuple(self._before), []
            yield Block(BlockKind.PARAGRAPH, runs)

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
            elif tag == f"{W}altChunk":
                yield from self._word.foreign_blocks(self._parts, node)
            elif tag == f"{MC}AlternateContent":
                chosen = alternative_of(node)
                if chosen is not None:
                    yield from self._blocks(chosen, depth + 1)
            elif tag in WRAPPERS:
                yield from self._blocks(node, depth + 1)
            elif tag in (f"{W}r", f"{W}del", f"{W}moveFrom", f"{W}hyperlink", f"{M}oMathPara"):
                yield from self._paragraph(node, depth)  # running text that no paragraph holds
            elif tag == f"{W}sectPr":
                self._formatting(node)

    def _paragraph(self, node: Node, depth: int) -> Iterator[Block | Grid]:
        properties = node.find(f"{W}pPr")
        line = _Line(self._paragraph_style(properties))
        if node.tag == f"{W}p":
            self._runs(node, line, None, depth)
        else:
            self._inline(node, line, None, depth)
        ended = self._end_of(properties)
        visible = bool("".join(run.text for run in line.runs).strip())
        marker = self._marker(properties, line.style) if visible or not ended else None
        if is_on(properties, "pageBreakBefore"):
            yield Block(BlockKind.PAGE_BREAK, ())
        if ended and not self._before and not visible:
            line.runs.clear()
        elif ended:
            self._before += line.runs
        else:
            runs, self._before = (*self._before, *line.runs), []
            if "".join(run.text for run in runs).strip():
                yield _shaped(runs, line.style, marker, is_on(properties, "bidi"))
        yield from self._notes.taken()
        yield from line.boxes
        if properties is not None and properties.find(f"{W}sectPr") is not None:
            self._word.section_ends()

    def _end_of(self, properties: Node | None) -> bool:
        """Whether the paragraph's end was deleted, so that it reads on in the next one."""
        self._formatting(properties)
        mark = None if properties is None else properties.find(f"{W}rPr")
        if mark is None:
            return False
        self._counts["inserted"] += any(mark.find(f"{W}{name}") is not None for name in ("ins", "moveTo"))
        deleted = any(mark.find(f"{W}{name}") is not None for name in ("del", "moveFrom"))
        self._counts["deleted"] += deleted
        return deleted

    def _formatting(self, properties: Node | None) -> None:
        if properties is not None:
            self._counts["formatting"] += sum(1 for _ in properties.iter(*_FORMATTING))

    def _paragraph_style(self, properties: Node | None) -> Style:
        styles = self._word.styles
        if properties is None:
            return styles.get("", Style())
        found = properties.find(f"{W}pStyle")
        style = styles.get("" if found is None else found.get(f"{W}val", ""), Style())
        level = number_of(properties, "outlineLvl")
        return style if level is None else style.at_level(level + 1 if level < 9 else None)

    def _marker(self, properties: Node | None, style: Style) -> tuple[str, int] | None:
        numbering = self._word.numbering
        list_id, depth = style.list_id, style.depth
        if list_id is not None:
            linked = numbering.depth_of(list_id, style.list_style)
            depth = depth if linked is None else linked
        own = None if properties is None else properties.find(f"{W}numPr")
        if own is not None:
            found = own.find(f"{W}numId")
            list_id = list_id if found is None else found.get(f"{W}val")
            level = number_of(own, "ilvl")
            depth = (depth if found is None else 0) if level is None else level
        if list_id is None or list_id == "0":
            return None
        return numbering.label(list_id, min(depth, 8)), depth

    def _runs(self, parent: Node, line: _Line, change: str | None, depth: int) -> None:
        """Collects the visible runs; tracked changes and comments go into the notes."""
        if depth > _DEPTH:
            line.boxes.append(LEFT_OUT)
            return
        for node in parent:
            self._inline(node, line, change, depth)

    def _inline(self, node: Node, line: _Line, change: str | None, depth: int) -> None:
        tag = node.tag
        if tag == f"{W}r":
            self._run(node, line, change, depth)
        elif tag in _CHANGES:
            what = _CHANGES[tag]
            self._counts["deleted" if what in GONE else "inserted"] += 1
            self._runs(node, line, f"{what}|{who_changed(node)}", depth + 1)
        elif tag == f"{W}fldSimple":
            self._fields.without_result += len(node) == 0
            line.runs += [Run(shown)] if (shown := form_value(node.find(f"{W}ffData"))) else []
            self._runs(node, line, change, depth + 1)
        elif tag == f"{MC}AlternateContent":
            chosen = alternative_of(node)
            if chosen is not None:
                self._runs(chosen, line, change, depth + 1)
        elif tag in (f"{M}oMath", f"{M}oMathPara"):
            self._put(linear(node), _Look(True, False, False, "", Run("")), line, change)
        elif tag in _INLINE_WRAPPERS:
            self._runs(node, line, change, depth + 1)

    def _ruby(self, node: Node) -> str:
        """The reading over a word stands in brackets behind it."""
        parts = {child.tag: "".join(self._characters(t, "") for t in child.iter(f"{W}t")) for child in node}
        reading = parts.get(f"{W}rt", "")
        return parts.get(f"{W}rubyBase", "") + (f"({reading})" if reading else "")

    def _run(self, node: Node, line: _Line, change: str | None, depth: int) -> None:
        properties = node.find(f"{W}rPr")
        self._formatting(properties)
        look = self._look(node, properties, line.style)
        deleted = (change or "").partition("|")[0] in GONE
        held: list[str] = []
        self._content(node, line, look, deleted, held, depth)
        self._put("".join(held), look, line, change)

    def _look(self, node: Node, properties: Node | None, style: Style) -> _Look:
        named = None if properties is None else properties.find(f"{W}rStyle")
        own = self._word.styles.get("" if named is None else named.get(f"{W}val", ""), Style())
        own = Style() if named is None else own
        hidden = toggle(properties, "vanish", style.hidden or own.hidden)
        hidden = hidden or cannot_be_seen(properties, node.getparent(), own, style, in_shaded_table=self._shaded)
        fonts = None if properties is None else properties.find(f"{W}rFonts")
        font = "" if fonts is None else fonts.get(f"{W}ascii") or fonts.get(f"{W}hAnsi") or ""
        place = "" if properties is None else value_of(properties, "vertAlign") or ""
        on = {name: toggle(properties, name, False) for name in ("b", "i", "u")}
        inherited = style.struck or own.struck
        struck = toggle(properties, "strike", inherited) or toggle(properties, "dstrike", False)
        model = Run("", on["b"], on["i"], on["u"], place == "superscript", place == "subscript")
        return _Look(not hidden, toggle(properties, "caps", style.caps or own.caps), struck, font, model)

    def _put(self, text: str, look: _Look, line: _Line, change: str | None) -> None:
        if not look.seen:
            self._counts["hidden"] += bool(text)
            return
        text = text.upper() if look.caps else text
        what, _, who = (change or "").partition("|")
        if what and text:
            self._notes.change(what, who, text)
        if what in GONE and text:
            cut_behind(line.runs)
        if what in GONE or not text:
            return
        kinds = [SpanKind.INSERTED] if what else []
        if look.struck and text.strip():
            self._counts["struck"] += 1
            kinds.append(SpanKind.STRUCK)
        line.runs.append(look.model._replace(text=text).of(*kinds))

    def _content(self, node: Node, line: _Line, look: _Look, deleted: bool, held: list[str], depth: int) -> None:
        """Characters go into ``held``; a note's mark ends what is held and is put behind it."""
        shown = look.seen and not deleted
        for child in node:
            tag = child.tag
            if tag in (f"{W}footnoteReference", f"{W}endnoteReference"):
                if shown and not self._fields.in_code:
                    self._note(child, line, look, held, depth)
            elif tag == f"{W}commentReference":
                self._notes.lines += self._word.comment(child.get(f"{W}id", ""), depth)
            elif tag in _DRAWN:
                if shown:
                    self._drawing(child, line, depth)
                else:  # hidden or deleted with its run
                    words = texts_in(child)
                    self._counts["texts"] += words
                    self._counts["hidden"] += bool(words) and not look.seen
            elif tag == f"{W}txbxContent":
                line.boxes += self._quietly(child, depth)
            elif tag == f"{MC}AlternateContent":
                chosen = alternative_of(child)
                if chosen is not None:
                    self._content(chosen, line, look, deleted, held, depth)
            else:
                held.append(self._characters(child, look.font))

    def _characters(self, node: Node, font: str) -> str:
        """What a piece of a run shows as characters."""
        tag = node.tag
        if tag == f"{W}fldChar":
            return self._fields.mark(node)
        if tag == f"{W}instrText":
            self._fields.instruction(node.text or "")
        elif tag in (f"{W}t", f"{W}delText"):
            self._counts["texts"] += bool((node.text or "").strip())
        if self._fields.in_code:
            return ""
        if tag in (f"{W}t", f"{W}delText"):
            return in_font(node.text or "", font)
        if tag == f"{W}sym":
            return self._symbol(node.get(f"{W}char", ""), node.get(f"{W}font", ""))
        if tag == f"{W}ruby":
            return self._ruby(node)
        if tag == f"{_SYMEX}symEx":
            return self._symbol(node.get(f"{_SYMEX}char", ""), "")
        return _CHARACTERS.get(tag, "")

    def _symbol(self, code: str, font: str) -> str:
        try:
            shown = symbol(int(code, 16), font)
        except ValueError:
            shown = "\ufffd"
        self._counts["symbols"] += shown == UNKNOWN
        return shown

    def _note(self, node: Node, line: _Line, look: _Look, held: list[str], depth: int) -> None:
        """A raised mark in the text, and the note's own text below the paragraph."""
        foot = node.tag == f"{W}footnoteReference"
        found = self._word.note(foot, node.get(f"{W}id", ""), depth)
        if found is None:
            return
        custom = node.get(f"{W}customMarkFollows", "0") not in ("0", "false", "off")
        mark = "".join(t.text or "" for t in node.itersiblings(f"{W}t")) if custom else self._word.next_mark(foot)
        if held:
            line.runs.append(look.model._replace(text="".join(held), raised=False))
            held.clear()
        line.runs += [] if custom else [mark_of_note(mark)]
        self._notes.lines.append(noted("" if custom else mark, found))

    def _drawing(self, node: Node, line: _Line, depth: int) -> None:
        for content in outermost(node, f"{W}txbxContent"):
            line.boxes += self._quietly(content, depth)
        line.boxes += self._word.drawn.blocks(node, self._parts)

    def _quietly(self, body: Node, depth: int) -> list[Block | Grid]:
        """The blocks of a text box, whose notes and fields do not mix with the paragraph's."""
        outer = self._notes, self._before, self._fields
        self._notes, self._before, self._fields = Notes(), [], Fields(followed=fields_pair_up(body))
        blocks = list(self._whole(body, depth + 1))
        self._counts["fields"] += self._fields.without_result
        self._notes, self._before, self._fields = outer
        return blocks

    def _table(self, node: Node, depth: int) -> Grid:
        self._formatting(node.find(f"{W}tblPr"))
        for row in rows_of(node):
            self._formatting(row.find(f"{W}trPr"))
            for cell in cells_of(row):
                self._formatting(cell.find(f"{W}tcPr"))
        outer, self._shaded = self._shaded, self._shaded or has_shading(node)
        grid = grid_of(node, lambda cell: tuple(in_one_column(self._whole(cell, depth + 1))), self._row_changed)
        self._shaded = outer
        return grid

    def _row_changed(self, change: RowChange) -> None:
        self._counts["deleted" if change.deleted else "inserted"] += 1
        self._notes.change("Deleted row" if change.deleted else "Inserted row", change.who, change.text)


def _shaped(runs: tuple[Run, ...], style: Style, marker: tuple[str, int] | None, rtl: bool) -> Block:
    if style.level is not None:
        label = f"{marker[0]} " if marker and marker[0] else ""
        return Block(BlockKind.HEADING, (Run(label), *runs) if label else runs, style.level, right_to_left=rtl)
    if marker is not None and marker[0]:
        return Block(BlockKind.ITEM, runs, marker[1], marker[0], rtl)
    return Block(BlockKind.PARAGRAPH, runs, right_to_left=rtl)
