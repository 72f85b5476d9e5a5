"""A few killable worker processes. Whoever holds the pool reads their messages and decides what a death means."""

import contextlib
import multiprocessing
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Generic, TypeVar

from ingest.limits import Limits
from ingest.starting import undisturbed
from ingest.worker.job import LookJob, ReadJob
from ingest.worker.process import main
from ingest.worker.wire import Message, decode, encode

T = TypeVar("T")
_MESSAGES_AT_ONCE = 64
_START = 60.0
"""Seconds that a process may take to start: 0.4 of processor time, but the machine may be busy."""
_SPAWN = multiprocessing.get_context("spawn")


class WorkerUnavailable(Exception):
    """A reading process does not even start: no file is to blame, and none is given a status for it."""


@dataclass(frozen=True, slots=True)
class Death:
    """A worker ended (``hung`` False) or was killed after silence (True) while it worked."""

    hung: bool


@dataclass(slots=True)
class _Worker(Generic[T]):
    process: BaseProcess
    connection: "Connection[Any, Any]"
    task: T | None = None
    ready: bool = False
    heard: float = field(default_factory=time.monotonic)


class Pool(Generic[T]):
    """Workers are started when first needed. A task is whatever the caller knows a job by."""

    def __init__(self, size: int, limits: Limits, scratch: Path, name: str = "pincite-reader") -> None:
        self._size = max(1, size)
        self._name = name
        self._limits = limits
        scratch.mkdir(parents=True, exist_ok=True)
        self._folder = Path(tempfile.mkdtemp(prefix=f"read-{os.getpid()}-", dir=scratch))
        self._workers: list[_Worker[T]] = []

    @property
    def busy(self) -> int:
        return sum(worker.task is not None for worker in self._workers)

    @property
    def has_room(self) -> bool:
        return self.busy < self._size

    def start(self, task: T, job: ReadJob | LookJob) -> None:
        """Gives the job to a free worker. Only while ``has_room``."""
        worker = next((w for w in self._workers if w.task is None), None) or self._spawn()
        worker.task = task
        worker.heard = time.monotonic()
        try:
            worker.connection.send(job)
        except OSError:  # it died while it was idle
            self._bury(worker)
            self.start(task, job)

    def answer(self, task: T, blobs: Sequence[bytes]) -> None:
        """Answers a worker's question; nothing happens if it died meanwhile."""
        for worker in self._workers:
            if worker.task is task:
                with contextlib.suppress(OSError):
                    worker.connection.send_bytes(encode(Message("answer", {}, tuple(blobs))))

    def finish(self, task: T) -> None:
        """The task is done; its worker is free."""
        for worker in self._workers:
            if worker.task is task:
                worker.task = None

    def drop(self, task: T) -> None:
        """Kills the worker of a task that is not wanted any more."""
        for worker in [w for w in self._workers if w.task is task]:
            self._bury(worker)

    def events(self, seconds: float) -> Iterator[tuple[T, Message | Death]]:
        """What came in within so many seconds, some messages of each worker. Raises WorkerUnavailable."""
        by_connection = {w.connection: w for w in self._workers if w.task is not None}
        for ready in wait(list(by_connection), seconds):
            worker = by_connection[ready]  # type: ignore[index]
            yield from self._drain(worker)
        yield from self._silent()

    def _drain(self, worker: _Worker[T]) -> Iterator[tuple[T, Message | Death]]:
        for _ in range(_MESSAGES_AT_ONCE):
            task = worker.task
            if task is None:
                return
            try:
                message = decode(worker.connection.recv_bytes())
            except (EOFError, OSError, ValueError):
                self._bury(worker)
                if not worker.ready:
                    raise WorkerUnavailable(f"exit status {worker.process.exitcode}") from None
                yield task, Death(hung=False)
                return
            worker.heard = time.monotonic()
            if message.kind == "ready":
                worker.ready = True
            else:
                yield task, message
            if worker not in self._workers or not worker.connection.poll():
                return

    def _silent(self) -> Iterator[tuple[T, Death]]:
        now = time.monotonic()
        for worker in list(self._workers):
            task = worker.task
            patience = self._limits.seconds_silent if worker.ready else max(_START, self._limits.seconds_silent)
            if task is not None and now - worker.heard > patience:
                self._bury(worker)
                yield task, Death(hung=True)

    def _spawn(self) -> _Worker[T]:
        ours, theirs = _SPAWN.Pipe()
        process = _SPAWN.Process(
            target=main, args=(theirs, self._limits, str(self._folder)), name=self._name, daemon=True
        )
        with undisturbed():
            process.start()
        theirs.close()
        worker: _Worker[T] = _Worker(process, ours)
        self._workers.append(worker)
        return worker

    def _bury(self, worker: _Worker[T]) -> None:
        """Kills the process with everything that it started (Tesseract), and forgets it."""
        self._workers = [w for w in self._workers if w is not worker]
        worker.task = None
        pid = worker.process.pid
        if pid is not None and hasattr(os, "killpg"):
            with contextlib.suppress(OSError):
                os.killpg(pid, signal.SIGKILL)
        worker.process.kill()
        worker.process.join(5)
        worker.connection.close()

    def close(self) -> None:
        """Ends every worker at once and clears their folder."""
        for worker in list(self._workers):
            self._bury(worker)
        shutil.rmtree(self._folder, ignore_errors=True)


def clear_scratch(scratch: Path) -> None:
    """Removes what a run that was killed left behind. Only while no other run uses the folder."""
    with contextlib.suppress(OSError):
        for left in scratch.glob("read-*"):
            shutil.rmtree(left, ignore_errors=True)
