"""Whether what was read can answer the question at all. The program decides, before and after any model.

A retriever brings up every passage that has a rare word of the question. So where no passage names most of what is
asked for, nothing that was read answers it. A sentence that is very like the question counts for a missing word.
"""

from collections.abc import Sequence

from models.drafts import ShownPassage, Unanswered
from models.extractive import Scored, passage_text, units_in
from models.questions import Question
from models.wording import stem_set

ENOUGH_NAMED = 0.6
"""Share of concepts and terms that one passage must name. Between 0.6 and 0.8 nothing changes on real contracts."""
HALF_NAMED = 0.5
LIKE_THE_QUESTION = 0.45
"""Cosine (all-MiniLM-L6-v2) above which a sentence stands in for the rest of a question half named."""


def why_unanswered(question: Question, shown: Sequence[ShownPassage], ranked: Sequence[Scored]) -> Unanswered | None:
    """None where some passage may answer. ``ranked`` are the sentences, best first."""
    if not ranked:
        return Unanswered.NOTHING_SHOWN
    if question.counts_documents:
        return Unanswered.CANNOT_COUNT
    texts = [passage_text(p) for p in shown]
    if question.named - stem_set(texts) - stem_set(p.about for p in shown):
        return Unanswered.NOT_FOUND
    named = max(_share_named(question, p, text) for p, text in zip(shown, texts, strict=True))
    alike = max(item.likeness for item in ranked)
    if named >= ENOUGH_NAMED or (named >= HALF_NAMED and alike >= LIKE_THE_QUESTION):
        return None
    return Unanswered.NOT_FOUND


def _share_named(question: Question, shown: ShownPassage, text: str) -> float:
    units = len(question.concepts) + len(question.terms)
    return len(units_in(question, f"{shown.about}\n{text}")) / units if units else 1.0


def answers_plainly(question: Question, ranked: Sequence[Scored]) -> bool:
    """True if one sentence names all that is asked for, so that a silent model is not taken at its word."""
    units = len(question.concepts) + len(question.terms)
    return units > 0 and any(len(units_in(question, item.sentence.text)) == units for item in ranked[:3])
