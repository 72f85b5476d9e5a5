"""Whether a clause lets somebody do a thing or bars it, against what a question asks: leave, a bar, or whether a
consent is needed. Patterns read text in the form of ``concepts.flat``. Written from stock wording of leases and
commercial contracts; tested on invented clauses (``tests/models/language/test_leave.py``)."""

import re
from collections.abc import Iterable
from enum import StrEnum

from models.language.wording import stem_set

_CONSENT = r"(?:consent|approval|permission|authori[sz]ation|(?:prior|written|mutual|express|'s|s') agreement)"
_AGREES = r"(?:consents?|agrees?|approves?|consented|agreed|approved|permission|approval)"
_OF_CONSENT = rf"(?:(?!this\b|under\b)[\w'-]+ ){{0,7}}?{_CONSENT}\b"
_NEEDED = r"(?:required|needed|necessary)"

_WITHOUT = re.compile(rf"\bwithout {_OF_CONSENT}|\bwithout (?:asking|consulting)\b")
_WITH = re.compile(
    rf"\b(?:with|upon|on|subject to|after obtaining) (?:only )?{_OF_CONSENT}|\bif\b.{{1,60}}?\b{_AGREES}\b"
)
_UNLESS = re.compile(
    rf"\b(?:unless|until|except|save|only|provided)\b.{{0,80}}?\b(?:{_CONSENT}|{_AGREES})\b|"
    rf"\b(?:with|upon|subject to|conditional on|after) {_OF_CONSENT}"
)
_NEEDS = re.compile(
    rf"\b(?:shall|must|will|is required to|are required to) (?:first )?(?:obtain|seek|get|have)\b"
    rf".{{0,60}}?\b{_CONSENT}\b|"
    rf"\b{_CONSENT}\b.{{0,60}}?\b(?:is|are|be) {_NEEDED}\b|\b(?:requires?|needs?) {_OF_CONSENT}"
)
_UNNEEDED = re.compile(
    rf"\b{_CONSENT}\b.{{0,60}}?\bnot(?: be)? {_NEEDED}\b|\bno {_OF_CONSENT}.{{0,60}}?\b(?:is|are|be) {_NEEDED}\b|"
    rf"\bnot (?:be )?(?:required|obliged|have|need) to (?:obtain|seek|get|ask for|have)\b.{{0,40}}?\b{_CONSENT}\b|"
    rf"\bneed not (?:obtain|seek|get|ask)\b.{{0,60}}?\b{_CONSENT}\b"
)
_WITHHELD = re.compile(
    r"\b(?:shall |may |will |must )?not (?:to )?(?:be )?(?:unreasonably )?"
    r"(?:withheld|withhold|conditioned|delayed|refuse)\b"
)
_UNBARRED = re.compile(
    r"\b(?:nothing|no provision)\b.{0,60}?\b(?:prevent|prohibit|restrict|bar|limit|preclude|forbid|restrain)\w*|"
    r"\bnot (?:be )?(?:prevent|prohibit|restrict|barred|preclud|forbid|restrain)\w*"
)
_UNBOUND = re.compile(r"\bnot (?:be )?(?:required|obliged|obligated|bound) to\b")
_BARRED = re.compile(
    r"\b(?:shall|may|will|must|can|could|would|should|does|do|did|is|are) (?:\w+ )?not\b|\bcannot\b|\bnever\b|"
    r"\b(?:neither|no) (?:\w+ ){1,6}?(?:shall|may|will|must|can)\b|\bnor (?:shall|may|will|can)\b|\bin no event\b|"
    r"\b(?:prohibit|forbid|forbidden|barred|refrain|prevent|preclude|restrain)\w*|\bnot to\b|"
    r"\bnot (?:be )?(?:permitted|allowed|entitled|free|at liberty)\b|\bnull and void\b"
)
_LET = re.compile(
    r"\b(?:may|can)\b|\b(?:permitted|allowed|entitled|free|at liberty|authori[sz]ed) to\b|\bright to\b|"
    r"\b(?:assign|transfer)able\b"
)
_ASKS_BAR = re.compile(
    r"\b(?:barred|ban|banned|prohibit\w*|prevent\w*|stop|stops|stopped|restrict\w*|forbid\w*|forbidden|"
    r"keep\w* .{1,30} from|"
    r"not allowed|restrain\w*|precluded?)\b"
)
_ASKS_LEAVE = re.compile(
    r"\b(?:may|can|could|might|allowed|permitted|free to|entitled|able to|right to|let|lets|possible|at liberty)\b"
)
_ASKS_CONSENT = re.compile(
    rf"\b{_CONSENT}\b.{{0,60}}?\b{_NEEDED}\b|\b{_NEEDED}\b.{{0,60}}?\b{_CONSENT}\b|"
    rf"\b(?:need|require|obtain|seek|get|ask for|have)s?\b {_OF_CONSENT}"
)
_ON_TERMS = re.compile(r"\bwithout (?:[\w'-]+ ){0,3}(\w+)\W*$|\bwithout (\w+)")
_PARTS = re.compile(r";\s*|,\s*(?=(?:and|but|provided|except|however|nor|save)\b)|\s(?=but\b)")
_SUBJECT = re.compile(r"^.*?\b(?:shall|may|will|must|can|is|are)\b")


class Leave(StrEnum):
    """What a clause does with an act. ``WITH_CONSENT``: it lets it only if somebody agrees."""

    LET = "let"
    BARRED = "barred"
    WITH_CONSENT = "with_consent"
    UNCLEAR = "unclear"


class Asks(StrEnum):
    """What a question asks of an act. ``FREELY``: whether it may be done without a consent; ``AGREED``: with one."""

    LEAVE = "leave"
    FREELY = "freely"
    AGREED = "agreed"
    BAR = "bar"
    CONSENT = "consent"


_ANSWERS = {
    (Asks.LEAVE, Leave.LET): "Yes", (Asks.LEAVE, Leave.BARRED): "No", (Asks.LEAVE, Leave.WITH_CONSENT): "No",
    (Asks.FREELY, Leave.LET): "Yes", (Asks.FREELY, Leave.BARRED): "No", (Asks.FREELY, Leave.WITH_CONSENT): "No",
    (Asks.AGREED, Leave.LET): "Yes", (Asks.AGREED, Leave.BARRED): "No", (Asks.AGREED, Leave.WITH_CONSENT): "Yes",
    (Asks.BAR, Leave.LET): "No", (Asks.BAR, Leave.BARRED): "Yes", (Asks.BAR, Leave.WITH_CONSENT): "Yes",
    (Asks.CONSENT, Leave.LET): "No", (Asks.CONSENT, Leave.WITH_CONSENT): "Yes",
}  # fmt: skip
"""A plain "may he" is answered by the rule; the clause beside it says what a consent changes."""


def asks(question: str) -> Asks | None:
    """None where it asks for none of them."""
    if _ASKS_BAR.search(question):
        return Asks.BAR
    if not _ASKS_LEAVE.search(question):
        return Asks.CONSENT if _ASKS_CONSENT.search(question) else None
    if _WITHOUT.search(question):
        return Asks.FREELY
    return Asks.AGREED if _WITH.search(question) else Asks.LEAVE


def leave_of(clause: str) -> Leave:
    """Of a clause; ``UNCLEAR`` where it lets one thing and bars another, or does neither."""
    if _UNNEEDED.search(clause):
        return Leave.LET
    free = _UNBARRED.search(clause) is not None
    left = _UNBOUND.sub(" … ", _UNBARRED.sub(" … ", _WITHHELD.sub(" … ", clause)))
    without, unless = _WITHOUT.search(left) is not None, _UNLESS.search(left) is not None
    barred = _BARRED.search(left) is not None
    let = _LET.search(_BARRED.sub(" … ", left)) is not None
    if barred:
        agreed = Leave.WITH_CONSENT if without or unless else Leave.BARRED
        return Leave.UNCLEAR if free or let else agreed
    if let and without:
        return Leave.UNCLEAR if unless else Leave.LET
    if _NEEDS.search(left) or unless or _WITHHELD.search(clause):
        return Leave.WITH_CONSENT
    return Leave.LET if let or free else Leave.UNCLEAR


def answer_of(question: str, clause: str, terms: Iterable[str]) -> str | None:
    """ "Yes", "No", or "" where the clause does not say which; None where the question asks for no leave. ``terms`` are
    the stems that are asked for: of a clause that lets one thing and bars another, they choose the part."""
    asked = asks(question)
    if asked is None:
        return None
    if asked is Asks.LEAVE and not _same_terms(question, clause):
        return ""
    leave = leave_of(clause)
    if leave is Leave.UNCLEAR:
        leave = _of_the_part(clause, frozenset(terms))
    return _ANSWERS.get((asked, leave), "")


def _same_terms(question: str, clause: str) -> bool:
    """Whether a clause speaks of doing it "without notice" or "without cause", too, where that is what is asked."""
    asked = _ON_TERMS.search(question)
    return asked is None or " without " in clause or _BARRED.search(clause) is not None


def _of_the_part(clause: str, terms: frozenset[str]) -> Leave:
    """What the one part does that alone names something asked for, besides the subject that the parts share."""
    parts = [part for part in _PARTS.split(clause) if part]
    subject = _SUBJECT.search(clause)
    wanted = terms - (stem_set((subject[0],)) if subject else frozenset())
    named = [stem_set((part,)) & wanted for part in parts]
    alone = [n for n, own in enumerate(named) if own - frozenset().union(*named[:n], *named[n + 1 :])]
    return leave_of(parts[alone[0]]) if len(parts) > 1 and len(alone) == 1 else Leave.UNCLEAR
