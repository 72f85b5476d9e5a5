"""Which words around a quotation turn it (contract section 5, rule 5; the list pincite-qualifiers-2)."""

import pytest

from verify.qualifiers import left_out, turned, turns_back
from verify.sentences import Span

QUOTED = "the Supplier shall pay the fee"
LONG = "on the terms that the parties have set out in full in the schedule to this agreement"


def turns(text: str, quoted: str = QUOTED) -> bool:
    at = text.index(quoted)
    return turned(text, Span(0, len(text)), Span(at, at + len(quoted)))


@pytest.mark.parametrize(
    "text",
    [
        f"Nothing in this deed means that {QUOTED}.",
        f"It doesn't follow that {QUOTED}.",
        f"It won’t be that {QUOTED}.",
        f"If the goods arrive, and if they are sound, {QUOTED}.",
        f"To the extent that the law requires it, {QUOTED}.",
        f"The Claimant alleges that {QUOTED}.",
        f"The Buyer denies that {QUOTED}.",
        f"Only if it is asked in writing {LONG} {QUOTED}.",
        f"Notwithstanding any word that is found anywhere {LONG}, {QUOTED}.",
        f"It waits; unless it is said otherwise in the long schedule to this deed, {QUOTED}.",
        f"As said, {QUOTED} {LONG}, unless it is waived.",
        f"As said, {QUOTED} {LONG} if the goods arrive.",
        f"As said, {QUOTED}, provided that it is asked.",
        f"Provided it is asked, {QUOTED}.",
        f"As said, {QUOTED}; this shall not apply in May.",
        f"In no event save this one shall it be that {QUOTED}.",
        f"Other than in May {QUOTED}.",
        f"The party is prohibited from saying that {QUOTED}.",
        f"The party lacks proof that {QUOTED}.",
        f"The following is non-binding, namely that {QUOTED}.",
    ],
)
def test_a_word_that_governs_the_quotation_turns_it(text: str) -> None:
    assert turns(text)


@pytest.mark.parametrize(
    "text",
    [
        f"The Buyer may not assign its right {LONG}, and {QUOTED}.",
        f"As said, {QUOTED} {LONG}, but the Buyer need not do so.",
        f"As said, {QUOTED} {LONG} and it is not the Buyer.",
        f"As provided in clause 5, {QUOTED}.",
        f"The services provided by it end, and {QUOTED}.",
        f"Including without limitation the above, {QUOTED}.",
        f"The subject of this deed is clear and {QUOTED}.",
        f"If it rains {LONG}; it waits and {QUOTED}.",
        f"It is kept, other than the goods {LONG}, where {QUOTED}.",
        f"The Buyer alleges much {LONG}, and {QUOTED}.",
        f"As said, {QUOTED} as the Claimant alleges.",
        f"It is a long sentence {LONG} in which, if that is so, {QUOTED}.",
    ],
)
def test_a_word_in_another_clause_does_not(text: str) -> None:
    assert not turns(text)


def test_a_qualifier_that_the_quotation_cuts_in_two() -> None:
    assert turned("It is due subject to tax", Span(0, 24), Span(0, 17))
    assert not turned("It is due where it is", Span(0, 21), Span(0, 12))
    assert not turned("whole", Span(0, 5), Span(0, 5))


def test_what_begins_by_turning_back_and_what_was_left_out() -> None:
    text = "But it waits."
    assert turns_back(text, Span(0, len(text)))
    assert not turns_back("It waits.", Span(0, 9))
    assert left_out("if it rains") and left_out("that was not due") and left_out("it isn't due")
    assert not left_out("the goods of the Buyer alleges") and not left_out("without limitation")
