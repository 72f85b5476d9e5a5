"""A small matter, read once for all tests of this room; each test works on a copy of folder and store."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

import pytest

from app.cli.main import main
from app.paths import matter_folder, matter_key
from app.store.matter_store import DATABASE_FILE
from ingest.mupdf import pymupdf

LEASE = (
    ("Lease Agreement", "This Lease is made between Alder Holdings Ltd and Birch Tenants LLP."),
    ("2. Rent", "The annual rent is USD 84,000, payable in advance on the first day of each quarter."),
    (
        "7. Termination",
        "The Tenant may terminate this Lease upon sixty (60) days' written notice. This right may not be exercised "
        "during the first year.",
    ),
)
NOTE = "Call note\n\nMs Cedar said that the keys were handed over on 4 May 2026.\n"


@dataclass(frozen=True)
class Place:
    """A matter folder, the folder of stores, and the command line bound to both."""

    matter: Path
    store: Path
    capsys: pytest.CaptureFixture[str]

    def run(self, command: str, *args: str) -> tuple[int, str, str]:
        status = main(["--store", str(self.store), command, str(self.matter), *args])
        shown = self.capsys.readouterr()
        return status, shown.out, shown.err


def lease_pdf(rotation: int = 0) -> bytes:
    """Three pages with declared labels i, 1, 2; the text's first line begins 1 inch from the left and top."""
    document = pymupdf.open()
    for heading, body in LEASE:
        page = document.new_page(width=612, height=792)
        page.insert_text((72, 90), heading, fontsize=14, fontname="hebo")
        page.insert_textbox((72, 110, 540, 700), body, fontsize=11, fontname="helv")
        page.set_rotation(rotation)
    document.set_page_labels([{"startpage": 0, "style": "r"}, {"startpage": 1, "style": "D", "firstpagenum": 1}])
    data: bytes = document.tobytes(no_new_id=True)
    return data


def mail() -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "cedar@example.org", "dogwood@example.org", "Keys"
    message["Date"] = "Mon, 04 May 2026 10:00:00 +0000"
    message.set_content("The keys were handed over at noon.\n")
    message.add_attachment(lease_pdf(rotation=90), maintype="application", subtype="pdf", filename="annex.pdf")
    return bytes(message)


def make_matter(folder: Path) -> None:
    folder.mkdir()
    (folder / "lease.pdf").write_bytes(lease_pdf())
    (folder / "call-note.txt").write_text(NOTE, "utf-8")
    (folder / "mail.eml").write_bytes(mail())
    (folder / "empty.pdf").write_bytes(b"")


@pytest.fixture(scope="session")
def read_once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    base = tmp_path_factory.mktemp("matter")
    make_matter(base / "matter")
    assert main(["--store", str(base / "store"), "index", str(base / "matter"), "--no-dense", "--json"]) == 0
    return base / "matter", base / "store"


@pytest.fixture
def place(read_once: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Place:
    """A copy that belongs to its own path, as if it had been read there."""
    matter, store = tmp_path / "matter", tmp_path / "store"
    shutil.copytree(read_once[0], matter)
    target = matter_folder(store, matter)
    shutil.copytree(matter_folder(read_once[1], read_once[0]), target)
    target.chmod(0o700)
    _rebind(target, matter)
    return Place(matter, store, capsys)


def _rebind(folder: Path, matter: Path) -> None:
    with sqlite3.connect(folder / DATABASE_FILE) as connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'matter'", (matter_key(matter),))
    connection.close()


@pytest.fixture
def ids(place: Place) -> Callable[[str], str]:
    """The source id of a path."""

    def find(path: str) -> str:
        sources = json.loads(place.run("sources", "--json")[1])["sources"]
        return next(str(s["source_id"]) for s in sources if s["path"] == path)

    return find
