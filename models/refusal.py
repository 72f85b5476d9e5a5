"""Whether what was read can answer the question at all. The program decides, before any model is asked.

A retriever brings up every passage that has a rare word of the question. So where no passage names what is asked for,
and no sentence is like the question, nothing that was read answers it.
"""

from collections.abc import Sequence

from models.drafts import ShownPassage, Unanswered
from models.extractive import Scored, passage_text, units_in
from models.questions import Question
from models.wording import stem_set

ANSWERS = 1.45
"""What the share named by the best passage and twice the likeness of the best sentence must reach together.

Over a folder of 27 contracts it refuses 4 % of 240 questions with an answer and 90 % of 52 invented ones without; 1.3
makes that 4 and 79, 1.5 makes it 5 and 94. Freely worded questions about privacy policies and merger agreements are
refused more often (16 % of 110): there the words of the question stand least in the answer."""
LIKENESS_COUNTS = 2.0
UNKNOWN_NAME = 0.2
"""Taken off where the question names something that stands nowhere in what was read."""
ANSWERS_BY_WORDS = 0.5
"""The share to be named where no encoder is there. Words alone tell far less: 14 % and 76 % on the same questions."""


def why_unanswered(
    question: Question, shown: Sequence[ShownPassage], ranked: Sequence[Scored], by_meaning: bool
) -> Unanswered | None:
    """None where a passage may answer. ``by_meaning`` tells that the ranked sentences have their likeness."""
    if not ranked:
        return Unanswered.NOTHING_SHOWN
    if question.counts_documents:
        return Unanswered.CANNOT_COUNT
    texts = [f"{p.about}\n{passage_text(p)}" for p in shown]
    score = max(share_named(question, text) for text in texts)
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
