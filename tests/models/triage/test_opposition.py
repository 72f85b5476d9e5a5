"""What turns a statement around beside a sentence that says nearly the same, and what only sounds like it."""

import pytest

from models.triage.opposition import Opposed, opposed

PAID = "Buyer shall pay Seller within thirty (30) days after the delivery of the Goods."
LICENSED = "Licensor hereby grants to Licensee an exclusive, worldwide license."


@pytest.mark.parametrize(
    ("claim", "sentence", "kind"),
    [
        ("The Seller shall pay the Buyer within thirty days after delivery.", PAID, Opposed.PARTIES),
        ("Licensee grants Licensor an exclusive license.", LICENSED, Opposed.PARTIES),
        ("The Buyer shall pay the Seller within thirty days before delivery.", PAID, Opposed.COMPARISON),
        ("The Buyer shall pay the Seller within sixty days after delivery.", PAID, Opposed.VALUES),
        ("The Buyer shall pay the Seller within thirty months after delivery.", PAID, Opposed.VALUES),
        ("The Buyer shall not pay the Seller within thirty days after delivery.", PAID, Opposed.NEGATION),
        ("The Buyer may pay the Seller within thirty days after delivery.", PAID, Opposed.MODALITY),
        ("Licensor grants Licensee a non-exclusive license.", LICENSED, Opposed.OPPOSITE),
        ("Notice is given at most ten days ahead.", "Notice is given at least ten days ahead.", Opposed.COMPARISON),
        ("The cap is $5 million.", "The cap is $5 billion.", Opposed.VALUES),
        ("The cap is €5 million.", "The cap is $5 million.", Opposed.VALUES),
        ("It was signed on May 3, 2021.", "It was signed on May 3, 2022.", Opposed.VALUES),
    ],
)
def test_what_is_turned_around_has_a_name(claim: str, sentence: str, kind: Opposed) -> None:
    assert opposed(claim, sentence) == {kind}


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The Buyer must pay the Seller within 30 days after delivery.", PAID),
        ("Licensor grants Licensee an exclusive license.", LICENSED),
        ("The Seller is paid by the Buyer within thirty days after delivery.", PAID),
        ("It may not assign without consent.", "It may not assign without the prior consent of the other party."),
        ("The rent is paid before the first of May.", "After the term, keys and badges are returned to the porter."),
        (
            "Congress did not intend to require dismissal for a breach.",
            "Had Congress intended to require dismissal for a breach, it would have said so.",
        ),
        ("The offense does not match the definition.", "We are not persuaded that the offense matches the definition."),
    ],
)
def test_other_words_for_the_same_are_no_opposites(claim: str, sentence: str) -> None:
    assert opposed(claim, sentence) == frozenset()
