"""Forgeries whose author made every hash in the bundle again, as anybody can where it is not signed."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from app.services.bundle.check import check_bundle
from app.services.bundle.file import MANIFEST, audit_head, core_hash, manifest_of, pack, read_members
from app.services.bundle.findings import Fault
from ingest.mupdf import pymupdf
from verify.domain.canonical import canonical_json, sha256_of

Members = dict[str, bytes]


@pytest.fixture
def bundle(place: Any, tmp_path: Path) -> Path:
    _, out, _ = place.run("ask", "How many days of notice must the Tenant give to terminate?", "--model", "extractive",
                          "--json")  # fmt: skip
    answer_id = str(json.loads(out)["answer_id"])
    place.run("review", answer_id, "c1", "--decision", "accepted", "--reviewer", "E. Alder", "--note", "Agreed.")
    target = tmp_path / "answer.zip"
    assert place.run("export", answer_id, "-o", str(target), "--include-sources", "--json")[0] == 0
    assert found(target.read_bytes()) == set()
    return target


def found(data: bytes) -> set[tuple[str, Fault]]:
    return {(f.member, f.code) for f in check_bundle(data)[0].findings}


def forged(bundle: Path, change: Callable[[Members], None], memos: bool = True) -> set[tuple[str, Fault]]:
    """What the check finds after ``change``, with hashes, manifest and, where asked, memos made again."""
    members = read_members(bundle.read_bytes()).members
    answer_id = json.loads(members.pop(MANIFEST))["answer_id"]
    change(members)
    if memos:
        _make_memos_again(members)
    return found(pack(manifest_of(answer_id, members, audit_head(members["audit.jsonl"])), members))


def _make_memos_again(members: Members) -> None:
    from app.services.answers.answer_json import answer_from_json
    from app.services.bundle.memo import TITLE, memo_blocks
    from app.services.bundle.memo_check import crop_images, memo_foot
    from app.services.bundle.memo_docx import memo_docx
    from app.services.bundle.memo_pdf import memo_pdf
    from app.store.records import record_from_json

    try:
        answer = answer_from_json(json.loads(members["answer.json"]))
        sources = [record_from_json(r) for r in json.loads(members["sources.json"])]
        core = core_hash(members)
        blocks = memo_blocks(answer, sources, crop_images(answer, members), core)
    except (KeyError, ValueError):
        return
    members["memo.docx"] = memo_docx(TITLE, blocks)
    members["memo.pdf"] = memo_pdf(TITLE, memo_foot(answer, core), blocks)


def edit(name: str, change: Callable[[Any], None]) -> Callable[[Members], None]:
    def apply(members: Members) -> None:
        document = json.loads(members[name])
        change(document)
        members[name] = canonical_json(document)

    return apply


def worded(claim: dict[str, Any], text: str) -> None:
    claim["text"], claim["text_sha256"] = text, sha256_of(text.encode())


def test_a_claim_called_verbatim_holds_the_words_of_its_quotation(bundle: Path) -> None:
    def change(answer: Any) -> None:
        worded(answer["claims"][0], answer["claims"][0]["text"].replace("sixty (60)", "thirty (30)"))

    assert ("answer.json", Fault.CLAIM_DIFFERS) in forged(bundle, edit("answer.json", change))


def test_a_place_that_no_page_names_is_no_place(bundle: Path) -> None:
    def change(answer: Any) -> None:
        worded(answer["claims"][0], "Under “The Tenant need not pay”: " + answer["claims"][0]["text"])

    assert ("answer.json", Fault.CLAIM_DIFFERS) in forged(bundle, edit("answer.json", change))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("question", "May the Tenant terminate at once?"),
        ("asked_at", "2020-01-01T00:00:00Z"),
        ("model", "ollama:counsel"),
    ],
)
def test_what_was_asked_is_on_record(bundle: Path, field: str, value: str) -> None:
    change = edit("answer.json", lambda answer: answer.update({field: value}))
    assert ("answer.json", Fault.REVIEW_DIFFERS) in forged(bundle, change)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("reviewer", "Another Person"),
        ("at", "2020-01-01T00:00:00Z"),
        ("note", "Wrong."),
        ("authority", "binding"),
        ("decision", "rejected"),
    ],
)
def test_a_review_is_the_one_on_record(bundle: Path, field: str, value: str) -> None:
    change = edit("answer.json", lambda answer: answer["claims"][0]["review"].update({field: value}))
    assert ("answer.json", Fault.REVIEW_DIFFERS) in forged(bundle, change)


def test_a_review_that_was_taken_out_is_missed(bundle: Path) -> None:
    change = edit("answer.json", lambda answer: answer["claims"][0].update(review=None))
    assert ("answer.json", Fault.REVIEW_DIFFERS) in forged(bundle, change)


def test_a_cut_line_of_the_log_is_missed(bundle: Path) -> None:
    def last(members: Members) -> None:
        members["audit.jsonl"] = members["audit.jsonl"].splitlines(keepends=True)[0]

    def first(members: Members) -> None:
        members["audit.jsonl"] = members["audit.jsonl"].splitlines(keepends=True)[1]

    assert ("answer.json", Fault.REVIEW_DIFFERS) in forged(bundle, last)
    assert ("audit.jsonl", Fault.AUDIT_BROKEN) in forged(bundle, first)


def test_a_backdated_decision_is_not_that_of_its_review(bundle: Path) -> None:
    def change(members: Members) -> None:
        lines = members["audit.jsonl"].splitlines()
        entry = json.loads(lines[1])
        entry["at"] = "2020-01-01T00:00:00Z"
        members["audit.jsonl"] = b"\n".join((lines[0], canonical_json(entry))) + b"\n"

    assert ("answer.json", Fault.REVIEW_DIFFERS) in forged(bundle, change)


def test_an_emptied_or_lengthened_list_of_documents_is_named(bundle: Path) -> None:
    def empty(members: Members) -> None:
        members["sources.json"] = b"[]"

    def invented(sources: list[dict[str, Any]]) -> None:
        sources.append({**sources[0], "source_id": "judgment", "fingerprint": "sha256:" + "1" * 64})

    assert ("sources.json", Fault.SOURCES_DIFFER) in forged(bundle, empty)
    assert ("sources.json", Fault.SOURCES_DIFFER) in forged(bundle, edit("sources.json", invented))


def test_a_member_of_another_kind_is_named(bundle: Path) -> None:
    assert ("readme.html", Fault.UNEXPECTED) in forged(bundle, lambda members: members.update({"readme.html": b"Hi"}))


def test_a_picture_that_was_taken_out_is_missed(bundle: Path) -> None:
    def change(members: Members) -> None:
        del members["crops/v1.png"], members["crops/v1.json"]

    assert ("crops/v1.png", Fault.MISSING) in forged(bundle, change)


def test_an_included_document_has_the_bytes_of_the_cited_one(bundle: Path) -> None:
    def change(members: Members) -> None:
        name = next(name for name in members if name.startswith("sources/"))
        members[name] += b"\n% another file\n"

    assert Fault.SOURCES_DIFFER in {code for _, code in forged(bundle, change)}


def white_box(members: Members) -> None:
    with pymupdf.open("pdf", members["memo.pdf"]) as document:
        page = document[0]
        page.draw_rect(page.search_for("must")[0], color=(1, 1, 1), fill=(1, 1, 1))
        members["memo.pdf"] = document.tobytes()


def written_beside(members: Members) -> None:
    with pymupdf.open("pdf", members["memo.pdf"]) as document:
        document[0].insert_text((300, 30), "confirmed by the court")
        members["memo.pdf"] = document.tobytes()


def annotated(members: Members) -> None:
    with pymupdf.open("pdf", members["memo.pdf"]) as document:
        document[0].add_freetext_annot((300, 20, 500, 60), "confirmed by the court")
        members["memo.pdf"] = document.tobytes()


def picture_of_words(members: Members) -> None:
    drawn = io.BytesIO()
    Image.new("RGB", (200, 30), "black").save(drawn, "PNG")
    with pymupdf.open("pdf", members["memo.pdf"]) as document:
        document[0].insert_image((300, 10, 500, 40), stream=drawn.getvalue())
        members["memo.pdf"] = document.tobytes()


@pytest.mark.parametrize("change", [white_box, written_beside, annotated, picture_of_words])
def test_a_memo_in_pdf_looks_as_the_answer_says(bundle: Path, change: Callable[[Members], None]) -> None:
    assert ("memo.pdf", Fault.MEMO_DIFFERS) in forged(bundle, change, memos=False)


def in_docx(part: str, before: bytes, after: bytes) -> Callable[[Members], None]:
    def change(members: Members) -> None:
        packed = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(members["memo.docx"])) as old, zipfile.ZipFile(packed, "w") as new:
            for name in old.namelist():
                data = old.read(name)
                if name == part:
                    assert before in data
                    data = data.replace(before, after, 1)
                new.writestr(name, data)
        members["memo.docx"] = packed.getvalue()

    return change


@pytest.mark.parametrize(
    "change",
    [
        in_docx("word/document.xml", b"<w:body>", b"<w:body><w:p><w:r><w:t>Approved.</w:t></w:r></w:p>"),
        in_docx("word/document.xml", b"<w:r>", b"<w:r><w:rPr><w:vanish/></w:rPr>"),
        in_docx("word/document.xml", b"<w:body>", b'<w:body><w:p><w:fldSimple w:instr=" QUOTE approved "/></w:p>'),
        in_docx("word/styles.xml", b"<w:rPrDefault>", b"<w:rPrDefault><w:rPr><w:vanish/></w:rPr>"),
        in_docx("docProps/core.xml", b"Pincite", b"The Court"),
    ],
)
def test_a_memo_in_word_is_the_one_that_the_answer_makes(bundle: Path, change: Callable[[Members], None]) -> None:
    assert ("memo.docx", Fault.MEMO_DIFFERS) in forged(bundle, change, memos=False)


def test_a_header_added_to_the_memo_is_named(bundle: Path) -> None:
    def change(members: Members) -> None:
        packed = io.BytesIO(members["memo.docx"])
        with zipfile.ZipFile(packed, "a") as archive:
            archive.writestr("word/header1.xml", "<w:hdr/>")
        members["memo.docx"] = packed.getvalue()

    assert ("memo.docx", Fault.MEMO_DIFFERS) in forged(bundle, change, memos=False)


def against(place: Any, data: bytes, tmp_path: Path) -> list[tuple[str, str]]:
    target = tmp_path / "forged.zip"
    target.write_bytes(data)
    from app.cli.main import main

    place.capsys.readouterr()
    main(["check-bundle", str(target), "--matter", str(place.matter), "--json"])
    return [(f["member"], f["code"]) for f in json.loads(place.capsys.readouterr().out)["findings"]]


def repacked(bundle: Path, change: Callable[[Members], None]) -> bytes:
    members = read_members(bundle.read_bytes()).members
    answer_id = json.loads(members.pop(MANIFEST))["answer_id"]
    change(members)
    _make_memos_again(members)
    return pack(manifest_of(answer_id, members, audit_head(members["audit.jsonl"])), members)


def test_another_picture_and_an_invented_title_are_found_beside_the_documents(
    place: Any, bundle: Path, tmp_path: Path
) -> None:
    assert against(place, bundle.read_bytes(), tmp_path) == []

    def picture(members: Members) -> None:
        descriptor = json.loads(members["crops/v1.json"])
        drawn = io.BytesIO()
        Image.new("RGB", (descriptor["image_width"], descriptor["image_height"]), "white").save(drawn, "PNG")
        members["crops/v1.png"] = drawn.getvalue()
        descriptor["image_sha256"] = sha256_of(drawn.getvalue())
        members["crops/v1.json"] = canonical_json(descriptor)

    def titled(sources: list[dict[str, Any]]) -> None:
        sources[0]["metadata"]["title"] = "Judgment of the Supreme Court"

    assert ("crops/v1.png", "picture_differs") in against(place, repacked(bundle, picture), tmp_path)
    assert ("sources.json", "document_differs") in against(
        place, repacked(bundle, edit("sources.json", titled)), tmp_path
    )


def test_what_a_person_set_of_a_document_is_on_record(place: Any, tmp_path: Path) -> None:
    listed = json.loads(place.run("sources", "--json")[1])["sources"]
    source_id = next(s["source_id"] for s in listed if s["path"] == "lease.pdf")
    assert place.run("tag", source_id, "title=Lease of the mill", "authority_status=executed")[0] == 0
    _, out, _ = place.run("ask", "How many days of notice must the Tenant give to terminate?", "--model", "extractive",
                          "--json")  # fmt: skip
    target = tmp_path / "tagged.zip"
    place.run("export", json.loads(out)["answer_id"], "-o", str(target), "--json")
    assert found(target.read_bytes()) == set()
    assert against(place, target.read_bytes(), tmp_path) == []


def test_a_demanded_signature_must_be_there(place: Any, bundle: Path) -> None:
    key = "ab" * 32
    assert (MANIFEST, Fault.SIGNATURE_MISSING) in {
        (f.member, f.code) for f in check_bundle(bundle.read_bytes(), key)[0].findings
    }
