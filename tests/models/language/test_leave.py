"""Yes or no by a clause that lets, bars, or lets only with a consent. The answers were worked out by a person."""

import pytest

from models.language.concepts import flat
from models.language.leave import answer_of
from models.language.wording import stem_set

FREE = "The Grazier may sublet the Meadow without the consent of the Parish."
BOUND = "The Grazier shall not sublet the Meadow without the prior written consent of the Parish."
ONLY = "The Grazier may sublet the Meadow only with the Parish's written approval."
UNLESS = "The Grazier shall not keep goats unless the Parish agrees in writing."
MIXED = "The Grazier may keep sheep on the Meadow, but may not light fires."


@pytest.mark.parametrize(
    ("clause", "question", "right"),
    [
        (FREE, "May the grazier sublet the meadow without consent?", "Yes"),
        (FREE, "May the grazier sublet the meadow?", "Yes"),
        (FREE, "Is the grazier prohibited from subletting?", "No"),
        (BOUND, "May the grazier sublet without the parish's consent?", "No"),
        (BOUND, "May the grazier sublet with the parish's consent?", "Yes"),
        (BOUND, "Is the parish's consent required to sublet?", "Yes"),
        (BOUND, "Is the grazier barred from subletting the meadow?", "Yes"),
        (ONLY, "Can the grazier sublet without approval?", "No"),
        (ONLY, "Can the grazier sublet with approval?", "Yes"),
        (UNLESS, "Is the grazier allowed to keep goats?", "No"),
        (UNLESS, "May the grazier keep goats without permission?", "No"),
        (UNLESS, "May the grazier keep goats if the parish agrees?", "Yes"),
        (MIXED, "May the grazier keep sheep?", "Yes"),
        (MIXED, "May the grazier light fires?", "No"),
        (MIXED, "May the grazier hold a fair?", ""),
        ("Nothing in this Lease prevents the Grazier from selling hay.", "May the grazier sell hay?", "Yes"),
        ("Nothing in this Lease prevents the Grazier from selling hay.", "Is the grazier stopped from selling?", "No"),
        ("The consent of the Parish is not required for a sublease.", "Is consent required for a sublease?", "No"),
        ("The Grazier need not obtain the Parish's consent to sell.", "Can he sell without consent?", "Yes"),
        ("The Parish shall not unreasonably withhold consent to subletting.", "May he sublet without consent?", "No"),
        ("Neither party may assign this Lease.", "May either party assign the lease?", "No"),
        ("The Parish may enter on a day's notice.", "May the parish enter without notice?", ""),
        ("The Parish may enter without notice.", "May the parish enter without notice?", "Yes"),
        ("Either party may end this Lease on notice under this Agreement.", "Can a party end the lease?", "Yes"),
        ("The Meadow has four gates.", "May the grazier shut the gates?", ""),
        ("The rent was never paid.", "Was the rent paid?", None),
    ],
)  # fmt: skip
def test_a_clause_says_yes_no_or_not_which(clause: str, question: str, right: str | None) -> None:
    assert answer_of(flat(question), flat(clause), stem_set((question,))) == right
