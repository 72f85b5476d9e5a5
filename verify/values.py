"""Typed values: equality as decimals, with unit and scale from the document alone."""

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

from verify.bodies import PageView, Scope
from verify.currencies import DOLLAR, PERCENT, currency
from verify.guards import doubt, number_after_unknown_sign, under_threshold
from verify.numbers import Quantity, quantities
from verify.reader import Reader
from verify.report import CheckResult, Difference, DifferenceKind, Limitation, Reason
from verify.request import Check
from verify.results import Settings, failed, locate, verified
from verify.sentences import Span
from verify.targets import scope_of

_PERCENT_WORDS = frozenset({"%", "percent", "per cent"})


def check_value(check: Check, reader: Reader, view: PageView, settings: Settings) -> CheckResult:
    """A number that stands whole in the target. Raises Stop if the locators name no target."""
    scope = scope_of(check, reader, view)
    expected = check.expected_value or Decimal(0)
    shown = list(_shown(scope))
    equal = [q for q in shown if expected in q.readings]
    if not equal:
        return _differs(check, scope, shown, expected, settings)
    sure = [q for q in equal if not q.others and not q.bounded]
    if not sure:
        return failed(check, Reason.VALUE_AMBIGUOUS)
    reasons = [unit_fault(check.unit, q.unit, [q.word] if q.word else [], reader) for q in sure]
    fitting = [q for q, reason in zip(sure, reasons, strict=True) if reason is None]
    if not fitting:
        reason = Reason.UNIT_MISMATCH if Reason.UNIT_MISMATCH in reasons else Reason.UNIT_UNKNOWN
        return replace(failed(check, reason), difference=_unit_difference(check.unit, sure[0]))
    found = locate(check, reader, view, scope.body, [Span(fitting[0].start, fitting[0].end)])
    doubted = doubt(found.words, settings.ocr_threshold)
    if doubted is None and number_after_unknown_sign(scope.body.text, fitting[0].start):
        doubted = Reason.GARBLED_TEXT
    if doubted is not None:
        return replace(failed(check, doubted), evidence=found.evidence)
    several = [Limitation.MULTIPLE_OCCURRENCES] if len(fitting) > 1 else []
    return verified(check, found.evidence, None, len(fitting), [*found.limitations, *several])


def _shown(scope: Scope) -> Iterable[Quantity]:
    body = scope.body
    for start, end in scope.ranges:
        for q in quantities(body.unmarked[start:end], body.convention):
            yield q._replace(start=q.start + start, end=q.end + start)


def _differs(check: Check, scope: Scope, shown: list[Quantity], expected: Decimal, settings: Settings) -> CheckResult:
    words = [w for start, end in scope.ranges for w in scope.body.words_in(start, end)]
    if under_threshold([w for w in words if any(c.isdigit() for c in w[1].text)], settings.ocr_threshold):
        return failed(check, Reason.OCR_LOW_CONFIDENCE)
    shifted = [q for q in shown if any(off_by_power_of_ten(value, expected) for value in q.readings)]
    reason = Reason.SCALE_MISMATCH if shifted else Reason.VALUE_MISMATCH
    return replace(failed(check, reason), difference=value_difference(expected, next(iter(shifted or shown), None)))


def value_difference(expected: Decimal, found: Quantity | None) -> tuple[Difference, ...]:
    if found is None:
        return ()
    money = found.unit is not None and found.unit != PERCENT
    kind = DifferenceKind.AMOUNT if money else DifferenceKind.NUMBER
    return (Difference(kind, plain(expected), plain(found.value)),)


def _unit_difference(expected: str | None, found: Quantity) -> tuple[Difference, ...]:
    return unit_difference(expected, found.unit or found.word)


def unit_difference(expected: str | None, found: str | None) -> tuple[Difference, ...]:
    return (Difference(DifferenceKind.UNIT, expected or "", found),) if found else ()


def plain(value: Decimal) -> str:
    """Without exponent or trailing zeros behind the point."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def off_by_power_of_ten(a: Decimal, b: Decimal) -> bool:
    """True if one is the other times 10, 100 … or a tenth, a hundredth …"""
    if a == b or not a or not b:
        return False
    return a.normalize().as_tuple()[:2] == b.normalize().as_tuple()[:2]


def unit_fault(requested: str | None, stated: str | None, words: Iterable[str], reader: Reader) -> Reason | None:
    """Why a requested unit is not the one that is printed; None if it is, or if none was requested.

    ``stated`` is a currency code, ``DOLLAR`` or ``PERCENT``; ``words`` are units as printed.
    """
    if requested is None:
        return None
    words = list(words)
    if requested in words:
        return None
    code = PERCENT if requested in _PERCENT_WORDS else currency(requested)
    if code is None:
        return Reason.UNIT_MISMATCH if stated or words else Reason.UNIT_UNKNOWN
    if stated is None:
        return Reason.UNIT_UNKNOWN
    wanted, shown = named(code, reader), named(stated, reader)
    if wanted == shown:
        return None
    return Reason.UNIT_UNKNOWN if DOLLAR in {wanted, shown} else Reason.UNIT_MISMATCH


def named(code: str, reader: Reader) -> str:
    """ "$" as the dollar that it stands for: USD, or the only other one that the document names; else still "$"."""
    if code != DOLLAR:
        return code
    others = reader.dollars() - {"USD"}
    if not others:
        return "USD"
    return min(others) if len(others) == 1 and "USD" not in reader.dollars() else DOLLAR
