"""Files made to hang, swell or climb out: each ends in a status, and what lies beside it is read."""

import io
import os
import socket
import zlib
from collections.abc import Sequence
from typing import Any

import openpyxl

from ingest.formats.sheets.opening import open_sheets
from ingest.formats.sniff import Kind
from ingest.limits import Limits
from verify.domain.document import SourceStatus, WarningCode


def pdf(*objects: bytes) -> bytes:
    """Objects numbered from 1, the first one the catalog."""
    out, starts = io.BytesIO(), []
    out.write(b"%PDF-1.7\n")
    for number, body in enumerate(objects, 1):
        starts.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    rows = b"".join(b"%010d 00000 n \n" % start for start in starts)
    size = len(objects) + 1
    table = b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\n" % (size, rows, size)
    return out.getvalue() + table + b"startxref\n%d\n%%%%EOF" % out.tell()


CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"
ONE_PAGE = b"<</Type/Pages/Count 1/Kids[3 0 R]>>"
PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R%s>>"

FORM = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>>>"


def stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(data), data)


def chain_of_forms(length: int) -> Sequence[bytes]:
    """Each draws the next one twice."""
    return [stream(b"/X Do /X Do", FORM % (number + 6)) for number in range(length)]


def picture(coding: bytes) -> bytes:
    shape = b"/Type/XObject/Subtype/Image/Width 30000/Height 30000/BitsPerComponent 8/ColorSpace/DeviceRGB"
    garbage = bytes((7 * i * i + i) % 251 for i in range(2000))
    drawn = PAGE % b"/Resources<</XObject<</X 5 0 R>>>>"
    return pdf(CATALOG, ONE_PAGE, drawn, stream(b"/X Do"), stream(garbage, shape + b"/Filter/" + coding))


def files() -> dict[str, bytes]:
    many = b" ".join(b"%d 0 R" % (number + 3) for number in range(500))
    bomb = zlib.compress(zlib.compress(b"0 0 m " * 1_000_000))
    return {
        "cycle.pdf": pdf(CATALOG, b"<</Type/Pages/Count 5/Kids[2 0 R 2 0 R]>>"),
        "lies.pdf": pdf(CATALOG, b"<</Type/Pages/Count 2000000000/Kids[3 0 R]>>", PAGE % b"", stream(b"")),
        "arrays.pdf": pdf(b"<</Type/Catalog/Pages 2 0 R/X %s%s>>" % (b"[" * 9000, b"]" * 9000), ONE_PAGE, PAGE % b""),
        "states.pdf": pdf(CATALOG, ONE_PAGE, PAGE % b"", stream(b"q " * 50_000)),
        "forms.pdf": pdf(CATALOG, ONE_PAGE, PAGE % b"/Resources<</XObject<</X 5 0 R>>>>", stream(b"/X Do"),
                         *chain_of_forms(60)),
        "itself.pdf": pdf(CATALOG, ONE_PAGE, PAGE % b"/Resources<</XObject<</X 5 0 R>>>>", stream(b"/X Do"),
                          stream(b"/X Do", FORM % 5)),
        "flate.pdf": pdf(CATALOG, ONE_PAGE, PAGE % b"", stream(bomb, b"/Filter[/FlateDecode/FlateDecode]")),
        "labels.pdf": pdf(CATALOG[:-2] + b"/PageLabels<</Nums[0<</S/r/St 2000000000>>]>>>>", ONE_PAGE, PAGE % b"",
                          stream(b"")),
        "many.pdf": pdf(CATALOG, b"<</Type/Pages/Count 500/Kids[%s]>>" % many,
                        *[b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"] * 500),
        **{f"{coding.decode()}.pdf": picture(coding) for coding in (b"JBIG2Decode", b"JPXDecode", b"CCITTFaxDecode")},
        "loop.tif": b"II*\x00\x08\x00\x00\x00\x00\x00\x08\x00\x00\x00",
        "binary.rtf": b"{\\rtf1 \\bin999999999999 abc \\u99999999999 \\fs99999999999999 }",
        "outside.svg": b"<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><svg><text>&x;</text></svg>",
        "two\nlines.txt": b"Words under a name of two lines.",
        "left\u202etxt.pdf": b"not a document",
    }  # fmt: skip


def test_each_ends_in_a_status_and_the_rest_is_read(matter: Any) -> None:
    made = files()
    for name, data in made.items():
        matter.write(name, data)
    matter.write("zz.txt", "The deposit is EUR 400.")
    (matter.root / os.fsdecode(b"name\xff.txt")).write_bytes(b"A name that is no text.")
    os.mkfifo(matter.root / "pipe.pdf")
    (matter.root / "round").symlink_to(matter.root)
    (matter.root / "endless.txt").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as open_socket:
        open_socket.bind(os.path.relpath(matter.root / "socket.pdf"))
        matter.limits = Limits(seconds_silent=4)
        summary = matter.read()
    records = matter.records()
    assert len(records) == len(made) + 2
    assert summary.skipped == 4
    assert SourceStatus.NEEDS_PASSWORD not in {record.status for record in records.values()}
    assert records["forms.pdf"].status is SourceStatus.UNREADABLE
    assert records["many.pdf"].page_count == 500
    assert matter.text("two\nlines.txt") == "Words under a name of two lines."
    assert matter.text("zz.txt") == "The deposit is EUR 400."
    assert "root:" not in matter.text("outside.svg")


def test_one_far_cell_does_not_open_all_that_lie_before_it() -> None:
    book = openpyxl.Workbook()
    book.active["A1"], book.active["XFD1048576"] = "near", "far"
    data = io.BytesIO()
    book.save(data)
    opened = open_sheets(Kind.XLSX, data.getvalue(), Limits())
    assert [place.address for page in opened.addresses for place in page] == ["Sheet!A1", "Sheet!XFD1048576"]
    assert WarningCode.TRUNCATED not in [warning.code for warning in opened.warnings]
