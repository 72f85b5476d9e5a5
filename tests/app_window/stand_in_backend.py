"""A backend with misbehaving work. It has a module of its own, found by its folder: a spawned process imports it
by name and another package in the environment is called ``tests``."""

import time
from multiprocessing.connection import Connection
from typing import NamedTuple

from app import crash
from app.backend.process import Backend
from app.backend.protocol import Handler, Work
from app.errors import Usage


class Count(NamedTuple):
    upto: int


class Dawdle(NamedTuple):
    """Yields without end; can be cancelled."""


class Hang(NamedTuple):
    """Never comes back."""


class Refuse(NamedTuple):
    pass


class Crash(NamedTuple):
    pass


def _count(request: Count) -> Work:
    yield from range(request.upto)
    return "done"


def _dawdle(_: Dawdle) -> Work:
    while True:
        time.sleep(0.01)
        yield "still"


def _hang(_: Hang) -> Work:
    yield "begun"
    time.sleep(3600)


def _refuse(_: Refuse) -> Work:
    yield from ()
    raise Usage("Give another folder.")


def _crash(_: Crash) -> Work:
    yield from ()
    raise ValueError("the secret clause of the deed")


def stand_in(pipe: Connection) -> None:
    """A backend with misbehaving work in place of the services."""
    handlers = {
        Count: Handler("a", _count), Dawdle: Handler("a", _dawdle), Hang: Handler("b", _hang),
        Refuse: Handler("c", _refuse), Crash: Handler("c", _crash),
    }  # fmt: skip
    backend = Backend(handlers, pipe.send, crash.write_report)
    while (message := pipe.recv()) is not None:
        backend.handle(message)
