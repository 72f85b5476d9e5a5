"""How the window feels: time to the first picture, to a page, and the longest pause of its thread under load.

``QT_QPA_PLATFORM=offscreen python tests/benchmarks/bench_window.py [FOLDER] [--question TEXT] [--reading SECONDS]``:
reads FOLDER (the 27 contracts of ``../shared`` by default) in the backend while a heartbeat on the window's thread is
timed, asks as soon as one document is ready, scrolls a long document, types into the question box. The reading is
watched to its end, or for so many seconds after all that. Prints a table.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

began = time.perf_counter()
REPO = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(REPO))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

BEAT_MS = 5
LONG_PAGES = 2_000


class Heartbeat:
    """A timer of ``BEAT_MS``; what lies between two beats beyond that is a pause. ``work`` is the thread's own CPU time
    between two beats: on a machine that others load, it tells the window's doing from theirs."""

    def __init__(self, parent) -> None:  # type: ignore[no-untyped-def]
        from PySide6.QtCore import Qt, QTimer

        self.pauses: list[tuple[float, str]] = []
        self.work: list[tuple[float, str]] = []
        self._spent = time.thread_time()
        self.doing = ""
        self._last = time.perf_counter()
        timer = QTimer(parent, interval=BEAT_MS)
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.timeout.connect(self._beat)
        timer.start()

    def _beat(self) -> None:
        now = time.perf_counter()
        self.pauses.append((1000 * (now - self._last) - BEAT_MS, self.doing))
        self._last = now
        spent = time.thread_time()
        self.work.append((1000 * (spent - self._spent), self.doing))
        self._spent = spent

    def longest(self) -> tuple[float, str]:
        return max(self.pauses)

    def share_over(self, milliseconds: float) -> float:
        return sum(p > milliseconds for p, _ in self.pauses) / len(self.pauses)


class Bench:
    def __init__(self, application, window) -> None:  # type: ignore[no-untyped-def]
        self.application, self.window = application, window

    def until(self, done: Callable[[], object], seconds: float = 300) -> float:
        """Seconds until it was done, the event loop running as in the application."""
        from PySide6.QtCore import QEventLoop, QTimer

        start, loop = time.perf_counter(), QEventLoop()
        timer = QTimer(interval=2)
        timer.timeout.connect(lambda: loop.quit() if done() or time.perf_counter() - start > seconds else None)
        timer.start()
        loop.exec()
        timer.stop()
        if not done():
            raise SystemExit(f"not done in {seconds} s: {self.window.banner_words.text()}")
        return time.perf_counter() - start


def long_document(path: Path) -> Path:
    from ingest.mupdf import pymupdf

    with pymupdf.open() as document:
        for number in range(LONG_PAGES):
            page = document.new_page(width=612, height=792)
            words = f"{number + 1}. The Supplier shall keep records of each visit and of every replaced part. " * 24
            page.insert_textbox((72, 72, 540, 720), words, fontsize=10)
        document.save(path)
    return path


def page_times(bench: Bench, path: Path) -> dict[str, float]:
    """Milliseconds, all tiles of the view drawn: opening, the worst of 20 jumps, the median of them."""
    from app.backend.page_worker import OpenDocument

    view, source = bench.window.evidence_pane.view, bench.window.evidence_pane.source
    source.open(OpenDocument("bench", str(path), None))
    opened = 1000 * bench.until(lambda: view.page_count > 0 and view.complete)
    jumps = []
    for step in range(20):
        view.go_to_page(step * 97 % view.page_count)
        start = time.perf_counter()
        bench.until(lambda: view.complete)
        jumps.append(1000 * (time.perf_counter() - start))
    jumps.sort()
    return {"open": opened, "jump worst": jumps[-1], "jump median": jumps[10]}


def scroll(bench: Bench, seconds: float) -> None:
    view = bench.window.evidence_pane.view
    bar, end = view.verticalScrollBar(), time.perf_counter() + seconds
    bench.until(lambda: bar.setValue(bar.value() + 60) or time.perf_counter() > end)


def main() -> int:
    contracts = REPO.parent / "shared" / "evaldata" / "cuad_pdf" / "pdf"
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=contracts)
    parser.add_argument("--question", default="What notice is required to terminate this agreement?")
    parser.add_argument("--reading", type=float, default=600.0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        for variable in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
            os.environ[variable] = name
        from PySide6.QtWidgets import QApplication

        application = QApplication(["pincite"])
        from app.views.main import build

        window, stop = build(application, None, Path(name) / "store")
        window.show()
        application.processEvents()
        first = time.perf_counter() - began
        bench = Bench(application, window)
        bench.until(lambda: window.settings.loaded)
        long = long_document(Path(name) / "long.pdf")
        print(f"load at start                 {os.getloadavg()[0]:8.1f}")
        print(f"first window                  {first:8.2f} s")
        for what, value in page_times(bench, long).items():
            print(f"page of {LONG_PAGES:,}: {what:<14} {value:8.0f} ms")
        under_load(bench, args.folder, args.question, args.reading)
        print(f"tiles kept                    {window.evidence_pane.source.cache.bytes / 1e6:8.0f} MB")
        print(f"load at end                   {os.getloadavg()[0]:8.1f}")
        window.close()
        stop()
    return 0


def under_load(bench: Bench, folder: Path, question: str, reading: float) -> None:
    window = bench.window
    heart = Heartbeat(window)
    heart.doing = "opening the folder"
    window.open_matter(folder)
    window.tour.end()
    window.asking.model = "extractive"
    bench.until(lambda: window.matter.can_ask)
    start = time.perf_counter()
    heart.doing = "asking while reading"
    window.ask_pane.ask(question)
    bench.until(lambda: window.ask_pane.cards or window.asking.state in ("shown", "failed"))
    print(f"first claim while reading     {time.perf_counter() - start:8.2f} s")
    bench.until(lambda: window.asking.state in ("shown", "failed"))
    heart.doing = "scrolling while reading"
    bench.until(lambda: window.evidence_pane.view.page_count > 0, 20)
    scroll(bench, 4)
    heart.doing = "typing while reading"
    for letter in "What is the governing law of each of these agreements":
        window.ask_pane.question.insertPlainText(letter)
        bench.until(lambda: True)
    heart.doing = "reading"
    enough = time.perf_counter() + reading
    bench.until(lambda: window.matter.reading.state == "idle" or time.perf_counter() > enough, reading + 60)
    longest, doing = heart.longest()
    print(f"beats                         {len(heart.pauses):8,}")
    print(f"longest pause                 {longest:8.0f} ms ({doing})")
    print(f"beats later than 50 ms        {100 * heart.share_over(50):8.3f} %")
    for what, beats in (("longest pauses", heart.pauses), ("most own work between beats", heart.work)):
        worst = sorted(beats, reverse=True)[:6]
        print(f"{what:<29} " + ", ".join(f"{p:.0f} ms {d}" for p, d in worst))


if __name__ == "__main__":
    sys.exit(main())
