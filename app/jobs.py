"""The one place where long work meets Qt: child processes over pipes, and the jobs that run in the backend.

A job is a generator in the backend process; here it is a number with callbacks. All callbacks run on the window's
thread. Cancelling closes the generator; a job that does not end within ``GRACE_MS`` takes the backend down with it.
"""

import multiprocessing
import threading
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.backend.protocol import Cancel, Cancelled, Failed, Finished, Happened, Start
from app.errors import ErrorCode

GRACE_MS = 10_000
_JOIN_SECONDS = 2.0


class ProcessLink(QObject):
    """A spawned process and a thread that reads what it says. ``target`` is called with the pipe's other end first; it
    ends when it is sent None. ``ended`` tells that it went unasked, and never follows ``stop``."""

    received = Signal(object)
    ended = Signal()
    _fell_silent = Signal(object)

    def __init__(self, target: Callable[..., None], args: tuple[Any, ...], name: str, parent: QObject | None) -> None:
        super().__init__(parent)
        self._target, self._args, self._name = target, args, name
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._reader: threading.Thread | None = None
        self._fell_silent.connect(self._look)

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.is_alive()

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        ours, theirs = spawn.Pipe()
        # not daemonic: the backend has worker processes of its own; it ends when this pipe closes
        self._process = spawn.Process(target=self._target, args=(theirs, *self._args), name=self._name)
        self._process.start()
        theirs.close()
        self._pipe = ours
        self._reader = threading.Thread(target=self._read, args=(ours,), name=f"{self._name}-pipe", daemon=True)
        self._reader.start()

    def send(self, message: object) -> bool:
        """False if the process has gone; ``ended`` tells the rest."""
        try:
            if self._pipe is None:
                return False
            self._pipe.send(message)
        except OSError:
            return False
        return True

    def kill(self) -> None:
        """Ends the process at once; ``ended`` follows."""
        if self._process is not None and self._process.is_alive():
            self._process.kill()

    def stop(self) -> None:
        """Ends the process and waits for it; silent. It is asked first, so that it ends its own workers."""
        self.send(None)
        process, self._process = self._process, None
        reader, self._reader = self._reader, None
        pipe, self._pipe = self._pipe, None
        if process is not None:
            process.join(_JOIN_SECONDS)
            if process.is_alive():
                process.terminate()
                process.join(_JOIN_SECONDS)
            if process.is_alive():
                process.kill()
                process.join(_JOIN_SECONDS)
        if reader is not None:
            reader.join(_JOIN_SECONDS)
        if pipe is not None:
            pipe.close()

    def _read(self, pipe: Connection) -> None:
        while True:
            try:
                message = pipe.recv()
            except (EOFError, OSError):
                break
            if not self._emit(self.received, message):
                return
        self._emit(self._fell_silent, pipe)

    def _look(self, pipe: Connection) -> None:
        """In the window's own thread, where nothing can be stopped or started meanwhile."""
        if pipe is self._pipe:
            self.ended.emit()

    def _emit(self, signal: Any, *args: object) -> bool:
        try:
            signal.emit(*args)
        except RuntimeError:  # the window has gone meanwhile
            return False
        return True


@dataclass(slots=True)
class _Callbacks:
    on_event: Callable[[Any], object] | None
    on_done: Callable[[Any], object] | None
    on_failed: Callable[[Failed], object] | None
    on_cancelled: Callable[[], object] | None


class Jobs(QObject):
    """Implements ``viewmodels.running.Runner``. ``restarted`` tells that the backend was lost and runs again, empty."""

    restarted = Signal()

    def __init__(self, target: Callable[..., None], args: tuple[Any, ...] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._link = ProcessLink(target, args, "pincite-backend", self)
        self._link.received.connect(self._received)
        self._link.ended.connect(self._ended)
        self._jobs: dict[int, _Callbacks] = {}
        self._last = 0
        self._link.start()

    @property
    def active(self) -> int:
        return len(self._jobs)

    def start(
        self,
        request: object,
        on_done: Callable[[Any], object] | None = None,
        on_failed: Callable[[Failed], object] | None = None,
        on_event: Callable[[Any], object] | None = None,
        on_cancelled: Callable[[], object] | None = None,
    ) -> int:
        self._last += 1
        self._jobs[self._last] = _Callbacks(on_event, on_done, on_failed, on_cancelled)
        self._link.send(Start(self._last, request))
        return self._last

    def cancel(self, job: int) -> None:
        if job in self._jobs:
            self._link.send(Cancel(job))
            QTimer.singleShot(GRACE_MS, self, lambda: self._insist(job))

    def stop(self) -> None:
        self._jobs.clear()
        self._link.stop()

    def _insist(self, job: int) -> None:
        if job in self._jobs:
            self._link.kill()

    def _received(self, message: Happened | Finished | Failed | Cancelled) -> None:
        if isinstance(message, Happened):
            callbacks = self._jobs.get(message.job)
            if callbacks is not None and callbacks.on_event is not None:
                callbacks.on_event(message.event)
            return
        callbacks = self._jobs.pop(message.job, None)
        if callbacks is None:
            return
        if isinstance(message, Finished):
            if callbacks.on_done is not None:
                callbacks.on_done(message.result)
        elif isinstance(message, Failed):
            if callbacks.on_failed is not None:
                callbacks.on_failed(message)
        elif callbacks.on_cancelled is not None:
            callbacks.on_cancelled()

    def _ended(self) -> None:
        lost, self._jobs = self._jobs, {}
        self._link.stop()
        self._link.start()
        self.restarted.emit()
        for job, callbacks in lost.items():
            if callbacks.on_failed is not None:
                callbacks.on_failed(Failed(job, ErrorCode.INTERRUPTED, "The work was stopped. Start it again.", None))
