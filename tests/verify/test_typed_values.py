"""Typed values in running text (contract sections 4 and 5, rule 8)."""

from typing import Any

import pytest
from verify_asking import ask, check, verdict
from verify_pages import make_page, para, source

from verify.domain.document import Origin
from verify.report import Limitation

STAFF = source(
    make_page(0, "It employed 1,240 people and 35 dogs.", "It earned EUR 315,700, then 35 cats.", "No digits.")
)


def value(expected: str, element: int = 0, **fields: Any) -> dict[str, Any]:
    return check("value", element_id=f"p0-e{element}", expected_value=expected, **fields)


def test_a_number_behind_a_sign_that_has_no_character_is_for_the_eye() -> None:
    """The page may show a minus there."""
    paper = source(make_page(0, "The slope is \ufffd 35 points.", "Rows \ufffd\ufffd\ufffd\ufffd 36"))
    assert verdict(value("35"), paper) == "garbled_text"
    assert verdict(value("36", 1), paper) == "verified"  # a leader of dots


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (value("1240"), "verified"),
        (value("1240", unit="people"), "verified"),
        (value("1240", unit="tonnes"), "unit_mismatch"),
        (value("1240", unit="EUR"), "unit_unknown"),
        (value("240"), "value_mismatch"),
        (value("1"), "value_mismatch"),
        (value("124"), "scale_mismatch"),
        (value("315700", 1, unit="EUR"), "verified"),
        (value("315700", 1, unit="GBP"), "unit_mismatch"),
        (value("5", 2), "value_mismatch"),
        (check("value", bbox=[0, 0, 60000, 6000], coordinate_origin="top-left", expected_value="35"), "verified"),
        (
            check("value", bbox=[0, 0, 60000, 10], coordinate_origin="top-left", expected_value="35"),
            "no_text_in_region",
        ),
    ],
)
def test_values(one: dict[str, Any], reason: str) -> None:
    assert verdict(one, STAFF) == reason


def test_values_of_scans_and_of_several_places() -> None:
    low = source(make_page(0, para("It cost 35 here", origin=Origin.OCR, confidence={"35": 100})))
    assert verdict(value("35"), low) == "ocr_low_confidence"
    assert verdict(value("36"), low) == "ocr_low_confidence"
    twice = ask(value("35"), source(make_page(0, "From 35 to 35 dogs.")))
    assert (twice.occurrences, twice.limitations) == (2, (Limitation.MULTIPLE_OCCURRENCES,))
    unit = ask(value("5", unit="kg"), source(make_page(0, "It weighs 5")))
    assert (unit.reason is not None, unit.difference) == (True, ())
