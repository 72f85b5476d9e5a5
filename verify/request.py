"""The verification request: read strictly at the edge, and built from what the program cites."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, NoReturn

from verify.domain.canonical import canonical_json, sha256_of
from verify.domain.claim import Citation, CitedCell
from verify.domain.geometry import Box
from verify.domain.ids import CellId, CheckId, ClaimId, ElementId, Fingerprint, SourceId, TableId, is_fingerprint
from verify.normalize import BARRIER
from verify.report import Reason

SCHEMA = "pincite.request/1"
MAX_CHECKS = 10_000
MAX_DEPTH = 32


class RequestError(Exception):
    """A fault of the whole request; ``code`` is the contract's error code."""

    code = "invalid_request"


class Kind(StrEnum):
    QUOTE = "quote"
    TABLE_CELL = "table_cell"
    VALUE = "value"
    REGION = "region"
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class Check:
    """One well-formed check. ``origin_known`` is False if a box came without ``"top-left"``."""

    check_id: CheckId
    kind: Kind
    source_id: SourceId
    fingerprint: Fingerprint
    page_index: int
    claim_id: ClaimId | None = None
    page_label: str | None = None
    bates: str | None = None
    element_id: ElementId | None = None
    bbox: Box | None = None
    origin_known: bool = True
    end_page_index: int | None = None
    expected_text: str | None = None
    table_id: TableId | None = None
    cell_id: CellId | None = None
    row_path: tuple[str, ...] | None = None
    column_path: tuple[str, ...] | None = None
    expected_value: Decimal | None = None
    unit: str | None = None
    scale: int | None = None


@dataclass(frozen=True, slots=True)
class BadCheck:
    """A check with a fault of its own, with what of it can still be named."""

    check_id: CheckId | None
    claim_id: ClaimId | None
    kind: str | None
    reason: Reason


@dataclass(frozen=True, slots=True)
class Request:
    """``sha256`` is that of the request in canonical form."""

    request_id: str
    sha256: str
    checks: tuple[Check | BadCheck, ...]


class _Number(str):
    """A number with a point or exponent, kept as written: no field takes one, yet it is part of what is hashed."""

    __slots__ = ()


def parse_request(raw: bytes) -> Request:
    """Raises RequestError for a fault of the whole request (contract, section 4)."""
    data = _load(raw)
    if not isinstance(data, dict):
        raise RequestError("the request is not a JSON object")
    if data.get("schema") != SCHEMA:
        raise RequestError(f'the request\'s schema is not "{SCHEMA}"')
    if unknown := sorted(data.keys() - {"schema", "request_id", "checks"}):
        raise RequestError(f"the request has an unknown field: {unknown[0]!r}")
    request_id, checks = data.get("request_id"), data.get("checks")
    if not isinstance(request_id, str) or isinstance(request_id, _Number):
        raise RequestError("the request has no request_id")
    if not isinstance(checks, list):
        raise RequestError("the request has no list of checks")
    if len(checks) > MAX_CHECKS:
        raise RequestError(f"the request has {len(checks)} checks; at most {MAX_CHECKS} are allowed")
    return Request(request_id, sha256_of(canonical_json(data)), tuple(_checks(checks)))


def _load(raw: bytes) -> Any:
    try:
        data = json.loads(
            raw.decode("utf-8"), object_pairs_hook=_object, parse_constant=_refuse_constant, parse_float=_Number
        )
    except UnicodeDecodeError:
        raise RequestError("the request is not UTF-8") from None
    except RecursionError:
        raise RequestError(f"the request nests deeper than {MAX_DEPTH}") from None
    except ValueError as error:
        raise RequestError(f"the request is not JSON: {error}") from None
    _check_depth(data)
    return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise RequestError("the request has a duplicate key")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise RequestError(f"the request holds {name}")


_SURROGATE = re.compile("[\ud800-\udfff]")


def _check_depth(data: Any) -> None:
    level, depth = [data], 0
    while level:
        depth += any(isinstance(item, dict | list) for item in level)
        if depth > MAX_DEPTH:
            raise RequestError(f"the request nests deeper than {MAX_DEPTH}")
        below: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(item)
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
            elif isinstance(item, str) and _SURROGATE.search(item):
                raise RequestError("the request holds half a surrogate pair")
        level = below


def _checks(rows: list[Any]) -> Iterable[Check | BadCheck]:
    seen: set[str] = set()
    for row in rows:
        check = _check(row)
        if check.check_id is not None and check.check_id in seen:
            check = BadCheck(check.check_id, check.claim_id, check.kind, Reason.SCHEMA_ERROR)
        seen.add(check.check_id or "")
        yield check


class _Fault(Exception):
    def __init__(self, reason: Reason) -> None:
        self.reason = reason


_ALWAYS = {"check_id", "claim_id", "kind", "source_id", "document_fingerprint", "page_index", "page_label", "bates"}
_FIELDS = {
    Kind.QUOTE: {"expected_text", "element_id", "bbox", "coordinate_origin", "end_page_index"},
    Kind.TABLE_CELL: {
        "table_id", "cell_id", "row_path", "column_path", "expected_value", "expected_text", "unit", "scale",
    },
    Kind.VALUE: {"element_id", "bbox", "coordinate_origin", "expected_value", "unit"},
    Kind.REGION: {"bbox", "coordinate_origin", "expected_text"},
    Kind.PAGE: set(),
}  # fmt: skip


def _check(row: Any) -> Check | BadCheck:
    fields = row if isinstance(row, dict) else {}
    try:
        return _read_check(row)
    except _Fault as fault:
        kind = fields.get("kind")
        return BadCheck(
            _optional(CheckId, _shown(fields.get("check_id"))),
            _optional(ClaimId, _shown(fields.get("claim_id"))),
            _shown(kind),
            fault.reason,
        )


def _shown(value: Any) -> str | None:
    """A string as it came, so that a report names the check as the request did."""
    return value if isinstance(value, str) and not isinstance(value, _Number) else None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, _Number) and value != ""


def _read_check(row: Any) -> Check:
    if not isinstance(row, dict) or not _is_text(row.get("check_id")):
        raise _Fault(Reason.SCHEMA_ERROR)
    kind = _kind(row)
    fields = {k: v for k, v in row.items() if v is not None}
    if row.keys() - _ALWAYS - _FIELDS[kind]:
        raise _Fault(Reason.SCHEMA_ERROR)
    if not fields.get("document_fingerprint"):
        raise _Fault(Reason.FINGERPRINT_MISSING)
    fingerprint = _text(fields, "document_fingerprint")
    if not is_fingerprint(str(fingerprint)):
        raise _Fault(Reason.SCHEMA_ERROR)
    page_index = _index(fields, "page_index")
    if page_index is None or not _text(fields, "source_id"):
        raise _Fault(Reason.SCHEMA_ERROR)
    check = Check(
        CheckId(row["check_id"]), kind, SourceId(fields["source_id"]), Fingerprint(str(fingerprint)), page_index,
        claim_id=_optional(ClaimId, _text(fields, "claim_id")), page_label=_text(fields, "page_label"),
        bates=_text(fields, "bates"), element_id=_optional(ElementId, _text(fields, "element_id")), bbox=_box(fields),
        origin_known=_origin(fields) or "bbox" not in fields, end_page_index=_end(fields, page_index),
        expected_text=_text(fields, "expected_text"), table_id=_optional(TableId, _text(fields, "table_id")),
        cell_id=_optional(CellId, _text(fields, "cell_id")), row_path=_path(fields, "row_path"),
        column_path=_path(fields, "column_path"), expected_value=_value(fields), unit=_text(fields, "unit"),
        scale=_scale(fields),
    )  # fmt: skip
    _require(check)
    return check


def _optional(make: Any, text: str | None) -> Any:
    return None if text is None else make(text)


def _kind(row: dict[str, Any]) -> Kind:
    kind = row.get("kind")
    if not _is_text(kind):
        raise _Fault(Reason.SCHEMA_ERROR)
    try:
        return Kind(str(kind))
    except ValueError:
        raise _Fault(Reason.UNKNOWN_KIND) from None


def _text(fields: dict[str, Any], name: str) -> str | None:
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or isinstance(value, _Number):
        raise _Fault(Reason.SCHEMA_ERROR)
    return value


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _index(fields: dict[str, Any], name: str) -> int | None:
    value = fields.get(name)
    if value is None:
        return None
    if not _is_integer(value) or value < 0:
        raise _Fault(Reason.SCHEMA_ERROR)
    return int(value)


def _end(fields: dict[str, Any], page_index: int) -> int | None:
    end = _index(fields, "end_page_index")
    if end is not None and end < page_index:
        raise _Fault(Reason.SCHEMA_ERROR)
    return end


def _box(fields: dict[str, Any]) -> Box | None:
    value = fields.get("bbox")
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 4 or not all(map(_is_integer, value)):
        raise _Fault(Reason.SCHEMA_ERROR)
    box = Box(*value)
    if not box.has_area or box.x0 < 0 or box.y0 < 0:
        raise _Fault(Reason.BAD_GEOMETRY)
    return box


def _origin(fields: dict[str, Any]) -> bool:
    origin = fields.get("coordinate_origin")
    if origin not in {None, "top-left", "bottom-left", "unknown"}:
        raise _Fault(Reason.SCHEMA_ERROR)
    return bool(origin == "top-left")


def _path(fields: dict[str, Any], name: str) -> tuple[str, ...] | None:
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, list) or not value or not all(map(_is_text, value)):
        raise _Fault(Reason.SCHEMA_ERROR)
    return tuple(value)


_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")


def _value(fields: dict[str, Any]) -> Decimal | None:
    text = _text(fields, "expected_value")
    if text is None:
        return None
    if text == "":
        raise _Fault(Reason.EVIDENCE_EMPTY)
    if len(text) > 100 or not _DECIMAL.fullmatch(text):
        raise _Fault(Reason.SCHEMA_ERROR)
    return Decimal(text)


def _scale(fields: dict[str, Any]) -> int | None:
    value = fields.get("scale")
    if value is None:
        return None
    if not _is_integer(value) or value < 1:
        raise _Fault(Reason.SCHEMA_ERROR)
    return int(value)


def _require(check: Check) -> None:
    """What each kind can't do without: first where to look, then what to look for."""
    if not _has_locator(check):
        raise _Fault(Reason.LOCATOR_MISSING)
    if check.kind is Kind.PAGE:
        return
    if check.expected_text is None and check.expected_value is None:
        raise _Fault(Reason.EVIDENCE_MISSING)
    if check.expected_text is not None:
        _require_words(check.expected_text)


def _has_locator(check: Check) -> bool:
    if check.kind is Kind.TABLE_CELL:
        paths = check.row_path is not None and check.column_path is not None
        return check.table_id is not None and (check.cell_id is not None or paths)
    if check.kind is Kind.VALUE:
        return check.element_id is not None or check.bbox is not None
    return check.kind is not Kind.REGION or check.bbox is not None


def _require_words(text: str) -> None:
    """Evidence without a letter or digit is empty; one that holds a noncharacter is no text."""
    if BARRIER in text:
        raise _Fault(Reason.SCHEMA_ERROR)
    if not any(map(str.isalnum, text)):
        raise _Fault(Reason.EVIDENCE_EMPTY)


def build_request(request_id: str, citations: Iterable[tuple[CheckId, ClaimId | None, Citation]]) -> bytes:
    """The canonical bytes of a request with one check for each citation: of a table cell, a value or a quotation."""
    checks = [_citation_check(*row) for row in citations]
    return canonical_json({"schema": SCHEMA, "request_id": request_id, "checks": checks})


def _citation_check(check_id: CheckId, claim_id: ClaimId | None, cited: Citation) -> dict[str, Any]:
    check = {
        "check_id": check_id, "claim_id": claim_id, "kind": Kind.QUOTE.value, "source_id": cited.source_id,
        "document_fingerprint": cited.fingerprint, "page_index": cited.page_index, "page_label": cited.page_label,
        "element_id": cited.element_id, "end_page_index": cited.end_page_index, "expected_text": cited.quotation,
    }  # fmt: skip
    if cited.cell is not None:
        check |= _cell_fields(cited.cell)
    elif cited.value is not None:
        check |= {
            "kind": Kind.VALUE.value, "expected_text": None, "end_page_index": None,
            "expected_value": cited.value.value, "unit": cited.value.unit,
        }  # fmt: skip
    return {name: value for name, value in check.items() if value is not None}


def _cell_fields(cell: CitedCell) -> dict[str, Any]:
    """The headers are checked with the cell; an empty path names none."""
    return {
        "kind": Kind.TABLE_CELL.value, "table_id": cell.table_id, "cell_id": cell.cell_id,
        "row_path": list(cell.row_path) or None, "column_path": list(cell.column_path) or None,
        "expected_value": cell.value, "unit": cell.unit, "scale": cell.scale,
    }  # fmt: skip
