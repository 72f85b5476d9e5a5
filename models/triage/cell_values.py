"""Whether a cell of a table states a value: after unit and scale, as the verifier reads them (``verify.tables``)."""

import re
from decimal import Decimal

from models.language.values import Value, ValueKind, decimal_of, values
from models.language.wording import stem_set
from verify.currencies import CODES, DOLLAR, PERCENT
from verify.domain.document import Cell
from verify.meaning import Part, cited_cell
from verify.numbers import parse_quantity

_ABOUT = re.compile(
    r"\b(?:about|approximately|approx\.?|around|roughly|nearly|almost|some|circa|ca\.?|close to|over|under|more than|"
    r"less than|fewer than|at least|at most|up to|exceed(?:s|ed|ing)?)\s+$",
    re.I,
)
_IN_SCALE = re.compile(r"\bin\s+(?:thousands|millions|billions)\b", re.I)
_WRITTEN = re.compile(r"(\d[\d,]*)(?:\.(\d+))?(?:\s?(thousand|million|billion|trillion))?", re.I)
_SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_GROUPED = re.compile(r"\d{1,3}(?:[.,\s]\d{3})+")
"""Thousands, whichever sign parts them: what a page prints as "1.847" a statement may give as "1,847"."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_DURATIONS = stem_set(("day week month year hour",))

Table = tuple[Part, ...]


def states(cell: Cell, table: Table, value: Value, text: str) -> bool:
    """``value`` stands in ``text`` at its offsets. Signs aside: "a loss of 134" is "(134)"."""
    number = _number(value)
    quantity = parse_quantity(cell.text)
    if quantity is None or number is None or _of_its_kind(value, cell):
        return any(value.kind == other.kind and value.covers(other) for other in values(cell.text))
    written = text[value.start : value.end]
    if _other_unit(value, cell, table):
        return False
    grouped = all(_GROUPED.fullmatch(said.strip()) for said in (cell.text, written))
    if value.kind is ValueKind.NUMBER and grouped and _digits(cell.text) == _digits(written):
        return True
    cited = cited_cell(cell, table)
    full = None if cited.value is None else Decimal(cited.value)
    as_printed = value.kind is not ValueKind.AMOUNT or full is None or _IN_SCALE.search(text) is not None
    shown = [quantity.value] if as_printed else []
    slack = _slack(written, _ABOUT.search(text[: value.start]) is not None)
    return any(abs(abs(candidate) - number) <= slack for candidate in (*shown, *([full] if full is not None else [])))


def _of_its_kind(value: Value, cell: Cell) -> bool:
    """True where the cell itself writes out a duration ("24 months")."""
    return value.kind is ValueKind.DURATION and any(other.kind is value.kind for other in values(cell.text))


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def comparable(cell: Cell, table: Table, value: Value, text: str) -> bool:
    """False where the cell holds another kind of thing, and so says nothing of the value. A year says when, not how
    much."""
    if value.kind is ValueKind.NUMBER and _YEAR.fullmatch(text[value.start : value.end]):
        return _YEAR.fullmatch(cell.text.strip()) is not None
    if value.kind is ValueKind.DATE or parse_quantity(cell.text) is None or _of_its_kind(value, cell):
        return any(value.kind == other.kind for other in values(cell.text))
    unit = cited_cell(cell, table).unit
    if value.kind is ValueKind.DURATION:
        return bool(_DURATIONS & _heads(cell))
    return (value.kind is ValueKind.PERCENT) == (unit == PERCENT) or (
        value.kind is ValueKind.NUMBER and unit != PERCENT
    )


def _other_unit(value: Value, cell: Cell, table: Table) -> bool:
    unit = cited_cell(cell, table).unit
    if value.kind is ValueKind.AMOUNT:
        currency = next(iter(value.readings)).split()[0]
        known = unit == DOLLAR or unit in CODES
        return unit == PERCENT or (known and currency != unit and not (unit == DOLLAR and currency.endswith("D")))
    if value.kind is ValueKind.PERCENT:
        return unit not in (None, PERCENT)
    if value.kind is ValueKind.DURATION:
        heads = _DURATIONS & _heads(cell)
        return bool(heads) and not any(reading.split()[1] in heads for reading in value.readings)
    return False


def _heads(cell: Cell) -> frozenset[str]:
    return stem_set((*cell.row_path, *cell.column_path))


def _number(value: Value) -> Decimal | None:
    if value.kind is ValueKind.DATE:
        return None
    reading = next(iter(value.readings)).split()
    return decimal_of(reading[-1] if value.kind is ValueKind.AMOUNT else reading[0])


def _slack(written: str, about: bool) -> Decimal:
    """Half of the last place that a rounded number writes; none where nothing says that it is rounded."""
    found = _WRITTEN.search(written)
    if found is None or not (about or found[3]):
        return Decimal(0)
    digits, fraction = found[1].replace(",", ""), found[2] or ""
    place = -len(fraction) if fraction else (0 if found[3] else len(digits) - len(digits.rstrip("0")))
    return Decimal(5).scaleb(place + _SCALES.get((found[3] or "").lower(), 0) - 1)
