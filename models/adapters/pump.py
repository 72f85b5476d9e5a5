"""Lets a caller cancel a stream that says nothing: the blocking read runs in a thread of its own."""

from collections.abc import Callable, Generator, Iterator
from queue import Empty, SimpleQueue
from threading import Thread

BEAT_SECONDS = 0.2
_JOIN_SECONDS = 0.5


class _Done:
    pass


def pump(produce: Callable[[], Iterator[str]], stop: Callable[[], None]) -> Generator[str]:
    """What ``produce`` gives, and ``""`` every 0.2 s while it gives nothing, so that a consumer can stop in between.

    Closing calls ``stop``, which must make the blocked read fail. What ``produce`` raises is raised here.
    """
    pieces: SimpleQueue[str | _Done | Exception] = SimpleQueue()

    def work() -> None:
        try:
            for piece in produce():
                pieces.put(piece)
        except Exception as failure:  # handed to the consumer, whatever it is
            pieces.put(failure)
        else:
            pieces.put(_Done())

    thread = Thread(target=work, name="model-stream", daemon=True)
    thread.start()
    ended = False
    try:
        while not ended:
            try:
                item = pieces.get(timeout=BEAT_SECONDS)
            except Empty:
                yield ""
                continue
            ended = not isinstance(item, str)
            if isinstance(item, Exception):
                raise item
            if isinstance(item, str):
                yield item
    finally:
        if not ended:
            stop()
        thread.join(_JOIN_SECONDS)
