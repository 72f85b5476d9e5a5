"""Mails, archives, portfolios: members are sources of their own, bombs and bad names do no harm."""

import io
import struct
import zipfile
import zlib
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from ingest.failures import Damaged, Locked
from ingest.formats.archive import open_zip, pdf_members, safe_name
from ingest.formats.mail.message import read_eml
from ingest.formats.opening import open_file
from ingest.formats.sniff import Kind, sniff
from ingest.limits import Limits
from ingest.mupdf import pymupdf
from ingest.rendition.flow import Block, Flow
from verify.domain.document import SourceStatus, WarningCode


def zip_of(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data, method)
    return buffer.getvalue()


def mail(body: str = "See the letter.\n", attach: dict[str, bytes] | None = None, html: str | None = None) -> bytes:
    message = EmailMessage()
    message["From"] = "porter@lodge.example"
    message["To"] = "keeper@archive.example"
    message["Subject"] = "Visit of the pump engineer – Thursday"
    message["Date"] = "Thu, 12 Feb 2026 23:30:00 -0500"
    message.set_content(body)
    if html:
        message.add_alternative(html, subtype="html")
    for name, data in (attach or {}).items():
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


def lines(flow: Flow) -> list[str]:
    return [block.text for block in flow if isinstance(block, Block) and block.text]


def test_headers_are_citable_text_and_the_day_is_the_senders() -> None:
    read = read_eml(mail(attach={"Straße.pdf": b"x"}), Limits())
    assert lines(read.flow) == [
        "From: porter@lodge.example", "To: keeper@archive.example", "Date: Thu, 12 Feb 2026 23:30:00 -0500",
        "Subject: Visit of the pump engineer – Thursday", "Attachments: Straße.pdf", "See the letter.",
    ]  # fmt: skip
    assert (read.metadata.title, read.metadata.dated) == ("Visit of the pump engineer – Thursday", "2026-02-12")
    assert [(m.name, m.data) for m in read.members()] == [("Straße.pdf", b"x")]


def test_html_is_read_where_the_plain_part_only_points_to_it() -> None:
    page = "<p>The engineer will call on Friday at two o’clock and will need the key.</p>"
    assert lines(read_eml(mail("View in browser\n", html=page), Limits()).flow)[-1].startswith("The engineer will call")
    same = "The engineer will call on Friday at two o’clock and will need the key.\n"
    assert len(lines(read_eml(mail(same, html=page), Limits()).flow)) == 5


@pytest.mark.parametrize(
    "data",
    [
        b"From: a@b\nSubject: =?utf-9?B?zzz?=\nDate: never\n\nbody",
        b"From: a@b\nSubject: x\nContent-Type: text/plain; charset=nonsense\n\nbody",
        b"From: a@b\nTo: c\nContent-Type: multipart/mixed; boundary=x\n\n--x\nbody",
        b"From: a@b\nTo: c\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n!!!!",
    ],
)
def test_malformed_mail_is_read_as_far_as_it_goes(data: bytes) -> None:
    assert lines(read_eml(data, Limits()).flow)[0] == "From: a@b"


def test_parts_of_a_mail_beyond_what_is_read_are_told() -> None:
    head = b"From: a@b\nTo: c\nContent-Type: multipart/mixed; boundary=x\n\n"
    data = head + b"".join(b"--x\n\npart\n" for _ in range(2_003)) + b"--x--\n"
    assert [(w.code, w.detail) for w in read_eml(data, Limits()).warnings] == [
        (WarningCode.TRUNCATED, "3 parts were left out")
    ]


def test_mails_inside_mails_and_archives_are_sources_with_parents(matter: Any) -> None:
    letter = b"The deposit is EUR 990.\n"
    inner = mail("The inner message.\n", {"letter.txt": letter})
    outer = EmailMessage()
    outer["From"], outer["To"], outer["Subject"] = "a@b.example", "c@d.example", "Fwd"
    outer.set_content("The outer message.\n")
    outer.add_attachment(inner, maintype="application", subtype="octet-stream", filename="inner.eml")
    matter.write("box/outer.eml", outer.as_bytes())
    matter.write("box/files.zip", zip_of({"a/letter.txt": letter, "b.txt": b"Other words.\n"}))
    matter.read()
    records = matter.records()
    assert sorted(records) == [
        "box/files.zip", "box/files.zip!/a/letter.txt", "box/files.zip!/b.txt", "box/outer.eml",
        "box/outer.eml!/inner.eml",
    ]  # fmt: skip
    shared = records["box/files.zip!/a/letter.txt"]
    assert shared.other_paths == ("box/outer.eml!/inner.eml!/letter.txt",)
    assert shared.parent == records["box/files.zip"].source_id
    assert records["box/outer.eml!/inner.eml"].parent == records["box/outer.eml"].source_id
    assert records["box/files.zip"].page_count == 0
    assert records["box/files.zip"].status is SourceStatus.INDEXED
    assert matter.text("box/files.zip!/a/letter.txt") == "The deposit is EUR 990."

    assert (matter.read().read, matter.committed) == (0, [])

    (matter.root / "box/files.zip").rename(matter.root / "box/papers.zip")
    assert matter.read().read == 0
    assert matter.record("box/papers.zip!/b.txt").source_id == records["box/files.zip!/b.txt"].source_id
    assert "box/files.zip!/b.txt" not in matter.records()

    matter.write("box/papers.zip", zip_of({"b.txt": b"Other words.\n"}))
    matter.read()
    assert matter.record("box/papers.zip").source_id == records["box/files.zip"].source_id
    moved = matter.record("box/outer.eml!/inner.eml!/letter.txt")
    assert (moved.source_id, moved.status) == (shared.source_id, SourceStatus.INDEXED)

    (matter.root / "box/outer.eml").unlink()
    assert matter.read().missing == 3
    assert matter.record("box/outer.eml!/inner.eml").status is SourceStatus.MISSING


def test_members_whose_bytes_were_lost_are_taken_from_their_container_again(matter: Any) -> None:
    matter.write("files.zip", zip_of({"b.txt": b"Other words.\n"}))
    matter.read()
    record = matter.record("files.zip!/b.txt")
    matter.registry.retire(record, None)
    for blob in (matter.store / "blobs").iterdir():
        if blob.read_bytes() == b"Other words.\n":
            blob.unlink()
    matter.read()
    assert matter.text("files.zip!/b.txt") == "Other words."
    assert matter.record("files.zip!/b.txt").source_id == record.source_id


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../etc/passwd", "etc/passwd"), ("/root/x.txt", "root/x.txt"), ("C:\\Users\\x.txt", "Users/x.txt"),
        ("a/./b/../c.txt", "a/b/c.txt"), ("", "unnamed"), ("..", "unnamed"), ("a\x00b\n.txt", "a_b_.txt"),
        ("box!/in.txt", "box/in.txt"), ("e\u0301.txt", "\u00e9.txt"), ("\\\\server\\f.txt", "server/f.txt"),
    ],
)  # fmt: skip
def test_member_names_lead_nowhere_else(name: str, safe: str) -> None:
    assert safe_name(name) == safe


def test_an_archive_that_climbs_out_writes_nothing(matter: Any) -> None:
    matter.write("evil.zip", zip_of({"../../outside.txt": b"Escaped.\n", "/abs.txt": b"Rooted.\n"}))
    matter.read()
    assert sorted(matter.records()) == ["evil.zip", "evil.zip!/abs.txt", "evil.zip!/outside.txt"]
    assert not list(matter.root.parent.rglob("outside.txt"))


def test_a_bomb_is_left_out_and_the_rest_is_read() -> None:
    bomb = zip_of({"good.txt": b"fine", "bomb.txt": bytes(40_000_000), "last.txt": b"also fine"})
    assert len(bomb) < 60_000
    opened = open_zip(bomb, None, Limits())
    assert [(m.name, m.data is not None) for m in opened.members()] == [
        ("good.txt", True), ("bomb.txt", False), ("last.txt", True),
    ]  # fmt: skip


def test_an_archive_that_lies_about_its_sizes_is_stopped_by_what_it_gives() -> None:
    data = bytearray(zip_of({"bomb.txt": bytes(40_000_000)}))
    at = data.index(b"PK\x01\x02")
    struct.pack_into("<L", data, at + 24, 100)
    struct.pack_into("<L", data, 22, 100)
    [member] = open_zip(bytes(data), None, Limits()).members()
    assert member.data is None


def test_a_family_is_capped_as_a_whole(matter: Any) -> None:
    inner = [zip_of({f"{n}-{k}.txt": f"text {n} {k}\n".encode() for k in range(5)}) for n in range(4)]
    matter.write("many.zip", zip_of({f"{n}.zip": data for n, data in enumerate(inner)}))
    matter.limits = Limits(members=9)
    matter.read()
    records = matter.records()
    texts = [path for path in records if path.endswith(".txt")]
    assert len(texts) == 5
    assert records["many.zip"].status is SourceStatus.INDEXED
    capped = [r for r in records.values() if any(w.code is WarningCode.TRUNCATED for w in r.warnings)]
    assert len(capped) == 3 and all(r.status is SourceStatus.PARTIAL for r in capped)


def test_nesting_ends_at_the_limit(matter: Any) -> None:
    data = zip_of({"deep.txt": b"deep\n"})
    for n in range(5):
        data = zip_of({f"{n}.zip": data})
    matter.write("nest.zip", data)
    matter.limits = Limits(nesting=3)
    matter.read()
    deepest = max(matter.records(), key=len)
    assert deepest.count("!/") == 4
    assert matter.record(deepest).status is SourceStatus.UNREADABLE
    assert "deeper" in matter.record(deepest).warnings[0].detail


def test_a_content_is_opened_once_however_often_it_lies_in_others(matter: Any) -> None:
    inner = zip_of({"same.txt": b"same\n"})
    for n in range(4):
        matter.write(f"{n}.zip", zip_of({"x.zip": inner, f"{n}.txt": str(n).encode() * 10}))
    matter.read()
    held = matter.record("0.zip!/x.zip")
    assert held.other_paths == ("1.zip!/x.zip", "2.zip!/x.zip", "3.zip!/x.zip")
    assert matter.record("0.zip!/x.zip!/same.txt").other_paths == ()


def test_locked_archives_ask_for_their_password(shared: Path) -> None:
    plain = bytearray(zip_of({"a.txt": b"words\n"}, zipfile.ZIP_STORED))
    for at in (6, plain.index(b"PK\x01\x02") + 8):
        plain[at] |= 1
    with pytest.raises(Locked):
        open_zip(bytes(plain), None, Limits())
    [member] = open_zip(bytes(plain), "wrong", Limits()).members()
    assert member.data is None


@pytest.mark.parametrize("cut", [10, 30, 60])
def test_broken_archives_are_damaged(cut: int) -> None:
    data = zip_of({"a.txt": b"words " * 50})
    with pytest.raises(Damaged):
        open_zip(data[:cut], None, Limits())


def test_a_member_that_fails_its_checksum_is_left_out() -> None:
    data = bytearray(zip_of({"a.txt": b"words " * 50, "b.txt": b"fine"}, zipfile.ZIP_STORED))
    data[data.index(b"words")] ^= 1
    assert [(m.name, m.data) for m in open_zip(bytes(data), None, Limits()).members()] == [
        ("a.txt", None), ("b.txt", b"fine"),
    ]  # fmt: skip


def test_embedded_files_of_a_pdf_by_name_and_by_annotation() -> None:
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((72, 90), "See attached.")
        document.embfile_add("listed", b"listed words", filename="listed.txt")
        page.add_file_annot((100, 100), b"annotated words", "annotated.txt")
        data = document.tobytes()
    assert sorted((m.name, m.data) for m in pdf_members(data, None, Limits())) == [
        ("annotated.txt", b"annotated words"), ("listed.txt", b"listed words"),
    ]  # fmt: skip


def test_a_damaged_object_says_nothing_of_embedded_files() -> None:
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 90), "Words.")
        document.embfile_add("listed", b"listed words", filename="listed.txt")
        document.update_object(document.get_new_xref(), "<</Odd/Object/Of/Nothing>>")
        data = document.tobytes().replace(b"<</Odd/Object/Of/Nothing>>", b"<</Odd((((((((((((((((((((")
    assert [(m.name, m.data) for m in pdf_members(data, None, Limits())] == [("listed.txt", b"listed words")]


@pytest.mark.slow  # test_hostile_files has a smaller one
def test_a_compressed_stream_that_is_a_bomb_ends_in_a_status(matter: Any) -> None:
    stream = zlib.compress(bytes(300_000_000), 9)
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((72, 90), "Words.")
        xref = document.get_new_xref()
        document.update_object(xref, "<</Type/EmbeddedFile>>")
        document.update_stream(xref, b"x", compress=False)
        spec = document.get_new_xref()
        document.update_object(spec, f"<</Type/Filespec/F(bomb.txt)/EF<</F {xref} 0 R>>>>")
        document.xref_set_key(document.pdf_catalog(), "AF", f"[{spec} 0 R]")
        pdf = document.tobytes()
    small = pdf.replace(b"/Length 1", b"/Filter/FlateDecode/Length %d" % len(stream), 1).replace(
        b"stream\nx\nendstream", b"stream\n" + stream + b"\nendstream", 1
    )
    matter.write("bomb.pdf", small)
    matter.limits = Limits(member_bytes=1 << 20)
    matter.read()
    assert matter.record("bomb.pdf").status in (SourceStatus.PARTIAL, SourceStatus.INDEXED)
    assert "Words." in matter.text("bomb.pdf")
    assert "bomb.pdf!/bomb.txt" not in matter.records()


def mailbox(count: int) -> bytes:
    return b"\n".join(b"From a@b Thu Feb 12 00:00:00 2026\n" + mail(f"Message {n}.\n") for n in range(count))


def test_a_mailbox_is_a_container_unless_it_holds_one_message() -> None:
    assert open_file(mailbox(1), "x.mbox", None, Limits()).kind is Kind.EML
    opened = open_file(mailbox(3), "x.mbox", None, Limits())
    members = list(opened.members())
    assert (opened.kind, opened.pages) == (Kind.MBOX, None)
    assert [m.name for m in members] == ["00001.eml", "00002.eml", "00003.eml"]
    assert [lines(read_eml(m.data or b"", Limits()).flow)[-1] for m in members] == [
        "Message 0.",
        "Message 1.",
        "Message 2.",
    ]


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"%PDF-1.7", "a.txt", Kind.PDF), (b"\n\n%PDF-1.4", "a", Kind.PDF), (b"", "a.pdf", Kind.EMPTY),
        (b"{\\rtf1 x}", "a.doc", Kind.RTF), (b"PK\x03\x04broken", "a.docx", Kind.ZIP),
        (b"a,b\n1,2\n", "a.csv", Kind.CSV), (b"a,b\n1,2\n", "a.txt", Kind.TEXT), (b"# T\n", "a.md", Kind.MARKDOWN),
        (b"<!-- c --><!doctype HTML><p>", "a.txt", Kind.HTML), (b"\x89PNG\r\n\x1a\n", "a.pdf", Kind.PNG),
        (b"MZ\x90\x00\x03", "a.pdf", Kind.OTHER), ("naïve".encode("utf-16"), "a", Kind.TEXT),
        (b"To: File\nFrom: N. Orr\nDate: 1 May 2026\nRe: Lodge\n\nThe call.", "memo.txt", Kind.TEXT),
        (b"Dear Sir,\nFrom: here\nto: there\n", "a.txt", Kind.TEXT), (mail(), "no-suffix", Kind.EML),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "a.msg", Kind.OLE),
        (zip_of({"a.pdf": b"%PDF-1.7 x"}, zipfile.ZIP_STORED), "a.zip", Kind.ZIP),
        (zip_of({"mimetype": b"application/vnd.oasis.opendocument.graphics"}, zipfile.ZIP_STORED), "a.odg", Kind.ODF),
        (zip_of({"[Content_Types].xml": b"", "xl/workbook.bin": b""}), "a.xlsb", Kind.XLSB),
        (zip_of({"[Content_Types].xml": b"", "visio/document.xml": b""}), "a.vsdx", Kind.OOXML),
        (b"\x00\x00\x00\x1cftypmif1\x00\x00\x00\x00avifmif1", "a.avif", Kind.AVIF),
    ],
)  # fmt: skip
def test_a_kind_is_told_by_content(data: bytes, name: str, kind: Kind) -> None:
    assert sniff(io.BytesIO(data), name) is kind


def test_outlook_messages_with_attachments(shared: Path) -> None:
    folder = shared / "corpus/other_formats"
    opened = open_file(folder / "tika__testMSG_att_msg.msg", "m.msg", None, Limits())
    assert [m.name.rpartition(".")[2] for m in opened.members()] == ["msg", "pdf"]
    inner = next(m for m in opened.members() if m.name.endswith(".msg"))
    assert open_file(inner.data or b"", inner.name, None, Limits()).kind is Kind.MSG
