"""Yes, no or silent: silent unless telling words are there, with the clause that says it; only the clause where it does
not say which."""

import re

from models.answering.claiming import Claims
from models.answering.found import Found, State
from models.answering.kinds.fact import answering
from models.answering.kinds.rows import over_documents
from models.answering.library import Library, Statement
from models.answering.line import clause_of
from models.answering.picking import field_of, order, pick, told_in, wanted_kinds
from models.answering.query import Query, in_scope
from models.language.concepts import flat
from models.language.kinds import Kind
from models.language.leave import answer_of
from models.language.telling import Sense
from models.language.wording import STOP_WORDS, stem, words

_BARS = re.compile(
    r"\b(?:(?:shall|may|will|must|can|could|does|do|did|is|are|was|were|has|have|had|would|should) (?:\w+ )?not\b|cannot|can't|n't\b|neither\b|nor\b|no\b|never\b|none\b|nothing\b|"  # noqa: E501
    r"prohibit\w*|refrain\w*|forbid\w*|restrict\w*|prevent\w*|without (?:the )?(?:prior )?(?:express )?(?:written )?(?:consent|approval)|not (?:be )?(?:permitted|allowed|entitled|required|obliged|obligated)|"  # noqa: E501
    r"not to\b|waive[sd]?\b|null and void)"
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
        field = field_of(best)
        said = verdict(query, best.sentence.text, clause) if field is None else ticked(query, *field)
        return Found(self.kind, State.STATED, f"{said}: {clause}" if said else clause, (draft.claim_id,))


_COVERED = 0.5


def _asks_only(query: Query) -> bool:
    """Whether the question asks for the concept and little else, so that silence on it is the answer."""
    content = [w for w in words(query.flat) if w not in STOP_WORDS and stem(w) not in query.names]
    return max(t.covers(query.flat, content) for t in query.telling) >= _COVERED


def verdict(query: Query, sentence: str, clause: str) -> str:
    """ "Yes", "No", or "" where they do not say which: of leave, a bar or a consent by the whole sentence, since a
    proviso may turn it; else by what the clause that is shown denies."""
    leave = answer_of(query.flat, flat(sentence), frozenset(query.asked.terms) - query.names)
    if leave is not None:
        return leave
    said = flat(clause)
    if query.telling and all(t.sense is Sense.BARS for t in query.telling):
        return "Yes" if _BARS.search(said) else "No"
    return "No" if (_DENIES if query.telling else _BARS).search(said) else "Yes"


def ticked(query: Query, label: str, filled: str) -> str:
    """What a form field's state answers: "" where it is neither yes nor no, or where only one of label and question
    denies what the other states."""
    state = _STATES.get(flat(filled).strip(" ."))
    alike = (_BARS.search(flat(label)) is None) is (_BARS.search(query.flat) is None)
    return state if state is not None and alike else ""


_STATES = {"yes": "Yes", "y": "Yes", "true": "Yes", "no": "No", "n": "No", "false": "No"}
_DENIES = re.compile(
    r"\b(?:no (?:third[- ]part|minimum|obligation|right|royalt|fee|payment|warrant|insurance|exclusiv)\w*|non-?exclusive\b|(?:is|are|shall) not (?:be )?(?:required|obliged|obligated|intended|exclusive|liable)|not .{0,20}third[- ]part\w+ beneficiar)"  # noqa: E501
)
