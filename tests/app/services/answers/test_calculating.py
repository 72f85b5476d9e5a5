"""A calculation is shown only if its verified operands give its result (contract, sections 6 and 7)."""

import json
from dataclasses import replace

from app.services.answers.answers import Calculation
from app.services.answers.calculating import holds, is_said
from app.services.answers.release import release
from verify.domain.claim import ClaimType, Release, SupportLabel
from verify.domain.ids import CheckId
from verify.report import CheckResult, Reason, Status
from verify.request import parse_request

_FINGERPRINT = "sha256:" + "ab" * 32


def _check(name: str, **fields: str) -> dict[str, object]:
    place = {"source_id": "s", "document_fingerprint": _FINGERPRINT, "page_index": 0, "element_id": "p0-e0"}
    return {"check_id": name, "kind": "quote" if "expected_text" in fields else "value", **place, **fields}


REQUEST = parse_request(
    json.dumps(
        {
            "schema": "pincite.request/1",
            "request_id": "r",
            "checks": [
                _check("v1", expected_value="14500.5", unit="USD"),
                _check("v2", expected_value="12400", unit="USD"),
                _check("v3", expected_text="3 March 2020"),
                _check("v4", expected_text="1 April 2020"),
            ],
        }
    ).encode()
)
VERIFIED = tuple(CheckResult(c.check_id, None, "value", Status.VERIFIED) for c in REQUEST.checks)
FEES = Calculation("difference", (CheckId("v1"), CheckId("v2")), "2100.5", "USD")
DAYS = Calculation("days_between", (CheckId("v3"), CheckId("v4")), "29", "days")
OF = ClaimType.CALCULATION


def test_the_result_is_computed_again_from_the_checks() -> None:
    assert holds(OF, FEES, REQUEST, VERIFIED) is True and holds(OF, DAYS, REQUEST, VERIFIED) is True
    assert holds(ClaimType.SOURCE_FACT, None, REQUEST, VERIFIED) is None
    for wrong in (
        None, replace(FEES, result="2100"), replace(FEES, operation="product"), replace(FEES, unit="EUR"),
        replace(FEES, operands=(CheckId("v1"), CheckId("v3"))), replace(FEES, operands=(CheckId("v1"),)),
    ):  # fmt: skip
        assert holds(OF, wrong, REQUEST, VERIFIED) is False
    unsure = (
        CheckResult(CheckId("v1"), None, "value", Status.CAPABILITY_LIMITED, Reason.VALUE_AMBIGUOUS),
        *VERIFIED[1:],
    )
    assert holds(OF, FEES, REQUEST, unsure) is False


def test_the_sentence_is_that_of_the_calculation() -> None:
    assert is_said("The difference between USD 14500.5 and USD 12400 is USD 2100.5.", FEES, REQUEST)
    assert is_said("From 2020-03-03 to 2020-04-01 it is 29 days, the first day not counted.", DAYS, REQUEST)
    assert not is_said("The difference between USD 14500.5 and USD 12400 is USD 21005.", FEES, REQUEST)
    assert not is_said("USD 2100.5", replace(FEES, operands=(CheckId("v9"), CheckId("v1"))), REQUEST)
    assert not is_said("USD 2100.5", None, REQUEST)


def test_a_wrong_result_is_blocked_and_an_unproved_one_is_for_a_person() -> None:
    supported = SupportLabel.SUPPORTED
    assert release(VERIFIED, supported, calculated=True) is Release.SHOW
    assert release(VERIFIED, supported, calculated=False) is Release.BLOCKED
    unsure = (replace(VERIFIED[0], status=Status.CAPABILITY_LIMITED), *VERIFIED[1:])
    assert release(unsure, supported, calculated=False) is Release.NEEDS_REVIEW
