"""HTML as running text. Nothing is fetched or run; what its own styles hide is left out and counted."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree
from lxml import html as lxml_html

from ingest.formats.model import Member, Read, counted_warnings
from ingest.formats.plain.text import decode
from ingest.formats.safe_xml import Node
from ingest.formats.web.contents import calls_note, drawn_text, form_value, lies_outside, picture_member, picture_name
from ingest.formats.web.lists import ListMarks
from ingest.formats.web.looks import Look, look_of
from ingest.rendition.flow import LEFT_OUT, Block, BlockKind, Flow, Grid, GridCell, Run, note
from verify.domain.document import Metadata, SourceWarning, SpanKind, WarningCode

if TYPE_CHECKING:
    from ingest.formats.web.cascade import Cascade

_NOT_SHOWN = frozenset(
    ("script", "style", "template", "noscript", "head", "title", "meta", "link", "object", "embed", "iframe", "svg",
     "canvas", "audio", "video", "select", "datalist", "map", "base", "input", "rp")
)  # fmt: skip
_BLOCKS = frozenset(
    ("p", "div", "section", "article", "header", "footer", "main", "nav", "aside", "address", "blockquote", "pre",
     "ul", "ol", "li", "dl", "dt", "dd", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "form", "fieldset",
     "figure", "figcaption", "details", "summary", "center", "body", "html")
)  # fmt: skip
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*+=\s*+["']?\s*+([A-Za-z0-9_:.-]{1,40})""", re.IGNORECASE)
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_DEPTH = 180
"""Elements nested deeper than this are not followed: four calls each, and Python allows 1,000."""
_FRAMES = 3
"""Pages inside pages, each in a frame, are followed so deep."""
_FETCHED = frozenset(("iframe", "object", "embed", "audio", "video"))
_SPACE = re.compile(r"[ \t\r\n\f]+")


_PLAIN = Look()


class Page(NamedTuple):
    """A page's text; how many elements with words its styles hide, how many pieces of text are struck through, and the
    pictures whose bytes stand in it."""

    flow: Flow
    hidden: int = 0
    struck: int = 0
    pictures: tuple[Member, ...] = ()

    def warnings(self) -> Iterator[SourceWarning]:
        return counted_warnings(
            (self.hidden, WarningCode.HIDDEN_TEXT, "pieces of hidden text were left out"),
            (self.struck, WarningCode.HAS_STRUCK_TEXT, "pieces of text are struck through; they are shown so"),
        )


def read_html(data: bytes) -> Read:
    """Raises nothing but MemoryError: HTML has no malformed files."""
    text = _decoded(data)
    page = html_page(text)
    return Read(page.flow, Metadata(title=_title(text)), tuple(page.warnings()), lambda: iter(page.pictures))


def _decoded(data: bytes) -> str:
    declared = _CHARSET.search(data[:4096])
    if declared and not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode(declared[1].decode("ascii"))
        except (LookupError, UnicodeDecodeError):
            pass
    return decode(data)


_MARKUP = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)|<[^<>]*>", re.DOTALL | re.IGNORECASE)


def _parsed(text: str) -> tuple[Node | None, bool]:
    """The root, None for a document without any element; and whether the parser gave up in its depth, where it
    drops what comes after, though there is text in it."""
    parser = lxml_html.HTMLParser(no_network=True, remove_comments=True, remove_pis=True, huge_tree=False)
    clean = _XML_DECLARATION.sub("", text.replace("\x00", "\ufffd"))
    try:
        root: Node | None = lxml_html.document_fromstring(clean, parser=parser) if clean.strip() else None
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        root = None
    gave_up = any(fault.type_name == "ERR_RESOURCE_LIMIT" for fault in parser.error_log)
    return root, gave_up and bool(_MARKUP.sub("", clean).strip())


def _title(text: str) -> str | None:
    root, _ = _parsed(text)
    title = None if root is None else root.findtext(".//title")
    return " ".join((title or "").split()) or None


def html_page(text: str, frames: int = 0, *, of_mail: bool = False) -> Page:
    """The blocks that a browser would show; pictures and frames are named. ``frames`` counts the pages around it. Of a
    mail pictures are not named (they are attachments, or lie outside and are mostly ornament), and what it quotes is
    marked."""
    from ingest.formats.web.cascade import Cascade  # a matter without web pages need not load it

    root, too_deep = _parsed(text)
    if root is None:
        return Page([LEFT_OUT] if too_deep else [])
    reader = _Reader(Cascade(root), _Seen(frames=frames, of_mail=of_mail))
    reader.walk(root, 0, Run(""))
    reader.close()
    flow = [*reader.flow, LEFT_OUT] if too_deep else reader.flow
    return Page(flow, reader.seen.hidden, reader.seen.struck, tuple(reader.seen.pictures))


@dataclass(slots=True)
class _Seen:
    """What is counted over a page and its tables."""

    hidden: int = 0
    struck: int = 0
    frames: int = 0
    of_mail: bool = False
    pictures: list[Member] = field(default_factory=list)


@dataclass(slots=True)
class _Reader:
    """Collects runs until a block element ends them."""

    styles: "Cascade"
    seen: _Seen
    flow: list[Block | Grid] = field(default_factory=list)
    _runs: list[Run] = field(default_factory=list)
    _lists: list[ListMarks] = field(default_factory=list)
    _notes: list[Block] = field(default_factory=list)
    _kind: BlockKind = BlockKind.PARAGRAPH
    _level: int = 0
    _marker: str = ""
    _literal: bool = False
    _rtl: bool = False
    _look: Look = _PLAIN

    def walk(self, node: Node, depth: int, style: Run) -> None:
        tag = node.tag if isinstance(node.tag, str) else ""
        look = self._look_of(node, tag, self._look) if tag else None
        if look is None:
            return
        if tag in _NOT_SHOWN or tag == "img":
            self._thing(node, tag, style)
            return
        if depth > _DEPTH:
            self._leave_out(node)
            return
        outer, self._look = self._look, look
        self._shown(node, tag, depth, style)
        self._look = outer

    def _look_of(self, node: Node, tag: str, outer: Look) -> Look | None:
        """None for an element that shows nothing, nor what stands in it."""
        look = look_of(node, tag, outer, self.styles.of(node))
        if look.gone:
            self.seen.hidden += tag not in _NOT_SHOWN and _has_words(node)
            return None
        if look.all_kinds > outer.all_kinds and not look.all_kinds.isdisjoint(_STRUCK):
            self.seen.struck += outer.all_kinds.isdisjoint(_STRUCK) and _has_words(node)
        if self.seen.of_mail and tag == "blockquote":
            return replace(look, kinds=look.kinds | {SpanKind.QUOTED_REPLY})
        if tag == "a" and calls_note(node):
            return replace(look, kinds=look.kinds | {SpanKind.NOTE_MARK})
        return look

    def _thing(self, node: Node, tag: str, style: Run) -> None:
        """What stands among the text and is none: a form's field, a picture, a frame."""
        if tag in ("input", "select"):
            self._text(form_value(node, tag), style)
        elif tag == "svg":
            self._text(drawn_text(node), style)
        elif tag == "iframe" and node.get("srcdoc") and self.seen.frames < _FRAMES:
            inner = html_page(node.get("srcdoc") or "", self.seen.frames + 1)
            self.seen.hidden += inner.hidden
            self.close()
            self.flow += inner.flow
        elif tag in _FETCHED and lies_outside(node, tag):
            self._notes.append(note("Frame", "it does not lie in the file"))
        elif tag == "img":
            member = picture_member(node, len(self.seen.pictures) + 1)
            self.seen.pictures += [member] if member else []
            name = member.name if member else picture_name(node)
            if name is not None and not self.seen.of_mail:
                self._notes.append(note("Picture", name))

    def _leave_out(self, node: Node) -> None:
        if any(str(text).strip() for text in node.itertext()):
            self.close()
            self.flow.append(LEFT_OUT)

    def _shown(self, node: Node, tag: str, depth: int, style: Run) -> None:
        if tag == "br":
            self._runs.append(style._replace(text="\n"))
        elif tag == "table":
            self.close()
            self._table(node, depth, style)
        elif tag in _BLOCKS:
            self._block(node, tag, depth, style)
        else:
            before = len(self._runs)
            self._children(node, depth, _styled(style, tag))
            if tag == "rt":
                self._bracket(before)

    def _bracket(self, before: int) -> None:
        """The reading over a word stands in brackets behind it."""
        if "".join(run.text for run in self._runs[before:]).strip():
            self._runs.insert(before, Run("("))
            self._runs.append(Run(")"))

    def _children(self, node: Node, depth: int, style: Run) -> None:
        self._text(node.text, style)
        for child in node:
            self.walk(child, depth + 1, style)
            self._text(child.tail, style)

    def _text(self, text: str | None, style: Run) -> None:
        if not text:
            return
        look = self._look
        if not look.is_seen and text.strip():
            self.seen.hidden += 1
            return
        clean = text if self._literal else _SPACE.sub(" ", text)
        self._runs.append(style._replace(text=clean, raised=look.raised, lowered=look.lowered, kinds=look.all_kinds))

    def _block(self, node: Node, tag: str, depth: int, style: Run) -> None:
        self.close()
        outer = (self._kind, self._level, self._marker, self._literal, self._rtl)
        self._rtl = {"rtl": True, "ltr": False}.get((node.get("dir") or "").lower(), self._rtl)
        if tag in ("ul", "ol"):
            self._lists.append(ListMarks(node, tag == "ol"))
        elif tag == "li":
            self._kind, self._level = BlockKind.ITEM, max(len(self._lists) - 1, 0)
            self._marker = self._lists[-1].mark(node) if self._lists else "•"
        elif tag[0] == "h" and tag[1:].isdecimal():
            self._kind, self._level = BlockKind.HEADING, int(tag[1])
        elif tag == "hr":
            self.flow.append(Block(BlockKind.RULE, ()))
        elif tag in ("blockquote", "pre"):
            self._kind = BlockKind.QUOTE if tag == "blockquote" else BlockKind.LITERAL
            self._literal = self._literal or tag == "pre"
        self._children(node, depth, style)
        self.close()
        if tag in ("ul", "ol"):
            self._lists.pop()
        self._kind, self._level, self._marker, self._literal, self._rtl = outer

    def close(self) -> None:
        """Ends the block that is open, if anything stands in it."""
        runs = tuple(self._runs if self._literal else _trimmed(self._runs))
        self._runs.clear()
        if "".join(run.text for run in runs).strip():
            self.flow.append(Block(self._kind, runs, self._level, self._marker, self._rtl))
            self._marker = ""
        self.flow += self._notes
        self._notes = []

    def _table(self, node: Node, depth: int, style: Run) -> None:
        """A table of cells; one that only lays out the page (no cell beside another) is read as its contents."""
        rows = list(self._rows(node, self._look))
        if all(len(row) <= 1 for row in rows) or _holds_table(node):
            for row in rows:
                for cell, look in row:
                    outer, self._look = self._look, look
                    self._block(cell, "div", depth + 1, style)
                    self._look = outer
            return
        self.flow.append(Grid(tuple(tuple(self._cell(*cell, depth, style) for cell in row) for row in rows if row)))

    def _rows(self, table: Node, outer: Look) -> Iterator[list[tuple[Node, Look]]]:
        """The cells of each row that is shown, each with its look; one that shows nothing keeps its place."""
        for child in table:
            tag = str(child.tag)
            look = self._look_of(child, tag, outer)
            if look is None:
                continue
            if tag == "tr":
                cells = [cell for cell in child if cell.tag in ("td", "th")]
                yield [(cell, self._look_of(cell, str(cell.tag), look) or Look(gone=True)) for cell in cells]
            elif tag in ("thead", "tbody", "tfoot"):
                yield from self._rows(child, look)
            elif tag == "caption":
                yield [(child, look)]

    def _cell(self, node: Node, look: Look, depth: int, style: Run) -> GridCell:
        inner = _Reader(self.styles, self.seen, _look=look)
        if not look.gone:
            inner._children(node, depth + 1, style)
            inner.close()
        blocks = tuple(block for block in inner.flow if isinstance(block, Block))
        return GridCell(blocks, _span(node, "colspan"), _span(node, "rowspan"), node.tag == "th")


def _has_words(node: Node) -> bool:
    """Whether text stands in the element that no script or style sheet is."""
    return any(
        (str(child.tag) not in _NOT_SHOWN and (child.text or "").strip())
        or (child is not node and (child.tail or "").strip())
        for child in node.iter()
    )


def _span(node: Node, name: str) -> int:
    value = node.get(name) or "1"
    return max(1, min(int(value), 60)) if value.isdecimal() and len(value) < 5 else 1


def _holds_table(node: Node) -> bool:
    return next(node.iterdescendants("table"), None) is not None


_STYLES = {
    "b": "bold", "strong": "bold", "th": "bold", "i": "italic", "em": "italic", "cite": "italic", "u": "underlined",
}  # fmt: skip
_STRUCK = frozenset({SpanKind.STRUCK, SpanKind.DELETED})


def _styled(style: Run, tag: str) -> Run:
    name = _STYLES.get(tag)
    return style._replace(**{name: True}) if name else style  # type: ignore[arg-type]  # all of these are bool


def _trimmed(runs: list[Run]) -> Iterator[Run]:
    """One space between words, none at the ends of a line."""
    open_line = True
    kept: list[Run] = []
    for run in runs:
        text = run.text.lstrip(" ") if open_line else run.text
        if not text:
            continue
        if text == "\n" and kept:
            kept[-1] = kept[-1]._replace(text=kept[-1].text.rstrip(" "))
        open_line = text.endswith((" ", "\n"))
        kept.append(run._replace(text=text))
    while kept and not kept[-1].text.strip():
        kept.pop()
    if kept:
        kept[-1] = kept[-1]._replace(text=kept[-1].text.rstrip())
    yield from kept
