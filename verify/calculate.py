"""Calculations over verified evidence, recomputed exactly (contract section 7)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, localcontext
from enum import StrEnum
from fractions import Fraction
from typing import Any

from verify.domain.ids import CheckId
from verify.report import CheckResult, Status
from verify.request import Check
from verify.values import plain


class Operation(StrEnum):
    """``difference`` and ``ratio`` take the first operand less, or over, the second; ``days_between`` counts from the
    first date to the second, the first day not counted."""

    SUM = "sum"
    DIFFERENCE = "difference"
    RATIO = "ratio"
    DAYS_BETWEEN = "days_between"


class CalculationError(Exception):
    """Operands that were not verified, have no value, or do not fit together."""


@dataclass(frozen=True, slots=True)
class Calculation:
    """``result`` is a decimal string, or "a/b" in lowest terms where a ratio has no finite decimal form."""

    operation: Operation
    operands: tuple[CheckId, ...]
    result: str
    unit: str | None

    def to_json(self) -> dict[str, Any]:
        return {
            "operation": self.operation.value,
            "operands": list(self.operands),
            "result": self.result,
            "unit": self.unit,
        }


def calculate(
    operation: Operation,
    operands: Sequence[CheckId],
    checks: Mapping[CheckId, Check],
    results: Mapping[CheckId, CheckResult],
) -> Calculation:
    """Computed from the values that the operands' checks proved. Raises CalculationError."""
    asked = [_verified(i, checks, results) for i in operands]
    if operation is Operation.DAYS_BETWEEN:
        first, second = _two([_date(check) for check in asked])
        return Calculation(operation, tuple(operands), str((second - first).days), "days")
    values = [_value(check) for check in asked]
    if len({check.unit for check in asked}) > 1:
        raise CalculationError("the operands have different units")
    unit = asked[0].unit if asked and operation is not Operation.RATIO else None
    return Calculation(operation, tuple(operands), _computed(operation, values), unit)


def agrees(calculation: Calculation, checks: Mapping[CheckId, Check], results: Mapping[CheckId, CheckResult]) -> bool:
    """True if a stated calculation is what its operands give."""
    try:
        return calculate(calculation.operation, calculation.operands, checks, results) == calculation
    except CalculationError:
        return False


def operand_values(calculation: Calculation, checks: Mapping[CheckId, Check]) -> list[tuple[str, Decimal]] | None:
    """Unit and number of each operand as its check states them, a date as its day from the first of year 1; None where
    one of them has no value, or where there are not two (of a sum: two or more)."""
    try:
        asked = [checks[i] for i in calculation.operands]
        if calculation.operation is not Operation.SUM or len(asked) < 2:
            asked = _two(asked)
        if calculation.operation is Operation.DAYS_BETWEEN:
            return [("days", Decimal(_date(check).toordinal())) for check in asked]
        return [(check.unit or "", _value(check)) for check in asked]
    except (CalculationError, KeyError):
        return None


def _verified(check_id: CheckId, checks: Mapping[CheckId, Check], results: Mapping[CheckId, CheckResult]) -> Check:
    check, result = checks.get(check_id), results.get(check_id)
    if check is None or result is None or result.status is not Status.VERIFIED:
        raise CalculationError(f"the operand {check_id} is not verified")
    return check


def _value(check: Check) -> Decimal:
    if check.expected_value is None:
        raise CalculationError(f"the operand {check.check_id} has no value")
    return check.expected_value


def _two(values: list[Any]) -> list[Any]:
    if len(values) != 2:
        raise CalculationError("the operation takes two operands")
    return values


def _computed(operation: Operation, values: list[Decimal]) -> str:
    with localcontext() as context:
        context.prec = 10_000  # values have at most 100 digits and a request 10,000 checks: no sum is rounded
        if operation is Operation.SUM:
            if not values:
                raise CalculationError("there is nothing to add")
            return plain(sum(values, Decimal(0)))
        first, second = _two(values)
        if operation is Operation.DIFFERENCE:
            return plain(first - second)
        return exact_ratio(first, second)


def exact_ratio(first: Decimal, second: Decimal) -> str:
    """A decimal string, or "a/b" in lowest terms. Raises CalculationError for a second of zero."""
    if not second:
        raise CalculationError("the second operand is zero")
    exact = Fraction(first) / Fraction(second)
    rest = exact.denominator
    for factor in (2, 5):
        while rest % factor == 0:
            rest //= factor
    if rest != 1:
        return f"{exact.numerator}/{exact.denominator}"
    return plain(Decimal(exact.numerator) / Decimal(exact.denominator))


_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?(?:\s+day)?(?:\s+of)?\s+([A-Za-z]+),?\s+(\d{4})")
_MONTH_FIRST = re.compile(r"([A-Za-z]+)\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")


def parse_date(text: str) -> date | None:
    """A date with its month in words, or ISO 8601; None for anything that can be read two ways ("3/4/2026")."""
    text = " ".join(text.split())
    try:
        if found := _ISO.fullmatch(text):
            return date(int(found[1]), int(found[2]), int(found[3]))
        if found := _DAY_FIRST.fullmatch(text):
            return date(int(found[3]), _MONTHS.index(found[2].lower()) + 1, int(found[1]))
        if found := _MONTH_FIRST.fullmatch(text):
            return date(int(found[3]), _MONTHS.index(found[1].lower()) + 1, int(found[2]))
    except ValueError:
        return None
    return None


def _date(check: Check) -> date:
    found = parse_date(check.expected_text or "")
    if found is None:
        raise CalculationError(f"the operand {check.check_id} is no date")
    return found
