"""From a question and passages under handles to claims with citations.

The program decides whether anything answers, which sentence a pick means, and what is quoted. A model, where there is
one, only picks among the sentences that it was shown and words each claim.
"""

import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
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
from models.ports import ChatModel, Message, ModelFailed, ModelUnavailable, PromptTooLong, SentenceEncoder
from verify.domain.canonical import canonical_json, sha256_of
from verify.domain.progress import Progress

EXTRACTIVE = "extractive"
EXTRACTS = 3
OPERAND_CANDIDATES = 12
"""Among how many of the best sentences the second value of a calculation is sought."""
ATTEMPTS = 2
MISSES = "misses"
PART_MISSING = "model_found_no_part"
WHOLE_PASSAGES_FROM = 8_000
"""Tokens of context from which a model is shown whole passages: fewer sentences are what a small one chooses among."""
OUT_OF_TIME = "model_out_of_time"
TROUBLE = {ModelUnavailable: "model_unavailable", ModelFailed: "model_failed", PromptTooLong: "model_failed"}
"""Warnings of an answer for what a model raised."""
RELATED = 0.4
"""Likeness from which a sentence that a model picked counts as being about a question that the program would refuse."""

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

    A model that is not there, fails or runs out of time leaves the passages' own sentences standing, with a warning
    (``TROUBLE``, ``OUT_OF_TIME``); what it had claimed until then is kept.
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
    refused = why is not None and (options.refuse or why == Unanswered.NOTHING_SHOWN)
    asks = model is not None and not isinstance(model, Chooser) and why == Unanswered.NOT_FOUND
    loose = asks and any(item.likeness >= RELATED for item in ranked)  # a model may know what loose wording means
    if why is not None and refused and not loose:
        name = model.name if model else EXTRACTIVE
        return AnswerDraft((), why, name, _extract_hash(question, sentences), tuple(p.handle for p in passages))
    if model is None:
        return (yield from _extract(asked, passages, sentences, ranked, options))
    if isinstance(model, Chooser):
        return (yield from _choose(asked, passages, sentences, ranked, model, options))
    shown = sentences_for(ranked, sentences, model.context_tokens, options)
    draft = yield from _ask(question, passages, shown, model, options, ranked if refused else None)
    if draft.claims:
        return draft
    if why is not None and refused:
        return replace(draft, unanswered=why)
    failed = bool({*TROUBLE.values(), OUT_OF_TIME} & {*draft.warnings})
    if not options.fall_back or (not failed and not answers_plainly(asked, ranked)):
        return draft
    extracts = yield from _extract(asked, passages, sentences, ranked, options)
    warnings = draft.warnings if failed else (*draft.warnings, "model_found_nothing")
    return replace(extracts, model=model.name, prompt_sha256=draft.prompt_sha256, warnings=warnings)


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
    try:
        chosen = yield from choose(asked.text, passages, ranked, model)
    except tuple(TROUBLE) as failure:
        extracts = yield from _extract(asked, passages, sentences, ranked, options)
        return replace(extracts, warnings=(TROUBLE[type(failure)],))
    if options.refuse and chosen.none >= NONE_ANSWERS and not answers_plainly(asked, ranked):
        return AnswerDraft((), Unanswered.MODEL_FOUND_NOTHING, model.name, chosen.prompt_sha256, chosen.read)
    draft = yield from _extract(asked, passages, sentences, chosen.ranked, options)
    return replace(draft, model=model.name, prompt_sha256=chosen.prompt_sha256, read=chosen.read)


def sentences_for(
    ranked: Sequence[Scored], sentences: Sequence[ShownSentence], context_tokens: int, options: AnswerOptions
) -> list[ShownSentence]:
    """What a model is shown: the best sentences, or all of them, in whole passages, where its context has the room."""
    if context_tokens >= WHOLE_PASSAGES_FROM:
        return list(sentences)
    best = {item.sentence for item in ranked[: options.sentences]}
    return [s for s in sentences if s in best]


def _ask(
    question: str,
    passages: Sequence[ShownPassage],
    sentences: Sequence[ShownSentence],
    model: ChatModel,
    options: AnswerOptions,
    related_to: Sequence[Scored] | None,
) -> Answering:
    """The model's claims. ``related_to``, where the program would refuse: only claims that cite a sentence which is
    about the question count, and no claim is given before."""
    whole = model.context_tokens >= WHOLE_PASSAGES_FROM
    max_tokens = options.max_tokens * (2 if whole else 1)
    try:
        budget = model.context_tokens - max_tokens
        prompt = build_prompt(question, passages, sentences, model.count_tokens, budget, whole=whole)
    except tuple(TROUBLE) as failure:
        return AnswerDraft((), Unanswered.MODEL_FOUND_NOTHING, model.name, _extract_hash(question, sentences),
                           (), warnings=(TROUBLE[type(failure)],))  # fmt: skip
    shown = {s.sentence_id: s for s in prompt.sentences}
    by_handle = {p.handle: p for p in passages}
    schema = reply_schema(tuple(shown), options.limit, whole=whole)
    most = options.limit * (2 if whole else 1)
    related = None if related_to is None else {i.sentence.sentence_id for i in related_to if i.likeness >= RELATED}
    claims: list[ClaimDraft] = []
    warnings: tuple[str, ...] = ()
    until = time.monotonic() + options.seconds
    try:
        with closing(_replies(model, prompt.messages, schema, max_tokens)) as replies:
            for picked in replies:
                if picked is None:
                    if time.monotonic() > until:
                        warnings = (OUT_OF_TIME,)
                        break
                    yield Progress("answer", len(claims), None, "claims")
                if len(claims) >= most:
                    break
                if not isinstance(picked, ModelClaim):
                    warnings = (PART_MISSING,) if picked == MISSES else ()
                    continue
                for claim in _claims_of(picked, claims, shown, by_handle):
                    if related is None or related.intersection(claim.sentence_ids):
                        claims.append(claim)
                        yield claim
    except tuple(TROUBLE) as failure:
        warnings = (TROUBLE[type(failure)],)
    yield from _with_calculation(question, claims)
    return AnswerDraft(
        tuple(claims),
        None if claims else Unanswered.MODEL_FOUND_NOTHING,
        model.name,
        sha256_of(canonical_json([[[m.role, m.content] for m in prompt.messages], schema])),
        prompt.read,
        prompt.left_out,
        conflicts_among(claims, shown, by_handle),
        warnings,
    )


def _claims_of(
    picked: ModelClaim,
    claims: Sequence[ClaimDraft],
    shown: Mapping[str, ShownSentence],
    by_handle: Mapping[str, ShownPassage],
) -> Iterator[ClaimDraft]:
    """One claim a fact, none that was made already."""
    made: list[ClaimDraft] = []
    for text in atomic(picked.claim):
        claim = worded_claim(len(claims) + len(made) + 1, text, picked.evidence, shown, by_handle)
        if not any(_repeats(claim, known) for known in (*claims, *made)):
            made.append(claim)
    yield from made


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
) -> Generator[ModelClaim | str | None]:
    """Each claim as it is closed, None at a beat of silence, and at the end ``MISSES`` where the model says that a part
    of what was asked is told nowhere.

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
            if given and reader.misses:
                yield MISSES
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
