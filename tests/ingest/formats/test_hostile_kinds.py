"""What the readers of formats do with parts that are broken, nested without end, or not what they say."""

import io
import zipfile
from email.message import EmailMessage

import pytest
from flow_texts import texts

from ingest.failures import ReadFailure
from ingest.formats.model import Read
from ingest.formats.odf.documents import read_odt
from ingest.formats.office.word import read_docx
from ingest.formats.opening import flow_of, open_file
from ingest.formats.rtf.reader import read_rtf
from ingest.formats.web.html import html_page
from ingest.limits import Limits
from ingest.rendition.flow import LEFT_OUT
from verify.domain.document import WarningCode

W = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
URN = "urn:oasis:names:tc:opendocument:xmlns"
ODF = " ".join(f'xmlns:{name}="{URN}:{name}:1.0"' for name in ("text", "office")) + f' xmlns:draw="{URN}:drawing:1.0"'
LINKS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="c" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/chart" Target="{0}"/></Relationships>'
)
BOMB = "<!DOCTYPE c [<!ENTITY a 'x'><!ENTITY b '&a;&a;&a;'>]><c>&b;</c>"


def package(**parts: str) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return held.getvalue()


def docx(body: str, **parts: str) -> bytes:
    document = f"<w:document {W}><w:body>{body}</w:body></w:document>"
    return package(**{"[Content_Types].xml": "", "word/document.xml": document, **parts})


def odt(body: str) -> bytes:
    text = f"<office:document-content {ODF}><office:body><office:text>{body}</office:text></office:body>"
    return package(**{"content.xml": text + "</office:document-content>"})


def said(read: Read) -> list[WarningCode]:
    return [warning.code for warning in read.warnings]


@pytest.mark.parametrize("target", ["charts/c.xml", "charts/gone.xml", "../../../../etc/hostname", "document.xml"])
def test_a_chart_that_cannot_be_read_costs_the_chart_alone(target: str) -> None:
    body = "<w:p><w:r><w:t>Text.</w:t><w:drawing><c:chart r:id='c'/></w:drawing></w:r></w:p>"
    parts = {"word/_rels/document.xml.rels": LINKS.format(target), "word/charts/c.xml": BOMB}
    read = read_docx(docx(body, **parts), Limits(), flow_of)
    first = read.flow[0]
    assert getattr(first, "text", "") == "Text."
    assert "x" * 3 not in str(read.flow)
    assert said(read) == ([] if target == "document.xml" else [WarningCode.TRUNCATED])


def test_equations_groups_and_frames_nested_without_end_are_cut() -> None:
    deep = "<m:e>" * 90 + "<m:r><m:t>x</m:t></m:r>" + "</m:e>" * 90
    read = read_docx(docx(f"<w:p><m:oMath>{deep}</m:oMath></w:p>"), Limits(), flow_of)
    assert getattr(read.flow[0], "text", "") == "…"
    groups = (
        "<text:p>a" + "<draw:g>" * 120 + "<draw:rect><text:p>b</text:p></draw:rect>" + "</draw:g>" * 120 + "</text:p>"
    )
    assert LEFT_OUT in read_odt(odt(groups), Limits()).flow
    frames = "<draw:frame><draw:text-box><text:p>" * 70 + "x" + "</text:p></draw:text-box></draw:frame>" * 70
    assert LEFT_OUT in read_odt(odt(f"<text:p>{frames}</text:p>"), Limits()).flow


def test_a_mail_of_versions_inside_versions_ends() -> None:
    inner = EmailMessage()
    inner.set_content("Innermost.\n")
    for _ in range(60):
        outer = EmailMessage()
        outer["Content-Type"] = "multipart/alternative"
        outer.attach(inner)
        inner = outer
    inner["From"], inner["To"], inner["Subject"] = "a@b.example", "c@d.example", "x"
    opened = open_file(inner.as_bytes(), "x.eml", None, Limits())
    assert WarningCode.TRUNCATED in [warning.code for warning in opened.warnings]


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (rb"{\rtf1 a{\pict\pngblip\bin99999999 x}\par b\par}", ["a", "[Picture]"]),
        (rb"{\rtf1{\*\formfield{\fftype2\ffres9999}}a\par}", ["a"]),
        (rb"{\rtf1{\colortbl;\red9999999999;}\cf99 a\par}", ["a"]),
        (rb"{\rtf1\revauth-5{\revised a}\par}", ["a", "[Inserted: “a”]"]),
        (b"{\\rtf1 " + b"{\\shp{\\*\\shpinst{\\shptxt " * 200 + b"x" + b"}}}" * 200 + b"\\par}", [LEFT_OUT.text]),
    ],
)  # fmt: skip
def test_rtf_that_claims_too_much_is_read_as_far_as_it_goes(data: bytes, shown: list[str]) -> None:
    assert texts(read_rtf(data).flow) == shown


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (rb"{\rtf1 Rent{\footnote Paid in", ["Rent1", "1 Paid in"]),
        (rb"{\rtf1 Rent\par Tax{\pict\pngblip 8950", ["Rent", "Tax", "[Picture]"]),
        (rb"{\rtf1 Rent{\*\fldinst HYPERLINK", ["Rent"]),
        (rb"{\rtf1\trowd\intbl Rent\cell 40{\pict\pngblip 89", ["Rent | 40 [Picture]"]),
    ],
)
def test_rtf_that_is_cut_off_within_a_group_keeps_the_text_before_it(data: bytes, shown: list[str]) -> None:
    assert texts(read_rtf(data).flow) == shown


def test_lists_and_spans_without_measure_are_bounded() -> None:
    page = "<ol start=999999999999><li value=-3>x</ol><table><tr><td colspan=99999>a<td rowspan=99999>b</table>"
    assert len(html_page(page).flow) == 2


@pytest.mark.parametrize("cut", range(1, 30, 3))
def test_whatever_is_cut_off_has_a_reason(cut: int) -> None:
    """Files of each new kind, cut to a share of their length, end in a reading or a reason, never in another error."""
    samples = {
        "a.p7m": bytes.fromhex("30800609 2a864886f70d010702 a080 3080020101 3100 3080".replace(" ", "")) + b"\x06" * 40,
        "winmail.dat": b"\x78\x9f\x3e\x22\x01\x00" + b"\x01\x0c\x80\x02\x00\x04\x00\x00\x00abcd\x8a\x01" * 4,
        "a.odp": package(mimetype="application/vnd.oasis.opendocument.presentation", **{"content.xml": "<x/>"}),
        "a.pptx": package(**{"[Content_Types].xml": "", "ppt/presentation.xml": "<x/>"}),
        "a.avif": b"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1" + bytes(90),
        "a.jp2": b"\x00\x00\x00\x0cjP  \r\n\x87\n" + bytes(90),
    }
    for name, data in samples.items():
        try:
            opened = open_file(data[: max(1, len(data) * cut // 30)], name, None, Limits())
            list(opened.members())
        except ReadFailure as failure:
            assert failure.detail
