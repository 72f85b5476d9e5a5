"""The settings dialog: what is chosen, what is installed, how large the data is, and forgetting a matter."""

from dataclasses import replace
from pathlib import Path

from app.backend.protocol import Failed
from app.backend.requests import (
    Choices,
    Diagnose,
    FetchModel,
    Finding,
    Forget,
    Forgotten,
    LoadChoices,
    MeasureStore,
    SaveChoices,
    StoreSize,
    TryModel,
)
from app.viewmodels.egress import Egress, egress
from app.viewmodels.observe import Event
from app.viewmodels.running import Runner
from app.viewmodels.wording import size_words
from verify.domain.progress import Progress


class SettingsModel:
    """``choices`` are as last saved. A change is saved at once; nothing that was read is read again because of it."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self.choices = Choices()
        self.loaded = False
        self.findings: tuple[Finding, ...] = ()
        self.tested: Finding | None = None
        self.testing = False
        self.fetch_words = ""
        self._fetch: int | None = None
        self.store_words = ""
        self.forgotten: tuple[str, ...] = ()
        self.changed: Event[[]] = Event()
        self.found: Event[[]] = Event()
        self.test_changed: Event[[]] = Event()
        self.fetch_changed: Event[[]] = Event()
        self.store_changed: Event[[]] = Event()
        self.forgot: Event[[Path]] = Event()
        self.failed: Event[[str]] = Event()

    def load(self) -> None:
        self._runner.start(LoadChoices(), self._take, self._fail)

    def change(self, **fields: object) -> None:
        """Saves the named fields of ``Choices``."""
        wanted = replace(self.choices, **fields)  # type: ignore[arg-type]  # the fields' own types are checked on saving
        if wanted != self.choices:
            self._runner.start(SaveChoices(wanted), self._take, self._fail)

    @property
    def egress(self) -> Egress:
        return egress(self.choices)

    def look(self) -> None:
        """Looks what is installed."""
        self._runner.start(Diagnose(), self._looked, self._fail)

    def test_model(self) -> None:
        if not self.testing:
            self.testing, self.tested = True, None
            self.test_changed.emit()
            self._runner.start(TryModel(self.choices), self._tested, self._test_failed)

    @property
    def fetching(self) -> bool:
        return self._fetch is not None

    def fetch_model(self) -> None:
        """Fetches the embedded model, which uses the network."""
        if self._fetch is None:
            self._say_fetch("Connecting")
            self._fetch = self._runner.start(
                FetchModel(),
                self._fetched,
                self._not_fetched,
                self._fetch_goes_on,
                self._fetch_stopped,
            )
            self.fetch_changed.emit()

    def cancel_fetch(self) -> None:
        """What has come is kept, and a later call goes on from there."""
        if self._fetch is not None:
            self._runner.cancel(self._fetch)

    def measure(self, root: Path | None) -> None:
        self.store_words = ""
        if root is not None:
            self._runner.start(MeasureStore(root), self._measured, self._fail)

    def forget(self, root: Path) -> None:
        self._runner.start(Forget(root), lambda done: self._forgot(root, done), self._fail)

    def _take(self, choices: Choices) -> None:
        self.choices, self.loaded = choices, True
        self.changed.emit()

    def _looked(self, findings: tuple[Finding, ...]) -> None:
        self.findings = findings
        self.found.emit()

    def _tested(self, finding: Finding) -> None:
        self.testing, self.tested = False, finding
        self.test_changed.emit()

    def _test_failed(self, failed: Failed) -> None:
        self._tested(Finding("model", "failed", failed.words, None))

    def _fetch_goes_on(self, progress: Progress) -> None:
        whole = f" of {size_words(progress.total)}" if progress.total else ""
        self._say_fetch(f"{size_words(progress.done)}{whole}")

    def _fetched(self, path: Path) -> None:
        self._fetch_ended(f"The embedded model is ready: {path}")
        self.look()

    def _not_fetched(self, failed: Failed) -> None:
        self._fetch_ended(failed.words)

    def _fetch_stopped(self) -> None:
        self._fetch_ended("Stopped. What has come is kept.")

    def _fetch_ended(self, words: str) -> None:
        self._fetch = None
        self._say_fetch(words)

    def _say_fetch(self, words: str) -> None:
        self.fetch_words = words
        self.fetch_changed.emit()

    def _measured(self, size: StoreSize) -> None:
        self.store_words = f"{size_words(size.bytes)} in {size.folder}"
        self.store_changed.emit()

    def _forgot(self, root: Path, done: Forgotten) -> None:
        self.forgotten, self.store_words = done.proof, ""
        self.forgot.emit(root)

    def _fail(self, failed: Failed) -> None:
        self.failed.emit(failed.words)
