"""Word's styles with what they inherit, as far as they decide what a reader sees."""

from dataclasses import dataclass, replace

from ingest.formats.office.word_numbering import W
from ingest.formats.safe_xml import Node

_TINY = 4
"""Half points."""
_WHITE = 0xF4
_OFF = frozenset({"0", "false", "off", "none"})


@dataclass(frozen=True, slots=True)
class Style:
    """``level`` is a heading's (from 1). ``list_id`` and ``depth`` are the numbering that the style brings along, and
    ``list_style`` the style that it comes from. ``colour`` and ``size`` (half points) are those of the letters."""

    level: int | None = None
    hidden: bool = False
    caps: bool = False
    list_id: str | None = None
    depth: int = 0
    list_style: str = ""
    colour: str = ""
    size: int | None = None
    shaded: bool = False
    struck: bool = False

    def at_level(self, level: int | None) -> "Style":
        """The same style where a paragraph says itself what heading it is."""
        return replace(self, level=level)


def read_styles(root: Node | None) -> dict[str, Style]:
    """Styles with what they inherit; "" is the default paragraph style."""
    if root is None:
        return {}
    nodes = {node.get(f"{W}styleId", ""): node for node in root.iterfind(f"{W}style")}
    styles = {name: _resolved(name, nodes) for name in nodes}
    default = next((n for n, node in nodes.items() if node.get(f"{W}default") == "1" and _is_paragraph(node)), None)
    return {**styles, "": styles[default] if default else Style()}


def _is_paragraph(node: Node) -> bool:
    return node.get(f"{W}type") == "paragraph"


def _resolved(name: str, nodes: dict[str, Node]) -> Style:
    chain: list[Node] = []
    at: str | None = name
    while at is not None and at in nodes and nodes[at] not in chain and len(chain) < 20:
        chain.append(nodes[at])
        at = value_of(nodes[at], "basedOn")
    style = Style()
    for node in reversed(chain):
        style = _inherit(style, node)
    return style


def _inherit(style: Style, node: Node) -> Style:
    paragraph, run = node.find(f"{W}pPr"), node.find(f"{W}rPr")
    level = None if paragraph is None else number_of(paragraph, "outlineLvl")
    title = (value_of(node, "name") or "").lower()
    if level is None and title.startswith("heading ") and title[8:].isdecimal() and len(title) < 12:
        level = int(title[8:]) - 1
    elif level is None and title == "title":
        level = 0
    number = None if paragraph is None else paragraph.find(f"{W}numPr")
    list_id = style.list_id if number is None else (value_of(number, "numId") or style.list_id)
    depth = style.depth if number is None else (number_of(number, "ilvl") or 0)
    size = None if run is None else number_of(run, "sz")
    return Style(
        style.level if level is None else (level + 1 if level < 9 else None),
        toggle(run, "vanish", style.hidden),
        toggle(run, "caps", style.caps),
        list_id,
        depth,
        style.list_style if number is None else node.get(f"{W}styleId", ""),
        (None if run is None else value_of(run, "color")) or style.colour,
        style.size if size is None else size,
        style.shaded or _is_shaded(paragraph) or _is_shaded(run),
        toggle(run, "strike", style.struck) or toggle(run, "dstrike", False),
    )


def value_of(node: Node, child: str) -> str | None:
    found = node.find(f"{W}{child}")
    return None if found is None else found.get(f"{W}val")


def number_of(node: Node, child: str) -> int | None:
    value = value_of(node, child)
    return int(value) if value is not None and value.isdecimal() and len(value) < 6 else None


def is_on(properties: Node | None, name: str) -> bool:
    return toggle(properties, name, False)


def toggle(properties: Node | None, name: str, otherwise: bool) -> bool:
    found = None if properties is None else properties.find(f"{W}{name}")
    if found is None:
        return otherwise
    return found.get(f"{W}val", "1") not in _OFF


def has_shading(table: Node) -> bool:
    """Whether something may lie behind the letters of a table: shading, or a style that may bring it."""
    return next(table.iter(f"{W}tblStyle"), None) is not None or any(map(_has_colour, table.iter(f"{W}shd")))


def cannot_be_seen(properties: Node | None, paragraph: Node | None, *styles: Style) -> bool:
    """White letters on the white page, or letters of 2 pt and less. ``properties`` are the run's own, which go before
    the styles; of these the first that says something decides."""
    own = None if properties is None else number_of(properties, "sz")
    size = next((s for s in (own, *(style.size for style in styles)) if s is not None), None)
    if size is not None and size <= _TINY:
        return True
    own_colour = "" if properties is None else value_of(properties, "color") or ""
    colour = next(filter(None, (own_colour, *(style.colour for style in styles))), "")
    if len(colour) != 6 or any(part < _WHITE for part in _bytes(colour)):
        return False
    grounds = (properties, None if paragraph is None else paragraph.find(f"{W}pPr"))
    return not any(map(_is_shaded, grounds)) and not any(style.shaded for style in styles)


def _is_shaded(properties: Node | None) -> bool:
    """Whether something that is not white lies behind the letters."""
    if properties is None:
        return False
    shading, marker = properties.find(f"{W}shd"), value_of(properties, "highlight")
    return (shading is not None and _has_colour(shading)) or (marker is not None and marker not in ("none", "white"))


def _has_colour(shading: Node) -> bool:
    """A pattern or a fill; "auto" is the page's own white."""
    pattern, fill = shading.get(f"{W}val", "clear"), shading.get(f"{W}fill", "auto")
    is_white = fill == "auto" or (len(fill) == 6 and all(part >= _WHITE for part in _bytes(fill)))
    return f"{W}themeFill" in shading.attrib or pattern not in ("clear", "nil") or not is_white


def _bytes(colour: str) -> bytes:
    try:
        return bytes.fromhex(colour)
    except ValueError:
        return b"\x00"
