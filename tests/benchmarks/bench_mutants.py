"""Mutants of true quotations from real contracts and opinions: verdicts by kind, and any that verified wrongly.

``python tests/benchmarks/bench_mutants.py [count] [seed]`` needs the reference material (PINCITE_SHARED, else ../shared
beside the checkout). Exit code 1 if a false mutant verified.
"""

import os
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "verify"))

from verify_mutants import run


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 11
    shared = Path(os.environ.get("PINCITE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    tally = run(shared, count, seed)
    kinds = Counter[str]()
    for (kind, _), n in tally.verdicts.items():
        kinds[kind] += n
    print(f"{tally.originals} verified quotations, {tally.tried} false mutants")
    for kind in sorted(kinds):
        rows = sorted((v, n) for (k, v), n in tally.verdicts.items() if k == kind)
        print(f"  {kind:<20} {kinds[kind]:>6}  " + ", ".join(f"{v} {n}" for v, n in rows))
    print(f"{sum(tally.true.values())} still true")
    for (kind, why), n in sorted(tally.true.items()):
        print(f"  {kind:<20} {n:>6}  {why}")
    print(f"{len(tally.faults)} false mutants verified")
    for file, mutant in tally.faults[:20]:
        print(f"  {file} p{mutant.check['page_index']} {mutant.kind}: {mutant.check} FROM {mutant.original!r}")
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
