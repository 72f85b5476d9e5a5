"""Looks at pages and reads lines again in a worker that can be killed: one is kept from one look to the next."""

from collections.abc import Callable, Sequence
from pathlib import Path

from ingest.limits import Limits
from ingest.worker.job import LookJob
from ingest.worker.pool import Death, Pool, WorkerUnavailable
from ingest.worker.wire import Message
from verify.domain.codec import encode_page
from verify.domain.document import Page
from verify.domain.look import Look, Misread, look_from_json

PROFILE = "look-1"
"""To be raised when a look comes out otherwise, so that older ones are not used."""

_SECONDS = 60.0
FAILED = Look(failed=True)


class Looker:
    """``scratch`` is a folder for the worker's temporary files. Not for several threads at once."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._pool: Pool[object] | None = None
        self._open: str | None = None

    def look(self, document: str, pdf: Callable[[], bytes], page: Page, password: str | None = None) -> Look:
        """``document`` names the bytes that ``pdf`` gives when they are asked for. A page that cannot be rendered is a
        look that failed."""
        answer = self._ask(document, pdf, page, (), (), password)
        return FAILED if answer is None else look_from_json(answer.fields["look"])

    def read(
        self,
        document: str,
        pdf: Callable[[], bytes],
        page: Page,
        lines: Sequence[tuple[int, ...]],
        languages: tuple[str, ...],
        password: str | None = None,
    ) -> tuple[Misread, ...] | None:
        """What was read otherwise on the lines; None where they could not be read."""
        answer = self._ask(document, pdf, page, tuple(lines), languages, password)
        found = None if answer is None else answer.fields["misread"]
        return None if found is None else tuple(Misread(*row) for row in found)

    def close(self) -> None:
        if self._pool is not None:
            self._pool.close()
        self._pool, self._open = None, None

    def _ask(
        self,
        document: str,
        pdf: Callable[[], bytes],
        page: Page,
        lines: tuple[tuple[int, ...], ...],
        languages: tuple[str, ...],
        password: str | None,
    ) -> Message | None:
        """The worker's answer; None if it could not give one."""
        known = self._open == document and self._pool is not None
        job = LookJob(None if known else pdf(), password, encode_page(page), lines, languages)
        if self._pool is None:
            self._pool = Pool(1, Limits(seconds_silent=_SECONDS), self._scratch, "pincite-looker")
        task = object()
        self._open = document
        try:
            self._pool.start(task, job)
            while True:
                for _, message in self._pool.events(1.0):
                    if isinstance(message, Death):
                        self._open = None
                        return None
                    self._pool.finish(task)
                    if message.kind != "failed":
                        return message
                    self._open = document if known else None
                    return None
        except WorkerUnavailable:
            self.close()
            return None
