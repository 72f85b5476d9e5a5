"""Propositions over tables: how many right ones are called supported, and how many wrong ones are not.

First 50 right and 61 wrong ones that a person worded about twelve invented tables (``table_claims.json``): four of the
tables were held out when the rules were made, and four written when they were done. Then the tables of the documents
beside the checkout (``PINCITE_SHARED``), with propositions made from their cells: one right, the others with another
row, another column, another value or another power of ten. The documents are parted in two halves by a digest of their
names.

``python tests/benchmarks/bench_table_support.py [--words-only] [--show]``
"""

import argparse
import hashlib
import json
import os
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from bench_support import read_by_the_product, results  # noqa: E402

from models.triage.support import Documents, NotReadable, SupportItem  # noqa: E402
from verify.domain.document import Cell  # noqa: E402
from verify.meaning import Part  # noqa: E402
from verify.numbers import parse_quantity  # noqa: E402

SHARED = Path(os.environ.get("PINCITE_SHARED", REPO.parent / "shared"))
MOST = 12
"""Cells of one table that propositions are made of."""


class Row(NamedTuple):
    half: str
    kind: str
    item: SupportItem


def write_invented(folder: Path) -> list[Row]:
    """A document for each table; returns the propositions."""
    from docx import Document

    rows = []
    for half, tables in json.loads(Path(__file__).with_name("table_claims.json").read_text("utf-8")).items():
        for index, table in enumerate(tables):
            document, name = Document(), f"{half.replace(' ', '-')} {index}.docx"
            document.add_paragraph(table["before"])
            document.add_paragraph(table["title"])
            grid = document.add_table(len(table["rows"]), len(table["rows"][0]), "Table Grid")
            for r, texts in enumerate(table["rows"]):
                for c, text in enumerate(texts):
                    grid.cell(r, c).text = text
            for kind in ("right", "wrong"):
                rows += [Row(half, kind, SupportItem(f"{half} {kind} {index} {n}", claim, name, (0,)))
                         for n, claim in enumerate(table[kind])]  # fmt: skip
            document.save(str(folder / name))
    return rows


def made(pages: Documents, folder: Path) -> Iterator[Row]:
    """Propositions from the cells of real tables."""
    for path in sorted(folder.glob("*.pdf")):
        read = pages.pages(path.name)
        half = "first half" if hashlib.sha256(path.name.encode()).digest()[0] % 2 else "second half"
        for page in () if isinstance(read, NotReadable) else [page for page in read if not page.doubt]:
            for number, table in enumerate(page.tables):
                for kind, claim in _propositions(table[0]):
                    key = f"{path.name} {page.page_index} {number} {kind} {claim}"
                    yield Row(half, kind, SupportItem(key, claim, path.name, (page.page_index,)))


def _propositions(part: Part) -> Iterator[tuple[str, str]]:
    cells = [c for c in part.table.cells if not c.is_header and _told(c)]
    draw = random.Random(len(cells))
    for cell in draw.sample(cells, min(MOST, len(cells))):
        same_column = [c for c in cells if c.col == cell.col and c.row_path != cell.row_path and c.text != cell.text]
        same_row = [c for c in cells if c.row == cell.row and c.column_path != cell.column_path and c.text != cell.text]
        yield "right", _said(cell, cell.text)
        if same_column:
            yield "other row", _said(cell, draw.choice(same_column).text)
        if same_row:
            yield "other column", _said(cell, draw.choice(same_row).text)
        yield "other value", _said(cell, _other_digit(cell.text))
        yield "power of ten", _said(cell, f"{cell.text.strip()} million")


def _told(cell: Cell) -> bool:
    quantity = parse_quantity(cell.text)
    named = all(path and 0 < len(" ".join(path)) < 60 for path in (cell.row_path, cell.column_path))
    return quantity is not None and quantity.value > 9 and cell.text.strip().replace(",", "").isdigit() and named


def _said(cell: Cell, value: str) -> str:
    row, column = (" ".join(" ".join(path).split()) for path in (cell.row_path, cell.column_path))
    return f"For {row}, the table gives {value.strip()} under {column}."


def _other_digit(text: str) -> str:
    digit = next(n for n, c in enumerate(text) if c.isdigit())
    return text[:digit] + str(int(text[digit]) % 9 + 1) + text[digit + 1 :]


def report(rows: Sequence[Row], labels: Sequence[str]) -> None:
    print(f"{'':14}{'':14}   n   supported   contradicted")
    for half in sorted({row.half for row in rows}):
        for kind in sorted({row.kind for row in rows}):
            of = [label for row, label in zip(rows, labels, strict=True) if (row.half, row.kind) == (half, kind)]
            if of:
                shares = (of.count(label) / len(of) for label in ("supported", "contradicted"))
                print(f"{half:14}{kind:14}{len(of):4}" + "".join(f"{share:12.0%}" for share in shares))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--words-only", action="store_true", help="without the encoder")
    parser.add_argument("--show", action="store_true", help="print what was judged wrongly")
    options = parser.parse_args()
    encoder: Any = None
    if not options.words_only:
        from models.adapters.embeddings import MiniLmEmbedder

        encoder = MiniLmEmbedder()
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as place:
        measure(write_invented(Path(place)), Path(place), encoder, show=options.show)
    measure(None, SHARED / "corpus" / "tables", encoder, show=options.show)


def measure(rows: list[Row] | None, folder: Path, encoder: Any, *, show: bool) -> None:
    with read_by_the_product(folder) as pages:
        rows = list(made(pages, folder)) if rows is None else rows
        found = results([row.item for row in rows], pages, encoder)
    report(rows, [result.label.value for result in found])
    for row, result in zip(rows, found, strict=True):
        if show and (row.kind == "right") != (result.label.value == "supported"):
            against = {name: score for name, score in result.signals if score < 500}
            print(f"  {row.half}, {row.kind}: {row.item.claim_text} {result.score} {against}")


if __name__ == "__main__":
    main()
