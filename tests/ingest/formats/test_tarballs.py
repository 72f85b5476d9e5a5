"""TAR and gzip: members with safe names, links left out, bombs stopped."""

import gzip
import io
import tarfile

import pytest

from ingest.failures import Unsupported
from ingest.formats.opening import Member, open_file
from ingest.formats.sniff import Kind
from ingest.limits import Limits


def tar(*files: tuple[str, bytes], link: str | None = None) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, data in files:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        if link:
            info = tarfile.TarInfo("link.txt")
            info.type, info.linkname = tarfile.SYMTYPE, link
            archive.addfile(info)
    return buffer.getvalue()


def members(data: bytes, name: str, limits: Limits | None = None) -> tuple[Kind, list[Member]]:
    opened = open_file(data, name, None, limits or Limits())
    assert opened.pages is None
    return opened.kind, list(opened.members())


@pytest.mark.parametrize("packed", [False, True])
def test_files_come_out_under_safe_names_and_links_do_not(packed: bool) -> None:
    data = tar(("../../etc/one.txt", b"first"), ("/two.txt", b"second"), ("two.txt", b"third"), link="/etc/hosts")
    kind, found = members(gzip.compress(data) if packed else data, "papers.tgz")
    assert kind is (Kind.GZIP if packed else Kind.TAR)
    assert [(m.name, m.data) for m in found[:3]] == [
        ("etc/one.txt", b"first"), ("two.txt", b"second"), ("two.txt#2", b"third"),
    ]  # fmt: skip
    assert (found[3].data, found[3].detail) == (None, "a link or device in the archive was left out")


def test_a_single_file_keeps_its_name() -> None:
    assert members(gzip.compress(b"A letter."), "letter.txt.gz") == (Kind.GZIP, [Member("letter.txt", b"A letter.")])


@pytest.mark.parametrize("inner", [b"\0" * 40_000_000, tar(("zeros.txt", b"\0" * 40_000_000))])
def test_a_bomb_is_stopped(inner: bytes) -> None:
    _, found = members(gzip.compress(inner), "bomb.gz")
    assert [m.data for m in found] == [None] and "more than is read" in found[0].detail


def test_more_members_than_are_read_are_told() -> None:
    data = tar(*((f"{n}.txt", b"x") for n in range(5)))
    _, found = members(data, "many.tar", Limits(members=3))
    assert [m.data for m in found] == [b"x", b"x", b"x", None]


@pytest.mark.parametrize("cut", [1, 300, 700, 1500, 2000])
@pytest.mark.parametrize("packed", [False, True])
def test_a_cut_archive_gives_what_it_can_and_says_so(cut: int, packed: bool) -> None:
    data = tar(("one.txt", b"x" * 900), ("two.txt", b"y" * 900))
    whole = gzip.compress(data) if packed else data
    try:
        _, found = members(whole[: -cut if packed and cut < len(whole) else len(whole) - cut], "cut.tar")
    except Exception as error:
        assert type(error).__module__ == "ingest.failures"
        return
    assert all(m.data or m.detail for m in found)


@pytest.mark.parametrize(
    ("data", "what_to_do"),
    [
        (b"7z\xbc\xaf'\x1c\x00\x04" + bytes(60), "unpack it into the folder"),
        (b"Rar!\x1a\x07\x01\x00" + bytes(60), "unpack it into the folder"),
        (b"-----BEGIN PGP MESSAGE-----\n\nxx\n", "or as PDF"),
        (b"!BDN" + bytes(60), "save its mails as MSG"),
        (b"\x00\x00\x00\x18ftypheic" + bytes(60), "save it as JPEG or PDF"),
        (b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>", "save it as PDF"),
        (b"<?xml version='1.0'?><?mso-application progid=\"Word.Document\"?><x/>", "save it as DOCX"),
        (bytes.fromhex("308206092a864886f70d010703a08206") + bytes(60), "or as PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "save it as PDF"),
    ],
)
def test_what_is_not_read_says_what_to_do(data: bytes, what_to_do: str) -> None:
    with pytest.raises(Unsupported, match=what_to_do):
        open_file(data, "file.dat", None, Limits())


def test_the_signature_of_a_mail_is_no_attachment() -> None:
    mail = (
        b"From: ada@quay.example\r\nTo: ben@quay.example\r\nSubject: Notice\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: multipart/signed; boundary="b"; protocol="application/pkcs7-signature"\r\n\r\n'
        b"--b\r\nContent-Type: text/plain\r\n\r\nThe lease ends in June.\r\n"
        b'--b\r\nContent-Type: application/pkcs7-signature; name="smime.p7s"\r\nContent-Transfer-Encoding: base64\r\n'
        b"Content-Disposition: attachment; filename=smime.p7s\r\n\r\nMIAGCSqGSIb3DQEHAqCA\r\n--b--\r\n"
    )
    opened = open_file(mail, "notice.eml", None, Limits())
    assert list(opened.members()) == []
