"""How many verified quotations carry each limitation: whole clauses that contracts' lawyers quoted, and random runs.

    python tests/benchmarks/bench_limitations.py [--half 0|1] [--store DIR]

The contracts and the lawyers' quotations are those of ``evaldata/cuad_pdf`` in the reference folder
(``PINCITE_SHARED``); documents are split in halves by the hash of their names, so that a list can be written on one
half and measured on the other.
"""

import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any

SHARED = Path(os.environ.get("PINCITE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
DATA = SHARED / "evaldata" / "cuad_pdf"
WORDS = 12


def cli(store: str, *words: str) -> Any:
    run = subprocess.run(
        [str(Path(sys.executable).with_name("pincite")), "--store", store, *words, "--json"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return json.loads(run.stdout)


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--half", type=int, choices=(0, 1))
    ap.add_argument("--store")
    ap.add_argument("--show", action="store_true", help="print the quotations that carry the stronger warning")
    given = ap.parse_args()
    with tempfile.TemporaryDirectory() as made:
        measure(given.store or made, given.half, given.show)


def measure(store: str, half: int | None, show: bool) -> None:
    matter = str(DATA / "pdf")
    cli(store, "index", matter, "--no-dense")
    sources = {s["path"]: s for s in cli(store, "sources", matter)["sources"] if s["status"] != "superseded"}
    kept = {p: s for p, s in sources.items() if half is None or zlib.crc32(p.encode()) % 2 == half}
    checks = [*_gold(kept), *_runs(store, matter, kept)]
    results: list[Any] = []
    for at in range(0, len(checks), 9000):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"schema": "pincite.request/1", "request_id": "limits", "checks": checks[at : at + 9000]}, file)
            file.flush()
            results += cli(store, "verify", matter, file.name)["checks"]
    for kind in ("gold", "run"):
        _print(kind, [r for r in results if r["check_id"].startswith(kind)], show)


def _gold(sources: dict[str, Any]) -> list[dict[str, Any]]:
    checks, seen = [], set()
    for line in (DATA / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for gold in row["gold"]:
            key = (row["pdf"], gold["quote"])
            if row["pdf"] in sources and key not in seen:
                seen.add(key)
                checks.append(_check(f"gold{len(checks)}", sources[row["pdf"]], gold["pages"], gold["quote"]))
    return checks


def _check(name: str, source: dict[str, Any], pages: list[int], text: str) -> dict[str, Any]:
    over = {"end_page_index": pages[-1] - 1} if len(pages) > 1 else {}
    return {
        "check_id": name, "kind": "quote", "source_id": source["source_id"], "page_index": pages[0] - 1,
        "document_fingerprint": source["fingerprint"], "expected_text": text, **over,
    }  # fmt: skip


def _runs(store: str, matter: str, sources: dict[str, Any]) -> list[dict[str, Any]]:
    rng, checks = random.Random(14), []
    for source in sources.values():
        for page in cli(store, "inspect", matter, source["source_id"])["pages"]:
            words = page["text"].split(" ")
            for _ in range(2 if len(words) > 3 * WORDS else 0):
                at = rng.randrange(len(words) - WORDS)
                text = " ".join(words[at : at + WORDS])
                checks.append(_check(f"run{len(checks)}", source, [page["page_index"] + 1], text))
    return checks


def _print(kind: str, results: list[Any], show: bool) -> None:
    verified = [r for r in results if r["status"] == "verified"]
    counts = collections.Counter(code for r in verified for code in r["limitations"])
    reasons = collections.Counter(r["reason"] for r in results if r["reason"])
    print(f"{kind}: {len(verified)} of {len(results)} verified; not: {dict(reasons)}")
    for code, count in counts.most_common():
        print(f"  {code}: {count} ({count / max(1, len(verified)):.1%})")
    if show:
        for r in verified:
            if "qualifier_outside_quote" in r["limitations"] and kind == "gold":
                print("---", r["evidence"]["text"], "\n  >>>", r["evidence"]["sentence"])


if __name__ == "__main__":
    main()
