"""Mutants of true quotations from real documents, and an independent judge of those that still verify.

The judge sees the words and boxes that PyMuPDF gives for the page, never this project's reading of it, and folds text
by rules of its own. A verified mutant is no fault only if the judge finds it still true: its text is equal under the
profile, its words stand on the page (a shorter quotation, or another one), the page that it was moved to has the same
words, or its box still holds them all.
"""

import hashlib
import json
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verify_pages import FakeSource, FakeSources

from ingest.mupdf import pymupdf
from ingest.pdf.reader import PdfReader
from ingest.settings import OcrMode, ReadSettings
from verify.domain.document import Page, Parser, SourceRecord, SourceStatus
from verify.domain.ids import Fingerprint, SourceId
from verify.engine import verify
from verify.report import CheckResult, Limitation, Match, Region, Status
from verify.sentences import sentences

AT = "2026-01-01T00:00:00Z"
SETTINGS = ReadSettings(ocr=OcrMode.NEVER, checks=False, tables=False)
LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
TYPOGRAPHY = {"“": '"', "”": '"', "‘": "'", "’": "'", "\u00a0": " ", "\u202f": " "}
IGNORED = "\u00ad\u200b\u200c\u200d\u2060\ufeff"


def fold(text: str) -> str:
    """The judge's own normal form."""
    text = unicodedata.normalize("NFC", text)
    text = "".join(LIGATURES.get(c, TYPOGRAPHY.get(c, c)) for c in text if c not in IGNORED)
    text = " ".join(text.split())
    return re.sub(r" ?([–—]) ?", r"\1", text)


@dataclass
class Seen:
    """A page as PyMuPDF sees it: words with boxes in 1/100 pt, and its text with line-end hyphens kept and joined."""

    boxes: list[tuple[float, float, float, float]]
    words: list[str]
    texts: list[str]

    def holds(self, text: str) -> bool:
        """True if the words stand on the page, beginning and ending with whole words."""
        wanted = fold(text)
        edge = (r"(?<!\w)" if wanted[:1].isalnum() else "", r"(?!\w)" if wanted[-1:].isalnum() else "")
        return any(re.search(edge[0] + re.escape(wanted) + edge[1], t) for t in self.texts)


def seen_pages(file: Path) -> list[Seen]:
    with pymupdf.open(file) as document:
        return [_seen(page) for page in document]


def _seen(page: Any) -> Seen:
    rows = page.get_text("words")
    joined = spaced = kept = ""
    last = None
    for *_, word, block, line, _number in rows:
        broken = (block, line) != last and kept.endswith("-")
        kept += word if broken else " " + word
        spaced += " " + word
        joined = joined[:-1] + word if broken else joined + " " + word
        last = (block, line)
    boxes = [tuple(100 * edge for edge in row[:4]) for row in rows]
    return Seen(boxes, [row[4] for row in rows], [fold(t) for t in (kept, joined, spaced)])


@dataclass
class Document:
    """A file with this project's pages, PyMuPDF's, and true quotations: (page index, text)."""

    file: Path
    fingerprint: Fingerprint
    pages: list[Page]
    seen: list[Seen]
    quotations: list[tuple[int, str]] = field(default_factory=list)

    def source(self, now: Fingerprint | None = None) -> FakeSource:
        record = SourceRecord(
            SourceId("doc"), self.file.name, self.fingerprint, "application/pdf", len(self.pages), SourceStatus.INDEXED,
            Parser("test", "1", SETTINGS.profile),
        )  # fmt: skip
        return FakeSource(self.pages, record, True, now or self.fingerprint)


def documents(shared: Path, rng: random.Random) -> Iterator[Document]:
    """Contracts and opinions, each with its labelled quotations and some of its sentences."""
    quoted: dict[str, list[tuple[int, str]]] = {}
    for line in (shared / "evaldata/cuad_pdf/questions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for gold in row["gold"]:
            quoted.setdefault(row["pdf"], []).append((gold["pages"][0] - 1, gold["quote"]))
    for folder in ("cuad_pdf", "scotus_slip_pinpoint"):
        for file in sorted((shared / "evaldata" / folder / "pdf").glob("*.pdf")):
            with PdfReader(file, settings=SETTINGS) as reader:
                pages = list(reader.pages())
            fingerprint = Fingerprint("sha256:" + hashlib.sha256(file.read_bytes()).hexdigest())
            document = Document(file, fingerprint, pages, seen_pages(file), quoted.get(file.name, []))
            document.quotations += [(p.index, s) for p in pages for s in _some_sentences(p, rng)]
            yield document


def _some_sentences(page: Page, rng: random.Random) -> list[str]:
    """Up to two sentences of 5 to 60 words."""
    all_of_them = [e.text[a:b] for e in page.elements if e.start is not None for a, b in sentences(e.text)]
    long = [s for s in all_of_them if 5 <= len(s.split()) <= 60]
    return rng.sample(long, min(2, len(long)))


@dataclass(frozen=True)
class Mutant:
    """``check`` is what is asked; ``original`` the true quotation; ``evidence`` its boxes for a box mutant."""

    kind: str
    check: dict[str, Any]
    original: str
    evidence: tuple[Region, ...] = ()


def ask(document: Document, checks: list[dict[str, Any]], now: Fingerprint | None = None) -> list[CheckResult]:
    results: list[CheckResult] = []
    for i in range(0, len(checks), 5000):
        batch = [{**c, "check_id": f"m{n}"} for n, c in enumerate(checks[i : i + 5000])]
        raw = json.dumps({"schema": "pincite.request/1", "request_id": "m", "checks": batch}).encode()
        results += verify(raw, FakeSources(document.source(now)), checked_at=AT).checks
    return results


def quote(document: Document, page: int, text: str, **fields: Any) -> dict[str, Any]:
    return {
        "check_id": "m", "kind": "quote", "source_id": "doc", "document_fingerprint": document.fingerprint,
        "page_index": page, "expected_text": text, **fields,
    }  # fmt: skip


NEGATIONS = {"not", "no", "never", "nor", "without", "neither", "none", "cannot"}
MODALS = {"shall", "may", "will", "must", "is", "are", "was", "were", "can", "should", "would", "has", "have"}
SWAPS = {"shall": "may", "may": "shall", "and": "or", "or": "and", "before": "after", "after": "before",
         "more": "less", "less": "more", "all": "some", "any": "no", "buyer": "seller"}  # fmt: skip


def mutants(
    document: Document, page: int, text: str, rng: random.Random, regions: tuple[Region, ...]
) -> Iterator[Mutant]:
    """One of each kind that the quotation admits."""
    for kind, changed in _texts(document, text, rng):
        yield Mutant(kind, quote(document, page, changed), text)
    if len(document.pages) > 1:
        other = (page + rng.randrange(1, len(document.pages))) % len(document.pages)
        yield Mutant("page", quote(document, other, text), text)
    label = document.pages[page].label
    for wrong in (f"{label}x", str(page + 5000), document.pages[(page + 1) % len(document.pages)].label):
        if wrong is not None and wrong != label:
            yield Mutant("label", quote(document, page, text, page_label=wrong), text)
    if len({r.page_index for r in regions}) == 1:
        yield from _boxes(document, page, text, rng, regions)


def _texts(document: Document, text: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    words = text.split()
    i = rng.randrange(len(words))
    other = rng.choice(rng.choice(document.seen).words or ["other"])
    yield "token dropped", " ".join(words[:i] + words[i + 1 :])
    yield "token inserted", " ".join([*words[:i], other, *words[i:]])
    yield "token changed", " ".join([*words[:i], other, *words[i + 1 :]])
    if len(words) > 1:
        j = rng.randrange(len(words) - 1)
        yield "tokens swapped", " ".join([*words[:j], words[j + 1], words[j], *words[j + 2 :]])
    yield "byte changed", _one_letter(text, rng)
    yield "case changed", _recased(text, rng)
    yield "mark changed", _remarked(text, rng)
    digits = [m.start() for m in re.finditer(r"\d", text)]
    if digits:
        at = rng.choice(digits)
        yield "number changed", text[:at] + str((int(text[at]) + rng.randrange(1, 10)) % 10) + text[at + 1 :]
    yield from _meanings(words, rng)


def _meanings(words: list[str], rng: random.Random) -> Iterator[tuple[str, str]]:
    negations = [i for i, w in enumerate(words) if w.lower() in NEGATIONS]
    if negations:
        i = rng.choice(negations)
        yield "negation dropped", " ".join(words[:i] + words[i + 1 :])
    modals = [i for i, w in enumerate(words) if w.lower() in MODALS]
    if modals:
        i = rng.choice(modals)
        yield "negation added", " ".join([*words[: i + 1], "not", *words[i + 1 :]])
    swaps = [i for i, w in enumerate(words) if w in SWAPS]
    if swaps:
        i = rng.choice(swaps)
        yield "word of art changed", " ".join([*words[:i], SWAPS[words[i]], *words[i + 1 :]])


def _one_letter(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text))
    return text[:at] + chr(ord(text[at]) ^ 1) + text[at + 1 :]


def _recased(text: str, rng: random.Random) -> str:
    letters = [i for i, c in enumerate(text) if c.swapcase() != c]
    if not letters:
        return text
    at = rng.choice(letters)
    return text[:at] + text[at].swapcase() + text[at + 1 :]


def _remarked(text: str, rng: random.Random) -> str:
    marks = [i for i, c in enumerate(text) if c in ".,;:()$%-–—§"]
    if not marks:
        return text + ";"
    at = rng.choice(marks)
    return text[:at] + rng.choice(["", ";", "–", "."]) + text[at + 1 :]


def _boxes(
    document: Document, page: int, text: str, rng: random.Random, regions: tuple[Region, ...]
) -> Iterator[Mutant]:
    shown = document.pages[page]
    x0, y0 = min(r.bbox.x0 for r in regions), min(r.bbox.y0 for r in regions)
    x1, y1 = max(r.bbox.x1 for r in regions), max(r.bbox.y1 for r in regions)
    cut_x, cut_y = rng.randrange(1, max(2, x1 - x0)), rng.randrange(1, max(2, y1 - y0))
    for box in ((x0 + cut_x, y0, x1, y1), (x0, y0, x1 - cut_x, y1), (x0, y0 + cut_y, x1, y1), (x0, y0, x1, y1 - cut_y)):
        if box[0] < box[2] and box[1] < box[3] and box[2] <= shown.width and box[3] <= shown.height and min(box) >= 0:
            asked = quote(document, page, text, bbox=list(box), coordinate_origin="top-left")
            yield Mutant("box", asked, text, regions)


def still_true(document: Document, mutant: Mutant) -> str | None:
    """Why a mutant that verified is no fault; None if the judge finds that it is one."""
    check, seen = mutant.check, document.seen[mutant.check["page_index"]]
    text = check["expected_text"]
    if mutant.kind == "label":
        return None
    if mutant.kind == "box":
        return "box still holds the words" if _box_holds(seen, check["bbox"], mutant.evidence) else None
    if mutant.kind == "page":
        return "same words on that page" if seen.holds(text) else None
    if fold(text) == fold(mutant.original):
        return "equal under the profile"
    if not seen.holds(text):
        return None
    return "shorter quotation" if fold(text) in fold(mutant.original) else "other words of the page"


_MARKED = re.compile(r"\[[^\[\]]*\]|\([.\s…]+\)|…|\.(?:\s?\.){2,3}|\*(?:\s?\*){2,3}|[.,]$")


def _altered_as_labelled(document: Document, mutant: Mutant, result: CheckResult) -> bool:
    """A lawyer's marks, or a final stop, part pieces that all stand on the page in order; the report says so."""
    if Limitation.ALTERED_QUOTATION not in result.limitations or not result.alterations or result.evidence is None:
        return False
    if mutant.kind == "box":
        seen = document.seen[mutant.check["page_index"]]
        return _box_holds(seen, mutant.check["bbox"], result.evidence.regions)
    shown, at = fold(result.evidence.text or "").lower(), 0
    for piece in _MARKED.split(mutant.check["expected_text"].strip()):
        wanted = fold(piece).lower().strip(" .,;:")
        found = shown.find(wanted, at)
        if found < 0:
            return False
        at = found + len(wanted)
    return True


def _box_holds(seen: Seen, box: list[int], regions: tuple[Region, ...]) -> bool:
    """All words whose centres lie in the evidence have them in the box, half a point beside it included."""
    centres = [((a + c) / 2, (b + d) / 2) for a, b, c, d in seen.boxes]
    mine = [p for p in centres if any(_inside(p, tuple(r.bbox), 0) for r in regions)]
    return bool(mine) and all(_inside(p, tuple(box), 51) for p in mine)


def _inside(point: tuple[float, float], box: tuple[int, ...], slack: float) -> bool:
    x, y = point
    return box[0] - slack <= x <= box[2] + slack and box[1] - slack <= y <= box[3] + slack


@dataclass
class Tally:
    """Counts by kind of mutant and verdict; ``faults`` are mutants that verified and are not true."""

    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    true: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: list[tuple[str, Mutant]] = field(default_factory=list)
    originals: int = 0

    @property
    def tried(self) -> int:
        return sum(self.verdicts.values())


def run(shared: Path, count: int, seed: int = 11) -> Tally:
    """At least ``count`` mutants that are false, unless the documents run out; those still true are counted apart."""
    rng = random.Random(seed)
    tally = Tally()
    loaded = list(documents(shared, rng))
    rounds = 0
    while tally.tried < count and rounds < 50:
        for document in loaded:
            _run_document(document, rng, tally)
            if tally.tried >= count:
                break
        rounds += 1
    return tally


def _run_document(document: Document, rng: random.Random, tally: Tally) -> None:
    asked = [quote(document, page, text) for page, text in document.quotations]
    results = ask(document, asked)
    good = [(q, r) for q, r in zip(document.quotations, results, strict=True) if r.status is Status.VERIFIED]
    tally.originals += len(good)
    made: list[Mutant] = []
    for (page, text), result in good:
        made += mutants(document, page, text, rng, result.evidence.regions if result.evidence else ())
    for mutant, result in zip(made, ask(document, [m.check for m in made]), strict=True):
        _count(document, mutant, result, tally)
    _flip_a_byte(document, [quote(document, *q) for q, _ in good], rng, tally)


def _count(document: Document, mutant: Mutant, result: CheckResult, tally: Tally) -> None:
    verdict = result.reason.value if result.reason else result.status.value
    if result.status is not Status.VERIFIED:
        tally.verdicts[mutant.kind, verdict] += 1
        return
    why = still_true(document, mutant)
    if why is None and result.match is Match.ALTERED and _altered_as_labelled(document, mutant, result):
        why = "labelled as altered"
    if why is not None:
        tally.true[mutant.kind, why] += 1
        return
    tally.verdicts[mutant.kind, verdict] += 1
    tally.faults.append((document.file.name, mutant))


def _flip_a_byte(document: Document, checks: list[dict[str, Any]], rng: random.Random, tally: Tally) -> None:
    """The file with one bit changed: nothing of it verifies."""
    data = bytearray(document.file.read_bytes())
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    now = Fingerprint("sha256:" + hashlib.sha256(data).hexdigest())
    for check, result in zip(checks, ask(document, checks, now), strict=True):
        _count(document, Mutant("file byte", check, check["expected_text"]), result, tally)
