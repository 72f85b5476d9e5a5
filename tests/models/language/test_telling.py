"""Legal concepts: how they are asked for, and that what only lies near one does not tell it."""

import pytest

from models.language.concepts import flat
from models.language.telling import tellings, tellings_asked


def _tells(name: str, text: str) -> bool:
    return next(t for t in tellings() if t.name == name).told_in(flat(text))


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Is there a change of control clause?", "change_of_control"),
        ("Can the tenant hand the lease over to somebody else?", "assignment"),
        ("May they poach our engineers or other staff?", "no_poaching"),
        ("Who gets the inventions: are inventions assigned to the client?", "ip_assignment"),
        ("Which law governs it?", "governing_law"),
        ("What if the buyer pays late?", "late_payment"),
    ],
)
def test_a_question_in_plain_words_asks_for_the_concept(question: str, name: str) -> None:
    assert name in {t.name for t in tellings_asked(flat(question))}


@pytest.mark.parametrize(
    ("name", "telling", "near"),
    [
        ("change_of_control", "Upon a change in the control of the Supplier, the Buyer may terminate.",
         "The Supplier may acquire other companies and merge their stock lists."),
        ("insurance", "The Carrier shall maintain cargo insurance of not less than $1,000,000.",
         "The deposits are insured by the FDIC as deposit insurance provides."),
        ("minimum", "The Buyer shall purchase at least 400 units in each quarter.",
         "Either party may end this Agreement on a minimum of thirty (30) days notice."),
        ("non_compete", "During the Term the Agent shall not sell any product that competes with the Goods.",
         "The Agent shall use competent staff and quote a competitive price."),
        ("audit", "The Licensor may inspect the books and records of the Licensee once a year.",
         "The audited financial statements were delivered to the lender."),
        ("third_party", "There are no third-party beneficiaries of this Agreement.",
         "The life insurance beneficiary of the employee is named in Schedule 2."),
    ],
)  # fmt: skip
def test_what_lies_near_does_not_tell(name: str, telling: str, near: str) -> None:
    assert _tells(name, telling) and not _tells(name, near)
