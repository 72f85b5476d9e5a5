"""What a view model needs to have work done elsewhere. ``app.jobs.Jobs`` is one; tests run the same work in place."""

from collections.abc import Callable
from typing import Any, Protocol

from app.backend.protocol import Failed


class Runner(Protocol):
    """Callbacks come later, on the caller's thread, and never after ``on_done``, ``on_failed`` or ``on_cancelled``."""

    def start(
        self,
        request: object,
        on_done: Callable[[Any], object] | None = None,
        on_failed: Callable[[Failed], object] | None = None,
        on_event: Callable[[Any], object] | None = None,
        on_cancelled: Callable[[], object] | None = None,
    ) -> int: ...

    def cancel(self, job: int) -> None: ...
