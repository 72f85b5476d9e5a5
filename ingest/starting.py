"""How a process is started so that an interrupt at the terminal ends it without a word."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from multiprocessing import resource_tracker


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Holds an interrupt back while a process is given what it starts with: one that is cut off there, or is reached by
    the terminal's own Ctrl+C before it leaves our group, would print a traceback after our last line."""
    if threading.current_thread() is not threading.main_thread():
        yield  # an interrupt is raised in the main thread alone
        return
    held: list[int] = []
    before = {number: signal.signal(number, lambda n, _: held.append(n)) for number in (signal.SIGINT, signal.SIGTERM)}
    mask = None
    if hasattr(signal, "pthread_sigmask"):
        resource_tracker.ensure_running()  # it unblocks what is blocked when it starts, so it starts first
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in before.items():
            signal.signal(number, handler)
    if held:
        signal.raise_signal(held[0])
