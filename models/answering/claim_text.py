"""How a claim reads: on one line, one fact, with a subject that is named, and not twice in one answer."""

import re
from collections.abc import Sequence

from models.language.values import ValueKind, values
from models.language.wording import letters, words
from verify.sentences import sentences as sentences_of

_VERB = r"(?:is|are|was|were|shall|must|may|will|has|have|had|does|do|did|can|cannot|agrees?|means?)"
_SUBJECT = r"(?:the|a|an|each|either|any|no|neither|[A-Z][\w&.-]*)"
_SECOND_FACT = re.compile(rf",?\s+and\s+(?={_SUBJECT}(?:\s+[\w&.,'’-]+){{0,5}}?\s+{_VERB}\b)")
_HAS_VERB = re.compile(rf"\b{_VERB}\b", re.I)
_DEPENDS = re.compile(r"^\W*(?:if|when|where|unless|until|while|although|because|provided|in the event|as)\b", re.I)
"""A condition governs both halves of what follows it, so such a sentence is one fact."""
_PRONOUN = re.compile(
    r"^\W*(?:it|they|he|she|this|that|these|those|such|the same|the foregoing)\s+"
    rf"(?:also\s+|further\s+)?{_VERB}\b", re.I
)  # fmt: skip
_SPEAKER = re.compile(r"\W*(?:\d+(?:\.\d+)*\.?\s+)?(?:I|We|My|Our)\s+[a-z]")
LONGEST_PLACE = 80
_MARKER = r"\(?(?:[a-z]|[ivx]{1,5})[.)]\s"
_BEGINS = re.compile(rf"(?!\w+\)\.)\W*(?:[A-Z\d]|{_MARKER})")
"""Not with the end of a bracket ("37). Upon consideration ...")."""
_ENDS = re.compile(r"[.?!;][\W\d]*$")
_NUMBERING = re.compile(
    rf"^\W*(?:(?:section|clause|article|exhibit|schedule|annex|appendix|part|item|table|figure)\s+[\w.]+|\d+(?:\.\d+)*|[A-Z]\.|"
    rf"{_MARKER})[\s.:)–—-]*", re.I
)  # fmt: skip
_BULLET = re.compile(r"^(?:[•●▪■◦‣∙·*\ue000-\uf8ff]\s+)+(?=\w)")
"""Fonts of symbols show bullets as characters for private use."""
_BLANK = re.compile(r"[_.…·]{3,}|\[[\s•●*]*\]")
"""What a form leaves to be filled in."""
_FILLED = re.compile(r"\W*(?:[\w’'/-]+\s){0,5}[\w’'/-]+\s?:\s+(?![\w ]{0,30}:)\w")
_SHORTEST_LEAD = 8
"""Words from which on what leads to a list says something itself ("either party may terminate at once if:")."""
_LONGEST_LINE = 15
"""Words of a line without a stop; a longer one is rather the beginning of a sentence."""
_SOMEBODY = re.compile(r"^\W*(?:I|you|he|she|it|we|they|who|there)\s", re.I)
_MOST = 0.7
_LONGEST_LABEL = 10
"""Words; a longer one without a verb of the list is rather a sentence."""


def one_line(text: str) -> str:
    """For reading: white space as one space, a word parted at a line end with its hyphen, or whole where that is a soft
    one; ligatures as letters; no bullet before it, nothing without width."""
    joined = letters(re.sub(r"\u00ad\s*|(?<=\w-)\n(?=\w)|\u200b", "", text))
    return _BULLET.sub("", " ".join(joined.split()))


def states(text: str) -> bool:
    """Whether it can be read as a statement: a sentence from its beginning to its end, or a short line with a value or
    a filled label ("Total: 900"); neither a heading ("7.2 Governing Law.") nor a label left blank ("Name: ____")."""
    line = one_line(text)
    if not _BEGINS.match(line):
        return False
    bare = _BLANK.sub(" ", _NUMBERING.sub("", line, count=1))
    if _ENDS.search(line):
        return not _is_label(bare, numbered=line[:1].isdigit(), item=line.endswith(";"))
    if line.endswith(":"):
        return len(bare.split()) >= _SHORTEST_LEAD and _HAS_VERB.search(bare) is not None
    return (_measures(bare) or _FILLED.match(bare) is not None) and len(bare.split()) <= _LONGEST_LINE


def _is_label(bare: str, *, numbered: bool, item: bool) -> bool:
    found = re.findall(r"[^\W\d_][\w'’-]*", bare)
    if not found:
        return True
    if _HAS_VERB.search(bare) or _SOMEBODY.match(bare) or _FILLED.match(bare):
        return False
    titled = [word[0].isupper() for word in found if len(word) > 3]
    if len(found) > _LONGEST_LABEL:  # who appeared for whom, a list of names
        return titled.count(True) >= _MOST * len(titled)
    past = any(word.endswith("ed") for word in found)
    return not _measures(bare) and (all(titled) or (not past and not item and (numbered or len(found) < 3)))


def _measures(text: str) -> bool:
    """Whether it states a date, an amount, a share or a period: a number alone may count the line or its page."""
    return any(value.kind is not ValueKind.NUMBER for value in values(text))


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
    """A sentence whose subject is a pronoun, after the section that it stands in, else after its document; one in which
    its author speaks ("I signed it"), after the document. Read alone it would say nothing of whom. Any other stays as
    it is."""
    if _SPEAKER.match(text) and title.strip():
        return f"In “{one_line(title)[:LONGEST_PLACE]}”: {text}"
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
