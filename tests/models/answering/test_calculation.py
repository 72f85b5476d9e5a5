"""Sums, differences, ratios and days: exact where the sentences are plain, else left to a person."""

from dataclasses import replace
from decimal import Decimal

import pytest

from models.answering.answering import answer
from models.answering.calculation import sentence_of
from models.answering.drafts import Operation
from verify.domain.claim import CitedValue, ClaimType

FIRST = "The fee for the north depot is USD 14,500.50 a year."
SECOND = "The fee for the south depot is USD 12,400 a year."


@pytest.fixture
def ask(make_passage, run):
    def of(question: str, *sentences: str):
        shown = [replace(make_passage(n, f"doc{n}", [(0, s)]), named=1.0) for n, s in enumerate(sentences, 1)]
        return run(answer(question, shown, None))[0]

    return of


@pytest.mark.parametrize(
    ("question", "operation", "result"),
    [
        ("What is the difference between the fee for the north depot and the south depot?", Operation.DIFFERENCE,
         "2100.5"),
        ("What is the total of the fee for the north depot and the south depot?", Operation.SUM, "26900.5"),
    ],
)  # fmt: skip
def test_two_amounts(ask, question, operation, result) -> None:
    *facts, claim = ask(question, FIRST, SECOND)
    assert len(facts) == 2 and claim.claim_type == ClaimType.CALCULATION
    assert claim.calculation is not None
    assert (claim.calculation.operation, claim.calculation.result, claim.calculation.unit) == (operation, result, "USD")
    assert [c.quotation for c in claim.citations[:2]] == [FIRST, SECOND] and claim.calculation.operands == (2, 3)
    assert [c.value for c in claim.citations] == [
        None, None, CitedValue("14500.5", "USD"), CitedValue("12400", "USD"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "sentences"),
    [
        ("What is the fee for the north depot and the south depot?", (FIRST, SECOND)),
        ("What is the difference between the fee for the north depot and the south depot?",
         (FIRST, SECOND.replace("USD", "EUR"))),
        ("What is the difference between the fee for the north depot and the south depot?",
         (FIRST, SECOND.replace("a year", "a year, or USD 10 a day"))),
    ],
)  # fmt: skip
def test_what_is_not_plain_is_left_to_a_person(ask, question, sentences) -> None:
    assert all(claim.claim_type != ClaimType.CALCULATION for claim in ask(question, *sentences))


RENT = "The rent of the mill is USD 1,100 a month."
TAX = "The tax of the mill is USD 700 a month."


@pytest.mark.parametrize(
    ("question", "result", "text"),
    [
        ("What percentage of the rent of the mill is the tax of the mill?", "7/11",
         "USD 700 is about 63.64 % of USD 1100."),
        ("What is the tax of the mill as a percentage of the rent of the mill?", "7/11",
         "USD 700 is about 63.64 % of USD 1100."),
        ("What is the ratio of the rent of the mill to the tax of the mill?", "11/7",
         "USD 1100 is about 157.14 % of USD 700."),
    ],
)  # fmt: skip
def test_a_ratio_is_exact_and_says_what_is_over_what(ask, question, result, text) -> None:
    claim = ask(question, RENT, TAX)[-1]
    assert claim.calculation is not None and claim.text == text
    assert (claim.calculation.operation, claim.calculation.result, claim.calculation.unit) == ("ratio", result, None)


def test_a_ratio_with_a_finite_form_is_not_about(ask) -> None:
    claim = ask("What percentage of the rent of the mill is the tax of the mill?", RENT.replace("1,100", "1,400"), TAX)[
        -1
    ]
    assert claim.text == "USD 700 is 50 % of USD 1400." and claim.calculation.result == "0.5"


SIGNED = "The signing of the mill lease was on March 3, 2020."
NOTICE = "The notice for the mill lease was on 1 April 2020."
DAYS = "How many days lie between the signing and the notice for the mill lease?"


def test_days_between_two_dates(ask) -> None:
    claim = ask(DAYS, NOTICE, SIGNED)[-1]
    assert claim.calculation is not None
    assert (claim.calculation.operation, claim.calculation.result, claim.calculation.unit) == (
        "days_between",
        "29",
        "days",
    )
    assert claim.text == "From 2020-03-03 to 2020-04-01 it is 29 days, the first day not counted."
    assert [c.quotation for c in claim.citations] == [SIGNED, NOTICE, "March 3, 2020", "1 April 2020"]
    assert claim.calculation.operands == (2, 3)


@pytest.mark.parametrize(
    ("question", "sentences"),
    [
        (DAYS, (SIGNED, NOTICE.replace("1 April 2020", "01/04/2020"))),  # 4 January or 1 April
        (DAYS, (SIGNED, NOTICE.replace("1 April 2020", "April 2020"))),
        (DAYS, (SIGNED, NOTICE.replace("1 April 2020", "June 31, 2020"))),
        ("What percentage of income is paid for the mill?", (RENT, TAX)),  # neither is named
        (
            "How many days of notice does the mill lease require after the signing?",
            (SIGNED, NOTICE, NOTICE.replace("1", "2")),
        ),
    ],
)
def test_what_is_no_plain_date_or_ratio_is_left_to_a_person(ask, question, sentences) -> None:
    assert all(claim.claim_type != ClaimType.CALCULATION for claim in ask(question, *sentences))


@pytest.mark.parametrize(
    ("question", "worked_out"),
    [
        ("How many days lie between 3 March 2020 and the notice for the mill lease?", True),
        ("How many days lie between the signing in March 2020 and the notice for the mill lease?", True),
        ("How many days lie between 7 March 2020 and 1 April 2020, the notice for the mill lease?", False),
        ("How many days lie between 7 March 2020 and 9 June 2020, for the mill lease?", False),
    ],
)
def test_days_between_the_dates_that_a_question_names_or_none(ask, question, worked_out) -> None:
    claims = ask(question, SIGNED, NOTICE)
    assert any(claim.claim_type == ClaimType.CALCULATION for claim in claims) == worked_out


def test_an_amount_that_a_question_names_is_one_of_the_two(ask) -> None:
    asked = "By how much does the rent of the mill exceed USD {}, the tax of the mill?"
    assert ask(asked.format(700), RENT, TAX)[-1].calculation.result == "400"
    assert all(claim.calculation is None for claim in ask(asked.format(650), RENT, TAX))


MANY = "1" + 30 * "0"


def test_numbers_of_any_length_are_exact_or_left_to_a_person(ask) -> None:
    rent = RENT.replace("1,100", MANY)
    total = ask("What is the total of the rent of the mill and the tax of the mill?", rent, TAX)[-1]
    assert total.calculation.result == "1" + 27 * "0" + "700"
    share = ask("What percentage of the tax of the mill is the rent of the mill?", rent, TAX)[-1]
    assert share.calculation.result == f"{MANY[:-2]}/7" and share.text.endswith("142857142857.14 % of USD 700.")
    endless = ask("What percentage of the tax of the mill is the rent of the mill?", rent.replace(MANY, 5 * MANY), TAX)
    assert all(claim.calculation is None for claim in endless)


def test_a_sum_of_several_is_said_in_millions_where_that_is_exact() -> None:
    three = [("USD", Decimal(74_500_000)), ("USD", Decimal(69_800_000)), ("USD", Decimal(66_000_000))]
    assert sentence_of(Operation.SUM, *three) == (
        "The sum of USD 74.5 million, USD 69.8 million and USD 66 million is USD 210.3 million."
    )
    odd = [("", Decimal("17425")), ("", Decimal("27837.5")), ("", Decimal("1234567"))]
    assert sentence_of(Operation.SUM, *odd) == "The sum of 17425, 27837.5 and 1234567 is 1279829.5."
