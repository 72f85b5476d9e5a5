"""What the oldest promised Python reads differently. A stock Debian 12 has Python 3.11.2."""

import io
import re
import tokenize
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
ROOMS = ("app", "ingest", "retrieval", "models", "verify")
_GROUP_KEPT = re.compile(r"(?<!\\\\)\)(?:[*+?]|\{[\d,]+\})\+|\(\?>")


def test_no_pattern_holds_on_to_a_group() -> None:
    """Before Python 3.11.5 a possessive quantifier after a group, or an atomic group, fails to match where something
    inside backtracks (python/cpython issue 106052): pages were cut into other passages on Debian 12."""
    found = []
    for room in ROOMS:
        for file in (REPO / room).rglob("*.py"):
            for token in tokenize.generate_tokens(io.StringIO(file.read_text("utf-8")).readline):
                if (
                    token.type == tokenize.STRING
                    and token.string[:1].lower() in "rb"
                    and _GROUP_KEPT.search(token.string)
                ):
                    found.append(f"{file.relative_to(REPO)}:{token.start[0]}")
    assert found == []


def test_the_rule_finds_what_it_is_for() -> None:
    assert _GROUP_KEPT.search(r"(?:ab|a)*+") and _GROUP_KEPT.search(r"(ab){2,}+") and _GROUP_KEPT.search(r"(?>ab)")
    assert not _GROUP_KEPT.search(r"[ab]*+") and not _GROUP_KEPT.search(r"\w++ (?:a)*")
