"""Mail as it really comes: several versions of a text, odd charsets, signed and packed mails, reports."""

import base64
import email.policy
import io
import struct
from email.message import EmailMessage

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import pkcs7
from cryptography.x509.oid import NameOID

from ingest.failures import Damaged, Unsupported
from ingest.formats.mail.message import read_eml
from ingest.formats.mail.signed import signed_content
from ingest.formats.mail.tnef import read_tnef
from ingest.formats.opening import open_file
from ingest.formats.sniff import Kind, sniff
from ingest.limits import Limits
from ingest.rendition.flow import Block, Flow
from verify.domain.document import WarningCode

HEAD = b"From: a@quay.example\nTo: b@quay.example\nSubject: Rent\nMIME-Version: 1.0\n"


def lines(flow: Flow) -> list[str]:
    """Texts of the body, below the headers."""
    return [b.text for b in flow if isinstance(b, Block) and b.text and b.kind != "header_field"]


def body(data: bytes) -> list[str]:
    return lines(read_eml(HEAD + data, Limits()).flow)


def alternative(plain: str, html: str) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@quay.example", "b@quay.example", "Rent"
    message.set_content(plain)
    message.add_alternative(html, subtype="html")
    return message


def test_versions_that_say_the_same_are_read_once() -> None:
    plain = "Pay EUR 40 by 1 May, see https://pay.example/7781 please.\n"
    html = "<p>Pay <b>EUR 40</b> by 1 May, see <a href='https://pay.example/7781'>please</a>.</p>"
    read = read_eml(alternative(plain, html).as_bytes(), Limits())
    assert lines(read.flow) == ["Pay EUR 40 by 1 May, see https://pay.example/7781 please."]
    assert read.warnings == ()


def test_one_figure_makes_a_difference_and_numbers_of_links_and_lists_make_none() -> None:
    def versions(plain: str, html: str) -> int:
        return len(read_eml(alternative(plain, html).as_bytes(), Limits()).warnings)

    assert versions("Leave within 7 days.\n", "<p>Leave within 9 days.</p>") == 1
    assert versions("1. Leave the key [1].\n\n[1] https://key.example/5\n", "<ol><li>Leave the key.</ol>") == 0


def test_versions_that_differ_are_both_shown_and_told() -> None:
    read = read_eml(
        alternative("Pay to account 1112 by Friday.\n", "<p>Pay to account 2223 by Friday.</p>").as_bytes(), Limits()
    )
    assert lines(read.flow) == [
        "Pay to account 2223 by Friday.", "[The mail's plain version, which differs:]",
        "Pay to account 1112 by Friday.",
    ]  # fmt: skip
    assert [warning.code for warning in read.warnings] == [WarningCode.HIDDEN_TEXT]


def test_a_second_text_beside_an_attachment_is_no_other_version() -> None:
    data = (
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nFirst.\n"
        b"--b\nContent-Type: application/pdf; name=x.pdf\n\n%PDF\n--b\nContent-Type: text/html\n\n<p>Second.</p>\n"
        b"--b\nContent-Type: text/calendar\n\nBEGIN:VCALENDAR\n--b--\n"
    )
    read = read_eml(HEAD + data, Limits())
    assert lines(read.flow) == ["First.", "Second."]
    assert [member.name for member in read.members()] == ["x.pdf", "part.ics"]


@pytest.mark.parametrize(
    ("charset", "encoding", "text"),
    [
        ("iso-8859-1", "cp1252", "“Rent” – 40 €"), ("us-ascii", "utf-8", "“Rent”"), ("gb2312", "gb18030", "租金㐀"),
        ("ISO-8859-8-I", "cp1255", "שכר"), ("ks_c_5601-1987", "cp949", "임대료"), ("nonsense", "utf-8", "“Rent”"),
    ],
)  # fmt: skip
def test_charsets_are_read_as_mail_programs_read_them(charset: str, encoding: str, text: str) -> None:
    head = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit\n\n".encode()
    assert body(head + text.encode(encoding)) == [text]


def test_headers_and_names_in_bare_bytes() -> None:
    data = (
        "From: José <j@quay.example>\nTo: x\nSubject: Straße – 1\nMIME-Version: 1.0\nContent-Type: application/pdf\n"
        'Content-Disposition: attachment; filename="Straße.pdf"\n\nx'
    ).encode()
    read = read_eml(data, Limits())
    fields = [b.text for b in read.flow if isinstance(b, Block) and b.kind == "header_field"]
    assert fields == ["From: José <j@quay.example>", "To: x", "Subject: Straße – 1", "Attachments: Straße.pdf"]


def test_a_mail_inside_that_was_coded_is_decoded() -> None:
    inner = base64.encodebytes(b"From: c@quay.example\nSubject: Inner\n\nInner words.\n")
    data = (
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n"
        b"Content-Transfer-Encoding: base64\n\n" + inner + b"\n--b--\n"
    )
    (member,) = read_eml(HEAD + data, Limits()).members()
    assert member.data is not None and member.data.endswith(b"Inner words.\n")


def test_small_pictures_in_the_text_are_told() -> None:
    data = (
        b"Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>Kind regards</p>\n--b\n"
        b"Content-Type: image/png\nContent-ID: <a>\nContent-Disposition: inline\n\nsmall\n--b--\n"
    )
    assert body(data) == ["Kind regards", "[1 small pictures in the text were left out]"]


def test_what_a_mail_server_reports_is_read() -> None:
    data = (
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\nContent-Type: text/plain\n\n"
        b"It failed.\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.quay.example\n\n"
        b"Final-Recipient: rfc822; n@quay.example\nAction: failed\n--b--\n"
    )
    assert body(data) == [
        "It failed.", "Reporting-MTA: dns; mx.quay.example",
        "Final-Recipient: rfc822; n@quay.example\nAction: failed",
    ]  # fmt: skip


def test_a_mail_whose_parts_cannot_be_told_apart_shows_its_text() -> None:
    assert body(b"Content-Type: multipart/mixed; boundary=nowhere\n\nThe words stand here.\n") == [
        "The words stand here."
    ]


@pytest.fixture(scope="module")
def signer() -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    import datetime

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "N. Orr")])
    begin = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(7).not_valid_before(begin).not_valid_after(begin + datetime.timedelta(days=900))
    return made.sign(key, hashes.SHA256()), key


Signer = tuple[x509.Certificate, ec.EllipticCurvePrivateKey]


def signed(content: bytes, signer: Signer, encoding: serialization.Encoding = serialization.Encoding.DER) -> bytes:
    builder = pkcs7.PKCS7SignatureBuilder().set_data(content).add_signer(*signer, hashes.SHA256())
    return builder.sign(encoding, [pkcs7.PKCS7Options.Binary])


def test_a_signed_mail_shows_what_was_signed(signer: Signer) -> None:
    inner = EmailMessage(policy=email.policy.SMTP)
    inner.set_content("The rent is EUR 40.\n")
    inner.add_attachment(b"x", maintype="application", subtype="pdf", filename="lease.pdf")
    outer = EmailMessage()
    outer["From"], outer["To"], outer["Subject"] = "a@quay.example", "b@quay.example", "Signed"
    outer.set_content(
        signed(inner.as_bytes(), signer), maintype="application", subtype="pkcs7-mime", filename="smime.p7m",
        params={"smime-type": "signed-data"},
    )  # fmt: skip
    read = read_eml(outer.as_bytes(), Limits())
    assert lines(read.flow) == ["The rent is EUR 40."]
    assert [(member.name, member.data) for member in read.members()] == [("lease.pdf", b"x")]


def test_a_signed_file_is_a_container_of_what_was_signed(signer: Signer) -> None:
    for encoding in (serialization.Encoding.DER, serialization.Encoding.PEM):
        data = signed(b"%PDF-1.7 x", signer, encoding)
        assert sniff(io.BytesIO(data), "lease.pdf.p7m") is Kind.SMIME
        opened = open_file(data, "lease.pdf.p7m", None, Limits())
        assert [(m.name, m.data) for m in opened.members()] == [("lease.pdf", b"%PDF-1.7 x")]
    mail = open_file(signed(b"Content-Type: text/plain\r\n\r\nx", signer), "smime.p7m", None, Limits())
    assert [member.name for member in mail.members()] == ["smime.eml"]


def test_content_in_pieces_of_unknown_length_is_joined() -> None:
    """As mail programs write it: BER with indefinite lengths and an octet string in two pieces."""
    pieces = b"\x24\x80\x04\x03one\x04\x03two\x00\x00"
    enclosed = b"\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01\xa0\x80" + pieces + b"\x00\x00\x00\x00"
    signed_data = b"\x30\x80\x02\x01\x01\x31\x00" + enclosed + b"\x31\x00\x00\x00"
    data = b"\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02\xa0\x80" + signed_data + b"\x00\x00\x00\x00"
    assert signed_content(data) == b"onetwo"


def test_encrypted_empty_and_broken_messages_have_a_reason(signer: Signer) -> None:
    whole = signed(b"words", signer)
    with pytest.raises(Unsupported, match="encrypted"):
        signed_content(whole.replace(b"\x01\x07\x02", b"\x01\x07\x03", 1))
    detached = pkcs7.PKCS7SignatureBuilder().set_data(b"x").add_signer(*signer, hashes.SHA256())
    with pytest.raises(Unsupported, match="without the file"):
        signed_content(detached.sign(serialization.Encoding.DER, [pkcs7.PKCS7Options.DetachedSignature]))
    for cut in range(1, len(whole), 7):
        with pytest.raises((Damaged, Unsupported)):
            signed_content(whole[:cut])


def attribute(level: int, key: int, kind: int, data: bytes) -> bytes:
    return struct.pack("<BHHI", level, key, kind, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def packed_mail() -> bytes:
    """By MS-OXTNEF: version, code page, subject, body, and one attachment with its title and data."""
    return b"\x78\x9f\x3e\x22\x01\x00" + b"".join(
        (
            attribute(1, 0x9006, 8, struct.pack("<I", 0x10000)), attribute(1, 0x9007, 6, struct.pack("<II", 1252, 0)),
            attribute(1, 0x8004, 1, b"Rent\0"), attribute(1, 0x800C, 2, b"The rent is EUR 40.\0"),
            attribute(2, 0x9002, 6, bytes(14)), attribute(2, 0x8010, 1, b"lease.pdf\0"),
            attribute(2, 0x800F, 6, b"%PDF-1.7 x"),
        )
    )  # fmt: skip


def test_a_packed_mail_gives_its_text_and_attachments() -> None:
    assert sniff(io.BytesIO(packed_mail()), "winmail.dat") is Kind.TNEF
    read = read_tnef(packed_mail(), Limits())
    assert (lines(read.flow), read.metadata.title) == (["The rent is EUR 40."], "Rent")
    assert [(member.name, member.data) for member in read.members()] == [("lease.pdf", b"%PDF-1.7 x")]


def test_a_packed_mail_that_is_cut_off_is_read_as_far_as_it_goes() -> None:
    whole, said = packed_mail(), "The rent is EUR 40."
    for cut in range(6, len(whole), 5):
        read = read_tnef(whole[:cut], Limits())
        assert said.startswith("".join(lines(read.flow)))
        assert len(list(read.members())) <= 1
    assert lines(read.flow) == [said]
