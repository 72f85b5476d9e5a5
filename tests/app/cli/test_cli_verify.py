"""verify as another program uses it: what the report says of real files, and what a fault of the request is."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Ids = Callable[[str], str]
QUOTATION = "upon sixty (60) days' written notice."


@pytest.fixture
def request_for(place: Any, ids: Ids, tmp_path: Path) -> Callable[..., str]:
    """Writes a request with one quote check of the lease's third page, fields changed as given."""

    def write(**changed: Any) -> str:
        fingerprint = "sha256:" + hashlib.sha256((place.matter / "lease.pdf").read_bytes()).hexdigest()
        check = {
            "check_id": "v1", "kind": "quote", "source_id": ids("lease.pdf"), "document_fingerprint": fingerprint,
            "page_index": 2, "page_label": "2", "expected_text": QUOTATION, **changed,
        }  # fmt: skip
        path = tmp_path / "request.json"
        path.write_text(json.dumps({"schema": "pincite.request/1", "request_id": "r1", "checks": [check]}), "utf-8")
        return str(path)

    return write


def test_a_true_quotation_is_verified_in_its_place(place: Any, request_for: Callable[..., str]) -> None:
    status, out, _ = place.run("verify", request_for(), "--strict", "--json")
    report = json.loads(out)
    assert (status, report["schema"], report["request_id"], report["all_verified"]) == (
        0, "pincite.report/1", "r1", True,
    )  # fmt: skip
    check = report["checks"][0]
    assert (check["status"], check["reason"], check["match"]) == ("verified", None, "exact")
    assert check["evidence"]["text"] == QUOTATION
    assert check["limitations"] == ["partial_sentence"]
    assert check["evidence"]["sentence"].startswith("The Tenant may terminate")
    assert len(check["evidence"]["regions"]) == 1


def test_an_altered_number_is_named(place: Any, request_for: Callable[..., str]) -> None:
    request = request_for(expected_text="upon thirty (30) days' written notice.")
    assert place.run("verify", request)[0] == 0
    status, out, _ = place.run("verify", request, "--strict", "--json")
    check = json.loads(out)["checks"][0]
    assert (status, check["status"], check["reason"]) == (1, "mismatch", "text_mismatch")


def test_a_terminal_says_what_differs_and_where_the_words_stand(place: Any, request_for: Callable[..., str]) -> None:
    _, out, _ = place.run("verify", request_for(expected_text="upon thirty (30) days' written notice."))
    assert "the page has other words" in out
    assert "cited “30”, the page has “60”" in out
    _, out, _ = place.run("verify", request_for(page_index=1, page_label="1"))
    assert out == "v1: Does not match the page: the words are on another page. The words are on p. 2 (PDF page 3).\n"


def test_changed_bytes_are_stale_and_a_deleted_file_is_missing(place: Any, request_for: Callable[..., str]) -> None:
    request = request_for()
    with (place.matter / "lease.pdf").open("ab") as file:
        file.write(b"\n% touched\n")
    check = json.loads(place.run("verify", request, "--json")[1])["checks"][0]
    assert (check["status"], check["reason"]) == ("stale", "fingerprint_changed")
    (place.matter / "lease.pdf").unlink()
    check = json.loads(place.run("verify", request, "--json")[1])["checks"][0]
    assert (check["status"], check["reason"]) == ("not_found", "source_missing")


def test_the_same_request_gives_the_same_report(place: Any, request_for: Callable[..., str]) -> None:
    request = request_for()
    first, second = (json.loads(place.run("verify", request, "--json")[1]) for _ in range(2))
    assert {**first, "checked_at": ""} == {**second, "checked_at": ""}


@pytest.mark.parametrize("raw", [b"{", b"\xff", b"[]", b'{"schema": "pincite.request/1", "schema": 1}', b"NaN"])
def test_a_fault_of_the_whole_request_is_an_error(place: Any, tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(raw)
    status, out, _ = place.run("verify", str(path), "--json")
    assert (status, json.loads(out)["code"]) == (2, "invalid_request")


def test_a_request_that_is_not_there(place: Any, tmp_path: Path) -> None:
    status, out, _ = place.run("verify", str(tmp_path / "none.json"), "--json")
    assert (status, json.loads(out)["code"]) == (3, "input_missing")


def test_a_revision_makes_the_old_citation_stale_and_keeps_the_id(
    place: Any, ids: Ids, request_for: Callable[..., str]
) -> None:
    request, source = request_for(), ids("lease.pdf")
    old = "sha256:" + hashlib.sha256((place.matter / "lease.pdf").read_bytes()).hexdigest()
    with (place.matter / "lease.pdf").open("ab") as file:
        file.write(b"\n% second version\n")
    place.run("index", "--no-dense")
    sources = {s["source_id"]: s for s in json.loads(place.run("sources", "--json")[1])["sources"]}
    superseded = f"{source}~{old[7:15]}"
    assert sources[source]["status"] == "indexed"
    assert sources[source]["fingerprint"] != old
    assert (sources[superseded]["status"], sources[superseded]["fingerprint"]) == ("superseded", old)
    check = json.loads(place.run("verify", request, "--json")[1])["checks"][0]
    assert (check["status"], check["reason"]) == ("stale", "fingerprint_changed")
