"""Kills Pincite at random moments of index, ask, review and export, and looks at what is left.

  python tests/benchmarks/soak_kills.py --kills 200 [--seed N] [--ocr never]

After each kill: the store passes SQLite's own check, the audit chain is whole, every saved answer reads, a bundle is
absent or whole. At the end a last reading must give what one undisturbed reading gives: nothing lost, nothing doubled.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from app.paths import matter_folder
from app.sample.write import QUESTION, write_sample
from app.store.matter_store import DATABASE_FILE

PINCITE = str(Path(sys.executable).with_name("pincite"))


@dataclass
class Soak:
    """One matter, its store, and how long each command takes when nobody kills it (seconds). ``ocr``: as of ``index``;
    "never" leaves the sample's one scan out, which is most of a reading's time."""

    base: Path
    dice: random.Random
    ocr: str = "auto"
    usual: dict[str, float] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)

    @property
    def matter(self) -> Path:
        return self.base / "matter"

    @property
    def store(self) -> Path:
        return self.base / "store"

    @property
    def bundle(self) -> Path:
        return self.base / "answer.zip"

    @property
    def reading(self) -> tuple[str, ...]:
        return ("index", str(self.matter), "--no-dense", "--ocr", self.ocr)

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        command = [PINCITE, "--store", str(self.store), *arguments, "--json"]
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )

    def run(self, *arguments: str) -> dict[str, object]:
        began = time.monotonic()
        process = self.start(*arguments)
        out, err = process.communicate()
        if process.returncode != 0:
            raise AssertionError(f"{arguments[0]} after a kill: exit {process.returncode}: {err.strip()[-300:]}")
        self.usual[arguments[0]] = time.monotonic() - began
        document: dict[str, object] = json.loads(out)
        return document

    def kill(self, *arguments: str) -> None:
        """Ends the command and whatever it started, at a moment drawn over its usual time."""
        process = self.start(*arguments)
        time.sleep(self.dice.uniform(0.0, 1.05 * self.usual[arguments[0]]))
        finished = process.poll() is not None
        if not finished:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        self.done[f"{arguments[0]}, {'ended by itself' if finished else 'killed'}"] += 1

    def check(self) -> None:
        path = matter_folder(self.store, self.matter) / DATABASE_FILE
        if not path.exists():
            return
        with sqlite3.connect(path) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        database.close()
        if not self._is_made(path):
            return
        assert self.run("audit", str(self.matter))["ok"] is True
        for answer in self._answers():
            self.run("answers", str(self.matter), answer)
        if self.bundle.exists():
            assert self.run("check-bundle", str(self.bundle))["ok"] is True

    @staticmethod
    def _is_made(path: Path) -> bool:
        with sqlite3.connect(path) as database:
            version = database.execute("PRAGMA user_version").fetchone()[0]
        database.close()
        return bool(version)

    def _answers(self) -> list[str]:
        listed = self.run("answers", str(self.matter))["answers"]
        assert isinstance(listed, list)
        return [a["answer_id"] for a in self.dice.sample(listed, min(3, len(listed)))]


def what_was_read(soak: Soak) -> dict[str, object]:
    """Everything that a reading leaves, but for the times of files."""
    sources = soak.run("sources", str(soak.matter))["sources"]
    with sqlite3.connect(matter_folder(soak.store, soak.matter) / DATABASE_FILE) as database:
        pages = database.execute("SELECT fingerprint, page_index, body FROM pages ORDER BY 1, 2").fetchall()
        passages = database.execute("SELECT passage_id, live, body FROM passages ORDER BY 1").fetchall()
    database.close()
    return {"sources": sources, "pages": pages, "passages": passages}


def soak(kills: int, seed: int, ocr: str = "auto", say: Callable[[str], None] = print) -> Counter[str]:
    """Raises AssertionError at the first thing lost, doubled or broken; says the seed."""
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="pincite-soak-") as folder:
        s = Soak(Path(folder), dice, ocr)
        write_sample(s.matter)
        s.run(*s.reading)
        expected = what_was_read(s)
        s.usual["export"] = s.usual["review"] = s.usual["ask"] = s.usual["index"] / 4
        for number in range(kills):
            _one(s, number)
            s.check()
            if (number + 1) % 20 == 0:
                say(f"{number + 1} of {kills}")
        s.run(*s.reading)
        found = what_was_read(s)
        other = [name for name in expected if found[name] != expected[name]]
        assert not other, f"other {other} than after an undisturbed reading (seed {seed})"
        return s.done


def _one(s: Soak, number: int) -> None:
    matter, kind = str(s.matter), number % 4
    if kind == 0:
        if number % 8 == 0:  # half the readings begin with nothing, half find what the last ones left
            shutil.rmtree(s.store, ignore_errors=True)
        s.kill(*s.reading)
        return
    if not s.store.exists() or kind == 1:
        s.run(*s.reading)
    answer = str(s.run("ask", matter, QUESTION, "--model", "extractive")["answer_id"])
    if kind == 1:
        s.kill("ask", matter, QUESTION, "--model", "extractive")
    elif kind == 2:
        s.kill("review", matter, answer, "c1", "--decision", "accepted", "--reviewer", "A. Reader")
    else:
        s.kill("export", matter, answer, "-o", str(s.bundle))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ocr", choices=("auto", "never"), default="auto")
    chosen = parser.parse_args()
    began = time.monotonic()
    done = soak(chosen.kills, chosen.seed, chosen.ocr)
    for name, count in sorted(done.items()):
        print(f"{count:5}  {name}")
    print(f"{chosen.kills} kills in {time.monotonic() - began:.0f} s: nothing lost, nothing doubled")


if __name__ == "__main__":
    main()
