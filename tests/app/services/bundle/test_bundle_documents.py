"""A bundle against a folder: only what is cited is read, as it was read for the bundle, and with passwords."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli.main import main
from app.services.bundle import documents as bundle_documents
from app.services.bundle.check import check_bundle
from app.services.bundle.documents import check_against_documents
from app.services.matter.indexing import index
from app.settings import Settings
from ingest.mupdf import pymupdf
from ingest.pipeline import SourceRead
from ingest.settings import OcrMode, ReadSettings, asked_of

PASSWORD = "tulip"
Run = Callable[..., tuple[int, str]]


def locked_pdf() -> bytes:
    document = pymupdf.open()
    document.new_page().insert_text((72, 90), "The porter is paid EUR 23 an hour.")
    data: bytes = document.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=PASSWORD, owner_pw="rose")
    return data


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*args: object) -> tuple[int, str]:
        status = main([*map(str, args)])
        return status, capsys.readouterr().out

    return call


def exported(run: Run, store: Path, matter: Path, question: str, target: Path) -> Path:
    _, out = run("--store", store, "ask", matter, question, "--model", "extractive", "--json")
    answer = json.loads(out)
    assert answer["claims"]
    assert run("--store", store, "export", matter, answer["answer_id"], "-o", target, "--yes")[0] == 0
    return target


@pytest.fixture
def opened_paths(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the sources that were read while a bundle was checked."""
    paths: list[str] = []

    def watched(*args: Any) -> Any:
        steps = index(*args)
        while True:
            try:
                event = next(steps)
            except StopIteration as end:
                return end.value
            if isinstance(event, SourceRead):
                paths.append(event.record.path)
            yield event

    monkeypatch.setattr(bundle_documents, "index", watched)
    return paths


def finished(steps: Any) -> Any:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def test_only_what_is_cited_is_read(place: Any, run: Run, tmp_path: Path, opened_paths: list[str]) -> None:
    bundle = exported(
        run, place.store, place.matter, "When did Ms Cedar say the keys were handed over?", tmp_path / "b"
    )
    result, opened = check_bundle(bundle.read_bytes())
    assert opened is not None
    cited = {c.evidence.fingerprint for c in opened.report.checks if c.evidence}
    sources = json.loads(place.run("sources", "--json")[1])["sources"]
    expected = {s["path"] for s in sources if s["fingerprint"] in cited}
    checked = finished(check_against_documents(result, opened, place.matter, Settings()))
    assert checked.ok
    assert set(opened_paths) - expected <= {"mail.eml"}  # the container, if something in it was cited
    assert "empty.pdf" not in opened_paths


@pytest.mark.parametrize("name", ["mail.eml", "moved/letter.eml"])
def test_what_came_in_an_email_is_found_wherever_that_lies(
    place: Any, run: Run, tmp_path: Path, opened_paths: list[str], name: str
) -> None:
    (place.matter / "lease.pdf").unlink()
    place.run("index", "--no-dense")
    bundle = exported(run, place.store, place.matter, "What is the annual rent?", tmp_path / "b.zip")
    target = place.matter / name
    target.parent.mkdir(exist_ok=True)
    (place.matter / "mail.eml").rename(target)
    status, out = run("check-bundle", bundle, "--matter", place.matter, "--json")
    assert (status, json.loads(out)["findings"]) == (0, [])
    assert set(opened_paths) == {name, f"{name}!/annex.pdf"}


def test_a_locked_document_takes_its_password_and_the_finding_says_so(run: Run, tmp_path: Path) -> None:
    matter, store, passwords = tmp_path / "matter", tmp_path / "store", tmp_path / "passwords"
    matter.mkdir()
    (matter / "wages.pdf").write_bytes(locked_pdf())
    passwords.write_text(f"wages.pdf\t{PASSWORD}\n", "utf-8")
    assert run("--store", store, "index", matter, "--no-dense", "--passwords", passwords)[0] == 0
    bundle = exported(run, store, matter, "What is the porter paid?", tmp_path / "b.zip")
    status, out = run("check-bundle", bundle, "--matter", matter, "--json")
    details = [finding["detail"] for finding in json.loads(out)["findings"]]
    assert status == 1
    assert details, details
    assert all(detail.endswith("locked: give --passwords") for detail in details), details
    assert run("check-bundle", bundle, "--matter", matter, "--passwords", passwords)[0] == 0


def test_the_bundles_own_ocr_mode_and_languages_are_used(
    place: Any, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.run("index", "--no-dense", "--ocr", "never", "--lang", "eng+osd")
    (place.matter / "other.txt").write_text("The gate is green.\n", "utf-8")
    place.run("index", "--no-dense", "--ocr", "never", "--lang", "eng+osd")
    bundle = exported(run, place.store, place.matter, "Which colour is the gate, is it green?", tmp_path / "b.zip")
    asked = []

    def watched(matter: Any, options: Any) -> Any:
        asked.append((options.ocr, options.languages))
        return index(matter, options)

    monkeypatch.setattr(bundle_documents, "index", watched)
    assert run("check-bundle", bundle, "--matter", place.matter)[0] == 0
    assert (OcrMode.NEVER, "eng+osd") in asked


def test_a_profile_says_what_was_asked() -> None:
    profile = ReadSettings(OcrMode.ALWAYS, ("deu", "fra")).profile
    assert asked_of(profile) == asked_of(profile + "/r3") == (OcrMode.ALWAYS, ("deu", "fra"))
    assert asked_of("") == asked_of("p2/ocr-maybe/eng") == (OcrMode.AUTO, ("eng",))
