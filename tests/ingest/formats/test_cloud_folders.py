"""What a folder of a cloud's program holds beside documents: pointers to them, and places that are not filled yet."""

import io
import json
import plistlib

import pytest

from ingest.failures import Unsupported
from ingest.formats.opening import open_kind
from ingest.formats.sniff import Kind, sniff
from ingest.limits import Limits

SHORTCUT = b"L\0\0\0\x01\x14\x02\0" + bytes(60)


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("Dates.gdoc", json.dumps({"url": "https://cloud.test/x", "doc_id": "x"}).encode(), Kind.POINTER),
        ("Room.url", b"[InternetShortcut]\r\nURL=https://room.test/\r\n", Kind.POINTER),
        ("Room.webloc", plistlib.dumps({"URL": "https://room.test/"}), Kind.POINTER),
        ("Lease.pdf.lnk", SHORTCUT, Kind.POINTER),
        ("Volume 2.pdf", bytes(300_000), Kind.PLACEHOLDER),
        (".Lease.docx.icloud", plistlib.dumps({"NSURLNameKey": "x"}, fmt=plistlib.FMT_BINARY), Kind.PLACEHOLDER),
        ("late start.txt", bytes(9000) + b"The rent is due. " * 2000, Kind.OTHER),
        ("note about a link.txt", b"The [InternetShortcut] section names the address.", Kind.TEXT),
    ],
)
def test_a_pointer_or_an_unfilled_place_is_told_from_a_document(name: str, data: bytes, kind: Kind) -> None:
    assert sniff(io.BytesIO(data), name) is kind


def test_what_is_to_be_done_is_said() -> None:
    with pytest.raises(Unsupported, match="not downloaded yet"):
        open_kind(Kind.PLACEHOLDER, bytes(9), "x.pdf", None, Limits())
    with pytest.raises(Unsupported, match="put the document"):
        open_kind(Kind.POINTER, SHORTCUT, "x.lnk", None, Limits())
