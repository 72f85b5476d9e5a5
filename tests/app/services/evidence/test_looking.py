"""A matter's looks: made once and kept, the same every time, and missed aloud where they cannot be made."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import bootstrap
from app.cli.main import main
from app.services.evidence import looking
from app.services.evidence.verifying import verify_request
from app.services.matter.matter import Matter, open_matter
from app.settings import Settings
from ingest.looking import FAILED, Looker
from ingest.mupdf import pymupdf
from verify.domain.look import Look

SENTENCE = "The Supplier shall be liable for delay."


def struck_pdf(path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=400, height=400)
    page.insert_text((72, 200), SENTENCE, fontsize=11)
    page.draw_line((72, 197), (120, 197), width=0.8)
    page.insert_text((72, 240), "The Buyer pays in May.", fontsize=11)
    document.save(path)


@pytest.fixture
def matter(tmp_path: Path) -> Iterator[Matter]:
    (tmp_path / "matter").mkdir()
    struck_pdf(tmp_path / "matter" / "deed.pdf")
    assert main(["--store", str(tmp_path / "store"), "index", str(tmp_path / "matter"), "--no-dense", "--json"]) == 0
    with open_matter(tmp_path / "matter", Settings(), tmp_path / "store") as opened:
        yield opened


def asked(matter: Matter, *texts: str) -> bytes:
    record = matter.sources()[0]
    checks = [
        {"check_id": f"v{n}", "kind": "quote", "source_id": record.source_id, "page_index": 0, "expected_text": text,
         "document_fingerprint": record.fingerprint}
        for n, text in enumerate(texts)
    ]  # fmt: skip
    return json.dumps({"schema": "pincite.request/1", "request_id": "r", "checks": checks}).encode()


def limits(matter: Matter, text: str, *, thorough: bool = False) -> list[str]:
    check = verify_request(matter, asked(matter, text), thorough=thorough).checks[0]
    return [limit.value for limit in check.limitations]


def test_a_second_look_comes_from_the_store(matter: Matter, monkeypatch: pytest.MonkeyPatch) -> None:
    request = asked(matter, SENTENCE, "The Buyer pays in May.")
    first = verify_request(matter, request, thorough=True).checks
    assert [[limit.value for limit in c.limitations] for c in first] == [["struck_through"], []]

    class NoLooker(Looker):
        def look(self, *given: object) -> Look:  # type: ignore[override]
            raise AssertionError("looked again")

        read = look  # type: ignore[assignment]

    monkeypatch.setattr(bootstrap, "build_looker", lambda: NoLooker(Path()))
    assert verify_request(matter, request, thorough=True).checks == first


def test_the_same_bytes_give_the_same_look_in_another_process(matter: Matter, tmp_path: Path) -> None:
    record = matter.sources()[0]
    page = matter.pages.get(record, 0)
    assert page is not None
    pdf = (tmp_path / "matter" / "deed.pdf").read_bytes()
    seen = []
    for name in ("one", "two"):
        looker = Looker(tmp_path / name)
        seen.append(looker.look(record.fingerprint, lambda: pdf, page))
        looker.close()
    assert seen[0] == seen[1] != Look()


def test_a_file_that_cannot_be_opened_is_said_not_to_have_been_looked_at(matter: Matter, tmp_path: Path) -> None:
    record = matter.sources()[0]
    page = matter.pages.get(record, 0)
    assert page is not None
    looker = Looker(tmp_path / "looker")
    assert looker.look("a", lambda: b"no PDF at all", page) == FAILED
    pdf = (tmp_path / "matter" / "deed.pdf").read_bytes()
    assert looker.look(record.fingerprint, lambda: pdf, page).struck  # the worker goes on
    looker.close()


def test_without_tesseract_a_line_that_should_be_read_again_is_named(
    matter: Matter, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Unread(Looker):
        def read(self, *given: object) -> None:  # type: ignore[override]
            return None

    monkeypatch.setattr(bootstrap, "build_looker", lambda: Unread(matter.store.folder / "scratch"))
    assert limits(matter, "The Buyer pays in May.") == []
    assert limits(matter, "The Buyer pays in May.", thorough=True) == ["not_read_again"]


def test_a_view_without_looks_says_nothing_of_pixels(matter: Matter) -> None:
    source = matter.view().find(matter.sources()[0].source_id)
    assert source is not None
    assert source.look(0, (0,)) is None  # type: ignore[union-attr]
    seen = looking.view(matter).find(matter.sources()[0].source_id)
    assert seen is not None
    assert seen.look(7, ()) is None  # type: ignore[union-attr]
