"""support as another program uses it: a triage in the order asked, and requests that are refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.services.evidence.supporting import page_text, support_request
from app.services.matter.matter import open_matter
from app.settings import load_settings
from ingest.mupdf import pymupdf
from models.triage.page_fit import PageText
from models.triage.support import SupportItem, triage
from verify.domain.claim import SupportLabel
from verify.domain.document import Element, ElementKind, LabelOrigin, Origin, Page, TextSource, Word
from verify.domain.geometry import Box
from verify.domain.ids import ElementId, SourceId

Ids = Callable[[str], str]
BOX = Box(0, 0, 100, 100)


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


def picture_of(*lines: str) -> bytes:
    """A page of print as a picture, 150 dots an inch."""
    page = pymupdf.open().new_page(width=500, height=400)
    for number, line in enumerate(lines):
        page.insert_text((30, 60 + 30 * number), line, fontsize=14)
    data: bytes = page.get_pixmap(dpi=150).tobytes("png")
    return data


def test_a_picture_that_was_not_read_is_told_and_supports_nothing(place: Any, ids: Ids, tmp_path: Path) -> None:
    document = pymupdf.open()
    for beside in ("The porter keeps the keys of the house. Each tenant has one key of the cellar.", ""):
        page = document.new_page(width=612, height=792)
        page.insert_textbox((60, 60, 550, 140), beside, fontsize=12)
        page.insert_image(
            (56, 150, 556, 700), stream=picture_of("The deposit is EUR 4,500.", "It is due on signing the lease.")
        )
    document.save(place.matter / "house.pdf")
    place.run("index", "--no-dense", "--ocr", "never")
    source = ids("house.pdf")
    claims = (("deposit", "The deposit is EUR 4,500.", 0), ("other deposit", "The deposit is EUR 5,400.", 0),
              ("porter", "The porter keeps the keys of the house.", 0),
              ("bare", "The deposit is EUR 4,500.", 1))  # fmt: skip
    _, document_ = ask(place, tmp_path, *({"item_id": name, "claim_text": claim, "source_id": source,
                                           "page_indexes": [page]} for name, claim, page in claims))  # fmt: skip
    found = {item["item_id"]: (item["label"], item["signals"].get("read_whole")) for item in document_["items"]}
    assert found == {"deposit": ("unclear", 0), "other deposit": ("unclear", 0), "porter": ("supported", 0),
                     "bare": ("not_evaluated", None)}  # fmt: skip
    told = place.run("support", str(tmp_path / "support.json"))[1]
    assert "deposit: unclear" in told and "not all of the page could be read" in told


def test_words_that_were_recognised_badly_support_and_contradict_nothing() -> None:
    text = "The tenant shall not keep dogs. The rent is due on the first day of each month."
    words, at = [], 0
    for word in text.split():
        poor = word in ("not", "dogs.")
        words.append(Word(word, at, at + len(word), BOX, 0, 300 if poor else 950, Origin.OCR, True))
        at += len(word) + 1
    element = Element(ElementId("p0-e0"), ElementKind.PARAGRAPH, BOX, text, 0, len(text), 0, len(words), 0, 1,
                      TextSource.OCR, 900)  # fmt: skip
    page = Page(0, None, LabelOrigin.NONE, None, None, 600, 800, 0, TextSource.OCR, 900, text, tuple(words), (),
                (element,))  # fmt: skip
    read = page_text(page, 600, lambda _: None)
    assert (read.unsure, read.unread, read.doubt) == ({"dog", "not"}, False, "")

    class These:
        def pages(self, source_id: str) -> list[PageText]:
            return [read]

    def label(claim: str) -> SupportLabel:
        steps = triage([SupportItem("i", claim, SourceId("x"), (0,))], These())
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return SupportLabel(end.value[0].label)

    assert label("The rent is due on the first day of each month.") is SupportLabel.SUPPORTED
    assert label("The tenant shall keep dogs.") is SupportLabel.UNCLEAR
    assert label("The tenant shall not keep dogs.") is SupportLabel.UNCLEAR


def test_a_part_that_was_recognised_badly_is_not_compared() -> None:
    native, scanned = "The porter keeps the keys.", "The deposit is EUR 4,500."
    elements = tuple(
        Element(ElementId(f"p0-e{n}"), ElementKind.PARAGRAPH, BOX, text, None, None, 0, 0, 0, 0, source, confidence)
        for n, (text, source, confidence) in enumerate(
            ((native, TextSource.NATIVE, None), (scanned, TextSource.OCR, 420))
        )
    )
    page = Page(0, None, LabelOrigin.NONE, None, None, 600, 800, 0, TextSource.MIXED, 420, f"{native}\n\n{scanned}",
                (), (), elements)  # fmt: skip
    read = page_text(page, 600, lambda _: None)
    assert (read.text, read.unread) == (native, True)
    assert page_text(page, 400, lambda _: None).text == f"{native}\n\n{scanned}"


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
