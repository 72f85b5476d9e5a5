"""Whether the claims of a bundle follow from its report: release, the words of extracts, the words of table cells."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from app.services.answers.answers import Answer, AnsweredClaim
from app.services.answers.calculating import holds, is_said
from app.services.answers.release import release
from app.services.bundle.check_sources import listed_sources
from app.services.bundle.findings import BundleFinding, Fault, Opened
from app.services.evidence.verifying import parse
from models.answering.claim_text import LONGEST_PLACE, one_line
from verify.evidence import kept_pages
from verify.report import CheckResult

_ANSWER = "answer.json"
_NAMED = re.compile(r"(?:Under|In) “(?P<place>[^”]*)”: (?P<words>.*)", re.DOTALL)
"""What ``models.answering.claim_text.with_subject`` puts before a sentence that names no subject."""
_WORD = re.compile(r"\w+(?:[.,'’]\w+)*")


def claim_findings(opened: Opened) -> Iterator[BundleFinding]:
    answer = opened.answer
    if answer.report != opened.report:
        yield BundleFinding("report.json", Fault.REPORT_DIFFERS, "answer.json holds another report")
    known = {c.check_id for c in answer.report.checks}
    places = _places(opened)
    request = parse(opened.request)
    for claim in answer.claims:
        if not known.issuperset(claim.check_ids):
            yield BundleFinding(_ANSWER, Fault.REPORT_DIFFERS, f"{claim.claim_id} names a check that is not there")
        checks = answer.checks_of(claim)
        calculated = holds(claim.claim_type, claim.calculation, request, checks)
        due = release(checks, claim.support.label, faulty=claim.fault is not None, calculated=calculated)
        if claim.release is not due:
            detail = f"{claim.claim_id} is {claim.release.value}, its checks and support say {due.value}"
            yield BundleFinding(_ANSWER, Fault.RELEASE_DIFFERS, detail)
        said = calculated is None or is_said(claim.text, claim.calculation, request)
        if not said or not _is_what_it_is_called(claim, checks, places):
            detail = f"{claim.claim_id} is called {claim.support.method} and holds other words than its evidence"
            yield BundleFinding(_ANSWER, Fault.CLAIM_DIFFERS, detail)
    yield from _conflicts(answer)


def _conflicts(answer: Answer) -> Iterator[BundleFinding]:
    ids = {claim.claim_id for claim in answer.claims}
    for conflict in answer.conflicts:
        if not {conflict.earlier, conflict.later} <= ids:
            yield BundleFinding(_ANSWER, Fault.REPORT_DIFFERS, "a conflict names a claim that is not there")


def _is_what_it_is_called(claim: AnsweredClaim, checks: Sequence[CheckResult], places: set[str]) -> bool:
    """True for a claim in a model's words, which its support says; an extract is its own quotation."""
    texts = [check.evidence.text for check in checks if check.evidence is not None and check.evidence.text]
    if claim.support.method not in ("verbatim", "table_cell") or not texts:
        return True
    if claim.support.method == "verbatim":
        return _bare(_without_place(claim.text, places)) == _bare(" ".join(texts))
    shown = " ".join((*texts, *(words for _, words in claim.places), *places))
    return set(_WORD.findall(claim.text.casefold())) <= {*_WORD.findall(shown.casefold()), "in", "of", "and"}


def _without_place(text: str, places: set[str]) -> str:
    """The claim without the section or document that is named before it, where the bundle has one of that name."""
    named = _NAMED.fullmatch(text)
    return named["words"] if named and named["place"] in places else text


def _bare(text: str) -> str:
    return "".join(one_line(text).split())


def _places(opened: Opened) -> set[str]:
    """Headings that the kept pages have and names that the list of documents has, as a claim gives them."""
    found: set[str] = set()
    for page in kept_pages(opened.evidence):
        for element in page.elements:
            found.update(element.heading_path)
    for record in listed_sources(opened):
        found.update((record.metadata.title or "", record.path, PurePosixPath(record.path).name))
        found.add(PurePosixPath(record.path).stem)
    return {one_line(name)[:LONGEST_PLACE] for name in found if name}
