"""What stands in frames and shapes of an OpenDocument file: text boxes, tables, charts, formulas, pictures."""

import posixpath
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress

from ingest.failures import Damaged
from ingest.formats.safe_xml import Node, Package
from ingest.rendition.flow import LEFT_OUT, Block, Grid, note

_URN = "{urn:oasis:names:tc:opendocument:xmlns:"
DRAW, _TEXT, _TABLE, _OFFICE, _CHART = (f"{_URN}{n}:1.0}}" for n in ("drawing", "text", "table", "office", "chart"))
_XLINK = "{http://www.w3.org/1999/xlink}"
_MATH = "{http://www.w3.org/1998/Math/MathML}"
_DEPTH = 60
_DRAWN = (".emf", ".wmf", ".svg", ".svm")
Blocks = Callable[[Node, int], Iterator[Block | Grid]]


class Drawn:
    """``blocks`` reads paragraphs, lists and tables. ``counts`` takes "drawn" and "outside" for pictures that are not
    read, "lost" for objects that cannot be."""

    def __init__(self, package: Package, blocks: Blocks, counts: Counter[str]) -> None:
        self._package, self._blocks, self._counts = package, blocks, counts

    def read(self, node: Node, depth: int) -> Iterator[Block | Grid]:
        """What a frame or shape shows; groups in groups are followed as deep as text is."""
        if depth > _DEPTH:
            yield LEFT_OUT
        elif node.tag == f"{DRAW}frame":
            yield from self._frame(node, depth)
        elif node.tag in (f"{DRAW}g", f"{DRAW}a"):
            for child in node:
                if isinstance(child.tag, str) and child.tag.startswith(DRAW):
                    yield from self.read(child, depth + 1)
        else:
            yield from self._blocks(node, depth + 1)  # a shape with words in it

    def _frame(self, frame: Node, depth: int) -> Iterator[Block | Grid]:
        """Of several forms of one content the first is shown: an object goes before its picture."""
        for child in frame:
            tag = child.tag
            if tag in (f"{DRAW}text-box", f"{DRAW}image", f"{DRAW}object", f"{DRAW}object-ole", f"{_TABLE}table"):
                yield from self._content(child, depth)
                return
            if tag in (f"{DRAW}plugin", f"{DRAW}applet", f"{DRAW}floating-frame"):
                self._counts["outside"] += 1
                yield note("Frame", "it does not lie in the file")
                return

    def _content(self, node: Node, depth: int) -> Iterator[Block | Grid]:
        address = node.get(f"{_XLINK}href", "")
        if node.tag == f"{DRAW}text-box":
            yield from self._blocks(node, depth + 1)
        elif node.tag == f"{_TABLE}table":
            holder = node.getparent()
            if holder is not None:
                yield from self._blocks(holder, depth + 1)
        elif node.tag == f"{DRAW}image":
            yield self._picture(address)
        elif node.tag == f"{DRAW}object-ole":
            yield note("Embedded object", posixpath.basename(address))
        else:
            yield from self._object(node, address, depth)

    def _picture(self, address: str) -> Block:
        name = posixpath.basename(address)
        if "://" in address or address.startswith(".."):
            self._counts["outside"] += 1
            return note("Picture", "it does not lie in the file")
        self._counts["drawn"] += name.lower().endswith(_DRAWN)
        return note("Picture", name)

    def _object(self, node: Node, address: str, depth: int) -> Iterator[Block | Grid]:
        """A document of its own in a folder of the file, or in the element itself."""
        root = next(iter(node), None)
        if address and "://" not in address:
            root = None
            with suppress(Damaged):  # the text around it is read all the same
                root = self._package.xml(posixpath.normpath(address).lstrip("/") + "/content.xml")
        if root is None:
            self._counts["lost"] += 1
            yield note("Embedded object", "")
        elif root.tag == f"{_MATH}math":
            yield note("Formula", _formula(root))
        elif root.find(f".//{_CHART}chart") is not None:
            yield from self._chart(root, depth)
        else:
            body = root.find(f"{_OFFICE}body")
            for content in () if body is None else body:
                yield from self._blocks(content, depth + 1)

    def _chart(self, root: Node, depth: int) -> Iterator[Block | Grid]:
        titles = (
            " ".join("".join(map(str, t.itertext())).split()) for t in root.iter(f"{_CHART}title", f"{_CHART}subtitle")
        )
        yield note("Chart", "; ".join(filter(None, titles)))
        chart = root.find(f".//{_CHART}chart")
        if chart is not None:
            yield from self._blocks(chart, depth + 1)


def _formula(root: Node) -> str:
    """As it was typed, where that is kept; else its signs in order."""
    typed = root.find(f".//{_MATH}annotation")
    if typed is not None and (typed.text or "").strip():
        return " ".join(str(typed.text).split())
    return " ".join(" ".join(map(str, root.itertext())).split())
