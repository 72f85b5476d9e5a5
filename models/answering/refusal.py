"""Whether what was read can answer the question at all. The program decides, before any model is asked.

A retriever brings up every passage that has a rare word of the question. So where no passage names what is asked for,
and no sentence is like the question, nothing that was read answers it.
"""

from collections.abc import Sequence

from models.answering.drafts import ShownPassage, Unanswered
from models.answering.extractive import Scored, passage_text, units_in
from models.language.questions import Question
from models.language.wording import STOP_WORDS, rarity, stem, stem_set, words
from models.ports import SentenceEncoder

ANSWERS = 1.5
"""What these must reach together: the share that the best passage names, half of what it names in retrieval's
vocabulary, half the likeness of the best sentence, and one and a half times that of the likest passage.

Refused at it, with an answer (before, by the share and 1.5 times the sentence's likeness): over 27 contracts 1 % of 240
questions in the terms of the trade (1), 10 % of 240 as lawyers word them (14); about privacy policies 12 % of 97 as
users word them (13); about opinions and rules 22 % of 60 plain ones (20). Without: 90 % of 52 and 92 % of 60 of
invented matters (90, 90), 80 % of 60 about the people and things of the documents (78). Retrieval's vocabulary moves
all of these: measure anew when it changes."""
AGREED, LIKE_A_SENTENCE, LIKE_A_PASSAGE = 0.5, 0.5, 1.5
PASSAGE_CHARACTERS = 900
"""How much of a passage is compared: its beginning, some 200 of the 256 tokens that the encoder reads."""
UNKNOWN_NAME = 0.2
"""Taken off where the question names something that stands nowhere in what was read."""
UNKNOWN_WORD = 0.08
"""Taken off for each step of the rarity of the rarest other word that stands nowhere: that no passage speaks of a
helicopter tells more than that none says "get"."""
RARE = 2.0
"""Rarity from which a word counts: some 650 words of English are commoner."""
ANSWERS_BY_WORDS = 0.6
"""The share to be named where no encoder is there: 2 % and 88 % over contracts in the terms of the trade, 8 to 11 % and
83 % as lawyers word them."""


def why_unanswered(
    question: Question, shown: Sequence[ShownPassage], ranked: Sequence[Scored], encoder: SentenceEncoder | None
) -> Unanswered | None:
    """None where a passage may answer. With an ``encoder`` the ranked sentences have their likeness."""
    if not ranked:
        return Unanswered.NOTHING_SHOWN
    if question.counts_documents:
        return Unanswered.CANNOT_COUNT
    texts = [f"{p.about}\n{passage_text(p)}" for p in shown]
    named = max(max(share_named(question, text), p.named) for p, text in zip(shown, texts, strict=True))
    read = stem_set(texts)
    if question.named - read:
        named -= UNKNOWN_NAME
    if encoder is None:
        return None if named >= ANSWERS_BY_WORDS else Unanswered.NOT_FOUND
    score = named + AGREED * max(p.named for p in shown) + LIKE_A_SENTENCE * max(item.likeness for item in ranked)
    score -= UNKNOWN_WORD * max(0.0, _rarest_unknown(question, read) - RARE)
    missing = (ANSWERS - score) / LIKE_A_PASSAGE
    return None if _some_passage_is_like(question.text, shown, missing, encoder) else Unanswered.NOT_FOUND


def _rarest_unknown(question: Question, read: frozenset[str]) -> float:
    unknown = (word for word in words(question.text) if word not in STOP_WORDS and len(word) > 1)
    return max((rarity(w) for w in unknown if stem(w) not in read and stem(w) not in question.explained), default=0.0)


def _some_passage_is_like(question: str, shown: Sequence[ShownPassage], least: float, encoder: SentenceEncoder) -> bool:
    """Whether a cosine reaches ``least``. Passages are read one by one, and none where that decides nothing."""
    if not 0 < least <= 1:
        return least <= 0
    asked = encoder.embed([question])[0]
    return any(float(encoder.embed([p.passage.text[:PASSAGE_CHARACTERS]])[0] @ asked) >= least for p in shown)


def share_named(question: Question, text: str) -> float:
    """Share of the question's concepts and terms that the text names, 0-1; 1 for a question that has none."""
    units = len(question.concepts) + len(question.terms)
    return len(units_in(question, text)) / units if units else 1.0


def answers_plainly(question: Question, ranked: Sequence[Scored]) -> bool:
    """True if one sentence names all that is asked for, so that a silent model is not taken at its word."""
    some = bool(question.concepts or question.terms)
    return some and any(share_named(question, item.sentence.text) == 1 for item in ranked[:3])
