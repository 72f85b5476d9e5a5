"""A clause by its number, whole: "clause 1.2(b)", "section 19", "Schedule 2", "Article IX".

Where a clause begins and ends is what the document's structure says: each part of a passage knows the headings that it
stands under and its own number, put together as lawyers cite it, however the number came about (typed, or counted by a
word processor). Words that only refer to a clause are never it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from verify.domain.passage import Passage, PassageKind, PassagePart

_ATTACHED = ("schedule", "exhibit", "annex", "appendix", "attachment", "annexure")
_NAMED = {
    "section": "section", "sections": "section", "sec": "section", "s": "section", "§": "section", "§§": "section",
    "clause": "section", "clauses": "section", "cl": "section", "paragraph": "section", "paragraphs": "section",
    "para": "section", "rule": "section", "item": "section",
    "article": "article", "articles": "article", "art": "article", "part": "part", "chapter": "chapter",
} | {name: name for name in _ATTACHED}  # fmt: skip
"""What a division is called, by what it is sought among: sections, clauses and paragraphs are told apart by few."""
_NUMBER = r"\d{1,4}[a-z]?(?:\.\d{1,3})*(?:\s?\([a-z0-9]{1,4}\))*|[ivxlc]{1,7}\b(?:\s?\([a-z0-9]{1,4}\))*"
_ASKED = re.compile(
    rf"(?:\b({'|'.join(sorted((n for n in _NAMED if n.isalpha()), key=len, reverse=True))})\b\.?\s*|(§§?)\s*)"
    rf"(?:no\.?\s*)?({_NUMBER}|[a-z]{{1,2}}(?:[-.]?\d+)*\b)",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?<![\w.$€£])\d{1,3}(?:\.\d{1,3})+(?:\s?\([a-z0-9]{1,4}\))*(?![\w%])|(?<![\w.])\d{1,3}(?:\([a-z0-9]{1,4}\))+",
    re.IGNORECASE,
)
_STEP = re.compile(
    rf"\W*?(?:({'|'.join(sorted((n for n in _NAMED if n.isalpha()), key=len, reverse=True))})\b\.?\s*|(§§?)\s*)?"
    rf"((?:{_NUMBER}|[a-z](?:[-.]?\d+)*))(?=[\s.:,;)–—-]|$)",
    re.IGNORECASE,
)
_WITHIN = re.compile(r"\s*(?:of|to|in|under)\s+(?:the\s+)?", re.IGNORECASE)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_LISTED = re.compile(r"[^\n]*[^\W\d][^\n]*(?:\.{3,}|[^\S\n])\d{1,3}\s*")
"""A line of a table of contents, behind its number: words, then a page."""


@dataclass(frozen=True, slots=True)
class Designator:
    """``kind`` is "section", "article", "part", "chapter", the name of an attachment, or "" where only a number is
    asked for; ``number`` is in lower case without spaces, romans as figures ("9" for "IX"). ``within`` is the
    attachment that it is said to be in, a designator of its own."""

    kind: str
    number: str
    within: "Designator | None" = None


def designators(question: str) -> tuple[Designator, ...]:
    """The clauses that a question names, in order, each once; a bare number only where it can be nothing else."""
    found: list[Designator] = []
    end = 0
    for match in _ASKED.finditer(question):
        kind, number = _NAMED[(match[1] or match[2]).lower()], _plain(match[3])
        if kind not in (*_ATTACHED, "part") and not number[0].isdigit():
            continue  # "section by section"
        one = Designator(kind, number)
        joint = question[end : match.start()]
        if found and kind in _ATTACHED and found[-1].kind not in _ATTACHED and _WITHIN.fullmatch(joint):
            found[-1] = replace(found[-1], within=one)
        elif found and kind not in _ATTACHED and found[-1].kind in _ATTACHED and joint.strip() in (",", ""):
            found[-1] = replace(one, within=found[-1])  # "Schedule 2, paragraph 3"
        else:
            found.append(one)
        end = match.end()
    if not found:
        found = [Designator("", _plain(match[0])) for match in _BARE.finditer(question)]
    return tuple(dict.fromkeys(found))


def clause(passages: Sequence[Passage], wanted: Designator) -> tuple[Passage, ...]:
    """The parts of one document's passages, in order, that are the clause; empty where the document has none. Of a
    number that begins anew in an attachment the one of the main part comes first, unless the attachment is named."""
    inside = [_kept(passage, wanted) for passage in passages if passage.kind in (PassageKind.TEXT, PassageKind.HEADING)]
    main = [kept.main for kept in inside if kept.main is not None]
    return tuple(main) or tuple(kept.attached for kept in inside if kept.attached is not None)


@dataclass(frozen=True, slots=True)
class _Kept:
    """What a passage has of the clause, in the document's main part and in attachments."""

    main: Passage | None
    attached: Passage | None


def _kept(passage: Passage, wanted: Designator) -> _Kept:
    own: list[int] = []
    attached: list[int] = []
    for number, (part, path) in enumerate(zip(passage.parts, paths(passage), strict=True)):
        if _is_in(path, wanted) and not _is_listed(_text(passage, part)):
            named = wanted.kind in _ATTACHED or wanted.within is not None
            (attached if not named and any(_attachment(step) for step in path) else own).append(number)
    return _Kept(_of_parts(passage, own), _of_parts(passage, attached))


def paths(passage: Passage) -> list[tuple[str, ...]]:
    """For each part the headings over it, itself last where it is a heading, and its own number."""
    section = passage.heading_path
    if section and any(part.clause == section[-1] for part in passage.parts):
        section = section[:-1]
    made = []
    for part in passage.parts:
        text = " ".join(_text(passage, part).split())
        if part.clause:
            made.append((*section, part.clause))
        elif text in passage.heading_path:
            made.append(passage.heading_path[: passage.heading_path.index(text) + 1])
        elif passage.kind is PassageKind.HEADING:
            made.append((*passage.heading_path, text))
        else:
            made.append(section)
    return made


def _is_in(path: Sequence[str], wanted: Designator) -> bool:
    if wanted.within is not None and not any(_is(step, wanted.within) for step in path):
        return False
    steps = path
    if wanted.kind not in _ATTACHED:  # "Schedule 2" is no clause 2
        steps = [step for step in path if not _attachment(step)]
    return any(_is(step, wanted) for step in steps)


def _is(step: str, wanted: Designator) -> bool:
    """Whether what stands under the step is, or is part of, the clause."""
    match = _STEP.match(step)
    if match is None:
        return False
    name = (match[1] or match[2] or "").lower()
    kind, number = _NAMED.get(name, ""), _plain(match[3])
    if wanted.kind in (*_ATTACHED, "article", "part", "chapter") and kind != wanted.kind:
        # articles are often numbered alone ("9. Indemnity"), attachments never
        if wanted.kind in _ATTACHED or kind:
            return False
    elif wanted.kind in ("section", "") and kind in ("part", "chapter", *_ATTACHED):
        return False
    return number == wanted.number or number.startswith((f"{wanted.number}.", f"{wanted.number}("))


def _is_listed(text: str) -> bool:
    match = _STEP.match(text)
    return _LISTED.fullmatch(text, match.end() if match else 0) is not None


def _attachment(step: str) -> bool:
    match = _STEP.match(step)
    return step.split(" ", 1)[0].lower().strip(".:") in _ATTACHED and (match is not None or " " not in step.strip())


def _plain(number: str) -> str:
    """ "ix" → "9", "7.2 (B)" → "7.2(b)"."""
    head, bracket, rest = "".join(number.lower().split()).rstrip(".").partition("(")
    if re.fullmatch("[ivxlc]+", head):
        values = [_ROMAN[sign] for sign in head]
        value = sum(-v if any(w > v for w in values[n + 1 : n + 2]) else v for n, v in enumerate(values))
        head = str(value)
    return head.removesuffix(".0") + bracket + rest


def _text(passage: Passage, part: PassagePart) -> str:
    return passage.text[part.at : part.at + part.end - part.start]


def _of_parts(passage: Passage, numbers: Iterable[int]) -> Passage | None:
    chosen = [passage.parts[number] for number in numbers]
    if not chosen:
        return None
    if len(chosen) == len(passage.parts):
        return passage
    texts = [_text(passage, part) for part in chosen]
    parts = tuple(part._replace(at=at) for part, at in zip(chosen, _starts(texts), strict=True))
    return replace(passage, text="\n\n".join(texts), parts=parts)


def _starts(texts: Iterable[str]) -> Iterator[int]:
    at = 0
    for text in texts:
        yield at
        at += len(text) + 2
