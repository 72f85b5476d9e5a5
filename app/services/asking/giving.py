"""The answer line and its rows once their claims were checked: what no verified claim holds is not said."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from app.services.answers.answers import AnsweredClaim
from models.answering.found import Found, Row, State
from models.answering.library import Document
from models.answering.line import held, joined
from models.language.kinds import Kind
from verify.domain.claim import Release
from verify.domain.ids import CheckId, ClaimId
from verify.report import CheckResult


def settled(
    found: Found, claims: Sequence[AnsweredClaim], checks: Iterable[CheckResult], documents: Sequence[Document]
) -> Found:
    """``found`` with only claims that stand, its line and rows held to their words. A row or an answer that loses all
    its claims is unclear or silent: it is not said."""
    standing = {c.claim_id: c for c in claims if c.release is not Release.BLOCKED}
    evidence = {check.check_id: check for check in checks}
    spoken = {claim_id: _spoken(claim, evidence) for claim_id, claim in standing.items()}
    about = [f"{d.path} {d.title} {d.dated or ''}" for d in documents]
    stated = sum(row.state is State.STATED for row in found.rows)
    about.append(f"{stated} {len(found.rows)}")  # how many rows of how many: counted, not quoted
    rows = tuple(_row(row, spoken, about) for row in found.rows)
    ids = _kept(found.claim_ids, spoken)
    everything = [text for texts in spoken.values() for text in texts] + about + [row.text for row in rows]
    premise = found.premise
    if premise is not None and not held(premise.text, [*everything, premise.text if not premise.claim_ids else ""]):
        premise = None
    if found.state is State.SILENT or (found.rows and not found.claim_ids):
        return replace(found, rows=rows, claim_ids=ids, premise=premise)
    if not ids and not any(row.claim_ids for row in rows):
        return replace(found, state=State.SILENT, text="", claim_ids=(), rows=rows, premise=premise)
    text = found.text
    if not held(text, everything):
        text = joined([standing[i].text for i in ids[:2]])
    return replace(found, text=text, claim_ids=ids, rows=rows, premise=premise)


def _kept(ids: Sequence[ClaimId], spoken: "dict[ClaimId, list[str]]") -> tuple[ClaimId, ...]:
    return tuple(i for i in ids if i in spoken)


def _row(row: Row, spoken: "dict[ClaimId, list[str]]", about: Sequence[str]) -> Row:
    ids = _kept(row.claim_ids, spoken)
    if row.claim_ids and not ids:
        return replace(row, state=State.UNCLEAR, text="", claim_ids=())
    texts = [text for i in ids for text in spoken[i]]
    text = row.text if not ids or held(row.text, [*texts, *about]) else joined([spoken[ids[0]][0]])
    return replace(row, text=text, claim_ids=ids)


def _spoken(claim: AnsweredClaim, evidence: "dict[CheckId | None, CheckResult]") -> list[str]:
    found = [evidence[i].evidence for i in claim.check_ids if i in evidence]
    return [claim.text, *(e.text for e in found if e is not None and e.text), *(w for _, w in claim.places)]


def worded(found: Found, claims: Sequence[AnsweredClaim]) -> Found:
    """The same answer said with the claims that a model worded, those that are borne out; as it was where none is."""
    shown = [c for c in claims if c.release is Release.SHOW]
    if not shown or found.kind in (Kind.LIST, Kind.COUNT, Kind.COMPARE, Kind.CHRONOLOGY, Kind.CALCULATION):
        return found
    return replace(found, state=State.STATED, text=joined([c.text for c in shown[:2]]),
                   claim_ids=tuple(c.claim_id for c in shown))  # fmt: skip
