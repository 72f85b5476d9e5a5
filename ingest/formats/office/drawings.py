"""What stands in a drawing of an Office file beside text boxes: charts, diagrams, pictures, embedded objects."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from ingest.failures import Damaged
from ingest.formats.office.charts import A, C, chart_blocks, diagram_block
from ingest.formats.office.relations import Parts, R, Relation
from ingest.formats.office.word_numbering import W
from ingest.formats.office.word_tree import MC, alternative_of
from ingest.formats.safe_xml import Node, Package
from ingest.rendition.flow import Block, Grid, note

_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_V = "{urn:schemas-microsoft-com:vml}"
_O = "{urn:schemas-microsoft-com:office:office}"
_CX = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
_DRAWN = (".emf", ".wmf", ".emz", ".wmz", ".svg", ".pict", ".pct", ".wdp")
_TAGS = (f"{C}chart", f"{_CX}chart", f"{_DGM}relIds", f"{A}blip", f"{_V}imagedata", f"{_V}textpath", f"{_O}OLEObject")


def _outside_boxes(node: Node) -> Iterator[Node]:
    """Nodes of the known kinds in order; text boxes are read by themselves, and of alternatives one is shown."""
    pending = [node]
    while pending:
        at = pending.pop()
        if at.tag in _TAGS:
            yield at
        if at.tag == f"{MC}AlternateContent":
            chosen = alternative_of(at)
            pending += [] if chosen is None else [chosen]
        elif at.tag != f"{W}txbxContent":
            pending += reversed(at)


class DrawnThings:
    """Reads what a part's drawings refer to. ``counts`` takes what is to be told: "drawn" for pictures of a kind that
    is not read, "outside" for pictures that do not lie in the file."""

    def __init__(self, package: Package, counts: Counter[str]) -> None:
        self._package = package
        self._counts = counts

    def blocks(self, node: Node, parts: Parts) -> Iterator[Block | Grid]:
        """What is drawn under a node, each thing once, as labelled lines and tables."""
        objects = next(node.iter(f"{_O}OLEObject"), None) is not None
        for found in _outside_boxes(node):
            if found.tag == f"{_O}OLEObject":
                yield note("Embedded object", found.get("ProgID", ""))
            elif found.tag == f"{_V}textpath":
                if found.get("string", "").strip():
                    yield note("Drawn text", " ".join(found.get("string", "").split()))
            elif found.tag in (f"{C}chart", f"{_CX}chart"):
                yield from self._chart(parts.get(found.get(f"{R}id")))
            elif found.tag == f"{_DGM}relIds":
                yield from self._diagram(parts.get(found.get(f"{R}dm")))
            elif not objects:  # the picture of an embedded object only shows what lies in it
                yield from self._picture(found, parts)

    def _part(self, relation: Relation | None) -> Node | None:
        """None, counted, for a part that is not there or cannot be read: the text around it is read all the same."""
        root = None
        if relation is not None and not relation.outside:
            with suppress(Damaged):
                root = self._package.xml(relation.target)
        self._counts["lost"] += root is None
        return root

    def _chart(self, relation: Relation | None) -> Iterator[Block | Grid]:
        root = self._part(relation)
        if root is not None:
            yield from chart_blocks(root)

    def _diagram(self, relation: Relation | None) -> Iterator[Block]:
        root = self._part(relation)
        if root is not None:
            yield diagram_block(root)

    def _picture(self, node: Node, parts: Parts) -> Iterator[Block]:
        key = node.get(f"{R}embed") or node.get(f"{R}link") or node.get(f"{R}id")
        relation = parts.get(key)
        if relation is None:
            return
        if relation.outside:
            self._counts["outside"] += 1
            yield note("Picture", "it does not lie in the file")
            return
        name = relation.target.rpartition("/")[2]
        self._counts["drawn"] += name.lower().endswith(_DRAWN)
        yield note("Picture", name)
