"""Engines that misbehave: absent, without a language, slow, crashing, talking nonsense. Stand-ins are small scripts."""

import stat
import time
from pathlib import Path

import numpy as np
import pytest

from ingest.ocr.engine import OcrSettings, OcrUnavailable, prepare
from ingest.ocr.languages import package
from ingest.ocr.pages import PageImage, recognise, recognise_pages
from verify.domain.document import WarningCode

BLANK = PageImage(np.full((80, 120), 255, np.uint8), 100, 72.0, 0, 0, 8640, 5760)
LISTING = """case "$1" in
--list-langs) printf "List of languages (3):\\neng\\nfra\\nosd\\n"; exit;;
--version) echo tesseract 9; exit;;
esac"""


def stand_in(folder: Path, body: str) -> str:
    """The path of a shell script that answers the questions about itself and then does ``body``."""
    file = folder / "engine"
    file.write_text(f"#!/bin/sh\n{LISTING}\n{body}\n")
    file.chmod(file.stat().st_mode | stat.S_IEXEC)
    return str(file)


def test_an_absent_engine_is_named_with_what_to_install() -> None:
    with pytest.raises(OcrUnavailable, match="Install tesseract-ocr"):
        prepare(OcrSettings(command="no-such-engine-here"))


def test_a_missing_language_is_left_out_with_its_package_named(tmp_path: Path) -> None:
    settings, warnings = prepare(OcrSettings(("eng", "chi_sim"), command=stand_in(tmp_path, "cat")))
    assert settings.languages == ("eng",)
    assert [w.code for w in warnings] == [WarningCode.OCR_LANGUAGE_MISSING]
    assert "tesseract-ocr-chi-sim" in warnings[0].detail


def test_no_language_at_all_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OcrUnavailable, match="tesseract-ocr-deu"):
        prepare(OcrSettings(("deu",), command=stand_in(tmp_path, "cat")))


def test_packages_of_languages_and_scripts() -> None:
    assert package("fra") == "tesseract-ocr-fra"
    assert package("chi_tra_vert") == "tesseract-ocr-chi-tra-vert"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("exit 3", "code 3"),
        ("cat > /dev/null; printf 'not hOCR \\377\\376'", "could not be read"),
        ("cat > /dev/null; printf '<html><body><p class=\"ocr'", "could not be read"),
        ("cat > /dev/null; kill -SEGV $$", "code -11"),
    ],
)
def test_a_failing_engine_costs_its_page_only(tmp_path: Path, body: str, said: str) -> None:
    outcome = recognise(BLANK, OcrSettings(command=stand_in(tmp_path, body)))
    assert outcome.words == ()
    assert [w.code for w in outcome.warnings] == [WarningCode.PAGE_FAILED]
    assert said in outcome.warnings[0].detail


def test_a_hanging_engine_is_ended_at_the_limit(tmp_path: Path) -> None:
    command = stand_in(tmp_path, "exec sleep 30")
    start = time.monotonic()
    outcome = recognise(BLANK, OcrSettings(seconds=1, command=command))
    assert time.monotonic() - start < 8
    assert "did not finish in 1 seconds" in outcome.warnings[0].detail


def test_closing_ends_running_engines_at_once(tmp_path: Path) -> None:
    settings = OcrSettings(seconds=60, command=stand_in(tmp_path, "case $* in *hocr*) exec sleep 30;; esac"))

    def images():
        yield BLANK
        yield BLANK
        time.sleep(0.5)
        raise KeyboardInterrupt

    pages = recognise_pages(images(), settings, None, workers=2)
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        next(pages)
    assert time.monotonic() - start < 5


def test_failures_are_not_kept(tmp_path: Path) -> None:
    class Never:
        def get(self, kind: object, key: str) -> None:
            return None

        def put(self, kind: object, key: str, data: bytes) -> None:
            raise AssertionError("a failure was kept")

    outcome = recognise(BLANK, OcrSettings(command=stand_in(tmp_path, "exit 1")), Never())
    assert outcome.confidence is None
