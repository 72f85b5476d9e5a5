"""A draft's way through the check: find, resolve, pin, compare by the gate, triage, judge."""

import re
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from app.services.cite_check.attributing import Attributed, QuotedAt, attribute
from app.services.cite_check.authorities import authorities_of
from app.services.cite_check.catalogue import Catalogue
from app.services.cite_check.draft import read_draft
from app.services.cite_check.draft_model import Draft, place_of
from app.services.cite_check.findings import CitationFound, CiteCheck, LooseQuotation, QuotationFound
from app.services.cite_check.places import Fault, PageMap, Part, Pinned
from app.services.cite_check.resolving import Resolved, resolve_all
from app.services.cite_check.text_index import TextIndex
from app.services.cite_check.verdicts import Facts, judge
from app.services.evidence import looking
from app.services.evidence.supporting import MatterDocuments
from app.services.evidence.verifying import checked
from app.services.matter.matter import Matter
from models.citations.finding import TextBlock, definitions, find_citations
from models.citations.model import CitationKind, Mention
from models.triage.support import SupportItem, SupportResult, triage
from verify.domain.claim import Citation
from verify.domain.document import SourceRecord
from verify.domain.ids import CheckId, ClaimId
from verify.domain.progress import Progress
from verify.report import CheckResult, Status, VerificationReport
from verify.request import MAX_CHECKS, build_request, parse_request

Checking = Generator[Progress, None, CiteCheck]
_MOST_ELSEWHERE = 3
_LEAST_LOOSE = 4
"""Words from which a quotation without citation is looked for in the whole matter."""


def cite_check(matter: Matter, path: Path) -> Checking:
    """Raises InputMissing and InputUnreadable for the draft. Closing the generator cancels."""
    draft = yield from read_draft(path, matter.settings)
    blocks = [TextBlock(b.text, b.is_note) for b in draft.blocks]
    mentions = find_citations(blocks)
    yield Progress("cite", len(mentions), None, "citations")
    work = _Work(matter, draft, mentions, attribute(draft.blocks, mentions))
    resolved = resolve_all(mentions, definitions(blocks), work.catalogue)
    return (yield from work.run(resolved))


@dataclass(frozen=True, slots=True)
class _Planned:
    """The checks of one quotation: of the pages that are cited, first, and of those that hold it elsewhere."""

    quoted: QuotedAt
    primary: CheckId | None
    elsewhere: tuple[CheckId, ...]
    over: bool
    common: bool = False


class _Document:
    def __init__(self, catalogue: Catalogue, record: SourceRecord) -> None:
        self.record = record
        self.pages = tuple(catalogue.pages(record))
        self.map = PageMap(self.pages)
        self.index = TextIndex(self.pages)

    def label(self, index: int) -> str | None:
        return next((p.label for p in self.pages if p.index == index), None)


class _Work:
    """One run. ``_requests`` are the checks asked of the gate, in order."""

    def __init__(self, matter: Matter, draft: Draft, mentions: Sequence[Mention], attributed: Attributed) -> None:
        self.matter, self.draft, self.mentions, self.attributed = matter, draft, mentions, attributed
        self.catalogue = Catalogue(matter)
        self._documents: dict[str, _Document] = {}
        self._requests: list[tuple[CheckId, ClaimId | None, Citation]] = []

    def document(self, record: SourceRecord) -> _Document:
        if record.source_id not in self._documents:
            self._documents[record.source_id] = _Document(self.catalogue, record)
        return self._documents[record.source_id]

    def run(self, resolved: Sequence[Resolved]) -> Checking:
        pins, plans = [], []
        for number, found in enumerate(resolved):
            pin, plan = self._plan(number, found)
            pins.append(pin)
            plans.append(plan)
            if found.card is not None:
                yield Progress("cite", number + 1, len(resolved), "citations", found.card.record.source_id)
        loose = [self._plan_loose(number, q) for number, q in enumerate(self.attributed.loose)]
        report = self._verified()
        checks = {c.check_id: c for c in report.checks if c.check_id is not None}
        supports = yield from self._supported(resolved, pins, plans, checks)
        citations = tuple(
            self._found(n, resolved[n], pins[n], plans[n], checks, supports.get(f"c{n + 1}"))
            for n in range(len(resolved))
        )
        unowned = tuple(self._loose(q, ids, checks) for q, ids in zip(self.attributed.loose, loose, strict=True))
        return CiteCheck(self.draft, citations, authorities_of(citations), unowned, report)

    def _plan(self, number: int, found: Resolved) -> tuple[Pinned, list[_Planned]]:
        quoted = self.attributed.quotations[number]
        if found.card is None:
            return Pinned(fault=Fault.NONE_GIVEN), [_Planned(q, None, (), False) for q in quoted]
        document = self.document(found.card.record)
        pinned = document.map.pin(self.mentions[number])
        return pinned, [self._plan_quotation(f"c{number + 1}", at, q, document, pinned) for at, q in enumerate(quoted)]

    def _plan_quotation(self, claim: str, at: int, q: QuotedAt, document: _Document, pinned: Pinned) -> _Planned:
        text = self._text(q)
        holding, over = document.index.holds(text), document.index.holds_over(text)
        cited = pinned.pages
        on_page = [p for p in cited if p in holding]
        primary: CheckId | None
        running = [p for p in over if p in cited or p + 1 in cited]
        if on_page:
            primary = self._ask(claim, f"q{at + 1}", document, on_page[0], text)
        elif running:
            primary = self._ask(claim, f"q{at + 1}", document, running[0], text, running[0] + 1)
        elif cited:
            primary = self._ask(claim, f"q{at + 1}", document, cited[0], text)
        elif holding or over:
            page = holding[0] if holding else over[0]
            primary = self._ask(claim, f"q{at + 1}", document, page, text, None if holding else page + 1)
        else:
            primary = (
                self._ask(claim, f"q{at + 1}", document, document.pages[0].index, text) if document.pages else None
            )
        others = [p for p in holding if p not in cited][:_MOST_ELSEWHERE] if not on_page and not running else []
        elsewhere = tuple(self._ask(claim, f"q{at + 1}e{n + 1}", document, p, text) for n, p in enumerate(others))
        return _Planned(q, primary, elsewhere, bool(running) and not on_page, len(holding) > 1)

    def _ask(self, claim: str, name: str, document: _Document, page: int, text: str, end: int | None = None) -> CheckId:
        check_id = CheckId(f"{claim}-{name}")
        citation = Citation(
            document.record.source_id, document.record.fingerprint, page, document.label(page), text, end_page_index=end
        )
        self._requests.append((check_id, ClaimId(claim), citation))
        return check_id

    def _text(self, q: QuotedAt) -> str:
        return self.draft.blocks[q.block].text[q.start : q.end].strip()

    def _plan_loose(self, number: int, q: QuotedAt) -> tuple[CheckId, ...]:
        """Checks of a quotation without citation, in the documents that could hold it."""
        text = self._text(q)
        if len(text.split()) < _LEAST_LOOSE:
            return ()
        found: list[CheckId] = []
        for card in self.catalogue.cards:
            document = self.document(card.record)
            for page in document.index.holds(text)[:1]:
                found.append(self._ask(f"u{number + 1}", f"d{len(found) + 1}", document, page, text))
            if len(found) == _MOST_ELSEWHERE:
                break
        return tuple(found)

    def _verified(self) -> VerificationReport:
        rows = self._requests[:MAX_CHECKS]
        raw = build_request(f"cite-check-{self.draft.fingerprint[7:19]}", rows)
        return checked(self.matter, parse_request(raw), looking.view(self.matter), self.matter.settings.ocr_threshold)

    def _supported(
        self, resolved: Sequence[Resolved], pins: Sequence[Pinned], plans: Sequence[Sequence[_Planned]],
        checks: dict[CheckId, CheckResult],
    ) -> Generator[Progress, None, dict[str, SupportResult]]:  # fmt: skip
        """Triage, by words alone: on opinions that is as good as with the encoder, which takes minutes for fifty.
        Of what has pages; without a pinpoint of the page where its quotation stands, else of the page of the
        document that fits best."""
        items: list[SupportItem] = []
        guesses: list[SupportItem] = []
        for number, found in enumerate(resolved):
            proposition = self.attributed.arguments[number]
            if found.card is None or not proposition or pins[number].fault not in (None, Fault.NONE_GIVEN):
                continue
            pages = pins[number].pages or _where_quoted(plans[number], checks)
            item = SupportItem(f"c{number + 1}", proposition, found.card.record.source_id, pages[:100] or (0,))
            (items if pages else guesses).append(item)
        first = yield from self._triaged(guesses)
        for item in guesses:
            better = first[item.item_id].better_pages
            items.append(item._replace(page_indexes=(better[0].page_index if better else 0,)))
        return (yield from self._triaged(items))

    def _triaged(self, items: Sequence[SupportItem]) -> Generator[Progress, None, dict[str, SupportResult]]:
        documents = MatterDocuments(self.matter)
        with closing(triage(sorted(items, key=lambda i: i.source_id), documents)) as work:
            results = yield from work
        return {result.item_id: result for result in results}

    def _found(
        self, number: int, resolved: Resolved, pinned: Pinned, plans: Sequence[_Planned],
        checks: dict[CheckId, CheckResult], support: SupportResult | None,
    ) -> CitationFound:  # fmt: skip
        mention = self.mentions[number]
        block = self.draft.blocks[mention.block]
        quotations = tuple(self._quotation(plan, checks) for plan in plans)
        document = self.document(resolved.card.record) if resolved.card is not None else None
        voice, quoted_there = self._voices(mention, quotations, document, self.attributed.propositions[number])
        verdict, advice = judge(Facts(resolved, pinned, quotations, support, voice, quoted_there))
        suggested = _suggested(quotations, support, pinned)
        place = place_of(block, mention.start, mention.end)
        label = (lambda _: None) if document is None else document.label
        return CitationFound(
            f"c{number + 1}", mention, place, place.page, resolved, pinned, tuple(map(label, pinned.pages)),
            self.attributed.propositions[number], quotations, support, verdict, advice, suggested,
            tuple(map(label, suggested)),
        )  # fmt: skip

    def _quotation(self, plan: _Planned, checks: dict[CheckId, CheckResult]) -> QuotationFound:
        q = plan.quoted
        check = checks.get(plan.primary) if plan.primary else None
        verified = [checks[c] for c in plan.elsewhere if c in checks and checks[c].status is Status.VERIFIED]
        pages = [c.evidence.page_index for c in verified if c.evidence is not None]
        if check is not None and check.status is not Status.VERIFIED:
            pages += [e.page_index for e in check.found_elsewhere]
        place = place_of(self.draft.blocks[q.block], q.start, q.end)
        return QuotationFound(self._text(q), place, check, tuple(dict.fromkeys(pages)), plan.over, plan.common)

    def _voices(
        self, mention: Mention, quotations: Sequence[QuotationFound], document: _Document | None, proposition: str
    ) -> tuple[bool, bool]:
        """Whether the quoted words are another's than the court's, and whether the page itself quotes them."""
        if document is None or mention.kind is not CitationKind.CASE:
            return False, False
        other = within = False
        for quotation in quotations:
            evidence = quotation.check.evidence if quotation.check is not None else None
            if evidence is None or evidence.start is None or evidence.end is None:
                continue
            facts = document.map.part_of(evidence.page_index)
            named = bool(mention.separate or mention.writer)
            other |= not named and facts is not None and facts.part in (Part.SYLLABUS, Part.SEPARATE)
            said = _PARTY_SAYS.search(evidence.sentence or "")
            other |= said is not None and said["who"].lower() not in proposition.lower()
            text = next(p.text for p in document.pages if p.index == evidence.page_index)
            within |= (
                text[max(0, evidence.start - 1) : evidence.start] in ("“", "‘", '"') and "quot" not in mention.text
            )
        return other, within

    def _loose(self, q: QuotedAt, ids: Sequence[CheckId], checks: dict[CheckId, CheckResult]) -> LooseQuotation:
        found = []
        for check_id in ids:
            evidence = checks[check_id].evidence if check_id in checks else None
            if evidence is not None and checks[check_id].status is Status.VERIFIED:
                card = self.catalogue.by_id[evidence.source_id]
                found.append((evidence.source_id, card.record.path, evidence.page_index, evidence.page_label))
        return LooseQuotation(self._text(q), place_of(self.draft.blocks[q.block], q.start, q.end), tuple(found))


_PARTY_SAYS = re.compile(
    r"\b(?P<who>petitioners?|respondents?|plaintiffs?|defendants?|appellants?|appellees?|claimants?|amic[iu]s?|counsel|"
    r"(?:the|a)\s(?!court|majority|judge|justice|statute|rule|opinion|law\b)[a-z]+)(?:’s|'s)?,?\s(?:\w+ly\s)?"
    r"(?:argue|contend|assert|insist|maintain|urge|submit|claim)s?\b",
    re.IGNORECASE,
)
"""A sentence that reports what somebody else than the court says."""


def _where_quoted(plans: Sequence[_Planned], checks: dict[CheckId, CheckResult]) -> tuple[int, ...]:
    pages = []
    for plan in plans:
        check = checks.get(plan.primary) if plan.primary else None
        if check is not None and check.status is Status.VERIFIED and check.evidence is not None:
            pages.append(check.evidence.page_index)
    return tuple(dict.fromkeys(pages))


def _suggested(quotations: Sequence[QuotationFound], support: SupportResult | None, pinned: Pinned) -> tuple[int, ...]:
    pages = [p for q in quotations for p in q.elsewhere]
    if not pinned.pages:
        pages += [
            q.check.evidence.page_index for q in quotations if q.check is not None and q.check.evidence is not None
        ]
    if support is not None and not any(q.check and q.check.status is Status.VERIFIED for q in quotations):
        pages += [b.page_index for b in support.better_pages]
    return tuple(p for p in dict.fromkeys(pages) if p not in pinned.pages)[:_MOST_ELSEWHERE]
