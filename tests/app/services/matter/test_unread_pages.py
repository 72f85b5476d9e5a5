"""Pages that gave no text are never counted as searched, and every place that says so says it in the same words."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from app.cli.main import main
from app.store.records import decode_record, encode_record, record_to_json
from ingest.mupdf import pymupdf
from ingest.ocr.engine import OcrSettings, OcrUnavailable, installed_languages, prepare
from verify.domain.document import Parser, SourceRecord, SourceStatus, SourceWarning, WarningCode
from verify.domain.ids import Fingerprint, SourceId

Run = Callable[..., tuple[int, str, str]]


def scan(*lines: str) -> bytes:
    """Pages that are pictures of text, and nothing else."""
    document = pymupdf.open()
    for line in lines:
        typed = pymupdf.open()
        typed.new_page(width=400, height=200).insert_text((40, 100), line, fontsize=20)
        picture = typed[0].get_pixmap(dpi=150)
        document.new_page(width=400, height=200).insert_image((0, 0, 400, 200), pixmap=picture)
    data: bytes = document.tobytes(no_new_id=True)
    return data


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    matter = tmp_path / "matter"
    matter.mkdir()
    (matter / "scan.pdf").write_bytes(scan("The walnut desk was sold."))
    (matter / "note.txt").write_text("The rent is USD 84,000 a year.\n", "utf-8")

    def call(command: str, *args: str) -> tuple[int, str, str]:
        status = main(["--store", str(tmp_path / "store"), command, str(matter), *args])
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return call


def need_tesseract() -> None:
    try:
        prepare(OcrSettings(("eng",)))
    except OcrUnavailable:
        pytest.skip("Tesseract is not installed")


def test_a_scan_that_was_not_recognised_is_named_and_not_counted(run: Run) -> None:
    status, _, told = run("index", "--ocr", "never", "--no-dense")
    assert status == 0
    words = "1 page, 1 without readable text, read in part"
    assert f"scan.pdf: {words}" in told
    assert words in run("sources")[1]
    for question in ("What is the rent?", "Who fed the heron?"):
        answer = json.loads(run("ask", question, "--model", "extractive", "--json")[1])
        places = [answer["retrieval"]["searched"]] + [u["searched"] for u in [answer["unanswered"]] if u]
        for searched in places:
            assert (searched["sources"], searched["pages"]) == (1, 1)
            (unread,) = searched["not_read"]
            assert (unread["path"], unread["status"]) == ("scan.pdf", "partial")
            assert (unread["unread_pages"], unread["page_count"]) == (1, 1)
    shown = run("ask", "What is the rent?", "--model", "extractive")[1]
    assert "not searched: scan.pdf (1 of 1 page has no readable text)" in shown


def test_a_recognised_scan_is_searched_whole(run: Run) -> None:
    need_tesseract()
    run("index", "--no-dense")
    searched = json.loads(run("ask", "What was sold?", "--model", "extractive", "--json")[1])["retrieval"]["searched"]
    assert (searched["sources"], searched["pages"], searched["not_read"]) == (2, 2, [])


def test_an_uninstalled_language_stops_before_good_text_is_replaced(run: Run) -> None:
    need_tesseract()
    run("index", "--no-dense")
    status, out, _ = run("index", "--no-dense", "--lang", "xyz", "--json")
    assert (status, json.loads(out)["code"]) == (4, "ocr_unavailable")
    assert "tesseract-ocr-xyz" in json.loads(out)["message"]
    found = json.loads(run("search", "walnut desk", "--mode", "lexical", "--json")[1])["passages"]
    assert found[0]["path"] == "scan.pdf"


def test_index_says_which_language_to_install(run: Run) -> None:
    need_tesseract()
    if "dzo" in installed_languages():
        pytest.skip("needs a Tesseract without Dzongkha")
    status, _, told = run("index", "--no-dense", "--lang", "eng+dzo")
    assert status == 0
    assert "an OCR language is not installed, which 1 document would need" in told
    assert "Install tesseract-ocr-dzo." in told


def test_a_mistyped_language_is_told_before_anything_is_read(run: Run) -> None:
    need_tesseract()
    status, out, _ = run("index", "--no-dense", "--lang", "eng+fr", "--json")
    assert (status, json.loads(out)["code"]) == (4, "ocr_unavailable")
    message = json.loads(out)["message"]
    assert message.startswith("Tesseract knows no language fr (fr is fra there). Installed: ")
    assert "eng" in message and "osd" not in message.partition("Join")[0]


def test_index_says_that_there_is_no_engine(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    installed_languages.cache_clear()
    status, _, told = run("index", "--no-dense")
    monkeypatch.undo()
    installed_languages.cache_clear()
    assert status == 0
    assert "Tesseract is not installed. Install tesseract-ocr." in told


def test_the_count_outlives_the_store_and_older_records_are_counted_from_their_warnings() -> None:
    warnings = tuple(SourceWarning(WarningCode.NO_TEXT, page, "d") for page in (0, 4))
    record = SourceRecord(
        SourceId("s"), "a.pdf", Fingerprint("sha256:" + "0" * 64), "application/pdf", 90, SourceStatus.PARTIAL,
        Parser("p", "1", "q"), warnings=warnings, unread_pages=60,
    )  # fmt: skip
    assert decode_record(encode_record(record)) == record
    older = record_to_json(record)
    del older["unread_pages"]
    assert decode_record(json.dumps(older).encode()).unread_pages == 2
