"""Sums and differences: exact where the sentences are plain, else left to a person."""

import pytest

from models.answering import answer
from models.drafts import Operation
from verify.domain.claim import ClaimType

FIRST = "The fee for the north depot is USD 14,500.50 a year."
SECOND = "The fee for the south depot is USD 12,400 a year."


@pytest.fixture
def ask(make_passage, run):
    def of(question: str, *sentences: str):
        shown = [make_passage(n, f"doc{n}", [(0, s)]) for n, s in enumerate(sentences, 1)]
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
    assert [c.quotation for c in claim.citations] == [FIRST, SECOND] and claim.calculation.operands == (0, 1)


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
