"""How well each page of a document fits a claim: by words, by concepts and by meaning, window by window.

A window is a few sentences, about 350 characters. What fits best on a page is the page's fit.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from models.concepts import Concept, flat
from models.ports import SentenceEncoder
from models.questions import read_question
from models.wording import stems
from verify.sentences import sentences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WINDOW = 350
DENSE_PAGES = 40
"""How many pages the encoder reads for one claim: the best by words, and those cited. Most contracts are shorter."""
_MEANING = 15.0
_CONCEPTS = 15.0
"""What a likeness of 1, or all of the claim's concepts, weighs against words, which weigh their rarity: a word that one
page of twenty has weighs 2.6. Words are not divided by the claim's length: a short or general claim tells pages apart
less, and its pages shall differ less. Tried on claims about 27 contracts and 19 opinions; 10 to 20 differ little."""
_CITES_ON = re.compile(r"\b(?:ante|supra|post|infra|id\.)", re.I)
_NEARLY_ALL = 0.85
_LINE_END_HYPHEN = re.compile(r"(?<=[a-z])-\s*\n\s*(?=[a-z])")


class PageText(NamedTuple):
    """``header`` is the page's running header, digits and all; "" where it has none. ``text`` is the page's text."""

    page_index: int
    page_label: str | None
    text: str
    header: str = ""


class _Window(NamedTuple):
    text: str
    flat: str
    stems: frozenset[str]


class _Wanted(NamedTuple):
    """A claim's stems with their rarity, and its concepts with their shares of 1."""

    weights: dict[str, float]
    concepts: list[tuple[Concept, float]]


def joined(text: str) -> str:
    """With words that a line end parts put together: for comparing, never for quoting."""
    return _LINE_END_HYPHEN.sub("", text)


class PageFit:
    """For one document; claims share its windows and their vectors. ``encoder`` None leaves meaning out."""

    def __init__(self, pages: Sequence[PageText], encoder: SentenceEncoder | None) -> None:
        self._pages = pages
        self._encoder = encoder
        self._windows = [_windows(page.text) for page in pages]
        self._held = [frozenset(s for w in windows for s in w.stems) for windows in self._windows]
        self._on_pages = Counter(stem for held in self._held for stem in held)
        self._count = max(1, sum(map(len, self._windows)))
        self._vectors: dict[int, NDArray[np.float32]] = {}
        self._stating: dict[str, list[list[bool]]] = {}

    @property
    def held(self) -> frozenset[str]:
        """Stems of all the document's words."""
        return frozenset(self._on_pages)

    def fits(self, claim: str, cited: Sequence[int]) -> list[float]:
        """One number a page, in the order given; they compare within one claim. ``cited`` are positions of pages."""
        wanted = _Wanted(self._rarities(claim), self._concept_weights(claim))
        by_words = [self._words(wanted, position) for position in range(len(self._pages))]
        best = [max(scores, default=0.0) for scores in by_words]
        if self._encoder is None:
            return best
        order = sorted(range(len(best)), key=lambda position: -best[position])
        read = set(order[:DENSE_PAGES]) | set(cited)
        vector = self._encoder.embed([claim])[0]
        for position in read:
            if by_words[position]:
                likeness = self._page_vectors(position) @ vector
                best[position] = max(
                    score + _MEANING * float(cosine) for score, cosine in zip(by_words[position], likeness, strict=True)
                )
        return best

    def greatest(self, claim: str) -> float:
        """The fit of a page that holds the claim itself."""
        concepts = _CONCEPTS * bool(read_question(claim).concepts)
        return sum(self._rarities(claim).values()) + concepts + _MEANING * (self._encoder is not None)

    def edges(self, position: int) -> tuple[str, str]:
        """The first and the last window of a page, "" where it has none."""
        windows = self._windows[position]
        return (windows[0].text, windows[-1].text) if windows else ("", "")

    def cites_from(self, claim: str, position: int) -> bool:
        """True if the page holds nearly the claim itself, beside a reference to another place ("ante, at 12"): there
        it is said, not supported."""
        wanted = frozenset(stems(claim))
        windows = self._windows[position]
        for at in range(len(windows)):
            near = windows[max(0, at - 1) : at + 3]
            held = windows[at].stems | (windows[at + 1].stems if at + 1 < len(windows) else frozenset())
            if len(wanted) >= 4 and len(wanted & held) >= _NEARLY_ALL * len(wanted):
                return any(_CITES_ON.search(window.text) for window in near)
        return False

    def _words(self, wanted: _Wanted, position: int) -> list[float]:
        """For each window, the rarity of the claim's words in it and beside it, and the concepts that it states."""
        states = [(self._states(concept)[position], share) for concept, share in wanted.concepts]
        windows = self._windows[position]
        scores = []
        for at in range(len(windows)):
            near = frozenset[str]().union(*(w.stems for w in windows[max(0, at - 1) : at + 2]))
            by_words = sum(weight for stem, weight in wanted.weights.items() if stem in near)
            scores.append(by_words + _CONCEPTS * sum(share for stated, share in states if stated[at]))
        return scores

    def _rarities(self, claim: str) -> dict[str, float]:
        """BM25's inverse document frequency over the pages, a number for each of the claim's stems."""
        pages, having = len(self._pages), self._on_pages
        return {s: math.log(1 + (pages - having[s] + 0.5) / (having[s] + 0.5)) for s in frozenset(stems(claim))}

    def _concept_weights(self, claim: str) -> list[tuple[Concept, float]]:
        """The claim's concepts, each with its share of 1: what few windows state counts more."""
        weights = []
        for concept in read_question(claim).concepts:
            having = sum(map(sum, self._states(concept)))
            weights.append((concept, math.log(1 + (self._count - having + 0.5) / (having + 0.5))))
        total = sum(weight for _, weight in weights) or 1.0
        return [(concept, weight / total) for concept, weight in weights]

    def _states(self, concept: Concept) -> list[list[bool]]:
        """Whether each window of each page states the concept; found once a document."""
        if concept.name not in self._stating:
            found = [[bool(concept.stated.search(w.flat)) for w in windows] for windows in self._windows]
            self._stating[concept.name] = found
        return self._stating[concept.name]

    def _page_vectors(self, position: int) -> "NDArray[np.float32]":
        if position not in self._vectors:
            assert self._encoder is not None
            self._vectors[position] = self._encoder.embed([w.text for w in self._windows[position]])
        return self._vectors[position]


def _windows(text: str) -> list[_Window]:
    whole = joined(text)
    parts: list[str] = []
    for start, end in sentences(whole):
        sentence = " ".join(whole[start:end].split())
        if parts and len(parts[-1]) + len(sentence) < WINDOW:
            parts[-1] += " " + sentence
        else:
            parts.append(sentence)
    return [_Window(part, flat(part), frozenset(stems(part))) for part in parts]
