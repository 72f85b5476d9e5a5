"""Which worded claims are let through, by kind of change: by the alignment that release asks, and by triage.

``python tests/benchmarks/bench_wording.py [--encoder] [FILE ...]``. The files are pairs as in
``tests/models/triage/worded_pairs.toml``. For triage six sentences that follow each other are one page.
"""

import argparse
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO))

from models.ports import SentenceEncoder  # noqa: E402
from models.triage.alignment import align  # noqa: E402
from models.triage.page_fit import PageText  # noqa: E402
from models.triage.support import SupportItem, SupportResult, triage  # noqa: E402
from verify.domain.ids import SourceId  # noqa: E402

PAIRS = REPO / "tests" / "models" / "triage"
FILES = ("worded_pairs.toml", "unseen_pairs.toml")
A_PAGE = 6
HONEST = "honest"


class Wording(NamedTuple):
    """``kind`` is "honest" or the kind of change; ``place`` the number of its sentence in the file."""

    kind: str
    text: str
    sentence: str
    place: int


def read(path: Path) -> list[Wording]:
    out = []
    for place, row in enumerate(tomllib.loads(path.read_text("utf-8"))["sentence"]):
        out += [Wording(HONEST, text, row["text"], place) for text in row["honest"]]
        out += [Wording(kind, text, row["text"], place) for kind, text in row["false"]]
    return out


class _Pages:
    def __init__(self, wordings: Sequence[Wording]) -> None:
        said = list(dict.fromkeys(w.sentence for w in wordings))
        self._pages = [
            PageText(n // A_PAGE, None, "\n\n".join(said[n : n + A_PAGE])) for n in range(0, len(said), A_PAGE)
        ]

    def pages(self, source_id: SourceId) -> Sequence[PageText]:
        return self._pages


def triaged(wordings: Sequence[Wording], encoder: SentenceEncoder | None) -> tuple[SupportResult, ...]:
    items = [SupportItem(str(n), w.text, SourceId("pairs"), (w.place // A_PAGE,)) for n, w in enumerate(wordings)]
    steps: Iterator[Any] = triage(items, _Pages(wordings), encoder)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            results: tuple[SupportResult, ...] = end.value
            return results


def report(title: str, wordings: Sequence[Wording], labels: Sequence[str]) -> None:
    count, shown = Counter(w.kind for w in wordings), Counter(w.kind for w in wordings if _is_shown(w))
    label = Counter(zip((w.kind for w in wordings), labels, strict=True))
    print(f"\n{title:24}    n   shown   supported   contradicted")
    kinds = [HONEST, *sorted(count.keys() - {HONEST})]
    rows = [(kind, [kind]) for kind in kinds] + [("all false", kinds[1:])]
    for name, of in rows:
        total, let = sum(count[k] for k in of), sum(shown[k] for k in of)
        sup, con = (sum(label[k, given] for k in of) for given in ("supported", "contradicted"))
        print(f"{name:24}{total:5} {let:4} {let / total:4.0%} {sup:4} {sup / total:4.0%} {con:6} {con / total:4.0%}")


def _is_shown(wording: Wording) -> bool:
    return align(wording.text, [wording.sentence]).bears_out


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", type=Path, default=[PAIRS / name for name in FILES])
    parser.add_argument("--encoder", action="store_true", help="with the embedding model, as the product has it")
    options = parser.parse_args()
    encoder = None
    if options.encoder:
        from models.adapters.embeddings import MiniLmEmbedder

        encoder = MiniLmEmbedder()
    for path in options.files:
        wordings = read(path)
        labels = [result.label.value for result in triaged(wordings, encoder)]
        for half, name in enumerate(("even", "odd")):
            chosen = [n for n, w in enumerate(wordings) if w.place % 2 == half]
            report(f"{path.stem}, {name}", [wordings[n] for n in chosen], [labels[n] for n in chosen])


if __name__ == "__main__":
    main()
