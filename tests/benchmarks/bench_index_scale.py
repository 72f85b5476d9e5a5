"""A matter of many pages through ``pincite index`` itself: rate, memory, kill -9 and resume, a second run, cancelling.

    python tests/benchmarks/bench_index_scale.py [--pages 2000] [--files 20] [--jobs 2] [--kills 2] [--dense stand-in]

The documents are made first (``big_matter.py``: words spread as a language's are, three passages a page or more). Then
the command runs as in a terminal, again and again until nothing is left to do: ended by Ctrl+C at the beginning of each
phase and in the last step, by kill -9 with all its processes ``--kills`` times (half of them while it reads, half while
it makes the index; with ``--dense`` as often again while it embeds), at last by itself; and once more with nothing
changed. ``pincite sources`` and the store must then have every page once, the index every passage once, and with
``--dense`` each passage one vector. Memory is that of the parent, of its largest worker, and of all together at one
time, looked at ten times a second. The ratio is to PyMuPDF's own ``get_text("words")`` over some of the files, by
processor time, so that a busy machine does not count. Linux only (/proc).

``--dense stand-in`` embeds with ``stand_in.py``, as many passages would take hours; ``--dense real`` as the product
does. 100,000 pages: ``--pages 100000 --files 500``; the folder then takes 220 MB, the store 1.5 GB, vectors 0.25 GB.
``--at DIR`` works there and leaves matter and store, and goes on with what it finds.
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
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from select import select
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parent)]

from big_matter import write_matter  # noqa: E402
from process_memory import Memory, family, sizes  # noqa: E402
from stand_in import DIMENSION, StandIn  # noqa: E402

from app.cli.console import STAGES  # noqa: E402
from app.paths import matter_folder  # noqa: E402
from app.store.blobs import StoreIndexFiles  # noqa: E402
from app.store.matter_store import DATABASE_FILE, INDEX_FOLDER  # noqa: E402
from app.store.vault import IdentityVault  # noqa: E402
from ingest.mupdf import pymupdf  # noqa: E402
from models.adapters.embeddings import NAME  # noqa: E402
from retrieval.index.upkeep import kept_index  # noqa: E402
from retrieval.index.vectors import KeptVectors  # noqa: E402

PINCITE = "import sys; from app.cli.main import main; sys.exit(main())"
STOOD_IN = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import stand_in; stand_in.install(); "
EMBEDDERS = {"stand-in": StandIn.name, "real": NAME}
SAMPLE = 1_000
"""Pages of which the bare words are read for the ratio."""
LOOK = 0.1
_SHOWN = re.compile(r"([A-Z][a-z ]+): ([\d,]+)(?: of ([1-9][\d,]*))?")
STAGE_OF = {shown: stage for stage, shown in STAGES.items()}


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
    dense: str | None = None
    memory: Memory = field(default_factory=Memory)
    log: int = 0
    """The largest size of the database's write-ahead log that was seen, in bytes."""

    def command(self, *arguments: str) -> list[str]:
        program = STOOD_IN + PINCITE if self.dense == "stand-in" else PINCITE
        return [sys.executable, "-c", program, "--store", str(self.store), *arguments]

    @property
    def kept(self) -> Path:
        return matter_folder(self.store, self.root)

    def look(self, process: int, stage: str) -> None:
        self.memory.look(process, stage)
        log = self.kept / f"{DATABASE_FILE}-wal"
        self.log = max(self.log, log.stat().st_size if log.exists() else 0)

    def index(self, stop: Callable[[str, float], int | None] = lambda _stage, _share: None) -> Run:
        """Runs to the end, or until ``stop`` gives a signal for a stage and how much of it is done, 0 to 1."""
        ours, theirs = pty.openpty()
        arguments = self.command("index", str(self.root), "--ocr", "never", "--jobs", str(self.jobs), "--json")
        arguments += [] if self.dense else ["--no-dense"]
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
            self.look(process.pid, stage)
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


def plan(kills: int, dense: bool) -> list[tuple[int, str, float]]:
    """How each run but the last is ended: signal, stage, share done."""
    reading = kills - kills // 2
    steps = [(signal.SIGINT, "scan", 0.0), (signal.SIGINT, "read", 0.02)]
    steps += [(signal.SIGKILL, "read", (n + 1) / (reading + 2)) for n in range(reading)]
    steps += [(signal.SIGINT, "retrieve", 0.01)]
    steps += [(signal.SIGKILL, "retrieve", (n + 1) / (kills // 2 + 1)) for n in range(kills // 2)]
    steps += [(signal.SIGINT, "retrieve", 1.0)]
    if dense:
        steps += [(signal.SIGINT, "embed", 0.01), *((signal.SIGKILL, "embed", 0.3) for _ in range(kills))]
    return steps


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
    folder = matter.kept
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
    files_of_index = StoreIndexFiles(folder / INDEX_FOLDER, IdentityVault())
    index = kept_index(files_of_index)
    assert sorted(index.passages.keys) == sorted(passages)
    assert sum(segment.size for segment in index.passages.segments) == len(passages)
    if matter.dense:
        vectors = KeptVectors(files_of_index, EMBEDDERS[matter.dense], DIMENSION)
        list(vectors.keep_only(frozenset(passages)))
        assert sorted(vectors.ids()) == sorted(passages)
    return len(passages)


def once(matter: Matter, *arguments: str) -> tuple[float, float, str]:
    """Seconds and peak MB of one command in a process of its own, and what it said."""
    began, peak = time.monotonic(), 0.0
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(matter.command(*arguments), stdout=out)
        while process.poll() is None:
            peak = max(peak, sum(sizes(one).peak for one in family(process.pid)))
            time.sleep(0.02)
        seconds = time.monotonic() - began
        out.seek(0)
        said = out.read()
    assert process.returncode == 0, said[-500:]
    return seconds, peak, said


def other_commands(matter: Matter) -> None:
    """What the other commands take in a matter of this size."""
    root, query = str(matter.root), "notice of payment"
    listed = json.loads(told("sources", once(matter, "sources", root, "--json")))
    for mode in ("lexical", "dense", "hybrid") if matter.dense else ("lexical",):
        said = told(f"search --mode {mode}", once(matter, "search", root, query, "--mode", mode, "--json"))
    told("ask", once(matter, "ask", root, f"Which {query} is due?", "--model", "extractive", "--json"))
    checks = list(quotations(json.loads(said)["passages"], listed["sources"]))
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"schema": "pincite.request/1", "request_id": "bench", "checks": checks}, file)
        file.flush()
        report = json.loads(told(f"verify {len(checks)} quotations", once(matter, "verify", root, file.name, "--json")))
    assert {check["status"] for check in report["checks"]} == {"verified"}


def told(what: str, run: tuple[float, float, str]) -> str:
    seconds, peak, said = run
    print(f"{what:<26} {seconds:9.2f} s    RSS {peak:.0f} MB", flush=True)
    return said


def quotations(passages: list[dict[str, Any]], sources: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The first words below the heading of each passage that was found, as a check."""
    fingerprints = {source["source_id"]: source["fingerprint"] for source in sources}
    for number, found in enumerate(passages):
        yield {
            "check_id": f"v{number}",
            "kind": "quote",
            "source_id": found["source_id"],
            "document_fingerprint": fingerprints[found["source_id"]],
            "page_index": found["page_index"],
            "expected_text": " ".join(found["text"].split()[4:16]),
        }


def run_all(matter: Matter, kills: int) -> list[Run]:
    """All runs until one ends by itself."""
    runs: list[Run] = []
    for step in [*plan(kills, matter.dense is not None), None]:
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
    other_commands(matter)


def report(matter: Matter, runs: list[Run], what: str, pages: int) -> None:
    counted = [run for run in runs if "SIGKILL" not in run.ended]  # of a killed process nobody learns the time
    own = sum(run.cpu for run in counted) / max(1, sum(run.pages for run in counted)) * 1000
    bare = bare_words(sorted(matter.root.iterdir()))
    stages: Counter[str] = sum((run.stages for run in runs), Counter())
    seconds = sum(run.seconds for run in runs)
    store = sum(file.stat().st_size for file in matter.store.rglob("*") if file.is_file())
    print(what)
    parted = f"reading {stages['read']:.0f}, index {stages['retrieve']:.0f}, vectors {stages['embed']:.0f}"
    print(f"all {len(runs)} runs                {seconds:10.0f} s    {parted}")
    rate = pages / max(stages["read"], 0.1)
    print(f"pages a second            {rate:10.1f}      while it reads; {pages / seconds:.1f} in all")
    print(f"ratio to get_text('words') {bare / own:9.3f}      {own:.1f} ms of processor a page to {bare:.2f}")
    print(f"cancel, slowest           {max((run.ending for run in runs if 'INT' in run.ended), default=0.0):10.2f} s")
    print(*matter.memory.lines(), sep="\n")
    print(f"store, its log at most    {store / 1e6:10.0f} MB, {matter.log / 1e6:.0f} MB")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--dense", choices=sorted(EMBEDDERS), help="embed too")
    parser.add_argument("--folder", type=Path, help="where to make a temporary folder")
    parser.add_argument("--at", type=Path, help="work here instead, and leave everything")
    options = parser.parse_args()
    # A shell has what it starts in the background ignore Ctrl+C, and so would every run of the command.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with workplace(options.at, options.folder) as folder:
        root, store = folder / "matter", folder / "store"
        pages = options.pages // options.files * options.files
        if not root.exists():
            root.mkdir(parents=True)
            began = time.monotonic()
            write_matter(root, options.pages, options.files, options.jobs)
            print(f"{pages:,} pages made in {time.monotonic() - began:.0f} s", flush=True)
        measure(Matter(root, store, options.jobs, options.dense), pages, options.files, options.kills)
    return 0


@contextmanager
def workplace(at: Path | None, beside: Path | None) -> Iterator[Path]:
    if at is not None:
        yield at
        return
    with tempfile.TemporaryDirectory(dir=beside, prefix="pincite-scale-") as folder:
        yield Path(folder)


if __name__ == "__main__":
    sys.exit(main())
