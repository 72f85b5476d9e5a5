"""Calculations over verified values, exact (contract section 7)."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from verify.calculate import (
    Calculation,
    CalculationError,
    Operation,
    agrees,
    calculate,
    operand_values,
    parse_date,
)
from verify.domain.ids import CheckId, Fingerprint, SourceId
from verify.report import CheckResult, Reason, Status
from verify.request import Check, Kind


def value(check_id: str, amount: str | None, unit: str | None = "USD", text: str | None = None) -> Check:
    return Check(
        CheckId(check_id), Kind.VALUE, SourceId("deed"), Fingerprint("sha256:" + "a" * 64), 0, unit=unit,
        expected_value=None if amount is None else Decimal(amount), expected_text=text,
    )  # fmt: skip


def good(check_id: str) -> CheckResult:
    return CheckResult(CheckId(check_id), None, "value", Status.VERIFIED)


CHECKS = {
    c.check_id: c
    for c in (
        value("a", "13100000"), value("b", "11000000"), value("c", "0.3"), value("d", "5", "EUR"), value("z", "0"),
        value("s", None, None, "30 June 2027"), value("e", None, None, "2027-07-04"), value("x", None, None, "May"),
        value("u", "1", None),
    )
}  # fmt: skip
RESULTS = {i: good(i) for i in CHECKS} | {
    CheckId("u"): replace(good("u"), status=Status.STALE, reason=Reason.FINGERPRINT_CHANGED)
}


def run(operation: Operation, *ids: str) -> tuple[str, str | None]:
    made = calculate(operation, [CheckId(i) for i in ids], CHECKS, RESULTS)
    return made.result, made.unit


def test_results_are_exact() -> None:
    assert run(Operation.DIFFERENCE, "a", "b") == ("2100000", "USD")
    assert run(Operation.SUM, "a", "b", "c") == ("24100000.3", "USD")
    assert run(Operation.SUM, "c") == ("0.3", "USD")
    assert run(Operation.RATIO, "a", "b") == ("131/110", None)
    assert run(Operation.RATIO, "c", "b") == ("3/110000000", None)
    assert run(Operation.RATIO, "b", "c") == ("110000000/3", None)
    assert run(Operation.RATIO, "a", "a") == ("1", None)
    assert run(Operation.RATIO, "c", "a") == ("3/131000000", None)
    assert run(Operation.DAYS_BETWEEN, "s", "e") == ("4", "days")
    assert run(Operation.DAYS_BETWEEN, "e", "s") == ("-4", "days")


@pytest.mark.parametrize(
    ("operation", "ids"),
    [
        (Operation.SUM, []),
        (Operation.SUM, ["a", "d"]),
        (Operation.SUM, ["s"]),
        (Operation.SUM, ["u"]),
        (Operation.SUM, ["unknown"]),
        (Operation.DIFFERENCE, ["a"]),
        (Operation.RATIO, ["a", "z"]),
        (Operation.DAYS_BETWEEN, ["s", "x"]),
        (Operation.DAYS_BETWEEN, ["s"]),
    ],
)
def test_operands_that_prove_nothing(operation: Operation, ids: list[str]) -> None:
    with pytest.raises(CalculationError):
        calculate(operation, [CheckId(i) for i in ids], CHECKS, RESULTS)


@pytest.mark.parametrize(
    ("operation", "ids", "expected"),
    [
        (Operation.SUM, "abz", [("USD", 13_100_000), ("USD", 11_000_000), ("USD", 0)]),
        (Operation.DIFFERENCE, "ab", [("USD", 13_100_000), ("USD", 11_000_000)]),
        (
            Operation.DAYS_BETWEEN,
            "se",
            [("days", date(2027, 6, 30).toordinal()), ("days", date(2027, 7, 4).toordinal())],
        ),
        (Operation.DIFFERENCE, "abz", None),
        (Operation.SUM, "a", None),
        (Operation.SUM, "as", None),
        (Operation.SUM, "aq", None),
    ],
)
def test_the_values_that_a_calculation_states(operation: Operation, ids: str, expected: object) -> None:
    made = Calculation(operation, tuple(CheckId(i) for i in ids), "0", None)
    assert operand_values(made, CHECKS) == expected


def test_a_stated_result_must_be_the_computed_one() -> None:
    stated = Calculation(Operation.DIFFERENCE, (CheckId("a"), CheckId("b")), "2100000", "USD")
    assert agrees(stated, CHECKS, RESULTS)
    assert not agrees(replace(stated, result="2100001"), CHECKS, RESULTS)
    assert not agrees(replace(stated, operands=(CheckId("u"),)), CHECKS, RESULTS)
    assert stated.to_json() == {"operation": "difference", "operands": ["a", "b"], "result": "2100000", "unit": "USD"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30 June 2027", date(2027, 6, 30)),
        ("1st day of May, 2026", date(2026, 5, 1)),
        ("June 30, 2027", date(2027, 6, 30)),
        ("June 3rd 2027", date(2027, 6, 3)),
        ("2027-06-30", date(2027, 6, 30)),
        ("30  June\n2027", date(2027, 6, 30)),
        ("31 June 2027", None),
        ("30 Brumaire 2027", None),
        ("3/4/2026", None),
        ("June", None),
    ],
)
def test_dates_that_read_one_way(text: str, expected: date | None) -> None:
    assert parse_date(text) == expected


def test_the_values_that_a_stated_calculation_rests_on() -> None:
    def values(operation: Operation, *ids: str) -> list[tuple[str, Decimal]] | None:
        return operand_values(Calculation(operation, tuple(CheckId(i) for i in ids), "", None), CHECKS)

    assert values(Operation.SUM, "a", "u") == [("USD", Decimal(13100000)), ("", Decimal(1))]
    first, second = values(Operation.DAYS_BETWEEN, "s", "e") or []
    assert (first[0], second[1] - first[1]) == ("days", 4)
    for ids in (("a",), ("a", "s"), ("a", "nowhere")):
        assert values(Operation.SUM, *ids) is None
