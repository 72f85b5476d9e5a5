"""One reading of numbers (contract section 5, rule 13): where a reader ends one, and what it is."""

from decimal import Decimal

import pytest
from verify_asking import check, verdict
from verify_pages import make_page, source

from verify.currencies import named_dollars
from verify.numbers import (
    Convention,
    convention_of,
    convention_of_cells,
    extents,
    parse_number,
    parse_quantity,
    quantities,
)


def read(text: str, language: str | None = None) -> list[tuple[str, ...]]:
    return [tuple(f"{v.normalize():f}" for v in q.readings) for q in quantities(text, convention_of(text, language))]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("USD 12 Million", [("12000000",)]),
        ("12 MILLION USD", [("12000000",)]),
        ("a sum of 12\u00a0000 pounds", [("12000",)]),
        ("a sum of 12 000 pounds", [("12000",)]),
        ("12 lacs", [("1200000",)]),
        ("2 lakh crore", [("2000000000000",)]),
        ("Rs 12,40,000", [("1240000",)]),
        ("3 hundred\nthousand", [("300000",)]),
        ("CHF 1'250'000.50", [("1250000.5",)]),
        ("1.250.000,00 EUR", [("1250000",)]),
        ("£5 bn and £3 m", [("5000000000",), ("3000000",)]),
        ("2 1/2 % a year", [("2.5",)]),
        ("2½ per cent", [("2.5",)]),
        ("2-1/2 inches", [("2.5",)]),
        ("½ of it", [("0.5",)]),
        ("1⁄2 of it", [("0.5",)]),
        ("⅓ of it, 1⁄3 of it, 2 1/3 of it", []),
        ("1⁄0 of it", []),
        ("2 5/4 of it", []),
        ("5 × 10⁶ cells", [("5000000",)]),
        ("5 x 10^-3 moles", [("0.005",)]),
        ("12·50", [("12.5",)]),
        ("12 ٫ 50", [("12.5",)]),
        ("a loss of − 500", [("-500",)]),
        ("a result of ( 500 )", [("-500", "500")]),
        ("USD - 500", [("-500", "500")]),
        ("fee - 500 pounds", [("500", "-500")]),
        ("10² units", [("10", "100")]),
        ("1² units", [("1", "-1")]),
        ("0⁻¹ units", [("0", "0")]),
        ("9⁹⁹⁹⁹ units", [("9", "-9")]),
        ("the duty in paragraph (3) above", []),
        ("clause 7 (3)", [("7",)]),
        ("EUR 1.240", [("1.24", "1240")]),
        ("weighs 1.240 kg", [("1.24",)]),
        ("EUR 1.240 and EUR 12,50", [("1240",), ("12.5",)]),
        ("EUR 1,240.50 and EUR 1.240", [("1240.5",), ("1.24",)]),
        ("1.240,50,1", []),
        ("2024 100 items", [("2024",), ("100",)]),
    ],
)
def test_what_a_number_is(text: str, values: list[tuple[str, ...]]) -> None:
    assert read(text) == values


@pytest.mark.parametrize(
    ("text", "language", "values"),
    [
        ("EUR 1.240", "de", [("1240",)]),
        ("1,240 kg", "de", [("1.24",)]),
        ("EUR 1,240", "de-CH", [("1.24", "1240")]),
        ("1 240,50 €", "fr", [("1240.5",)]),
        ("2 Billionen", "de", [("2000000000000",)]),
        ("2 billion", "en", [("2000000000",)]),
        ("3,5 Mrd. EUR", "de", [("3500000000",)]),
    ],
)
def test_the_language_decides_what_the_numbers_leave_open(
    text: str, language: str, values: list[tuple[str, ...]]
) -> None:
    assert read(text, language) == values


def test_what_a_texts_own_numbers_show() -> None:
    assert convention_of("1.250.000 und 3,5") == Convention(",", True)
    assert convention_of("0.125 then 1,250,000", "de") == Convention(".", True, True)
    assert convention_of("1.240,5 but 1,240.5") == Convention(None, False)
    assert convention_of("3.14159") == Convention(".", True)
    assert convention_of("1,2,3 and 7.3 and 1.240", "en") == Convention(".", False)
    usual = Convention(".", False)
    assert convention_of_cells(["1.240", "2.310", "950", "1.110"], usual) == Convention(",", True)
    assert convention_of_cells(["1,240", "2,310", "950"], Convention(",")) == Convention(".", True)
    for cells in (["1.240", "950"], ["1.240", "2.31", "950"], ["1.240", "2.310"], ["1.240", "2.310", "95", "12345"]):
        assert convention_of_cells(cells, usual) is usual


@pytest.mark.parametrize(
    "text",
    [
        "less than USD 500", "up to 500", "not exceeding USD 500", "approximately 500 pounds", "a minimum of the 500",
        "500 or more", "500 pounds or less", "≤ 500", "<500", "höchstens 500 EUR", "USD 500 at the most",
    ],
)  # fmt: skip
def test_a_bound_is_not_the_value(text: str) -> None:
    (quantity,) = quantities(text)
    assert quantity.bounded
    page = source(make_page(0, f"The price is {text} in all."))
    assert verdict(check("value", element_id="p0-e0", expected_value="500"), page) == "value_ambiguous"


def test_values_that_can_be_read_two_ways_are_open() -> None:
    page = source(make_page(0, "It costs EUR 1.240 in all.", "Der Preis ist EUR 1.240 fest."))
    for value in ("1.24", "1240"):
        assert verdict(check("value", element_id="p0-e0", expected_value=value), page) == "value_ambiguous"
    german = source(make_page(0, "Der Preis ist EUR 1.240 fest.", language="de"))
    assert verdict(check("value", element_id="p0-e0", expected_value="1240"), german) == "verified"
    assert verdict(check("value", element_id="p0-e0", expected_value="1.24"), german) == "scale_mismatch"


def ends(text: str) -> list[str]:
    return [text[s.start : s.end] for s in extents(text)]


def test_where_a_reader_ends_a_number() -> None:
    assert ends("a fee of USD 12 million, 5 % and (500) or (5") == ["USD 12 million", "5 %", "(500)", "5"]
    assert ends("see 5) and ± 3 and ≤ 5 mg") == ["5", "± 3", "≤ 5"]
    assert ends("(12.4)%") == ["(12.4)%"]
    assert ends("5%) of") == ["5%"]
    assert ends("rent of $12,500 $14,750 a month") == ["$12,500", "$14,750"]


def test_cells() -> None:
    shown = parse_quantity("1.240", Convention(",", True))
    assert shown is not None and shown.value == 1240
    dose = parse_quantity("<5")
    assert dose is not None and dose.bounded
    assert parse_quantity("12 Million") is not None
    assert parse_number("1.240", Convention(",")) == Decimal(1240)
    assert parse_number("1,240", Convention(",")) == Decimal("1.24")


def test_dollars_that_a_text_names_by_their_country() -> None:
    said = "a reference to dollars is to the currency of Australia"
    assert named_dollars(said) == {"AUD"}
    assert named_dollars("payable in lawful money of the United States of America") == {"USD"}
    assert named_dollars("in Canadian funds") == {"CAD"}
    assert named_dollars("dollars") == frozenset()
    page = source(make_page(0, said, "The price is $9,000 each."))
    asked = check("value", element_id="p0-e1", expected_value="9000")
    assert verdict({**asked, "unit": "USD"}, page) == "unit_mismatch"
    assert verdict({**asked, "unit": "AUD"}, page) == "verified"
