"""OpenDocument's styles with what they inherit, as far as they decide what a reader sees."""

from dataclasses import dataclass

from ingest.formats.grounds import are_alike, is_light
from ingest.formats.safe_xml import Node

_URN = "{urn:oasis:names:tc:opendocument:xmlns:"
_STYLE, _TEXT, _FO = (f"{_URN}{name}:1.0}}" for name in ("style", "text", "xsl-fo-compatible"))
_TINY = 2.0
"""Points, as for Word files."""
_BOLD = ("bold", "600", "700", "800", "900")


@dataclass(frozen=True, slots=True)
class TextStyle:
    """``colour`` and ``ground`` as "#rrggbb", "" for those of the page."""

    bold: bool = False
    italic: bool = False
    struck: bool = False
    gone: bool = False
    colour: str = ""
    ground: str = ""
    tiny: bool = False
    raised: bool = False
    lowered: bool = False

    @property
    def hidden(self) -> bool:
        if self.gone or self.tiny:
            return True
        return are_alike(self.colour, self.ground) if self.ground else is_light(self.colour)


def read_styles(*roots: Node | None) -> dict[str, TextStyle]:
    """Styles by name, those of the document after those that they are based on."""
    nodes: dict[str, Node] = {}
    for root in roots:
        for node in () if root is None else root.iter(f"{_STYLE}style"):
            nodes[node.get(f"{_STYLE}name", "")] = node
    return {name: _resolved(name, nodes) for name in nodes}


def styles_with(content: Node, kind: str, attribute: str, value: str) -> frozenset[str]:
    """Names of the document's own styles whose properties of a kind ("table", "drawing-page") say so."""
    return frozenset(
        style.get(f"{_STYLE}name", "")
        for style in content.iter(f"{_STYLE}style")
        for properties in style.iter(f"{_STYLE}{kind}-properties")
        if properties.get(attribute) == value
    )


def _resolved(name: str, nodes: dict[str, Node]) -> TextStyle:
    chain: list[Node] = []
    at: str | None = name
    while at in nodes and nodes[at] not in chain and len(chain) < 20:
        chain.append(nodes[at])
        at = nodes[at].get(f"{_STYLE}parent-style-name")
    style = TextStyle()
    for node in reversed(chain):
        for properties in node.iter(f"{_STYLE}text-properties", f"{_STYLE}paragraph-properties"):
            style = _inherit(style, properties)
    return style


def _points(size: str) -> float:
    """A size in points; one that is said in another way is taken for a usual one."""
    number = size.removesuffix("pt")
    return float(number) if size.endswith("pt") and number.replace(".", "", 1).isdecimal() else 12.0


def _inherit(style: TextStyle, properties: Node) -> TextStyle:
    weight, slope, colour = (properties.get(f"{_FO}{name}") for name in ("font-weight", "font-style", "color"))
    line = properties.get(f"{_STYLE}text-line-through-style") or properties.get(f"{_STYLE}text-line-through-type")
    size, place = properties.get(f"{_FO}font-size"), properties.get(f"{_STYLE}text-position")
    shown, ground = properties.get(f"{_TEXT}display"), properties.get(f"{_FO}background-color")
    return TextStyle(
        style.bold if weight is None else weight in _BOLD,
        style.italic if slope is None else slope in ("italic", "oblique"),
        style.struck if line is None else line != "none",
        style.gone if shown is None else shown in ("none", "condition"),
        style.colour if colour is None else colour,
        style.ground if ground is None else "" if ground == "transparent" else ground,
        style.tiny if size is None else _points(size) <= _TINY,
        *((style.raised, style.lowered) if place is None else (_is_off(place, "super"), _is_off(place, "sub"))),
    )


def _is_off(place: str, where: str) -> bool:
    """ "super 58%", "sub 58%", or a share of the height, above or below the line: "33% 58%", "-14% 58%"."""
    first = place.split()[0] if place.split() else ""
    share = first.removesuffix("%").removeprefix("-")
    moved = share.replace(".", "", 1).isdecimal() and float(share) > 0
    return first == where or (moved and first.startswith("-") == (where == "sub"))
