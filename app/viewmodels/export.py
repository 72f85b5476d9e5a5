"""The export dialog: which claims go, what to know before, and the bundle being written."""

from collections.abc import Callable
from pathlib import Path

from app.backend.protocol import Failed
from app.backend.requests import CheckExport, Export, Exported, ExportOutlook, TakeMemo
from app.services.answers.answers import Answer
from app.viewmodels.matter import MatterModel
from app.viewmodels.observe import Event
from app.viewmodels.running import Runner
from verify.domain.ids import ClaimId
from verify.domain.progress import Progress


class ExportModel:
    """For one answer. ``outlook`` is None while it is being made; every change of choice asks anew."""

    def __init__(self, runner: Runner, matter: MatterModel, answer: Answer) -> None:
        self._runner = runner
        self._matter = matter
        self.answer = answer
        self.chosen: set[ClaimId] = {c.claim_id for c in answer.claims}
        self.include_sources = False
        self.outlook: ExportOutlook | None = None
        self.writing = False
        self.result: Exported | None = None
        self.message = ""
        self.changed: Event[[]] = Event()
        self._check = 0
        self._job: int | None = None

    def choose(self, claim_id: ClaimId, wanted: bool) -> None:
        if wanted:
            self.chosen.add(claim_id)
        else:
            self.chosen.discard(claim_id)
        self.look()

    def set_include_sources(self, wanted: bool) -> None:
        self.include_sources = wanted
        self.look()

    def look(self) -> None:
        """Finds what a person should know before exporting."""
        root = self._matter.root
        if root is None:
            return
        self._check += 1
        asked = self._check
        self.outlook = None
        request = CheckExport(root, self.answer.answer_id, self._claims, self.include_sources)
        self._runner.start(request, lambda found: self._found(asked, found), self._failed)
        self.changed.emit()

    @property
    def _claims(self) -> tuple[ClaimId, ...]:
        return tuple(c.claim_id for c in self.answer.claims if c.claim_id in self.chosen)

    @property
    def can_write(self) -> bool:
        ready = self.outlook is not None and not any(f.blocks for f in self.outlook.findings)
        return bool(self.chosen) and not self.writing and ready

    @property
    def remarks(self) -> tuple[str, ...]:
        """What speaks against it, like things together: ``Claims 2 and 4: not reviewed``."""
        if self.outlook is None:
            return ()
        numbers = {c.claim_id: str(i) for i, c in enumerate(self.answer.claims, start=1)}
        groups: dict[str, list[str]] = {}
        for finding in self.outlook.findings:
            claim = numbers.get(ClaimId(finding.subject))
            groups.setdefault(finding.words, []).extend([claim] if claim else [])
        return tuple(f"{_claims(found)}{words}" for words, found in groups.items())

    @property
    def proposed_name(self) -> str:
        words = "".join(c if c.isalnum() else " " for c in self.answer.question).split()
        return "-".join(words[:8])[:60].strip("-") or "answer"

    def write(self, target: Path) -> None:
        root = self._matter.root
        if root is not None and self.can_write:
            self.writing, self.message = True, "Writing the bundle"
            request = Export(root, self.answer.answer_id, self._claims, self.include_sources, target)
            self._job = self._runner.start(request, self._written, self._failed, self._progress, self._stopped)
            self.changed.emit()

    def cancel(self) -> None:
        if self._job is not None:
            self._runner.cancel(self._job)

    def take_memo(self, then: Callable[[Path], object]) -> None:
        if self.result is not None:
            self._runner.start(TakeMemo(self.result.bundle), then, self._failed)

    def _found(self, asked: int, outlook: ExportOutlook) -> None:
        if asked == self._check:
            self.outlook = outlook
            self.changed.emit()

    def _progress(self, progress: Progress) -> None:
        if progress.total:
            self.message = f"Writing the bundle: {progress.done} of {progress.total} {progress.unit}"
            self.changed.emit()

    def _written(self, result: Exported) -> None:
        self.writing, self._job, self.result = False, None, result
        self.message = f"Written: {result.bundle.name}"
        self.changed.emit()

    def _failed(self, failed: Failed) -> None:
        self.writing, self._job, self.message = False, None, failed.words
        self.changed.emit()

    def _stopped(self) -> None:
        self.writing, self._job, self.message = False, None, "Stopped. No bundle was written."
        self.changed.emit()


def _claims(numbers: list[str]) -> str:
    if not numbers:
        return ""
    if len(numbers) == 1:
        return f"Claim {numbers[0]}: "
    return f"Claims {', '.join(numbers[:-1])} and {numbers[-1]}: "
