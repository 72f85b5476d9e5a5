"""Speed of the verifier: quote checks a second over a loaded 1,000-page matter, and how time grows.

``python tests/benchmarks/bench_verify.py [pages]`` prints a table. Pages are made by hand (invented words), so that
nothing but the verifier is measured; hashing a cold source is measured beside it, on a file of the usual size.
"""

import hashlib
import os
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "verify"))

from verify_asking import AT, body, quote
from verify_pages import Block, FakeSources, make_page, source

from verify.domain.canonical import fingerprint_file
from verify.domain.document import ElementKind, Page
from verify.engine import verify

WORDS = [f"{a}{b}{c}" for a in ("ba", "de", "fi", "lo", "mu", "ra", "te", "vo") for b in ("n", "r", "l", "st", "m")
         for c in ("ing", "al", "er", "ment", "ion", "us", "ed", "ly")]  # fmt: skip
LINE_WORDS, PARAGRAPH_LINES, PARAGRAPHS = 10, 5, 8


def paragraph(rng: random.Random) -> str:
    lines = []
    for _ in range(PARAGRAPH_LINES):
        words = [rng.choice(WORDS) for _ in range(LINE_WORDS)]
        if rng.random() < 0.3:
            words[rng.randrange(LINE_WORDS)] += "."
        lines.append(" ".join(words))
    lines[-1] += "."
    return "\n".join(lines)


def page(index: int, rng: random.Random, paragraphs: int = PARAGRAPHS) -> Page:
    head = Block("Services agreement", ElementKind.HEADER)
    return make_page(index, head, *(paragraph(rng) for _ in range(paragraphs)), label=str(index + 1))


def quotations(pages: list[Page], count: int, rng: random.Random, altered: bool = False) -> list[dict[str, object]]:
    asked = []
    for i in range(count):
        shown = rng.choice(pages)
        words = [w for w in shown.words if w.visible]
        first = rng.randrange(2, len(words) - 20)
        text = [w.text for w in words[first : first + 15]]
        if altered:
            text[7] = "altered"
        asked.append(quote(" ".join(text), shown.index, check_id=f"c{i}"))
    return asked


def timed(pages: list[Page], checks: list[dict[str, object]]) -> tuple[float, int]:
    raw = body(*checks)
    sources = FakeSources(source(*pages))
    start = time.process_time()
    report = verify(raw, sources, checked_at=AT)
    seconds = time.process_time() - start
    return seconds, sum(c.status == "verified" for c in report.checks)


def row(name: str, pages: list[Page], checks: list[dict[str, object]]) -> float:
    seconds, good = timed(pages, checks)
    rate = len(checks) / seconds
    print(f"{name:<46} {len(pages):>6} {len(checks):>7} {good:>8} {seconds:>8.2f} {rate:>9.0f}")
    return seconds


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rng = random.Random(7)
    pages = [page(i, rng) for i in range(count)]
    print(f"load average {os.getloadavg()[0]:.1f}; CPU seconds of one core; {len(pages[0].words)} words a page\n")
    print(f"{'what':<46} {'pages':>6} {'checks':>7} {'verified':>8} {'seconds':>8} {'checks/s':>9}")
    sizes = [1250, 2500, 5000, 10_000]
    times = [row("true quotations, pages prepared on the way", pages, quotations(pages, n, rng)) for n in sizes]
    prepared = pages[:50]
    warm = [row("true quotations on 50 pages", prepared, quotations(prepared, n, rng)) for n in sizes]
    bad = [row("altered quotations, whole matter searched", pages, quotations(pages, n, rng, True)) for n in (250, 500)]
    lengths = [[page(i, rng, paragraphs) for i in range(25)] for paragraphs in (8, 16, 32)]
    grown = [row(f"true quotations, {len(p[0].words)} words a page", p, quotations(p, 2500, rng)) for p in lengths]
    print(f"\ntime of 8 times the checks: {times[-1] / times[0]:.1f} (all pages), {warm[-1] / warm[0]:.1f} (50 pages)")
    print(f"time of twice the altered checks: {bad[1] / bad[0]:.1f} times")
    print(f"time of 4 times the page length: {grown[-1] / grown[0]:.1f} times")
    print(f"a check more, pages prepared: {(warm[-1] - warm[0]) / (sizes[-1] - sizes[0]) * 1e6:.0f} µs")
    hashing()


def hashing() -> None:
    """What the first check of a cold source costs beside: its file is hashed once."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "source"
        file.write_bytes(os.urandom(1 << 20) * 64)
        start = time.process_time()
        fingerprint_file(file)
        seconds = time.process_time() - start
    print(f"hashing 64 MB: {seconds:.2f} s ({hashlib.sha256().name})")


if __name__ == "__main__":
    main()
