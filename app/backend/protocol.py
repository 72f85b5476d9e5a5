"""What crosses the pipe between the window and the backend process, and the shape of what handles a request."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, NamedTuple

from app.errors import ErrorCode

Work = Generator[Any, None, Any]


class Start(NamedTuple):
    job: int
    request: Any


class Cancel(NamedTuple):
    job: int


class Happened(NamedTuple):
    job: int
    event: Any


class Finished(NamedTuple):
    job: int
    result: Any


class Failed(NamedTuple):
    """``message`` is one line for a person. ``report``: where a crash report lies, for a fault of Pincite's own."""

    job: int
    code: ErrorCode
    message: str
    report: str | None

    @property
    def words(self) -> str:
        """What to tell the person."""
        return self.message + (f" A report without document text lies at {self.report}." if self.report else "")


class Cancelled(NamedTuple):
    job: int


@dataclass(frozen=True, slots=True)
class Handler:
    """``work`` gets the request and returns a generator of events that returns the result."""

    lane: str
    work: Callable[[Any], Work]
