"""The name of a case in front of its citation, read backwards, and the comparison of such names."""

import re
import tomllib
from pathlib import Path

_SIGNALS = re.compile(
    r"^(?:(?:see|but|cf\.?|accord|e\.g\.,?|compare|with|contra|generally|also|citing|quoting|in|under|as|and|the|that|"
    r"following|applying|cited|both|per|from|by|of|to|unlike|like|relying|on|or|for|overruling|distinguishing|id\.;)"
    r"[\s,]+)+",
    re.IGNORECASE,
)
"""Words before a case's name that are no part of it: the signals of Bluebook rule 1.2 and what sentences lead with."""

_CONNECT = r"(?:of|the|and|for|in|on|ex|rel\.|de|la|le|du|van|von|der|den|del|al|et|al\.|d/b/a|a|y|re|to|by|at)"
_WORD = r"(?:(?<!\w)[A-Z0-9][\w.'’&/()-]{0,40}|[a-z]{1,2}['’][A-Z][\w.'’-]{0,40}|&)"
_FORMS = r"(?:Inc|LLC|L\.L\.C|Ltd|Co|Corp|LLP|L\.P|LP|PLC|plc|N\.A|S\.A|Jr|Sr|II|III|IV)\b"
MOST_WORDS = 14
"""Of one party. Without a bound a text of capitals would take a time that grows with its square."""
_PARTY = rf"{_WORD}(?:(?:,?\s(?={_FORMS})|\s){_WORD}|\s{_CONNECT}(?=\s)){{0,{MOST_WORDS}}}"
_VERSUS = re.compile(rf"(?P<left>{_PARTY}(?:,\set\sal\.)?)\s(?:v|vs)\.?\s(?P<right>{_PARTY}(?:,\set\sal\.)?)")
_IN_RE = re.compile(rf"(?P<kind>In re|Ex parte|Matter of|In the Matter of|Estate of|Re|R \()\s?(?P<left>{_PARTY})")

_TABLE = tomllib.loads((Path(__file__).parent / "case_names.toml").read_text(encoding="utf-8"))
_STOPS: frozenset[str] = frozenset(_TABLE["left_out"])
_SHORT: dict[str, str] = _TABLE["abbreviations"]


def name_before(text: str, end: int, reach: int = 220) -> tuple[tuple[str, ...], int] | None:
    """The parties named directly before ``end`` (only a comma and space between), and where the name begins."""
    begin = max(0, end - reach)
    window = text[begin:end]
    trimmed = window.rstrip(" ,(")
    for found in reversed(list(_VERSUS.finditer(window)) + list(_IN_RE.finditer(window))):
        if abs(found.end() - len(trimmed)) <= 1:
            return _parties(found, begin)
    return None


def names_in(text: str) -> list[tuple[tuple[str, ...], int, int]]:
    """Every name of a case: its parties, start and end."""
    found = []
    for match in _VERSUS.finditer(text):
        parties, start = _parties(match, 0)
        found.append((parties, start, match.end()))
    taken = [(start, end) for _, start, end in found]
    for match in _IN_RE.finditer(text):
        if match["kind"] in ("In re", "Ex parte", "Matter of", "In the Matter of") and not any(
            a < match.end() and match.start() < b for a, b in taken
        ):
            parties, start = _parties(match, 0)
            found.append((parties, start, match.end()))
    return sorted(found, key=lambda row: row[1])


def _parties(found: re.Match[str], offset: int) -> tuple[tuple[str, ...], int]:
    groups = found.groupdict()
    left = groups["left"]
    if "right" not in groups:
        return (left,), offset + found.start()
    # A sentence may run into the name: what stands before its last stop, and leading signals, are not of it.
    cut = 0
    for stop in re.finditer(r"(?<=[a-z0-9)\]][.])\s(?=[A-Z])", left):
        if not re.search(r"\b(?:[A-Z][a-z]{0,5}|Co|Inc|Corp|Ltd|St|Dr|Mr|Mrs|Ms|No|rel)\.$", left[: stop.start()]):
            cut = stop.end()
    lead = _SIGNALS.match(left[cut:])
    cut += lead.end() if lead else 0
    return (left[cut:], groups["right"].rstrip(" .,") or groups["right"]), offset + found.start() + cut


def key_words(name: str) -> frozenset[str]:
    """The words that tell one party from another, abbreviations written out, in lower case."""
    flat = re.sub(r"['’.]", "", name.lower())
    found: set[str] = set()
    for word in re.findall(r"[^\W_]+", flat):
        found.update(_SHORT.get(word, word).split())
    return frozenset(found - _STOPS) or frozenset(re.findall(r"[^\W_]+", flat))


def is_party(cited: str, words: frozenset[str]) -> bool:
    """True if every word of the cited name is one of the words by which a document names that party."""
    mine = frozenset(map(_singular, key_words(cited)))
    return bool(mine) and mine <= frozenset(map(_singular, words))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 4 and word.endswith("s") else word
