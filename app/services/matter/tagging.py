"""Metadata that people govern: who may see a document, what authority it has, what it is called."""

from collections.abc import Mapping
from datetime import date

from app.errors import AccessDenied, Usage
from app.services.custody import auditing
from app.services.matter.matter import Matter
from app.services.matter.settling import settle
from app.store.records import METADATA_FIELDS
from verify.domain.canonical import sha256_of
from verify.domain.document import SourceRecord
from verify.domain.ids import SourceId


def parse_assignments(assignments: list[str]) -> dict[str, str | None]:
    """``FIELD=VALUE`` each; an empty value clears the field. Raises Usage."""
    changed: dict[str, str | None] = {}
    for assignment in assignments:
        field, equals, value = assignment.partition("=")
        if not equals or field not in METADATA_FIELDS:
            raise Usage(f"{field!r} is not FIELD=VALUE with one of: {', '.join(METADATA_FIELDS)}")
        changed[field] = value.strip() or None
    return changed


def tag(matter: Matter, source_id: SourceId, changed: Mapping[str, str | None]) -> SourceRecord:
    """Sets fields, on record; into or out of an access class with a passphrase the source is sealed again.

    Raises Usage for a field or date that is none, InputMissing for an unknown source, AccessDenied for one in a class
    that was not opened, or for such a class.
    """
    record = matter.source(source_id)
    _check(changed)
    if not matter.store.vault.may_read(changed.get("access_class")):
        raise AccessDenied("that access class has a passphrase; give it (--class-passphrase CLASS=F)")
    subject = {"source_id": source_id, "fields": "+".join(sorted(changed)) or "none"}
    subject |= {f"{field}_sha256": sha256_of((value or "").encode()) for field, value in changed.items()}
    auditing.record(matter, auditing.AuditEvent.TAGGED, subject)
    matter.store.registry.set_tags(record, dict(changed))
    settle(matter)
    return matter.source(source_id)


def _check(changed: Mapping[str, str | None]) -> None:
    for field, value in changed.items():
        if field not in METADATA_FIELDS:
            raise Usage(f"{field!r} is not one of: {', '.join(METADATA_FIELDS)}")
        if field == "dated" and value is not None:
            try:
                date.fromisoformat(value)
            except ValueError as error:
                raise Usage(f"dated={value!r} is not a date like 2026-03-31") from error
