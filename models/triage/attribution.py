"""Who is said to have said it: words that a proposition puts around what it states, and that its page need not hold.

"As the majority points out, the rule has less force" is borne out by a page that says that the rule has less force. The
page of the majority's opinion does not speak of a majority, nor of pointing out.
"""

import re

_WHO = (
    r"(?:(?:the|this|our)\s+(?:court|majority|plurality|dissent|concurrence|principal\s+opinion|panel)"
    r"(?:['’]s\s+(?:opinion|decision|reasoning))?|i|we|it|he|she|they)"
)
"""An author of opinions or a pronoun; "the District Court" is none, for what another court did is part of the claim."""

_REPORTS = (
    r"(?:says?|said|states?|stated|holds?|held|suggests?|suggested|reasons?|reasoned|concludes?|concluded|argues?|"
    r"argued|asserts?|asserted|notes?|noted|observes?|observed|explains?|explained|points?\s+out|pointed\s+out|"
    r"acknowledges?|acknowledged|recogni[sz]e[sd]?|admits?|admitted|concedes?|conceded|finds?|found|determines?|"
    r"determined|decides?|decided|believes?|believed|thinks?|thought|agrees?|agreed|disagrees?|disagreed|claims?|claimed|"
    r"contends?|contended|maintains?|maintained|emphasi[sz]e[sd]?|insists?|insisted|rules?|ruled|assumes?|assumed)"
)
_HOW = (
    r"(?:(?:also|now|further|rightly|correctly|all\s+but|then|thus|today|simply|apparently|itself|repeatedly|expressly|"
    r"explicitly)\s+)?"
)
_SAYS = rf"{_WHO}\s+(?:has\s+|have\s+)?{_HOW}{_REPORTS}"
_FRAMES = (
    re.compile(
        rf"[,—–]?\s*\b(?:but\s+|and\s+)?as\s+{_SAYS}(?:\s+(?:above|below|earlier|before))?\s*(?=[,.;—–]),?", re.I
    ),
    re.compile(
        r"\bas\s+(?:noted|explained|discussed|described|observed|stated|shown|mentioned|said)\s*"
        r"(?:above|below|earlier|before|previously)?\s*,",
        re.I,
    ),
    re.compile(rf",\s*{_SAYS}\s*,", re.I),
    re.compile(rf"\b{_SAYS}(?:\s+with\s+the\s+\w+)?\s+that\b", re.I),
)
"""", as the Court admits", "As noted above,", ", the Court suggests,", "I agree with the majority that"."""


_PRONOUN = re.compile(
    r"(?:but|and|also|thus|then|therefore|however|so)?[,\s]*(?:(?:it|they|he|she)\b|"
    r"(?:this|that|these|those),?\s+(?:shall|may|must|will|can|would|is|are|was|were|has|have|had|does|did|in)\b)",
    re.I,
)
_NOBODY = re.compile(r"it\s+(?:is|was|would\s+be|follows|appears|seems)\b[^.;]*\b(?:that|to|whether|who|which)\b", re.I)
"""Where "it" stands for what follows ("It is settled that ...")."""


def subject_is_pronoun(claim: str) -> bool:
    """True if the claim does not say whom it is about ("They shall pay")."""
    bare = without_attribution(claim).strip(" \"'“‘")
    return _PRONOUN.match(bare) is not None and _NOBODY.match(bare) is None


def without_attribution(claim: str) -> str:
    """The claim without such words; the claim itself where nothing else is left of it."""
    bare = claim
    for frame in _FRAMES:
        bare = frame.sub(" ", bare)
    return " ".join(bare.split()) if re.search(r"\w", bare) else claim
