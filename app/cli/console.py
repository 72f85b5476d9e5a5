"""What a command says: its result on stdout, everything else on stderr, progress only as often as it helps."""

import json
import sys
import time
import unicodedata
from collections.abc import Callable, Generator
from typing import IO, Any, TypeVar

from verify.domain.progress import Progress

Event = TypeVar("Event")
Result = TypeVar("Result")

_TTY_EVERY = 0.1
_LOG_EVERY = 10.0
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
STAGES = {
    "scan": "Looking through the folder",
    "read": "Reading",
    "ocr": "Recognising scans",
    "retrieve": "Preparing search",
    "embed": "Preparing search by meaning",
    "answer": "Answering",
    "verify": "Checking",
    "support": "Comparing",
    "cite": "Looking up citations",
    "evaluate": "Measuring",
    "judge": "Judging",
    "export": "Writing",
    "fetch": "Fetching",
}


class Console:
    """``json`` says whether stdout holds one JSON document and nothing else."""

    def __init__(self, *, json: bool, out: IO[str] | None = None, err: IO[str] | None = None) -> None:
        self.json = json
        self._out, self._err = out or sys.stdout, err or sys.stderr
        self._meter = Meter(self._err, time.monotonic)

    def document(self, value: dict[str, Any]) -> None:
        """One JSON document on one line, so that a batch is JSON Lines."""
        self._meter.clear()
        self._out.write(json.dumps(value, ensure_ascii=False) + "\n")
        self._out.flush()

    def say(self, *lines: str) -> None:
        """Text for a person, each string one line; nothing where a program reads."""
        if not self.json:
            self._meter.clear()
            self._out.write("".join(printable(line) + "\n" for line in lines))

    def note(self, line: str) -> None:
        """A remark beside the result."""
        self._meter.clear()
        self._err.write(printable(line) + "\n")
        self._err.flush()

    def agreed(self, question: str) -> bool:
        """Asks the person at the terminal; anything but yes is no."""
        self.note(f"{question} [y/N]")
        return sys.stdin.readline().strip().lower() in ("y", "yes")

    def watch(
        self, work: Generator[Progress | Event, None, Result], on_event: Callable[[Event], None] | None = None
    ) -> Result:
        """Runs long work to its end. Closes it on any exception, which cancels it."""
        try:
            while True:
                event = next(work)
                if isinstance(event, Progress):
                    self._meter.show(event)
                elif on_event is not None:
                    on_event(event)
        except StopIteration as end:
            result: Result = end.value
            return result
        finally:
            work.close()
            self._meter.clear()


def printable(line: str) -> str:
    """Control and format characters as escapes: a file's name or text must not move the cursor, turn the writing
    round or forge a line."""
    if line.isprintable():
        return line
    return "".join(c.encode("unicode_escape").decode() if unicodedata.category(c) in _UNSEEN else c for c in line)


class Meter:
    """One line that is rewritten on a terminal, a line now and then elsewhere. ``clock`` gives seconds."""

    def __init__(self, stream: IO[str], clock: Callable[[], float]) -> None:
        self._stream, self._clock = stream, clock
        self._terminal = stream.isatty()
        self._shown = ""
        self._last = self._clock()
        self._stage = ("", "")
        self._began = (self._last, 0)

    def show(self, progress: Progress) -> None:
        now = self._clock()
        stage = (progress.stage, progress.unit)
        if stage != self._stage or progress.done < self._began[1]:
            self._stage, self._began = stage, (now, progress.done)
        if now - self._last < (_TTY_EVERY if self._terminal else _LOG_EVERY):
            return
        self._last = now
        line = describe(progress, now - self._began[0], progress.done - self._began[1])
        if self._terminal:
            self._stream.write("\r\x1b[K" + line)
            self._shown = line
        else:
            self._stream.write(line + "\n")
        self._stream.flush()

    def clear(self) -> None:
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._shown = ""


def describe(progress: Progress, seconds: float, done: int) -> str:
    """``done`` units took ``seconds``: how far, how fast, how long still."""
    name = STAGES.get(progress.stage, progress.stage)
    total = "" if progress.total is None else f" of {progress.total:,}"
    parts = [f"{name}: {progress.done:,}{total} {progress.unit}"]
    if done > 0 and seconds > 0.5 and progress.total is not None:
        rate = done / seconds
        parts.append(f"{rate:,.1f} a second" if rate < 100 else f"{rate:,.0f} a second")
        if progress.total > progress.done:
            parts.append(f"{duration((progress.total - progress.done) / rate)} left")
    elif progress.total is None and seconds > 2:
        parts.append(f"{duration(seconds)} so far")
    return ", ".join(parts)


def duration(seconds: float) -> str:
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
