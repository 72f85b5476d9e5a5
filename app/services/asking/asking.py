"""A question's way: search, answer, check, release, save. Nothing is yielded or returned that was not checked."""

import secrets
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from app.errors import EngineUnavailable, Usage
from app.services.answers.answers import (
    LONGEST_QUESTION,
    Answer,
    AnsweredClaim,
    Calculation,
    Conflict,
    FoundPassage,
    Retrieval,
    Searched,
    ShownPassage,
    Unanswered,
)
from app.services.answers.basis import report_hash
from app.services.answers.cell_places import cell_place
from app.services.answers.history import save_answer
from app.services.answers.release import release
from app.services.asking.searching import Search, SearchOptions, open_search, pages_of_passage
from app.services.custody import auditing
from app.services.evidence.supporting import Veto
from app.services.evidence.verifying import checked, now, parse
from app.services.matter.matter import Matter
from app.services.matter.scope import searched
from models.answering import drafts
from models.answering.answering import answer
from models.answering.choosing import Chooser
from models.ports import ModelFailed, ModelUnavailable, PromptTooLong
from verify.domain.canonical import sha256_of
from verify.domain.claim import Citation, Release
from verify.domain.document import Page, SourceRecord
from verify.domain.ids import AnswerId, CheckId, ClaimId, SourceId
from verify.domain.passage import Passage
from verify.domain.progress import Progress
from verify.meaning import parts_of
from verify.report import CheckResult, VerificationReport
from verify.request import build_request

if TYPE_CHECKING:
    from models.ports import ChatModel, SentenceEncoder
    from retrieval.hybrid import Ranked

NEAREST = 3
NONE_VERIFIED = "none_verified"
"""Claims were made, and not one of them stood."""


@dataclass(frozen=True, slots=True)
class AskOptions:
    """``model``: auto, extractive, embedded, ollama or ollama:NAME. ``k`` passages are shown to it. ``lasting``: this
    process has more questions to answer (``open_search``)."""

    model: str = "auto"
    k: int = 8
    sources: tuple[SourceId, ...] = ()
    chroma_url: str | None = None
    ocr_threshold: int | None = None
    lasting: bool = False


@dataclass(frozen=True, slots=True)
class ClaimReady:
    """A claim whose checks were done. Its release may be "blocked": then it is shown as failed."""

    claim: AnsweredClaim
    checks: tuple[CheckResult, ...]


AskSteps = Generator[Progress | ClaimReady, None, Answer]
Cited = tuple[CheckId, ClaimId | None, Citation]


def ask(matter: Matter, question: str, options: AskOptions | None = None) -> AskSteps:
    """One question; the answer is saved before it is returned. Closing the generator cancels the model.

    Raises Usage for an empty or overlong question, InputMissing for an unknown source, EngineUnavailable for a model
    that was named and is not there, StoreFault.
    """
    with open_asking(matter, options or AskOptions()) as asking:
        return (yield from asking.ask(question))


@contextmanager
def open_asking(matter: Matter, options: AskOptions) -> "Iterator[Asking]":
    """For many questions in a row: the indexes and the model are loaded once."""
    from app.bootstrap import build_encoder, build_model

    model = build_model(matter.settings, options.model)
    try:
        yield Asking(matter, options, model, build_encoder(matter.settings))
    finally:
        if model is not None:
            model.close()


class Asking:
    def __init__(
        self, matter: Matter, options: AskOptions, model: "ChatModel | None", encoder: "SentenceEncoder | None"
    ) -> None:
        self._matter, self._options, self._model, self._encoder = matter, options, model, encoder
        self._search: Search | None = None
        threshold = options.ocr_threshold
        self._threshold = matter.settings.ocr_threshold if threshold is None else threshold

    def ask(self, question: str, sources: tuple[SourceId, ...] | None = None) -> AskSteps:
        """The answer, on record and saved. ``sources`` takes the place of the options' for this question."""
        scope = self._options.sources if sources is None else sources
        result, request = yield from self.unsaved(question, scope)
        report_sha256 = report_hash(result.report)
        subject = {
            "answer_id": result.answer_id,
            "asked_at": result.asked_at,
            "question_sha256": sha256_of(result.question.encode()),
            "model": result.model,
            "report_sha256": report_sha256,
        }
        auditing.record(self._matter, auditing.AuditEvent.ASKED, subject)
        save_answer(self._matter, result, request, self._threshold, scope)
        return result

    def unsaved(
        self, question: str, sources: tuple[SourceId, ...] | None = None
    ) -> Generator[Progress | ClaimReady, None, tuple[Answer, bytes]]:
        """The answer with its verification request, which measuring needs without leaving a trace."""
        scope = self._options.sources if sources is None else sources
        question = question.strip()
        if not question or len(question) > LONGEST_QUESTION:
            raise Usage(f"a question has 1 to {LONGEST_QUESTION} characters")
        asked_at = now()
        yield Progress("retrieve", 0, None, "passages")
        if self._search is None:
            options = self._options
            self._search = yield from open_search(self._matter, chroma_url=options.chroma_url, lasting=options.lasting)
        wanted = SearchOptions(self._options.k, "hybrid", scope, self._options.chroma_url)
        ranked = self._search.with_their_pages(question, wanted)
        if self._model is not None and not isinstance(self._model, Chooser):  # a small model sees a few sentences
            ranked = self._search.with_context(ranked)
        shown = tuple(ShownPassage(f"P{number}", self._search.found(r)) for number, r in enumerate(ranked, start=1))
        made = _Claims(self._matter, self._threshold, _new_answer_id(asked_at))
        draft = yield from self._answered(question, ranked, made)
        yield Progress("verify", 0, len(made.claims), "claims")
        answer, request = self._finished(question, asked_at, shown, draft, made, searched(self._matter, scope))
        if answer.unanswered is not None:
            nowhere = replace(answer.unanswered, unmatched=self._search.unmatched(question, wanted))
            answer = replace(answer, unanswered=nowhere)
        return answer, request

    def _answered(
        self, question: str, ranked: "Sequence[Ranked]", made: "_Claims"
    ) -> Generator[Progress | ClaimReady, None, drafts.AnswerDraft]:
        passages = [self._for_model(number, r) for number, r in enumerate(ranked, start=1)]
        try:
            with closing(answer(question, passages, self._model, drafts.AnswerOptions(), self._encoder)) as steps:
                while True:
                    try:
                        step = next(steps)
                    except StopIteration as end:
                        draft: drafts.AnswerDraft = end.value
                        return draft
                    yield step if isinstance(step, Progress) else made.take(step)
        except (ModelUnavailable, ModelFailed, PromptTooLong) as error:
            raise EngineUnavailable(str(error)) from error

    def _for_model(self, number: int, ranked: "Ranked") -> drafts.ShownPassage:
        from retrieval.query.naming import share_named

        passage = ranked.passage
        record = self._matter.source(passage.source_id)
        pages = pages_of_passage(self._matter, record, passage)
        labels = tuple((i, page.label) for i, page in pages.items())
        authority = record.metadata.authority_status or ""
        opening = self._matter.store.passages.opening(passage.source_id)
        about = f"{record.path}\n{opening}"
        return drafts.ShownPassage(
            handle=f"P{number}",
            passage=passage,
            rank=ranked.rank,
            page_labels=labels,
            dated=record.metadata.dated,
            superseded_by=authority if authority.lower().startswith("superseded") else None,
            about=about,
            named=share_named(ranked.asked, "\n".join((about, *passage.heading_path, passage.text))),
            tables=tuple(self._tables(record, passage, pages)),
        )

    def _tables(self, record: SourceRecord, passage: Passage, pages: dict[int, Page]) -> Iterator[drafts.ShownTable]:
        elements = {(part.page_index, part.element_id) for part in passage.parts}
        for index, page in pages.items():
            for table in page.tables:
                if (index, table.element_id) in elements:
                    page_at = partial(self._matter.pages.get, record)
                    yield drafts.ShownTable(parts_of(page, table, page_at))

    def _finished(
        self,
        question: str,
        asked_at: str,
        shown: tuple[ShownPassage, ...],
        draft: drafts.AnswerDraft,
        made: "_Claims",
        seen: Searched,
    ) -> tuple[Answer, bytes]:
        request, report = made.report()
        mode = "hybrid" if any(s.passage.dense_rank is not None for s in shown) else "lexical"
        result = Answer(
            answer_id=made.answer_id,
            question=question,
            asked_at=asked_at,
            model=draft.model,
            prompt_sha256=draft.prompt_sha256,
            retrieval=Retrieval(
                mode, self._options.k, self._embedder_name() if mode == "hybrid" else None, shown,
                len(draft.left_out), seen,
            ),
            claims=tuple(made.claims),
            unanswered=_unanswered(draft, made.claims, seen, [s.passage for s in shown]),
            report=report,
            conflicts=tuple(Conflict(c.kind.value, c.earlier, c.later) for c in draft.conflicts),
            warnings=draft.warnings,
        )  # fmt: skip
        return result, request

    def _embedder_name(self) -> str | None:
        name = getattr(self._encoder, "name", None)
        return name if isinstance(name, str) else None


class _Claims:
    """The claims of one answer as they come, each checked on its own; at the end one report over all of them."""

    def __init__(self, matter: Matter, threshold: int, answer_id: AnswerId) -> None:
        self.answer_id = answer_id
        self.claims: list[AnsweredClaim] = []
        self._matter, self._view, self._threshold = matter, matter.view(), threshold
        self._cited: list[Cited] = []
        self._veto = Veto(matter)

    def take(self, draft: drafts.ClaimDraft) -> ClaimReady:
        first = len(self._cited) + 1
        cited: list[Cited] = [
            (CheckId(f"v{number}"), draft.claim_id, citation) for number, citation in enumerate(draft.citations, first)
        ]
        self._cited.extend(cited)
        checks = self._verified(cited)[1].checks if cited else ()
        ids = tuple(check_id for check_id, _, _ in cited)
        support = self._veto.weighed(draft.text, draft.citations, draft.support)
        claim = AnsweredClaim(
            claim_id=draft.claim_id,
            text=draft.text,
            claim_type=draft.claim_type,
            check_ids=ids,
            support=support,
            release=release(checks, support.label, faulty=draft.fault is not None),
            calculation=_calculation(draft, ids),
            fault=None if draft.fault is None else draft.fault.value,
            superseded=draft.superseded,
            places=tuple((check_id, cell_place(c.cell)) for check_id, _, c in cited if c.cell is not None),
        )
        self.claims.append(claim)
        return ClaimReady(claim, checks)

    def report(self) -> tuple[bytes, VerificationReport]:
        return self._verified(self._cited)

    def _verified(self, cited: Sequence[Cited]) -> tuple[bytes, VerificationReport]:
        request = build_request(self.answer_id, cited)
        return request, checked(self._matter, parse(request), self._view, self._threshold)


def _calculation(draft: drafts.ClaimDraft, ids: tuple[CheckId, ...]) -> Calculation | None:
    made = draft.calculation
    if made is None:
        return None
    return Calculation(made.operation.value, tuple(ids[i] for i in made.operands), made.result, made.unit)


def _unanswered(
    draft: drafts.AnswerDraft, claims: Sequence[AnsweredClaim], seen: Searched, found: Sequence[FoundPassage]
) -> Unanswered | None:
    """Claims that all failed are no answer either: they stay visible, and so does that."""
    if draft.unanswered is not None:
        return Unanswered(draft.unanswered.value, seen, tuple(found[:NEAREST]))
    if all(claim.release is Release.BLOCKED for claim in claims):
        return Unanswered(NONE_VERIFIED, seen, tuple(found[:NEAREST]))
    return None


def _new_answer_id(asked_at: str) -> AnswerId:
    moment = datetime.fromisoformat(asked_at).astimezone(UTC)
    return AnswerId(f"a{moment:%Y%m%d%H%M%S}-{secrets.token_hex(4)}")
