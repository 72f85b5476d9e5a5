"""Steps through a Word file's XML that say nothing about text: wrappers, rows, alternatives, who changed what."""

from collections.abc import Iterator

from ingest.docx_numbering import W
from ingest.safe_xml import Node

MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
WRAPPERS = frozenset(f"{W}{name}" for name in ("sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"))
_SYMBOLS = {"\uf0b7": "•", "\uf0a7": "§", "\uf0fc": "✓", "\uf0a8": "☐", "\uf0fe": "☒", "\uf06f": "☐", "\uf0e0": "→"}


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
    """The first choice of alternatives; both say the same, and only one is shown."""
    choice = node.find(f"{MC}Choice")
    return choice if choice is not None else node.find(f"{MC}Fallback")


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


def symbol_of(node: Node) -> str:
    """A character of a symbol font: the private code points of Wingdings and Symbol have no meaning elsewhere."""
    code = node.get(f"{W}char", "")
    try:
        character = chr(int(code, 16))
    except (ValueError, OverflowError):
        return "\ufffd"
    return _SYMBOLS.get(character, character if character < "\ue000" else "▪")


def by_id(root: Node | None, name: str) -> dict[str, Node]:
    if root is None:
        return {}
    normal = (node for node in root.iterfind(f"{W}{name}") if node.get(f"{W}type", "normal") == "normal")
    return {node.get(f"{W}id", ""): node for node in normal}
