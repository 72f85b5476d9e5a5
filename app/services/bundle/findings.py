"""What a check of a bundle finds."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from app.services.answers.answers import Answer
from verify.report import VerificationReport

CHECK_SCHEMA = "pincite.bundle-check/1"


class Fault(StrEnum):
    """What can be wrong with a bundle; worded in ``app.messages``."""

    NOT_READABLE = "not_readable"
    MISSING = "missing"
    NOT_LISTED = "not_listed"
    UNEXPECTED = "unexpected"
    HASH_DIFFERS = "hash_differs"
    CORE_HASH_DIFFERS = "core_hash_differs"
    CONTAINER_DIFFERS = "container_differs"
    SIGNATURE_WRONG = "signature_wrong"
    SIGNATURE_MISSING = "signature_missing"
    REPORT_DIFFERS = "report_differs"
    RELEASE_DIFFERS = "release_differs"
    CLAIM_DIFFERS = "claim_differs"
    MATCH_DIFFERS = "match_differs"
    PICTURE_DIFFERS = "picture_differs"
    AUDIT_BROKEN = "audit_broken"
    REVIEW_DIFFERS = "review_differs"
    SOURCES_DIFFER = "sources_differ"
    MEMO_DIFFERS = "memo_differs"
    DOCUMENT_DIFFERS = "document_differs"


@dataclass(frozen=True, slots=True)
class BundleFinding:
    """``detail`` is ids and hashes, never text of a document."""

    member: str
    code: Fault
    detail: str


@dataclass(frozen=True, slots=True)
class BundleCheck:
    """``signed_by`` is the public key (hex) of a signature that holds; whose it is a person has to know."""

    findings: tuple[BundleFinding, ...]
    core_sha256: str | None
    signed_by: str | None
    against_documents: bool

    @property
    def ok(self) -> bool:
        return not self.findings

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": CHECK_SCHEMA,
            "ok": self.ok,
            "core_sha256": self.core_sha256,
            "signed_by": self.signed_by,
            "against_documents": self.against_documents,
            "findings": [{"member": f.member, "code": f.code.value, "detail": f.detail} for f in self.findings],
        }


@dataclass(frozen=True, slots=True)
class Opened:
    """A bundle whose parts could be read. ``sources`` is its list of the documents cited, as it was found; ``members``
    are all but the manifest."""

    answer: Answer
    report: VerificationReport
    request: bytes
    ocr_threshold: int
    evidence: list[dict[str, Any]]
    sources: bytes
    members: dict[str, bytes]
    not_drawn: frozenset[str]
