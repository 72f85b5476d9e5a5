"""The claims of one answer as a strategy makes them: numbered, and each sentence claimed once."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from models.answering.claims import claim_id, extract_claim
from models.answering.drafts import Answers, ClaimDraft
from models.answering.library import Library, Statement
from verify.domain.ids import ClaimId


@dataclass(slots=True)
class Claims:
    """Numbers the claims of one answer, and makes each sentence a claim once."""

    made: list[ClaimDraft] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    _known: dict[tuple[str, int, int], ClaimId] = field(default_factory=dict)

    def extract(self, library: Library, statement: Statement, answers: Answers = Answers.YES) -> ClaimDraft:
        """The sentence as a claim that is its own quotation; the one there is where it was claimed before."""
        key = (statement.passage.handle, statement.sentence.start, statement.sentence.end)
        if statement.sentence.cell is None and key in self._known:
            return self.get(self._known[key])
        number = len(self.made) + 1
        draft = replace(extract_claim(number, library.full(statement), statement.sentence), answers=answers)
        self._known[key] = draft.claim_id
        self.statements.append(statement)
        return self.add(draft)

    def add(self, draft: ClaimDraft) -> ClaimDraft:
        """``draft`` under the next number."""
        numbered = replace(draft, claim_id=claim_id(len(self.made) + 1))
        self.made.append(numbered)
        return numbered

    def get(self, wanted: ClaimId) -> ClaimDraft:
        return next(claim for claim in self.made if claim.claim_id == wanted)

    def of(self, ids: Sequence[ClaimId]) -> tuple[ClaimDraft, ...]:
        return tuple(claim for claim in self.made if claim.claim_id in ids)
