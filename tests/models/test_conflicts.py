"""What contradicts what, on clauses of an invented services agreement and its amendment."""

import pytest

from models.conflicts import Statement, conflict_between
from models.drafts import ConflictKind

CONVENIENCE = (
    "12.2 The Customer may terminate this Agreement for convenience at any time upon not less than ninety (90) days’ "
    "written notice to the Supplier."
)
LONG_BREACH = (
    "12.3 The Customer may terminate this Agreement with immediate effect by written notice if a Temperature Breach "
    "lasts more than twenty-four hours."
)
REMEDY = (
    "12.1 Either party may terminate this Agreement with immediate effect by written notice if the other commits a "
    "material breach that is not remedied within thirty (30) days of a written notice that requires it."
)
COMPENSATION = (
    "12.5 If the Customer terminates under clause 12.2 before the second anniversary, it shall pay the Supplier a sum "
    "equal to two Monthly Fees."
)
REPLACED = (
    "“12.2 The Customer may terminate this Agreement for convenience at any time upon not less than forty-five (45) "
    "days’ written notice to the Supplier.”"
)
CLAUSE_12 = "\n".join((REMEDY, CONVENIENCE, LONG_BREACH, COMPENSATION))
FEE = "3. In consideration of this variation the annual fee is reduced by twelve thousand pounds (£12,000)."
AMENDMENT = f"2. Clause 12.2 of the Agreement is deleted and replaced by the following:\n{REPLACED}\n{FEE}"


def agreement(text: str) -> Statement:
    return Statement(text, CLAUSE_12, "agreement")


def between(first: str, second: str, source: str = "letter") -> tuple[ConflictKind, bool] | None:
    return conflict_between(Statement(first, first, "agreement"), Statement(second, second, source))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (CONVENIENCE, LONG_BREACH),
        (CONVENIENCE, REMEDY),
        (LONG_BREACH, REMEDY),
        (CONVENIENCE, COMPENSATION),
    ],
)
def test_clauses_about_different_things_do_not_conflict(first: str, second: str) -> None:
    assert conflict_between(agreement(first), agreement(second)) is None
    assert conflict_between(agreement(second), agreement(first)) is None


def test_an_amendment_changes_the_clause_that_it_names_and_no_other() -> None:
    amended = Statement(REPLACED, AMENDMENT, "amendment")
    assert conflict_between(agreement(CONVENIENCE), amended) == (ConflictKind.AMENDED, True)
    assert conflict_between(amended, agreement(CONVENIENCE)) == (ConflictKind.AMENDED, False)
    for other in (LONG_BREACH, REMEDY, COMPENSATION):
        assert conflict_between(agreement(other), amended) is None
    assert conflict_between(agreement(CONVENIENCE), Statement(FEE, AMENDMENT, "amendment")) is None


def test_one_thing_with_two_values_conflicts() -> None:
    first = "The delivery date of the first turbine is March 3, 2024."
    assert between(first, "The delivery date of the first turbine is May 9, 2024.") == (
        ConflictKind.DIFFERENT_VALUES, True,
    )  # fmt: skip
    assert between("The monthly rent is USD 900.", "The monthly rent of the store is USD 950.") is not None


def test_values_of_different_things_in_like_sentences_do_not_conflict() -> None:
    insurance = "The Supplier shall maintain public liability insurance of not less than £5,000,000 for each claim."
    fee = "The Supplier shall pay the lender a yearly arrangement charge of £12,000 for each claim."
    assert between(insurance, fee) is None


def test_without_regard_to_is_no_denial() -> None:
    law = "This Agreement is governed by the laws of Oregon"
    assert between(f"{law}.", f"{law}, without regard to its conflict of laws principles.") is None
    assert between("The Tenant may sublet the store.", "The Tenant may not sublet the store.") == (
        ConflictKind.NEGATED, True,
    )  # fmt: skip
