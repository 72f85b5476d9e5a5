"""What a text states, by meaning."""

import pytest

from models.language.values import ValueKind, spelled_number, values


def stated(text: str) -> list[tuple[str, set[str]]]:
    return [(value.kind.value, set(value.readings)) for value in values(text)]


@pytest.mark.parametrize(
    ("text", "kind", "readings"),
    [
        ("on December 31, 2020", "date", {"2020-12-31"}),
        ("the 1st day of May, 2019", "date", {"2019-05-01"}),
        ("31 December 2020", "date", {"2020-12-31"}),
        ("since March 2021", "date", {"2021-03"}),
        ("on 12/31/2020", "date", {"2020-12-31"}),
        ("on 3/4/21", "date", {"2021-03-04", "2021-04-03"}),
        ("2020-02-29", "date", {"2020-02-29"}),
        ("US$1.5 million", "amount", {"USD 1500000"}),
        ("$1,250,000.00", "amount", {"USD 1250000"}),
        ("10 thousand dollars", "amount", {"USD 10000"}),
        ("€ 40", "amount", {"EUR 40"}),
        ("five percent", "percent", {"5"}),
        ("12.5%", "percent", {"12.5"}),
        ("thirty (30) days' notice", "duration", {"30 day"}),
        ("30-day", "duration", {"30 day"}),
        ("a two-year term", "duration", {"2 year"}),
        ("2 (two) months", "duration", {"2 month"}),
        ("two hundred and fifty units", "number", {"250"}),
        ("$1.25M", "amount", {"USD 1250000"}),
        ("€3 bn", "amount", {"EUR 3000000000"}),
        ("five thousand pounds sterling", "amount", {"GBP 5000"}),
        ("3,200,000 Swiss francs", "amount", {"CHF 3200000"}),
        ("50 basis points", "percent", {"0.5"}),
        ("seven and a half percent", "percent", {"7.5"}),
        ("one and a half million bricks", "number", {"1500000"}),
        ("1.5 million bricks", "number", {"1500000"}),
        ("two-thirds of the shares", "number", {"2/3"}),
        ("a dozen inspections", "number", {"12"}),
        ("5 m wide", "number", {"5"}),
        ("1,200 units", "number", {"1200"}),
        ("A$14,500", "amount", {"AUD 14500"}),
        ("1.250.000,00 EUR", "amount", {"EUR 1250000"}),
        ("CHF 1'250'000.50", "amount", {"CHF 1250000.5"}),
        ("27,450 pounds", "amount", {"GBP 27450"}),
        ("USD 12 Million", "amount", {"USD 12000000"}),
        ("INR 3 lakh", "amount", {"INR 300000"}),
        ("EUR 1.240", "amount", {"EUR 1.24", "EUR 1240"}),
        ("2 1/2 %", "percent", {"2.5"}),
        ("12 000 bricks", "number", {"12000"}),
    ],
)
def test_one_value(text: str, kind: str, readings: set[str]) -> None:
    assert stated(text) == [(kind, readings)]


def test_a_value_inside_another_is_not_counted_twice() -> None:
    assert [kind for kind, _ in stated("pay $500 within 10 days of January 2, 2024")] == ["amount", "duration", "date"]


def test_agreement_is_by_reading_and_kind() -> None:
    (long,), (short,), (other,) = values("December 31, 2020"), values("12/31/2020"), values("1/31/2020")
    assert long.agrees_with(short) and not long.agrees_with(other)
    (bare,), (amount,), (percent,) = values("of 5"), values("$5"), values("5%")
    assert bare.agrees_with(amount) and bare.agrees_with(percent) and not amount.agrees_with(percent)
    (year,), (date,) = values("in 2020"), values("May 1, 2020")
    assert year.kind == ValueKind.NUMBER and not year.agrees_with(date)


def test_a_year_or_a_month_covers_its_dates() -> None:
    (year,), (month,), (day,), (other,) = (
        values("in 2020"),
        values("May 2020"),
        values("May 1, 2020"),
        values("2021-05-01"),
    )
    assert year.covers(day) and month.covers(day) and not day.covers(month)
    assert not year.covers(other) and not month.covers(other)


def test_spelled_numbers() -> None:
    assert spelled_number("twenty-one") == 21
    assert spelled_number("two hundred and fifty") == 250
    assert spelled_number("three million") == 3_000_000
    assert spelled_number("several") is None


def test_a_ligature_is_its_letters_and_places_are_those_of_the_text() -> None:
    text = "The ofﬁce closes ﬁfty-ﬁve (55) days after ﬁfteen per cent fall due."
    assert [(v.kind, v.readings) for v in values(text)] == [
        (ValueKind.DURATION, frozenset({"55 day"})), (ValueKind.PERCENT, frozenset({"15"})),
    ]  # fmt: skip
    assert [text[v.start : v.end] for v in values(text)] == ["ﬁfty-ﬁve (55) days", "ﬁfteen per cent"]
