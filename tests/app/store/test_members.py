"""An attachment is a source of its own, bound to its own bytes as its e-mail holds them now."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

Ids = Callable[[str], str]
ANNEX = "mail.eml!/annex.pdf"


@pytest.fixture
def request_file(place: Any, ids: Ids, tmp_path: Path) -> str:
    sources = json.loads(place.run("sources", "--json")[1])["sources"]
    annex = next(s for s in sources if s["path"] == ANNEX)
    assert annex["parent"] == ids("mail.eml")
    check = {
        "check_id": "v1", "kind": "quote", "source_id": annex["source_id"],
        "document_fingerprint": annex["fingerprint"], "page_index": 1, "expected_text": "The annual rent is USD 84,000",
    }  # fmt: skip
    path = tmp_path / "request.json"
    path.write_text(json.dumps({"schema": "pincite.request/1", "request_id": "r", "checks": [check]}), "utf-8")
    return str(path)


def verdict(place: Any, request_file: str) -> tuple[str, str | None]:
    check = json.loads(place.run("verify", request_file, "--json")[1])["checks"][0]
    return check["status"], check["reason"]


def test_an_attachment_is_verified_and_drawn(place: Any, ids: Ids, request_file: str, tmp_path: Path) -> None:
    assert verdict(place, request_file) == ("verified", None)
    target = tmp_path / "annex.png"
    status, out, _ = place.run("render", ids(ANNEX), "1", "-o", str(target), "--dpi", "72", "--json")
    assert status == 0
    assert (json.loads(out)["page_width"], json.loads(out)["page_height"]) == (79200, 61200)  # turned by 90 degrees
    with Image.open(target) as image:
        assert image.size == (792, 612)


def test_another_mail_around_the_same_attachment_leaves_it_verified(place: Any, request_file: str) -> None:
    mail = place.matter / "mail.eml"
    mail.write_bytes(mail.read_bytes().replace(b"at noon", b"at once"))
    assert verdict(place, request_file) == ("verified", None)


def test_another_attachment_under_its_name_is_stale(place: Any, request_file: str) -> None:
    from email import message_from_bytes, policy

    mail = place.matter / "mail.eml"
    message = message_from_bytes(mail.read_bytes(), policy=policy.default)
    (attachment,) = message.iter_attachments()
    attachment.set_content(b"%PDF-1.4 other", maintype="application", subtype="pdf", filename="annex.pdf")
    mail.write_bytes(bytes(message))
    assert verdict(place, request_file) == ("stale", "fingerprint_changed")


def test_an_attachment_whose_mail_is_gone_is_missing(place: Any, request_file: str) -> None:
    (place.matter / "mail.eml").unlink()
    assert verdict(place, request_file) == ("not_found", "source_missing")
