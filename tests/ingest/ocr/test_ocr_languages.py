"""Language codes as people type them, and what is said of a page in a language that was not asked for."""

import pytest

from ingest.ocr.languages import (
    KNOWN,
    foreign_script,
    foreign_text,
    main_language,
    mistyped,
    package,
    says_another_language,
)

GERMAN = (
    "Die Mieterin ist verpflichtet, die Miete im Voraus zu zahlen, und der Vermieter darf die Räume nicht ohne eine "
    "vorherige Ankündigung betreten, es sei denn, dass Gefahr im Verzug ist oder die Mieterin dem zugestimmt hat."
)


@pytest.mark.parametrize(
    ("codes", "said"),
    [
        (("eng", "fra"), None),
        (("eng", "dzo"), None),  # exists, but is not installed: another message says so
        (("eng", "mine"), None),  # somebody's own data
        (("xyz",), "Tesseract knows no language xyz. Installed: eng, mine."),
        (("eng", "de", "FR"), "knows no language de, FR (de is deu there, FR is fra there)."),
        (("eng,fra",), "Join codes by +, as in eng+fra"),
    ],
)
def test_a_code_that_does_not_exist_is_told_from_one_that_is_not_installed(
    codes: tuple[str, ...], said: str | None
) -> None:
    found = mistyped(codes, ("osd", "mine", "eng"))
    assert (found is None) == (said is None)
    assert said is None or said in (found or "")


def test_the_main_language_is_one_of_those_asked_for() -> None:
    assert main_language(GERMAN, ("eng", "deu")) == "deu"
    assert main_language(GERMAN, ("deu", "eng")) is None
    assert main_language(GERMAN, ("eng", "fra")) is None
    assert main_language("Too little is said here.", ("fra", "deu")) is None


def test_what_reads_like_another_language_is_told() -> None:
    warning = foreign_text(GERMAN, ("eng", "fra"))
    assert warning is not None and says_another_language(warning)
    assert "reads like German" in warning.detail and "--lang eng+fra+deu" in warning.detail
    assert foreign_text(GERMAN, ("deu",)) is None


def test_a_script_that_no_language_is_written_in_is_told() -> None:
    warning = foreign_script("Cyrillic", ("eng",))
    assert warning is not None and package("rus") in warning.detail
    assert foreign_script("Cyrillic", ("eng", "ukr")) is None
    assert foreign_script("Latin", ("eng",)) is None
    assert foreign_script("", ("eng",)) is None


def test_all_codes_are_those_of_packages() -> None:
    assert len(KNOWN) > 120 and all(package(code).islower() for code in KNOWN)
