"""What a run over a matter is asked for, and what it tells."""

from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path

from ingest.limits import Limits
from ingest.matter.ledger import EVERYTHING, Selection
from ingest.settings import OcrMode, ReadSettings
from verify.domain.document import SourceRecord
from verify.domain.progress import Progress


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """``scratch`` is a private folder for temporary files outside the matter. ``jobs`` is the count of workers."""

    scratch: Path
    ocr: OcrMode = OcrMode.AUTO
    languages: tuple[str, ...] = ("eng",)
    jobs: int = 2
    limits: Limits = field(default_factory=Limits)
    only: Selection = EVERYTHING

    @property
    def settings(self) -> ReadSettings:
        return ReadSettings(self.ocr, self.languages, max_pages=self.limits.pages)


@dataclass(frozen=True, slots=True)
class SourceRead:
    """A source was committed and can be searched."""

    record: SourceRecord


@dataclass(frozen=True, slots=True)
class ReadSummary:
    """``read`` sources were opened in this run and gave ``pages`` pages; ``unchanged`` were not opened. ``skipped``
    counts links, devices and pipes, which are no sources."""

    read: int
    pages: int
    unchanged: int
    missing: int
    skipped: int
    seconds: float


ReadEvents = Generator[Progress | SourceRead, None, ReadSummary]
