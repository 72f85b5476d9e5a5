"""The middle pane: a question, the claims that answer it as they come, and the decisions taken on them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from app import messages
from app.backend.protocol import Failed
from app.backend.requests import Ask, ClaimDone, LoadAnswer, ReviewClaim, UndoReview
from app.services.answers.answers import Answer, AnsweredClaim, Decision
from app.viewmodels.answer_head import AnswerHead, head_of
from app.viewmodels.cards import ClaimCard, NoAnswer, card_of, headings_of, no_answer, not_read_words, searched_words
from app.viewmodels.matter import MatterModel, Reading
from app.viewmodels.observe import Event
from app.viewmodels.running import Runner
from app.viewmodels.wording import count
from verify.domain.ids import AnswerId, CheckId, ClaimId
from verify.domain.progress import Progress
from verify.report import CheckResult


class AskState(StrEnum):
    EMPTY = "empty"
    ASKING = "asking"
    LOADING = "loading"
    SHOWN = "shown"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Undoable:
    answer_id: AnswerId
    claim_id: ClaimId
    words: str


_STAGES = {
    "retrieve": "Looking for passages",
    "embed": "Preparing search by meaning",
    "answer": "Reading the passages",
    "verify": "Checking each quotation against its page",
    "fetch": "Fetching the model",
}


class AskModel:
    """Cards are numbered as they were made; those that failed are shown after the others, never among them."""

    def __init__(self, runner: Runner, matter: MatterModel) -> None:
        self._runner = runner
        self._matter = matter
        self.state = AskState.EMPTY
        self.question = ""
        self.answer: Answer | None = None
        self.progress = ""
        self.message = ""
        self.model = "auto"
        self.reviewer = ""
        self.evidence_opened = False
        self.chosen: ClaimId | None = None
        self.changed: Event[[]] = Event()
        self.card_added: Event[[ClaimCard]] = Event()
        self.card_changed: Event[[ClaimCard]] = Event()
        self.chosen_changed: Event[[]] = Event()
        self.progressed: Event[[]] = Event()
        self.failed: Event[[str]] = Event()
        self._claims: list[tuple[AnsweredClaim, tuple[CheckResult, ...]]] = []
        self._job: int | None = None
        self._turn = 0
        self._undo: list[Undoable] = []
        matter.opened.connect(self._clear)

    def _clear(self) -> None:
        if self._job is not None:
            self._runner.cancel(self._job)
        self._turn += 1
        self._job, self.answer, self._claims, self._undo = None, None, [], []
        self.chosen, self.question, self.message = None, "", ""
        self._set_state(AskState.EMPTY)

    @property
    def can_ask(self) -> bool:
        return self._matter.can_ask and (self._job is None or self.state is AskState.LOADING)

    @property
    def why_not(self) -> str:
        """What keeps a question from being asked, in words; empty if nothing does."""
        if self._matter.root is None:
            return "Open a folder of documents first."
        if not self._matter.can_ask:
            reading = self._matter.reading.state is Reading.RUNNING
            return (
                "Questions can be asked as soon as the first document is read."
                if reading
                else ("No document of this folder could be read yet.")
            )
        return ""

    def ask(self, question: str, follows: bool = False) -> None:
        """``follows``: as a follow-up to the answer that is shown."""
        question = " ".join(question.split())
        root = self._matter.root
        if not question or root is None or not self.can_ask:
            return
        after = self.answer.answer_id if follows and self.answer is not None else None
        self.question, self.answer, self._claims, self.chosen, self.message = question, None, [], None, ""
        self._undo = []
        self.progress = _STAGES["retrieve"]
        self._begin(Ask(root, question, self.model, after=after), AskState.ASKING)

    def cancel(self) -> None:
        if self._job is not None:
            self.progress = "Stopping"
            self.progressed.emit()
            self._runner.cancel(self._job)

    def load(self, answer_id: AnswerId) -> None:
        root = self._matter.root
        if root is None or self.state is AskState.ASKING:
            return
        self._claims, self.answer, self.chosen, self._undo = [], None, None, []
        self._begin(LoadAnswer(root, answer_id), AskState.LOADING)

    def _begin(self, request: Ask | LoadAnswer, state: AskState) -> None:
        """One at a time: what comes from an earlier request after this is not heard."""
        if self._job is not None:
            self._runner.cancel(self._job)
        self._turn += 1
        turn = self._turn

        def heard(listener: Callable[..., object]) -> Callable[..., object]:
            return lambda *told: listener(*told) if turn == self._turn else None

        self._job = self._runner.start(
            request, heard(self._answered), heard(self._not_answered), heard(self._event), heard(self._stopped)
        )
        self._set_state(state)

    @property
    def cards(self) -> tuple[ClaimCard, ...]:
        """Those that stand, then those that failed."""
        made = [self._card(i) for i in range(len(self._claims))]
        return tuple([c for c in made if not c.blocked] + [c for c in made if c.blocked])

    def card(self, claim_id: ClaimId) -> ClaimCard | None:
        return next((c for c in self.cards if c.claim_id == claim_id), None)

    def check(self, check_id: CheckId) -> CheckResult | None:
        return next((k for _, checks in self._claims for k in checks if k.check_id == check_id), None)

    @property
    def all_checks(self) -> tuple[CheckResult, ...]:
        return tuple(check for _, checks in self._claims for check in checks)

    def citation_beside(self, check_id: CheckId | None, by: int) -> tuple[ClaimId, CheckId] | None:
        """The next (1) or previous (-1) citation that can be shown, in the order of the cards, round at the ends."""
        shown = [
            (card.claim_id, line.check_id)
            for card in self.cards
            for line in card.citations
            if line.can_show and line.check_id is not None
        ]
        if not shown:
            return None
        at = next((i for i, (_, check) in enumerate(shown) if check == check_id), -1 if by > 0 else 0)
        return shown[(at + by) % len(shown)]

    @property
    def no_answer(self) -> NoAnswer | None:
        return None if self.answer is None else no_answer(self.answer)

    @property
    def head(self) -> AnswerHead | None:
        return None if self.answer is None else head_of(self.answer)

    @property
    def basis(self) -> str:
        """``9 documents, 61 pages searched; answered without a model, in the documents' own words``."""
        if self.answer is None or self.answer.unanswered is not None:
            return ""
        words = searched_words(self.answer.retrieval.searched)
        return f"{words}; answered {messages.answered_by(self.answer.model)}"

    @property
    def remarks(self) -> tuple[str, ...]:
        """Claims that cannot both hold, and what went wrong in the making, in words."""
        if self.answer is None:
            return ()
        numbers = {claim.claim_id: i for i, (claim, _) in enumerate(self._claims, start=1)}
        pairs: dict[str, list[str]] = {}
        for conflict in self.answer.conflicts:
            if conflict.earlier in numbers and conflict.later in numbers:
                first, second = sorted((numbers[conflict.earlier], numbers[conflict.later]))
                pairs.setdefault(messages.CONFLICTS[conflict.kind], []).append(f"{first} and {second}")
        conflicts = [f"Claims {', '.join(found)}: {words}" for words, found in pairs.items()]
        return (*conflicts, *(messages.ANSWER_WARNINGS[code] for code in self.answer.warnings))

    @property
    def not_read(self) -> tuple[str, ...]:
        return () if self.answer is None else not_read_words(self.answer.retrieval.searched)

    @property
    def tally(self) -> str:
        """``2 of 5 claims decided``."""
        decided = sum(c.review is not None and not c.review.reopened for c in self.cards)
        return f"{decided} of {count(len(self._claims), 'claim')} decided" if self._claims else ""

    # -- choosing

    def choose(self, claim_id: ClaimId | None) -> None:
        if claim_id != self.chosen:
            self.chosen = claim_id
            self.chosen_changed.emit()

    def step(self, by: int) -> None:
        """The next (1) or previous (-1) claim in the order shown; stays at the ends."""
        ids = [c.claim_id for c in self.cards]
        if not ids:
            return
        at = ids.index(self.chosen) + by if self.chosen in ids else (0 if by > 0 else len(ids) - 1)
        self.choose(ids[min(max(at, 0), len(ids) - 1)])

    # -- deciding

    def decide(
        self, claim_id: ClaimId, decision: Decision, note: str = "", authority: str = "", relevance: str = ""
    ) -> None:
        """Records it under the reviewer's name, with the time. What was written before stays where nothing new is."""
        root, answer, card = self._matter.root, self.answer, self.card(claim_id)
        if root is None or answer is None or card is None:
            return
        before = card.review
        request = ReviewClaim(
            root,
            answer.answer_id,
            claim_id,
            decision,
            self.reviewer,
            note or (before.note if before else "") or None,
            authority or (before.authority if before else "") or None,
            relevance or (before.relevance if before else "") or None,
        )
        undo = Undoable(answer.answer_id, claim_id, f"{messages.DECISIONS[decision]}, claim {card.number}")
        self._runner.start(request, lambda changed: self._decided(changed, undo), self._not_decided)

    def write_note(self, claim_id: ClaimId, note: str, authority: str, relevance: str) -> None:
        """A note belongs to a decision; on an undecided claim it marks that the claim needs work."""
        card = self.card(claim_id)
        if card is not None:
            decision = Decision.NEEDS_WORK if card.review is None else card.review.decision
            self.decide(claim_id, decision, note, authority, relevance)

    @property
    def undo_words(self) -> str:
        """What ``undo`` would take back; empty if nothing."""
        return self._undo[-1].words if self._undo else ""

    def undo(self) -> None:
        root = self._matter.root
        if root is not None and self._undo:
            last = self._undo.pop()
            request = UndoReview(root, last.answer_id, last.claim_id)
            self._runner.start(request, lambda changed: self._decided(changed, None), self._not_decided)

    def _decided(self, changed: Answer, undo: Undoable | None) -> None:
        if self.answer is None or changed.answer_id != self.answer.answer_id:
            return
        if undo is not None:
            self._undo.append(undo)
        before = {c.claim_id: c for c in self.cards}
        self._take(changed)
        for card in self.cards:
            if before.get(card.claim_id) != card:
                self.card_changed.emit(card)
        self.progressed.emit()
        self._matter.refresh()

    def _not_decided(self, failed: Failed) -> None:
        self.failed.emit(failed.words)

    # -- what the backend says

    def _event(self, event: Progress | ClaimDone) -> None:
        if isinstance(event, ClaimDone):
            self._claims.append((event.claim, event.checks))
            if self.chosen is None:
                self.step(1)
            self.card_added.emit(self._card(len(self._claims) - 1))
            return
        self.progress = _STAGES.get(event.stage, "Working")
        if event.total:
            self.progress += f": {event.done:,} of {count(event.total, event.unit.removesuffix('s'))}"
        self.progressed.emit()

    def _answered(self, answer: Answer) -> None:
        self._job = None
        self._take(answer)
        self.question = answer.question
        if self.chosen is None:
            self.step(1)
        self._set_state(AskState.SHOWN)
        self._matter.refresh()

    def _not_answered(self, failed: Failed) -> None:
        self._job, self.message = None, failed.words
        self._set_state(AskState.FAILED)

    def _stopped(self) -> None:
        self._job, self.message = None, "Stopped. Nothing of it was saved; ask again to start over."
        self._set_state(AskState.FAILED)

    def _take(self, answer: Answer) -> None:
        self.answer = answer
        self._claims = [(claim, answer.checks_of(claim)) for claim in answer.claims]

    def _card(self, index: int) -> ClaimCard:
        claim, checks = self._claims[index]
        headings = {} if self.answer is None else headings_of(self.answer)
        card = card_of(claim, checks, index + 1, self._matter.name_of, headings)
        said = self.head is not None and " ".join(claim.text.split()) == " ".join(self.head.line.split())
        return replace(card, said_above=said)

    def _set_state(self, state: AskState) -> None:
        if state in (AskState.EMPTY, AskState.ASKING, AskState.LOADING):
            self.evidence_opened = False
        self.state = state
        self.changed.emit()
