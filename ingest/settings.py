"""What a reading was asked to do. Everything here that changes a page's content is part of the parser profile."""

from dataclasses import dataclass
from enum import StrEnum


class OcrMode(StrEnum):
    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """``languages`` are Tesseract's codes. ``checks`` adds the pixel, cover, layer and off-page tests; ``tables``
    the search for tables. ``max_pages`` cuts a longer document off, with a warning."""

    ocr: OcrMode = OcrMode.AUTO
    languages: tuple[str, ...] = ("eng",)
    checks: bool = True
    tables: bool = True
    max_pages: int = 20_000

    @property
    def profile(self) -> str:
        """Names what was asked, so that pages read in another way are never taken for these."""
        parts = ["p10", f"ocr-{self.ocr}", "+".join(self.languages)]
        return "/".join(parts + ["plain"] * (not self.checks) + ["no-tables"] * (not self.tables))


def asked_of(profile: str) -> tuple[OcrMode, tuple[str, ...]]:
    """How a parser profile says that its pages were recognised; as by default where it does not say."""
    usual = ReadSettings()
    parts = profile.split("/")
    if len(parts) < 3 or parts[1].removeprefix("ocr-") not in list(OcrMode):
        return usual.ocr, usual.languages
    return OcrMode(parts[1].removeprefix("ocr-")), tuple(filter(None, parts[2].split("+"))) or usual.languages
