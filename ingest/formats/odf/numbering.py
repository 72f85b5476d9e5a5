"""The numbers that OpenDocument draws before list items and headings: they are in no text, yet a reader cites them."""

from dataclasses import dataclass, field

from ingest.formats.office.word_numbering import format_number
from ingest.formats.safe_xml import Node

_URN = "{urn:oasis:names:tc:opendocument:xmlns:"
_TEXT, _STYLE = f"{_URN}text:1.0}}", f"{_URN}style:1.0}}"
_FORMATS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}


@dataclass(frozen=True, slots=True)
class Level:
    """``style`` is None for a level without numbers, whose items show ``bullet``. ``shown`` counts the levels whose
    numbers are printed, this one included."""

    style: str | None
    prefix: str = ""
    suffix: str = ""
    start: int = 1
    shown: int = 1
    bullet: str = ""


@dataclass(slots=True)
class Numbers:
    """The count of one list or of the headings, level by level (from 0)."""

    levels: dict[int, Level]
    counts: dict[int, int] = field(default_factory=dict)

    def next(self, depth: int, start: int | None = None) -> str:
        """The mark before the next item at this depth; "" where none is drawn."""
        level = self.levels.get(depth)
        if level is None:
            return ""
        if level.style is None:
            return level.bullet
        first = level.start if start is None else start
        self.counts[depth] = first if start is not None or depth not in self.counts else self.counts[depth] + 1
        for deeper in [at for at in self.counts if at > depth]:
            del self.counts[deeper]
        parts = [self._number(at) for at in range(max(0, depth - level.shown + 1), depth + 1)]
        return f"{level.prefix}{'.'.join(filter(None, parts))}{level.suffix}".strip()

    def _number(self, depth: int) -> str:
        level = self.levels.get(depth)
        if level is None or level.style is None:
            return ""
        return format_number(level.style, self.counts.setdefault(depth, level.start))


def list_styles(*roots: Node | None) -> dict[str, dict[int, Level]]:
    """Levels of each list style by name; the headings' own are under ""."""
    styles: dict[str, dict[int, Level]] = {}
    for root in roots:
        if root is None:
            continue
        for node in root.iter(f"{_TEXT}list-style", f"{_TEXT}outline-style"):
            name = node.get(f"{_STYLE}name", "") if node.tag == f"{_TEXT}list-style" else ""
            styles[name] = {
                _number(child, "level", 1) - 1: _level(child) for child in node if _number(child, "level", 0)
            }
    return styles


def _level(node: Node) -> Level:
    if node.tag == f"{_TEXT}list-level-style-bullet":
        character = node.get(f"{_TEXT}bullet-char", "•")
        return Level(None, bullet=character if character < "\ue000" else "•")
    style = _FORMATS.get(node.get(f"{_STYLE}num-format", ""))
    return Level(
        style, node.get(f"{_STYLE}num-prefix", ""), node.get(f"{_STYLE}num-suffix", ""),
        _number(node, "start-value", 1), _number(node, "display-levels", 1),
    )  # fmt: skip


def _number(node: Node, name: str, otherwise: int) -> int:
    value = node.get(f"{_TEXT}{name}", "")
    return int(value) if value.isdecimal() and len(value) < 6 else otherwise


def item_start(item: Node) -> int | None:
    """The number that an item sets itself."""
    value = item.get(f"{_TEXT}start-value", "")
    return int(value) if value.isdecimal() and len(value) < 6 else None
