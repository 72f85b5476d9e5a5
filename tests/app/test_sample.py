"""The sample matter is what a newcomer sees first, so its promises are tested."""

import hashlib
from pathlib import Path

import pytest

from app.sample.write import write_sample
from ingest.mupdf import pymupdf


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    write_sample(folder)
    return folder


def test_nine_documents_of_six_kinds(sample: Path) -> None:
    kinds = sorted(path.suffix for path in sample.iterdir())
    assert kinds == [".docx", ".eml", ".eml", ".pdf", ".pdf", ".pdf", ".pdf", ".pdf", ".txt"]


def test_the_agreement_has_twenty_one_pages_and_labels_that_restart_twice(sample: Path) -> None:
    with pymupdf.open(sample / "Maintenance Services Agreement.pdf") as doc:
        labels = [page.get_label() for page in doc]
    assert labels == ["i", "ii", "iii", *map(str, range(1, 14)), "S-1", "S-2", "S-3", "S-4", "S-5"]


def test_the_amendment_changes_the_notice_period(sample: Path) -> None:
    def words(name: str) -> str:
        with pymupdf.open(sample / name) as doc:
            return " ".join(" ".join(page.get_text().split()) for page in doc)

    assert "not less than ninety (90) days’ written notice" in words("Maintenance Services Agreement.pdf")
    assert "not less than forty-ﬁve (45) days’ written notice" in words("Amendment No 1.pdf")


def test_the_scan_has_no_text_of_its_own(sample: Path) -> None:
    with pymupdf.open(sample / "Exhibit 4 - inspection report (scan).pdf") as doc:
        assert [page.get_text().strip() for page in doc] == ["", ""]
        assert [len(page.get_images()) for page in doc] == [1, 1]


def test_it_is_the_same_on_every_run(sample: Path, tmp_path: Path) -> None:
    write_sample(tmp_path)
    digest = {path.name: hashlib.sha256(path.read_bytes()).digest() for path in sample.iterdir()}
    assert digest == {path.name: hashlib.sha256(path.read_bytes()).digest() for path in tmp_path.iterdir()}
