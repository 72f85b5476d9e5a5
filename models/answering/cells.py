"""A question that a table answers: the cells whose headers it names, each as a statement with unit and scale.

A cell says nothing without its headers, so it is quoted with them and proved by its place, not as words in a run.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from models.answering.drafts import ShownPassage, ShownSentence, ShownTable
from models.language.questions import Question
from models.language.values import ValueKind
from models.language.wording import rarity, stem, stem_set, words
from verify.currencies import CODES
from verify.domain.claim import CitedCell
from verify.domain.document import Cell
from verify.meaning import cited_cell
from verify.numbers import parse_quantity

CELLS = 3
"""More that fit equally well are no answer, but a part of the table."""
NAMED = 0.65
"""Share of the question's content words that headers and title must name, each by its rarity: of "How many holidays did
Ms. Quaye take in February?" a table of overtime names the employee and the month, and answers another question."""
RARE = 3.0
"""From which rarity on words count alike, and names and years count no more than "holidays"."""
_SCALES = {10**3: "thousands", 10**6: "millions", 10**9: "billions"}
_COUNTED = re.compile(
    r"\b(?:employees|headcount|staff|personnel|persons|people|customers|subscribers|members|stores|sites|number of|"
    r"count|shares|units|days|weeks|months|hours|ratio|guests|visitors|attendees|participants|patients|students|"
    r"users|quantity|qty|pieces|copies|tickets|nights|miles)\b", re.I
)  # fmt: skip
"""What is counted rather than paid: of a table "in thousands of USD" the row of employees is neither. Its text alone is
cited."""
_PRICED = re.compile(r"\b(?:price|cost|fee|charge|rate|rent|amount|value|pay|wage|salary|revenue|expense)\w*\b", re.I)
"""What is paid for what is counted: "Cost of staff", "Price per 100 units"."""
_NUMBERED = re.compile(r"(?<![\w.,/:§-])(?<!§ )\d(?![\w/:-]|[.,]\d)")
"""A digit by itself, as rows are numbered: "Year 3", "Lot 2"."""
_ASKING = stem_set(("much many long soon often amount figure value number sum total kind type",))
_AFTER = r"(?:is|are|was|were|did|does|do|has|have|had|in|at|on|for)\b"
_COUNTS = re.compile(
    rf"\b(?:how (?:many|much)|what|which) ((?:(?!{_AFTER}|(?:of|the|a|will|would)\b)[\w’'-]+ ){{1,3}})(?={_AFTER})"
)
"""What a question counts or asks the amount of, before its verb."""
_OF = re.compile(r"\s(?:of|from|for|on|in|per)\s", re.I)
_NUMBERS = frozenset({ValueKind.AMOUNT, ValueKind.PERCENT, ValueKind.NUMBER})
_SIGNS = {"EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹"}
"""Signs that name one currency, as "$" does not."""
_SAME = {
    "daili": ("day",), "annual": ("year",), "q1": ("first", "quarter"), "q2": ("second", "quarter"),
    "q3": ("third", "quarter"), "q4": ("fourth", "quarter"), "1st": ("first",), "2nd": ("second",), "3rd": ("third",),
    "4th": ("fourth",),
}  # fmt: skip
_YEAR = re.compile(r"(?:19|20)\d\d")


class _Fit(NamedTuple):
    """``named`` words of the question stand in the cell's headers, and so many ``generic`` ones ("amount") in that of
    its column; ``other`` words of the headers are not in it.
    ``of_kind`` tells that it holds a number where one is asked for, ``beside`` is another cell of its row, by which the
    question names it."""

    named: frozenset[str]
    generic: int
    other: int
    of_kind: bool
    shown: ShownPassage
    part: int
    table: ShownTable
    cell: Cell
    beside: Cell | None


def cell_sentences(asked: Question, passages: Sequence[ShownPassage]) -> tuple[ShownSentence, ...]:
    """The cells that the question names by row and column, none where more than ``CELLS`` fit equally well. Their
    ids are ``{handle}.c{n}``, n from 1."""
    fits = list(_fits(asked, passages))
    if not fits:
        return ()
    chosen = _best(fits)
    named = frozenset[str]().union(*(fit.named for fit in chosen))
    others = [fit for fit in fits if fit.named - named]
    if others and len(chosen) == 1:  # two rows or columns are asked for, and one of them is named by more words
        chosen += _best(others)
    if len(chosen) > CELLS:
        return ()
    return tuple(_sentence(fit, number) for number, fit in enumerate(chosen, 1))


def every_cell(passages: Sequence[ShownPassage], limit: int = 400) -> tuple[ShownSentence, ...]:
    """Each cell of the passages' tables that has a header, with its headers, as ``cell_sentences`` makes them."""
    found: list[ShownSentence] = []
    seen = set()
    for shown in passages:
        for table in shown.tables:
            page, grid = table.parts[0].page, table.parts[0].table
            own = (shown.passage.source_id, grid.table_id)
            part = next(
                (i for i, p in enumerate(shown.passage.parts) if (p.page_index, p.element_id) == (page.index, grid.element_id)),  # noqa: E501
                None,
            )  # fmt: skip
            if own in seen or part is None:
                continue
            seen.add(own)
            for cell in grid.cells:
                headed = any(map(str.strip, cell.row_path)) or any(map(str.strip, cell.column_path))
                if not cell.is_header and headed and any(map(str.isalnum, cell.text)) and len(found) < limit:
                    fit = _Fit(frozenset(), 0, 0, False, shown, part, table, cell, None)
                    found.append(_sentence(fit, len(found) + 1000))
    return tuple(found)


def _best(fits: Sequence[_Fit]) -> list[_Fit]:
    best = max(map(_order, fits))
    return [fit for fit in fits if _order(fit) == best]


def _order(fit: _Fit) -> tuple[int, bool, int, int]:
    return len(fit.named), fit.of_kind, fit.generic, -fit.other


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
    content = [word for word in words(asked.text) if stem(word) in asked.terms or stem(word) in asked.explained]
    content += _NUMBERED.findall(asked.text)
    weights = {stem(word): min(rarity(word), RARE) for word in content if stem(word) not in _ASKING}
    counted = " ".join(match[1] for match in _COUNTS.finditer(asked.text.lower()))
    seen = set()
    for shown in passages:
        for table in shown.tables:
            own = (shown.passage.source_id, table.parts[0].table.table_id)
            if own not in seen:
                seen.add(own)
                yield from _fits_in(asked, weights, counted, shown, table)


def _fits_in(
    asked: Question, weights: Mapping[str, float], counted: str, shown: ShownPassage, table: ShownTable
) -> Iterator[_Fit]:
    wanted, counts = _plainer(frozenset(weights)), bool(asked.kinds & _NUMBERS)
    of_column = wanted | (stem_set((asked.text,)) & _ASKING)  # "the amount of invoice 7" names a column
    page, grid = table.parts[0].page, table.parts[0].table
    part = next(
        (i for i, p in enumerate(shown.passage.parts) if (p.page_index, p.element_id) == (page.index, grid.element_id)),
        None,
    )
    if part is None:
        return
    heads = {text for cell in grid.cells for text in (*cell.row_path, *cell.column_path)}
    around = _words((shown.passage.title, *shown.passage.heading_path, grid.title or "", shown.about, *heads))
    if not _speaks_of(counted, around, heads):
        return
    values = [cell for cell in grid.cells if not cell.is_header and any(map(str.isalnum, cell.text))]
    one_column = len({cell.col for cell in values}) == 1
    for cell in values:
        row, column = _words(cell.row_path), _words(cell.column_path)
        headers = row | column
        beside = _beside(wanted - headers, cell, values)
        row |= frozenset() if beside is None else _words((beside.text,))
        by_both = wanted & row and (one_column or of_column & column - row)
        if by_both and _share(weights, row | column | around) >= NAMED:
            other = len(headers - of_column) + (not wanted & _words(map(_head, cell.row_path)))
            of_kind = counts and parse_quantity(cell.text) is not None
            generic = len(of_column & column - wanted)
            yield _Fit(wanted & (row | column), generic, other, of_kind, shown, part, table, cell, beside)


def _speaks_of(counted: str, around: frozenset[str], heads: Iterable[str]) -> bool:
    """Whether the table is about what is to be counted ("How many returns ...") at all."""
    asked = stem_set((counted,)) - _ASKING
    return not asked or bool(asked & around) or bool(_COUNTED.search(counted) and any(map(_COUNTED.search, heads)))


def _share(weights: Mapping[str, float], named: frozenset[str]) -> float:
    """By weight, of the question's words; one that headers write otherwise is named by that, too."""
    found = sum(weight for word, weight in weights.items() if _plainer(frozenset((word,))) & named)
    return found / (sum(weights.values()) or 1)


def _beside(unnamed: frozenset[str], cell: Cell, values: Sequence[Cell]) -> Cell | None:
    """The cell of the same row that names most of what no header names: "Kite Dental" beside its rent."""
    texts = [c for c in values if c.row == cell.row and c is not cell and parse_quantity(c.text) is None]
    best = max(texts, key=lambda c: len(unnamed & _words((c.text,))), default=None)
    return best if best is not None and unnamed & _words((best.text,)) else None


def _head(header: str) -> str:
    """What a row is about: "Cost of revenue" is a cost."""
    return _OF.split(header, maxsplit=1)[0]


def _words(texts: Iterable[str]) -> frozenset[str]:
    """Stems, and years that are part of a longer word ("FY2023")."""
    texts = tuple(texts)
    return _plainer(stem_set(texts) | frozenset(year for text in texts for year in _YEAR.findall(text)))


def _plainer(stems: frozenset[str]) -> frozenset[str]:
    """With what a table's headers abbreviate or turn: "Q3" is a third quarter, what is daily is by the day."""
    return stems | frozenset(other for s in stems for other in _SAME.get(s, ()))


def _sentence(fit: _Fit, number: int) -> ShownSentence:
    cited = cited_cell(fit.cell, fit.table.parts)
    if cited.unit in CODES and any(
        _is_counted(head, cited.unit) for head in (*fit.cell.row_path, *fit.cell.column_path)
    ):
        cited = replace(cited, value=None, unit=None, scale=None)
    row = [" ".join(text.split()) for text in fit.cell.row_path if text.strip()]
    if fit.beside is not None:
        row = [f"{', '.join(row)} ({' '.join(fit.beside.text.split())})".lstrip()]
    headers = ", ".join((*row, *(" ".join(text.split()) for text in fit.cell.column_path if text.strip())))
    shown = " ".join(fit.cell.text.split())
    meaning = _meaning(cited.unit, cited.scale, f"{headers} {shown}")
    place = fit.shown.passage.parts[fit.part]
    return ShownSentence(
        f"{fit.shown.handle}.c{number}", fit.shown.handle, f"{headers}: {shown}{meaning}",
        place.at, place.at + place.end - place.start, fit.part, fit.part, cited, fit.cell.text,
        *_naming(fit),
    )  # fmt: skip


def _is_counted(head: str, unit: str) -> bool:
    return bool(_COUNTED.search(head)) and not _PRICED.search(head) and not _shows(unit, head)


def _naming(fit: _Fit) -> tuple[CitedCell | None, str]:
    """The cell that names the row, proved by its text alone."""
    if fit.beside is None:
        return None, ""
    return replace(cited_cell(fit.beside, fit.table.parts), value=None, unit=None, scale=None), fit.beside.text


def _meaning(unit: str | None, scale: int | None, shown: str) -> str:
    """ " (in thousands of USD)"; only what the cell and its headers do not show."""
    unit = None if unit is None or _shows(unit, shown) else unit
    many = _SCALES.get(scale or 1)
    if many and any(word in shown.lower() for word in (many, many[:-1])):
        many = None
    if many:
        return f" (in {many} of {unit})" if unit else f" (in {many})"
    return f" ({unit})" if unit else ""


def _shows(unit: str, text: str) -> bool:
    sign = _SIGNS.get(unit, unit) in text
    return sign or re.search(rf"(?<![^\W\d]){re.escape(unit)}(?![^\W\d])", text) is not None
