"""Charts and diagrams of Office files: the words and values that they are drawn from, as saved with the file."""

from collections.abc import Iterator

from ingest.formats.safe_xml import Node
from ingest.rendition.flow import Block, BlockKind, Grid, GridCell, Run, note

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_MOST_POINTS, _MOST_SERIES = 500, 60


def chart_blocks(root: Node) -> Iterator[Block | Grid]:
    """A chart's titles as a labelled note and its values as a table: a row a category, a column a series.

    A chart of another kind than is known (``cx``) gives its words only.
    """
    chart = root.find(f"{C}chart")
    titles = [_words(node) for node in root.iter(f"{C}title")]
    if chart is None:
        titles = [text for node in root.iter(f"{A}p") if (text := _words(node))]
    yield note("Chart", "; ".join(filter(None, titles)))
    series = [_series(node) for node in root.iter(f"{C}ser")][:_MOST_SERIES]
    if any(values for _, _, values in series):
        yield _grid(series)


def diagram_block(root: Node) -> Block:
    """The words of a diagram (SmartArt) in the order in which its data lists them."""
    texts = (" ".join(_words(p) for p in point.iter(f"{A}p")).strip() for point in root.iter(f"{_DGM}pt"))
    return note("Diagram", "; ".join(filter(None, texts)))


def _words(node: Node) -> str:
    texts = (str(t.text or "") for t in node.iter(f"{A}t", f"{C}v"))
    return " ".join("".join(texts).split())


_Series = tuple[str, dict[int, str], dict[int, str]]


def _series(node: Node) -> _Series:
    """Name, categories by index, values by index."""
    name = node.find(f"{C}tx")
    categories = node.find(f"{C}cat")
    categories = node.find(f"{C}xVal") if categories is None else categories
    values = node.find(f"{C}val")
    values = node.find(f"{C}yVal") if values is None else values
    return "" if name is None else _words(name), _points(categories), _points(values)


def _points(node: Node | None) -> dict[int, str]:
    found: dict[int, str] = {}
    if node is None:
        return found
    levels = list(node.iter(f"{C}lvl")) or [node]
    for level in reversed(levels):  # the outermost level of grouped categories comes last
        for point in level.iter(f"{C}pt"):
            index = point.get("idx", "")
            if index.isdecimal() and len(index) < 6 and len(found) < _MOST_POINTS:
                text = (point.findtext(f"{C}v") or "").strip()
                found[int(index)] = f"{found[int(index)]} {text}" if int(index) in found else text
    return found


def _grid(series: list[_Series]) -> Grid:
    indexes = sorted({index for _, _, values in series for index in values})
    named = next((categories for _, categories, _ in series if categories), {})
    head = ("", *(name for name, _, _ in series))
    rows = [head, *((named.get(i, ""), *(values.get(i, "") for _, _, values in series)) for i in indexes)]
    return Grid(tuple(tuple(_cell(text, header=n == 0) for text in row) for n, row in enumerate(rows)))


def _cell(text: str, *, header: bool) -> GridCell:
    return GridCell((Block(BlockKind.PARAGRAPH, (Run(text),)),) if text else (), header=header)
