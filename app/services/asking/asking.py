"""A question's way: search, answer, check, release, save. Nothing is yielded or returned that was not checked."""

import secrets
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
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
from app.services.answers.calculating import holds
from app.services.answers.cell_places import cell_place
from app.services.answers.history import load_answer, save_answer
from app.services.answers.release import release
from app.services.asking.giving import settled, worded
from app.services.asking.library import MatterLibrary, Sentences
from app.services.asking.searching import Search, SearchOptions, open_search
from app.services.custody import auditing
from app.services.evidence import looking
from app.services.evidence.supporting import Veto
from app.services.evidence.verifying import checked, now, parse
from app.services.matter.matter import Matter
from app.services.matter.scope import searched
from models.answering import drafts
from models.answering.answering import EXTRACTIVE, answer
from models.answering.claiming import Claims
from models.answering.found import Found, State
from models.answering.planner import found as planned
from models.answering.query import Earlier, Query, in_scope, read_query
from models.language.concepts import flat
from verify.domain.canonical import canonical_json, sha256_of
from verify.domain.claim import Citation, Release
from verify.domain.ids import AnswerId, CheckId, ClaimId, SourceId
from verify.domain.progress import Progress
from verify.report import CheckResult, VerificationReport
from verify.request import build_request

if TYPE_CHECKING:
    from models.ports import ChatModel, SentenceEncoder

NEAREST = 3
NONE_VERIFIED = "none_verified"
"""Claims were made, and not one of them stood."""


@dataclass(frozen=True, slots=True)
class AskOptions:
    """``model`` as in ``bootstrap.build_model``, and ``server`` the address of one. ``k`` passages are shown to it.
    ``lasting``: this process has more questions to answer (``open_search``)."""

    model: str = "auto"
    k: int = 8
    sources: tuple[SourceId, ...] = ()
    chroma_url: str | None = None
    ocr_threshold: int | None = None
    lasting: bool = False
    server: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimReady:
    """A claim whose checks were done. Its release may be "blocked": then it is shown as failed."""

    claim: AnsweredClaim
    checks: tuple[CheckResult, ...]


AskSteps = Generator[Progress | ClaimReady, None, Answer]
Cited = tuple[CheckId, ClaimId | None, Citation]


def ask(matter: Matter, question: str, options: AskOptions | None = None) -> AskSteps:
    """One question; the answer is saved before it is returned. Closing the generator cancels the model.

    Raises Usage for an empty or overlong question, InputMissing for an unknown source, StoreFault.
    """
    with open_asking(matter, options or AskOptions()) as asking:
        return (yield from asking.ask(question))


@contextmanager
def open_asking(matter: Matter, options: AskOptions) -> "Iterator[Asking]":
    """For many questions in a row: the indexes and the model are loaded once. A model that is not there leaves the
    documents' own words, and ``trouble`` says why."""
    from app.bootstrap import build_encoder, build_model

    trouble = ""
    try:
        model = build_model(matter.settings, options.model, options.server)
    except EngineUnavailable as error:
        model, trouble = None, str(error)
    try:
        yield Asking(matter, options, model, build_encoder(matter.settings), trouble)
    finally:
        if model is not None:
            model.close()


class Asking:
    """``trouble`` is why the model that was chosen is not there, for people; "" where it is."""

    def __init__(
        self,
        matter: Matter,
        options: AskOptions,
        model: "ChatModel | None",
        encoder: "SentenceEncoder | None",
        trouble: str = "",
    ) -> None:
        self._matter, self._options, self._model, self._encoder = matter, options, model, encoder
        self.trouble = trouble
        self._search: Search | None = None
        self._sentences = Sentences(matter)
        threshold = options.ocr_threshold
        self._threshold = matter.settings.ocr_threshold if threshold is None else threshold

    def ask(
        self, question: str, sources: tuple[SourceId, ...] | None = None, after: AnswerId | None = None
    ) -> AskSteps:
        """The answer, on record and saved. ``sources`` takes the place of the options' for this question; ``after`` is
        an answer that it follows. Raises InputMissing for one that is not there."""
        scope = self._options.sources if sources is None else sources
        result, request = yield from self.unsaved(question, scope, after)
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
        self, question: str, sources: tuple[SourceId, ...] | None = None, after: AnswerId | None = None
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
        self._search.require(scope)
        library = MatterLibrary(self._search, self._sentences, self._encoder, scope, self._options.chroma_url)
        earlier = None if after is None else _earlier(load_answer(self._matter, after))
        query = read_query(question, library.documents, library.mentions, earlier)
        claims = Claims()
        found = planned(query, library, claims)
        if not library.asked:  # what lies nearest, where the strategy did not ask retrieval
            library.ranked(query.text, tuple(d.source_id for d in in_scope(query, library.documents)), self._options.k)
        made = _Claims(self._matter, self._threshold, _new_answer_id(asked_at))
        for claim in claims.made:
            yield made.take(claim)
        draft = _deterministic(query, found, claims, library)
        if self.trouble:
            draft = replace(draft, warnings=(*draft.warnings, "model_unavailable"))
        if self._model is not None:
            draft, found = yield from self._worded(query, library, found, draft, made)
        yield Progress("verify", 0, len(made.claims), "claims")
        shown = self._shown(library, claims)
        answer, request = self._finished(question, asked_at, shown, draft, made, searched(self._matter, scope))
        given = settled(found, answer.claims, answer.report.checks, library.documents)
        answer = replace(answer, given=given, after=after, read_as=query.text if query.completed else None)
        if answer.unanswered is not None:
            wanted = SearchOptions(self._options.k, "hybrid", scope, self._options.chroma_url)
            nowhere = replace(answer.unanswered, unmatched=self._search.unmatched(question, wanted))
            answer = replace(answer, unanswered=nowhere)
        return answer, request

    def _shown(self, library: MatterLibrary, claims: Claims) -> tuple[ShownPassage, ...]:
        """What retrieval found, then the passages of the claims that are not among it."""
        from retrieval.hybrid import Ranked

        assert self._search is not None
        ranked = dict(library.asked)
        for statement in claims.statements:
            passage = statement.passage.passage
            ranked.setdefault(passage.passage_id, Ranked(len(ranked) + 1, passage, 0, None, None))
        found = (replace(r, rank=rank) for rank, r in enumerate(ranked.values(), start=1))
        return tuple(ShownPassage(f"P{n}", self._search.found(r)) for n, r in enumerate(found, start=1))

    def _worded(
        self, query: Query, library: MatterLibrary, found: Found, plain: drafts.AnswerDraft, made: "_Claims"
    ) -> Generator[Progress | ClaimReady, None, tuple[drafts.AnswerDraft, Found]]:
        """The answer in a model's words. One that fails, runs out of time or finds nothing leaves the documents' own
        words. It is asked, too, where these do not answer: it may know what loose wording means."""
        passages = library.ranked(query.text, query.named, self._options.k)
        first, options = len(made.claims), drafts.AnswerOptions(fall_back=False)
        with closing(answer(query.text, passages, self._model, options, self._encoder)) as steps:
            while True:
                try:
                    step = next(steps)
                except StopIteration as end:
                    draft: drafts.AnswerDraft = end.value
                    break
                yield step if isinstance(step, Progress) else made.take(made.renumbered(step))
        own = made.claims[first:]
        if not own or (not found.claim_ids and all(claim.release is not Release.SHOW for claim in own)):
            warnings = (*plain.warnings, *(w for w in draft.warnings if w not in plain.warnings))
            return replace(plain, warnings=warnings), found
        return draft, worded(found, own)

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
        self._matter, self._view, self._threshold = matter, looking.view(matter), threshold
        self._cited: list[Cited] = []
        self._veto = Veto(matter)

    def renumbered(self, draft: drafts.ClaimDraft) -> drafts.ClaimDraft:
        """``draft`` under the next number of this answer."""
        return replace(draft, claim_id=ClaimId(f"c{len(self.claims) + 1}"))

    def take(self, draft: drafts.ClaimDraft) -> ClaimReady:
        first = len(self._cited) + 1
        cited: list[Cited] = [
            (CheckId(f"v{number}"), draft.claim_id, citation) for number, citation in enumerate(draft.citations, first)
        ]
        self._cited.extend(cited)
        ids = tuple(check_id for check_id, _, _ in cited)
        calculation, calculated = _calculation(draft, ids), None
        checks: tuple[CheckResult, ...] = ()
        if cited:
            request, report = self._verified(cited)
            checks = report.checks
            calculated = holds(draft.claim_type, calculation, parse(request), checks)
        support = self._veto.weighed(draft.text, draft.citations, draft.support)
        claim = AnsweredClaim(
            claim_id=draft.claim_id,
            text=draft.text,
            claim_type=draft.claim_type,
            check_ids=ids,
            support=support,
            release=release(checks, support.label, faulty=draft.fault is not None, calculated=calculated),
            calculation=calculation,
            fault=None if draft.fault is None else draft.fault.value,
            superseded=draft.superseded,
            places=tuple((check_id, cell_place(c.cell)) for check_id, _, c in cited if c.cell is not None),
            answers=draft.answers,
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


def _deterministic(query: Query, found: Found, claims: Claims, library: MatterLibrary) -> drafts.AnswerDraft:
    """The answer as the program made it, without a model."""
    silent = found.state is State.SILENT
    prompt = sha256_of(canonical_json([query.text, query.kind.value, [c.text for c in claims.made]]))
    why = drafts.Unanswered.NOT_FOUND if silent else None
    warnings = ("instructions_in_document",) if library.instructed() else ()
    return drafts.AnswerDraft(tuple(claims.made), why, EXTRACTIVE, prompt, (), (), found.conflicts, warnings)


def _earlier(answer: Answer) -> Earlier:
    cited = dict.fromkeys(check.evidence.source_id for check in answer.report.checks if check.evidence is not None)
    given = answer.given
    return Earlier(answer.read_as or answer.question, "" if given is None else given.text, tuple(cited),
                   frozenset(flat(claim.text) for claim in answer.claims))  # fmt: skip


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
