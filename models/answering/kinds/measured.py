"""A line of a financial statement in a period: the one cell whose row and column say so, or nothing.

Everything that the question names must be said by the cell's headers, its table's title or its document's, so that a
segment's, another year's or another company's figure is no answer.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from models.answering.cells import every_cell
from models.answering.claiming import Claims
from models.answering.drafts import ShownPassage, ShownSentence
from models.answering.found import Found
from models.answering.kinds.fact import stated
from models.answering.library import Library, Statement
from models.answering.picking import Picked
from models.answering.query import Query, in_scope
from models.language.concepts import flat
from models.language.kinds import Kind
from models.language.line_items import LineItem, line_item_asked, names_nothing_else
from models.language.periods import Period, asks_otherwise, matching, only_period, only_span, period_of, without_periods
from models.language.wording import stem_set
from verify.domain.document import Table
from verify.numbers import parse_quantity

_PASSAGES = 12
_MOST_CELLS = 2000


class _Place(NamedTuple):
    """A cell of the line that is asked for, its period, and how far its label is from the preferred one."""

    cell: ShownSentence
    period: Period
    label: int


class Measured:
    kind = Kind.FACT

    def find(self, query: Query, library: Library, claims: Claims) -> Found | None:
        asked = line_item_asked(query.flat)
        if asked is None or asks_otherwise(query.flat):
            return None
        item, rest = asked
        period = period_of(query.flat)
        sources = [d.source_id for d in in_scope(query, library.documents)]
        shown = library.ranked(f"{query.asked.text} {item.name.replace('_', ' ')}", sources, _PASSAGES)
        by_handle = {p.handle: p for p in shown}
        found = [
            place
            for places in _tables(item, shown)
            for place in _of_period(period, places)
            if names_nothing_else(without_periods(rest), _named(place.cell, by_handle[place.cell.handle], query))
        ]
        best = min((place.label for place in found), default=None)
        cells = [place.cell for place in found if place.label == best]
        if not cells or len({cell.cell_text for cell in cells}) > 1:
            return None
        return stated(query, library, claims, [_picked(cells[0], by_handle)], self.kind)


def _tables(item: LineItem, shown: Sequence[ShownPassage]) -> Iterator[list[_Place]]:
    """The cells of the line in each table, whichever way the table is turned."""
    leads = {t.parts[0].table.table_id: _lead(t.parts[0].table) for p in shown for t in p.tables}
    tables: dict[tuple[str, str, bool], list[_Place]] = {}
    for sentence in every_cell(shown, _MOST_CELLS):
        cell = sentence.cell
        if cell is None or parse_quantity(sentence.cell_text) is None:
            continue
        for turned, (label, header) in enumerate(
            ((cell.row_path, cell.column_path), (cell.column_path, cell.row_path))
        ):
            when = flat(" ".join(header))
            if not label or not only_period(when):
                continue
            place, period = item.place_in_rows(label[-1]), period_of(f"{leads[cell.table_id]} {when}")
            if place is not None and period is not None:
                key = (sentence.handle, str(cell.table_id), bool(turned))
                tables.setdefault(key, []).append(_Place(sentence, period, place))
    yield from tables.values()


def _lead(table: Table) -> str:
    """What the corner of the table says of its columns: "Three months ended"."""
    corner = " ".join(cell.text for cell in table.cells if cell.is_header and cell.row == 0 and cell.col == 0)
    return flat(corner) if only_span(flat(corner)) else ""


def _of_period(asked: Period | None, places: Sequence[_Place]) -> list[_Place]:
    """Those of the period, each label's own row apart."""
    found = []
    for label in sorted({place.label for place in places}):
        row = [place for place in places if place.label == label]
        found += [row[n] for n in matching(asked, [place.period for place in row])]
    return found


def _named(sentence: ShownSentence, shown: ShownPassage, query: Query) -> frozenset[str]:
    """Stems of all that says whose figure it is."""
    cell = sentence.cell
    said = (*cell.row_path, *cell.column_path, cell.title or "") if cell is not None else ()
    return stem_set((*said, shown.passage.title, shown.about, *shown.passage.heading_path)) | query.names


def _picked(cell: ShownSentence, by_handle: Mapping[str, ShownPassage]) -> Picked:
    shown = by_handle[cell.handle]
    statement = Statement(shown.passage.source_id, shown, cell, flat(cell.text), stem_set((cell.text,)), -1)
    return Picked(statement, 1.0, 1.0, None, True)
