"""Short ways to ask the engine for a verdict, for the verifier's tests."""

import json
from typing import Any

from verify_pages import GOOD, FakeSource, FakeSources

from verify.engine import verify
from verify.report import CheckResult, VerificationReport

AT = "2026-01-02T03:04:05Z"


def check(kind: str = "quote", page: int = 0, **fields: Any) -> dict[str, Any]:
    return {
        "check_id": "c",
        "kind": kind,
        "source_id": "deed",
        "document_fingerprint": GOOD,
        "page_index": page,
        **fields,
    }


def quote(text: str, page: int = 0, **fields: Any) -> dict[str, Any]:
    return check("quote", page, expected_text=text, **fields)


def body(*checks: Any, **more: Any) -> bytes:
    return json.dumps({"schema": "pincite.request/1", "request_id": "r", "checks": list(checks), **more}).encode()


def report(*checks: Any, sources: tuple[FakeSource, ...], ocr_threshold: int = 600) -> VerificationReport:
    return verify(body(*checks), FakeSources(*sources), checked_at=AT, ocr_threshold=ocr_threshold)


def ask(one: Any, *sources: FakeSource, ocr_threshold: int = 600) -> CheckResult:
    return report(one, sources=sources, ocr_threshold=ocr_threshold).checks[0]


def verdict(one: Any, *sources: FakeSource) -> str:
    """ "verified", or the reason."""
    result = ask(one, *sources)
    return result.reason.value if result.reason else result.status.value
