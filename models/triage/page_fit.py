"""How well each page of a document fits a claim: by words, by concepts and by meaning, window by window.

A window is a few sentences, about 350 characters. What fits best on a page is the page's fit.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from models.language.agreement import claim_values, share_of_values
from models.language.concepts import Concept, flat
from models.language.questions import read_question
from models.language.values import Value, values
from models.language.wording import stems
from models.ports import SentenceEncoder
from models.triage.attribution import without_attribution
from models.triage.table_claims import Table
from verify.sentences import sentences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WINDOW = 350
DENSE_PAGES = 40
"""How many pages the encoder reads for one claim: the best by words, and those cited. Most contracts are shorter."""
_MEANING = 15.0
_CONCEPTS = 15.0
_VALUES = 15.0
"""What a likeness of 1, or all of the claim's concepts or values, weighs against words, which weigh their rarity: a
word that one page of twenty has weighs 2.6. Words are not divided by the claim's length: a short or general claim tells
pages apart less, and its pages shall differ less. Tried on claims about 27 contracts and 19 opinions; 10 to 20 differ
little."""
_CITES_ON = re.compile(r"\b(?:ante|supra|post|infra|id\.)", re.I)
_NEARLY_ALL = 0.85
_ENDED = re.compile(r"[.?!:;][\"'”’»)\]\d*]*$")
MOST_BROKEN = 1000
"""Characters: what is longer than that is a list or a table, not a sentence."""
_LINE_END_HYPHEN = re.compile(r"(?<=[a-z])-\s*\n\s*(?=[a-z])")


class PageText(NamedTuple):
    """``header`` is the page's running header, digits and all; "" where it has none. ``text`` is the page's text, and
    ``body`` what of it runs on from page to page, without furniture and footnotes; "" where that is not known.
    ``doubt`` is why the text itself cannot be relied on ("ocr_low_confidence"), else "". ``tables`` are the page's
    tables, and ``prose`` its text without them; "" where it has no tables, or nothing else. ``unsure`` are stems of
    words that were only recognised with too little confidence, and denials so recognised anywhere; ``unread`` is true
    where a part of the page, such as a picture, is not in its text."""

    page_index: int
    page_label: str | None
    text: str
    header: str = ""
    body: str = ""
    doubt: str = ""
    tables: tuple[Table, ...] = ()
    prose: str = ""
    unsure: frozenset[str] = frozenset()
    unread: bool = False

    @property
    def part(self) -> str:
        """The part of the document that the page belongs to, by its running header."""
        return re.sub(r"\W*\d+\W*|\bpage\b", " ", self.header.lower()).strip()

    @property
    def running(self) -> str:
        """What runs on, with words that a line end parts put together."""
        return joined((self.body or self.text.removeprefix(self.header)).strip())


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
        self._values: dict[int, tuple[Value, ...]] = {}
        self._broken: dict[int, _Window | None] = {}
        self._sentence_vectors: dict[str, NDArray[np.float32]] = {}

    @property
    def held(self) -> frozenset[str]:
        """Stems of all the document's words."""
        return frozenset(self._on_pages)

    def fits(self, claim: str, cited: Sequence[int]) -> list[float]:
        """One number a page, in the order given; they compare within one claim. ``cited`` are positions of pages."""
        bare = without_attribution(claim)
        wanted = _Wanted(self._rarities(bare), self._concept_weights(bare))
        by_words = [self._words(wanted, position) for position in range(len(self._pages))]
        best = [max(scores, default=0.0) for scores in by_words]
        if self._encoder is not None:
            order = sorted(range(len(best)), key=lambda position: -best[position])
            read = set(order[:DENSE_PAGES]) | set(cited)
            vector = self._vector(bare, self._encoder)
            for position in filter(by_words.__getitem__, read):
                likeness = self._page_vectors(position) @ vector
                best[position] = max(
                    score + _MEANING * float(cosine) for score, cosine in zip(by_words[position], likeness, strict=True)
                )
        return [fit + _VALUES * share for fit, share in zip(best, self._value_shares(claim), strict=True)]

    def over_edges(self, claim: str, position: int) -> float:
        """The fit of the sentences that run over the page's ends: they stand on it too, and no page holds all of them.
        0 where there are none."""
        bare = without_attribution(claim)
        weights = self._rarities(bare)
        best = 0.0
        for first in range(max(0, position - 1), min(position + 1, len(self._pages) - 1)):
            window = self._broken_after(first)
            if window is not None:
                score = sum(weight for stem, weight in weights.items() if stem in window.stems)
                if self._encoder is not None:
                    near = self._vector(window.text, self._encoder) @ self._vector(bare, self._encoder)
                    score += _MEANING * float(near)
                best = max(best, score)
        return best

    def added_by_others(self, claim: str, cited: Sequence[int]) -> float:
        """What the pages cited hold between them that the one with most of the claim's words does not, by its rarity;
        0 for a single page."""
        weights = self._rarities(without_attribution(claim))
        held = [{stem for stem in weights if stem in self._held[position]} for position in cited]
        most = max(sum(weights[stem] for stem in stems) for stems in held)
        return sum(weights[stem] for stem in set().union(*held)) - most

    def _broken_after(self, first: int) -> _Window | None:
        """The sentence that runs on from this page to the next; sought once a document."""
        if first not in self._broken:
            page, following = self._pages[first], self._pages[first + 1]
            text = broken_sentence(page.running, following.running) if page.part == following.part else ""
            self._broken[first] = _window(text) if text else None
        return self._broken[first]

    def _vector(self, text: str, encoder: SentenceEncoder) -> "NDArray[np.float32]":
        if text not in self._sentence_vectors:
            self._sentence_vectors[text] = encoder.embed([text])[0]
        return self._sentence_vectors[text]

    def _value_shares(self, claim: str) -> list[float]:
        """The share of the claim's values that each page states; 0 throughout where it has none."""
        wanted = claim_values(claim)
        return [share_of_values(wanted, self.values(p)) if wanted else 0.0 for p in range(len(self._pages))]

    def values(self, position: int) -> tuple[Value, ...]:
        """What the page states; found once a document."""
        if position not in self._values:
            self._values[position] = values(joined(self._pages[position].text))
        return self._values[position]

    def greatest(self, claim: str) -> float:
        """The fit of a page that holds the claim itself."""
        bare = without_attribution(claim)
        words = sum(self._rarities(bare).values())
        concepts, stated = bool(read_question(bare).concepts), bool(claim_values(claim))
        return words + _CONCEPTS * concepts + _VALUES * stated + _MEANING * (self._encoder is not None)

    def share_held(self, claim: str, position: int) -> float:
        """The share of the claim's words and concepts that the page has, by their rarity: a word that all pages have
        says little."""
        bare = without_attribution(claim)
        weights, concepts = self._rarities(bare), self._concept_weights(bare)
        held = sum(weight for stem, weight in weights.items() if stem in self._held[position])
        held += _CONCEPTS * sum(share for concept, share in concepts if any(self._states(concept)[position]))
        return held / (sum(weights.values()) + _CONCEPTS * bool(concepts) or 1.0)

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
    return [_window(part) for part in parts]


def _window(text: str) -> _Window:
    return _Window(text, flat(text), frozenset(stems(text)))


def broken_sentence(text: str, following: str) -> str:
    """The sentence that begins at the end of one page's running text and ends on the next; "" where none does."""
    if not text.strip() or not following.strip() or _ENDED.search(text):
        return ""
    begins, ends = sentences(text)[-1], sentences(following)[0]
    whole = joined(f"{text[begins.start : begins.end]}\n{following[ends.start : ends.end]}")
    return " ".join(whole.split()) if len(whole) <= MOST_BROKEN else ""
