"""Whether a claim is shown, held back for review, or blocked: the one gate, a pure function (contract, section 6)."""

from collections.abc import Sequence

from verify.domain.claim import Release, SupportLabel
from verify.report import CheckResult, Limitation, Status

_BLOCKING = frozenset({Status.MISMATCH, Status.NOT_FOUND, Status.STALE, Status.INVALID, Status.DENIED})
_FOR_THE_EYE = frozenset({
    Limitation.STRUCK_THROUGH, Limitation.DELETED_TEXT, Limitation.INSERTED_TEXT, Limitation.COMMENT_TEXT,
    Limitation.OBJECT_INSIDE_QUOTE, Limitation.ANNOTATION_TEXT, Limitation.FIELD_TEXT,
    Limitation.NOT_LOOKED_AT, Limitation.NOT_READ_AGAIN,
})  # fmt: skip
"""The limitations of the contract's section 5, rule 6: the words stand there, and a person looks at how."""


def release(
    checks: Sequence[CheckResult], support: SupportLabel, *, faulty: bool = False, calculated: bool | None = None
) -> Release:
    """``faulty``: the claim failed before any check (it cites what was not shown, or nothing). A claim without a
    check is never shown. A worded claim's ``support`` is that of the alignment with its cited words and of triage, the
    weaker of the two (``supporting.Veto``). ``calculated``: whether its verified operands give the stated result."""
    if faulty or not checks or support is SupportLabel.CONTRADICTED:
        return Release.BLOCKED
    if any(check.status in _BLOCKING for check in checks):
        return Release.BLOCKED
    verified = all(check.status is Status.VERIFIED for check in checks)
    if calculated is False:
        return Release.BLOCKED if verified else Release.NEEDS_REVIEW
    if any(_FOR_THE_EYE.intersection(check.limitations) for check in checks):
        return Release.NEEDS_REVIEW
    if support is SupportLabel.SUPPORTED and verified:
        return Release.SHOW
    return Release.NEEDS_REVIEW
