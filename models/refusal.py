"""Whether what was read can answer the question at all. The program decides, before any model is asked.

A retriever brings up every passage that has a rare word of the question. So where no passage names what is asked for,
and no sentence is like the question, nothing that was read answers it.
"""

from collections.abc import Sequence

from models.drafts import ShownPassage, Unanswered
from models.extractive import Scored, passage_text, units_in
from models.questions import Question
from models.wording import stem_set

ANSWERS = 1.22
"""What the share named by the best passage and 1.5 times the likeness of the best sentence must reach together.

Refused at it, with and without an answer (bench_retrieval_quality.py refusals): over 27 contracts 1 % of 240 questions
in the terms of the trade, and 90 % of 52 invented ones; as lawyers word them, 16 to 17 % (50 % before retrieval's
vocabulary told what passages name) and 93 % of 60; about privacy policies and mergers 10 % (21 %). At 1.1 these are
1 and 79, 8 to 12 and 88, 5 %. Weights of 1.2 and 2 for the likeness give the same within 2 points."""
LIKENESS_COUNTS = 1.5
UNKNOWN_NAME = 0.2
"""Taken off where the question names something that stands nowhere in what was read."""
ANSWERS_BY_WORDS = 0.6
"""The share to be named where no encoder is there: 2 % and 88 % on the first of these questions, 8 to 11 % and 83 % on
the second."""


def why_unanswered(
    question: Question, shown: Sequence[ShownPassage], ranked: Sequence[Scored], by_meaning: bool
) -> Unanswered | None:
    """None where a passage may answer. ``by_meaning`` tells that the ranked sentences have their likeness."""
    if not ranked:
        return Unanswered.NOTHING_SHOWN
    if question.counts_documents:
        return Unanswered.CANNOT_COUNT
    texts = [f"{p.about}\n{passage_text(p)}" for p in shown]
    score = max(max(share_named(question, text), p.named) for p, text in zip(shown, texts, strict=True))
    if question.named - stem_set(texts):
        score -= UNKNOWN_NAME
    if by_meaning:
        score += LIKENESS_COUNTS * max(item.likeness for item in ranked)
    return None if score >= (ANSWERS if by_meaning else ANSWERS_BY_WORDS) else Unanswered.NOT_FOUND


def share_named(question: Question, text: str) -> float:
    """Share of the question's concepts and terms that the text names, 0-1; 1 for a question that has none."""
    units = len(question.concepts) + len(question.terms)
    return len(units_in(question, text)) / units if units else 1.0


def answers_plainly(question: Question, ranked: Sequence[Scored]) -> bool:
    """True if one sentence names all that is asked for, so that a silent model is not taken at its word."""
    some = bool(question.concepts or question.terms)
    return some and any(share_named(question, item.sentence.text) == 1 for item in ranked[:3])
