"""The tables of one sheet: rows that belong together, and the title that stands over their header.

Empty rows part tables only where the rows after them begin anew: with a header of words or years over values. Accounts
are full of empty rows that part nothing, and what follows these still stands under the first header.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

_VALUE = re.compile(r"[(\-–−+]?\s*+(?:[A-Z]{3}|[$€£¥])?[.,\s']*+\d[\d.,\s']*+(?:[%)]|\s?[A-Z]{3}|\s?[$€£¥])*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_MOST_TITLE_ROWS, _MOST_TITLE_WORDS = 4, 25
"""As far as a title reaches over a table of a PDF (``tables_notes``)."""

Texts = Mapping[int, str]
"""The text of each written cell of a row by its column."""


class TableRows(NamedTuple):
    """``rows`` are the sheet's written rows, from 0. ``title`` is what the rows of one cell over the header say."""

    rows: Sequence[int]
    title: str | None


def table_blocks(texts: Mapping[int, Texts]) -> Iterator[TableRows]:
    """``texts`` by row. Every row comes in one block."""
    held: list[int] = []
    for run in _runs_of_rows(sorted(texts)):
        if _is_table([texts[row] for row in held]) and _begins([texts[row] for row in run]):
            yield TableRows(held, _title([texts[row] for row in held]))
            held = []
        held = held + run
    if held:
        yield TableRows(held, _title([texts[row] for row in held]))


def _runs_of_rows(rows: Sequence[int]) -> Iterator[list[int]]:
    """Rows without an empty one between them."""
    run: list[int] = []
    for row in rows:
        if run and row > run[-1] + 1:
            yield run
            run = []
        run.append(row)
    if run:
        yield run


def _is_table(rows: Sequence[Texts]) -> bool:
    return sum(len(row) > 1 for row in rows) > 1


def _begins(rows: Sequence[Texts]) -> bool:
    """Whether a table begins here: after up to four rows of one cell a header that names values below it."""
    at = _title_rows(rows)
    if len(rows) < at + 2 or not _is_header(rows[at]):
        return False
    return any(column in rows[at + 1] and _is_plain_value(rows[at + 1][column]) for column in rows[at])


def _is_header(row: Texts) -> bool:
    return len(row) > 1 and not any(map(_is_plain_value, row.values()))


def _is_plain_value(text: str) -> bool:
    return _VALUE.fullmatch(text.strip()) is not None and _YEAR.fullmatch(text.strip()) is None


def _title_rows(rows: Sequence[Texts]) -> int:
    """How many rows of one cell, at the left, stand over the first row of several. A single cell further to the right
    is a header over some of the columns."""
    left = min((column for row in rows for column in row), default=0)
    count = next((n for n, row in enumerate(rows) if len(row) > 1 or left not in row), 0)
    return count if count <= _MOST_TITLE_ROWS else 0


def _title(rows: Sequence[Texts]) -> str | None:
    """The rows of one cell over a header; None where there are none or they are prose."""
    count = _title_rows(rows)
    words = [" ".join(text.split()) for row in rows[:count] for text in row.values()]
    head = next((row for row in rows[count:] if len(row) > 1), {})
    if not words or not _is_header(head) or any(len(text.split()) > _MOST_TITLE_WORDS for text in words):
        return None
    return " ".join(words)
