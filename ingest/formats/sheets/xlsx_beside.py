"""What a worksheet shows that is in no cell: text boxes, charts, threads of comments, page heads."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from ingest.failures import Damaged
from ingest.formats.office.charts import A
from ingest.formats.office.drawings import DrawnThings
from ingest.formats.office.relations import Parts, R, main_part
from ingest.formats.safe_xml import Node, Package
from ingest.formats.sheets.model import one_a_line
from ingest.rendition.flow import Block, note
from verify.domain.document import SpanKind

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_XDR = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
_THREADS = "{http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments}"
_PAGE = re.compile(r"(?:page|seite|p\.)?\s*&P(?:\s*(?:of|von|de|/)\s*&N)?", re.IGNORECASE)
_CODES = re.compile(r'&"[^"]*"|&K[0-9A-Fa-f]{6}|&K\d{2}[+-]\d{3}|&\d+|&([A-Za-z&])')
_ENDS = ("oddHeader", "oddFooter", "firstHeader", "firstFooter", "evenHeader", "evenFooter")


class BesideCells:
    """Reads the parts of a workbook beside its cells. ``counts`` takes what is to be told. Raises Damaged."""

    def __init__(self, package: Package, counts: Counter[str]) -> None:
        self._package, self._counts = package, counts
        book = main_part(package, "xl/workbook.xml")
        root, self._parts = package.xml(book), Parts(package, book)
        self._drawn = DrawnThings(package, counts)
        self._targets: dict[str, tuple[str, str, bool]] = {}
        for sheet in () if root is None else root.iter(f"{_MAIN}sheet"):
            relation = self._parts.get(sheet.get(f"{R}id"))
            if relation is not None and not relation.outside:
                shown = sheet.get("state", "visible") == "visible"
                self._targets[sheet.get("name", "")] = (relation.kind, relation.target, shown)

    def chart_sheets(self) -> Iterator[tuple[str, list[Block]]]:
        """Names of shown sheets that hold a chart and no cells, and what the chart says."""
        for name, (kind, _, shown) in self._targets.items():
            if kind == "chartsheet" and shown:
                yield name, list(self.drawings(name))

    def order(self) -> list[str]:
        return list(self._targets)

    def drawings(self, sheet: str) -> Iterator[Block]:
        """A line for each text box and picture, and for each row of a chart's values."""
        _, target, _ = self._targets.get(sheet, ("", "", False))
        for relation in Parts(self._package, target).of_kind("drawing") if target else ():
            root = None
            with suppress(Damaged):
                root = self._package.xml(relation.target)
            if root is None:
                self._counts["lost"] += 1
                continue
            for shape in root.iter(f"{_XDR}txBody"):
                text = " ".join(" ".join("".join(str(t.text or "") for t in p.iter(f"{A}t")) for p in shape).split())
                if text:
                    yield note("Text box", text)
            for block in self._drawn.blocks(root, Parts(self._package, relation.target)):
                yield from one_a_line(block)

    def threads(self, sheet: str) -> dict[str, list[Block]]:
        """Comments and their answers by the cell that they stand on."""
        found: dict[str, list[Block]] = defaultdict(list)
        _, target, _ = self._targets.get(sheet, ("", "", False))
        people = self._people()
        for relation in Parts(self._package, target).of_kind("threadedComment") if target else ():
            root = self._package.xml(relation.target)
            for comment in () if root is None else root.iter(f"{_THREADS}threadedComment"):
                who = people.get(comment.get("personId", ""), "")
                what = "Reply" if comment.get("parentId") else "Comment"
                settled = " (resolved)" if comment.get("done") == "1" else ""
                text = " ".join((comment.findtext(f"{_THREADS}text") or "").split())
                place = comment.get("ref", "")
                label = f"{what} on {place}{settled}{f' by {who}' if who else ''}"
                found[place].append(note(label, text, SpanKind.COMMENT))
        return found

    def _people(self) -> dict[str, str]:
        roots: Iterator[Node | None] = (self._package.xml(r.target) for r in self._parts.of_kind("person"))
        return {
            person.get("id", ""): person.get("displayName", "")
            for root in roots
            if root is not None
            for person in root.iter(f"{_THREADS}person")
        }


def page_heads(source: Any) -> Iterator[Block]:
    """The words of a sheet's page headers and footers, without the marks for pages, dates and names."""
    seen = set()
    for name in _ENDS:
        end = getattr(source, name, None)
        pieces = (getattr(getattr(end, side, None), "text", None) or "" for side in ("left", "center", "right"))
        text = " ".join(
            " ".join(
                _CODES.sub(lambda m: "&" if m[1] == "&" else " ", _PAGE.sub(" ", " ".join(piece.split())))
                for piece in pieces
            ).split()
        )
        if any(map(str.isalpha, text)) and text not in seen:
            seen.add(text)
            yield note("Page header" if name.endswith("Header") else "Page footer", text)
