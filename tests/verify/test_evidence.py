"""Kept pages repeat every match, and nothing but what was kept."""

import copy
from dataclasses import replace
from typing import Any

import pytest
from verify_asking import AT, body, check, quote
from verify_pages import OTHER, FakeSource, FakeSources, make_page, para, source, table_block, with_table

from verify.domain.document import Origin
from verify.engine import verify_parsed
from verify.evidence import contradictions, evidence_document, kept_pages, recheck
from verify.report import CheckResult, Reason, Status
from verify.request import Request, parse_request

PAGES = [make_page(0, "The rent is due.", "The Tenant at the"), make_page(1, "House. However, it waits.")]
PAGES += [make_page(i, f"Filler page {i}.") for i in (2, 3, 4)]
PAGES.append(with_table(make_page(5, "Costs in $", table_block([["Item", "2025"]], [["Wall", "$5"]])), 1,
                        [["Item", "2025"]], [["Wall", "$5"]]))  # fmt: skip
PAGES.append(make_page(6, "The rent is late. In C$."))


def deed(**more: Any) -> FakeSource:
    return source(*PAGES, **more)


def parsed(*checks: Any) -> Request:
    return parse_request(
        body(*({**c, "check_id": f"v{i}"} if isinstance(c, dict) else c for i, c in enumerate(checks)))
    )


def both(request: Request, *sources: FakeSource) -> tuple[list[dict[str, Any]], list[CheckResult], list[CheckResult]]:
    document = evidence_document(request, FakeSources(*sources))
    first = verify_parsed(request, FakeSources(*sources), checked_at=AT, ocr_threshold=600)
    again = recheck(document, request, checked_at=AT, ocr_threshold=600)
    return document, list(first.checks), list(again.checks)


CELL = check("table_cell", 5, table_id="p5-t0", row_path=["Wall"], column_path=["2025"], expected_value="5", unit="CAD")


def test_every_verdict_is_repeated_from_the_kept_pages() -> None:
    request = parsed(
        quote("The rent is due."), quote("The Tenant at the House.", 0, end_page_index=1), CELL,
        quote("The rent was due."), quote("The rent is late."), quote("Tenant", 0, element_id="p6-e0"), 7,
        {**quote("x"), "source_id": "unknown"},
    )  # fmt: skip
    document, first, again = both(request, deed())
    assert [c.status for c in first[:3]] == [Status.VERIFIED] * 3
    assert contradictions(first, again) == []
    assert first[:3] == again[:3]
    assert [p["page_index"] for p in document[0]["pages"]] == [0, 1, 2, 5, 6]
    assert document[0]["dollars"] == ["CAD"]
    assert (first[4].reason, again[4].reason) == (Reason.EVIDENCE_ON_OTHER_PAGE, Reason.EVIDENCE_ON_OTHER_PAGE)


def test_only_pages_about_the_target_are_kept_of_a_check_that_failed() -> None:
    document, first, again = both(parsed(quote("never said anywhere", 3)), deed())
    assert [p["page_index"] for p in document[0]["pages"]] == [2, 3, 4]
    assert contradictions(first, again) == []


@pytest.mark.parametrize("odd", [{"now": None}, {"now": OTHER}, {"readable": False}], ids=["gone", "changed", "closed"])
def test_the_state_of_a_source_is_kept(odd: dict[str, Any]) -> None:
    document, first, again = both(parsed(quote("The rent is due.")), deed(**odd))
    assert first == again and first[0].status is not Status.VERIFIED
    assert document[0]["pages"] == []


def test_unread_pages_stay_unread() -> None:
    request = parsed(quote("The rent is due.", 1))
    _, first, again = both(request, source(PAGES[0], None))
    assert first == again and first[0].reason is Reason.DOCUMENT_UNREADABLE


def test_a_changed_word_or_box_is_found() -> None:
    request = parsed(quote("The rent is due."))
    document, first, _ = both(request, deed())
    for change in (_text, _box):
        bad = copy.deepcopy(document)
        change(bad[0]["pages"][0]["page"])
        with pytest.raises(ValueError, match="whose hash is kept"):
            recheck(bad, request, checked_at=AT, ocr_threshold=600)
    moved = copy.deepcopy(document)
    moved[0]["pages"][0]["page_index"] = 3
    with pytest.raises(ValueError, match="another page"):
        recheck(moved, request, checked_at=AT, ocr_threshold=600)
    assert contradictions(first, []) == [(first[0], None)]


def _text(page: dict[str, Any]) -> None:
    page["text"] = page["text"].replace("due", "not")


def _box(page: dict[str, Any]) -> None:
    page["box"][0] += 100


def test_a_stored_result_that_says_more_than_the_pages_is_contradicted() -> None:
    request = parsed(quote("The rent is owed."))
    document, first, again = both(request, deed())
    forged = [replace(first[0], status=Status.VERIFIED, reason=None)]
    assert contradictions(forged, again) == [(forged[0], again[0])]
    assert [page.index for page in kept_pages(document)] == [0, 1]


def test_scanned_words_come_back_as_they_were_and_hidden_words_stay_behind() -> None:
    page = make_page(0, para("Seen words", origin=Origin.OCR, confidence=700, hidden="a secret"), "End.")
    request = parsed(quote("a secret"), quote("Seen words"), quote("Seen words End."))
    document, first, again = both(request, source(page))
    assert [c.reason for c in first] == [Reason.TEXT_NOT_VISIBLE, None, None]
    assert first[1:] == again[1:] and again[0].status is not Status.VERIFIED
    assert contradictions(first, again) == []
    assert "secret" not in str(document)
