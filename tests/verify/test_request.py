"""The request's schema (contract section 4): what fails it whole, and what fails one check."""

import json
from decimal import Decimal
from typing import Any

import pytest
from verify_asking import body, check, quote, report, verdict
from verify_pages import GOOD, make_page, source

from verify.domain.claim import Citation, CitedValue
from verify.domain.ids import CheckId, ClaimId, ElementId, SourceId
from verify.report import Reason, Status
from verify.request import BadCheck, Check, Kind, RequestError, build_request, parse_request

PAGE = make_page(0, "The Tenant shall pay the rent.", label="i", bates="AB 0001")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"[]",
        b'"x"',
        b"\xff\xfe",
        b"\xef\xbb\xbf" + body(),
        body().replace(b"request/1", b"request/2"),
        body(extra=True),
        b'{"schema":"pincite.request/1","checks":[]}',
        b'{"schema":"pincite.request/1","request_id":5,"checks":[]}',
        b'{"schema":"pincite.request/1","request_id":1.5,"checks":[]}',
        b'{"schema":"pincite.request/1","request_id":"r"}',
        b'{"schema":"pincite.request/1","request_id":"r","checks":{}}',
        b'{"schema":"pincite.request/1","request_id":"r","request_id":"r","checks":[]}',
        b'{"schema":"pincite.request/1","request_id":"r","checks":[{"page_index":NaN}]}',
        b'{"schema":"pincite.request/1","request_id":"r","checks":[{"page_index":-Infinity}]}',
        b'{"schema":"pincite.request/1","request_id":"r","checks":[{"a":1,"a":2}]}',
        b'{"schema":"pincite.request/1","request_id":"r","checks":["\\ud800"]}',
        b'{"schema":"pincite.request/1","request_id":"r","checks":[{"x":%s}]}' % (b"[" * 30 + b"]" * 30),
        b'{"schema":"pincite.request/1","request_id":"r","checks":%s}' % (b"[" * 100_000 + b"]" * 100_000),
        body(*[quote("x")] * 10_001),
    ],
)
def test_a_fault_of_the_whole_request(raw: bytes) -> None:
    with pytest.raises(RequestError) as error:
        parse_request(raw)
    assert error.value.code == "invalid_request"


def test_thirty_two_levels_are_allowed() -> None:
    parsed = parse_request(b'{"schema":"pincite.request/1","request_id":"r","checks":[%s]}' % (b"[" * 30 + b"]" * 30))
    assert parsed.checks == (BadCheck(None, None, None, Reason.SCHEMA_ERROR),)


def without(fields: dict[str, Any], *names: str) -> dict[str, Any]:
    return {k: v for k, v in fields.items() if k not in names}


Q = quote("The Tenant shall pay the rent.")
CELL = check("table_cell", table_id="p0-t0", row_path=["a"], column_path=["b"], expected_value="1")


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (5, "schema_error"),
        (without(Q, "check_id"), "schema_error"),
        ({**Q, "check_id": 7}, "schema_error"),
        ({**Q, "check_id": ""}, "schema_error"),
        ({**Q, "coordinate_origin": "middle"}, "schema_error"),
        (without(Q, "kind"), "schema_error"),
        ({**Q, "kind": 5}, "schema_error"),
        ({**Q, "kind": "Quote"}, "unknown_kind"),
        (without(Q, "source_id"), "schema_error"),
        ({**Q, "source_id": 17}, "schema_error"),
        (without(Q, "document_fingerprint"), "fingerprint_missing"),
        ({**Q, "document_fingerprint": ""}, "fingerprint_missing"),
        ({**Q, "document_fingerprint": GOOD.upper()}, "schema_error"),
        (without(Q, "page_index"), "schema_error"),
        ({**Q, "page_index": "0"}, "schema_error"),
        ({**Q, "page_index": 0.0}, "schema_error"),
        ({**Q, "page_index": True}, "schema_error"),
        ({**Q, "page_index": -1}, "schema_error"),
        ({**Q, "status": "verified"}, "schema_error"),
        ({**Q, "table_id": "p0-t0"}, "schema_error"),
        ({**Q, "expected_text": 12}, "schema_error"),
        ({**Q, "expected_text": 1.5}, "schema_error"),
        ({**Q, "expected_text": "a\uffffb"}, "schema_error"),
        (without(Q, "expected_text"), "evidence_missing"),
        ({**Q, "expected_text": ""}, "evidence_empty"),
        ({**Q, "expected_text": " § \u00ad\u200b — “”"}, "evidence_empty"),
        ({**Q, "end_page_index": "1"}, "schema_error"),
        ({**Q, "page_index": 1, "end_page_index": 0}, "schema_error"),
        ({**Q, "bbox": [0, 0, 100], "coordinate_origin": "top-left"}, "schema_error"),
        ({**Q, "bbox": [0, 0, 100, 10.5], "coordinate_origin": "top-left"}, "schema_error"),
        ({**Q, "bbox": "0,0,1,1", "coordinate_origin": "top-left"}, "schema_error"),
        ({**Q, "bbox": [0, 0, 100, True], "coordinate_origin": "top-left"}, "schema_error"),
        ({**Q, "bbox": [0, 0, 100, 100], "coordinate_origin": "middle"}, "schema_error"),
        ({**Q, "bbox": [5, 5, 5, 9], "coordinate_origin": "top-left"}, "bad_geometry"),
        ({**Q, "bbox": [-5, 5, 5, 9], "coordinate_origin": "top-left"}, "bad_geometry"),
        ({**Q, "bbox": [5, 5, 99_999, 9], "coordinate_origin": "top-left"}, "bad_geometry"),
        ({**Q, "bbox": [0, 0, 100, 100]}, "unknown_coordinate_origin"),
        ({**Q, "bbox": [0, 0, 100, 100], "coordinate_origin": "bottom-left"}, "unknown_coordinate_origin"),
        (check("page", expected_text="x"), "schema_error"),
        (check("region", expected_text="x"), "locator_missing"),
        (check("value", expected_value="5"), "locator_missing"),
        (check("value", element_id="p0-e0"), "evidence_missing"),
        (check("value", element_id="p0-e0", expected_value=""), "evidence_empty"),
        (check("value", element_id="p0-e0", expected_value="1e3"), "schema_error"),
        (check("value", element_id="p0-e0", expected_value="01"), "schema_error"),
        (check("value", element_id="p0-e0", expected_value="9" * 101), "schema_error"),
        (without(CELL, "table_id"), "locator_missing"),
        (without(CELL, "row_path"), "locator_missing"),
        (without(CELL, "expected_value"), "evidence_missing"),
        ({**CELL, "row_path": []}, "schema_error"),
        ({**CELL, "row_path": [5]}, "schema_error"),
        ({**CELL, "row_path": "a"}, "schema_error"),
        ({**CELL, "scale": 0}, "schema_error"),
        ({**CELL, "scale": "1000"}, "schema_error"),
    ],
)
def test_a_fault_of_one_check(one: Any, reason: str) -> None:
    results = report(one, {**Q, "check_id": "good"}, sources=(source(PAGE),)).checks
    assert (results[0].reason, results[1].status) == (reason, Status.VERIFIED)


def test_a_check_id_is_used_once() -> None:
    first, second = report(Q, Q, sources=(source(PAGE),)).checks
    assert (first.status, second.reason, second.check_id) == (Status.VERIFIED, Reason.SCHEMA_ERROR, "c")


def test_a_bad_check_keeps_what_can_be_named() -> None:
    bad = parse_request(body({**Q, "claim_id": "k", "expected_text": 5})).checks[0]
    assert bad == BadCheck(CheckId("c"), ClaimId("k"), "quote", Reason.SCHEMA_ERROR)


def test_an_empty_name_is_shown_as_it_came() -> None:
    bad = parse_request(body({**Q, "check_id": "", "kind": ""})).checks[0]
    assert bad == BadCheck(CheckId(""), None, "", Reason.SCHEMA_ERROR)


def test_null_is_as_good_as_absent_where_a_field_is_optional() -> None:
    one = {**Q, "claim_id": None, "page_label": None, "element_id": None, "bbox": None, "end_page_index": None}
    assert verdict(one, source(PAGE)) == "verified"


def test_the_hash_is_of_the_canonical_form() -> None:
    plain = parse_request(body(Q))
    spaced = parse_request(json.dumps(json.loads(body(Q)), indent=3, sort_keys=True).encode())
    other = parse_request(body({**Q, "page_index": 0.5}))
    assert plain.sha256 == spaced.sha256 != other.sha256
    assert plain.sha256.startswith("sha256:") and len(plain.sha256) == 71


def test_a_built_request_asks_what_was_cited() -> None:
    cited = Citation(SourceId("deed"), GOOD, 0, "i", "The Tenant shall pay the rent.", ElementId("p0-e0"))
    raw = build_request("a1", [(CheckId("v1"), ClaimId("k1"), cited), (CheckId("v2"), None, cited)])
    first, second = parse_request(raw).checks
    assert isinstance(first, Check) and isinstance(second, Check)
    assert (first.claim_id, second.claim_id, first.element_id, first.page_label) == ("k1", None, "p0-e0", "i")
    assert first.expected_text == cited.quotation
    assert raw == build_request("a1", [(CheckId("v1"), ClaimId("k1"), cited), (CheckId("v2"), None, cited)])


def test_a_cited_value_is_asked_as_a_number_in_its_element() -> None:
    place = (SourceId("deed"), GOOD, 0, "i", "It costs USD 5.", ElementId("p0-e0"))
    raw = build_request("a1", [(CheckId("v1"), None, Citation(*place, value=CitedValue("5", "USD")))])
    (one,) = parse_request(raw).checks
    assert isinstance(one, Check)
    assert (one.kind, one.expected_value, one.unit, one.expected_text) == (Kind.VALUE, Decimal(5), "USD", None)
