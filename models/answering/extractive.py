"""Answers without a model: the passages' own sentences that fit the question best, or the finding that none does."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from models.answering.drafts import ShownPassage, ShownSentence
from models.language.concepts import flat
from models.language.questions import Question
from models.language.values import values
from models.language.wording import stem_set, stems
from models.ports import SentenceEncoder

LIKENESS_CANDIDATES = 12
"""How many sentences the encoder reads for one question: the best by words. Each costs some 10 ms on a laptop."""


class Scored(NamedTuple):
    """``score`` ranks the sentences of one question. ``likeness`` is a cosine, 0 where no encoder read the sentence."""

    sentence: ShownSentence
    score: float
    likeness: float


class Weights(NamedTuple):
    """What each signal counts against full coverage of the question, which counts 1.

    Tried on 240 questions about 27 contracts; halving or doubling any of them moves the first hit by 2 points at most.
    """

    likeness: float = 1.0
    rank: float = 0.4
    kind: float = 0.15
    passage: float = 0.3
    literal: float = 0.3
    fragment: float = 0.2


_WEIGHTS = Weights()
_REASON = re.compile(
    r"\b(?:because|since|due to|owing to|in order (?:to|that)|so that|so as to|as a result of|on (?:the )?grounds?|"
    r"by reason of|for (?:lack|want|failure)|in (?:light|view) of|warranted|caused by|reasons? (?:for|why|is|was)|"
    r"purposes?|intended to|to (?:ensure|avoid|prevent|address|protect))\b", re.I
)  # fmt: skip
"""What gives a reason, of those words that mostly do."""
_FRAGMENT = 40
"""Characters below which a sentence is rather a heading or a scrap."""


def rank_sentences(
    question: Question,
    shown: Sequence[ShownPassage],
    sentences: Sequence[ShownSentence],
    encoder: SentenceEncoder | None,
) -> list[Scored]:
    """Best first; equal scores keep the order of the passages. ``encoder`` None leaves likeness out."""
    if not sentences:
        return []
    coverage = Coverage(question, sentences)
    passages = {p.handle: _rank_prior(p) + _WEIGHTS.passage * coverage.of_text(passage_text(p)) for p in shown}
    by_words = [
        Scored(sentence, coverage.of_sentence(sentence.text) + passages[sentence.handle] + _form(question, sentence), 0)
        for sentence in sentences
    ]
    by_words.sort(key=lambda item: -item.score)
    if encoder is None:
        return by_words
    best, rest = by_words[:LIKENESS_CANDIDATES], by_words[LIKENESS_CANDIDATES:]
    return sorted(_with_likeness(question.text, best, encoder), key=lambda item: -item.score) + rest


def _with_likeness(question: str, items: Sequence[Scored], encoder: SentenceEncoder) -> list[Scored]:
    vectors = encoder.embed([question, *(item.sentence.text for item in items)])
    cosines = [float(cosine) for cosine in vectors[1:] @ vectors[0]]
    return [
        Scored(item.sentence, item.score + _WEIGHTS.likeness * cosine, cosine)
        for item, cosine in zip(items, cosines, strict=True)
    ]


def _rank_prior(shown: ShownPassage) -> float:
    return _WEIGHTS.rank / math.sqrt(shown.rank)


def _form(question: Question, sentence: ShownSentence) -> float:
    """What kind of value it states, or that it gives a reason, and whether it is a sentence at all."""
    fits = bool(question.kinds) and any(value.kind in question.kinds for value in values(sentence.text))
    fits = fits or (question.reason and _REASON.search(sentence.text) is not None)
    return _WEIGHTS.kind * fits - _WEIGHTS.fragment * (len(sentence.text) < _FRAGMENT and sentence.cell is None)


def passage_text(shown: ShownPassage) -> str:
    """All that may name what is asked for: title, headings and text."""
    return "\n".join((shown.passage.title, *shown.passage.heading_path, shown.passage.text))


class Coverage:
    """How much of the question a text names: concepts by their patterns, other terms by their stems.

    A unit that few of the shown sentences have weighs more (inverse document frequency over the shown sentences).
    """

    def __init__(self, question: Question, sentences: Sequence[ShownSentence]) -> None:
        self._question = question
        counts = Counter(unit for sentence in sentences for unit in units_in(question, sentence.text))
        units = [concept.name for concept in question.concepts] + list(question.terms)
        self._weight = {unit: math.log(1 + len(sentences) / (0.5 + counts[unit])) for unit in units}
        self._sum = sum(self._weight.values()) or 1.0

    def of_sentence(self, text: str) -> float:
        """With a share for the question's own words that a concept explains."""
        explained = self._question.explained
        literal = len(explained & set(stems(text))) / max(1, len(explained))
        return self.of_text(text) + _WEIGHTS.literal * literal

    def of_text(self, text: str) -> float:
        """0-1."""
        return sum(self._weight[unit] for unit in units_in(self._question, text)) / self._sum


def units_in(question: Question, text: str) -> frozenset[str]:
    """Names of the concepts that the text states, and those of the question's terms that it holds."""
    lowered = flat(text)
    stated = {concept.name for concept in question.concepts if concept.stated.search(lowered)}
    return frozenset(stated | (set(question.terms) & stem_set((text,))))
