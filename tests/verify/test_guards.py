"""Qualifiers outside a quotation (contract section 5, rule 5)."""

from dataclasses import replace

import pytest
from verify_asking import ask, quote
from verify_pages import Block, make_page, para, source

from verify.domain.document import ElementKind, Page
from verify.report import Limitation, Status

QUALIFIED = Limitation.QUALIFIER_OUTSIDE_QUOTE


def sentence(text: str, *pages: Page, page: int = 0, **fields: object) -> tuple[bool, str | None]:
    result = ask(quote(text, page, **fields), source(*pages))
    assert result.status is Status.VERIFIED, result.reason
    assert result.evidence is not None
    return QUALIFIED in result.limitations, result.evidence.sentence


@pytest.mark.parametrize(
    "line",
    [
        "No rent is due.", "The rent is not due.", "It cannot be that rent is due.", "Nor rent is due.",
        "Never is it so that rent is due.", "Neither way rent is due.", "None of the rent is due.",
        "Without notice the rent is due.", "The rent is due except on Sunday.", "All rent excepting that is due.",
        "All rent is due excluding tax.", "The rent is due unless waived.", "The rent is due until May.",
        "Provided that it rains, rent is due.", "Notwithstanding clause 5, rent is due.", "However, rent is due.",
        "Subject to clause 5, rent is due.", "The rent is due only if asked.", "Rent other than this is due.",
        "The rent is due save for tax.", "The rent is due save that it waits.", "In no event rent is due.",
        "It is due, subject\nto tax, that rent is due.", "It is not-\nwithstanding due; rent is due.",
        "It is no\u00adt so; rent is due.", "The rent is due; but not today.",
        "It is with-\nout doubt; rent is due.",
    ],
)  # fmt: skip
def test_every_listed_qualifier_in_the_sentence(line: str) -> None:
    found, whole = (
        sentence("due", make_page(0, f"A first one. {line} A last one."))
        if line.count("due") == 1
        else (sentence("rent is due", make_page(0, f"A first one. {line} A last one.")))
    )
    assert found and whole == line


@pytest.mark.parametrize(
    "line",
    [
        "The rent is due.", "Invoice No. 7 says the rent is due.", "A notable rent is due in Norway.",
        "The rent is due under Sec. 7.3 of the lease.", "The knot is tied and rent is due.",
    ],
)  # fmt: skip
def test_a_sentence_without_any(line: str) -> None:
    found, whole = sentence("rent is due", make_page(0, f"It is not so. {line} It can wait. Never mind."))
    assert not found and whole == line


def test_a_qualifier_inside_the_quotation_is_read_with_it() -> None:
    page = make_page(0, "The rent is not due. It waits.")
    assert sentence("The rent is not due", page)[0] is False
    assert sentence("is not", page)[0] is False
    subject = make_page(0, "The rent is due subject to notice.")
    assert sentence("The rent is due subject", subject)[0] is True


@pytest.mark.parametrize(
    ("following", "qualified"),
    [
        ("Except as provided in the next sentence, it waits.", True),
        ("This does not apply on Sunday.", True),
        ("“However”, it waits.", True),
        ("(2) Unless waived, it stays.", True),
        ("7.2 No rent is owed.", True),
        ("It is not owed.", False),
        ("I cannot pay.", False),
        ("This applies on Sunday.", False),
        ("Nothing is owed.", False),
    ],
)
def test_the_next_sentence_qualifies_by_how_it_begins(following: str, qualified: bool) -> None:
    found, whole = sentence("rent is due", make_page(0, f"The rent is due. {following} More."))
    assert found is qualified
    assert whole == (f"The rent is due. {following}" if qualified else "The rent is due.")


def test_the_next_sentence_is_of_the_same_paragraph() -> None:
    assert sentence("rent is due", make_page(0, "The rent is due.", "However, it waits."))[0] is False


def test_a_sentence_over_a_page_break() -> None:
    first = make_page(0, Block("Deed", ElementKind.HEADER), "The Tenant shall not", Block("3", ElementKind.PAGE_NUMBER))
    second = make_page(1, Block("Deed", ElementKind.HEADER), "pay the rent. It waits.")
    assert sentence("pay the rent", first, second, page=1) == (True, "The Tenant shall not\npay the rent.")
    assert sentence("The Tenant", first, second) == (True, "The Tenant shall not\npay the rent.")
    assert sentence("not pay the rent", first, second, page=0, end_page_index=1)[0] is False
    assert sentence("not pay the rent. It", first, second, page=0, end_page_index=1)[1] == (
        "The Tenant shall not\npay the rent. It waits."
    )


def test_a_paragraph_with_a_full_last_line_runs_over_the_page() -> None:
    full = make_page(0, "The rent is due on\nthe first of May. ")
    full = make_page(0, "The rent is payable\nby the first of May.")
    short = make_page(0, "The rent is payable\nby May.")
    after = make_page(1, "However, it may wait.")
    numbered = make_page(1, "5.2 However, it may wait.")
    assert sentence("first of May", full, after)[0] is True
    assert sentence("by May", short, after)[0] is False
    assert sentence("first of May", full, numbered)[0] is False
    assert sentence("first of May", full, make_page(1))[0] is False
    assert sentence("first of May", full, make_page(1, Block("However", ElementKind.HEADING)))[0] is False


def test_lists_and_split_paragraphs_on_one_page() -> None:
    items = [Block("(a) assign the lease;", ElementKind.LIST_ITEM), Block("(b) sublet.", ElementKind.LIST_ITEM)]
    page = make_page(0, "The Tenant shall not:", *items)
    assert sentence("sublet", page) == (True, "The Tenant shall not:\n(a) assign the lease;\n(b) sublet.")
    split = make_page(0, "The Tenant shall not", "pay the rent.", "Rent")
    assert sentence("pay the rent", split)[0] is True
    assert sentence("Dear Sirs", make_page(0, "Dear Sirs", "We do not pay."))[0] is False
    long = make_page(0, "It shall not:", *[Block(f"({i}) do thing{i};", ElementKind.LIST_ITEM) for i in range(12)])
    assert sentence("thing11", long)[0] is True  # the lead-in is found beyond what one sentence may run over
    assert sentence("thing0", long)[0] is True


def test_a_numbered_clause_on_the_next_page_is_a_sentence_of_its_own() -> None:
    clause = make_page(1, "5.2 The Tenant shall not sublet.")
    assert sentence("Rent is due", make_page(0, "Rent is due"), clause)[0] is False
    assert sentence("Rent is due", make_page(0, "Rent is due, and"), clause)[0] is True
    item = make_page(1, Block("(b) not sublet.", ElementKind.LIST_ITEM))
    assert sentence("Rent is due", make_page(0, "Rent is due"), item)[0] is True


def test_furniture_has_no_neighbours() -> None:
    page = make_page(0, Block("Deed of lease", ElementKind.HEADER), "It shall not be due.")
    assert sentence("Deed of lease", page) == (False, "Deed of lease")


def test_a_quotation_over_two_elements_keeps_both_sentences() -> None:
    page = make_page(0, Block("Rent", ElementKind.HEADING), "It is due now. It is not owed.")
    assert sentence("Rent It is due", page) == (False, "Rent\n\nIt is due now.")


@pytest.mark.parametrize(("language", "checked"), [("en", True), ("en-GB", True), (None, True), ("fr", False)])
def test_another_language_than_english_is_not_checked(language: str | None, checked: bool) -> None:
    result = ask(quote("is due"), source(make_page(0, "It is due, not now.", language=language)))
    expected = QUALIFIED if checked else Limitation.QUALIFIERS_NOT_CHECKED
    assert result.limitations == (expected, Limitation.PARTIAL_SENTENCE)


def test_annotations_stand_alone() -> None:
    page = make_page(0, "It shall not", para("be due. However, late.", kind=ElementKind.ANNOTATION))
    assert sentence("be due", page, element_id="p0-e1") == (True, "be due. However, late.")


def test_text_outside_every_element_has_no_sentence() -> None:
    page = replace(make_page(0, "The rent is due."), elements=())
    assert sentence("is due", page) == (False, None)


def test_the_words_around_are_there_for_a_person() -> None:
    page = make_page(0, "A first one. The rent is due. A last one.")
    result = ask(quote("The rent is due."), source(page))
    assert result.evidence is not None and result.limitations == ()
    assert (result.evidence.before, result.evidence.after) == ("A first one.", "A last one.")
    under = replace(page, elements=(replace(page.elements[0], heading_path=("Lease", "Rent")),))
    result = ask(quote("A first one."), source(under))
    assert result.evidence is not None and (result.evidence.before, result.evidence.after) == (
        "Rent",
        "The rent is due.",
    )


def item(text: str) -> Block:
    return Block(text, ElementKind.LIST_ITEM)


def partial(text: str, *pages: Page) -> bool:
    return Limitation.PARTIAL_SENTENCE in ask(quote(text), source(*pages)).limitations


def test_an_item_of_a_list_is_part_of_its_lead_in() -> None:
    listed = make_page(0, "It waits. The Tenant shall not:", item("(a) Sublet."), item("(b) Build."))
    result = ask(quote("Build."), source(listed))
    assert QUALIFIED in result.limitations and Limitation.PARTIAL_SENTENCE in result.limitations
    assert result.evidence is not None and result.evidence.before == "The Tenant shall not:"
    plain = make_page(0, "The list ends.", item("(a) Sublet."), item("(b) Build."))
    assert not partial("Build.", plain) and not partial("Build.", make_page(0, item("(a) Build.")))
    long = make_page(0, "It shall not:", *[item(f"({i}) Do thing{i}.") for i in range(70)])
    assert partial("Do thing5.", long) and not partial("Do thing69.", long)


@pytest.mark.parametrize(
    ("line", "quoted", "expected"),
    [
        ("• The rent is due.", "The rent is due.", False),
        ("(a) The rent is due.", "The rent is due.", False),
        ("¶ 5. The rent is due.", "The rent is due.", False),
        ("7.2.1 The rent is due.", "The rent is due", False),
        ("“The rent is due.”3 More.", "The rent is due", False),
        ("Le loyer est dû, dit-il.", "Le loyer est dû", True),
        ("So the rent is due.", "the rent is due.", True),
        ("The rent is due 5.", "The rent is due", True),
    ],
)
def test_a_proper_part_of_a_sentence(line: str, quoted: str, expected: bool) -> None:
    assert partial(quoted, make_page(0, line)) is expected
