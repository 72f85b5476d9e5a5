"""Mutates real files for a bounded time and reads them: each must get a status, none may end or hang the reader.

    python tests/benchmarks/fuzz_ingest.py --seconds 60 [--seed 1] [--corpus DIR] [--keep DIR]

Prints the count of mutants by format and status. Exits with 1 if a source has no status, or if a run raises. A mutant
that made a worker crash or hang is kept where ``--keep`` says: the reader survived it, but it is worth a look.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parents[1] / "ingest")]

from conftest import FolderBlobs, Matter, SqliteRegistry  # noqa: E402

from ingest.limits import Limits  # noqa: E402
from verify.domain.document import SourceRecord  # noqa: E402

BATCH = 24
LARGEST = 400_000
FOLDERS = (
    "corrupt",
    "encrypted",
    "other_formats",
    "attachments_portfolio",
    "forms_annotations",
    "unicode_ligature_rtl",
)
HOSTILE = (
    b"\x00",
    b"\xff" * 8,
    b"<<",
    b">>",
    b"endobj",
    b" 0 R",
    b"99999999999",
    b"-1",
    b"/Kids",
    b"PK\x03\x04",
    b"]]>",
)


def mutants(files: list[Path], chance: random.Random) -> Iterator[tuple[str, bytes]]:
    """Endless: a name and bytes that differ from a real file in a few places."""
    while True:
        file = chance.choice(files)
        yield file.suffix, mutated(file.read_bytes(), chance, files)


def mutated(data: bytes, chance: random.Random, files: list[Path]) -> bytes:
    out = bytearray(data)
    for _ in range(chance.choice((1, 2, 4, 16, 64))):
        at = chance.randrange(len(out) + 1)
        match chance.randrange(7):
            case 0 if out:
                out[at % len(out)] ^= 1 << chance.randrange(8)
            case 1:
                out[at:at] = chance.choice(HOSTILE)
            case 2:
                del out[at : at + chance.choice((1, 7, 200))]
            case 3:
                out[at:at] = out[max(0, at - 300) : at]
            case 4:
                out[at : at + 8] = chance.randbytes(8)
            case 5 if chance.random() < 0.1:
                del out[at:]
            case 6 if chance.random() < 0.05:
                other = chance.choice(files).read_bytes()
                out[at:at] = other[: chance.randrange(min(len(other), 4000) + 1)]
            case _:
                pass
    return bytes(out)


def read_batch(batch: list[tuple[str, bytes]], folder: Path, limits: Limits) -> dict[str, SourceRecord]:
    root, store = folder / "matter", folder / "store"
    root.mkdir()
    store.mkdir()
    for number, (suffix, data) in enumerate(batch):
        (root / f"{number:04}{suffix}").write_bytes(data)
    registry = SqliteRegistry(store / "db")
    try:
        Matter(root, store, registry, FolderBlobs(store / "blobs"), jobs=2, limits=limits).read()
        return {r.path: r for r in registry.records()} | {p: r for r in registry.records() for p in r.other_paths}
    finally:
        registry.close()


def fuzz(corpus: Path, seconds: float, seed: int, keep: Path | None) -> tuple[Counter[tuple[str, str]], list[str]]:
    """Counts by suffix and status, and what went wrong."""
    files = sorted(f for name in FOLDERS for f in (corpus / name).rglob("*") if f.is_file())
    files = [f for f in files if 0 < f.stat().st_size <= LARGEST]
    chance = random.Random(seed)
    source = mutants(files, chance)
    limits = replace(Limits(), seconds_silent=20.0)
    counts: Counter[tuple[str, str]] = Counter()
    faults: list[str] = []
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        batch = [next(source) for _ in range(BATCH)]
        with tempfile.TemporaryDirectory() as folder:
            records = read_batch(batch, Path(folder), limits)
        for number, (suffix, data) in enumerate(batch):
            record = records.get(f"{number:04}{suffix}")
            if record is None:
                faults.append(f"seed {seed}: a mutant of {suffix} has no status")
                continue
            counts[suffix, record.status.value] += 1
            if any("crash" in w.detail or "too long" in w.detail for w in record.warnings):
                counts[suffix, "ended a worker"] += 1
                if keep is not None:
                    keep.mkdir(parents=True, exist_ok=True)
                    (keep / f"{record.fingerprint[7:23]}{suffix}").write_bytes(data)
    return counts, faults


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutate real files and read them.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    default = Path(os.environ.get("PINCITE_SHARED", Path(__file__).resolve().parents[3] / "shared")) / "corpus"
    parser.add_argument("--corpus", type=Path, default=default)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    if not options.corpus.is_dir():
        print(f"no corpus at {options.corpus} (set PINCITE_SHARED or --corpus)")
        return 2
    counts, faults = fuzz(options.corpus, options.seconds, options.seed, options.keep)
    for (suffix, status), count in sorted(counts.items()):
        print(f"{suffix:8} {status:16} {count:6}")
    total = sum(count for (_, status), count in counts.items() if status != "ended a worker")
    print(f"{total} mutants, {len(faults)} without a status")
    print(*faults, sep="\n")
    return 1 if faults or not total else 0


if __name__ == "__main__":
    sys.exit(main())
