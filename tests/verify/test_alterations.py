"""Quotations altered as lawyers mark them (contract section 5, rule 11)."""

import pytest
from verify_asking import ask, quote, verdict
from verify_pages import Block, FakeSource, make_page, para, source

from verify.alterations import MOST_PIECES
from verify.domain.document import ElementKind
from verify.report import AlterationKind, Limitation, Match, Status

CLAUSE = (
    "The Supplier shall indemnify the Buyer against all loss that arises from defects in the “Goods”, unless the Buyer"
    " caused them. The Buyer may not assign its right within thirty (30) days. It was recieved in Leeds."
)
DEED = source(make_page(0, CLAUSE, "Another paragraph ends the deed."))


@pytest.mark.parametrize(
    "text",
    [
        "The Supplier shall indemnify the Buyer … from defects",
        "The Supplier shall indemnify the Buyer […] from defects",
        "The Supplier shall indemnify the Buyer [. . .] from defects",
        "The Supplier shall indemnify the Buyer (...) from defects",
        "The Supplier shall indemnify the Buyer . . . from defects",
        "The Supplier shall indemnify the Buyer * * * from defects",
        "The Supplier shall indemnify the Buyer *** from defects",
        "The Supplier shall indemnify the Buyer .... The Buyer may not assign",
        "… shall indemnify the Buyer …",
        "[t]he Supplier shall indemnify",
        "all loss that [A]rises from defects",
        "The Supplier [Alder Supplies Limited] shall indemnify the Buyer",
        "[Alder] shall indemnify [Birch] against all loss",
        "The Supplier shall indemnify [it] against all loss",
        "It was recieved [sic] in Leeds.",
        "It was recieved (sic) in Leeds.",
        "The Supplier shall indemnify the Buyer (emphasis added)",
        "“The Supplier shall indemnify the Buyer” (emphasis added; citations omitted).",
        "The Supplier shall indemnify (footnote omitted) the Buyer",
        "“The Supplier shall indemnify the Buyer”",
        "'The Supplier shall indemnify the Buyer.'",
        "«The Supplier shall indemnify the Buyer»",
        "“The Supplier shall indemnify the Buyer”,",
        "The Supplier shall indemnify the Buyer,",
        "The Supplier shall indemnify the Buyer.",
        "from defects in the ‘Goods’, unless",
        "“[t]he Supplier shall indemnify … from defects in the ‘Goods’.” [emphasis in original]",
    ],
)
def test_a_marked_alteration_is_verified_as_one(text: str) -> None:
    result = ask(quote(text), DEED)
    assert (result.status, result.match) == (Status.VERIFIED, Match.ALTERED), (result.reason, result.limitations)
    assert Limitation.ALTERED_QUOTATION in result.limitations and result.alterations


@pytest.mark.parametrize(
    "text",
    [
        "The Supplier shall pay the Buyer … from defects",  # another word
        "from defects … The Supplier shall indemnify",  # another order
        "The Suppl … indemnify",  # part of a word
        "within [sixty] (30) days",  # a number
        "within thirty ([60]) days",
        "within [30 days or so] days",
        "The Supplier [may] indemnify the Buyer",  # a modal verb
        "The Supplier [never] shall indemnify the Buyer",  # a negation
        "The Supplier [won’t] shall indemnify the Buyer",
        "The Buyer [is free to] assign its right",  # stands for "may not"
        "shall [un]indemnify the Buyer",  # the beginning of a word
        "The Supplier [x] from defects in the “Goods”",  # more than eight words
        "the Supplier shall indemnify",  # case without a bracket
        "[t]his Supplier shall indemnify",
        "The Supplier shall indemnify the Buyer!",
        "The Buyer may [sell]",  # stands for "not"
        "[He may] not assign",  # stands for "may"
        "its right within [a fair time]",  # stands for a number
        "[…]",
        "[Alder]",
        "The Supplier shall indemnify sic the Buyer",
        "The Supplier shall indemnify ...... the Buyer against",  # a leader of dots
        "any [Remainder of page intentionally left blank]",  # hardly anything is quoted
        "The Supplier [ * * * * * ] shall indemnify the Buyer",
    ],
)
def test_what_the_rule_does_not_name_is_no_alteration(text: str) -> None:
    assert ask(quote(text), DEED).status is not Status.VERIFIED


def test_a_word_is_not_cut_by_a_mark() -> None:
    assert verdict(quote("The Supplier shall indem … the Buyer"), DEED) == "text_mismatch"
    assert verdict(quote("“The Supplier shall indem”"), DEED) == "text_mismatch"


def kinds(text: str, deed: FakeSource = DEED) -> list[tuple[str, str, str]]:
    return [(a.kind.value, a.expected, a.found) for a in ask(quote(text), deed).alterations]


def test_what_was_changed_is_said_with_its_place() -> None:
    assert kinds("[t]he Supplier shall indemnify [it] … from defects") == [
        ("case", "[t]", "T"),
        ("omission", "…", "the Buyer against all loss that arises"),
        ("replacement", "[it]", "the Buyer against all loss that arises"),
    ]
    assert kinds("indemnify [it] against") == [("replacement", "[it]", "the Buyer")]
    assert kinds("indemnify [only] the Buyer") == [("insertion", "[only]", "")]
    assert kinds("recieved [sic] in Leeds") == [("sic", "[sic]", "")]
    assert kinds("“The Supplier shall” (emphasis added)") == [
        ("quotation_mark", "“", ""), ("remark", "(emphasis added)", ""),
    ]  # fmt: skip
    assert kinds("in the 'Goods',") == [("quotation_mark", "'", "“"), ("quotation_mark", "'", "”")]
    assert kinds("the Buyer … in the “Goods”, unless")[-1][0] == "omission"
    result = ask(quote("indemnify [it] against"), DEED)
    (one,) = result.alterations
    assert (one.start, one.end) == (CLAUSE.index("the Buyer") - 1, CLAUSE.index("against"))
    assert result.evidence is not None
    assert result.evidence.text == "indemnify the Buyer against"
    assert CLAUSE[result.evidence.start : result.evidence.end] == result.evidence.text


def test_left_out_conditions_and_paragraphs_are_said() -> None:
    assert Limitation.QUALIFIER_LEFT_OUT in ask(quote("from defects … the Buyer caused them"), DEED).limitations
    assert Limitation.QUALIFIER_LEFT_OUT not in ask(quote("The Supplier shall … the Buyer"), DEED).limitations
    over = ask(quote("It was recieved … ends the deed"), DEED)
    assert Limitation.CROSSES_ELEMENTS in over.limitations
    assert over.evidence is not None and over.evidence.element_ids == ("p0-e0", "p0-e1")


def test_several_places_and_own_texts() -> None:
    twice = source(make_page(0, "It is due now. It is paid now."))
    assert ask(quote("It … now"), twice).occurrences == 2
    note = source(make_page(0, "Body.", para("It is due at once.", kind=ElementKind.ANNOTATION)))
    result = ask(quote("It … at once", element_id="p0-e1"), note)
    assert result.status is Status.VERIFIED
    assert [(a.start, a.end) for a in result.alterations] == [(None, None)]


def test_a_nearer_piece_that_may_not_be_bridged_does_not_hide_one_that_may() -> None:
    page = source(make_page(0, "The fee is not due, the sum is due."))
    assert verdict(quote("The fee is … due"), page) == "verified"
    assert kinds("the sum [it] due", page) == [("replacement", "[it]", "is")]
    assert verdict(quote("The fee [x] due"), page) == "text_mismatch"


def test_a_literal_mark_is_no_alteration() -> None:
    page = source(make_page(0, "The fee … is [***] due (emphasis added)."))
    for text in ("The fee … is [***] due (emphasis added).", "The fee ... is [***] due"):
        assert ask(quote(text), page).match is not Match.ALTERED


def test_an_altered_quotation_on_another_page_and_over_a_break() -> None:
    pages = source(
        make_page(0, "It waits."), make_page(1, "The rent is due, and it runs"), make_page(2, "on for a year.")
    )
    assert verdict(quote("The rent … and it runs", 0), pages) == "evidence_on_other_page"
    over = ask(quote("The rent … it runs on for", 1, end_page_index=2), pages)
    assert (over.status, over.match) == (Status.VERIFIED, Match.ALTERED)


def test_marks_of_notes_may_be_left_out() -> None:
    page = make_page(
        0, para("The goods1 are due² today.", spans=[(9, 10, "note_mark")]), Block("1 See below.", ElementKind.FOOTNOTE)
    )
    deed = source(page)
    result = ask(quote("The goods are due today."), deed)
    assert (result.status, result.match) == (Status.VERIFIED, Match.ALTERED)
    assert [(a.kind, a.found) for a in result.alterations] == [
        (AlterationKind.NOTE_MARK, "1"), (AlterationKind.NOTE_MARK, "²"),
    ]  # fmt: skip
    assert ask(quote("The goods1 are due² today."), deed).match is Match.EXACT
    for text in ("The goods are due² today.", "The goods1 are due today."):
        assert ask(quote(text), deed).match is Match.ALTERED
    tight = source(make_page(0, para("The goods1by sea.", spans=[(9, 10, "note_mark")])))
    for text in ("The goods by sea.", "The goods1 by sea."):
        assert ask(quote(text), tight).match is Match.ALTERED
    assert ask(quote("The goods"), deed).match is Match.EXACT
    assert verdict(quote("The land is 120 m wide"), source(make_page(0, "The land is 120 m² wide"))) == "text_mismatch"


def test_too_many_pieces_are_not_looked_for() -> None:
    page = source(make_page(0, " ".join(f"word{i}" for i in range(MOST_PIECES + 1))))
    some = " … ".join(f"word{i}" for i in range(MOST_PIECES))
    assert verdict(quote(some), page) == "verified"
    assert verdict(quote(f"{some} … word{MOST_PIECES}"), page) == "text_mismatch"


def test_a_bracket_does_not_reach_over_a_long_stretch_without_words() -> None:
    page = source(make_page(0, "The fee is" + " -" * 300 + " due at once."))
    assert verdict(quote("The fee is [payable] due at once"), page) == "text_mismatch"
    assert verdict(quote("The fee is … due at once"), page) == "verified"


def test_no_more_remarks_than_a_few_are_taken_off_the_end() -> None:
    page = source(make_page(0, "The fee is due."))
    assert verdict(quote("“The fee is due”" + " (emphasis added)" * 4), page) == "verified"
    assert verdict(quote("“The fee is due”" + " (emphasis added)" * 5), page) == "text_mismatch"


def test_half_a_bracket_beside_a_mark_is_no_mark() -> None:
    assert verdict(quote("The Supplier shall indemnify the Buyer * * * ]"), DEED) == "text_mismatch"
    assert verdict(quote("The Supplier shall indemnify the Buyer [ * * *"), DEED) == "text_mismatch"
