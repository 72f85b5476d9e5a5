"""The gate that decides whether a claim is shown, over every status and support label."""

from dataclasses import replace

import pytest

from app.services.answers.release import release
from verify.domain.claim import Release, SupportLabel
from verify.domain.ids import CheckId
from verify.report import CheckResult, Limitation, Reason, Status

BLOCKING = {Status.MISMATCH, Status.NOT_FOUND, Status.STALE, Status.INVALID, Status.DENIED}


def check(status: Status) -> CheckResult:
    reason = next((r for r in Reason if r.status is status), None)
    return CheckResult(CheckId("v1"), None, "quote", status, None if status is Status.VERIFIED else reason)


@pytest.mark.parametrize("label", SupportLabel)
@pytest.mark.parametrize("status", Status)
def test_every_status_with_every_label(status: Status, label: SupportLabel) -> None:
    if status in BLOCKING or label is SupportLabel.CONTRADICTED:
        expected = Release.BLOCKED
    elif status is Status.VERIFIED and label is SupportLabel.SUPPORTED:
        expected = Release.SHOW
    else:
        expected = Release.NEEDS_REVIEW
    assert release([check(status)], label) is expected


@pytest.mark.parametrize("status", [s for s in Status if s is not Status.VERIFIED])
def test_one_check_that_failed_is_enough(status: Status) -> None:
    mixed = [check(Status.VERIFIED), check(status)]
    assert release(mixed, SupportLabel.SUPPORTED) is not Release.SHOW
    assert release(mixed, SupportLabel.SUPPORTED) is release(mixed[::-1], SupportLabel.SUPPORTED)


def test_a_claim_without_a_check_is_never_shown() -> None:
    assert release([], SupportLabel.SUPPORTED) is Release.BLOCKED


def test_a_claim_that_failed_before_its_checks_is_blocked_whatever_they_say() -> None:
    assert release([check(Status.VERIFIED)], SupportLabel.SUPPORTED, faulty=True) is Release.BLOCKED


@pytest.mark.parametrize("limitation", [Limitation.STRUCK_THROUGH, Limitation.ANNOTATION_TEXT, Limitation.COMMENT_TEXT])
def test_what_a_reader_may_see_otherwise_is_for_the_eye(limitation: Limitation) -> None:
    one = replace(check(Status.VERIFIED), limitations=(limitation,))
    assert release([one], SupportLabel.SUPPORTED) is Release.NEEDS_REVIEW
