"""A matter of many pages through ``pincite index`` itself: rate, memory, kill -9 and resume, a second run, cancelling.

    python tests/benchmarks/bench_index_scale.py [--pages 2000] [--files 20] [--jobs 2] [--kills 2] [--folder DIR]

The documents are made first (``big_matter.py``: words spread as a language's are, three passages a page or more). Then
the command runs as in a terminal, again and again until nothing is left to do: ended by Ctrl+C at the beginning of each
phase and in the last step, by kill -9 with all its processes ``--kills`` times (half of them while it reads, half while
it makes the index), at last by itself; and once more with nothing changed. ``pincite sources`` and the store must then
have every page once, the index every passage once. Memory is that of the parent, of its largest worker, and of all
together at one time, looked at ten times a second. The ratio is to PyMuPDF's own ``get_text("words")`` over some of the
files, by processor time, so that a busy machine does not count. Linux only (/proc).

100,000 pages: ``--pages 100000 --files 500``; the folder then takes 220 MB, the store 1.5 GB.
"""

import argparse
import json
import os
import pty
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from select import select

sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parent)]

from big_matter import write_matter  # noqa: E402

from app.console import STAGES  # noqa: E402
from app.paths import matter_folder  # noqa: E402
from app.store.blobs import StoreIndexFiles  # noqa: E402
from app.store.matter_store import DATABASE_FILE, INDEX_FOLDER  # noqa: E402
from app.store.vault import IdentityVault  # noqa: E402
from ingest.mupdf import pymupdf  # noqa: E402
from retrieval.upkeep import kept_index  # noqa: E402

PINCITE = "import sys; from app.cli import main; sys.exit(main())"
SAMPLE = 1_000
"""Pages of which the bare words are read for the ratio."""
LOOK = 0.1
_SHOWN = re.compile(r"([A-Z][a-z ]+): ([\d,]+)(?: of ([1-9][\d,]*))?")
STAGE_OF = {shown: stage for stage, shown in STAGES.items()}


@dataclass
class Memory:
    """Largest sizes in MB that were seen: of a process its own peak, together what was resident at one time."""

    parent: float = 0.0
    worker: float = 0.0
    together: float = 0.0

    def look(self, root: int) -> None:
        peaks, now = zip(*map(sizes, family(root)), strict=True)
        self.parent = max(self.parent, peaks[0])
        self.worker = max(self.worker, *peaks[1:], 0.0)
        self.together = max(self.together, sum(now))


def family(root: int) -> Iterator[int]:
    """The process and all that descend from it."""
    yield root
    try:
        children = Path(f"/proc/{root}/task/{root}/children").read_text().split()
    except OSError:
        return
    for child in children:
        yield from family(int(child))


def sizes(process: int) -> tuple[float, float]:
    """Peak and present resident size in MB; nothing of a process that has ended."""
    try:
        found = dict(re.findall(r"(VmHWM|VmRSS):\s+(\d+) kB", Path(f"/proc/{process}/status").read_text()))
    except OSError:
        found = {}
    return int(found.get("VmHWM", 0)) / 1024, int(found.get("VmRSS", 0)) / 1024


@dataclass
class Run:
    """One run of the command. ``stages`` has for each the seconds that it was shown for."""

    seconds: float = 0.0
    ending: float = 0.0
    pages: int = 0
    cpu: float = 0.0
    ended: str = ""
    stages: Counter[str] = field(default_factory=Counter)
    output: str = ""


@dataclass
class Matter:
    root: Path
    store: Path
    jobs: int
    memory: Memory = field(default_factory=Memory)

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-c", PINCITE, "--store", str(self.store), *arguments]

    def index(self, stop: Callable[[str, float], int | None] = lambda _stage, _share: None) -> Run:
        """Runs to the end, or until ``stop`` gives a signal for a stage and how much of it is done, 0 to 1."""
        ours, theirs = pty.openpty()
        arguments = self.command(
            "index", str(self.root), "--no-dense", "--ocr", "never", "--jobs", str(self.jobs), "--json"
        )
        before, began = cpu(), time.monotonic()
        with tempfile.TemporaryFile("w+") as out:
            process = subprocess.Popen(arguments, stdout=out, stderr=theirs, start_new_session=True)
            os.close(theirs)
            run = self._follow(process, ours, stop)
            process.wait()
            out.seek(0)
            run.output = out.read()
        os.close(ours)
        run.seconds, run.cpu = time.monotonic() - began, cpu() - before
        return run

    def _follow(
        self, process: "subprocess.Popen[bytes]", terminal: int, stop: Callable[[str, float], int | None]
    ) -> Run:
        run, sent, stage, last = Run(), 0.0, "start", time.monotonic()
        while process.poll() is None:
            said = read_some(terminal)
            self.memory.look(process.pid)
            now = time.monotonic()
            run.stages[stage] += now - last
            last = now
            for shown, done, total in _SHOWN.findall(said):
                stage = STAGE_OF.get(shown, stage)
                share = int(done.replace(",", "")) / int(total.replace(",", "")) if total else 0.0
                run.pages = int(done.replace(",", "")) if stage == "read" else run.pages
                number = None if sent else stop(stage, share)
                if number is not None:
                    sent, run.ended = time.monotonic(), f"{signal.Signals(number).name} in {stage} at {share:.0%}"
                    end(process, number)
        run.ending = time.monotonic() - sent if sent else 0.0
        return run


def end(process: "subprocess.Popen[bytes]", number: int) -> None:
    """As a terminal's Ctrl+C does; or the command and every process that it started, at once."""
    everyone = [process.pid] if number == signal.SIGINT else list(family(process.pid))
    for one in everyone:
        os.kill(one, number)


def read_some(terminal: int) -> str:
    """What is written within a moment."""
    ready, _, _ = select([terminal], [], [], LOOK)
    try:
        return os.read(terminal, 1 << 16).decode(errors="replace") if ready else ""
    except OSError:  # the other end was closed
        time.sleep(LOOK)
        return ""


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def bare_words(files: list[Path]) -> float:
    """Milliseconds of processor time a page."""
    count, started = 0, time.process_time()
    for file in files:
        with pymupdf.open(file) as document:
            count += sum(page.get_text("words") is not None for page in document)
        if count >= SAMPLE:
            break
    return (time.process_time() - started) / count * 1000


def plan(kills: int) -> list[tuple[int, str, float]]:
    """How each run but the last is ended: signal, stage, share done."""
    reading = kills - kills // 2
    steps = [(signal.SIGINT, "scan", 0.0), (signal.SIGINT, "read", 0.02)]
    steps += [(signal.SIGKILL, "read", (n + 1) / (reading + 2)) for n in range(reading)]
    steps += [(signal.SIGINT, "retrieve", 0.01)]
    steps += [(signal.SIGKILL, "retrieve", (n + 1) / (kills // 2 + 1)) for n in range(kills // 2)]
    return [*steps, (signal.SIGINT, "retrieve", 1.0)]


def stop_at(number: int, stage: str, share: float) -> Callable[[str, float], int | None]:
    return lambda at, done: number if at == stage and done >= share else None


def check(matter: Matter, pages: int, files: int) -> int:
    """Raises AssertionError if something is lost or doubled. Returns the count of passages."""
    listed = json.loads(
        subprocess.run(matter.command("sources", str(matter.root), "--json"), check=True, capture_output=True).stdout
    )
    sources = listed["sources"]
    assert len(sources) == files and {s["status"] for s in sources} == {"indexed"}
    assert sum(s["page_count"] for s in sources) == pages
    folder = matter_folder(matter.store, matter.root)
    with closing(sqlite3.connect(folder / DATABASE_FILE)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        kept = database.execute(
            "SELECT fingerprint, count(*), count(DISTINCT page_index), max(page_index) + 1 FROM pages GROUP BY 1"
        )
        assert sorted((fingerprint, *counts) for fingerprint, *counts in kept) == sorted(
            (s["fingerprint"], *3 * [s["page_count"]]) for s in sources
        )
        cut = database.execute(
            "SELECT source_id, count(*), count(DISTINCT ordinal), max(ordinal) + 1, sum(live) FROM passages GROUP BY 1"
        )
        assert sorted((source, *counts) for source, *counts in cut) == sorted(
            (s["source_id"], *4 * [s["chunk_count"]]) for s in sources
        )
        passages = [row[0] for row in database.execute("SELECT passage_id FROM passages")]
    index = kept_index(StoreIndexFiles(folder / INDEX_FOLDER, IdentityVault()))
    assert sorted(index.passages.keys) == sorted(passages)
    assert sum(segment.size for segment in index.passages.segments) == len(passages)
    return len(passages)


def one_search(matter: Matter) -> tuple[float, float]:
    """Seconds and peak MB of a search by words in a process of its own."""
    began = time.monotonic()
    process = subprocess.Popen(
        matter.command("search", str(matter.root), "notice of payment", "--mode", "lexical", "--json"),
        stdout=subprocess.DEVNULL,
    )
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, sizes(process.pid)[0])
        time.sleep(0.01)
    return time.monotonic() - began, peak


def run_all(matter: Matter, kills: int) -> list[Run]:
    """All runs until one ends by itself."""
    runs: list[Run] = []
    for step in [*plan(kills), None]:
        run = matter.index(stop_at(*step)) if step else matter.index()
        runs.append(run)
        how = f"{run.ended}, gone after {run.ending:.2f} s" if run.ended else "to the end"
        print(f"{run.seconds:8.1f} s {run.pages:9,} pages read   {how}", flush=True)
        if not run.ended:
            break
    return runs


def measure(matter: Matter, pages: int, files: int, kills: int) -> None:
    runs = run_all(matter, kills)
    again = matter.index()
    assert len(json.loads(again.output)["sources"]) == files and again.pages == 0
    passages = check(matter, pages, files)
    report(
        matter, runs, f"{pages:,} pages, {passages:,} passages, each once; {files} files, {matter.jobs} workers", pages
    )
    print(f"nothing changed           {again.seconds:10.2f} s")
    seconds, peak = one_search(matter)
    print(f"one search by words       {seconds:10.2f} s    {peak:.0f} MB")


def report(matter: Matter, runs: list[Run], what: str, pages: int) -> None:
    counted = [run for run in runs if "SIGKILL" not in run.ended]  # of a killed process nobody learns the time
    own = sum(run.cpu for run in counted) / max(1, sum(run.pages for run in counted)) * 1000
    bare = bare_words(sorted(matter.root.iterdir()))
    stages: Counter[str] = sum((run.stages for run in runs), Counter())
    seconds = sum(run.seconds for run in runs)
    store = sum(file.stat().st_size for file in matter.store.rglob("*") if file.is_file())
    print(what)
    parted = f"reading {stages['read']:.0f}, index {stages['retrieve']:.0f}"
    print(f"all {len(runs)} runs                {seconds:10.0f} s    {parted}")
    print(f"pages a second            {pages / stages['read']:10.1f}      while it reads; {pages / seconds:.1f} in all")
    print(f"ratio to get_text('words') {bare / own:9.3f}      {own:.1f} ms of processor a page to {bare:.2f}")
    print(f"cancel, slowest           {max((run.ending for run in runs if 'INT' in run.ended), default=0.0):10.2f} s")
    print(f"memory: parent            {matter.memory.parent:10.0f} MB")
    print(f"memory: largest worker    {matter.memory.worker:10.0f} MB")
    print(f"memory: all together      {matter.memory.together:10.0f} MB")
    print(f"store                     {store / 1e6:10.0f} MB")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where to work (else a temporary folder)")
    options = parser.parse_args()
    # A shell has what it starts in the background ignore Ctrl+C, and so would every run of the command.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="pincite-scale-") as folder:
        root, store = Path(folder, "matter"), Path(folder, "store")
        root.mkdir()
        began = time.monotonic()
        write_matter(root, options.pages, options.files, options.jobs)
        pages = options.pages // options.files * options.files
        print(f"{pages:,} pages made in {time.monotonic() - began:.0f} s", flush=True)
        measure(Matter(root, store, options.jobs), pages, options.files, options.kills)
    return 0


if __name__ == "__main__":
    sys.exit(main())
