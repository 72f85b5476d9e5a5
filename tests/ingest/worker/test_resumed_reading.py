"""A reading that was cut off goes on where it was: the same pages, and none of the pages before read again."""

from collections import Counter
from contextlib import closing
from itertools import product
from typing import Any

import pytest

from ingest.mupdf import pymupdf
from ingest.pdf.carried import from_bytes
from ingest.pdf.reader import WINDOW, PdfReader
from ingest.pipeline import read_matter
from ingest.reading import CARRIED_EVERY, Reading
from ingest.settings import OcrMode, ReadSettings
from verify.domain.canonical import sha256_of
from verify.domain.document import Page

PLAIN = ReadSettings(ocr=OcrMode.NEVER)


def agreement(pages: int) -> bytes:
    """Sections and clauses that run over many pages, a table that runs on from page to page, Bates numbers of which
    one is left out, numbers printed at the foot."""
    with pymupdf.open() as document:
        for n in range(pages):
            page = document.new_page(width=600, height=800)
            page.insert_text((72, 40), "Agreement of Arle and Brack", fontsize=9)
            if n % 5 in (1, 2):
                table(page, n)
            else:
                clauses(page, n)
            if n % 5 == 0:
                table(page, n)
            page.insert_text((290, 770), str(n + 1), fontsize=9)
            page.insert_text((480, 785), f"ARL {100000 + n + (n > pages // 2)}", fontsize=8)
        return bytes(document.tobytes(no_new_id=True))


def clauses(page: Any, n: int) -> None:
    section = n // 20 + 1
    if n % 20 == 0:
        page.insert_text((72, 80), f"{section}. Duties of Party {section}", fontsize=14, fontname="hebo")
    if n % 3 == 0:
        page.insert_text((72, 110), f"{section}.{n % 20 + 1} The tenant keeps plot {n} in repair, and says so.")
    page.insert_text((72, 130), f"({'abcdefgh'[n % 8]}) Whatever was agreed on day {n} stays agreed.")


def table(page: Any, n: int) -> None:
    for row, col in product(range(5), range(3)):
        box = pymupdf.Rect(72 + 120 * col, 180 + 20 * row, 192 + 120 * col, 200 + 20 * row)
        page.draw_rect(box)
        head = row == 0 and n % 5 == 0
        text = ("Plot", "Rent", "Paid")[col] if head else f"Plot {n}-{row}" if col == 0 else f"{n * row + col},000"
        page.insert_text((box.x0 + 4, box.y1 - 6), text, fontsize=9)


def test_a_window_is_read_the_same_from_what_was_carried_into_it() -> None:
    data = agreement(5 * WINDOW + 3)
    whole: list[Page] = []
    carried: dict[int, bytes] = {}
    with PdfReader(data, settings=PLAIN) as reader:
        for page in reader.pages():
            whole.append(page)
            carried.update([reader.carried])
    assert sorted(carried) == [n * WINDOW for n in range(6)]
    assert sum(table.continued_from is not None for page in whole for table in page.tables) > 20
    assert any(page.elements[1].heading_path and page.bates for page in whole)
    for begin in sorted(carried)[1:]:
        seen: list[int] = []
        taken = from_bytes(carried[begin])._replace(before=whole[begin - 1])
        with PdfReader(data, settings=PLAIN, announce=seen.append) as reader:
            assert list(reader.pages(begin + 2, carried=taken)) == whole[begin + 2 :]
        assert min(seen) == begin - WINDOW


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """How often a worker said that it was at each page: twice when it is read and given out."""
    times: Counter[int] = Counter()
    take = Reading.take

    def counted(self: Reading, message: Any, *rest: Any) -> Any:
        if message.kind == "page":
            times[message.fields["index"]] += 1
        return take(self, message, *rest)

    monkeypatch.setattr(Reading, "take", counted)
    return times


def read_until(matter: Any, pages: int) -> None:
    """Ends the run, and its worker with it, once so many pages are kept."""
    fingerprint = sha256_of((matter.root / "long.pdf").read_bytes())
    with closing(read_matter(matter.root, matter.registry, matter.blobs, matter.passwords, matter.options())) as steps:
        for _ in steps:
            if matter.registry.page_count_kept(fingerprint, matter.options().settings.profile) >= pages:
                return


def outcome(matter: Any) -> Any:
    records = matter.registry.records()
    return records, matter.pages("long.pdf"), [matter.registry.passages(record.source_id) for record in records]


def undisturbed(matter: Any) -> Any:
    (matter.store / "calm").mkdir()
    calm = type(matter)(
        matter.root, matter.store / "calm", type(matter.registry)(matter.store / "calm" / "db"),
        type(matter.blobs)(matter.store / "calm" / "blobs"),
    )  # fmt: skip
    calm.read()
    return outcome(calm)


@pytest.mark.slow
def test_runs_that_end_at_five_moments_read_a_long_file_once(matter: Any, announced: Counter[int]) -> None:
    pages = 320
    matter.write("long.pdf", agreement(pages))
    for moment in (40, 100, 170, 230, 290):
        read_until(matter, moment)
    matter.read()
    spent = sum(announced.values())
    # a run that ends goes back to what was kept, the window before that, and two windows that were read ahead
    assert spent <= 2 * pages + 5 * 2 * (CARRIED_EVERY + 5 * WINDOW)
    assert outcome(matter) == undisturbed(matter)
