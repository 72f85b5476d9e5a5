"""The process that touches untrusted bytes. It can be killed at any moment; its parent keeps what it sent.

Spawned, in a process group of its own, under the limits of ``limits.py``. It speaks over one pipe (``wire``), holds no
database and no key, and dies with its parent.
"""

import contextlib
import os
import signal
import sys
import threading
import traceback
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from ingest.limits import Limits, restrict_this_process
from ingest.worker.job import Line, LookJob, ReadJob

ENDED = 75
"""Exit status of a worker whose parent is gone."""


def main(connection: "Connection[Any, Any]", limits: Limits, scratch: str) -> None:
    """Serves jobs until the pipe closes."""
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)
    _die_with_parent()
    _be_quiet()
    os.environ["OMP_THREAD_LIMIT"] = "1"
    os.environ["TMPDIR"] = scratch
    restrict_this_process(limits)
    from ingest.worker.looking import Looking
    from ingest.worker.serving import serve

    line, looking = Line(connection), Looking()
    line.send("ready")
    while True:
        try:
            job: ReadJob | LookJob = connection.recv()  # pickled by the parent; the other way goes no pickle
        except EOFError:
            return
        try:
            if isinstance(job, LookJob):
                looking.serve(job, line)
            else:
                serve(job, line, limits)
        except MemoryError:
            line.send("failed", status="unreadable", detail="the file needs more memory than one file may use")
        except (BrokenPipeError, ConnectionError):
            return
        except Exception as error:
            line.send("failed", status="unreadable", detail=f"the file is damaged ({_where(error)})")


def _where(error: BaseException) -> str:
    """Kind and place of an error, never its message: that may quote the document."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def _be_quiet() -> None:
    """Libraries print about what they trip over; the parent's stdout is a JSON document, and text is no log."""
    silence = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError):
        os.dup2(silence, 1)
        os.dup2(silence, 2)
    sys.stdout = sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (lasts as long as the process)


def _die_with_parent() -> None:
    parent = parent_process()
    if parent is None:
        return
    _end_by_signal(parent.sentinel)
    threading.Thread(target=_watch, args=(parent.sentinel,), daemon=True).start()


def _end_by_signal(sentinel: int) -> None:
    """Has the kernel end this process and its group (the engines that it runs) when the parent's end of the pipe
    closes, even while a parser hangs in C and holds the interpreter's lock. SIGIO ends a process that does not handle
    it. Only where the system can do it."""
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import fcntl

        fcntl.fcntl(sentinel, fcntl.F_SETOWN, -os.getpgrp())
        flags = fcntl.fcntl(sentinel, fcntl.F_GETFL)
        fcntl.fcntl(sentinel, fcntl.F_SETFL, flags | os.O_ASYNC)


def _watch(sentinel: int) -> None:
    wait([sentinel])
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(ENDED)
