"""What the spans of elements put on a check: struck, deleted, generated text, raised digits (rules 6 and 13)."""

import pytest
from verify_asking import ask, check, quote, verdict
from verify_pages import make_page, para, source, table_block, with_table

from verify.report import Limitation, Status


@pytest.mark.parametrize(
    ("kind", "limitation"),
    [
        ("struck", Limitation.STRUCK_THROUGH),
        ("deleted", Limitation.DELETED_TEXT),
        ("inserted", Limitation.INSERTED_TEXT),
        ("comment", Limitation.COMMENT_TEXT),
        ("quoted_reply", Limitation.QUOTED_REPLY),
    ],
)
def test_a_kind_of_text_puts_its_limitation_on_what_touches_it(kind: str, limitation: Limitation) -> None:
    page = source(make_page(0, "First paragraph.", para("The rent is not due.", spans=[(12, 15, kind)])))
    whole = ask(quote("The rent is not due."), page)
    assert whole.status is Status.VERIFIED and limitation in whole.limitations
    assert limitation not in ask(quote("The rent is"), page).limitations
    assert limitation not in ask(quote("First paragraph."), page).limitations
    value = source(make_page(0, para("The fee is 500 a day.", spans=[(11, 14, kind)])))
    assert limitation in ask(check("value", element_id="p0-e0", expected_value="500"), value).limitations


def test_what_the_program_wrote_is_no_evidence() -> None:
    page = source(make_page(0, para("Comment by Ann: pay 500 now", spans=[(0, 15, "generated")])))
    assert verdict(quote("Comment by Ann:"), page) == "text_mismatch"
    assert verdict(quote("Ann: pay"), page) == "text_mismatch"
    assert verdict(quote("pay 500 now"), page) == "verified"


def test_a_raised_digit_is_no_digit_of_a_number() -> None:
    exponent = source(
        make_page(0, para("The load is 102 kN, 5 m2.", spans=[(14, 15, "superscript"), (23, 24, "superscript")]))
    )
    assert verdict(quote("The load is 102 kN"), exponent) == "text_mismatch"
    assert verdict(quote("The load is 10² kN"), exponent) == "verified"
    assert verdict(quote("The load is 10"), exponent) == "partial_word"
    assert verdict(quote("5 m2."), exponent) == "verified"
    for value in ("10", "100"):
        asked = check("value", element_id="p0-e0", expected_value=value)
        assert verdict(asked, exponent) == "value_ambiguous"
    note = source(make_page(0, para("The load is 5003 kN.", spans=[(15, 16, "note_mark")])))
    assert verdict(quote("The load is 500"), note) == "verified"
    assert verdict(quote("The load is 500 kN."), note) == "verified"
    assert verdict(check("value", element_id="p0-e0", expected_value="500"), note) == "verified"
    assert verdict(check("value", element_id="p0-e0", expected_value="5003"), note) == "value_mismatch"


def test_a_cell_is_read_without_the_marks_of_notes() -> None:
    rows = [["Wall", "5003"]]
    page = make_page(0, table_block([["Item", "2025"]], rows, spans=[(22, 23, "note_mark")]))
    assert page.text[22] == "3"
    deed = source(with_table(page, 0, [["Item", "2025"]], rows))
    asked = {"table_id": "p0-t0", "row_path": ["Wall"], "column_path": ["2025"]}
    assert verdict(check("table_cell", **asked, expected_value="500"), deed) == "verified"
    assert verdict(check("table_cell", **asked, expected_value="5003"), deed) == "value_mismatch"


def test_own_texts_have_spans_too() -> None:
    from verify.domain.document import ElementKind

    note = para("Paid in full", kind=ElementKind.ANNOTATION, spans=[(0, 4, "struck")])
    page = source(make_page(0, "Body.", note))
    assert Limitation.STRUCK_THROUGH in ask(quote("Paid in full", element_id="p0-e1"), page).limitations
