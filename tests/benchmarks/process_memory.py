"""Memory of a process and of all that descend from it, in MB. Linux only (/proc).

RSS counts a page that processes share in each of them; PSS parts it among them, so that a sum over processes is what
they take together; USS is what one process has alone. Files that are mapped count in all three.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

_NAMES = ("VmHWM", "Rss", "Pss", "Private_Clean", "Private_Dirty")
_SIZES = re.compile(r"^(\w+):\s+(\d+) kB", re.MULTILINE)


class Sizes(NamedTuple):
    """``peak`` is the largest RSS that the process ever had."""

    peak: float = 0.0
    rss: float = 0.0
    pss: float = 0.0
    uss: float = 0.0


NOTHING = Sizes()


@dataclass
class Memory:
    """The largest that was seen: of the command itself, of the largest of its children, and of all at one time; the
    last for each of its stages too, by PSS."""

    parent: Sizes = NOTHING
    child: Sizes = NOTHING
    together: Sizes = NOTHING
    stages: Counter[str] = field(default_factory=Counter)

    def look(self, root: int, stage: str = "") -> None:
        own, *children = map(sizes, family(root))
        self.parent = _larger(self.parent, own)
        for one in children:
            self.child = _larger(self.child, one)
        together = Sizes(*map(sum, zip(own, *children, strict=True)))
        self.together = _larger(self.together, together)
        self.stages[stage] = max(self.stages[stage], round(together.pss))

    def lines(self) -> Iterator[str]:
        yield f"memory in MB: parent       RSS {self.parent.peak:5.0f}   USS {self.parent.uss:5.0f}"
        yield f"memory: largest child      RSS {self.child.peak:5.0f}   USS {self.child.uss:5.0f}"
        by_stage = ", ".join(f"{stage} {size}" for stage, size in self.stages.items())
        yield f"memory: all together       RSS {self.together.rss:5.0f}   PSS {self.together.pss:5.0f}   ({by_stage})"


def family(root: int) -> Iterator[int]:
    """The process and all that descend from it."""
    yield root
    try:
        children = Path(f"/proc/{root}/task/{root}/children").read_text().split()
    except OSError:
        return
    for child in children:
        yield from family(int(child))


def sizes(process: int) -> Sizes:
    """Nothing of a process that has ended."""
    try:
        found = dict(_SIZES.findall(Path(f"/proc/{process}/status").read_text()))
        found |= dict(_SIZES.findall(Path(f"/proc/{process}/smaps_rollup").read_text()))
    except OSError:
        return NOTHING
    peak, rss, pss, *own = (int(found.get(name, 0)) / 1024 for name in _NAMES)
    return Sizes(peak, rss, pss, sum(own))


def _larger(one: Sizes, other: Sizes) -> Sizes:
    return Sizes(*map(max, one, other))
