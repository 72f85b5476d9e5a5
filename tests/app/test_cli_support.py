"""support as another program uses it: a triage in the order asked, and requests that are refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.services.matter import open_matter
from app.services.supporting import support_request
from app.settings import load_settings
from ingest.mupdf import pymupdf

Ids = Callable[[str], str]


def ask(place: Any, folder: Path, *items: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    path = folder / "support.json"
    path.write_text(json.dumps({"schema": "pincite.support-request/1", "items": list(items)}), "utf-8")
    status, out, _ = place.run("support", str(path), "--json")
    return status, json.loads(out)


def test_items_come_back_in_order_with_their_signals(place: Any, ids: Ids, tmp_path: Path) -> None:
    rent = {"claim_text": "The annual rent is USD 84,000.", "source_id": ids("lease.pdf")}
    status, document = ask(
        place, tmp_path,
        {"item_id": "right", **rent, "page_indexes": [1]},
        {"item_id": "elsewhere", "claim_text": "The keys were given.", "source_id": "nobody", "page_indexes": [0]},
        {"item_id": "wrong page", **rent, "page_indexes": [2]},
        {"item_id": "other value", "claim_text": "The annual rent is USD 48,000.", "source_id": ids("lease.pdf"),
         "page_indexes": [1]},
    )  # fmt: skip
    right, unknown, wrong_page, other_value = document["items"]
    assert (status, document["schema"]) == (0, "pincite.support/1")
    assert (right["item_id"], right["label"]) == ("right", "supported")
    assert right.keys() == {"item_id", "label", "score", "signals", "better_pages"}
    assert unknown == {
        "item_id": "elsewhere", "label": "not_evaluated", "score": 0, "signals": {"source_unknown": 0},
        "better_pages": [],
    }  # fmt: skip
    assert wrong_page["label"] != "supported"
    assert wrong_page["better_pages"][0]["page_index"] == 1
    assert wrong_page["score"] < right["score"]
    assert other_value["label"] != "supported"
    assert other_value["signals"]["values"] < right["signals"]["values"]


def test_a_changed_document_is_not_evaluated(place: Any, ids: Ids, tmp_path: Path) -> None:
    source = ids("lease.pdf")
    with (place.matter / "lease.pdf").open("ab") as file:
        file.write(b"\n% touched\n")
    _, document = ask(place, tmp_path, {"item_id": "a", "claim_text": "x y", "source_id": source, "page_indexes": [0]})
    assert document["items"][0]["label"] == "not_evaluated"
    assert document["items"][0]["signals"] == {"fingerprint_changed": 0}


def test_what_is_not_evaluated_says_why_and_prints_no_score(place: Any, ids: Ids, tmp_path: Path) -> None:
    locked = pymupdf.open()
    locked.new_page().insert_text((72, 90), "The porter is paid EUR 23 an hour.")
    data = locked.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="tulip", owner_pw="rose")
    (place.matter / "wages.pdf").write_bytes(data)
    place.run("index", "--no-dense")
    items = [
        {"item_id": name, "claim_text": "The porter is paid EUR 23.", "source_id": source, "page_indexes": [page]}
        for name, source, page in (
            ("unknown", "nobody", 0), ("beyond", ids("lease.pdf"), 9), ("locked", ids("wages.pdf"), 0),
            ("broken", ids("empty.pdf"), 0),
        )
    ]  # fmt: skip
    _, document = ask(place, tmp_path, *items)
    assert {i["item_id"]: (i["label"], i["signals"]) for i in document["items"]} == {
        "unknown": ("not_evaluated", {"source_unknown": 0}),
        "beyond": ("not_evaluated", {"page_out_of_range": 0}),
        "locked": ("not_evaluated", {"document_locked": 0}),
        "broken": ("not_evaluated", {"document_unreadable": 0}),
    }
    told = place.run("support", str(tmp_path / "support.json"))[1]
    assert "unknown: not evaluated: no document of this matter has that id" in told
    assert "the document has no such page" in told
    assert "the document needs a password" in told
    assert "of 1000" not in told


def test_a_line_says_what_speaks_against_a_citation(place: Any, ids: Ids, tmp_path: Path) -> None:
    lease = {"source_id": ids("lease.pdf")}
    ask(
        place, tmp_path,
        {"item_id": "wrong page", "claim_text": "The annual rent is USD 84,000.", **lease, "page_indexes": [2]},
        {"item_id": "no subject", "claim_text": "They shall pay the rent.", **lease, "page_indexes": [1]},
    )  # fmt: skip
    wrong_page, no_subject = place.run("support", str(tmp_path / "support.json"))[1].splitlines()
    assert "page index 1" in wrong_page and "fits better" in wrong_page
    assert "it does not say whom it is about" in no_subject


def test_what_was_broken_off_goes_on(place: Any, ids: Ids, tmp_path: Path) -> None:
    lease, kept = ids("lease.pdf"), tmp_path / "kept.jsonl"
    items = [
        {
            "item_id": f"i{n}",
            "claim_text": f"The annual rent is USD 84,{n:03}.",
            "source_id": lease,
            "page_indexes": [1],
        }
        for n in range(4)
    ]
    request = tmp_path / "support.json"
    request.write_text(json.dumps({"schema": "pincite.support-request/1", "items": items}), "utf-8")
    with open_matter(place.matter, load_settings(), place.store) as matter:
        steps = support_request(matter, request.read_bytes(), kept)
        assert [next(steps).done, next(steps).done] == [1, 2]
        steps.close()
    head, first, second = kept.read_text("utf-8").splitlines()
    marked = json.loads(first) | {"score": 777}
    kept.write_text("\n".join((head, json.dumps(marked), second, '{"id": "not')), "utf-8")  # killed in a row
    status, out, _ = place.run("support", str(request), "--json", "--resume", str(kept))
    document = json.loads(out)
    assert (status, [item["item_id"] for item in document["items"]]) == (0, ["i0", "i1", "i2", "i3"])
    assert [item["label"] for item in document["items"]] == ["supported", *["contradicted"] * 3]
    assert document["items"][0]["score"] == 777
    assert len(kept.read_text("utf-8").splitlines()) == 5
    with open_matter(place.matter, load_settings(), place.store) as matter:
        changed = request.read_text("utf-8").replace("84,001", "85,001").encode()
        assert [step.done for step in support_request(matter, changed, kept)] == [3, 4]  # a changed item alone
    status, out, _ = place.run("support", str(request), "--json", "--resume", str(place.matter / "kept.jsonl"))
    assert (status, json.loads(out)["code"]) == (2, "usage")


def test_a_document_that_changed_is_compared_again(place: Any, ids: Ids, tmp_path: Path) -> None:
    item = {"item_id": "a", "claim_text": "The annual rent is USD 84,000.", "source_id": ids("lease.pdf"),
            "page_indexes": [1]}  # fmt: skip
    request, kept = tmp_path / "support.json", tmp_path / "kept.jsonl"
    request.write_text(json.dumps({"schema": "pincite.support-request/1", "items": [item]}), "utf-8")

    def label() -> str:
        return str(
            json.loads(place.run("support", str(request), "--json", "--resume", str(kept))[1])["items"][0]["label"]
        )

    assert label() == "supported"
    with (place.matter / "lease.pdf").open("ab") as file:
        file.write(b"\n% touched\n")
    assert label() == "not_evaluated"


@pytest.mark.parametrize(
    "raw",
    [
        b"{", b"[]", b'{"schema": "pincite.support-request/1"}', b'{"schema": "pincite.request/1", "items": []}',
        b'{"schema": "pincite.support-request/1", "items": [], "more": 1}',
        b'{"schema": "pincite.support-request/1", "items": [], "items": []}',
        b'{"schema": "pincite.support-request/1", "items": [{"item_id": "a", "claim_text": "b", "source_id": "c", '
        b'"page_indexes": [0.5]}]}',
        b'{"schema": "pincite.support-request/1", "items": [{"item_id": "a", "claim_text": "b", "source_id": "c", '
        b'"page_indexes": [-1]}]}',
    ],
)  # fmt: skip
def test_a_request_that_is_none_is_refused(place: Any, tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "support.json"
    path.write_bytes(raw)
    status, out, _ = place.run("support", str(path), "--json")
    assert (status, json.loads(out)["code"]) == (2, "invalid_request")
