"""How the pages of one reading are recognised."""

from dataclasses import dataclass

from ingest.ocr.engine import OcrSettings
from ingest.ports import Blobs


@dataclass(frozen=True, slots=True)
class OcrAccess:
    """How pages are recognised: the engine's settings, where results are kept, pages at a time."""

    settings: OcrSettings
    cache: Blobs | None = None
    workers: int = 1
