"""What the styles of a web page say that decides what a reader sees: hidden, white, struck, how a list counts."""

import re
from collections.abc import Iterator

from ingest.formats.office.word_numbering import format_number
from ingest.formats.safe_xml import Node

_HIDING = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0*)?%?\s*(?:;|!|$)"
    r"|font-size\s*:\s*0(?:\.0*)?(?:px|pt|em|rem|%)?\s*(?:;|!|$)|mso-hide\s*:\s*all)",
    re.IGNORECASE,
)
_MOVED_AWAY = re.compile(
    r"(?:^|;)\s*(?:left|right|top|text-indent|margin-left|margin-top)\s*:\s*-\d{4,}(?:\.\d+)?px"
    r"|(?:^|;)\s*clip\s*:\s*rect\(\s*0|(?:^|;)\s*clip-path\s*:\s*inset\(\s*(?:50|100)%",
    re.IGNORECASE,
)
_NO_ROOM = re.compile(r"(?:^|;)\s*(?:max-)?(?:height|width)\s*:\s*0(?:px|pt|em)?\s*(?:;|!|$)", re.IGNORECASE)
_CUT_OFF = re.compile(r"(?:^|;)\s*overflow(?:-[xy])?\s*:\s*hidden", re.IGNORECASE)
_TINY = re.compile(r"(?:^|;)\s*font-size\s*:\s*([0-9.]+)(px|pt)", re.IGNORECASE)
_COLOUR = re.compile(r"(?:^|;)\s*color\s*:\s*([^;!]+)", re.IGNORECASE)
_PARTS = re.compile(r"rgba?\(\s*+(\d{1,3})(?:\s*+,\s*+|\s++)(\d{1,3})(?:\s*+,\s*+|\s++)(\d{1,3})", re.IGNORECASE)
_LIGHT = 0xF4
"""As for Word files: so light that it is not told from the white page."""
_SMALL = {"px": 2.5, "pt": 2.0}
_GROUND = re.compile(r"background(?:-color|-image)?\s*:\s*([^;!]+)", re.IGNORECASE)
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
            if not _hides(body):
                continue
            for selector in selectors.split(","):
                match = _SIMPLE.fullmatch(selector.strip())
                if match and (match[1] or match[3]):
                    found.add(((match[1] or "").lower(), match[2] or "", match[3] or ""))
    return frozenset(found)


def is_hidden(node: Node, tag: str, shaded: bool, selectors: frozenset[Selector]) -> bool:
    """Whether the element shows nothing. ``shaded``: something that is not white may lie behind it."""
    style = node.get("style") or ""
    if not shaded and not has_ground(node) and _is_white(node):
        return True
    if "hidden" in node.attrib or _hides(style):
        return True
    if not selectors:
        return False
    names = [("", ""), ("#", node.get("id") or ""), *((".", name) for name in (node.get("class") or "").split())]
    return any((t, mark, name) in selectors for t in ("", tag) for mark, name in names if t or name)


def _hides(style: str) -> bool:
    """Not shown, without room, moved off the page, or too small to read."""
    if not style:
        return False
    if _HIDING.search(style) or _MOVED_AWAY.search(style) or (_NO_ROOM.search(style) and _CUT_OFF.search(style)):
        return True
    size = _TINY.search(style)
    return size is not None and _number(size[1]) <= _SMALL[size[2].lower()]


def _number(text: str) -> float:
    return float(text) if text.replace(".", "", 1).isdecimal() else 12.0


def _is_white(node: Node) -> bool:
    """Letters as light as the page, or none at all; on a white page nobody sees them."""
    said = _COLOUR.search(node.get("style") or "")
    return _is_light(said[1] if said else node.get("color") or "", transparent=said is not None)


def _is_light(colour: str, *, transparent: bool) -> bool:
    colour = colour.strip().lower()
    if colour in ("white", "#fff"):
        return True
    if colour == "transparent":
        return transparent
    if colour.startswith("#") and len(colour) == 7:
        try:
            return all(part >= _LIGHT for part in bytes.fromhex(colour[1:]))
        except ValueError:
            return False
    parts = _PARTS.match(colour)
    return parts is not None and all(int(part) >= _LIGHT for part in parts.groups())


def has_ground(node: Node | None) -> bool:
    """Whether a colour or picture that is not white lies behind the element; what colour is not looked into."""
    if node is None:
        return False
    if not _is_light(node.get("bgcolor") or "white", transparent=True):
        return True
    said = _GROUND.search(node.get("style") or "")
    return said is not None and said[1].strip().lower() != "none" and not _is_light(said[1], transparent=True)


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
