"""How the window was left: its place, its panes, the last matter. Losing it loses nothing of a person's work."""

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from app.paths import private_folder, settings_file, write_private

RECENT = 6


@dataclass(frozen=True, slots=True)
class Remembered:
    """``geometry`` and ``panes`` are what Qt saved, in base 64. ``theme`` and the rest of a person's settings are kept
    so that the first picture of the window is right before the settings have been read."""

    geometry: str = ""
    panes: str = ""
    theme: str = "system"
    highlight: str = "#ffd54a"
    text_scale: int = 100
    recent: tuple[str, ...] = ()

    def with_matter(self, root: Path) -> "Remembered":
        rest = tuple(path for path in self.recent if path != str(root))
        return replace(self, recent=(str(root), *rest)[:RECENT])

    def without_matter(self, root: Path) -> "Remembered":
        return replace(self, recent=tuple(path for path in self.recent if path != str(root)))


def window_file() -> Path:
    return settings_file().with_name("window.json")


def load_remembered(path: Path | None = None) -> Remembered:
    """The defaults where nothing usable was kept."""
    try:
        kept: dict[str, Any] = json.loads((path or window_file()).read_bytes())
        return Remembered(**{**kept, "recent": tuple(map(str, kept.get("recent", ())))})
    except (OSError, ValueError, TypeError, AttributeError):
        return Remembered()


def save_remembered(remembered: Remembered, path: Path | None = None) -> None:
    """Raises OSError."""
    path = path or window_file()
    private_folder(path.parent)
    write_private(path, json.dumps(asdict(remembered), indent=1).encode())
