"""A run that is killed at any moment loses nothing and doubles nothing."""

import io
import random
import subprocess
import sys
import time
import zipfile
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from ingest.mupdf import pymupdf

REPO = Path(__file__).resolve().parents[3]
RUN = """
import sys
sys.path[:0] = [sys.argv[1], sys.argv[1] + "/tests/ingest"]
from pathlib import Path
from conftest import FolderBlobs, Matter, SqliteRegistry
if __name__ == "__main__":
    store = Path(sys.argv[3])
    Matter(Path(sys.argv[2]), store, SqliteRegistry(store / "db"), FolderBlobs(store / "blobs"), jobs=2).read()
"""


def long_pdf(name: str, pages: int) -> bytes:
    with pymupdf.open() as document:
        for number in range(pages):
            page = document.new_page()
            for line in range(20):
                page.insert_text((72, 90 + 20 * line), f"Page {number} of {name}, line {line}, holds words.")
        return bytes(document.tobytes(no_new_id=True))


def fill(matter: Any) -> None:
    for name in ("alpha", "beta", "gamma"):
        matter.write(f"{name}.pdf", long_pdf(name, 90))
    matter.write("copy/of-beta.pdf", (matter.root / "beta.pdf").read_bytes())
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number in range(12):
            archive.writestr(
                f"letters/{number:02}.txt", f"Letter {number} says that the deposit is EUR {number}.\n" * 30
            )
    matter.write("letters.zip", buffer.getvalue())
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "a@b.example", "c@d.example", "Papers"
    mail.set_content("See the papers.\n")
    mail.add_attachment(buffer.getvalue(), maintype="application", subtype="zip", filename="papers.zip")
    mail.add_attachment(long_pdf("delta", 40), maintype="application", subtype="pdf", filename="delta.pdf")
    matter.write("mail/papers.eml", mail.as_bytes())
    for number in range(20):
        matter.write(f"notes/{number:02}.txt", f"Note {number}.\n")


def change(matter: Any) -> None:
    """Revisions, a rename, a deletion: what a second run has to settle."""
    matter.write("alpha.pdf", long_pdf("alpha revised", 70))
    (matter.root / "gamma.pdf").rename(matter.root / "moved.pdf")
    (matter.root / "notes/03.txt").unlink()
    matter.write("notes/04.txt", "Note 4, revised.\n")


def run_with_kills(matter: Any, chance: random.Random, kills: int) -> None:
    script = matter.store / "run.py"
    script.write_text(RUN)
    command = [sys.executable, str(script), str(REPO), str(matter.root), str(matter.store)]
    for _ in range(kills):
        with subprocess.Popen(command) as process:
            try:
                process.wait(timeout=chance.uniform(0.3, 4.0))
            except subprocess.TimeoutExpired:
                process.kill()
    subprocess.run(command, check=True)


def outcome(matter: Any) -> dict[str, Any]:
    """Everything that a run leaves, in one comparable value."""
    records = {record.source_id: record for record in matter.registry.records()}
    return {
        "records": records,
        "pages": {path: matter.pages(path) for path in matter.records()},
        "passages": {source_id: matter.registry.passages(source_id) for source_id in records},
    }


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_killed_runs_end_as_one_undisturbed_run_does(tmp_path: Path, matter: Any, seed: int) -> None:
    chance = random.Random(seed)
    store = tmp_path / "calm"
    store.mkdir()
    registry, blobs = type(matter.registry)(store / "db"), type(matter.blobs)(store / "blobs")
    calm = type(matter)(matter.root, store, registry, blobs)
    for step in (fill, change):
        step(matter)
        run_with_kills(matter, chance, 6)
        calm.read()
        assert outcome(matter) == outcome(calm)
    started = time.monotonic()
    assert matter.read().read == 0
    assert time.monotonic() - started < 5
