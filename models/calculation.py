"""Sums and differences that a question asks for, of amounts that claims quote. Exact decimals, or none at all."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from models.claims import claim_id
from models.drafts import Calculation, ClaimDraft, Operation
from models.values import ValueKind, plain, values
from verify.currencies import CODES, DOLLAR
from verify.domain.claim import ClaimType, Support, SupportLabel

_DIFFERENCE = re.compile(
    r"\bdifference (?:between|in|of)\b|\bby how much\b|\bhow much (?:more|less|higher|lower)\b|"
    r"\b(?:rise|rose|increase[ds]?|decrease[ds]?|fell|drop(?:ped)?) by\b", re.I
)  # fmt: skip
_SUM = re.compile(r"\b(?:sum|total) of\b|\bin total\b|\b(?:altogether|combined)\b|\badd(?:ed)? (?:up|together)\b", re.I)
_CURRENCIES = CODES | {DOLLAR}
CALCULATED = Support(SupportLabel.SUPPORTED, 1000, "calculation")


class _Operand(NamedTuple):
    claim: ClaimDraft
    currency: str
    number: Decimal


def calculated(question: str, claims: Sequence[ClaimDraft]) -> ClaimDraft | None:
    """A claim of its own over the quotations of exactly two others, or None.

    Each of the two must quote one sentence with one amount, in the same currency and not the same amount twice from one
    place; a third sentence with an amount, or a fault, leaves it to a person. The order of a difference is larger less
    smaller.
    """
    operation = _operation(question)
    operands = [operand for claim in claims if (operand := _operand(claim)) is not None]
    amounts = [claim for claim in claims if _amounts(claim)]
    if operation is None or len(operands) != 2 or len(amounts) != 2 or operands[0].currency != operands[1].currency:
        return None
    larger, smaller = sorted(operands, key=lambda operand: -operand.number)
    result = larger.number - smaller.number if operation == Operation.DIFFERENCE else larger.number + smaller.number
    return _claim(operation, larger, smaller, plain(result), len(claims) + 1)


def _operation(question: str) -> Operation | None:
    wanted = {o for o, p in ((Operation.DIFFERENCE, _DIFFERENCE), (Operation.SUM, _SUM)) if p.search(question)}
    return wanted.pop() if len(wanted) == 1 else None


def _amounts(claim: ClaimDraft) -> list[tuple[str, Decimal]]:
    """Currency and number of each amount that the claim quotes; a table's cell has its own."""
    found: list[tuple[str, Decimal]] = []
    for citation in claim.citations:
        if citation.cell is not None:
            value, unit = citation.cell.value, citation.cell.unit
            found += [(unit, Decimal(value))] if value is not None and unit in _CURRENCIES else []
            continue
        amounts = [value for value in values(citation.quotation) if value.kind == ValueKind.AMOUNT]
        for currency, number in (next(iter(amount.readings)).split() for amount in amounts):
            found.append((currency, Decimal(number)))
    return found


def _operand(claim: ClaimDraft) -> _Operand | None:
    amounts = _amounts(claim)
    if claim.fault is not None or len(claim.citations) != 1 or len(amounts) != 1:
        return None
    return _Operand(claim, *amounts[0])


def _claim(operation: Operation, larger: _Operand, smaller: _Operand, result: str, number: int) -> ClaimDraft:
    first, second = (f"{o.currency} {plain(o.number)}" for o in (larger, smaller))
    what = "difference between" if operation == Operation.DIFFERENCE else "sum of"
    return ClaimDraft(
        claim_id=claim_id(number),
        text=f"The {what} {first} and {second} is {larger.currency} {result}.",
        claim_type=ClaimType.CALCULATION,
        citations=(*larger.claim.citations, *smaller.claim.citations),
        support=CALCULATED,
        sentence_ids=(*larger.claim.sentence_ids, *smaller.claim.sentence_ids),
        superseded=tuple(dict.fromkeys((*larger.claim.superseded, *smaller.claim.superseded))),
        calculation=Calculation(operation, (0, 1), result, larger.currency),
    )
