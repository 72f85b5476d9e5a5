"""Signature blocks: a party's name in capitals or bold above the line it signs on is no heading.

Taken for one, it would stand in the path of everything that follows: of schedules and exhibits after the signatures.
"""

import re

_FIELD = re.compile(
    r"(?:by|name|title|its|dated?|signature|signed(?: by)?|print(?:ed)? name|attest|witness)\s*:|/s/|_{5,}"
    r"|by (?:its|the|and on behalf|order)\b[^.;]{0,60}\Z"
    r"|(?:title|date|signature|name|signed|by)\W*\Z",
    re.IGNORECASE,
)
_DIVISION = re.compile(r"(?:exhibit|schedule|annex|appendix|article|section|part|attachment)\b", re.IGNORECASE)
_REMARK = re.compile(r"\[[^\[\]]*\]")


_BEGINS = re.compile(
    r"in (?:witness|testimony) (?:whereof|thereof)\b|as witness (?:the|our|their) hands?\b"
    r"|executed as (?:a deed|an agreement)\b|\[?(?:the )?signature (?:page|block)s?\b"
    r"|\[?signatures?(?: (?:to )?follows?\b| on (?:the )?(?:next|following|separate)\b|\W*\Z)"
    r"|the (?:parties|undersigned)(?: hereto)? (?:have|has) (?:duly |hereunto )?(?:executed|caused|signed) this\b",
    re.IGNORECASE,
)


def begins_signing(text: str) -> bool:
    """True for the words that close a paper and open its signatures: "IN WITNESS WHEREOF, ..."."""
    return _BEGINS.match(text) is not None


def is_signature_field(text: str) -> bool:
    """True for what is filled in when a paper is signed: "By: ____", "Title: Director", "/s/ A. Bell"."""
    return _FIELD.match(text) is not None


def is_no_heading(text: str, above_field: bool) -> bool:
    """True for a field itself, a remark in square brackets, and what stands ``above_field``, unless it names a
    division of the document."""
    if is_signature_field(text) or _REMARK.fullmatch(text):
        return True
    return above_field and _DIVISION.match(text) is None
