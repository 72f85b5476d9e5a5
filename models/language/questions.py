"""What a question asks for: the concepts it names, the words that remain, and the kind of value an answer gives."""

import re
from typing import NamedTuple

from models.language.concepts import Concept, concepts, flat
from models.language.values import ValueKind
from models.language.wording import STOP_WORDS, stem, words

_GENERIC_WORDS = """agreement contract document clause provision section article party parties term terms condition
    conditions include included includes contain contained contains state stated states say says specify specified
    specifies provide provided provides mention mentioned set out concern concerning regarding related detail details
    information tell find list describe explain identify designate designated designates please consider one ones
    following exist exists require required requires type kind apply applies applied case event happen happens grant
    granted present time many much long any right rights service services restriction restrictions company
    arrangement arrangements way there prevent prevents preventing prohibit prohibited allow allows allowed
    exception exceptions duration length effect effective date day end ends start begin last"""
_GENERIC = frozenset(map(stem, _GENERIC_WORDS.split()))
"""Words that nearly every question about a contract has, and that tell no passage from another."""

_SCOPE = re.compile(
    r"^[^;?]{8,400};\s*|^(?:in|under|according to|pursuant to|as per)\b[^,;?]{4,200},\s*(?=[a-z]+\b)", re.I
)
"""A leading phrase that says which document is meant ("Consider the ... Agreement;", "Under the lease, ...")."""

_WHEN = re.compile(r"\bwhen\b|\b(what|which) (\w+ ){0,3}(date|day|year|deadline)\b|\bdate\b|\bby when\b")
_HOW_MUCH = re.compile(r"\bhow much\b|\b(amount|price|fee|fees|cost|salary|sum|rent|budget|deductible|revenue)\b")
_HOW_LONG = re.compile(r"\bhow (long|soon)\b|\b(duration|period|term of|how many (days|weeks|months|years))\b")
_PERCENT = re.compile(r"\b(percent\w*|rate|share of|royalty|commission)\b|%")
_COUNT = re.compile(r"\bhow (many|often) (?!days|weeks|months|years|hours|dollars|euros)(\w+)")
_OF_DOCUMENTS = re.compile(
    r"\bhow many (of (the|these|our|all) )?(\w+ )?(agreements|contracts|documents|files|e-?mails|letters|invoices|"
    r"sources|opinions|cases|exhibits|leases|amendments)\b"
)
_WHY = re.compile(
    r"\bwhy\b|\bfor (?:what|which) reasons?\b|\bon (?:what|which) grounds?\b|\bhow come\b|"
    r"\bwhat (?:was|is|are|were) the (?:reasons?|grounds?|basis|cause)\b"
)
_OF_TITLE = re.compile(
    r"\b(?:what|which) (?:(?:kind|type|sort|form) of )?(?:\w+ )?(?:agreement|contract|document|deed|instrument)"
    r"(?= (?:is|are|am|was|does|do)\b|\W*$)|"
    r"\b(?:title|name|called|entitled(?! to)|headed|headings?|captions?)\b.*\b(?:agreement|contract|document|deed|case|"
    r"section|clause|article|exhibit|schedule)\b|"
    r"\b(?:agreement|contract|document|deed|case|section|clause|article)\b.*\b"
    r"(?:called|entitled(?! to)|headed|title|name)\b"
)
"""What a heading answers."""


class Question(NamedTuple):
    """``terms`` are stems of content words that no concept explains; ``named`` those that begin with a capital."""

    text: str
    concepts: tuple[Concept, ...]
    terms: tuple[str, ...]
    explained: frozenset[str]
    named: frozenset[str]
    kinds: frozenset[ValueKind]
    counts_documents: bool
    reason: bool
    titles: bool
    """Whether a heading can answer it ("What is this document called?")."""


def read_question(text: str) -> Question:
    """``terms`` keep the question's order, none twice. A phrase that only names the document is left out of it all."""
    asking = _SCOPE.sub("", text, count=1)
    lowered = flat(asking)
    asked, covered = [], bytearray(len(lowered))
    for concept in concepts():
        for match in concept.asked.finditer(lowered):
            asked.append(concept)
            covered[match.start() : match.end()] = b"\1" * (match.end() - match.start())
    explained = frozenset(
        stem(word) for match in re.finditer(r"[\w']+", lowered) if covered[match.start()] for word in words(match[0])
    )
    terms = [stem(word) for word in words(asking) if word not in STOP_WORDS]
    kept = tuple(t for t in dict.fromkeys(terms) if t not in _GENERIC and t not in explained and len(t) > 1)
    named = frozenset(stem(w.lower()) for w in re.findall(r"(?<!^)\b[A-Z][\w&-]+", asking))
    return Question(
        asking, tuple(dict.fromkeys(asked)), kept, explained, named & frozenset(kept), _kinds(lowered),
        *(pattern.search(lowered) is not None for pattern in (_OF_DOCUMENTS, _WHY, _OF_TITLE)),
    )  # fmt: skip


def _kinds(lowered: str) -> frozenset[ValueKind]:
    kinds: set[ValueKind] = set()
    if _WHEN.search(lowered):
        kinds |= {ValueKind.DATE, ValueKind.DURATION} if "expir" in lowered or "end" in lowered else {ValueKind.DATE}
    if _HOW_MUCH.search(lowered):
        kinds |= {ValueKind.AMOUNT, ValueKind.PERCENT}
    if _HOW_LONG.search(lowered):
        kinds |= {ValueKind.DURATION, ValueKind.DATE}
    if _PERCENT.search(lowered):
        kinds |= {ValueKind.PERCENT, ValueKind.AMOUNT}
    if _COUNT.search(lowered):
        kinds |= {ValueKind.NUMBER}
    return frozenset(kinds)
