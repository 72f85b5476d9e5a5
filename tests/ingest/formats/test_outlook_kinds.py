"""Outlook messages whose text is in RTF alone, or in two forms that differ."""

import struct
from pathlib import Path

import compressed_rtf
from extract_msg import OleWriter

from ingest.formats.mail.outlook import read_msg
from ingest.formats.model import Read
from ingest.limits import Limits
from ingest.rendition.flow import Block
from verify.domain.document import WarningCode

CLASS, SUBJECT, BODY, RTF, HTML = 0x001A, 0x0037, 0x1000, 0x1009, 0x1013
WORDS, BYTES = 0x001F, 0x0102


def message(folder: Path, values: dict[int, str | bytes]) -> bytes:
    """By MS-OXMSG: a stream a property, and the list of properties behind 32 bytes."""
    writer = OleWriter()
    entries = b""
    for key, value in {CLASS: "IPM.Note", SUBJECT: "Rent", **values}.items():
        kind = WORDS if isinstance(value, str) else BYTES
        data = value.encode("utf-16-le") if isinstance(value, str) else value
        writer.addEntry(f"__substg1.0_{key:04X}{kind:04X}", data)
        entries += struct.pack("<HHIII", kind, key, 6, len(data) + 2 * (kind == WORDS), 0)
    writer.addEntry("__properties_version1.0", bytes(32) + entries)
    writer.addEntry("__nameid_version1.0", storage=True)
    for name in ("00020102", "00030102", "00040102"):
        writer.addEntry(["__nameid_version1.0", f"__substg1.0_{name}"], b"")
    writer.write(str(folder / "made.msg"))
    return (folder / "made.msg").read_bytes()


def texts(read: Read) -> list[str]:
    return [block.text for block in read.flow if isinstance(block, Block) and block.text]


def test_a_body_in_rtf_alone_is_read(tmp_path: Path) -> None:
    rtf = rb"{\rtf1\ansi The rent is {\b EUR 40}.\par{\v secret}\par}"
    read = read_msg(message(tmp_path, {RTF: compressed_rtf.compress(rtf)}), Limits())
    assert texts(read) == ["Subject: Rent", "The rent is EUR 40."]
    assert [warning.code for warning in read.warnings] == [WarningCode.HIDDEN_TEXT]


def test_a_page_packed_in_rtf_shows_its_words_once(tmp_path: Path) -> None:
    rtf = (
        rb"{\rtf1\ansi\fromhtml1 {\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 The rent is 40.\htmlrtf\par}\htmlrtf0 "
        rb"{\*\htmltag72 </p>}}"
    )
    read = read_msg(message(tmp_path, {RTF: compressed_rtf.compress(rtf)}), Limits())
    assert texts(read) == ["Subject: Rent", "The rent is 40."]


def test_bodies_that_differ_are_both_shown(tmp_path: Path) -> None:
    values: dict[int, str | bytes] = {BODY: "Pay to account 1112.", HTML: b"<p>Pay to account 2223.</p>"}
    read = read_msg(message(tmp_path, values), Limits())
    assert texts(read) == [
        "Subject: Rent", "Pay to account 2223.", "[The mail's plain version, which differs:]", "Pay to account 1112.",
    ]  # fmt: skip
    assert [warning.code for warning in read.warnings] == [WarningCode.HIDDEN_TEXT]
    same = read_msg(message(tmp_path, {**values, BODY: "Pay to account 2223."}), Limits())
    assert (texts(same), same.warnings) == (["Subject: Rent", "Pay to account 2223."], ())


def test_a_damaged_version_is_told_and_the_other_read(tmp_path: Path) -> None:
    values: dict[int, str | bytes] = {BODY: "Pay to account 1112.", RTF: b"no packed text at all"}
    read = read_msg(message(tmp_path, values), Limits())
    assert texts(read) == ["Subject: Rent", "Pay to account 1112."]
    assert [warning.code for warning in read.warnings] == [WarningCode.TRUNCATED]
