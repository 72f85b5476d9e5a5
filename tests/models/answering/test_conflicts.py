"""What contradicts what, on clauses of an invented services agreement and its amendment."""

import pytest

from models.answering.conflicts import Statement, conflict_between
from models.answering.drafts import ConflictKind

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


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("I signed the deed on March 3, 2020.", "Ms. Vane signed the deed on March 5, 2020.", "different_values"),
        ("Mr. Oduya paid $5,000 in cash to the foreman.", "Mr. Oduya paid $7,500 in cash to the foreman.",
         "different_values"),
        ("I signed the safety checklist on 2 May 2023.",
         "4. Ms. Adler signed the safety checklist on 9 May 2023, after the accident.", "different_values"),
        ("The meeting lasted two hours.", "The meeting lasted about four hours.", "different_values"),
        ("3. There were four people in the hall.", "7. There were six people in the hall.", "different_values"),
        ("The van was going at 30 miles an hour.", "The van was going at 55 miles an hour.", "different_values"),
        ("The fire alarm was working that night.", "The fire alarm was not working that night.", "negated"),
        ("Dr. Hale never examined the patient.", "Dr. Hale examined the patient.", "negated"),
    ],
)  # fmt: skip
def test_two_witnesses_who_say_otherwise_conflict(first, second, kind) -> None:
    assert between(first, second) == between(second, first) == (ConflictKind(kind), True)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The Tenant shall pay USD 900 for the first year.", "The Tenant shall pay USD 950 for the second year."),
        ("Mr. Adler signed the contract on March 3, 2020.", "Mr. Boone signed the contract on March 5, 2020."),
        ("Invoice 12 has a total of USD 400.", "Invoice 14 has a total of USD 700."),
        ("The lease of Unit A ends on May 1, 2022.", "The lease of Unit B ends on May 1, 2023."),
        ("The rent of the mill was USD 900 in 2020.", "The rent of the mill was USD 950 in 2021."),
        ("Section 4 requires notice of 30 days.", "Section 9 requires notice of 60 days."),
        ("The van was not insured at the time of the crash.", "The van was insured before the time of the crash."),
        ("The Supplier shall not disclose the Customer's data to third parties.",
         "The Customer shall disclose the Supplier's data to third parties."),
        ("The Tenant may sublet with consent.", "The Tenant may not sublet without consent."),
        ("This Agreement is governed by the laws of New York.",
         "This Agreement is governed by the laws of Delaware, without regard to conflicts of law."),
        ("Confidential Information does not include what is public.",
         "If anybody publishes the confidential information, the breaching party shall take every reasonable measure, "
         "including an injunction, to prevent its spread to the public."),
    ],
)  # fmt: skip
def test_what_is_said_of_two_things_does_not_conflict(first, second) -> None:
    assert between(first, second) is None and between(second, first) is None


def test_the_number_of_a_clause_alone_relates_no_two_documents() -> None:
    changed = "12.2 After a word is first seen in a text, it is more likely to be seen again."
    amended = Statement("Clause 12.2 of the Agreement is deleted.", AMENDMENT, "amendment")
    assert conflict_between(Statement(changed, changed, "paper"), amended) is None
