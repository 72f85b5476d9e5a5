"""Whether a claim is shown, held back for review, or blocked: the one gate, a pure function (contract, section 6)."""

from collections.abc import Sequence

from verify.domain.claim import Release, SupportLabel
from verify.report import CheckResult, Status

_BLOCKING = frozenset({Status.MISMATCH, Status.NOT_FOUND, Status.STALE, Status.INVALID, Status.DENIED})


def release(checks: Sequence[CheckResult], support: SupportLabel, *, faulty: bool = False) -> Release:
    """``faulty``: the claim failed before any check (it cites what was not shown, or nothing). A claim without a
    check is never shown."""
    if faulty or not checks or support is SupportLabel.CONTRADICTED:
        return Release.BLOCKED
    if any(check.status in _BLOCKING for check in checks):
        return Release.BLOCKED
    if support is SupportLabel.SUPPORTED and all(check.status is Status.VERIFIED for check in checks):
        return Release.SHOW
    return Release.NEEDS_REVIEW
