"""Names for the strings that identify things, so that one is never passed for another."""

import re
from typing import NewType

SourceId = NewType("SourceId", str)
Fingerprint = NewType("Fingerprint", str)
"""``"sha256:"`` and 64 lower-case hex digits: the SHA-256 of a file's bytes as they lie on disk."""
ElementId = NewType("ElementId", str)
"""``p{page_index}-e{n}``, n from 0 in reading order."""
TableId = NewType("TableId", str)
"""``p{page_index}-t{n}``, n from 0 in reading order."""
CellId = NewType("CellId", str)
"""``{table_id}-r{row}-c{col}``, both from 0."""
PassageId = NewType("PassageId", str)
CheckId = NewType("CheckId", str)
ClaimId = NewType("ClaimId", str)
AnswerId = NewType("AnswerId", str)

_FINGERPRINT = re.compile(r"sha256:[0-9a-f]{64}")


def is_fingerprint(text: str) -> bool:
    """True for a well-formed fingerprint; upper-case digits are not one."""
    return _FINGERPRINT.fullmatch(text) is not None
