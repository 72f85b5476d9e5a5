"""HTML as running text. Nothing is fetched or run; what its own styles hide is left out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree
from lxml import html as lxml_html

from ingest.flow import LEFT_OUT, Block, BlockKind, Flow, Grid, GridCell, Run
from ingest.opening import Read
from ingest.safe_xml import Node
from ingest.text import decode
from verify.domain.document import Metadata

_NOT_SHOWN = frozenset(
    ("script", "style", "template", "noscript", "head", "title", "meta", "link", "object", "embed", "iframe", "svg",
     "canvas", "audio", "video", "select", "datalist", "map", "base")
)  # fmt: skip
_BLOCKS = frozenset(
    ("p", "div", "section", "article", "header", "footer", "main", "nav", "aside", "address", "blockquote", "pre",
     "ul", "ol", "li", "dl", "dt", "dd", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "form", "fieldset",
     "figure", "figcaption", "details", "summary", "center", "body", "html")
)  # fmt: skip
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{1,40})""", re.IGNORECASE)
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_HIDING = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0*)?%?\s*(?:;|!|$)"
    r"|font-size\s*:\s*0(?:\.0*)?(?:px|pt|em|rem|%)?\s*(?:;|!|$)|mso-hide\s*:\s*all)",
    re.IGNORECASE,
)
_WHITES = frozenset({"white", "#fff", "#ffffff"})
_WHITE = re.compile(
    r"(?:^|;)\s*color\s*:\s*(?:white|#fff(?:fff)?|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\)|transparent)\s*(?:;|!|$)",
    re.IGNORECASE,
)
_GROUND = re.compile(
    r"background(?:-color|-image)?\s*:(?!\s*(?:white|#fff(?:fff)?|none|transparent)\s*(?:;|$))", re.IGNORECASE
)
_RULE = re.compile(r"([^{}]{1,400})\{([^{}]{0,4000})\}")
_SIMPLE = re.compile(r"([a-zA-Z][\w-]*)?(?:([.#])([\w-]+))?")
_DEPTH = 180
"""Elements nested deeper than this are not followed: four calls each, and Python allows 1,000."""
_SPACE = re.compile(r"[ \t\r\n\f]+")


def read_html(data: bytes) -> Read:
    """Raises nothing but MemoryError: HTML has no malformed files."""
    text = _decoded(data)
    return Read(html_flow(text), Metadata(title=_title(text)))


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


def html_flow(text: str) -> Flow:
    """The blocks that a browser would show, without pictures, forms and frames."""
    root, too_deep = _parsed(text)
    if root is None:
        return [LEFT_OUT] if too_deep else []
    reader = _Reader(_hidden_selectors(root))
    reader.walk(root, 0, Run(""))
    reader.close()
    return [*reader.flow, LEFT_OUT] if too_deep else reader.flow


def _hidden_selectors(root: Node) -> frozenset[tuple[str, str, str]]:
    """Simple selectors (tag, "." or "#", name) whose rule hides; longer selectors are not followed."""
    found = set()
    for style in root.iter("style"):
        for selectors, body in _RULE.findall(style.text or ""):
            if not _HIDING.search(body):
                continue
            for selector in selectors.split(","):
                match = _SIMPLE.fullmatch(selector.strip())
                if match and (match[1] or match[3]):
                    found.add(((match[1] or "").lower(), match[2] or "", match[3] or ""))
    return frozenset(found)


@dataclass(slots=True)
class _List:
    ordered: bool
    number: int = 0


@dataclass(slots=True)
class _Reader:
    """Collects runs until a block element ends them."""

    hidden: frozenset[tuple[str, str, str]]
    flow: list[Block | Grid] = field(default_factory=list)
    _runs: list[Run] = field(default_factory=list)
    _lists: list[_List] = field(default_factory=list)
    _kind: BlockKind = BlockKind.PARAGRAPH
    _level: int = 0
    _marker: str = ""
    _literal: bool = False
    _rtl: bool = False
    _shaded: bool = False

    def walk(self, node: Node, depth: int, style: Run) -> None:
        tag = node.tag if isinstance(node.tag, str) else ""
        if not tag or tag in _NOT_SHOWN or self._is_hidden(node, tag):
            return
        if depth > _DEPTH:
            self._leave_out(node)
            return
        outer, self._shaded = self._shaded, self._shaded or _has_ground(node)
        self._shown(node, tag, depth, style)
        self._shaded = outer

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
            self._children(node, depth, _styled(style, tag))

    def _children(self, node: Node, depth: int, style: Run) -> None:
        self._text(node.text, style)
        for child in node:
            self.walk(child, depth + 1, style)
            self._text(child.tail, style)

    def _text(self, text: str | None, style: Run) -> None:
        if text:
            self._runs.append(style._replace(text=text if self._literal else _SPACE.sub(" ", text)))

    def _is_hidden(self, node: Node, tag: str) -> bool:
        if not self._shaded and not _has_ground(node) and _is_white(node):
            return True
        if "hidden" in node.attrib or _HIDING.search(node.get("style") or ""):
            return True
        if tag == "input":
            return True
        if not self.hidden:
            return False
        names = [("", ""), ("#", node.get("id") or ""), *((".", name) for name in (node.get("class") or "").split())]
        return any((t, mark, name) in self.hidden for t in ("", tag) for mark, name in names if t or name)

    def _block(self, node: Node, tag: str, depth: int, style: Run) -> None:
        self.close()
        outer = (self._kind, self._level, self._marker, self._literal, self._rtl)
        self._rtl = {"rtl": True, "ltr": False}.get((node.get("dir") or "").lower(), self._rtl)
        if tag in ("ul", "ol"):
            start = node.get("start") or "1"
            self._lists.append(_List(tag == "ol", int(start) - 1 if start.isdecimal() and len(start) < 7 else 0))
        elif tag == "li":
            self._begin_item()
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

    def _begin_item(self) -> None:
        self._kind, self._level = BlockKind.ITEM, max(len(self._lists) - 1, 0)
        self._marker = "•"
        if self._lists and self._lists[-1].ordered:
            self._lists[-1].number += 1
            self._marker = f"{self._lists[-1].number}."

    def close(self) -> None:
        """Ends the block that is open, if anything stands in it."""
        runs = tuple(self._runs if self._literal else _trimmed(self._runs))
        self._runs.clear()
        if "".join(run.text for run in runs).strip():
            self.flow.append(Block(self._kind, runs, self._level, self._marker, self._rtl))
            self._marker = ""

    def _table(self, node: Node, depth: int, style: Run) -> None:
        """A table of cells; one that only lays out the page (no cell beside another) is read as its contents."""
        rows = list(self._rows(node))
        if all(len(row) <= 1 for row in rows) or _holds_table(node):
            for row in rows:
                for cell in row:
                    self._block(cell, "div", depth + 1, style)
            return
        self.flow.append(Grid(tuple(tuple(self._cell(cell, depth, style) for cell in row) for row in rows if row)))

    def _rows(self, table: Node) -> Iterator[list[Node]]:
        for child in table:
            tag = str(child.tag)
            if self._is_hidden(child, tag):
                continue
            if tag == "tr":
                yield [cell for cell in child if cell.tag in ("td", "th")]
            elif tag in ("thead", "tbody", "tfoot"):
                yield from self._rows(child)
            elif tag == "caption":
                yield [child]

    def _cell(self, node: Node, depth: int, style: Run) -> GridCell:
        inner = _Reader(self.hidden, _shaded=self._shaded or _has_ground(node) or _has_ground(node.getparent()))
        if not self._is_hidden(node, str(node.tag)):
            inner._children(node, depth + 1, style)
            inner.close()
        blocks = tuple(block for block in inner.flow if isinstance(block, Block))
        return GridCell(blocks, _span(node, "colspan"), _span(node, "rowspan"), node.tag == "th")


def _is_white(node: Node) -> bool:
    """White letters, or none at all; on a white page nobody sees them."""
    return _WHITE.search(node.get("style") or "") is not None or (node.get("color") or "").lower() in _WHITES


def _has_ground(node: Node | None) -> bool:
    """Whether the element says what colour or picture lies behind it; what colour is not looked into."""
    return node is not None and ("bgcolor" in node.attrib or _GROUND.search(node.get("style") or "") is not None)


def _span(node: Node, name: str) -> int:
    value = node.get(name) or "1"
    return max(1, min(int(value), 60)) if value.isdecimal() and len(value) < 5 else 1


def _holds_table(node: Node) -> bool:
    return next(node.iterdescendants("table"), None) is not None


_STYLES = {
    "b": "bold", "strong": "bold", "th": "bold", "i": "italic", "em": "italic", "cite": "italic", "u": "underlined",
    "ins": "underlined", "sup": "raised",
}  # fmt: skip


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
