"""From a question and passages under handles to claims with citations.

The program decides whether anything answers, which sentence a pick means, and what is quoted. A model, where there is
one, only picks among the sentences that it was shown and words each claim.
"""

from collections.abc import Generator, Iterable, Sequence

from models.claims import chosen_extracts, conflicts_among, extract_claim
from models.drafts import AnswerDraft, AnswerOptions, ClaimDraft, ShownPassage, ShownSentence, Unanswered
from models.evidence import number_sentences
from models.extractive import Scored, rank_sentences
from models.ports import ChatModel, SentenceEncoder
from models.questions import read_question
from models.refusal import why_unanswered
from verify.domain.canonical import canonical_json, sha256_of
from verify.domain.progress import Progress

EXTRACTIVE = "extractive"
EXTRACTS = 3

Answering = Generator[ClaimDraft | Progress, None, AnswerDraft]


def answer(
    question: str,
    passages: Sequence[ShownPassage],
    model: ChatModel | None,
    options: AnswerOptions = AnswerOptions(),  # noqa: B008 (immutable)
    encoder: SentenceEncoder | None = None,
) -> Answering:
    """Yields each claim as soon as it is made. ``model`` None answers with the passages' own sentences.

    Closing the generator cancels the model. Raises ModelUnavailable, ModelFailed or PromptTooLong.
    """
    yield Progress("answer", 0, None, "claims")
    asked = read_question(question)
    sentences = number_sentences(passages)
    ranked = rank_sentences(asked, passages, sentences, encoder)
    why = why_unanswered(asked, passages, ranked)
    if why is not None and (options.refuse or why == Unanswered.NOTHING_SHOWN):
        name = model.name if model else EXTRACTIVE
        return AnswerDraft((), why, name, _extract_hash(question, sentences), tuple(p.handle for p in passages))
    return (yield from _extract(question, passages, sentences, ranked, options))


def _extract_hash(question: str, sentences: Iterable[ShownSentence]) -> str:
    return sha256_of(canonical_json([question, [[s.sentence_id, s.text] for s in sentences]]))


def _extract(
    question: str,
    passages: Sequence[ShownPassage],
    sentences: Sequence[ShownSentence],
    ranked: Sequence[Scored],
    options: AnswerOptions,
) -> Answering:
    by_handle = {p.handle: p for p in passages}
    claims: list[ClaimDraft] = []
    for sentence in chosen_extracts(ranked, by_handle, min(options.limit, EXTRACTS)):
        claims.append(extract_claim(len(claims) + 1, by_handle[sentence.handle], sentence))
        yield claims[-1]
    conflicts = conflicts_among(claims, {s.sentence_id: s for s in sentences}, by_handle)
    return AnswerDraft(
        tuple(claims), None, EXTRACTIVE, _extract_hash(question, sentences), tuple(by_handle), conflicts=conflicts
    )
