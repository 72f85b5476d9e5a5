"""Where a cited table cell stands, in words: a value alone says nothing of its row and column."""

from collections.abc import Sequence

from verify.domain.claim import CitedCell

LONGEST_NAME = 80
"""Characters of a header or title; what is longer is a paragraph that a reader took for one."""


def cell_place(cell: CitedCell) -> str:
    """``table “Rents (in EUR)”, row “Oslo › Offices”, column “2024”, cell Rents!C4``; what there is of it."""
    named = (("table", (cell.title or "",)), ("row", cell.row_path), ("column", cell.column_path))
    words = [f"{what} “{name}”" for what, path in named if (name := _name(path))]
    return ", ".join([*words, *([f"cell {cell.address}"] if cell.address else [])])


def _name(path: Sequence[str]) -> str:
    parts = (" ".join(part.split()) for part in path)
    return " › ".join(
        part if len(part) <= LONGEST_NAME else part[:LONGEST_NAME].rstrip() + "…" for part in parts if part
    )
