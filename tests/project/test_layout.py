"""The layout's own rules: rooms, names, licences, and what a stranger needs to find."""

import ast
import re
import tomllib
from collections import Counter
from importlib.metadata import packages_distributions
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
ROOMS = ("app", "ingest", "retrieval", "models", "verify")
MOST_FILES = {"verify": 30}
"""In a folder, 24 by default; ``verify`` is flat by decision, so that the gate is read in one place."""
LIBRARY = "AGPL-3.0-or-later"


def modules() -> dict[str, Path]:
    files = (file for room in ROOMS for file in (REPO / room).rglob("*.py"))
    return {".".join(f.relative_to(REPO).with_suffix("").parts).removesuffix(".__init__"): f for f in files}


def imports(known: dict[str, Path], file: Path) -> set[str]:
    """Modules of ours that a file imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return found & known.keys()


def test_no_module_imports_itself_by_way_of_others() -> None:
    known = modules()
    graph = {name: imports(known, file) - {name} for name, file in known.items()}

    def reached(name: str) -> set[str]:
        seen: set[str] = set()
        waiting = [*graph[name]]
        while waiting:
            other = waiting.pop()
            if other not in seen:
                seen.add(other)
                waiting += graph[other]
        return seen

    assert [name for name in known if name in reached(name)] == []


def test_no_folder_is_a_heap() -> None:
    count = Counter(str(f.parent.relative_to(REPO)) for f in modules().values() if f.name != "__init__.py")
    assert {folder: files for folder, files in count.items() if files > MOST_FILES.get(folder, 24)} == {}


def test_no_other_package_has_a_rooms_name() -> None:
    """Common words: an installed package of one of these names would be imported in place of a room."""
    owners = packages_distributions()
    assert {room: owners.get(room, []) for room in ROOMS if set(owners.get(room, [])) - {"pincite"}} == {}
    assert not (REPO / "packaging" / "__init__.py").exists()


def test_licence_and_notice_are_whole() -> None:
    assert len((REPO / "LICENSE").read_text("utf-8")) > 30_000
    project = tomllib.loads((REPO / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["license"] == LIBRARY
    notice = re.sub(r"[-_.]+", "-", (REPO / "NOTICE").read_text("utf-8").lower())
    names = [re.split(r"[<>=~!;\\[ ]", line, maxsplit=1)[0] for line in project["dependencies"]]
    assert [name for name in names if f"\n{re.sub('[-_.]+', '-', name.lower())} " not in notice] == []


def test_readmes_of_rooms_fit_on_a_screen_and_lead_somewhere() -> None:
    for readme in (
        *(REPO / room / "README.md" for room in ROOMS),
        REPO / "docs" / "README.md",
        REPO / "CONTRIBUTING.md",
    ):
        text = readme.read_text("utf-8")
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", text):
            assert (readme.parent / link).exists(), f"{readme.relative_to(REPO)} links to {link}"
