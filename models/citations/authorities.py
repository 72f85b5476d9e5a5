"""Cases and statutes in a text: full and short citations, neutral citations, slip opinions.

Volume, reporter and page are found by eyecite's tokenizer, which knows some 1,200 reporters and codes; the names,
pinpoints and parentheticals around them are read here, where each is proved by its own place in the text.
"""

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

from models.citations.model import CitationKind, Form, Mention, Pinpoint, ReporterCite
from models.citations.names import name_before, names_in
from models.citations.pinpoints import pin_at

logging.getLogger("eyecite").setLevel(logging.CRITICAL + 1)
"""It logs the text that it reads, which no log of this program may hold."""


@dataclass(frozen=True, slots=True)
class _Core:
    start: int
    end: int
    cite: ReporterCite
    short: bool
    statute: bool


_NEUTRAL = re.compile(
    r"\[(?P<year>\d{4})\]\s(?P<court>(?:UK(?:SC|HL|PC|UT|FTT|EAT)|EWCA\s(?:Civ|Crim)|EWHC|EWFC|CSIH|CSOH|NICA|IEHC|IESC|IECA|"
    r"HCA|FCA(?:FC)?|NSWSC|NSWCA|VSC|VSCA|QSC|QCA|WASC|NZSC|NZCA|NZHC|SGCA|SGHC|HKCFA|HKCA|HKCFI|ZASCA|ZACC)"
    r"(?:\sFC)?)\s(?P<number>\d{1,5})(?P<division>\s\((?:Ch|QB|KB|Comm|TCC|Admin|Fam|Pat|Costs|IPEC|TCC|[A-Z]{1,3})\))?"
)
_COMMONWEALTH = re.compile(r"\b(?P<year>\d{4})\s(?P<court>SCC|ONCA|BCCA|ABCA|ONSC|BCSC|FCA|FC)\s(?P<number>\d{1,5})\b")
_LAW_REPORT = re.compile(
    r"[\[(](?P<year>\d{4})[\])]\s(?P<volume>\d{1,3}\s)?(?P<reporter>AC|QB|KB|Ch|WLR|All\sER(?:\s\(Comm\))?|Lloyd['’]s\sRep|BCLC|"
    r"BLR|Fam|ICR|IRLR|CLR|ALR|NZLR|P|EMLR|FSR|RPC|Cr\sApp\sR)\s(?P<page>\d{1,5})\b"
)
"""Courts' neutral citations and the law reports of England and the Commonwealth (OSCOLA, sections 2.1.1 to 2.1.3)."""

_SLIP = re.compile(r",?\s\(?slip\s?op(?:inion|\.)?", re.IGNORECASE)
DOCKET = re.compile(
    r",?\s\(?(?:Case\s|Civ(?:il)?\.?\s(?:Action\s)?(?:A\.\s)?|Crim\.\s)?Nos?\.\s?(?P<number>(?:\d{1,2}:)?\d{2,4}\s?[-–—‑‐]\s?(?:[a-z]{2}\s?[-–]\s?)?\d{1,6}(?:[-–][A-Z]{2,4})*)"
)
_BRACKETS = r"(?:\([A-Za-z0-9]{1,4}\))*"
_ACT = r"(?:[A-Z][\w’']{1,30}\s(?:and\s|of\s|\([\w\s]{3,30}\)\s)?){1,7}Act\s\d{4}"
_FEDERAL_RULES = r"C(?:iv|IV)\.\sP|C(?:rim|RIM)\.\sP|A(?:pp|PP)\.\sP|B(?:ankr|ANKR)\.\sP|E(?:vid|VID)"
_CODE = re.compile(
    rf"\b(?:(?:[A-Z][A-Za-z.&’']{{0,30}}\s){{1,6}}(?:C(?:ode|ODE)|Stat\.|STAT\.|Ann\.|ANN\.|Laws|Regs?\.)"
    rf"(?:\sA(?:nn|NN)\.)?,?\s?§{{1,2}}\s?\d[\w.:–-]*{_BRACKETS}"
    rf"|F(?:ed|ED)\.\sR\.\s(?:{_FEDERAL_RULES})\.\s\d+(?:\.\d+)?{_BRACKETS}"
    rf"|\d{{1,2}}\s(?:U\.\s?S\.\s?C\.|C\.\s?F\.\s?R\.)(?:\s?A\.)?\s(?:§{{1,2}}\s?|pts?\.\s)?\d[\w.–-]*\w{_BRACKETS}"
    rf"|U\.\s?S\.\sC(?:onst|ONST)\.\s(?:amend|art)\.\s[IVXL]+(?:,\s§\s\d+)?"
    rf"|(?:[Ss]ections?|ss?\.?)\s\d{{1,4}}[A-Z]{{0,2}}{_BRACKETS}\s(?:of\s(?:the\s)?)?{_ACT}"
    rf"|{_ACT},?\s(?:s|ss|section|sections)\.?\s?\d{{1,4}}[A-Z]{{0,2}}{_BRACKETS})"
)
"""Codes of states, federal rules, the Constitution and Acts of Parliament, not all known to eyecite."""
_STATUTE_TAIL = re.compile(r"(?:\([A-Za-z0-9]{1,4}\))*(?:\s\((?:West|LexisNexis|Supp)?[^()]{0,20}\d{4}\))?")
_JUDGE = re.compile(
    r"\(?(?:opinion of\s)?(?P<name>[A-Z][\w.’'-]+),?\s(?:C\.?\s?)?J{1,2}\.,?\s?"
    r"(?P<kind>concurring|dissenting|for the court|plurality)?"
)
_PLAIN_KIND = re.compile(r"^\(?(?P<kind>dissenting|concurring|plurality|syllabus|headnote)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(1[6-9]\d\d|20\d\d)\)?$")


@cache
def _tokenizer() -> Any:
    from eyecite.tokenizers import default_tokenizer

    return default_tokenizer


def _cores(text: str) -> list[_Core]:
    found = [*_codes(text), *_american(text), *_commonwealth(text)]
    found.sort(key=lambda core: (core.start, -core.end))
    kept: list[_Core] = []
    for core in found:
        if not kept or core.start >= kept[-1].end:
            kept.append(core)
    return kept


def _codes(text: str) -> Iterator[_Core]:
    for found in _CODE.finditer(text):
        lead = _LEADS.match(found.group())
        start = found.start() + (lead.end() if lead else 0)
        yield _Core(start, found.end(), ReporterCite("", text[start : found.end()], ""), False, True)


_LEADS = re.compile(r"(?:(?:See|Under|The|And|But|Cf\.|In|Accord)\s)+")


def _american(text: str) -> Iterator[_Core]:
    if not any(character.isdigit() for character in text):
        return
    from eyecite.models import CitationToken

    for _, token in _tokenizer().tokenize(text)[1]:
        if not isinstance(token, CitationToken):
            continue
        editions = token.exact_editions or token.variation_editions
        source = editions[0].reporter.source if editions else ""
        groups = token.groups
        if source == "laws":
            section = groups.get("section") or ""
            number = groups.get("title") or groups.get("chapter") or ""
            yield _Core(
                token.start, token.end, ReporterCite(number, groups.get("reporter") or "", section), False, True
            )
        elif source == "reporters":
            page = (groups.get("page") or "").strip("_ ")
            name = editions[0].short_name
            yield _Core(
                token.start, token.end, ReporterCite(groups.get("volume") or "", name, page), token.short, False
            )


def _commonwealth(text: str) -> Iterator[_Core]:
    for found in _NEUTRAL.finditer(text):
        name = re.sub(r"\s", " ", found["court"])
        yield _Core(found.start(), found.end(), ReporterCite(found["year"], name, found["number"]), False, False)
    for found in _COMMONWEALTH.finditer(text):
        yield _Core(
            found.start(), found.end(), ReporterCite(found["year"], found["court"], found["number"]), False, False
        )
    for found in _LAW_REPORT.finditer(text):
        volume = f"{found['year']} {found['volume'] or ''}".strip()
        name = re.sub(r"\s", " ", found["reporter"])
        yield _Core(found.start(), found.end(), ReporterCite(volume, name, found["page"]), False, False)


def find_authorities(text: str, block: int) -> list[Mention]:
    """Every case and statute cited by volume and page, neutral citation or docket number, in order."""
    found: list[Mention] = []
    cores, at = _cores(text), 0
    while at < len(cores):
        if cores[at].statute:
            found.append(_statute(text, block, cores[at]))
            at += 1
            continue
        group = _parallel(text, cores, at)
        found.append(_case(text, block, group))
        at += len(group)
    return sorted([*found, *_by_docket(text, block, found)], key=lambda m: m.start)


def _statute(text: str, block: int, core: _Core) -> Mention:
    tail = _STATUTE_TAIL.match(text, core.end)
    end = tail.end() if tail else core.end
    return Mention(block, core.start, end, text[core.start : end], CitationKind.STATUTE, reporters=(core.cite,))


_BETWEEN = re.compile(r"[,;]?\s(?:(?:at\s)?[\d–-]{1,12},\s)?|,\s_{2,},\s", re.ASCII)


def _parallel(text: str, cores: list[_Core], at: int) -> list[_Core]:
    """The citations of one case in several reports: only a comma, or a pinpoint between commas, parts them."""
    group = [cores[at]]
    for core in cores[at + 1 :]:
        gap = text[group[-1].end : core.start]
        if core.statute or ";" in gap or not _BETWEEN.fullmatch(gap):
            break
        group.append(core)
    return group


def _case(text: str, block: int, group: list[_Core]) -> Mention:
    first, last = group[0], group[-1]
    named = name_before(text, first.start)
    start = named[1] if named else first.start
    pin: Pinpoint | None = None
    if last.short:
        # "580 U.S. at 466": the tokenizer's page is the pinpoint
        pin_start = text.rfind(" at ", last.start, last.end + 1)
        read = pin_at(text, pin_start) if pin_start >= 0 else None
        pin, end = read if read else (Pinpoint(last.cite.page, (last.cite.page,)), last.end)
        end = max(end, last.end)
    else:
        end = last.end
        for earlier, later in pairwise(group):  # "347 U.S. 483, 495, 74 S. Ct. 686"
            between = pin_at(text[: later.start].rstrip(" ,"), earlier.end)
            pin = pin or (between[0] if between else None)
    cites = tuple(ReporterCite(c.cite.volume, c.cite.reporter, "") if c.short else c.cite for c in group)
    form = Form.SHORT if last.short else Form.FULL
    mention = Mention(
        block, start, end, "", CitationKind.CASE, form, named[0] if named else (), cites, pin=pin,
    )  # fmt: skip
    if not named:
        mention = _short_name(text, mention)
    return with_tail(text, mention)


_SIGNALS = frozenset(
    {"See", "But", "Accord", "Compare", "Contra", "Moreover", "However", "Thus", "Here", "Again", "Also", "Indeed"}
)
_SHORT_NAME = re.compile(r"(?P<name>(?<!\w)[A-Z][\w.’'&-]*(?:\s[A-Z&][\w.’'&-]*){0,4}),\s$")


def _short_name(text: str, mention: Mention) -> Mention:
    """ "Jevic, 580 U.S. at 466", and a case that is named by one party in full ("Jevic, 2020 WL 12345")."""
    found = _SHORT_NAME.search(text[max(0, mention.start - 60) : mention.start])
    name = (
        re.sub(r"^(?:(?:See|But|Accord|Cf\.?|In|Under|And|The|E\.g\.,?)\s)+", "", found["name"].strip())
        if found
        else ""
    )
    if len(name) < 3 or name in _SIGNALS:
        return mention
    start = mention.start - 2 - len(name)
    return replace(mention, start=start, parties=(name,))


def with_tail(text: str, mention: Mention) -> Mention:
    """With the docket number, pinpoint and parentheticals that follow."""
    end, pin, slip = mention.end, mention.pin, mention.slip
    docket = mention.docket
    for _ in range(3):
        if not docket and (found := DOCKET.match(text, end)):
            docket, end = plain_docket(found["number"]), found.end()
        elif (found := _SLIP.match(text, end)) and not text[found.start() : found.end()].lstrip(" ,").startswith("("):
            slip, end = True, found.end()
            if read := pin_at(text, end):
                pin, end = read
        elif (pin is None or not (pin.pages or pin.paragraphs)) and (read := pin_at(text, end)):
            pin, end = read
    mention = replace(mention, end=end, pin=pin, docket=docket, slip=slip)
    while (bracket := bracketed(text, mention.end)) is not None:
        mention = _with_bracket(text, mention, *bracket)
    return replace(mention, text=text[mention.start : mention.end])


def bracketed(text: str, position: int) -> tuple[int, int] | None:
    """The parenthetical that follows after at most one space: the places of its inside."""
    start = position + (text[position : position + 1] == " ")
    if text[start : start + 1] != "(":
        return None
    depth = 0
    for at in range(start, min(len(text), start + 1500)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return start + 1, at
    return None


def _with_bracket(text: str, mention: Mention, start: int, end: int) -> Mention:
    inside = text[start:end]
    changes: dict[str, Any] = {"end": end + 1}
    judge, kind = _JUDGE.match(inside), _PLAIN_KIND.match(inside)
    if re.match(r"slip\s?op", inside, re.IGNORECASE):
        read = pin_at(inside + ")", re.match(r"slip\s?op(?:inion|\.)?", inside, re.IGNORECASE).end())  # type: ignore[union-attr]
        changes |= {"slip": True} | ({"pin": read[0]} if read else {})
    elif judge:
        changes |= {"writer": judge["name"].title(), "separate": judge["kind"] or "opinion"}
    elif kind:
        changes |= {"separate": kind["kind"].lower()}
    elif _YEAR.search(inside) and len(inside) < 60:
        changes |= {"year": _YEAR.search(inside)[1]}  # type: ignore[index]
    elif len(inside) > 3:
        changes |= {"parenthetical": inside}
    return replace(mention, **changes)


def plain_docket(number: str) -> str:
    """ "15–1262" and "No. 15-1262" alike."""
    return re.sub(r"\s", "", re.sub(r"[–—‑‐]", "-", number)).lower()


_FOLLOWS = re.compile(
    r",?\s(?:No\.|Nos\.|Case No\.|Civ)|,?\s\(?slip\s?op|,?\sat\s[\d\[¶*]|,\sante\b|\s\([^()]{0,40}\d{4}\)"
    r"|,?\s¶|,?\s\[\d"
)


def _by_docket(text: str, block: int, found: list[Mention]) -> Iterator[Mention]:
    """A case named without a report: by its docket number, as a slip opinion, with its year, or with a pinpoint."""
    taken = [(mention.start, mention.end) for mention in found]
    for parties, start, end in names_in(text):
        if any(a < end and start < b for a, b in taken) or not _FOLLOWS.match(text, end):
            continue
        mention = with_tail(text, Mention(block, start, end, "", CitationKind.CASE, parties=parties))
        if mention.end > end and (mention.docket or mention.pin or mention.slip or mention.year or mention.separate):
            yield mention
