"""Whether a statement about a table says what stands in the cell that it names by row and column.

Each value of a statement is tied to a row and a column that it names; how it is tied ("from 5 in 2022 to 6 in 2023",
"in 2022 5 and in 2023 6", "5 and 6 in 2022 and 2023") is left open: one way in which all agree is enough.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import product
from typing import NamedTuple

from models.language.values import Value, ValueKind, values
from models.triage.cell_values import comparable, states
from models.triage.table_mentions import Mention, named, tokens
from verify.domain.document import Cell
from verify.meaning import Part
from verify.sentences import sentences

Table = tuple[Part, ...]
"""A table's part on its page, then the parts that it continues, nearest first."""


class Outcome(StrEnum):
    """What tables say of a statement: nothing; that they bear it out; that its value stands in the table, but not where
    the statement can be seen to have it; that the cell which it names says otherwise."""

    SILENT = "silent"
    AGREES = "agrees"
    ELSEWHERE = "elsewhere"
    DIFFERS = "differs"


class TableReading(NamedTuple):
    """``borne_out`` are the values of the statement, by their offsets in it, that a cell which it names states."""

    outcome: Outcome
    borne_out: frozenset[tuple[int, int]]


_SILENT = TableReading(Outcome.SILENT, frozenset())
_BEST = (Outcome.AGREES, Outcome.DIFFERS, Outcome.ELSEWHERE)
_WORST = (Outcome.DIFFERS, Outcome.ELSEWHERE, Outcome.AGREES, Outcome.SILENT)
_RECKONED = re.compile(
    r"\b(?:differences?|change[ds]?|(?:in|de)creases? of|together|combined|sum|average|times|ratio|growth)\b", re.I
)
_BY = re.compile(r"\bby\s+(?:\w+\s+)?(?:[A-Z]{3}\s?|[$€£¥]\s?)?$")
"""Where a value may be made of several cells."""


def read_tables(claim: str, tables: Sequence[Table], prose: str) -> TableReading:
    """``prose`` is what the pages say beside their tables: a value that it states is no cell's.

    Where several tables speak of a sentence, one that bears it out is enough; of several sentences the worst counts.
    """
    if not tables:
        return _SILENT
    stated, grids = values(prose), [_Grid(table) for table in tables]
    outcomes: list[Outcome] = []
    borne_out: set[tuple[int, int]] = set()
    for start, end in sentences(claim):
        sentence = _Sentence(claim[start:end], stated)
        speaking = [r for grid in grids if (r := grid.read(sentence)).outcome is not Outcome.SILENT]
        if speaking:
            best = min(speaking, key=lambda reading: _BEST.index(reading.outcome))
            outcomes.append(best.outcome)
            borne_out |= {(start + a, start + b) for a, b in best.borne_out}
    return TableReading(min(outcomes, key=_WORST.index, default=Outcome.SILENT), frozenset(borne_out))


class _Sentence:
    """One sentence of a statement. ``own`` are its values that the pages' prose does not state."""

    def __init__(self, text: str, prose: Sequence[Value]) -> None:
        self.text = text
        self.said = tokens(text)
        self.values = values(text)
        self.own = frozenset(
            v
            for v in self.values
            if not any(v.covers(other) for other in prose if other.kind in (v.kind, ValueKind.DATE))
        )

    def reckons(self, value: Value) -> bool:
        """True where the value may be made of several cells ("rose by 5")."""
        by = value.kind is not ValueKind.DATE and _BY.search(self.text[: value.start])
        return bool(by or _RECKONED.search(self.text))

    def places_in(self, value: Value) -> set[tuple[int, int]]:
        """Of the words that a value is written with. A value all of whose words name a row or column is a name."""
        return {(t.start, t.end) for t in self.said if value.start <= t.start and t.end <= value.end}


class _Place(NamedTuple):
    """Where a value may belong, with the cells there that hold something of its kind."""

    row: Mention
    column: Mention
    cells: tuple[Cell, ...]

    @property
    def firm(self) -> bool:
        return self.row.firm and self.column.firm


class _Grid:
    """A table's cells by row and column, without headers and empty ones."""

    def __init__(self, table: Table) -> None:
        self._parts = table
        cells = [c for c in table[0].table.cells if not c.is_header and any(map(str.isalnum, c.text))]
        self._cells = {(c.row, c.col): c for c in cells}
        self._rows = {c.row: " ".join(c.row_path) for c in cells}
        self._columns = {c.col: " ".join(c.column_path) for c in cells}

    def read(self, sentence: _Sentence) -> TableReading:
        rows, columns = _apart(named(self._rows, sentence.said), named(self._columns, sentence.said))
        naming = {span for mention in (*rows, *columns) if mention.firm for span in mention.at}
        wanted = [v for v in sentence.values if not sentence.places_in(v) <= naming]
        if not rows:
            return self._without_row(sentence, wanted) if any(self._rows.values()) else _SILENT
        if not wanted:
            return self._in_words(sentence, rows, columns, naming)
        places = {value: self._places(sentence, value, rows, columns) for value in wanted}
        held = max((self._held(sentence, chosen) for chosen in _ways(places)), key=len)
        missing = [v for v in wanted if places[v] and v not in held and v in sentence.own and not sentence.reckons(v)]
        spans = frozenset((v.start, v.end) for v in held)
        if missing:
            firm = any(place.firm for value in missing for place in places[value])
            return TableReading(Outcome.DIFFERS if firm else Outcome.ELSEWHERE, spans)
        return TableReading(Outcome.AGREES, spans) if held else _SILENT

    def _places(
        self, sentence: _Sentence, value: Value, rows: Sequence[Mention], columns: Sequence[Mention]
    ) -> list[_Place]:
        """Where the value may belong: named rows and columns whose cells hold something of its kind; all columns that
        do where none of them is named or there is but one. Places that are named beyond doubt stand alone."""
        of_kind = [
            self._place(sentence, value, row, Mention(frozenset(self._columns), ((0, 0),), True)) for row in rows
        ]
        of_kind = [place for place in of_kind if place.cells]
        named_too = [self._place(sentence, value, row, column) for row in rows for column in columns]
        found = [place for place in named_too if place.cells] or of_kind
        if all(len({cell.col for cell in place.cells}) == 1 for place in of_kind):
            found = of_kind
        return [place for place in found if place.firm] or found

    def _place(self, sentence: _Sentence, value: Value, row: Mention, column: Mention) -> _Place:
        at = (self._cells[r, c] for r in row.keys for c in column.keys if (r, c) in self._cells)
        cells = tuple(cell for cell in at if comparable(cell, self._parts, value, sentence.text))
        return _Place(row, column, cells)

    def _held(self, sentence: _Sentence, chosen: Mapping[Value, _Place]) -> frozenset[Value]:
        return frozenset(
            value
            for value, place in chosen.items()
            if any(states(cell, self._parts, value, sentence.text) for cell in place.cells)
        )

    def _without_row(self, sentence: _Sentence, wanted: Sequence[Value]) -> TableReading:
        """A value that only the table states, in a row that the statement does not name."""
        own = [value for value in wanted if value in sentence.own]
        found = any(
            comparable(cell, self._parts, value, sentence.text) and states(cell, self._parts, value, sentence.text)
            for value in own
            for cell in self._cells.values()
        )
        return TableReading(Outcome.ELSEWHERE, frozenset()) if found else _SILENT

    def _in_words(
        self, sentence: _Sentence, rows: Sequence[Mention], columns: Sequence[Mention], naming: set[tuple[int, int]]
    ) -> TableReading:
        """A named cell in words: the statement has all of them, or in their place those of another cell of the
        column. ``naming`` are the offsets of words that name rows and columns."""
        left = {token.word for token in sentence.said if (token.start, token.end) not in naming}
        outcomes = [Outcome.SILENT]
        for row, column in product(rows, columns):
            said = {words for c in column.keys for r, words in self._worded(c) if r in row.keys}
            if any(words <= left for words in said):
                return TableReading(Outcome.AGREES, frozenset())
            if said and any(words <= left for c in column.keys for _, words in self._worded(c)):
                outcomes.append(Outcome.DIFFERS if row.firm and column.firm else Outcome.ELSEWHERE)
        return TableReading(min(outcomes, key=_WORST.index), frozenset())

    def _worded(self, column: int) -> Iterator[tuple[int, frozenset[str]]]:
        """Row and words of the column's cells that are no number."""
        for (row, col), cell in self._cells.items():
            words = frozenset(token.word for token in tokens(cell.text))
            if col == column and words and not values(cell.text):
                yield row, words


def _apart(rows: list[Mention], columns: list[Mention]) -> tuple[list[Mention], list[Mention]]:
    """A word that could name a row as well as a column names the one that has no other name."""
    of_rows, of_columns = ({span for m in mentions for span in m.at} for mentions in (rows, columns))
    own_rows = [m for m in rows if not set(m.at) <= of_columns]
    own_columns = [m for m in columns if not set(m.at) <= of_rows]
    if own_rows:
        return own_rows, columns
    return rows, own_columns


def _ways(places: Mapping[Value, Sequence[_Place]]) -> Iterator[dict[Value, _Place]]:
    """For each value one place: by the row and the column that are named next before it, next after it, in order."""
    told = {value: among for value, among in places.items() if among}
    for by_row, by_column in product((_before, _after, _ordered), repeat=2):
        chosen = {}
        for number, (value, among) in enumerate(told.items()):
            row = by_row(value, number, len(told), sorted({p.row for p in among}, key=lambda m: m.start))
            column = by_column(value, number, len(told), sorted({p.column for p in among}, key=lambda m: m.start))
            place = next((p for p in among if (p.row, p.column) == (row, column)), None)
            if place is not None:
                chosen[value] = place
        yield chosen


def _before(value: Value, number: int, count: int, mentions: Sequence[Mention]) -> Mention | None:
    return next((m for m in reversed(mentions) if m.start < value.start), mentions[0])


def _after(value: Value, number: int, count: int, mentions: Sequence[Mention]) -> Mention | None:
    return next((m for m in mentions if m.start >= value.end), mentions[-1])


def _ordered(value: Value, number: int, count: int, mentions: Sequence[Mention]) -> Mention | None:
    return mentions[number] if len(mentions) == count else None
