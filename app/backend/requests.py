"""What the window asks of the backend process, and what comes back. Plain frozen values that cross a pipe.

A matter is named by its folder in every request, so that no request can meet another matter's data by mistake.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from app.services.answers.answers import AnsweredClaim, Decision
from verify.domain.document import SourceRecord
from verify.domain.geometry import Box
from verify.domain.ids import AnswerId, ClaimId, Fingerprint, SourceId
from verify.report import CheckResult


@dataclass(frozen=True, slots=True)
class ListMatter:
    """Result: ``MatterListing``. A folder that was never read has an empty one."""

    root: Path


@dataclass(frozen=True, slots=True)
class ReadMatter:
    """Events: ``Progress`` and ``SourceDone``. Result: ``MatterListing``. Idempotent; goes on where it stopped."""

    root: Path


@dataclass(frozen=True, slots=True)
class GivePassphrase:
    """Of a sealed matter, or of ``access_class`` in it, for as long as the window is open; never stored.
    Result: None. Raises AccessDenied for a wrong one of a class, which then is not kept."""

    root: Path
    passphrase: str = field(repr=False)
    access_class: str | None = None


@dataclass(frozen=True, slots=True)
class GivePassword:
    """Of a locked document, for as long as the window is open; never stored. Result: None."""

    root: Path
    path: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Ask:
    """Events: ``Progress`` and ``ClaimDone``. Result: ``Answer``, which is saved. ``after``: it follows this answer."""

    root: Path
    question: str
    model: str
    sources: tuple[SourceId, ...] = ()
    after: AnswerId | None = None


@dataclass(frozen=True, slots=True)
class LoadAnswer:
    """Result: ``Answer``, its checks and reviews as they stand now."""

    root: Path
    answer_id: AnswerId


@dataclass(frozen=True, slots=True)
class ReviewClaim:
    """Result: ``Answer``. Texts that are empty are None."""

    root: Path
    answer_id: AnswerId
    claim_id: ClaimId
    decision: Decision
    reviewer: str
    note: str | None = None
    authority: str | None = None
    relevance: str | None = None


@dataclass(frozen=True, slots=True)
class UndoReview:
    """Takes back the newest decision on the claim. Result: ``Answer``."""

    root: Path
    answer_id: AnswerId
    claim_id: ClaimId


@dataclass(frozen=True, slots=True)
class ShowDocument:
    """Result: ``DocumentToShow``."""

    root: Path
    source_id: SourceId


@dataclass(frozen=True, slots=True)
class ReadWords:
    """Result: ``PageText`` or None where the page could not be read."""

    root: Path
    source_id: SourceId
    page: int


@dataclass(frozen=True, slots=True)
class FindText:
    """Events: ``Hits`` page by page. Result: None."""

    root: Path
    source_id: SourceId
    text: str


@dataclass(frozen=True, slots=True)
class CheckExport:
    """What to know before exporting. Result: ``ExportOutlook``."""

    root: Path
    answer_id: AnswerId
    claims: tuple[ClaimId, ...]
    include_sources: bool


@dataclass(frozen=True, slots=True)
class Export:
    """Events: ``Progress``. Result: ``Exported``."""

    root: Path
    answer_id: AnswerId
    claims: tuple[ClaimId, ...]
    include_sources: bool
    target: Path


@dataclass(frozen=True, slots=True)
class LoadTable:
    """The matter's last table. Events: ``TableQuestions`` first, then ``Cell``. Result: None."""

    root: Path


@dataclass(frozen=True, slots=True)
class FillTable:
    """Events: ``Progress`` and ``Cell``. Result: every ``Cell``. Goes on where an earlier one stopped; the cells of
    ``again`` are asked anew. ``sources`` empty means every readable document."""

    root: Path
    questions: tuple[str, ...]
    model: str
    again: tuple[tuple[str, SourceId], ...] = ()
    sources: tuple[SourceId, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportTable:
    """As .xlsx or .csv by the name of ``target``. Result: ``TableWritten``. ``sources`` empty means all."""

    root: Path
    questions: tuple[str, ...]
    target: Path
    sources: tuple[SourceId, ...] = ()


@dataclass(frozen=True, slots=True)
class TakeMemo:
    """Copies the memo out of a bundle, beside it. Result: its ``Path``."""

    bundle: Path


@dataclass(frozen=True, slots=True)
class LoadChoices:
    """Result: ``Choices``."""


@dataclass(frozen=True, slots=True)
class SaveChoices:
    """Result: ``Choices``, as they were saved."""

    choices: "Choices"


@dataclass(frozen=True, slots=True)
class MakeSample:
    """Writes the sample matter into a new folder of the user's data. Result: its ``Path``."""


@dataclass(frozen=True, slots=True)
class Diagnose:
    """What is installed. Result: tuple of ``Finding``."""


@dataclass(frozen=True, slots=True)
class TryModel:
    """Asks the model one trivial thing. Result: ``Finding``."""

    choices: "Choices"


@dataclass(frozen=True, slots=True)
class FetchModel:
    """Fetches the embedded chat model over the network. Events: ``Progress`` in bytes. Result: its ``Path``."""


@dataclass(frozen=True, slots=True)
class MeasureStore:
    """Result: ``StoreSize``."""

    root: Path


@dataclass(frozen=True, slots=True)
class Forget:
    """Deletes everything derived from the matter. Result: ``Forgotten``."""

    root: Path


@dataclass(frozen=True, slots=True)
class Choices:
    """The settings that the window shows; ``app.settings`` has their meaning and bounds."""

    theme: str = "system"
    highlight_colour: str = "#ffd54a"
    model: str = "auto"
    ollama_host: str = "http://127.0.0.1:11434"
    ollama_model: str = "qwen3:8b"
    server_url: str = ""
    server_model: str = ""
    model_file: Path | None = None
    languages: str = "eng"
    ocr: str = "auto"
    reviewer: str = ""
    chroma_url: str | None = None
    tour_done: bool = False


class AnswerSummary(NamedTuple):
    """``claims`` and ``decided`` count claims; ``at`` is RFC 3339 in UTC."""

    answer_id: AnswerId
    question: str
    at: str
    claims: int
    decided: int


@dataclass(frozen=True, slots=True)
class MatterListing:
    """``closed_classes``: access classes whose passphrase was not given; what lies in them is not listed."""

    root: Path
    sources: tuple[SourceRecord, ...]
    answers: tuple[AnswerSummary, ...]
    closed_classes: tuple[str, ...] = ()


class SourceDone(NamedTuple):
    """One source was read, or found unchanged, or could not be read: its record says which."""

    record: SourceRecord


class ClaimDone(NamedTuple):
    claim: AnsweredClaim
    checks: tuple[CheckResult, ...]


@dataclass(frozen=True, slots=True)
class DocumentToShow:
    """``path``: the file whose bytes must have ``fingerprint`` (None when the bytes were compared already). ``data``:
    the PDF to draw in place of that file, for files without pages of their own and for members of other files."""

    record: SourceRecord
    path: Path | None
    fingerprint: Fingerprint | None
    data: bytes | None
    changed: bool
    password: str | None = field(default=None, repr=False)


class Hits(NamedTuple):
    page: int
    places: tuple[tuple[Box, ...], ...]


class ExportFinding(NamedTuple):
    """``code`` is stable; ``words`` say what it means. ``subject``: a claim or source id. ``blocks``: no bundle is
    written while it is."""

    code: str
    words: str
    subject: str
    blocks: bool


@dataclass(frozen=True, slots=True)
class ExportOutlook:
    """``leaving``: what the bundle carries out of the house, in words."""

    findings: tuple[ExportFinding, ...]
    leaving: str


class Exported(NamedTuple):
    bundle: Path


class TableQuestions(NamedTuple):
    questions: tuple[str, ...]


class TableWritten(NamedTuple):
    """``cells`` counts those that have an answer."""

    target: Path
    cells: int


class Finding(NamedTuple):
    """``state``: ``ready``, ``absent`` or ``failed``. ``fix``: the exact command that mends it, if one does."""

    name: str
    state: str
    detail: str
    fix: str | None


class StoreSize(NamedTuple):
    folder: Path
    bytes: int


class Forgotten(NamedTuple):
    """``proof``: lines for a person, what was deleted and how it was looked for afterwards."""

    proof: tuple[str, ...]
