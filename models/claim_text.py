"""How a claim reads: on one line, one fact, with a subject that is named, and not twice in one answer."""

import re
from collections.abc import Sequence

from models.values import values
from models.wording import words
from verify.sentences import sentences as sentences_of

_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
_VERB = r"(?:is|are|was|were|shall|must|may|will|has|have|had|does|do|can|cannot)"
_SUBJECT = r"(?:the|a|an|each|either|any|no|neither|[A-Z][\w&.-]*)"
_SECOND_FACT = re.compile(rf",?\s+and\s+(?={_SUBJECT}(?:\s+[\w&.,'’-]+){{0,5}}?\s+{_VERB}\b)")
_HAS_VERB = re.compile(rf"\b{_VERB}\b", re.I)
_DEPENDS = re.compile(r"^\W*(?:if|when|where|unless|until|while|although|because|provided|in the event|as)\b", re.I)
"""A condition governs both halves of what follows it, so such a sentence is one fact."""
_PRONOUN = re.compile(
    r"^\W*(?:it|they|he|she|this|that|these|those|such|the same|the foregoing)\s+"
    rf"(?:also\s+|further\s+)?{_VERB}\b", re.I
)  # fmt: skip
LONGEST_PLACE = 80


def one_line(text: str) -> str:
    """For reading: white space as one space, a word parted at a line end with its hyphen, ligatures as letters."""
    return " ".join(re.sub(r"(?<=\w-)\n(?=\w)", "", text).translate(_LIGATURES).split())


def atomic(text: str) -> tuple[str, ...]:
    """One text a fact: parted at sentence ends, at a semicolon, and at an "and" before a subject with a verb of its
    own. A clause that hangs on the one before stays."""
    out: list[str] = []
    for start, end in sentences_of(text):
        for clause in re.split(r";\s+(?:and\s+)?", text[start:end]):
            for fact in _facts(clause.strip(" ;")):
                hangs = len(fact.split()) < 4 or not re.match(r"[A-Z\"“]|(?:the|a|an|each|either|any|no)\b", fact)
                if out and hangs:
                    out[-1] = f"{out[-1]}; {fact}"
                elif fact:
                    out.append(fact)
    return tuple(c if c.endswith((".", "?", "!")) else c + "." for c in (c[:1].upper() + c[1:] for c in out))


def _facts(clause: str) -> list[str]:
    parts = _SECOND_FACT.split(clause)
    apart = len(parts) > 1 and all(map(_HAS_VERB.search, parts)) and not any(map(_DEPENDS.match, parts))
    return parts if apart else [clause]


def with_subject(text: str, heading_path: Sequence[str], title: str) -> str:
    """A sentence whose subject is a pronoun, after the section that it stands in, else after its document: read alone
    it would say nothing of whom. Any other stays as it is."""
    if not _PRONOUN.match(text):
        return text
    place = one_line(next((heading for heading in reversed(heading_path) if heading.strip()), title))
    return f"Under “{place[:LONGEST_PLACE]}”: {text}" if place else text


def repeats(one: str, other: str) -> bool:
    """True where two claims say the same: the same words in the same order, articles and case aside, and the same
    values. Who owes whom lies in the order, and "may" is not "shall"."""
    if _bare(one) != _bare(other):
        return False
    ours, theirs = ([v.readings for v in values(text)] for text in (one, other))
    return ours == theirs


def _bare(text: str) -> list[str]:
    return [word for word in words(text) if word not in ("a", "an", "the")]
