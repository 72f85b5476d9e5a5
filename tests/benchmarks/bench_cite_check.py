"""Cite-check on drafts made from real opinions whose pinpoints are known.

``python tests/benchmarks/bench_cite_check.py [--half dev|held|all] [--store DIR] [--show]``. Takes the opinions and the
(proposition, page) pairs beside the checkout (``PINCITE_SHARED``, evaldata/scotus_slip_pinpoint), halved by number. The
draft is a DOCX of paragraphs with one citation each, in the forms that briefs use; what each should be is known:

true (the pair as it is), quoted (a sentence of the page in marks), changed (the same with one word or number changed),
medium and hard (another page of the same opinion), easy (another opinion), elsewhere (a true quotation with a wrong
page), fabricated (a case that is not there). Figures: found, resolved, pinned, and of each kind what does not stand.
"""

import argparse
import gzip
import json
import os
import random
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO))

from docx import Document  # noqa: E402

from app.services.cite_check.checking import cite_check  # noqa: E402
from app.services.cite_check.findings import CitationFound, Verdict  # noqa: E402
from app.services.matter.indexing import IndexOptions, index  # noqa: E402
from app.services.matter.matter import Matter, open_matter  # noqa: E402
from app.settings import load_settings  # noqa: E402
from verify.domain.document import Page  # noqa: E402
from verify.sentences import sentences  # noqa: E402

DATA = Path(os.environ.get("PINCITE_SHARED", REPO.parent / "shared")) / "evaldata" / "scotus_slip_pinpoint"


class Planted(NamedTuple):
    """``path`` is the file meant, "" for a case that is not there."""

    kind: str
    text: str
    path: str
    pages: tuple[int, ...]


def read_lines(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    return [json.loads(row) for row in (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines() if row]


class Opinions:
    def __init__(self, matter: Matter, half: str) -> None:
        self.rows = {row["case_id"]: row for row in read_lines(DATA / "pdf_manifest.jsonl")}
        self.records = {record.path: record for record in matter.sources()}
        self.matter = matter
        order = sorted(self.rows)
        chosen = order[::2] if half == "dev" else order[1::2] if half == "held" else order
        self.pairs = [row for row in read_lines(DATA / "pairs.jsonl") if row["case_id"] in chosen]

    def pages(self, case_id: int, section: str, printed: list[int]) -> tuple[int, ...]:
        """Machine indexes."""
        row = self.rows[case_id]
        wanted = [p for p in row["pages"] if _section(p["section"]) == section and p["printed_page"] in printed]
        return tuple(sorted(p["pdf_page"] - 1 for p in wanted))

    def page(self, case_id: int, number: int) -> Page | None:
        return self.matter.pages.get(self.records[self.rows[case_id]["pdf"]], number)


def _section(name: str) -> str:
    return "court" if name == "Opinion of the Court" else name


_NUMBER = re.compile(r"\b\d{2,4}\b")
_SWAPS = (
    ("not ", ""),
    (" may ", " must "),
    (" must ", " may "),
    (" is ", " is not "),
    (" all ", " some "),
    (" the ", " no "),
)


def changed(quotation: str) -> str:
    """One number or word another."""
    number = _NUMBER.search(quotation)
    if number:
        return quotation[: number.start()] + str(int(number.group()) + 7) + quotation[number.end() :]
    for old, new in _SWAPS:
        if old in quotation:
            return quotation.replace(old, new, 1)
    return quotation + " indeed"


def whole_sentences(page: Page) -> list[str]:
    """Such as a brief quotes: of 10 to 30 words, without quotation marks, citations or parted words."""
    found = []
    for element in page.elements:
        text = " ".join(re.sub(r"(?<=[a-z])-\n(?=[a-z])", "", element.text).split())
        for start, end in sentences(text):
            sentence = text[start:end]
            plain = not re.search(r"[“”\"‘’§\[\]]|\d \w\. |U\. S\.|ante|supra|\bv\.|\b[Ii]d\.,", sentence)
            if (
                element.kind.value == "paragraph"
                and plain
                and 10 <= len(sentence.split()) <= 30
                and sentence[0].isupper()
            ):
                found.append(sentence.rstrip("."))
    return found


def pin(pages: list[int]) -> str:
    return str(pages[0]) if len(pages) == 1 else f"{pages[0]}–{pages[-1]}"


def cited(case: str, at: str, section: str, turn: int) -> str:
    """The forms in which briefs cite a slip opinion."""
    writer = re.match(r"([A-Z]+), J\., (\w+)", section)
    tail = f" ({writer[1].title()}, J., {writer[2]})" if writer else ""
    forms = (f"{case}, 581 U. S. ___, ___ (2017) (slip op., at {at}){tail}", f"{case}, slip op. at {at} (2017){tail}",
             f"See {case}, slip op., at {at}{tail}", f"{case} (2017) (slip op. at {at}){tail}")  # fmt: skip
    return forms[turn % len(forms)]


NAMES = (
    "Hartwell",
    "Okonkwo",
    "Marlowe Shipping Co.",
    "Vandermeer",
    "Castellano",
    "Pritchard Mills, Inc.",
    "Ferreira",
    "Lindqvist",
)


def planted(opinions: Opinions, seed: int) -> Iterator[Planted]:
    chance = random.Random(seed)
    by_id = opinions.rows
    for turn, row in enumerate(opinions.pairs):
        case, section, gold = row["case"], row["target_section"], row["gold_pages"]
        path, claim = by_id[row["case_id"]]["pdf"], row["proposition"]
        right = opinions.pages(row["case_id"], section, gold)
        if len(claim.split()) > 110 or not right:
            continue
        yield Planted("true", f"{claim} {cited(case, pin(gold), section, turn)}.", path, right)
        for kind in ("medium", "hard", "easy"):
            other = row["corruptions"].get(kind)
            if other is None or other["case_id"] not in by_id:
                continue
            of = by_id[other["case_id"]]
            pages = opinions.pages(other["case_id"], other["section"], other["pages"])
            text = f"{claim} {cited(of['case'], pin(other['pages']), other['section'], turn)}."
            yield Planted(kind, text, of["pdf"], pages)
        page = opinions.page(row["case_id"], right[0])
        quotable = whole_sentences(page) if page is not None else []
        if quotable:
            quotation = chance.choice(quotable)
            yield Planted(
                "quoted",
                f"The Court wrote: “{quotation}.” {cited(case, str(gold[0]), section, turn)}.",
                path,
                right[:1],
            )
            wrong = f"The Court wrote: “{changed(quotation)}.” {cited(case, str(gold[0]), section, turn)}."
            yield Planted("changed", wrong, path, right[:1])
            far = row["corruptions"].get("medium")
            if far and far["case_id"] == row["case_id"]:
                pages = opinions.pages(row["case_id"], far["section"], far["pages"])
                text = f"The Court wrote: “{quotation}.” {cited(case, pin(far['pages']), far['section'], turn)}."
                yield Planted("elsewhere", text, path, pages)
        first = chance.choice((case.split(" v. ")[0], chance.choice(NAMES)))
        name = f"{first} v. {chance.choice(NAMES)}"
        yield Planted(
            "fabricated",
            f"{row['lead_sentence']} {name}, 5{turn % 90 + 10} U.S. {turn + 100}, {turn + 109} (2015).",
            "",
            (),
        )


def run(matter: Matter, rows: list[Planted]) -> tuple[list[tuple[Planted, CitationFound | None]], float]:
    """Each planted citation with what was found in its paragraph."""
    with tempfile.TemporaryDirectory() as folder:
        draft = Path(folder) / "draft.docx"
        document = Document()
        for row in rows:
            document.add_paragraph(row.text)
        document.save(draft)
        began = time.monotonic()
        work = cite_check(matter, draft)
        try:
            while True:
                next(work)
        except StopIteration as end:
            found = end.value
        spent = time.monotonic() - began
    by_block: dict[int, list[CitationFound]] = defaultdict(list)
    for citation in found.citations:
        by_block[citation.mention.block].append(citation)
    return [(row, by_block[at][-1] if by_block[at] else None) for at, row in enumerate(rows)], spent


def report(pairs: list[tuple[Planted, CitationFound | None]], show: bool) -> None:
    found = [(row, c) for row, c in pairs if c is not None]
    right = [(r, c) for r, c in found if (c.resolved.card.record.path if c.resolved.card else "") == r.path]
    placed = [(r, c) for r, c in right if not r.path or c.pinned.pages == r.pages]
    print(f"planted {len(pairs)}, found {len(found) / len(pairs):.1%}, resolved {len(right) / len(found):.1%}, "
          f"pinned {len(placed) / len(right):.1%}")  # fmt: skip
    for kind in dict.fromkeys(r.kind for r, _ in pairs):
        of = [c for r, c in pairs if r.kind == kind]
        stands = sum(c is not None and c.verdict is Verdict.STANDS for c in of)
        counts = Counter(c.verdict.value if c else "not found" for c in of)
        print(f"{kind:<11}{len(of):>4}  does not stand {1 - stands / len(of):>6.1%}  {dict(counts)}")
    scores = [(r.kind, c.support.score) for r, c in found if c.support is not None]
    true = sorted(s for k, s in scores if k == "true")
    if true:
        limit = true[len(true) // 10]
        for kind in ("medium", "hard", "easy"):
            of = [s for k, s in scores if k == kind]
            print(f"{kind}: under the score that 10 % of true citations fall under ({limit}): "
                  f"{sum(s < limit for s in of) / max(1, len(of)):.1%} of {len(of)}")  # fmt: skip
    if show:
        for row, c in pairs:
            bad = (
                c is None
                or (row.path and not c.resolved.card)
                or (c.verdict is Verdict.STANDS) is not (row.kind in ("true", "quoted"))
            )
            if bad:
                why = c and (c.verdict.value, [a.value for a in c.advice], c.pinned)
                support = c and c.support and (c.support.label.value, c.support.score, c.support.signals)
                print("--", row.kind, row.text[-260:], "|", why, support, "| want", row.pages)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--half", choices=("dev", "held", "all"), default="dev")
    parser.add_argument("--store", type=Path)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = options.store or Path(folder)
        with open_matter(DATA / "pdf", load_settings(), store, writable=True) as matter:
            for _ in index(matter, IndexOptions(dense=False)):
                pass
            rows = list(planted(Opinions(matter, options.half), 7))
            pairs, spent = run(matter, rows)
    report(pairs, options.show)
    used, load = time.process_time(), os.getloadavg()[0]
    print(f"{len(rows)} citations in {spent:.1f} s; {used:.1f} s of processor time in all; load {load:.1f}")


if __name__ == "__main__":
    main()
