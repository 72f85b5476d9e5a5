"""Recall of single changes that turn a statement around, by kind: negation, modality, comparison, opposites, parties,
values, units, currency, dates.

The statements are sentences of the contracts beside the checkout (``PINCITE_SHARED``), reworded a little ("prior to"
becomes "before", parentheses fall away), each cited to its own page. What is changed is cited there too. The thresholds
for 5 % and 10 % false positives are taken from lawyers' claims about the same contracts, which are worded more freely
than these, and ``unchanged`` says how many of the unchanged sentences are flagged at them.

``python tests/benchmarks/bench_corruptions.py [--words-only] [--show KIND]``
"""

import argparse
import os
import random
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from bench_support import contract_rows, read_by_the_product, results  # noqa: E402

from models.triage.page_fit import joined  # noqa: E402
from models.triage.support import Documents, NotReadable, SupportItem  # noqa: E402
from verify.sentences import sentences  # noqa: E402

SHARED = Path(os.environ.get("PINCITE_SHARED", REPO.parent / "shared"))
MOST = 60
"""Statements of one kind, spread over the documents."""
Change = Callable[[str], str | None]


def _swap(*pairs: str) -> Change:
    """The first that occurs of "a|b" pairs, either way, keeping a capital."""
    table = {a: b for pair in pairs for a, b in (pair.split("|"), pair.split("|")[::-1])}
    pattern = re.compile(rf"\b({'|'.join(sorted(map(re.escape, table), key=len, reverse=True))})\b", re.I)

    def change(text: str) -> str | None:
        match = pattern.search(text)
        if match is None:
            return None
        new = table[match.group().lower()]
        new = new[0].upper() + new[1:] if match.group()[0].isupper() else new
        return text[: match.start()] + new + text[match.end() :]

    return change


def _negated(text: str) -> str | None:
    for pattern, new in ((r"\b(shall|may|will|must|can|does|is|are) not\b", r"\1"),
                         (r"\b(shall|will|must|may|is|are)\b(?! not)", r"\1 not")):  # fmt: skip
        changed = re.sub(pattern, new, text, count=1)
        if changed != text:
            return changed
    return None


_ROLES = """licensor|licensee lessor|lessee landlord|tenant buyer|seller purchaser|seller provider|recipient
    company|agent company|consultant company|distributor employer|employee lender|borrower shipper|gatherer
    supplier|customer owner|contractor sponsor|company licensee|company client|consultant"""


def _parties(text: str) -> str | None:
    for pair in _ROLES.split():
        first, second = (re.search(rf"\b{role}\b", text, re.I) for role in pair.split("|"))
        if first and second:
            (a, b) = sorted((first, second), key=lambda m: m.start())
            between = text[a.end() : b.start()]
            if re.search(r"\b(?:shall|will|may|must|agrees?|grants?)\b", between):
                return text[: a.start()] + b.group() + between + a.group() + text[b.end() :]
    return None


def _number(text: str) -> str | None:
    match = re.search(r"(?<![\w.,§$/-])(\d{2,3})(?= (?:days|months|years|hours|percent)|%)", text)
    return match and text[: match.start()] + str(int(match[1]) * 2) + text[match.end() :]


def _date(text: str) -> str | None:
    match = re.search(r"(?<=, )(19|20)(\d\d)\b", text)
    return match and text[: match.start()] + str(int(match.group()) + 1) + text[match.end() :]


def _currency(text: str) -> str | None:
    return text.replace("$", "€", 1) if re.search(r"\$\s?\d", text) and "US$" not in text else None


_MODALS = _swap("shall|may", "must|may", "is required to|is entitled to")


def _modality(text: str) -> str | None:
    """Not of a prohibition: "shall not" and "may not" are one."""
    return None if re.search(r"\b(?:shall|must|may) not\b", text) else _MODALS(text)


KINDS: dict[str, Change] = {
    "negation": _negated,
    "modality": _modality,
    "comparison": _swap("at least|at most", "more than|less than", "prior to|after", "before|after",
                        "not less|not more", "minimum|maximum",
                        "no later|no earlier", "greater|lesser", "earlier|later"),
    "opposites": _swap("with|without", "terminate|renew", "include|exclude", "exclusive|non-exclusive", "accept|reject",
                       "transferable|non-transferable", "increase|decrease", "permitted|prohibited"),
    "parties": _parties,
    "number": _number,
    "unit": _swap("days|months", "years|weeks", "hours|minutes", "million|billion", "feet|miles"),
    "currency": _currency,
    "date": _date,
}  # fmt: skip

_REWORDED = (
    (r"\s*\([^()]{0,80}\)", ""), (r"^(?:\(?(?:\d+(?:\.\d+)*|[A-Za-z]{1,3})[.)]?\s+(?=\S* ?[A-Z]))+", ""),
    (r"\bprior to\b", "before"), (r"\bshall\b", "must"), (r"\bin the event that\b", "if"), (r"\bupon\b", "on"),
    (r"\bpursuant to\b", "under"), (r"\bhereunder\b", "under this Agreement"), (r"\bsuch\b", "the"),
    (r"\bhereby \b", ""), (r"\bset forth\b", "stated"),
)  # fmt: skip


def reworded(text: str) -> str:
    for pattern, new in _REWORDED:
        text = re.sub(pattern, new, text)
    return text


class Statement(NamedTuple):
    source: str
    page_index: int
    text: str


def statements(pages: Documents, sources: list[str]) -> Iterator[Statement]:
    """Whole sentences of 10 to 45 words."""
    for source in sources:
        read = pages.pages(source)
        for page in () if isinstance(read, NotReadable) else read:
            whole = joined(page.text)
            for start, end in sentences(whole):
                text = " ".join(whole[start:end].split())
                if re.match(r"[A-Z(\d]", text) and text.endswith(".") and 10 <= len(text.split()) <= 45:
                    yield Statement(source, page.page_index, text)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--words-only", action="store_true", help="without the encoder")
    parser.add_argument("--show", choices=[*KINDS, "unchanged"], help="print what was missed of one kind")
    options = parser.parse_args()
    encoder: Any = None
    if not options.words_only:
        from models.adapters.embeddings import MiniLmEmbedder

        encoder = MiniLmEmbedder()
    folder = SHARED / "evaldata" / "cuad_pdf"
    claims = [row.item for row in contract_rows(folder) if row.corruption == "gold"]
    with read_by_the_product(folder / "pdf") as pages:
        measure(pages, claims, encoder, options.show)


def measure(pages: Documents, claims: list[SupportItem], encoder: Any, show: str | None) -> None:
    said = list(statements(pages, sorted({str(item.source_id) for item in claims})))
    random.Random(7).shuffle(said)
    rows: list[tuple[str, SupportItem]] = [("lawyers' claims", item) for item in claims]
    for kind, change in KINDS.items():
        changed = [(s, new) for s in said if (new := change(s.text)) is not None and reworded(new) != reworded(s.text)]
        for number, (s, new) in enumerate(changed[:MOST]):
            pairs = ((kind, reworded(new)), ("unchanged", reworded(s.text)))
            rows += [(k, SupportItem(f"{k}-{kind}-{number}", t, s.source, (s.page_index,))) for k, t in pairs]
    found = results([item for _, item in rows], pages, encoder)
    by_kind: dict[str, list[tuple[int, str]]] = {}
    for (kind, item), result in zip(rows, found, strict=True):
        by_kind.setdefault(kind, []).append((result.score, result.label.value))
        if kind == show and (result.label.value == "supported") != (show == "unchanged"):
            print(result.score, item.claim_text)
    gold = sorted(score for score, _ in by_kind["lawyers' claims"])
    five, ten = (gold[int(rate * len(gold))] for rate in (0.05, 0.10))
    print(f"{'':18}   n   flagged at 5 % / 10 % false positives   not called supported   called contradicted")
    for kind, scored in by_kind.items():
        at = (sum(score < limit for score, _ in scored) / len(scored) for limit in (five, ten))
        labels = [label for _, label in scored]
        print(f"{kind:18}{len(scored):4}   {next(at):4.0%} / {next(at):4.0%}" + " " * 26
              + f"{1 - labels.count('supported') / len(labels):4.0%}" + " " * 19
              + f"{labels.count('contradicted') / len(labels):4.0%}")  # fmt: skip


if __name__ == "__main__":
    main()
