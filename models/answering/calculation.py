"""What a question asks to be worked out of two values that claims quote: sum, difference, ratio, days between dates.

Exact, or not at all: where it is not plain which values are meant, and which is which, it is left to a person.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal, localcontext
from typing import NamedTuple

from models.answering.claims import claim_id
from models.answering.drafts import Calculation, ClaimDraft, Operation
from models.answering.extractive import units_in
from models.language.questions import Question
from models.language.values import ValueKind, plain, values
from models.language.wording import stem_set
from verify.calculate import CalculationError, exact_ratio, parse_date
from verify.currencies import CODES, DOLLAR
from verify.domain.claim import Citation, CitedValue, ClaimType, Support, SupportLabel

_PERCENT = r"per\s?cent(?:age)?"
_ASKED: dict[Operation, re.Pattern[str]] = {
    Operation.DIFFERENCE: re.compile(
        r"\bdifference (?:between|in|of)\b|\bby how much\b|\bhow much (?:more|less|higher|lower)\b|"
        r"(?<!per cent )(?<!percent )\b(?:rise|rose|increase[ds]?|decrease[ds]?|fell|drop(?:ped)?) by\b", re.I
    ),
    Operation.SUM: re.compile(
        r"\b(?:sum|total) of\b|\bin total\b|\b(?:altogether|combined)\b|\badd(?:ed)? (?:up|together)\b", re.I
    ),
    Operation.RATIO: re.compile(rf"\bratio (?:of|between)\b|\b{_PERCENT} (?:of|did)\b", re.I),
    Operation.DAYS_BETWEEN: re.compile(
        r"\b(?:how many|number of) days (?:(?:are|is|were|was|there|lie|lay|had|have|passed|elapsed|went by) )*"
        r"(?:between|from .+ (?:to|until)|(?:after|before) .+ (?:did|was|were))\b|"
        r"\bhow many days (?:had |have )?(?:passed|elapsed|went by)\b", re.I
    ),
}  # fmt: skip
_OVER = (
    re.compile(r"\bratio (?:of|between) (?P<over>.+?) (?:to|and) (?P<under>.+)", re.I),
    re.compile(rf"(?P<over>.+?),? as a {_PERCENT} of (?P<under>.+)", re.I),
    re.compile(rf"\b{_PERCENT} of (?P<under>.+?) (?:is|was|are|were|does|did|do|goes|went) (?P<over>.+)", re.I),
    re.compile(rf"\b{_PERCENT} did .+? from (?P<under>.+?) to (?P<over>.+)", re.I),
)  # fmt: skip
"""What is set in relation to what."""
_CURRENCIES = CODES | {DOLLAR}
LONGEST = 100
"""Digits of a number that is worked with; a check may have no more either (verify.request)."""
CALCULATED = Support(SupportLabel.SUPPORTED, 1000, "calculation")


class _Stated(NamedTuple):
    """``unit`` of an amount is its currency; a date counts its days from the first of year 1. ``cited`` is the check
    that proves it: of the cell, of the value in its element, of the date's own words; None where none can."""

    unit: str
    number: Decimal
    cited: Citation | None


class _Operand(NamedTuple):
    claim: ClaimDraft
    unit: str
    number: Decimal
    cited: Citation


def calculated(question: str, claims: Sequence[ClaimDraft]) -> ClaimDraft | None:
    """A claim of its own over the quotations of exactly two others, or None.

    Each of the two must quote one sentence with one amount (or date), in the same currency and not the same amount
    twice from one place; a third sentence with an amount, or a fault, leaves it to a person. A difference is the larger
    less the smaller, days are counted from the earlier date, the first day not counted; of a ratio the question must
    tell which is over which. A date or an amount that the question itself names must be one of the two.
    """
    wanted = _operation(question)
    operands = [] if wanted is None else _operands(wanted, claims)
    if wanted is None or len(operands) != 2 or operands[0].unit != operands[1].unit:
        return None
    if not _as_named(wanted, question, operands):
        return None
    ordered = _ordered(wanted, question, operands)
    return None if ordered is None else _claim(wanted, *ordered, len(claims) + 1)


def other_operand(asked: Question, claims: Sequence[ClaimDraft], others: Iterable[ClaimDraft]) -> ClaimDraft | None:
    """Where the question asks for a calculation and only one of ``claims`` has a value for it: the first of ``others``
    that has one too and names something that is asked for and that claim does not."""
    wanted = _operation(asked.text)
    known = [] if wanted is None else _operands(wanted, claims)
    if wanted is None or len(known) != 1:
        return None
    named = units_in(asked, known[0].claim.text)
    fits = (c for c in others if units_in(asked, c.text) - named and len(_operands(wanted, (c,))) == 1)
    return next(fits, None)


def _operation(question: str) -> Operation | None:
    wanted = [operation for operation, asked in _ASKED.items() if asked.search(question)]
    return wanted[0] if len(wanted) == 1 else None


def _operands(operation: Operation, claims: Sequence[ClaimDraft]) -> list[_Operand]:
    """Of the claims that state such a value; none where one of them states two, or rests on two sentences."""
    found = _dates if operation is Operation.DAYS_BETWEEN else _amounts
    stating = [(claim, stated) for claim in claims if (stated := found(claim))]
    plainly = all(len(stated) == len(c.sentence_ids) == 1 and c.fault is None for c, stated in stating)
    plainly = plainly and all(len(plain(stated[0].number)) <= LONGEST for _, stated in stating)
    found_in = [(claim, stated[0]) for claim, stated in stating] if plainly else []
    return [_Operand(claim, s.unit, s.number, s.cited) for claim, s in found_in if s.cited is not None]


def _as_named(operation: Operation, question: str, operands: Sequence[_Operand]) -> bool:
    """Whether each value that the question names is an operand: "between 5 July and 18 September" asks of no others."""
    kind = ValueKind.DATE if operation is Operation.DAYS_BETWEEN else ValueKind.AMOUNT
    if kind is ValueKind.DATE:
        have = {date.fromordinal(int(operand.number)).isoformat() for operand in operands}
    else:
        have = {f"{operand.unit} {plain(operand.number)}" for operand in operands}
    named = (value.readings for value in values(question) if value.kind is kind)
    return all(have & readings or (kind is ValueKind.DATE and not any(map(_is_day, readings))) for readings in named)


def _is_day(reading: str) -> bool:
    """No mere month or year."""
    return len(reading) == len("2020-12-31")


def _ordered(operation: Operation, question: str, operands: Sequence[_Operand]) -> tuple[_Operand, _Operand] | None:
    smaller, larger = sorted(operands, key=lambda operand: operand.number)
    if operation is Operation.RATIO:
        return _over_and_under(question, operands)
    return (smaller, larger) if operation is Operation.DAYS_BETWEEN else (larger, smaller)


def _over_and_under(question: str, operands: Sequence[_Operand]) -> tuple[_Operand, _Operand] | None:
    """By the words that only one of the two claims has; None where they do not tell."""
    asked = next((match for pattern in _OVER if (match := pattern.search(question))), None)
    first, second = (stem_set((operand.claim.text,)) for operand in operands)
    if asked is None or not operands[0].number or not operands[1].number:
        return None
    over, under = (stem_set((asked[name],)) for name in ("over", "under"))
    own, other = first - second, second - first
    straight = len(own & (over - under)) + len(other & (under - over))
    crossed = len(own & (under - over)) + len(other & (over - under))
    if straight == crossed:
        return None
    return (operands[0], operands[1]) if straight > crossed else (operands[1], operands[0])


def _amounts(claim: ClaimDraft) -> list[_Stated]:
    """Each amount that the claim quotes; a table's cell has its own. One that can be read two ways counts as two."""
    found: list[_Stated] = []
    for citation in claim.citations:
        if citation.cell is not None:
            value, unit = citation.cell.value, citation.cell.unit
            found += [_Stated(unit, Decimal(value), citation)] if value is not None and unit in _CURRENCIES else []
            continue
        for amount in (value for value in values(citation.quotation) if value.kind == ValueKind.AMOUNT):
            read = [_Stated(unit, Decimal(number), None) for unit, number in map(str.split, sorted(amount.readings))]
            found += [read[0]._replace(cited=_value_of(citation, read[0]))] if len(read) == 1 else [*read, *read][:2]
    return found


def _value_of(citation: Citation, stated: _Stated) -> Citation | None:
    if citation.element_id is None or citation.end_page_index is not None:
        return None
    return replace(citation, value=CitedValue(plain(stated.number), stated.unit))


def _dates(claim: ClaimDraft) -> list[_Stated]:
    """The days that the claim's quotations state. One that can be read two ways, or a mere month, counts as two."""
    found: list[_Stated] = []
    for citation in claim.citations:
        for value in (v for v in values(citation.quotation) if v.kind == ValueKind.DATE):
            words = citation.quotation[value.start : value.end]
            day = parse_date(words)
            plainly = day is not None and value.readings == {day.isoformat()}
            number = Decimal(day.toordinal()) if day is not None else Decimal(0)
            found += [_Stated("days", number, replace(citation, quotation=words) if plainly else None)] * (2 - plainly)
    return found


def _claim(operation: Operation, first: _Operand, second: _Operand, number: int) -> ClaimDraft:
    with localcontext() as context:
        context.prec = 2 * LONGEST + 10
        result, unit, text = _worked_out(operation, (first.unit, first.number), (second.unit, second.number))
    citations = (*first.claim.citations, *second.claim.citations)
    citations = (*citations, *(o.cited for o in (first, second) if o.cited not in citations))
    return ClaimDraft(
        claim_id=claim_id(number),
        text=text,
        claim_type=ClaimType.CALCULATION,
        citations=citations,
        support=CALCULATED,
        sentence_ids=(*first.claim.sentence_ids, *second.claim.sentence_ids),
        superseded=tuple(dict.fromkeys((*first.claim.superseded, *second.claim.superseded))),
        calculation=Calculation(operation, (citations.index(first.cited), citations.index(second.cited)), result, unit),
    )


_Number = tuple[str, Decimal]
"""Unit and number; a date as its day from the first of year 1."""


def sentence_of(operation: Operation, *operands: _Number) -> str | None:
    """The sentence that states a calculation over two values, a sum over two or more; None where there is none (a
    second of zero)."""
    with localcontext() as context:
        context.prec = 2 * LONGEST + 10
        try:
            return _worked_out(operation, *operands)[2]
        except (ArithmeticError, CalculationError, ValueError):
            return None


def sum_claim(claims: Sequence[ClaimDraft], stated: Sequence[tuple[str, Decimal]], number: int) -> ClaimDraft:
    """The sum of what several claims state, each by its first citation. ``stated``: the unit and number of each."""
    with localcontext() as context:
        context.prec = 2 * LONGEST + 10
        result, unit, text = _worked_out(Operation.SUM, *stated)
    citations = tuple(c for claim in claims for c in claim.citations)
    first = [sum(len(c.citations) for c in claims[:at]) for at in range(len(claims))]
    return ClaimDraft(
        claim_id=claim_id(number),
        text=text,
        claim_type=ClaimType.CALCULATION,
        citations=citations,
        support=CALCULATED,
        sentence_ids=tuple(i for claim in claims for i in claim.sentence_ids),
        calculation=Calculation(Operation.SUM, tuple(first), result, unit or None),
    )


def _worked_out(operation: Operation, *operands: _Number) -> tuple[str, str | None, str]:
    """Result, its unit, and the sentence that says it."""
    if operation is Operation.SUM:
        unit = operands[0][0]
        total = sum((n for _, n in operands), Decimal(0))
        *head, last = (_readable(u, n) for u, n in operands)
        return plain(total), unit, f"The sum of {', '.join(head)} and {last} is {_readable(unit, total)}."
    (unit, one), (other_unit, other) = operands
    if operation is Operation.DAYS_BETWEEN:
        days = plain(other - one)
        begin, end = (date.fromordinal(int(day)).isoformat() for day in (one, other))
        return days, "days", f"From {begin} to {end} it is {days} days, the first day not counted."
    said, also = f"{unit} {plain(one)}", f"{other_unit} {plain(other)}"
    if operation is Operation.RATIO:
        share = 100 * one / other
        rounded = share.quantize(Decimal("0.01"))
        about = "" if rounded * other == 100 * one else "about "
        return exact_ratio(one, other), None, f"{said} is {about}{plain(rounded)} % of {also}."
    difference = one - other
    return plain(difference), unit, f"The difference between {said} and {also} is {unit} {plain(difference)}."


def _readable(unit: str, number: Decimal) -> str:
    """ "USD 210.3 million": in millions where one decimal says it exactly."""
    millions = number / 10**6
    short = abs(number) >= 10**6 and millions == millions.quantize(Decimal("0.1"))
    return f"{unit} {plain(millions)} million".strip() if short else f"{unit} {plain(number)}".strip()
