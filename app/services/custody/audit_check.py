"""Checks the audit log's chain: an edited line, a line taken out or put in, and a cut tail are each named."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from app.services.custody.auditing import AUDIT_HEAD, GENESIS
from app.services.matter.matter import Matter
from verify.domain.canonical import canonical_json, sha256_of

AUDIT_SCHEMA = "pincite.audit/1"


class Break(StrEnum):
    """What is wrong with the chain; worded in ``app.messages``."""

    NOT_READABLE = "not_readable"  # no JSON, or not in the one form that is written
    CHAIN_BROKEN = "chain_broken"  # the line does not follow the one before it
    TAIL_CUT = "tail_cut"  # the store knows a newer line than the log holds
    HALF_LINE = "half_line"  # a process died while it wrote; the next line takes its place


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """``line`` counts from 1."""

    line: int
    code: Break


@dataclass(frozen=True, slots=True)
class AuditCheck:
    entries: tuple[dict[str, Any], ...]
    findings: tuple[AuditFinding, ...]
    head: str

    @property
    def ok(self) -> bool:
        return all(f.code is Break.HALF_LINE for f in self.findings)

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": AUDIT_SCHEMA,
            "ok": self.ok,
            "head": self.head,
            "entries": list(self.entries),
            "findings": [{"line": f.line, "code": f.code.value} for f in self.findings],
        }


def check_audit(matter: Matter) -> AuditCheck:
    """Reads the whole log; raises StoreFault only if the store cannot be read."""
    path = matter.store.audit_path
    data = path.read_bytes() if path.exists() else b""
    whole, _, half = data.rpartition(b"\n")
    lines = whole.split(b"\n") if whole else []
    entries, findings, hashes = _walk(lines)
    head = matter.store.database.meta(AUDIT_HEAD) or GENESIS
    if head not in hashes:
        findings.append(AuditFinding(len(lines) + 1, Break.TAIL_CUT))
    if half:
        findings.append(AuditFinding(len(lines) + 1, Break.HALF_LINE))
    return AuditCheck(tuple(entries), tuple(findings), head)


def _walk(lines: list[bytes]) -> tuple[list[dict[str, Any]], list[AuditFinding], set[str]]:
    entries: list[dict[str, Any]] = []
    findings: list[AuditFinding] = []
    previous, hashes = GENESIS, {GENESIS}
    for number, line in enumerate(lines, start=1):
        findings += [AuditFinding(number, code) for code in _faults(line, previous)]
        entry = _entry(line)
        if entry is not None:
            entries.append(entry)
        previous = sha256_of(line)
        hashes.add(previous)
    return entries, findings, hashes


def _faults(line: bytes, previous: str) -> Iterator[Break]:
    entry = _entry(line)
    if entry is None or canonical_json(entry) != line:
        yield Break.NOT_READABLE
    elif entry.get("previous") != previous:
        yield Break.CHAIN_BROKEN


def _entry(line: bytes) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None
