"""The numbers that Word writes before paragraphs: they are in no text, yet a reader sees "7.2(b)" and cites it."""

from collections import defaultdict
from dataclasses import dataclass, field, replace

from ingest.formats.safe_xml import Node
from ingest.numerals import number_text

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_BULLETS = {"\uf0b7": "•", "\uf0a7": "▪", "\uf0d8": "➢", "\uf0fc": "✓", "o": "○", "\uf02d": "–"}
_LEVELS = 9
KNOWN = frozenset(
    (
        "lowerLetter", "upperLetter", "lowerRoman", "upperRoman", "decimal", "decimalZero", "ordinal", "cardinalText",
        "ordinalText", "chicago", "numberInDash", "none", "bullet",
    )
)  # fmt: skip
"""Styles that are drawn as Word draws them, in English."""
_FAR = 5000


@dataclass(frozen=True, slots=True)
class Level:
    """``text`` holds "%1" to "%9" where the numbers of the levels go; ``legal``: all of them decimal.

    ``restart``: the level begins anew after a paragraph of a depth below this; None after any depth above its own, 0
    never. ``of_style`` is the paragraph style that the level belongs to.
    """

    style: str
    text: str
    start: int = 1
    legal: bool = False
    restart: int | None = None
    of_style: str = ""


@dataclass(slots=True)
class Numbering:
    """Counts as it is asked, paragraph by paragraph. Lists that share a definition share their count."""

    levels: dict[str, dict[int, Level]] = field(default_factory=dict)
    lists: dict[str, str] = field(default_factory=dict)
    restarts: dict[str, dict[int, Level | int]] = field(default_factory=dict)
    _counts: dict[str, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    _begun: set[str] = field(default_factory=set)
    unknown: bool = False
    """A number was drawn in a style that is not known here, and so is shown as 1, 2, 3."""

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
            after = self._level(list_id, abstract, deeper).restart
            if after is None or depth < after:
                counts.pop(deeper, None)
        if level.style == "none":
            return ""
        if level.style == "bullet":
            return _BULLETS.get(level.text, level.text if level.text.isprintable() and level.text < "\ue000" else "•")
        text = level.text
        for at in range(_LEVELS):
            if f"%{at + 1}" in text:
                above = self._level(list_id, abstract, at)
                style = "decimal" if level.legal else above.style
                self.unknown |= style not in KNOWN
                text = text.replace(f"%{at + 1}", format_number(style, counts.get(at, above.start)))
        return text.strip()

    def depth_of(self, list_id: str, style: str) -> int | None:
        """The depth at which a list numbers the paragraphs of a style; None where the list does not name it."""
        levels = self.levels.get(self.lists.get(list_id, ""), {})
        return next((depth for depth, level in levels.items() if style and level.of_style == style), None)

    def _level(self, list_id: str, abstract: str, depth: int) -> Level:
        own = self.restarts.get(list_id, {}).get(depth)
        level = self.levels.get(abstract, {}).get(depth, Level("decimal", f"%{depth + 1}."))
        if isinstance(own, Level):
            return own
        return level if own is None else replace(level, start=own)


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
        case "cardinalText" if number < 100:
            return _in_words(number).capitalize()
        case "ordinalText" if number < 100:
            return _ordinal_in_words(number).capitalize()
        case "chicago":
            return "*†‡§"[(number - 1) % 4] * ((number + 3) // 4)
        case "numberInDash":
            return f"- {number} -"
    return str(number)


_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
             "twelve": "twelfth"}  # fmt: skip


def _in_words(number: int) -> str:
    if number < 20:
        return _UNITS[number]
    tens = _TENS[number // 10 - 2]
    return f"{tens}-{_UNITS[number % 10]}" if number % 10 else tens


def _ordinal_in_words(number: int) -> str:
    head, dash, last = _in_words(number).rpartition("-")
    ending = _ORDINALS.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
    return head + dash + ending


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
    linked = _linked(root)
    for item in root.iterfind(f"{W}num"):
        name = item.get(f"{W}numId", "")
        definition = _value(item, "abstractNumId") or ""
        numbering.lists[name] = linked.get(definition, definition)
        overrides: dict[int, Level | int] = {}
        for override in item.iterfind(f"{W}lvlOverride"):
            own, start = override.find(f"{W}lvl"), _value(override, "startOverride")
            if own is not None:
                overrides[_depth(override)] = _level(own)
            elif start is not None and start.isdecimal() and len(start) < 9:
                overrides[_depth(override)] = int(start)
        numbering.restarts[name] = overrides
    return numbering


def _linked(root: Node) -> dict[str, str]:
    """Definitions that only name a list style, and the definition that belongs to the style."""
    owners = {_value(node, "styleLink"): node.get(f"{W}abstractNumId", "") for node in root.iterfind(f"{W}abstractNum")}
    users = (
        (node.get(f"{W}abstractNumId", ""), _value(node, "numStyleLink")) for node in root.iterfind(f"{W}abstractNum")
    )
    return {name: owners[style] for name, style in users if style is not None and style in owners}


def _value(node: Node, child: str) -> str | None:
    found = node.find(f"{W}{child}")
    return None if found is None else found.get(f"{W}val")


def _depth(node: Node) -> int:
    value = node.get(f"{W}ilvl", "0")
    return min(int(value), _LEVELS - 1) if value.isdecimal() and len(value) < 9 else 0


def _level(node: Node) -> Level:
    start, restart = _value(node, "start") or "1", _value(node, "lvlRestart") or ""
    legal = node.find(f"{W}isLgl")
    return Level(
        _value(node, "numFmt") or "decimal",
        _value(node, "lvlText") or "",
        int(start) if start.isdecimal() and len(start) < 9 else 1,
        legal is not None and legal.get(f"{W}val", "1") not in ("0", "false", "off"),
        int(restart) if restart.isdecimal() and len(restart) < 3 else None,
        _value(node, "pStyle") or "",
    )
