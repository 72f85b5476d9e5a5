"""Long work is a generator that yields these and returns its result; closing it cancels."""

from collections.abc import Callable, Generator
from contextlib import closing
from typing import NamedTuple, TypeVar

Event = TypeVar("Event")
Shown = TypeVar("Shown")
Result = TypeVar("Result")


class Progress(NamedTuple):
    """``stage`` is a stable code ("read", "ocr", "embed", "retrieve", "answer", "verify", "export", "fetch").

    ``done`` and ``total`` count ``unit`` ("pages", "bytes", "passages", "claims"); ``total`` is None while unknown.
    ``source_id`` names what is being worked on, never by its path or text.
    """

    stage: str
    done: int
    total: int | None
    unit: str
    source_id: str | None = None


def drive(steps: Generator[Event, None, Result], translate: Callable[[Event], Shown]) -> Generator[Shown, None, Result]:
    """Runs ``steps`` and yields what ``translate`` makes of each event; closing this closes them."""
    with closing(steps):
        while True:
            try:
                event = next(steps)
            except StopIteration as end:
                result: Result = end.value
                return result
            yield translate(event)


def finish(steps: Generator[object, None, Result]) -> Result:
    """What ``steps`` return, their events passed over."""
    with closing(steps):
        while True:
            try:
                next(steps)
            except StopIteration as end:
                result: Result = end.value
                return result
