"""The order of the stages and what each refuses (contract section 5)."""

import pytest
from verify_asking import AT, ask, body, check, quote, report, verdict
from verify_pages import GOOD, OTHER, Block, FakeSources, make_page, source

from verify.domain.document import ElementKind, SourceStatus
from verify.engine import verify
from verify.report import Reason, Status

PAGE = make_page(0, "The Tenant shall pay the rent.", label="i", bates="AB 0001")
RENT = quote("The Tenant shall pay the rent.")


def test_every_reason_has_the_status_of_the_contract() -> None:
    expected = {
        Status.MISMATCH: 10, Status.NOT_FOUND: 9, Status.STALE: 1, Status.CAPABILITY_LIMITED: 12, Status.INVALID: 7,
        Status.DENIED: 1,
    }  # fmt: skip
    assert {s: sum(r.status is s for r in Reason) for s in expected} == expected
    assert Reason.DOCUMENT_UNREADABLE.status is Status.CAPABILITY_LIMITED
    assert Reason.UNKNOWN_KIND.status is Status.INVALID


def test_a_source_of_another_matter_is_unknown() -> None:
    assert verdict({**RENT, "source_id": "../deed"}, source(PAGE)) == "source_unknown"


def test_access_comes_before_the_bytes() -> None:
    closed = source(PAGE, readable=False, now=None)
    assert ask(RENT, closed).status is Status.DENIED
    assert closed.hashed == 0


@pytest.mark.parametrize(
    ("now", "status", "fingerprint", "reason"),
    [
        (None, SourceStatus.INDEXED, GOOD, "source_missing"),
        (GOOD, SourceStatus.MISSING, GOOD, "source_missing"),
        (OTHER, SourceStatus.INDEXED, GOOD, "fingerprint_changed"),
        (GOOD, SourceStatus.INDEXED, OTHER, "fingerprint_changed"),
        (OTHER, SourceStatus.INDEXED, OTHER, "fingerprint_changed"),
        (OTHER, SourceStatus.NEEDS_PASSWORD, GOOD, "fingerprint_changed"),
        (GOOD, SourceStatus.NEEDS_PASSWORD, GOOD, "document_locked"),
        (GOOD, SourceStatus.UNREADABLE, GOOD, "document_unreadable"),
        (GOOD, SourceStatus.UNSUPPORTED, GOOD, "document_unreadable"),
        (GOOD, SourceStatus.PARTIAL, GOOD, "verified"),
    ],
)
def test_bytes_and_state_of_the_source(now: str | None, status: SourceStatus, fingerprint: str, reason: str) -> None:
    one = {**RENT, "document_fingerprint": fingerprint}
    assert verdict(one, source(PAGE, now=now, status=status)) == reason  # type: ignore[arg-type]


def test_a_file_is_hashed_once_a_request() -> None:
    deed = source(PAGE)
    report(*({**RENT, "check_id": f"c{i}"} for i in range(5)), sources=(deed,))
    assert deed.hashed == 1


def test_the_page_must_exist_and_have_been_read() -> None:
    deed = source(PAGE, None)
    assert verdict({**RENT, "page_index": 2}, deed) == "page_out_of_range"
    assert verdict({**RENT, "end_page_index": 2}, deed) == "page_out_of_range"
    assert verdict({**RENT, "page_index": 1}, deed) == "document_unreadable"
    assert verdict({**RENT, "end_page_index": 1}, deed) == "document_unreadable"


def test_labels_and_bates_are_compared_as_they_stand() -> None:
    deed = source(PAGE, make_page(1, "Unlabelled."))
    assert verdict({**RENT, "page_label": "i", "bates": "AB 0001"}, deed) == "verified"
    assert verdict({**RENT, "page_label": "I", "element_id": "p0-e9"}, deed) == "label_mismatch"
    assert verdict({**RENT, "bates": "AB 0002"}, deed) == "label_mismatch"
    assert verdict(check("page", 1, page_label="2"), deed) == "label_mismatch"


def test_a_page_check_proves_the_page_alone() -> None:
    result = ask(check("page", page_label="i"), source(PAGE))
    assert result.status is Status.VERIFIED and result.evidence is not None
    assert (result.evidence.page_label, result.evidence.text, result.evidence.regions) == ("i", None, ())


def test_pages_without_readable_text() -> None:
    note = Block("Checked by hand", ElementKind.ANNOTATION)
    blank, odd = make_page(0, note), make_page(0, "Gbcdf ghjk.", note, garbled=True)
    assert verdict(quote("Checked by hand"), source(blank)) == "no_text_layer"
    assert verdict(quote("Gbcdf ghjk."), source(odd)) == "garbled_text"
    assert verdict(quote("Checked by hand", element_id="p0-e0"), source(blank)) == "verified"
    assert verdict(quote("Checked by hand", element_id="p0-e1"), source(odd)) == "verified"
    assert verdict(check("page"), source(odd)) == "verified"


def test_the_report_says_what_made_it_and_is_the_same_twice() -> None:
    sources = FakeSources(source(PAGE))
    raw = body(RENT, quote("never said", check_id="x", claim_id="k"))
    first = verify(raw, sources, checked_at=AT, ocr_engine="Tesseract 5.3.0").to_json()
    again = verify(raw, FakeSources(source(PAGE)), checked_at=AT, ocr_engine="Tesseract 5.3.0").to_json()
    assert first == again
    assert first["schema"] == "pincite.report/1" and first["checked_at"] == AT and first["all_verified"] is False
    assert first["verifier"] == {
        "version": "pincite-verify/1",
        "normalization_profiles": ["pincite-quote-1", "pincite-typographic-2", "pincite-qualifiers-2"],
        "parser": [{"name": "test", "version": "1", "profile": "grid"}],
        "ocr_engine": "Tesseract 5.3.0",
    }
    assert first["checks"][1] == {
        "check_id": "x", "claim_id": "k", "kind": "quote", "status": "mismatch", "reason": "text_mismatch",
        "match": None, "occurrences": 0, "limitations": [], "evidence": None, "found_elsewhere": [], "difference": [],
        "nearest": None, "alterations": [],
    }  # fmt: skip
    assert first["checks"][0]["evidence"] == {
        "source_id": "deed", "fingerprint": GOOD, "page_index": 0, "page_label": "i", "element_ids": ["p0-e0"],
        "text": "The Tenant shall pay the rent.", "sentence": "The Tenant shall pay the rent.", "start": 0, "end": 30,
        "regions": [{"page_index": 0, "bbox": [5000, 5000, 20000, 6000], "role": "text"}], "text_source": "native",
        "ocr_confidence": None, "before": None, "after": None,
    }  # fmt: skip


def test_an_empty_request_is_not_all_verified() -> None:
    assert report(sources=()).all_verified is False
    assert report(RENT, sources=(source(PAGE),)).all_verified is True
