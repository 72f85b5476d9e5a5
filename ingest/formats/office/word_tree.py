"""Steps through a Word file's XML that say nothing about text: wrappers, rows, alternatives, who changed what."""

from collections.abc import Iterator

from ingest.formats.office.word_numbering import W
from ingest.formats.safe_xml import Node

MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
WRAPPERS = frozenset(f"{W}{name}" for name in ("sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"))
_PICTURED = (
    "{http://schemas.openxmlformats.org/drawingml/2006/main}blip",
    "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart",
    "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds",
    "{http://schemas.microsoft.com/office/drawing/2014/chartex}chart",
    "{http://schemas.microsoft.com/office/word/2015/wordml/symex}symEx",
)
"""What says something without a word of its own."""


def rows_of(table: Node) -> Iterator[Node]:
    for node in table:
        if node.tag == f"{W}tr":
            yield node
        elif node.tag in WRAPPERS:
            yield from rows_of(node)


def cells_of(row: Node) -> Iterator[Node]:
    for node in row:
        if node.tag == f"{W}tc":
            yield node
        elif node.tag in WRAPPERS:
            yield from cells_of(node)


def alternative_of(node: Node) -> Node | None:
    """The first choice of alternatives, of which only one is shown; the fallback where the choice has no words and
    the fallback has."""
    choice, fallback = node.find(f"{MC}Choice"), node.find(f"{MC}Fallback")
    if choice is None or (fallback is not None and _is_wordless(choice) and not _is_wordless(fallback)):
        return fallback
    return choice


def _is_wordless(node: Node) -> bool:
    return not any((text or "").strip() for text in node.itertext()) and next(node.iter(*_PICTURED), None) is None


def texts_in(root: Node) -> int:
    """How many pieces of text stand under a node, those of alternatives that are not shown left out."""
    count, pending = 0, [root]
    while pending:
        node = pending.pop()
        if node.tag == f"{MC}AlternateContent":
            chosen = alternative_of(node)
            pending += [] if chosen is None else [chosen]
            continue
        count += node.tag in (f"{W}t", f"{W}delText") and bool((node.text or "").strip())
        pending += node
    return count


def outermost(node: Node, tag: str) -> Iterator[Node]:
    if node.tag == f"{MC}AlternateContent":
        chosen = alternative_of(node)
        if chosen is not None:
            yield from outermost(chosen, tag)
        return
    for child in node:
        if child.tag == tag:
            yield child
        else:
            yield from outermost(child, tag)


def who_changed(node: Node | None) -> str:
    """ " by A. Author, 2026-02-01", as far as it is known."""
    if node is None:
        return ""
    author, date = (node.get(f"{W}author") or "").strip(), (node.get(f"{W}date") or "")[:10]
    return (f" by {author}" if author else "") + (f", {date}" if date else "")


def by_id(root: Node | None, name: str) -> dict[str, Node]:
    if root is None:
        return {}
    normal = (node for node in root.iterfind(f"{W}{name}") if node.get(f"{W}type", "normal") == "normal")
    return {node.get(f"{W}id", ""): node for node in normal}
