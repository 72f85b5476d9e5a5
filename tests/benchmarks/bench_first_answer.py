"""From starting `index` to the first verified answer, peak memory meanwhile, and start-up times, as a user meets them.

    python tests/benchmarks/bench_first_answer.py FOLDER [QUESTION]

Every command runs as a process of its own. Memory is the sum over the process tree of each process's own share
(PSS, so that shared pages count once), sampled ten times a second; without /proc it is left out.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

QUESTION = "What is the governing law of the agreement?"
PINCITE = [sys.executable, "-c", "import sys; from app.cli.main import main; sys.exit(main())"]


def tree_of(root: int) -> list[int]:
    """The process and all that descend from it."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
    tree = [root]
    for pid in tree:
        tree.extend(child for child, parent in parents.items() if parent == pid)
    return tree


def share_of(pid: int) -> int:
    """Bytes of memory that the process answers for."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)


def cpu_seconds() -> float:
    """Of all processes that were started here and have ended, and of those that they started."""
    times = os.times()
    return times.children_user + times.children_system


def timed(*args: str) -> tuple[float, int, bytes]:
    """Seconds, peak bytes of the process tree, and stdout. Raises CalledProcessError."""
    began = time.monotonic()
    with subprocess.Popen([*PINCITE, *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        peak = [0]
        over = threading.Event()

        def sample() -> None:
            while not over.wait(0.1):
                peak[0] = max(peak[0], sum(map(share_of, tree_of(process.pid))))

        watcher = threading.Thread(target=sample)
        if Path("/proc/self/smaps_rollup").exists():
            watcher.start()
        out, _ = process.communicate()
        seconds = time.monotonic() - began
        over.set()
        if watcher.ident is not None:
            watcher.join()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, args)
    return seconds, peak[0], out


def main() -> None:
    folder = sys.argv[1]
    question = sys.argv[2] if len(sys.argv) > 2 else QUESTION
    with tempfile.TemporaryDirectory() as store:
        cpu = cpu_seconds()
        reading, peak, out = timed("--store", store, "index", folder, "--no-dense", "--json")
        cpu = cpu_seconds() - cpu
        sources = json.loads(out)["sources"]
        asking, _, out = timed("--store", store, "ask", folder, question, "--model", "extractive", "--json")
        answer = json.loads(out)
        listing = min(timed("--store", store, "sources", folder, "--json")[0] for _ in range(3))
        helping = min(timed("--help")[0] for _ in range(3))
    statuses = [check["status"] for check in answer["report"]["checks"]]
    print(f"load average at the end     {os.getloadavg()[0]:8.2f}   on {os.cpu_count()} processors")
    print(f"documents, pages            {len(sources):8}   {sum(s['page_count'] for s in sources)}")
    print(f"index, words only           {reading:8.2f} s   {cpu:.2f} s of processor time")
    print(f"ask, extractive             {asking:8.2f} s   checks: {', '.join(statuses)}")
    print(f"index to verified answer    {reading + asking:8.2f} s")
    print(f"peak memory while indexing  {peak / 2**20:8.0f} MB")
    print(f"pincite sources             {listing:8.2f} s")
    print(f"pincite --help              {helping:8.2f} s")


if __name__ == "__main__":
    main()
