"""Numbers, units and scales as printed (contract section 4; rules 4 and 8 of section 5)."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.numbers import parse_number, parse_quantity, quantities
from verify.units import parse_statement
from verify.values import off_by_power_of_ten


@pytest.mark.parametrize(
    ("text", "value", "unit", "word"),
    [
        ("12.4", "12.4", None, None),
        ("(475)", "-475", None, None),
        ("−0.8", "-0.8", None, None),
        ("–0.8", "-0.8", None, None),
        ("+3", "3", None, None),
        ("475-", "-475", None, None),
        ("$0.40", "0.40", "$", None),
        ("($1.7)", "-1.7", "$", None),
        ("$ (1.7)", "-1.7", "$", None),
        ("(12.4)%", "-12.4", "%", None),
        ("12.4 per cent", "12.4", "%", None),
        ("EUR 315,700", "315700", "EUR", None),
        ("315,700 EUR", "315700", "EUR", None),
        ("1 240 000", "1240000", None, None),
        ("1.240,50", "1240.50", None, None),
        ("1,240.50", "1240.50", None, None),
        ("1.240.500", "1240500", None, None),
        ("1’240", "1240", None, None),
        ("12,4", "12.4", None, None),
        ("0,125", "0.125", None, None),
        (".34", "0.34", None, None),
        ("4.2 million", "4200000", None, None),
        ("$4.2m", "4200000", "$", None),
        ("US$ 3 billion", "3000000000", "USD", None),
        ("27,450 dollars", "27450", "$", None),
        ("5 million Swiss francs", "5000000", "CHF", None),
        ("12 kg", "12", None, "kg"),
        ("12.4 °C", "12.4", None, "°C"),
        ("1,240*", "1240", None, None),
    ],
)
def test_a_cell_is_one_number(text: str, value: str, unit: str | None, word: str | None) -> None:
    quantity = parse_quantity(text)
    assert quantity is not None
    assert (quantity.value, quantity.unit, quantity.word) == (Decimal(value), unit, word)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "n/a",
        "–",
        "1.2.3",
        "1,2,3",
        "1.240,50,1",
        "(5",
        "5)",
        "2019–2024",
        "12.4 and 13",
        "1,24.5",
        "4.2m",
        "0,240,1",
    ],
)
def test_what_cannot_be_read_one_way_is_not_read(text: str) -> None:
    assert parse_quantity(text) is None


def test_what_is_no_number() -> None:
    assert parse_number("x") is None
    assert off_by_power_of_ten(Decimal(0), Decimal(5)) is False


def read(text: str) -> list[tuple[str, str | None, str | None]]:
    return [(str(q.value), q.unit, q.word) for q in quantities(text)]


def test_numbers_in_running_text() -> None:
    assert read("It employed 1,240 people.") == [("1240", None, "people")]
    assert read("It earned EUR 315,700 from boards.") == [("315700", "EUR", None)]
    assert read("upon thirty (30) days") == [("30", None, "days")]
    assert read("a loss of (1.7)") == [("-1.7", None, None)]
    assert read("5% here, 5 per cent there") == [("5", "%", None), ("5", "%", None)]
    assert read("3 percentage points") == [("3", None, "percentage")]


def test_digits_inside_a_longer_token_are_no_number() -> None:
    assert read("p17 A-3 7(3) 11:15 1/2 12-month 3/4/2026 x_5 5_x 1.2.3") == []


@pytest.mark.parametrize(
    ("text", "unit", "scale", "word"),
    [
        ("Table 1. Revenue by service (US$ in millions)", "USD", 10**6, None),
        ("Table 2. Operating costs ($ in thousands)", "$", 10**3, None),
        ("Results (US$ in millions, except per share data)", "USD", 10**6, None),
        ("Share of revenue (%)", "%", None, None),
        ("Growth in percent", "%", None, None),
        ("USD in thousands", "USD", 10**3, None),
        ("€ million", "EUR", 10**6, None),
        ("£’000", "GBP", 10**3, None),
        ("$000", "$", 10**3, None),
        ("(USDm)", "USD", 10**6, None),
        ("TEUR", "EUR", 10**3, None),
        ("x 1,000", None, 10**3, None),
        ("Amounts in thousands of euros", "EUR", 10**3, None),
        ("All figures in millions of Canadian dollars, unless stated otherwise", "CAD", 10**6, None),
        ("Revenue in EUR (in thousands)", "EUR", 10**3, None),
        ("Weight (kg)", None, None, "kg"),
        ("Revenue in 2025", None, None, None),
        ("Table 5. Berths", None, None, None),
        ("Dollar bonds", None, None, None),
    ],
)
def test_what_a_statement_says(text: str, unit: str | None, scale: int | None, word: str | None) -> None:
    stated = parse_statement(text)
    assert (stated.unit, stated.scale, stated.word, stated.clash) == (unit, scale, word, False)


@pytest.mark.parametrize("text", ["(USD, EUR)", "(in thousands) (in millions)", "Amounts in thousands or millions"])
def test_two_units_or_scales_clash(text: str) -> None:
    assert parse_statement(text).clash


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**12), st.integers(0, 2), st.booleans())
def test_grouped_numbers_come_back_exactly(number: int, places: int, negative: bool) -> None:
    value = Decimal(number).scaleb(-places)
    text = f"{value:,}"
    assert parse_number(text) == value
    shown = parse_quantity(f"({text})" if negative else text)
    assert shown is not None and shown.value == (-value if negative else value)
