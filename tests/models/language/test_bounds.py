"""What bounds a value from below and from above, and clauses about one and another."""

import pytest

from models.language.bounds import Bound, bounded, bounds_agree, without_bounds
from models.language.clauses import clauses, closest_clause, value_of_another
from models.language.negation import Stance, at_odds, deny_alike, stance


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("at least 30 days", Bound.LEAST), ("not less than $500", Bound.LEAST), ("no fewer than four", Bound.LEAST),
        ("a minimum of 3 %", Bound.LEAST), ("more than 30 days", Bound.LEAST), ("30 days or more", Bound.LEAST),
        ("in excess of 40 hours", Bound.LEAST), ("after May 1, 2020", Bound.LEAST), ("must exceed 60", Bound.LEAST),
        ("at most 30 days", Bound.MOST), ("not more than $500", Bound.MOST), ("shall not exceed 60", Bound.MOST),
        ("a maximum of 3 %", Bound.MOST), ("within ten days", Bound.MOST), ("no later than 10 days", Bound.MOST),
        ("up to USD 500", Bound.MOST), ("by May 1, 2020", Bound.MOST), ("30 days or less", Bound.MOST),
        ("shall in no event be longer than five years", Bound.MOST), ("maximum order is 500 units", Bound.MOST),
        ("on May 1, 2020", None), ("pays $500", None),
    ],
)  # fmt: skip
def test_a_value_is_bounded_by_the_words_beside_it(text: str, bound: Bound | None) -> None:
    assert [found.bound for found in bounded(text)] == ([bound] if bound else [])


def test_bounds_are_compared_on_one_value() -> None:
    assert bounds_agree("At most 60 units.", "It shall not exceed 60 units.") is True
    assert bounds_agree("At least 60 units.", "It shall not exceed 60 units.") is False
    assert bounds_agree("At least 50 units.", "It shall not exceed 60 units.") is None
    assert without_bounds("It may be at most 60 units.", "It shall not exceed 60 units.") == (
        "It  quantity  units.", "It  quantity  units.",
    )  # fmt: skip
    fee, notice = "a fee of at most $5,000", "a notice of at least 30 days"
    bare = "a fee of  quantity ", "a notice of  quantity "
    assert without_bounds(f"It has {fee} and {notice}.", f"It has {notice} and {fee}.") == (
        f"It has {bare[0]} and {bare[1]}.", f"It has {bare[1]} and {bare[0]}.",
    )  # fmt: skip
    assert without_bounds("At least 5 units.", "At least 5 units, then no fewer than 5 units.") == (
        " quantity  units.", " quantity  units, then  quantity  units.",
    )  # fmt: skip


def test_clauses_part_at_conjunctions_and_not_in_a_date() -> None:
    sentence = "Comments are due by Feb. 12, 2024; replies are due by March 4, 2024."
    assert clauses(sentence) == ["Comments are due by Feb. 12, 2024", "replies are due by March 4, 2024."]
    assert clauses("The tenant pays for electricity and water.") == ["The tenant pays for electricity and water."]

    def nobody(text: str) -> frozenset[str]:
        return frozenset()

    assert value_of_another("Replies are due by Feb. 12, 2024.", sentence, nobody)
    assert not value_of_another("Replies are due by March 4, 2024.", sentence, nobody)
    paid = "Landlord pays all taxes, and Tenant pays for electricity and water."
    assert closest_clause("Electricity and water are paid.", paid, nobody) == ("Tenant pays for electricity and water.")


def test_what_a_rule_does_is_one_thing_or_left_open() -> None:
    assert stance("It may not be sold.") is stance("It is prohibited from sale.") is Stance.FORBIDS
    assert stance("It need not be sold.") is Stance.FREES and stance("It must be sold.") is Stance.OBLIGES
    assert stance("It may be sold but must not be lent.") is None and stance("It was sold.") is None
    assert deny_alike("He must not work.", "He is not permitted to work.")
    assert deny_alike("He need not come.", "He is not required to come.")
    assert at_odds("He may park.", "He is not permitted to park.") and at_odds("He need not pay.", "He shall pay.")
    assert not at_odds("It may be assigned with consent.", "It may not be assigned without consent.")
