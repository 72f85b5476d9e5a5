"""The term in force: an answer whose clause another document changes says what it is now, and what it was."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from models.answering.claiming import Claims
from models.answering.documents.amendments import Applied, Change, InForce, find
from models.answering.documents.calendar_days import in_words
from models.answering.documents.changes import Does, plain_day
from models.answering.documents.nature import Standing
from models.answering.documents.studied import Studied, claimed, studied
from models.answering.documents.text import Quote
from models.answering.drafts import Answers
from models.answering.found import Found, Row, State
from models.answering.library import Library
from models.answering.line import LONGEST_LINE, clause_of
from models.answering.picking import wanted_kinds
from models.answering.query import Query
from models.language.values import values
from verify.domain.ids import ClaimId

_LONGEST_BEFORE = 90
_NOT_A_BASIS = {
    Standing.DRAFT: "a draft", Standing.UNSIGNED: "an unsigned copy",
    Standing.WITHOUT_PREJUDICE: "a letter without prejudice",
    Standing.PLEADING: "a pleading", Standing.WORK_PRODUCT: "work product",
}  # fmt: skip


class Amended:
    def revise(self, query: Query, found: Found, library: Library, claims: Claims) -> Found:
        if found.state is State.SILENT and not found.rows:
            return found
        study = studied(library)
        if not study.amendments.changes:
            return found
        follow = _Following(query, library, claims, study)
        text, ids = follow.line(found.text, found.claim_ids)
        rows = tuple(_row(row, follow) for row in found.rows)
        return replace(found, text=text, claim_ids=ids, rows=rows)


def _row(row: Row, follow: "_Following") -> Row:
    if not row.claim_ids or row.state is not State.STATED:
        return row
    text, ids = follow.line(row.text, row.claim_ids)
    return replace(row, text=text, claim_ids=ids)


@dataclass(frozen=True, slots=True)
class _Slot:
    """Words of the clause as it first was, and the changes that took their place, in order of time."""

    first: str
    changes: tuple[Applied, ...]


@dataclass(frozen=True, slots=True)
class _Following:
    query: Query
    library: Library
    claims: Claims
    study: Studied

    def line(self, text: str, ids: Sequence[ClaimId]) -> tuple[str, tuple[ClaimId, ...]]:
        """The line with the terms in force, and the claims that prove it: the clause, then each change."""
        cited = list(self._cited(ids))
        orders = any(self.study.amendments.made_by(quote) for quote in cited)
        for quote in cited:
            for base in self._changed(quote):
                force = self.study.amendments.in_force(base)
                revised = force and self._revised("" if orders else text, base, force)
                if revised:
                    kept = [i for i in ids if i not in revised[1]]
                    return revised[0], (*revised[1], *kept)
        return text, tuple(ids)

    def _cited(self, ids: Sequence[ClaimId]) -> Iterator[Quote]:
        wanted = {i for claim in self.claims.of(ids) for i in claim.sentence_ids}
        for statement in self.claims.statements:
            quote = self.study.quote(statement)
            if quote is not None and statement.sentence.sentence_id in wanted:
                yield quote

    def _changed(self, quote: Quote) -> Sequence[Quote]:
        """The sentence itself; where it is one that changes a clause, the sentences that it changes."""
        made = [c for c in self.study.amendments.made_by(quote) if c.nature.changes_others or self.query.draft]
        return [q for change in made for q in self.study.amendments.changed_by(change)] if made else [quote]

    def _revised(self, line: str, base: Quote, force: InForce) -> tuple[str, list[ClaimId]] | None:
        """None where the change is of other words than those of the line; an empty ``line`` is the clause's own."""
        whole = next(
            (a for a in reversed(force.applied) if a.change.instruction.does in (Does.RESTATE, Does.DELETE)), None
        )
        if whole is not None:
            said, slots = self._whole(base, whole), [_Slot(whole.old, (whole,))]
        else:
            line = line or self._clause(base.text)
            slots = [slot for slot in _slots(force.applied) if find(slot.first, line) is not None]
            said = line
            for slot in slots:
                place = find(slot.first, said)
                if place is not None:
                    said = said[: place[0]] + slot.changes[-1].new + said[place[1] :]
        notes = [_note(slot) for slot in slots]
        drafts = [a for a in force.proposed if find(a.old, said) is not None]
        more = (
            [_proposed(a) for a in drafts] + [_coming(a) for a in force.coming] + [_special(c) for c in force.overrides]
        )
        more += [_ended(c) for c in force.ended]
        if not notes and not more:
            return None
        shown = said.rstrip(" .") + (f" ({'; '.join(notes)})." if notes else ".")
        for note in more:
            if len(shown) + len(note) < LONGEST_LINE:
                shown = f"{shown} {note}"
        return shown, self._proof(base, slots, [a.change for a in (*drafts, *force.coming)], force)

    def _whole(self, base: Quote, applied: Applied) -> str:
        if applied.new:
            return self._clause(applied.new)
        clause = applied.change.instruction.clause
        return f"{clause.shown if clause else 'The clause'} is deleted"

    def _clause(self, text: str) -> str:
        return clause_of(text, frozenset(self.query.asked.terms), wanted_kinds(self.query))

    def _proof(self, base: Quote, slots: Sequence[_Slot], others: Sequence[Change], force: InForce) -> list[ClaimId]:
        """The clause, the changes in force with the opening of each amending document, then what is only proposed."""
        changes = [a.change for slot in slots for a in slot.changes]
        ids = [self._claim(base)]
        for change in (*changes, *force.overrides, *force.ended):
            ids += [self._claim(q) for q in (*change.quotes, *self._opening(change))]
        ids += [self._claim(q, Answers.NO) for change in others for q in change.quotes]
        return [i for i in ids if i is not None]

    def _opening(self, change: Change) -> tuple[Quote, ...]:
        """The sentence in which the amending document gives its day."""
        document = self.study.by_id[change.quotes[0].source_id]
        days = {change.dated, change.instruction.effective} - {None}
        dated = (q for q in document.quotes if any(plain_day(v) in days for v in values(q.text)))
        return tuple(q for q in dated if q not in change.quotes)[:1] if change.dated else ()

    def _claim(self, quote: Quote, answers: Answers = Answers.YES) -> ClaimId | None:
        return claimed(self.library, self.claims, quote, answers)


def _slots(applied: Sequence[Applied]) -> list[_Slot]:
    slots: list[_Slot] = []
    for one in applied:
        known = next((s for s in slots if find(one.old, s.changes[-1].new) or s.changes[-1].new == one.old), None)
        if known is None:
            slots.append(_Slot(one.old, (one,)))
        else:
            slots[slots.index(known)] = _Slot(known.first, (*known.changes, one))
    return slots


def _when(change: Change) -> str:
    if change.instruction.effective and change.instruction.effective != change.dated:
        return f", from {_day(change.instruction.effective)}"
    return f", {_day(change.dated)}" if change.dated else ""


def _day(iso: str) -> str:
    return in_words(date.fromisoformat(iso)) if len(iso) == len("2020-01-01") else iso


def _note(slot: _Slot) -> str:
    """ "Amendment No. 2, from 1 March 2024; before: seventy-five (75) days, Amendment No. 1; first: ten days"."""
    last = slot.changes[-1].change
    earlier = [f"{a.new} by {a.change.name}" for a in reversed(slot.changes[:-1])]
    before = "; before: ".join([*earlier, _short(slot.first)])
    return f"{last.name}{_when(last)}; before: {before}"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_BEFORE else text[:_LONGEST_BEFORE].rsplit(" ", 1)[0] + " …"


def _kind_of(change: Change) -> str:
    return _NOT_A_BASIS.get(change.nature.standing, "a document")


def _proposed(applied: Applied) -> str:
    kind = _kind_of(applied.change)
    return f"{kind[:1].upper()}{kind[1:]} ({applied.change.name}), not in force, would make it {applied.new}."


def _coming(applied: Applied) -> str:
    return f"From {_day(applied.change.instruction.effective or '')}: {applied.new} ({applied.change.name})."


def _special(change: Change) -> str:
    return f"{change.name}{_when(change)}: {_short(change.instruction.new)}."


def _ended(change: Change) -> str:
    return f"{change.name}{_when(change)}, lapsed on {_day(change.instruction.lapses or '')}."
