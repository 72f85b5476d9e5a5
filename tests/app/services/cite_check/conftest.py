"""A matter of one opinion, a lease, a complaint and an exhibit, read once; drafts are made in the tests."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.cli.main import main
from ingest.mupdf import pymupdf

OPINION = (
    ("Syllabus", "ALDER HOLDINGS, INC. v. BIRCH ET AL.\n\nNo. 15-1262. Decided May 22, 2017\n\n"
     "The syllabus says that tenants are to be pitied in all seasons of the year."),
    ("Opinion of the Court", "The landlord sued for rent in the District Court. That court entered judgment for the "
     "landlord after a trial of three days, and the tenant appealed from the whole of it."),
    ("Opinion of the Court", "Rent is payable in advance unless the lease says otherwise. We have said so since 1890, "
     "and the tenant offers no reason why a quarter of a year should be treated as a month."),
    ("Opinion of the Court", "A notice that names no date is void. The tenant argues that silence means the first day "
     "of the next quarter, but nothing in the lease supports that reading of it."),
    ("CEDAR, J., dissenting", "I would hold that a notice without a date takes effect at once, because a landlord is "
     "never in doubt about what a departing tenant wants."),
)  # fmt: skip
PRINTED = ("1", "1", "2", "3", "1")
LEASE = (
    "LEASE AGREEMENT\n\n"
    "This Lease Agreement is made on 3 March 2020 between Alder Holdings, Inc. and Birch Tenants LLP.",
    "7. Termination\n\n7.1 The Tenant may terminate this Lease upon sixty (60) days' written notice.\n\n"
    "7.2 Notice must be given by hand to the Landlord's agent.",
)
COMPLAINT = (
    "COMPLAINT\n\n1. Plaintiff owns the building on Elm Street.\n\n2. Defendant took the keys on 4 May 2020.",
    "3. Defendant has paid no rent since September 2020.\n\n4. Plaintiff seeks USD 84,000 in unpaid rent.",
)
LEDGER = (
    "EXHIBIT 4\n\nLedger of rent received, 2020.",
    "No payment was received after 1 September 2020 from the tenant.",
)


@dataclass(frozen=True)
class Desk:
    """A matter that was read, and the command line bound to it."""

    matter: Path
    store: Path
    capsys: pytest.CaptureFixture[str]

    def run(self, draft: Path, *args: str) -> tuple[int, str, str]:
        status = main(["--store", str(self.store), "cite-check", str(self.matter), str(draft), *args])
        shown = self.capsys.readouterr()
        return status, shown.out, shown.err

    def check(self, draft: Path, *args: str) -> dict[str, Any]:
        status, out, err = self.run(draft, "--json", *args)
        assert status == 0, out + err
        found: dict[str, Any] = json.loads(out)
        return found


def _pdf(path: Path, texts: tuple[str, ...], heads: tuple[tuple[str, str], ...] = ()) -> None:
    document = pymupdf.open()
    for number, text in enumerate(texts):
        page = document.new_page(width=612, height=792)
        if heads:
            page.insert_text((72, 50), heads[number][0], fontsize=9, fontname="helv")
            page.insert_text((500, 50), heads[number][1], fontsize=9, fontname="helv")
        page.insert_textbox((72, 90, 540, 700), text, fontsize=11, fontname="helv")
    document.save(path, no_new_id=True)


@pytest.fixture(scope="session")
def law_matter(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    base = tmp_path_factory.mktemp("law")
    matter = base / "matter"
    matter.mkdir()
    heads = tuple((f"Alder Holdings, Inc. v. Birch - {part}", n) for (part, _), n in zip(OPINION, PRINTED, strict=True))
    _pdf(matter / "Alder_Holdings_v_Birch.pdf", tuple(text for _, text in OPINION), heads)
    _pdf(matter / "Lease Agreement.pdf", LEASE)
    _pdf(matter / "Complaint.pdf", COMPLAINT)
    _pdf(matter / "Exhibit 4 - ledger.pdf", LEDGER)
    assert main(["--store", str(base / "store"), "index", str(matter), "--no-dense", "--json"]) == 0
    return matter, base / "store"


@pytest.fixture
def desk(law_matter: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> Desk:
    capsys.readouterr()
    return Desk(*law_matter, capsys)


@pytest.fixture
def copied(law_matter: tuple[Path, Path], tmp_path: Path) -> Callable[[str], bytes]:
    return lambda name: shutil.copyfile(law_matter[0] / name, tmp_path / name).read_bytes()
