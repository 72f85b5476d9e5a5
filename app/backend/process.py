"""The backend process: runs the services, so that no work shares the window's interpreter.

It imports nothing heavy until a request needs it. Jobs of one lane run one after another on one thread; the lanes run
side by side, so that a question need not wait for a folder to be read, nor a page for an answer.
"""

import contextlib
import ctypes
import queue
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from app.backend.protocol import Cancel, Cancelled, Failed, Finished, Handler, Happened, Start
from app.backend.work import handlers
from app.crash import write_report
from app.errors import ErrorCode, PinciteError
from app.operations import place_of, record

_PATIENCE = 1.5
"""Seconds that a lane has to end at its next event, before the process goes without it."""


class Backend:
    """Runs requests by their type. Every answer goes through ``say``, which may be called from any lane."""

    def __init__(
        self,
        handlers: dict[type, Handler],
        say: Callable[[Any], None],
        write_report: Callable[[BaseException], Path | None],
    ) -> None:
        self._handlers = handlers
        self._say = say
        self._write_report = write_report
        self._lanes: dict[str, queue.SimpleQueue[Start | None]] = {}
        self._threads: list[threading.Thread] = []
        self._cancelled: set[int] = set()

    def handle(self, message: Start | Cancel) -> None:
        if isinstance(message, Cancel):
            self._cancelled.add(message.job)
            return
        handler = self._handlers.get(type(message.request))
        if handler is None:
            self._say(Failed(message.job, ErrorCode.INTERNAL, "Pincite does not know this request.", None))
            return
        self._lane(handler.lane).put(message)

    def finish(self) -> None:
        """Cancels what runs, runs nothing more, and waits for the lanes to end."""
        for lane in self._lanes.values():
            lane.put(None)
        self._cancelled = _Everything()
        for thread in self._threads:
            thread.join(timeout=_PATIENCE)

    def _lane(self, name: str) -> "queue.SimpleQueue[Start | None]":
        if name not in self._lanes:
            waiting: queue.SimpleQueue[Start | None] = queue.SimpleQueue()
            self._lanes[name] = waiting
            thread = threading.Thread(target=self._run_lane, args=(waiting,), name=f"lane-{name}", daemon=True)
            self._threads.append(thread)
            thread.start()
        return self._lanes[name]

    def _run_lane(self, waiting: "queue.SimpleQueue[Start | None]") -> None:
        while (message := waiting.get()) is not None:
            self._say(self._run(message))
            self._cancelled.discard(message.job)
            give_back_memory()

    def _run(self, message: Start) -> Finished | Failed | Cancelled:
        job = message.job
        if job in self._cancelled:
            return Cancelled(job)
        try:
            work = self._handlers[type(message.request)].work(message.request)
            while True:
                try:
                    event = next(work)
                except StopIteration as end:
                    return Finished(job, end.value)
                if job in self._cancelled:
                    work.close()
                    return Cancelled(job)
                self._say(Happened(job, event))
        except PinciteError as error:
            _log(message, error, error.code)
            return Failed(job, error.code, str(error), None)
        except Exception as error:
            _log(message, error, ErrorCode.INTERNAL)
            report = self._write_report(error)
            return Failed(job, ErrorCode.INTERNAL, _internal(error), None if report is None else str(report))


def _log(message: Start, error: Exception, code: ErrorCode) -> None:
    record("request", name=type(message.request).__name__, failed=place_of(error), code=code.value)


class _Everything(set[int]):
    def __contains__(self, job: object) -> bool:
        return True


def give_back_memory() -> None:
    """What a job held goes to the system: glibc keeps it for the thread that ran the job, and other lanes' jobs would
    take theirs beside it. Elsewhere nothing happens."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library
            ctypes.CDLL(None).malloc_trim(0)


def _internal(error: Exception) -> str:
    """The kind of fault only: an exception's own words may quote a document."""
    return f"Something failed inside Pincite ({type(error).__name__}). Your documents are unchanged. Try again."


def serve(pipe: Connection, store: str | None) -> None:
    """The process's main function. ``store`` overrides the folder of all matters' stores. Ends when the pipe closes or
    None comes."""
    guard = threading.Lock()

    def say(message: Any) -> None:
        with guard, contextlib.suppress(OSError):  # the window has gone; the loop below ends this process
            pipe.send(message)

    backend = Backend(handlers(None if store is None else Path(store)), say, write_report)
    while True:
        try:
            message = pipe.recv()
        except (EOFError, OSError, KeyboardInterrupt):
            break
        if message is None:
            break
        backend.handle(message)
    backend.finish()
