"""Words that are struck through: named as such beside what the live words say, and never the answer."""

from dataclasses import replace

from models.answering.claiming import Claims
from models.answering.claims import with_struck
from models.answering.drafts import Answers
from models.answering.found import Found, State
from models.answering.kinds.fact import answering
from models.answering.library import Library, Standing, Statement
from models.answering.line import LONGEST_LINE, clause_of
from models.answering.picking import order, wanted_kinds
from models.answering.query import Query
from models.language.concepts import flat
from models.language.wording import stem_set


class Struck:
    def revise(self, query: Query, found: Found, library: Library, claims: Claims) -> Found:
        if found.state is State.SILENT and not found.rows and found.note is None:
            return _struck_out(query, found, library, claims)
        cited = {i for claim in claims.of(found.claim_ids) for i in claim.sentence_ids}
        text = found.text
        for statement in claims.statements:
            sentence = statement.sentence
            if sentence.sentence_id in cited and sentence.struck:
                noted = with_struck(text, sentence)
                text = noted if len(noted) <= LONGEST_LINE else f"{text} (words struck through)".strip()
        return replace(found, text=text)


def _struck_out(query: Query, found: Found, library: Library, claims: Claims) -> Found:
    """Where nothing answers: the clause that would, were it not struck out, said to be so and no answer."""
    bound = [d for d in library.documents if d.standing is not Standing.OWN]
    bound = [d for d in bound if d.source_id in query.named] or bound
    gone = [s for d in bound for s in library.statements(d.source_id) if s.sentence.struck and not s.sentence.text]
    by_place = {(s.source_id, s.order): s for s in gone}
    chosen = answering(query, order(query, library, [_as_it_was(s) for s in gone]), most=1)
    if not chosen:
        return found
    statement = by_place[chosen[0].statement.source_id, chosen[0].statement.order]
    draft = claims.extract(library, statement, Answers.NO)
    asked = frozenset(query.asked.terms) | query.asked.explained
    clause = clause_of(statement.sentence.struck, asked, wanted_kinds(query))
    return Found(found.kind, State.STATED, f"Struck through: {clause}", (draft.claim_id,))


def _as_it_was(statement: Statement) -> Statement:
    text = statement.sentence.struck
    sentence = statement.sentence._replace(text=text)
    return statement._replace(sentence=sentence, flat=flat(text), stems=stem_set((text,)))
