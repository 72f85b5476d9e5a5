"""What changed between two checks of a draft. Citations are the same where their words and their propositions are."""

import json
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from app.errors import InputMissing, InputUnreadable

_SCHEMA = "pincite.cite-check/1"


def changes_since(earlier: Path, now: dict[str, Any]) -> dict[str, list[dict[str, str]]]:
    """``added``, ``removed`` and ``changed`` (another verdict) citations. Raises InputMissing or InputUnreadable where
    the file is no earlier result."""
    before = _read(earlier)
    old, new = before["citations"], now["citations"]
    added, removed, changed = [], [], []
    matcher = SequenceMatcher(None, [_key(c) for c in old], [_key(c) for c in new], autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            pairs = zip(old[a:b], new[c:d], strict=True)
            changed += [_changed(x, y) for x, y in pairs if x["verdict"] != y["verdict"]]
        else:
            removed += [_named(x) for x in old[a:b]]
            added += [_named(y) for y in new[c:d]]
    return {"added": added, "removed": removed, "changed": changed}


def _read(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise InputMissing(f"there is no file {path}") from error
    except (OSError, ValueError, RecursionError) as error:
        raise InputUnreadable(f"{path} is no earlier result of cite-check") from error
    rows = found.get("citations") if isinstance(found, dict) and found.get("schema") == _SCHEMA else None
    if not isinstance(rows, list) or not all(
        isinstance(r, dict) and {"as_written", "proposition", "verdict", "citation_id"} <= r.keys() for r in rows
    ):
        raise InputUnreadable(f"{path} is no earlier result of cite-check")
    return found


def _key(citation: dict[str, Any]) -> tuple[str, str]:
    return citation["as_written"], citation["proposition"]


def _named(citation: dict[str, Any]) -> dict[str, str]:
    return {name: str(citation[name]) for name in ("citation_id", "as_written", "verdict")}


def _changed(old: dict[str, Any], new: dict[str, Any]) -> dict[str, str]:
    return _named(new) | {"before": str(old["verdict"])}
