"""The numbers that Word writes before paragraphs: they are in no text, yet a reader sees "7.2(b)" and cites it."""

from collections import defaultdict
from dataclasses import dataclass, field

from ingest.labels import number_text
from ingest.safe_xml import Node

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_BULLETS = {"\uf0b7": "•", "\uf0a7": "▪", "\uf0d8": "➢", "\uf0fc": "✓", "o": "○", "\uf02d": "–"}
_LEVELS = 9
_FAR = 5000


@dataclass(frozen=True, slots=True)
class Level:
    """``text`` holds "%1" to "%9" where the numbers of the levels go."""

    style: str
    text: str
    start: int = 1


@dataclass(slots=True)
class Numbering:
    """Counts as it is asked, paragraph by paragraph. Lists that share a definition share their count."""

    levels: dict[str, dict[int, Level]] = field(default_factory=dict)
    lists: dict[str, str] = field(default_factory=dict)
    restarts: dict[str, dict[int, Level | int]] = field(default_factory=dict)
    _counts: dict[str, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    _begun: set[str] = field(default_factory=set)

    def label(self, list_id: str, depth: int) -> str:
        """The number before the next paragraph of this list at this depth (from 0); "" where none is shown."""
        abstract = self.lists.get(list_id)
        if abstract is None or list_id == "0":
            return ""
        counts = self._counts[abstract]
        if list_id not in self._begun:
            self._begun.add(list_id)
            for at in self.restarts.get(list_id, {}):
                counts.pop(at, None)
        level = self._level(list_id, abstract, depth)
        counts[depth] = counts[depth] + 1 if depth in counts else level.start
        for deeper in range(depth + 1, _LEVELS):
            counts.pop(deeper, None)
        if level.style == "none":
            return ""
        if level.style == "bullet":
            return _BULLETS.get(level.text, level.text if level.text.isprintable() and level.text < "\ue000" else "•")
        text = level.text
        for at in range(_LEVELS):
            if f"%{at + 1}" in text:
                above = self._level(list_id, abstract, at)
                style = "decimal" if at != depth and level.style == "legal" else above.style
                text = text.replace(f"%{at + 1}", format_number(style, counts.get(at, above.start)))
        return text.strip()

    def _level(self, list_id: str, abstract: str, depth: int) -> Level:
        own = self.restarts.get(list_id, {}).get(depth)
        level = self.levels.get(abstract, {}).get(depth, Level("decimal", f"%{depth + 1}."))
        if isinstance(own, Level):
            return own
        return level if own is None else Level(level.style, level.text, own)


def format_number(style: str, number: int) -> str:
    """A number in one of Word's styles; styles that are not known are decimal, and so are numbers no one counts to."""
    match style if 0 < number <= _FAR else "decimal":
        case "lowerLetter":
            return number_text("a", number)
        case "upperLetter":
            return number_text("A", number)
        case "lowerRoman":
            return number_text("r", number)
        case "upperRoman":
            return number_text("R", number)
        case "decimalZero":
            return f"{number:02d}"
        case "ordinal":
            return f"{number}{_ordinal_ending(number)}"
    return str(number)


def _ordinal_ending(number: int) -> str:
    if 10 <= number % 100 <= 20:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def read_numbering(root: Node | None) -> Numbering:
    """From ``numbering.xml``; without one no paragraph has a number."""
    numbering = Numbering()
    if root is None:
        return numbering
    for abstract in root.iterfind(f"{W}abstractNum"):
        name = abstract.get(f"{W}abstractNumId", "")
        numbering.levels[name] = {_depth(node): _level(node) for node in abstract.iterfind(f"{W}lvl")}
    for item in root.iterfind(f"{W}num"):
        name = item.get(f"{W}numId", "")
        numbering.lists[name] = _value(item, "abstractNumId") or ""
        overrides: dict[int, Level | int] = {}
        for override in item.iterfind(f"{W}lvlOverride"):
            own, start = override.find(f"{W}lvl"), _value(override, "startOverride")
            if own is not None:
                overrides[_depth(override)] = _level(own)
            elif start is not None and start.isdecimal():
                overrides[_depth(override)] = int(start)
        numbering.restarts[name] = overrides
    return numbering


def _value(node: Node, child: str) -> str | None:
    found = node.find(f"{W}{child}")
    return None if found is None else found.get(f"{W}val")


def _depth(node: Node) -> int:
    value = node.get(f"{W}ilvl", "0")
    return min(int(value), _LEVELS - 1) if value.isdecimal() else 0


def _level(node: Node) -> Level:
    start = _value(node, "start") or "1"
    return Level(
        _value(node, "numFmt") or "decimal", _value(node, "lvlText") or "", int(start) if start.isdecimal() else 1
    )
