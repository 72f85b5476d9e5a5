"""What the styles of a web page say that decides what a reader sees: hidden, white, struck, how a list counts."""

import re
from collections.abc import Iterator

from ingest.docx_numbering import format_number
from ingest.safe_xml import Node

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
_STRUCK = re.compile(r"text-decoration(?:-line)?\s*:[^;]*line-through", re.IGNORECASE)
_RULE = re.compile(r"([^{}]{1,400})\{([^{}]{0,4000})\}")
_SIMPLE = re.compile(r"([a-zA-Z][\w-]*)?(?:([.#])([\w-]+))?")
_LIST_STYLE = re.compile(r"list-style(?:-type)?\s*:\s*([^;]+)", re.IGNORECASE)
_LIST_TYPES = {
    "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman", "lower-alpha": "lowerLetter",
    "lower-latin": "lowerLetter", "upper-alpha": "upperLetter", "upper-latin": "upperLetter",
    "lower-roman": "lowerRoman", "upper-roman": "upperRoman", "decimal": "decimal", "1": "decimal",
    "decimal-leading-zero": "decimalZero", "none": "none", "disc": "bullet", "circle": "bullet", "square": "bullet",
}  # fmt: skip

Selector = tuple[str, str, str]


def hidden_selectors(root: Node) -> frozenset[Selector]:
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


def is_hidden(node: Node, tag: str, shaded: bool, selectors: frozenset[Selector]) -> bool:
    """Whether the element shows nothing. ``shaded``: something that is not white may lie behind it."""
    if not shaded and not has_ground(node) and _is_white(node):
        return True
    if "hidden" in node.attrib or _HIDING.search(node.get("style") or ""):
        return True
    if not selectors:
        return False
    names = [("", ""), ("#", node.get("id") or ""), *((".", name) for name in (node.get("class") or "").split())]
    return any((t, mark, name) in selectors for t in ("", tag) for mark, name in names if t or name)


def _is_white(node: Node) -> bool:
    """White letters, or none at all; on a white page nobody sees them."""
    return _WHITE.search(node.get("style") or "") is not None or (node.get("color") or "").lower() in _WHITES


def has_ground(node: Node | None) -> bool:
    """Whether the element says what colour or picture lies behind it; what colour is not looked into."""
    return node is not None and ("bgcolor" in node.attrib or _GROUND.search(node.get("style") or "") is not None)


def is_struck(node: Node, tag: str) -> bool:
    return tag in ("s", "strike", "del") or _STRUCK.search(node.get("style") or "") is not None


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
