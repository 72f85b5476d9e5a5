"""Quotations and regions on hand-made pages: scope, order of reasons, evidence."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verify_asking import ask, check, quote, report, verdict
from verify_pages import HEIGHT, WIDTH, Block, make_page, para, source

from verify.domain.document import ElementKind, Origin, TextSource
from verify.domain.geometry import Box
from verify.report import Elsewhere, Limitation, Match, Reason, Region, Role, Status

HEAD = Block("Deed of lease", ElementKind.HEADER)
FOOT = Block("7", ElementKind.PAGE_NUMBER)
NOTE = Block("1 As agreed.", ElementKind.FOOTNOTE, mark="1")
P0 = make_page(0, HEAD, "The Tenant shall pay the rent\nof EUR 48,250 for a five-\nyear term upon termi-\nnation.",
               "The Customer at the", NOTE, FOOT, label="i")  # fmt: skip
P1 = make_page(1, HEAD, "Reading House, with a note of it.", "The alarm code is changed.", FOOT, label="ii")
P2 = make_page(2, HEAD, "The alarm code is changed.", "The rent is due. The rent is due.", FOOT, label="iii")
DEED = source(P0, P1, P2)
BOX = {"coordinate_origin": "top-left"}


def test_exact_normalized_and_typographic() -> None:
    page = make_page(0, "The Tenant’s rent\nis due.")
    assert ask(quote("The Tenant’s rent\nis due."), source(page)).match is Match.EXACT
    assert ask(quote("The Tenant’s rent is due."), source(page)).match is Match.NORMALIZED
    assert ask(quote("The Tenant's rent is due."), source(page)).match is Match.TYPOGRAPHIC


def test_evidence_has_one_box_for_each_line() -> None:
    result = ask(quote("rent of EUR 48,250"), DEED)
    assert result.status is Status.VERIFIED and result.evidence is not None
    assert result.evidence.regions == (
        Region(0, Box(17500, 7400, 19500, 8400), Role.TEXT),
        Region(0, Box(5000, 8600, 11500, 9600), Role.TEXT),
    )
    start, end = result.evidence.start, result.evidence.end
    assert P0.text[start:end] == "rent\nof EUR 48,250"
    assert result.evidence.element_ids == ("p0-e1",)


@pytest.mark.parametrize(
    ("text", "page", "reason"),
    [
        ("The Tenant shall pay the rent", 0, "verified"),
        ("five-year term upon termination.", 0, "verified"),
        ("The Tenant shall not pay the rent", 0, "text_mismatch"),
        ("five year term", 0, "text_mismatch"),
        ("8,250", 0, "partial_word"),
        ("The Customer at the Reading House", 0, "continues_on_next_page"),
        ("The Customer at the Reading House", 1, "text_mismatch"),
        ("The alarm code is changed.", 0, "evidence_on_other_page"),
        ("The Customer at the Reading House", 2, "text_mismatch"),
    ],
)
def test_reasons(text: str, page: int, reason: str) -> None:
    assert verdict(quote(text, page), DEED) == reason


def test_where_else_the_words_stand() -> None:
    assert ask(quote("The alarm code is changed."), DEED).found_elsewhere == (
        Elsewhere(1, "ii", "p1-e2"),
        Elsewhere(2, "iii", "p2-e1"),
    )
    held = ask(quote("The rent is due.", 2, element_id="p2-e1"), DEED)
    assert (held.reason, held.found_elsewhere) == (Reason.TEXT_MISMATCH, (Elsewhere(2, "iii", "p2-e2"),))


def test_several_occurrences() -> None:
    result = ask(quote("The rent is due.", 2), DEED)
    assert (result.occurrences, result.limitations) == (2, (Limitation.MULTIPLE_OCCURRENCES,))
    assert ask(quote("The alarm code is changed.", 2), DEED).occurrences == 1


def test_over_a_page_break() -> None:
    text = "The Customer at the Reading House, with a note"
    result = ask(quote(text, 0, end_page_index=1), DEED)
    assert result.status is Status.VERIFIED and result.evidence is not None
    evidence = result.evidence
    assert [r.page_index for r in evidence.regions] == [0, 1]
    assert (P0.text[evidence.start :][:12], P1.text[: evidence.end][-11:]) == ("The Customer", "with a note")
    assert evidence.element_ids == ("p0-e2", "p1-e1")
    assert verdict(quote(text, 0, end_page_index=1, element_id="p0-e2"), DEED) == "verified"
    assert verdict(quote(text, 0, end_page_index=1, element_id="p0-e1"), DEED) == "text_mismatch"
    assert verdict(quote(text, 0, end_page_index=2), DEED) == "text_mismatch"
    assert verdict(quote("The Tenant shall pay", 0, end_page_index=1), DEED) == "text_mismatch"
    assert verdict(quote("The alarm code is changed.", 0, end_page_index=1), DEED) == "evidence_on_other_page"
    assert verdict(quote("ustomer at the Reading House", 0, end_page_index=1), DEED) == "partial_word"
    assert verdict(quote("The Tenant shall pay", 0, end_page_index=0), DEED) == "verified"
    assert verdict(quote("is due. Nothing", 2, end_page_index=2), DEED) == "text_mismatch"


def test_the_last_page_and_an_unread_next_page_continue_nowhere() -> None:
    assert verdict(quote("rent is due. Nothing more", 2), DEED) == "text_mismatch"
    assert verdict(quote("The Customer at the Reading House"), source(P0, None)) == "text_mismatch"


def test_a_word_broken_over_the_page_end_continues_too() -> None:
    pages = source(
        make_page(0, "One.", "The early termi-"), make_page(1, "nation of it and some post-"), make_page(2, HEAD)
    )
    assert verdict(quote("termination of it"), pages) == "continues_on_next_page"
    assert verdict(quote("The early termination"), pages) == "continues_on_next_page"
    assert verdict(quote("termination of it", end_page_index=1), pages) == "verified"
    assert verdict(quote("some postage", 1), pages) == "text_mismatch"


def test_a_footnote_mark_that_touches_a_word_is_outside_it() -> None:
    page = make_page(0, "The agreed Services1 begin2 at 10.", NOTE)
    assert verdict(quote("The agreed Services"), source(page)) == "verified"
    assert verdict(quote("Services1 begin"), source(page)) == "partial_word"
    assert (
        verdict(quote("The agreed Services", 0), source(make_page(0, "The agreed Services1 begin."))) == "partial_word"
    )
    over = source(make_page(0, "The agreed", NOTE), make_page(1, "Services1 begin."))
    assert verdict(quote("The agreed Services", 0, end_page_index=1), over) == "verified"


def test_a_quotation_cannot_run_over_more_pages_than_it_has_characters() -> None:
    pages = [make_page(i, f"Page {i}.") for i in range(9)]
    assert verdict(quote("Page 0", 0, end_page_index=8), source(*pages)) == "text_mismatch"


def test_texts_over_page_breaks_beyond_those_kept_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.reader.KEPT_BREAKS", 1)
    one = quote("The Customer at the Reading House", 0, end_page_index=1)
    two = quote("code is changed. The alarm code", 1, end_page_index=2)
    checks = report(*({**c, "check_id": f"c{i}"} for i, c in enumerate((one, one, two, one))), sources=(DEED,)).checks
    assert [c.status for c in checks] == [Status.VERIFIED] * 4


def test_elements() -> None:
    assert verdict(quote("EUR 48,250", element_id="p0-e1"), DEED) == "verified"
    assert verdict(quote("Customer", element_id="p0-e1"), DEED) == "text_mismatch"
    assert verdict(quote("EUR 48,250", element_id="p0-e99"), DEED) == "element_not_found"
    assert verdict(quote("EUR 48,250", element_id="p9-e1"), DEED) == "element_not_found"
    assert verdict(quote("EUR 48,250", element_id="nonsense"), DEED) == "element_not_found"
    assert verdict(quote("EUR 48,250", element_id="p1-e1"), DEED) == "locator_conflict"


def test_boxes() -> None:
    line = [5000, 7400, 19500, 8400]
    assert verdict(quote("The Tenant shall pay the rent", bbox=line, **BOX), DEED) == "verified"
    assert verdict(quote("pay the rent of EUR", bbox=line, **BOX), DEED) == "text_mismatch"
    assert verdict(quote("shall", bbox=[100, 100, 900, 900], **BOX), DEED) == "no_text_in_region"
    assert verdict(quote("shall", bbox=[0, 0, WIDTH, HEIGHT], **BOX), DEED) == "verified"
    assert verdict(quote("shall", bbox=[0, 0, WIDTH + 1, HEIGHT], **BOX), DEED) == "bad_geometry"
    assert verdict(quote("shall", bbox=line, element_id="p0-e1", **BOX), DEED) == "verified"
    assert verdict(quote("shall", bbox=line, element_id="p0-e2", **BOX), DEED) == "locator_conflict"
    assert verdict(quote("year", bbox=[5000, 9800, 7000, 10800], **BOX), DEED) == "partial_word"


def test_a_word_belongs_to_a_box_by_its_centre_half_a_point_beside_it_included() -> None:
    assert verdict(quote("shall", bbox=[11800, 7400, 20000, 8400], **BOX), DEED) == "verified"
    assert verdict(quote("shall", bbox=[11801, 7400, 20000, 8400], **BOX), DEED) == "text_mismatch"


def test_every_part_of_a_bound_word_must_lie_in_the_box() -> None:
    page = make_page(0, "Pay EUR\u00a04\u00a0200 now")
    held, cut = [7000, 5000, 12000, 6000], [7000, 5000, 10500, 6000]
    text = "EUR\u00a04\u00a0200"
    assert verdict(quote(text, bbox=held, **BOX), source(page)) == "verified"
    assert verdict(quote(text, bbox=cut, **BOX), source(page)) == "no_text_in_region"
    tall = page.words[1]._replace(box=Box(7000, 5000, 8000, 10000))
    turned = replace(page, words=(page.words[0], tall, page.words[2]))
    assert verdict(quote(text, bbox=[7000, 5000, 8000, 10000], **BOX), source(turned)) == "verified"
    assert verdict(quote(text, bbox=[7000, 5000, 8000, 8500], **BOX), source(turned)) == "no_text_in_region"


def test_nothing_is_stitched_over_words_outside_the_box() -> None:
    page = make_page(0, "The Supplier shall | never pay\nthe rent due today | and no more")
    left = [5000, 5000, 14000, 7200]
    assert verdict(quote("The Supplier shall the rent due today", bbox=left, **BOX), source(page)) == "text_mismatch"
    assert verdict(quote("the rent due today", bbox=left, **BOX), source(page)) == "verified"


def test_annotations_and_form_fields_are_texts_of_their_own() -> None:
    page = make_page(0, "Name:", Block("Museum of Dunmarrow", ElementKind.FORM_FIELD))
    field = page.elements[1].bbox
    result = ask(quote("Museum", element_id="p0-e1"), source(page))
    assert result.status is Status.VERIFIED and result.evidence is not None
    assert (result.evidence.start, result.evidence.end, len(result.evidence.regions)) == (None, None, 1)
    assert verdict(quote("Museum"), source(page)) == "text_mismatch"
    assert verdict(quote("Museum of Dunbarrow", element_id="p0-e1"), source(page)) == "text_mismatch"
    assert verdict(quote("Museum", element_id="p0-e1", bbox=list(field), **BOX), source(page)) == "verified"
    assert verdict(quote("Museum", element_id="p0-e1", bbox=[1, 1, 9, 9], **BOX), source(page)) == "locator_conflict"


def test_what_a_reader_cannot_see_never_verifies() -> None:
    page = make_page(0, para("The fee of was paid.", hidden="USD 74,300 in cash"), "End.")
    two = source(page, make_page(1, "USD 74,300 in cash"))
    assert verdict(quote("USD 74,300"), two) == "text_not_visible"
    assert verdict(quote("paid. USD 74,300 in cash End."), two) == "text_not_visible"
    assert verdict(quote("USD 74,3"), source(page)) == "text_mismatch"
    assert verdict(quote("USD 74,300 in cash", 1), two) == "verified"
    assert ask(quote("paid. End."), two).limitations[0] is Limitation.HIDDEN_TEXT_INSIDE
    hidden = page.words[5].box
    box = [hidden.x0, hidden.y0, hidden.x1, hidden.y1]
    assert verdict(quote("USD", bbox=box, **BOX), two) == "text_not_visible"
    assert verdict(quote("EUR", bbox=box, **BOX), two) == "no_text_in_region"
    assert verdict(quote("End.", bbox=box, **BOX), two) == "no_text_in_region"
    seen = make_page(0, para("x", hidden="a secret"))
    unseen = tuple(w._replace(start=0, end=0) for w in seen.words if not w.visible)
    bare = source(replace(seen, text="", elements=(), lines=(), words=unseen))
    assert verdict(quote("a secret"), bare) == "text_not_visible"
    assert verdict(quote("other words"), bare) == "no_text_layer"


def test_signs_that_the_file_gives_no_character_are_for_the_eye() -> None:
    """The page shows "P < 0.05"; its file does not say what stands between."""
    paper = source(make_page(0, "The risk is small (P \ufffd 0.05) and falls.", "Rent \ufffd\ufffd\ufffd\ufffd 12"))
    assert verdict(quote("The risk is small"), paper) == "verified"
    for words in ("small (P \ufffd 0.05) and", "small (P < 0.05) and", "small (P > 0.05) and"):
        assert verdict(quote(words), paper) == "garbled_text"
    assert ask(quote("small (P \ufffd 0.05) and"), paper).evidence is not None
    assert verdict(quote("small (P < 0.06) and"), paper) == "text_mismatch"
    assert verdict(quote("small (P 0.05) and falls"), paper) == "text_mismatch"
    assert verdict(quote("Rent \ufffd\ufffd\ufffd\ufffd 12"), paper) == "verified"  # a leader of dots
    assert verdict(quote("0.05) and falls"), paper) == "garbled_text"  # the sign may be a minus
    assert verdict(quote("and falls"), paper) == "verified"
    assert verdict(quote("12"), paper) == "verified"


def test_scans() -> None:
    scan = make_page(
        0, para("The cost is 27,450 dollars now", origin=Origin.OCR, confidence={"27,450": 550}), "Native."
    )
    deed = source(scan)
    sure = ask(quote("The cost is"), deed)
    assert sure.evidence is not None
    assert (sure.limitations, sure.evidence.text_source, sure.evidence.ocr_confidence) == (
        (Limitation.OCR_TEXT, Limitation.PARTIAL_SENTENCE), TextSource.OCR, 900,
    )  # fmt: skip
    unsure = ask(quote("cost is 27,450 dollars"), deed)
    assert (unsure.reason, unsure.evidence is not None) == (Reason.OCR_LOW_CONFIDENCE, True)
    assert ask(quote("cost is 27,450 dollars"), deed, ocr_threshold=500).status is Status.VERIFIED
    assert verdict(quote("cost is 27,950 dollars"), deed) == "ocr_low_confidence"
    assert ask(quote("cost is 27,950 dollars"), deed, ocr_threshold=500).reason is Reason.TEXT_MISMATCH
    assert verdict(quote("the price was 27,950"), deed) == "text_mismatch"
    mixed = ask(quote("now Native."), deed)
    assert mixed.evidence is not None and mixed.evidence.text_source is TextSource.MIXED


def test_a_surely_read_occurrence_is_enough() -> None:
    bad = para("is due today", origin=Origin.OCR, confidence=100)
    page = make_page(0, bad, para("is due today", origin=Origin.OCR, confidence=950))
    result = ask(quote("is due today"), source(page))
    assert result.status is Status.VERIFIED and result.evidence is not None
    assert (result.occurrences, result.evidence.element_ids) == (2, ("p0-e1",))


def test_an_ocr_layer_that_came_with_the_file() -> None:
    page = make_page(0, para("Old letter text", origin=Origin.EMBEDDED_OCR))
    result = ask(quote("Old letter"), source(page))
    assert result.limitations == (Limitation.OCR_TEXT, Limitation.EMBEDDED_OCR, Limitation.PARTIAL_SENTENCE)
    assert result.evidence is not None and result.evidence.ocr_confidence is None


def test_header_text_says_so() -> None:
    assert Limitation.HEADER_OR_FOOTER in ask(quote("Deed of lease"), DEED).limitations


LINE = {"bbox": [5000, 7400, 19500, 8400], **BOX}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The Tenant shall pay the rent", "verified"),
        ("The Tenant shall pay the", "text_mismatch"),
        ("The Tenant shall pay the rent gladly", "text_mismatch"),
        ("The alarm code is changed.", "evidence_on_other_page"),
    ],
)
def test_a_region_is_all_the_text_in_its_box(text: str, reason: str) -> None:
    assert verdict(check("region", expected_text=text, **LINE), DEED) == reason


def test_regions_of_scans_and_of_several_columns() -> None:
    assert verdict(check("region", expected_text="x", bbox=[1, 1, 9, 9], **BOX), DEED) == "no_text_in_region"
    low = make_page(0, para("The cost is due", origin=Origin.OCR, confidence=100))
    box = {"bbox": [0, 0, WIDTH, HEIGHT], **BOX}
    assert verdict(check("region", expected_text="The cost is due", **box), source(low)) == "ocr_low_confidence"
    page = make_page(0, "The Supplier’s | never pay\nthe rent due | and no more")
    left = {"bbox": [5000, 5000, 11500, 7200], **BOX}
    result = ask(check("region", expected_text="The Supplier's the rent due", **left), source(page))
    assert (result.match, result.status) == (Match.TYPOGRAPHIC, Status.VERIFIED)
    assert result.evidence is not None
    assert (result.evidence.start, result.evidence.text) == (None, "The Supplier’s the rent due")
    assert len(result.evidence.regions) == 2
    exact = ask(check("region", expected_text="The Supplier’s the rent due", **left), source(page))
    assert exact.match is Match.EXACT


WORDS = [f"w{i}" for i in range(30)]
LONG = make_page(0, HEAD, *(" ".join(WORDS[i : i + 5]) + "\n" + " ".join(WORDS[i + 5 : i + 10]) for i in (0, 10, 20)))


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 29), st.integers(1, 30))
def test_every_run_of_words_verifies_with_boxes_that_hold_them(first: int, count: int) -> None:
    text = " ".join(WORDS[first : first + count])
    result = ask(quote(text), source(LONG))
    assert result.status is Status.VERIFIED and result.evidence is not None
    words = [w for w in LONG.words if w.text in WORDS[first : first + count]]
    assert all(any(r.bbox.holds_centre_of(w.box) for r in result.evidence.regions) for w in words)
    assert len(result.evidence.regions) == len({w.line for w in words})
    box = [min(w.box.x0 for w in words), words[0].box.y0, max(w.box.x1 for w in words), words[-1].box.y1]
    inside = all(r.bbox.within(WIDTH, HEIGHT) for r in result.evidence.regions)
    assert inside and ask(quote(text, bbox=[0, box[1], WIDTH, box[3]], **BOX), source(LONG)).status is Status.VERIFIED


def test_pages_beyond_those_kept_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.reader.KEPT_PAGES", 2)
    assert verdict(quote("The alarm code is changed."), DEED) == "evidence_on_other_page"


def test_prepared_texts_serve_several_checks() -> None:
    page = make_page(0, para("Name:", hidden="a secret"), Block("Museum", ElementKind.FORM_FIELD))
    field = [quote("Museum", element_id="p0-e1", check_id=f"f{i}") for i in range(2)]
    secret = [quote("a secret", check_id=f"s{i}") for i in range(2)]
    statuses = [c.status for c in report(*field, *secret, sources=(source(page),)).checks]
    assert statuses == [Status.VERIFIED] * 2 + [Status.CAPABILITY_LIMITED] * 2


def test_blocks_side_by_side_are_not_read_across() -> None:
    page = source(make_page(0, Block("Signed by the Seller", left=30_000), "on 1 May in Leeds", "at noon"))
    assert verdict(quote("Signed by the Seller on 1 May"), page) == "text_mismatch"
    assert verdict(quote("Signed by … 1 May"), page) == "verified"
    crossing = ask(quote("in Leeds at noon"), page)
    assert Limitation.CROSSES_ELEMENTS in crossing.limitations
