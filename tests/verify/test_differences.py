"""The nearest true text and how it differs (contract section 7)."""

import pytest
from verify_asking import ask, quote
from verify_pages import Block, make_page, source

from verify.domain.document import ElementKind
from verify.report import Nearest, Reason

LEASE = source(
    make_page(
        0,
        "The Tenant shall not assign the lease without consent of the Landlord.",
        "Notice is sixty (60) days from 30 June 2027 and the fee is EUR 48,250 a month.",
        "It may end on 2026-04-03, at 5% interest.",
        Block("Checked by Ms Hale", ElementKind.ANNOTATION),
    )
)


def differences(text: str, **fields: str) -> list[tuple[str, str, str]]:
    result = ask(quote(text, **fields), LEASE)
    assert result.reason is Reason.TEXT_MISMATCH
    return [(d.kind.value, d.expected, d.found) for d in result.difference]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Tenant shall assign the lease", [("negation", "shall", "shall not")]),
        ("The Tenant shall never assign the lease", [("word_changed", "never", "not")]),
        ("shall not assign the lease to anyone", [("negation", "to anyone", "without consent")]),
        ("The Landlord shall not assign the lease", [("party", "Landlord", "Tenant")]),
        ("The Tenant may not assign the lease", [("modal", "may", "shall")]),
        ("The tenant shall not assign the lease", [("case", "tenant", "Tenant")]),
        ("The Tenant shall not assign any lease", [("word_changed", "any", "the")]),
        ("The Tenant shall not ever assign the lease", [("word_added", "ever", "")]),
        ("The Tenant shall not assign lease without consent", [("word_missing", "", "the")]),
        ("The Tenant, shall not assign the lease", [("punctuation", ",", "")]),
        ("Notice is sixty (30) days from", [("number", "30", "60")]),
        ("Notice is thirty (60) days from", [("number", "thirty", "sixty")]),
        ("days from 30 July 2027 and", [("date", "July", "June")]),
        ("days from 31 June 2027 and", [("date", "31", "30")]),
        ("It may end on 2026-04-04, at", [("date", "2026-04-04", "2026-04-03")]),
        ("and the fee is EUR 48,520 a month", [("amount", "48,520", "48,250")]),
        ("and the fee is USD 48,250 a month", [("unit", "USD", "EUR")]),
        ("at 6% interest", [("amount", "6", "5")]),
    ],
)
def test_what_was_changed(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert differences(text) == expected


def test_the_nearest_true_text_is_offered() -> None:
    result = ask(quote("Notice is sixty (30) days from"), LEASE)
    assert result.nearest == Nearest(0, "p0-e1", "Notice is sixty (60) days from")
    held = ask(quote("Checked by Mr Hale", element_id="p0-e3"), LEASE)
    assert held.nearest == Nearest(0, "p0-e3", "Checked by Ms Hale")


def test_nothing_is_near_to_what_shares_few_words() -> None:
    result = ask(quote("Wholly unrelated words about ducks"), LEASE)
    assert (result.nearest, result.difference) == (None, ())


def test_a_quotation_longer_than_the_page() -> None:
    result = ask(quote("It may end on " + "and on " * 400), source(make_page(0, "It may end on and on.")))
    assert result.nearest is None
    near = ask(quote("must end on it"), source(make_page(0, "must end on")))
    assert near.nearest == Nearest(0, "p0-e0", "must end on")
    assert [d.kind.value for d in near.difference] == ["word_added"]


def test_nothing_is_near_in_an_empty_annotation() -> None:
    page = make_page(0, "Some text.", Block("", ElementKind.ANNOTATION))
    assert ask(quote("Some text.", element_id="p0-e1"), source(page)).nearest is None
