"""How an element of a web page looks, as far as it decides what a reader sees: gone, unseen, struck, raised."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ingest.formats.safe_xml import Node
from ingest.rendition.inks import NO_KINDS
from verify.domain.document import SpanKind

Value = Sequence[Any]
"""Tokens of tinycss2, as ``cascade`` gives them."""

PROPERTIES = frozenset(
    ("display", "visibility", "opacity", "content-visibility", "mso-hide", "font-size", "color",
     "-webkit-text-fill-color", "background-color", "background-image", "position", "left", "right", "top", "bottom",
     "text-indent", "margin-left", "margin-top", "clip", "clip-path", "height", "max-height", "width", "max-width",
     "overflow-x", "overflow-y", "transform", "filter", "text-decoration-line", "vertical-align")
)  # fmt: skip
"""What is looked at."""

Colour = tuple[float, float, float]
"""Red, green and blue from 0 to 1."""

_NEAR = 12 / 255
"""Letters that differ less from their ground in every channel are not told from it."""
_TINY = 2.7
"""CSS pixels: 2 pt, as for Word files."""
_AWAY = -500.0
"""CSS pixels: what is moved so far up or left lies off the screen."""
_INCHES = 96.0
_UNITS = {"px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": _INCHES, "cm": _INCHES / 2.54, "mm": _INCHES / 25.4, "vw": 12.8,
          "vh": 8.0, "vmin": 8.0, "vmax": 12.8, "rem": 16.0, "q": _INCHES / 101.6}  # fmt: skip
"""CSS pixels to a unit, on the screen that ``cascade`` asks rules of."""
_NAMED_SIZES = {"xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0,
                "xx-large": 32.0}  # fmt: skip
_BLACK: Colour = (0.0, 0.0, 0.0)
_WHITE: Colour = (1.0, 1.0, 1.0)
_KINDS_OF_TAGS = {"del": SpanKind.DELETED, "ins": SpanKind.INSERTED}


@dataclass(frozen=True, slots=True)
class Look:
    """``gone``: the element and all in it shows nothing. ``invisible`` can be set back by what stands in it. ``size``
    in CSS pixels; ``alpha`` 0 (clear) to 1; ``ground`` None: a picture, of which no colour is known."""

    gone: bool = False
    invisible: bool = False
    size: float = 16.0
    colour: Colour = _BLACK
    alpha: float = 1.0
    opacity: float = 1.0
    ground: Colour | None = _WHITE
    struck: bool = False
    raised: bool = False
    lowered: bool = False
    kinds: frozenset[SpanKind] = NO_KINDS

    @property
    def is_seen(self) -> bool:
        """Whether letters of this look are."""
        strength = self.alpha * self.opacity
        if self.invisible or self.gone or self.size < _TINY or strength < _NEAR:
            return False
        apart = 1.0 if self.ground is None else max(abs(a - b) for a, b in zip(self.colour, self.ground, strict=True))
        return apart * strength >= _NEAR

    @property
    def all_kinds(self) -> frozenset[SpanKind]:
        return self.kinds | {SpanKind.STRUCK} if self.struck else self.kinds


def look_of(node: Node, tag: str, outer: Look, said: Mapping[str, Value]) -> Look:
    """The look of an element inside ``outer`` for which its styles say ``said``."""
    size = _size(said.get("font-size"), outer.size)
    colour, alpha = _letters(node, said, outer)
    opacity = outer.opacity * _share(said.get("opacity"))
    look = replace(
        outer, size=size, colour=colour, alpha=alpha, opacity=opacity, ground=_ground(node, said, outer.ground),
        invisible=_is_invisible(said.get("visibility"), outer.invisible),
        struck=outer.struck or "line-through" in _words(said, "text-decoration-line"),
        kinds=outer.kinds | ({_KINDS_OF_TAGS[tag]} if tag in _KINDS_OF_TAGS else NO_KINDS),
    )  # fmt: skip
    rise = _rise(said, size)
    if rise:
        look = replace(look, raised=rise > 0, lowered=rise < 0)
    return replace(look, gone=_is_gone(said, size))


def _words(said: Mapping[str, Value], name: str) -> list[str]:
    return [token.lower_value for token in said.get(name, ()) if token.type == "ident"]


def _word(said: Mapping[str, Value], name: str) -> str:
    return next(iter(_words(said, name)), "")


def _length(token: Any, size: float, whole: float = 0.0) -> float | None:
    """In CSS pixels; percentages are of ``whole``. None for what is no length."""
    if token.type == "number" and token.value == 0:
        return 0.0
    if token.type == "percentage":
        return float(token.value) * whole / 100
    if token.type != "dimension":
        return None
    unit = token.lower_unit
    if unit in ("em", "ex", "ch", "lh"):
        return float(token.value) * size * (1.0 if unit in ("em", "lh") else 0.5)
    return float(token.value) * _UNITS[unit] if unit in _UNITS else None


def _first(said: Mapping[str, Value], name: str, size: float, whole: float = 0.0) -> float | None:
    value = said.get(name)
    return _length(value[0], size, whole) if value else None


def _size(value: Value | None, outer: float) -> float:
    if not value:
        return outer
    token = value[0]
    if token.type == "ident":
        named = {"smaller": outer / 1.2, "larger": outer * 1.2, "initial": 16.0}
        return _NAMED_SIZES.get(token.lower_value) or named.get(token.lower_value, outer)
    length = _length(token, outer, outer)
    return outer if length is None or length < 0 else length


def _share(value: Value | None) -> float:
    if not value or value[0].type not in ("number", "percentage"):
        return 1.0
    share = float(value[0].value) / (100 if value[0].type == "percentage" else 1)
    return min(max(share, 0.0), 1.0)


def _letters(node: Node, said: Mapping[str, Value], outer: Look) -> tuple[Colour, float]:
    if "initial" in _words(said, "color")[:1]:
        return _BLACK, 1.0
    own = said.get("-webkit-text-fill-color") or said.get("color")
    found = _colour(own or node.get("color") or node.get("text"))
    return (outer.colour, outer.alpha) if found is None else found


def _colour(value: Value | str | None) -> tuple[Colour, float] | None:
    if not value:
        return None
    from tinycss2 import color4

    parsed = color4.parse_color(value if isinstance(value, str) else value[0])
    if parsed is None or isinstance(parsed, str):  # "currentcolor"
        return None
    red, green, blue = (min(max(float(part or 0), 0.0), 1.0) for part in parsed.to("srgb").coordinates)
    return (red, green, blue), float(parsed.alpha)


def _ground(node: Node, said: Mapping[str, Value], outer: Colour | None) -> Colour | None:
    """What lies behind the letters: a colour over that of the element around, or a picture."""
    if node.get("background") or any(token.type in ("url", "function") for token in said.get("background-image", ())):
        return None
    found = _colour(said.get("background-color") or node.get("bgcolor"))
    if found is None or found[1] == 0:
        return outer
    (red, green, blue), alpha = found
    if alpha == 1:
        return red, green, blue
    if outer is None:
        return None
    mixed = [alpha * a + (1 - alpha) * b for a, b in zip((red, green, blue), outer, strict=True)]
    return mixed[0], mixed[1], mixed[2]


def _is_invisible(value: Value | None, outer: bool) -> bool:
    word = value[0].lower_value if value and value[0].type == "ident" else "inherit"
    return outer if word in ("inherit", "unset") else word in ("hidden", "collapse")


def _rise(said: Mapping[str, Value], size: float) -> int:
    """1 for letters above the line, -1 below, 0 where nothing is said of it."""
    word = _word(said, "vertical-align")
    moved = _first(said, "vertical-align", size, size) or 0.0
    if word in ("super", "sub") or moved:
        return 1 if word == "super" or moved > 0 else -1
    if _word(said, "position") == "relative":  # as style sheets raise marks without parting the lines
        up = _first(said, "top", size, size)
        up = -(_first(said, "bottom", size, size) or 0.0) if up is None else up
        return 0 if abs(up) < 0.2 * size or abs(up) > 2 * size else (1 if up < 0 else -1)
    return 0


def _is_gone(said: Mapping[str, Value], size: float) -> bool:
    if _word(said, "display") == "none" or _word(said, "mso-hide") == "all":
        return True
    if _word(said, "content-visibility") == "hidden" or _is_clipped(said):
        return True
    sides = ["text-indent", "margin-left", "margin-top"]
    if _word(said, "position") in ("absolute", "fixed", "relative", "sticky"):
        sides += ["left", "top", "right"]
    if any((_first(said, name, size, 1000.0) or 0.0) <= _AWAY for name in sides):
        return True
    return _has_no_room(said, size) or _is_transformed_away(said, size)


def _has_no_room(said: Mapping[str, Value], size: float) -> bool:
    """A box without height or width, or of a pixel, which cuts off what does not fit."""
    for axis, names in (("overflow-y", ("height", "max-height")), ("overflow-x", ("width", "max-width"))):
        lengths = [_first(said, name, size, 1000.0) for name in names]
        if _word(said, axis) in ("hidden", "clip") and any(length is not None and length <= 1 for length in lengths):
            return True
    return False


def _is_clipped(said: Mapping[str, Value]) -> bool:
    for token in said.get("clip", ()):
        if token.type == "function" and token.lower_name == "rect":
            edges = [_length(part, 16.0) for part in token.arguments]
            top, right, bottom, left = ([edge for edge in edges if edge is not None] + [0.0, 99.0, 99.0, 0.0])[:4]
            if right - left <= 1 or bottom - top <= 1:
                return True
    for token in said.get("clip-path", ()):
        if token.type == "function" and token.lower_name in ("inset", "circle", "ellipse"):
            first = next((_length(part, 16.0, 100.0) for part in token.arguments if part.type != "whitespace"), None)
            if first is not None and (first >= 50 if token.lower_name == "inset" else first == 0):
                return True
    return False


def _is_transformed_away(said: Mapping[str, Value], size: float) -> bool:
    for token in said.get("transform", ()):
        if token.type != "function":
            continue
        numbers = [part for part in token.arguments if part.type in ("number", "dimension", "percentage")]
        if token.lower_name.startswith("scale") and any(float(part.value) == 0 for part in numbers):
            return True
        moved = [_length(part, size, 1000.0) or 0.0 for part in numbers]
        if token.lower_name.startswith("translate") and min(moved, default=0.0) <= _AWAY:
            return True
    return (
        _share(
            next(
                (
                    [p for p in t.arguments if p.type in ("number", "percentage")]
                    for t in said.get("filter", ())
                    if t.type == "function" and t.lower_name == "opacity"
                ),
                None,
            )
        )
        < _NEAR
    )
