"""From a question and passages under handles to claims with citations.

The program decides whether anything answers, which sentence a pick means, and what is quoted. A model, where there is
one, only picks among the sentences that it was shown and words each claim.
"""

import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

from models.answering.calculation import calculated, other_operand
from models.answering.cells import cell_sentences, without_their_tables
from models.answering.choosing import NONE_ANSWERS, Chooser, choose
from models.answering.claim_text import atomic, repeats
from models.answering.claims import chosen_extracts, conflicts_among, extract_claim, stating_items, worded_claim
from models.answering.drafts import AnswerDraft, AnswerOptions, ClaimDraft, ShownPassage, ShownSentence, Unanswered
from models.answering.evidence import number_sentences
from models.answering.extractive import Scored, rank_sentences
from models.answering.prompts import build_prompt, speaks_to_a_machine
from models.answering.refusal import answers_plainly, why_unanswered
from models.answering.schema import ModelClaim, ReplyReader, reply_schema
from models.language.questions import Question, read_question
from models.ports import ChatModel, Message, ModelFailed, SentenceEncoder
from verify.domain.canonical import canonical_json, sha256_of
from verify.domain.progress import Progress

EXTRACTIVE = "extractive"
EXTRACTS = 3
OPERAND_CANDIDATES = 12
"""Among how many of the best sentences the second value of a calculation is sought."""
ATTEMPTS = 2

Answering = Generator[ClaimDraft | Progress, None, AnswerDraft]


def answer(
    question: str,
    passages: Sequence[ShownPassage],
    model: ChatModel | None,
    options: AnswerOptions = AnswerOptions(),  # noqa: B008 (immutable)
    encoder: SentenceEncoder | None = None,
) -> Answering:
    """Yields each claim as soon as it is made. ``model`` None answers with the passages' own sentences.

    A sentence that speaks to a machine rather than to a reader (a planted instruction) is never shown to the model nor
    picked; the warning ``instructions_in_document`` tells of it. Closing the generator cancels the model.

    Raises ModelUnavailable, ModelFailed or PromptTooLong.
    """
    yield Progress("answer", 0, None, "claims")
    numbered = number_sentences(passages)
    sentences = tuple(s for s in numbered if not speaks_to_a_machine(s.text))
    draft = yield from _answer(question, passages, sentences, model, options, encoder)
    if len(sentences) < len(numbered):
        draft = replace(draft, warnings=(*draft.warnings, "instructions_in_document"))
    return draft


def _answer(
    question: str,
    passages: Sequence[ShownPassage],
    sentences: Sequence[ShownSentence],
    model: ChatModel | None,
    options: AnswerOptions,
    encoder: SentenceEncoder | None,
) -> Answering:
    asked = read_question(question)
    cells = cell_sentences(asked, passages)
    sentences = (*cells, *without_their_tables(sentences, cells, passages))
    ranked = rank_sentences(asked, passages, sentences, encoder)
    found = cells and not asked.counts_documents  # a row, a column and most of what is asked are named there
    why = None if found else why_unanswered(asked, passages, ranked, encoder)
    if why is not None and (options.refuse or why == Unanswered.NOTHING_SHOWN):
        name = model.name if model else EXTRACTIVE
        return AnswerDraft((), why, name, _extract_hash(question, sentences), tuple(p.handle for p in passages))
    if model is None:
        return (yield from _extract(asked, passages, sentences, ranked, options))
    if isinstance(model, Chooser):
        return (yield from _choose(asked, passages, sentences, ranked, model, options))
    best = {item.sentence for item in ranked[: options.sentences]}
    draft = yield from _ask(question, passages, [s for s in sentences if s in best], model, options)
    if draft.unanswered is None or not answers_plainly(asked, ranked):
        return draft
    extracts = yield from _extract(asked, passages, sentences, ranked, options)
    return replace(
        extracts, model=model.name, prompt_sha256=draft.prompt_sha256, warnings=(*draft.warnings, "model_found_nothing")
    )


def _choose(
    asked: Question,
    passages: Sequence[ShownPassage],
    sentences: Sequence[ShownSentence],
    ranked: Sequence[Scored],
    model: Chooser,
    options: AnswerOptions,
) -> Answering:
    """Extracts in the order that the model's choice leaves; none where it finds that none answers and none plainly
    does."""
    chosen = yield from choose(asked.text, passages, ranked, model)
    if options.refuse and chosen.none >= NONE_ANSWERS and not answers_plainly(asked, ranked):
        return AnswerDraft((), Unanswered.MODEL_FOUND_NOTHING, model.name, chosen.prompt_sha256, chosen.read)
    draft = yield from _extract(asked, passages, sentences, chosen.ranked, options)
    return replace(draft, model=model.name, prompt_sha256=chosen.prompt_sha256, read=chosen.read)


def _ask(
    question: str,
    passages: Sequence[ShownPassage],
    sentences: Sequence[ShownSentence],
    model: ChatModel,
    options: AnswerOptions,
) -> Answering:
    prompt = build_prompt(question, passages, sentences, model.count_tokens, model.context_tokens - options.max_tokens)
    shown = {s.sentence_id: s for s in prompt.sentences}
    by_handle = {p.handle: p for p in passages}
    schema = reply_schema(tuple(shown), options.limit)
    claims: list[ClaimDraft] = []
    late = False
    until = time.monotonic() + options.seconds
    with closing(_replies(model, prompt.messages, schema, options.max_tokens)) as replies:
        for picked in replies:
            if picked is None:
                late = time.monotonic() > until
                if late:
                    break
                yield Progress("answer", len(claims), None, "claims")
                continue
            for text in atomic(picked.claim):
                claim = worded_claim(len(claims) + 1, text, picked.evidence, shown, by_handle)
                if not any(_repeats(claim, known) for known in claims):
                    claims.append(claim)
                    yield claim
    if late and not claims:
        raise ModelFailed(
            f"the model made no claim within {options.seconds:.0f} seconds; answer without a model, "
            "choose a smaller one, or close other programs"
        )
    yield from _with_calculation(question, claims)
    return AnswerDraft(
        tuple(claims),
        None if claims else Unanswered.MODEL_FOUND_NOTHING,
        model.name,
        sha256_of(canonical_json([[[m.role, m.content] for m in prompt.messages], schema])),
        prompt.read,
        prompt.left_out,
        conflicts_among(claims, shown, by_handle),
        ("model_out_of_time",) if late else (),
    )


def _repeats(claim: ClaimDraft, known: ClaimDraft) -> bool:
    """The same said of other places is kept: it may be another document's."""
    return repeats(claim.text, known.text) and set(claim.sentence_ids) <= set(known.sentence_ids)


def _with_calculation(question: str, claims: list[ClaimDraft]) -> Generator[ClaimDraft, None, None]:
    """Adds to ``claims`` the sum or difference that the question asks for, where it is exact."""
    result = calculated(question, claims)
    if result is not None:
        claims.append(result)
        yield result


def _replies(
    model: ChatModel, messages: list[Message], schema: dict[str, Any], max_tokens: int
) -> Generator[ModelClaim | None]:
    """Each claim as it is closed, and None at a beat of silence.

    A reply that is not of the schema is asked for once more, then ModelFailed.

    One that was cut by ``max_tokens`` after a whole claim counts as far as it goes.
    """
    for _ in range(ATTEMPTS):
        reader, given = ReplyReader(), 0
        with closing(model.stream_json(messages, schema, max_tokens)) as pieces:
            for piece in pieces:
                if not piece:
                    yield None
                for claim in reader.feed(piece):
                    given += 1
                    yield claim
        if given or (reader.complete and not reader.refused):
            return
    raise ModelFailed("the model did not answer in the form that was asked for, twice; try another model")


def _extract_hash(question: str, sentences: Iterable[ShownSentence]) -> str:
    return sha256_of(canonical_json([question, [[s.sentence_id, s.text] for s in sentences]]))


def _extract(
    asked: Question,
    passages: Sequence[ShownPassage],
    sentences: Sequence[ShownSentence],
    ranked: Sequence[Scored],
    options: AnswerOptions,
) -> Answering:
    by_handle = {p.handle: p for p in passages}
    claims: list[ClaimDraft] = []
    best = chosen_extracts(
        ranked, by_handle, min(options.limit, EXTRACTS), titles=asked.titles or not options.refuse
    )  # fmt: skip
    for sentence in best:
        claims.append(extract_claim(len(claims) + 1, by_handle[sentence.handle], sentence))
        yield claims[-1]
    others = (item.sentence for item in stating_items(ranked[:OPERAND_CANDIDATES], by_handle))
    drafts = (extract_claim(len(claims) + 1, by_handle[s.handle], s) for s in others if s not in best)
    operand = other_operand(asked, claims, drafts)
    if operand is not None:
        claims.append(operand)
        yield operand
    yield from _with_calculation(asked.text, claims)
    conflicts = conflicts_among(claims, {s.sentence_id: s for s in sentences}, by_handle)
    why = None if claims else Unanswered.NOT_FOUND
    return AnswerDraft(
        tuple(claims), why, EXTRACTIVE, _extract_hash(asked.text, sentences), tuple(by_handle), conflicts=conflicts
    )
