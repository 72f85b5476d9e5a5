"""The parts of an Office file by what they are to one another: their names are the writing program's own affair."""

import posixpath
from collections.abc import Iterator
from typing import NamedTuple

from ingest.formats.safe_xml import Node, Package

R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


class Relation(NamedTuple):
    """``kind`` is the last step of the relation's type ("image", "footnotes"). ``target`` is a part's name, or what an
    ``outside`` relation names, which is never fetched."""

    key: str
    kind: str
    target: str
    outside: bool


def relations(package: Package, part: str) -> Iterator[Relation]:
    """What a part refers to, in the file's order; "" asks for the file's own relations. Raises Damaged."""
    folder, _, name = part.rpartition("/")
    root = package.xml(posixpath.join(folder, "_rels", f"{name}.rels"))
    for node in () if root is None else root.iter(_RELATION):
        target = node.get("Target", "")
        kind = node.get("Type", "").rpartition("/")[2]
        outside = node.get("TargetMode") == "External"
        if not outside:
            target = posixpath.normpath(target.lstrip("/") if target.startswith("/") else f"{folder}/{target}")
            target = target.lstrip("/")
        yield Relation(node.get("Id", ""), kind, target, outside)


def main_part(package: Package, usual: str) -> str:
    """The name of the part that the file begins with; programs on the web write another than the ``usual`` one."""
    named = (r.target for r in relations(package, "") if r.kind == "officeDocument" and not r.outside)
    return next(named, usual)


class Parts:
    """A part's relations, looked up once."""

    def __init__(self, package: Package, part: str) -> None:
        self._package = package
        self._folder = part.rpartition("/")[0]
        self._all = tuple(relations(package, part))
        self._by_key = {relation.key: relation for relation in self._all}

    def get(self, key: str | None) -> Relation | None:
        """The relation with that id."""
        return self._by_key.get(key or "")

    def of_kind(self, kind: str) -> list[Relation]:
        """Those that lie in the file, in its order."""
        return [relation for relation in self._all if relation.kind == kind and not relation.outside]

    def xml(self, kind: str, usual: str) -> Node | None:
        """The one part of a kind, by its relation or else by its usual name beside this part. Raises Damaged."""
        named = next((relation.target for relation in self.of_kind(kind)), f"{self._folder}/{usual}")
        return self._package.xml(named.lstrip("/"))
