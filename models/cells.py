"""A question that a table answers: the cells whose headers it names, each as a statement with unit and scale.

A cell says nothing without its headers, so it is quoted with them and proved by its place, not as words in a run.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from models.drafts import ShownPassage, ShownSentence, ShownTable
from models.questions import Question
from models.wording import stem_set
from verify.currencies import CODES
from verify.domain.document import Cell
from verify.tables import cited_cell

CELLS = 3
"""More that fit equally well are no answer, but a part of the table."""
NAMED = 0.5
"""Share of the question's content words that headers and title must name."""
_SCALES = {10**3: "thousands", 10**6: "millions", 10**9: "billions"}
_COUNTED = re.compile(
    r"\b(?:employees|headcount|staff|personnel|persons|people|customers|subscribers|members|stores|sites|number of|"
    r"count|shares|units|days|weeks|months|hours|ratio)\b", re.I
)  # fmt: skip
"""What is counted rather than paid: of a table "in thousands of USD" the row of employees is neither. Its text alone is
cited."""
_ASKING = stem_set(("much many long soon often",))
_OF = re.compile(r"\s(?:of|from|for|on|in|per)\s", re.I)
_YEAR = re.compile(r"(?:19|20)\d\d")


class _Fit(NamedTuple):
    """``named`` words of the question stand in the cell's headers, ``other`` words of the headers are not in it."""

    named: int
    other: int
    shown: ShownPassage
    part: int
    table: ShownTable
    cell: Cell


def cell_sentences(asked: Question, passages: Sequence[ShownPassage]) -> tuple[ShownSentence, ...]:
    """The cells that the question names by row and column, none where more than ``CELLS`` fit equally well. Their
    ids are ``{handle}.c{n}``, n from 1."""
    fits = list(_fits(asked, passages))
    if not fits:
        return ()
    best = max((fit.named, -fit.other) for fit in fits)
    chosen = [fit for fit in fits if (fit.named, -fit.other) == best]
    if len(chosen) > CELLS:
        return ()
    return tuple(_sentence(fit, number) for number, fit in enumerate(chosen, 1))


def without_their_tables(
    sentences: Sequence[ShownSentence], cells: Sequence[ShownSentence], passages: Sequence[ShownPassage]
) -> tuple[ShownSentence, ...]:
    """The sentences, but for the run of words of a table that a cell is taken from."""
    parts = {p.handle: p.passage.parts for p in passages}
    tables = {(parts[c.handle][c.first_part].page_index, parts[c.handle][c.first_part].element_id) for c in cells}
    return tuple(
        s
        for s in sentences
        if (parts[s.handle][s.first_part].page_index, parts[s.handle][s.first_part].element_id) not in tables
    )


def _fits(asked: Question, passages: Sequence[ShownPassage]) -> Iterator[_Fit]:
    wanted = (frozenset(asked.terms) | asked.explained & stem_set((asked.text,))) - _ASKING
    seen = set()
    for shown in passages:
        for table in shown.tables:
            own = (shown.passage.source_id, table.parts[0].table.table_id)
            if own not in seen:
                seen.add(own)
                yield from _fits_in(wanted, shown, table)


def _fits_in(wanted: frozenset[str], shown: ShownPassage, table: ShownTable) -> Iterator[_Fit]:
    page, grid = table.parts[0].page, table.parts[0].table
    part = next(
        (i for i, p in enumerate(shown.passage.parts) if (p.page_index, p.element_id) == (page.index, grid.element_id)),
        None,
    )
    if part is None:
        return
    labels = {
        text for cell in grid.cells if cell.is_header for text in cell.column_path
    }  # "Office" over Leeds and Oslo
    around = _words((shown.passage.title, *shown.passage.heading_path, grid.title or "", shown.about, *labels))
    values = [cell for cell in grid.cells if not cell.is_header and any(map(str.isalnum, cell.text))]
    one_column = len({cell.col for cell in values}) == 1
    for cell in values:
        row, column = _words(cell.row_path), _words(cell.column_path)
        named = wanted & (row | column)
        by_both = wanted & row and (one_column or wanted & column - row)
        if by_both and len(named | wanted & around) >= NAMED * len(wanted):
            other = len((row | column) - wanted) + (not wanted & _words(map(_head, cell.row_path)))
            yield _Fit(len(named), other, shown, part, table, cell)


def _head(header: str) -> str:
    """What a row is about: "Cost of revenue" is a cost."""
    return _OF.split(header, maxsplit=1)[0]


def _words(texts: Iterable[str]) -> frozenset[str]:
    """Stems, and years that are part of a longer word ("FY2023")."""
    texts = tuple(texts)
    return stem_set(texts) | frozenset(year for text in texts for year in _YEAR.findall(text))


def _sentence(fit: _Fit, number: int) -> ShownSentence:
    cited = cited_cell(fit.cell, fit.table.parts)
    if cited.unit in CODES and any(map(_COUNTED.search, fit.cell.row_path)):
        cited = replace(cited, value=None, unit=None, scale=None)
    headers = ", ".join(" ".join(text.split()) for text in (*fit.cell.row_path, *fit.cell.column_path) if text.strip())
    shown = " ".join(fit.cell.text.split())
    meaning = _meaning(cited.unit, cited.scale, f"{headers} {shown}")
    place = fit.shown.passage.parts[fit.part]
    return ShownSentence(
        f"{fit.shown.handle}.c{number}", fit.shown.handle, f"{headers}: {shown}{meaning}",
        place.at, place.at + place.end - place.start, fit.part, fit.part, cited, fit.cell.text,
    )  # fmt: skip


def _meaning(unit: str | None, scale: int | None, shown: str) -> str:
    """ " (in thousands of USD)"; only what the cell and its headers do not show."""
    unit = None if unit is None or re.search(rf"(?<![^\W\d]){re.escape(unit)}(?![^\W\d])", shown) else unit
    many = _SCALES.get(scale or 1)
    if many and any(word in shown.lower() for word in (many, many[:-1])):
        many = None
    if many:
        return f" (in {many} of {unit})" if unit else f" (in {many})"
    return f" ({unit})" if unit else ""
