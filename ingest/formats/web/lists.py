"""How a list of a web page counts."""

import re
from collections.abc import Iterator

from ingest.formats.office.word_numbering import format_number
from ingest.formats.safe_xml import Node

_LIST_STYLE = re.compile(r"list-style(?:-type)?\s*:\s*([^;]+)", re.IGNORECASE)
_LIST_TYPES = {
    "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman", "lower-alpha": "lowerLetter",
    "lower-latin": "lowerLetter", "upper-alpha": "upperLetter", "upper-latin": "upperLetter",
    "lower-roman": "lowerRoman", "upper-roman": "upperRoman", "decimal": "decimal", "1": "decimal",
    "decimal-leading-zero": "decimalZero", "none": "none", "disc": "bullet", "circle": "bullet", "square": "bullet",
}  # fmt: skip


class ListMarks:
    """The marks of one list, item by item."""

    def __init__(self, node: Node, ordered: bool) -> None:
        self._style = _list_style(node) or ("decimal" if ordered else "bullet")
        start = _integer(node.get("start"))
        self._step = -1 if ordered and "reversed" in node.attrib else 1
        first = len(node.findall("li")) if self._step < 0 else 1
        self._next = first if start is None else start

    def mark(self, item: Node) -> str:
        own = _integer(item.get("value"))
        number = self._next if own is None else own
        self._next = number + self._step
        style = _list_style(item) or self._style
        if style in ("none", "bullet"):
            return "•" if style == "bullet" else ""
        return f"{format_number(style, number)}."


def _list_style(node: Node) -> str | None:
    said = _LIST_STYLE.search(node.get("style") or "")
    words: Iterator[str] = iter(said[1].split()) if said else iter(())
    by_style = next((_LIST_TYPES[word.lower()] for word in words if word.lower() in _LIST_TYPES), None)
    return by_style or _LIST_TYPES.get(node.get("type") or "")


def _integer(value: str | None) -> int | None:
    text = (value or "").strip()
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 7 else None
