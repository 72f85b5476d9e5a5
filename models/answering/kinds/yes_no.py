"""Yes, no or silent: silent unless telling words are there, with the clause that says it."""

import re
from collections.abc import Sequence

from models.answering.claiming import Claims
from models.answering.found import Found, State
from models.answering.kinds.fact import answering
from models.answering.kinds.rows import over_documents
from models.answering.library import Library, Statement
from models.answering.line import clause_of
from models.answering.picking import order, pick, told_in, wanted_kinds
from models.answering.query import Query, in_scope
from models.language.concepts import flat
from models.language.kinds import Kind
from models.language.telling import Sense
from models.language.wording import STOP_WORDS, stem, words

_BARS = re.compile(
    r"\b(?:(?:shall|may|will|must|can|could|does|do|did|is|are|was|were|has|have|had|would|should) (?:\w+ )?not\b|cannot|can't|n't\b|neither\b|nor\b|no\b|never\b|none\b|nothing\b|"  # noqa: E501
    r"prohibit\w*|refrain\w*|forbid\w*|restrict\w*|prevent\w*|without (?:the )?(?:prior )?(?:express )?(?:written )?(?:consent|approval)|not (?:be )?(?:permitted|allowed|entitled|required|obliged|obligated)|"  # noqa: E501
    r"not to\b|waive[sd]?\b|null and void)"
)
_FORBIDS = re.compile(
    r"\b(?:(?:shall|may|will|must|can) (?:\w+ )?not\b|cannot|neither\b|nor (?:shall|may|will)|prohibit\w*|refrain\w*|forbid\w*|not (?:be )?(?:permitted|allowed)|not to\b|"  # noqa: E501
    r"without (?:\w+ ){0,4}(?:consent|approval)|no (?:party|person|such)\b)"
)
_ASKS_BAR = re.compile(
    r"\b(?:barred|ban|banned|prohibit\w*|prevent\w*|stop|stops|stopped|restrict\w*|forbid\w*|forbidden|keep\w* .{1,30} from|not allowed|restrain\w*)\b"  # noqa: E501
)
_ASKS_LEAVE = re.compile(
    r"\b(?:may|can|could|might|allowed|permitted|free to|entitled|able to|right to|let|lets|possible)\b"
)


class YesNo:
    kind = Kind.YES_NO

    def find(self, query: Query, library: Library, claims: Claims) -> Found | None:
        if query.per_document:
            return over_documents(query, library, claims, Kind.LIST)
        scope = in_scope(query, library.documents)
        told: list[Statement] = []
        if query.telling:
            told = told_in(query, library, scope)
            if not told and _asks_only(query):
                return Found(self.kind, State.SILENT)
        if query.telling and told:
            named = [s for s in told if query.asked.named - query.names <= s.stems] or told
            picked = order(query, library, named)
            best = picked[0].statement if picked else named[0]
            return self._said(query, library, claims, best)
        chosen = answering(query, pick(query, library, [d.source_id for d in scope]))
        if not chosen:
            return Found(self.kind, State.SILENT)
        return self._said(query, library, claims, chosen[0].statement)

    def _said(self, query: Query, library: Library, claims: Claims, best: Statement) -> Found:
        draft = claims.extract(library, best)
        asked = frozenset(query.asked.terms) | query.asked.explained
        clause = clause_of(best.sentence.text, asked, wanted_kinds(query))
        return Found(self.kind, State.STATED, f"{verdict(query, clause)}: {clause}", (draft.claim_id,))


_COVERED = 0.5


def _asks_only(query: Query) -> bool:
    """Whether the question asks for the concept and little else, so that silence on it is the answer."""
    content = [w for w in words(query.flat) if w not in STOP_WORDS and stem(w) not in query.names]
    return max(t.covers(query.flat, content) for t in query.telling) >= _COVERED


def verdict(query: Query, clause: str) -> str:
    """ "Yes" or "No": whether the clause forbids or denies, against whether the question asks for a bar or for leave."""  # noqa: E501
    said = flat(clause)
    bars = _ASKS_BAR.search(query.flat) is not None
    if bars:
        return "Yes" if _BARS.search(said) else "No"
    if query.telling and all(t.sense is Sense.BARS for t in query.telling):
        forbids = _BARS.search(said) is not None
        leave = _ASKS_LEAVE.search(query.flat) is not None
        return ("No" if leave else "Yes") if forbids else ("Yes" if leave else "No")
    if query.telling and not _ASKS_LEAVE.search(query.flat):
        return "No" if _DENIES.search(said) else "Yes"
    return "No" if (_FORBIDS if query.telling else _BARS).search(said) else "Yes"


_DENIES = re.compile(
    r"\b(?:no (?:third[- ]part|minimum|obligation|right|royalt|fee|payment|warrant|insurance|exclusiv)\w*|non-?exclusive\b|(?:is|are|shall) not (?:be )?(?:required|obliged|obligated|intended|exclusive|liable)|not .{0,20}third[- ]part\w+ beneficiar)"  # noqa: E501
)


def negative(said: Sequence[str]) -> bool:
    return any(_BARS.search(text) for text in said)
