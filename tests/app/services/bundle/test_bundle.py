"""What leaves the desk: the bundle's bytes, what its check finds, and what a person is told before."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from app.errors import InputUnreadable
from app.services.bundle.check import Fault, check_bundle
from app.services.bundle.file import MANIFEST, manifest_of, pack, read_members
from ingest.mupdf import pymupdf
from verify.domain.canonical import canonical_json

QUESTION = "How many days of notice must the Tenant give to terminate?"


@pytest.fixture
def answer_id(place: Any) -> str:
    _, out, _ = place.run("ask", QUESTION, "--model", "extractive", "--json")
    answer_id = str(json.loads(out)["answer_id"])
    place.run("review", answer_id, "c1", "--decision", "accepted", "--reviewer", "E. Alder", "--note", "Agreed.")
    return answer_id


@pytest.fixture
def bundle(place: Any, answer_id: str, tmp_path: Path) -> Path:
    target = tmp_path / "answer.zip"
    status, _, _ = place.run("export", answer_id, "-o", str(target), "--json")
    assert status == 0
    return target


def faults(data: bytes) -> set[tuple[str, Fault]]:
    return {(f.member, f.code) for f in check_bundle(data)[0].findings}


def unpack(data: bytes) -> tuple[bytes, dict[str, bytes]]:
    """The manifest's bytes and the other members'."""
    members = read_members(data).members
    return members.pop(MANIFEST), members


def repacked(bundle: Path, member: str, data: bytes) -> bytes:
    """The bundle with one member replaced and every hash made right again, as a careful forger would."""
    raw, members = unpack(bundle.read_bytes())
    members[member] = data
    old = json.loads(raw)
    return pack(manifest_of(old["answer_id"], members, old["audit_head"]), members)


def test_the_members_are_those_of_the_contract(bundle: Path) -> None:
    with zipfile.ZipFile(bundle) as archive:
        names = archive.namelist()
    assert names[0] == "manifest.json"
    fixed = {"answer.json", "report.json", "sources.json", "evidence.json", "audit.jsonl", "memo.docx", "memo.pdf"}
    assert fixed <= set(names)
    assert {"crops/v1.png", "crops/v1.json"} <= set(names)


def test_the_same_answer_gives_the_same_bytes(place: Any, answer_id: str, bundle: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.zip"
    place.run("export", answer_id, "-o", str(again), "--json")
    assert again.read_bytes() == bundle.read_bytes()


def test_a_whole_bundle_has_no_findings(place: Any, bundle: Path) -> None:
    assert faults(bundle.read_bytes()) == set()


def test_against_the_documents_it_agrees_and_a_changed_document_is_named(place: Any, bundle: Path) -> None:
    from app.cli.main import main

    assert main(["check-bundle", str(bundle), "--matter", str(place.matter)]) == 0
    lease = place.matter / "lease.pdf"
    lease.write_bytes(lease.read_bytes() + b"\n% touched\n")
    place.capsys.readouterr()
    assert main(["check-bundle", str(bundle), "--matter", str(place.matter), "--json"]) == 1
    found = json.loads(place.capsys.readouterr().out)
    assert found["ok"] is False
    assert {f["code"] for f in found["findings"]} == {"document_differs"}


def test_nothing_is_written_into_the_matter_folder(place: Any, answer_id: str, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(place.matter, target_is_directory=True)
    before = sorted(place.matter.rglob("*"))
    for target in (place.matter / "b.zip", place.matter / ".." / "matter" / "b.zip", tmp_path / "link" / "b.zip"):
        status, out, _ = place.run("export", answer_id, "-o", str(target), "--json")
        assert (status, json.loads(out)["code"]) == (2, "usage")
    assert sorted(place.matter.rglob("*")) == before


def test_one_altered_byte_anywhere_is_found_and_a_members_is_named(bundle: Path) -> None:
    """In the middle of every member, and in the headers between them and the directory behind them."""
    whole = bundle.read_bytes()
    with zipfile.ZipFile(bundle) as archive:
        entries = archive.infolist()
    for entry in entries:
        data = entry.header_offset + 30 + len(entry.filename.encode()) + entry.file_size // 2
        assert entry.filename in {member for member, _ in faults(flipped(whole, data))}, entry.filename
    for place in (0, 26, 30, entries[2].header_offset + 14, archive.start_dir, archive.start_dir + 50, len(whole) - 20):
        assert faults(flipped(whole, place)) != set(), f"byte {place}"


def flipped(data: bytes, place: int) -> bytes:
    changed = bytearray(data)
    changed[place] ^= 0x20
    return bytes(changed)


def test_no_byte_of_the_directory_ends_the_reading(bundle: Path) -> None:
    """Only the reading of the container, so that every byte can be tried."""
    whole = bundle.read_bytes()
    with zipfile.ZipFile(bundle) as archive:
        start = archive.start_dir
    for place in range(start, len(whole)):
        found = read_members(flipped(whole, place))
        assert found.broken or found.members, f"byte {place}"


def test_what_is_no_zip_is_unreadable_and_a_damaged_one_fails_its_check(bundle: Path, tmp_path: Path) -> None:
    from app.cli.main import main

    with pytest.raises(InputUnreadable):
        check_bundle(b"Not a bundle at all.")
    bundle.write_bytes(bundle.read_bytes()[:-40])
    assert main(["check-bundle", str(bundle)]) == 1
    assert faults(bundle.read_bytes()) == {("(container)", Fault.NOT_READABLE)}


def test_an_altered_member_is_named(bundle: Path) -> None:
    raw, members = unpack(bundle.read_bytes())
    members["crops/v1.png"] = members["crops/v1.png"][:-1] + b"\0"
    changed = io.BytesIO()
    with zipfile.ZipFile(changed, "w") as archive:
        archive.writestr(MANIFEST, raw)
        for name, data in members.items():
            archive.writestr(name, data)
    found = faults(changed.getvalue())
    assert ("crops/v1.png", Fault.HASH_DIFFERS) in found
    assert ("crops/v1.png", Fault.PICTURE_DIFFERS) in found


def test_a_forged_status_is_found_although_every_hash_is_right(bundle: Path) -> None:
    _, members = unpack(bundle.read_bytes())
    answer = json.loads(members["answer.json"])
    answer["claims"][0]["release"] = "blocked"
    assert ("answer.json", Fault.RELEASE_DIFFERS) in faults(repacked(bundle, "answer.json", canonical_json(answer)))


def test_a_forged_quotation_is_found_by_matching_again(bundle: Path) -> None:
    _, members = unpack(bundle.read_bytes())
    evidence = json.loads(members["evidence.json"])
    for check in evidence["request"]["checks"]:
        check["expected_text"] = check["expected_text"].replace("sixty (60)", "ninety (90)")
    forged = repacked(bundle, "evidence.json", canonical_json(evidence))
    found = faults(forged)
    assert ("evidence.json", Fault.MATCH_DIFFERS) in found
    assert ("evidence.json", Fault.REPORT_DIFFERS) in found


def test_a_forged_memo_is_found_by_setting_it_again(bundle: Path) -> None:
    with pymupdf.open() as other:
        other.new_page().insert_text((72, 72), "The tenant may leave at any time.")
        forged = repacked(bundle, "memo.pdf", other.tobytes())
    assert faults(forged) == {("memo.pdf", Fault.MEMO_DIFFERS)}


def test_the_memo_prints_the_hash_the_claim_and_the_decision(bundle: Path) -> None:
    raw, members = unpack(bundle.read_bytes())
    with pymupdf.open(stream=members["memo.pdf"]) as memo:
        text = " ".join(" ".join(page.get_text().split()) for page in memo)
        fonts = {font[1] for page in memo for font in page.get_fonts()}
    assert json.loads(raw)["core_sha256"] in text
    assert "sixty (60) days' written notice" in text
    assert "Accepted by E. Alder" in text
    assert "p. 2 (PDF page 3)" in text
    assert "n/a" not in fonts  # every font is embedded


def test_the_export_says_what_leaves_and_what_speaks_against_it(place: Any, answer_id: str, tmp_path: Path) -> None:
    lease = next(
        s["source_id"] for s in json.loads(place.run("sources", "--json")[1])["sources"] if s["path"] == "lease.pdf"
    )
    place.run("tag", lease, "privilege=attorney-client")
    status, out, err = place.run("export", answer_id, "-o", str(tmp_path / "b.zip"), "--json")
    told = json.loads(out)
    assert status == 0
    assert {"code": "privileged", "subject": lease} in told["findings"]
    assert told["leaving"]["documents"] == ["lease.pdf"]
    assert told["leaving"]["pages"] >= 1
    assert "Note: lease.pdf: marked as privileged" in err
    assert "1 claim, 1 quotation, 1 picture, the text of 1 page, " in err


def test_sources_go_along_only_when_asked_for(place: Any, answer_id: str, bundle: Path, tmp_path: Path) -> None:
    assert not [name for name in unpack(bundle.read_bytes())[1] if name.startswith("sources/")]
    whole = tmp_path / "whole.zip"
    place.run("export", answer_id, "-o", str(whole), "--include-sources", "--json")
    members = unpack(whole.read_bytes())[1]
    assert members["sources/lease.pdf"] == (place.matter / "lease.pdf").read_bytes()
    assert faults(whole.read_bytes()) == set()


def test_chosen_claims_leave_alone(place: Any, answer_id: str, tmp_path: Path) -> None:
    target = tmp_path / "one.zip"
    place.run("export", answer_id, "-o", str(target), "--claim", "c1", "--json")
    _, members = unpack(target.read_bytes())
    answer = json.loads(members["answer.json"])
    assert [c["claim_id"] for c in answer["claims"]] == ["c1"]
    assert {c["check_id"] for c in answer["report"]["checks"]} == set(answer["claims"][0]["check_ids"])
    assert faults(target.read_bytes()) == set()


def test_a_passphrase_hides_everything_and_opens_with_itself_alone(place: Any, answer_id: str, tmp_path: Path) -> None:
    from app.cli.main import main

    secret, wrong, target = tmp_path / "secret", tmp_path / "wrong", tmp_path / "closed.zip"
    secret.write_text("eleven grey herons\n", "utf-8")
    wrong.write_text("twelve grey herons\n", "utf-8")
    place.run("export", answer_id, "-o", str(target), "--bundle-passphrase-file", str(secret), "--json")
    assert b"Tenant" not in target.read_bytes()
    assert main(["check-bundle", str(target), "--bundle-passphrase-file", str(secret)]) == 0
    assert main(["check-bundle", str(target), "--bundle-passphrase-file", str(wrong)]) == 5
    assert main(["check-bundle", str(target)]) == 5


def test_a_signature_names_its_key_and_fails_on_another_manifest(place: Any, answer_id: str, tmp_path: Path) -> None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    pem, target = tmp_path / "key.pem", tmp_path / "signed.zip"
    pem.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    place.run("export", answer_id, "-o", str(target), "--sign", str(pem), "--json")
    # The public key of the private key 00 01 … 1f is a published test value (RFC 8032's arithmetic, PyNaCl's vectors).
    public = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
    assert check_bundle(target.read_bytes())[0].signed_by == public
    raw, members = unpack(target.read_bytes())
    forged = json.loads(raw)
    forged["signature"]["value"] = "00" * 64
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(MANIFEST, canonical_json(forged))
        for name, member in members.items():
            archive.writestr(name, member)
    assert (MANIFEST, Fault.SIGNATURE_WRONG) in faults(data.getvalue())


def test_the_exported_event_is_in_the_log_without_text(place: Any, bundle: Path) -> None:
    _, out, _ = place.run("audit", "--json")
    log = json.loads(out)
    assert log["ok"] is True
    assert [e["event"] for e in log["entries"]][-1] == "exported"
    assert "Tenant" not in out
    assert QUESTION not in out
