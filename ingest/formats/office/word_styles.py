"""Word's styles with what they inherit, as far as they decide what a reader sees."""

from dataclasses import dataclass, replace

from ingest.formats.grounds import are_alike, is_dark, is_light
from ingest.formats.office.word_numbering import W
from ingest.formats.safe_xml import Node

_TINY = 4
"""Half points."""
_MARKERS = {
    "black": "000000", "blue": "0000FF", "cyan": "00FFFF", "green": "00FF00", "magenta": "FF00FF", "red": "FF0000",
    "yellow": "FFFF00", "white": "FFFFFF", "darkBlue": "000080", "darkCyan": "008080", "darkGreen": "008000",
    "darkMagenta": "800080", "darkRed": "800000", "darkYellow": "808000", "darkGray": "808080", "lightGray": "C0C0C0",
}  # fmt: skip
"""Word's highlighters (ECMA-376, 17.18.40)."""
_OFF = frozenset({"0", "false", "off", "none"})


@dataclass(frozen=True, slots=True)
class Style:
    """``level`` is a heading's (from 1). ``list_id`` and ``depth`` are the numbering that the style brings along, and
    ``list_style`` the style that it comes from. ``colour`` and ``size`` (half points) are those of the letters;
    ``ground`` is the colour behind them, "?" for a pattern or a colour of the theme."""

    level: int | None = None
    hidden: bool = False
    caps: bool = False
    list_id: str | None = None
    depth: int = 0
    list_style: str = ""
    colour: str = ""
    ground: str = ""
    size: int | None = None
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
        _ground(run) or _ground(paragraph) or style.ground,
        style.size if size is None else size,
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


def cannot_be_seen(
    properties: Node | None, paragraph: Node | None, own: Style, style: Style, *, in_shaded_table: bool = False
) -> bool:
    """Letters of their ground's colour, or of 2 pt and less. ``properties`` are the run's own, which go before its
    style (``own``) and the paragraph's. In a table that may be shaded white letters are taken to be seen, unless
    something nearer to them says what lies behind them.

    Letters without a colour are black; Word turns them white over dark shading, but a run that is itself shaded or
    highlighted dark is how text is blacked out, and is taken for that.
    """
    size = next((s for s in (_size_of(properties), own.size, style.size) if s is not None), None)
    if size is not None and size <= _TINY:
        return True
    said = "" if properties is None else value_of(properties, "color") or ""
    colour = next(filter(None, (said, own.colour, style.colour)), "auto")
    near = _ground(properties) or own.ground
    ground = near or _ground(None if paragraph is None else paragraph.find(f"{W}pPr")) or style.ground
    if not ground:
        return is_light(colour) and not in_shaded_table
    if colour == "auto":
        return is_dark(near)
    return are_alike(colour, ground)


def _size_of(properties: Node | None) -> int | None:
    return None if properties is None else number_of(properties, "sz")


def _ground(properties: Node | None) -> str:
    """The colour that a highlighter or shading lays behind letters: "rrggbb", "?" for a pattern or a colour of the
    theme, "" for none."""
    if properties is None:
        return ""
    marker = value_of(properties, "highlight")
    if marker in _MARKERS:
        return _MARKERS[marker]
    shading = properties.find(f"{W}shd")
    if shading is None or not _has_colour(shading):
        return ""
    pattern, theme = shading.get(f"{W}val", "clear"), f"{W}themeFill" in shading.attrib
    if pattern == "solid":
        colour = shading.get(f"{W}color", "auto")
        return "000000" if colour == "auto" else colour
    return "?" if theme or pattern not in ("clear", "nil") else shading.get(f"{W}fill", "?")


def _has_colour(shading: Node) -> bool:
    """A pattern or a fill; "auto" is the page's own white."""
    pattern, fill = shading.get(f"{W}val", "clear"), shading.get(f"{W}fill", "auto")
    is_white = fill == "auto" or is_light(fill)
    return f"{W}themeFill" in shading.attrib or pattern not in ("clear", "nil") or not is_white
