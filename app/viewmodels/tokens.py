"""Every colour and measure of the window, for both themes. Text on its ground keeps a contrast of at least 4.5 : 1."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tokens:
    """Colours as ``#rrggbb``. A ``*_ground`` is what its namesake is written on."""

    name: str
    window: str
    panel: str
    raised: str
    text: str
    muted: str
    border: str
    control_border: str
    accent: str
    accent_ground: str
    on_accent: str
    hover: str
    good: str
    good_ground: str
    warn: str
    warn_ground: str
    bad: str
    bad_ground: str
    quiet: str
    quiet_ground: str
    desk: str
    on_desk: str


LIGHT = Tokens(
    name="light",
    window="#f4f3f0",
    panel="#ffffff",
    raised="#faf9f7",
    text="#1b222c",
    muted="#59626e",
    border="#e0ddd7",
    control_border="#8b8a86",
    accent="#1d4f82",
    accent_ground="#e6eef7",
    on_accent="#ffffff",
    hover="#eeece8",
    good="#1a6340",
    good_ground="#e4f1e9",
    warn="#7d4700",
    warn_ground="#fdf0d9",
    bad="#9c231c",
    bad_ground="#fbe8e6",
    quiet="#4f5864",
    quiet_ground="#edebe7",
    desk="#dcd9d3",
    on_desk="#3f4650",
)

DARK = Tokens(
    name="dark",
    window="#15181c",
    panel="#1c2025",
    raised="#22272d",
    text="#e6e8eb",
    muted="#a4acb7",
    border="#333a42",
    control_border="#757e8a",
    accent="#8fbcea",
    accent_ground="#22344a",
    on_accent="#10202f",
    hover="#2a3037",
    good="#86d3a6",
    good_ground="#1b3227",
    warn="#efbb6c",
    warn_ground="#3a2d17",
    bad="#f4a199",
    bad_ground="#42211f",
    quiet="#b3bac4",
    quiet_ground="#2b3138",
    desk="#0e1013",
    on_desk="#b9c0c9",
)

SPACE = 8
"""The unit of all spacing, in pixels."""
RADIUS = 6
BASE_POINTS = 10.0
"""Text size at 100 %."""
MARK_EDGE = (150, 96, 0, 255)
HIT_FILL = (72, 160, 220, 95)
HIT_EDGE = (20, 84, 140, 255)
SELECTION_FILL = (60, 120, 210, 90)


def contrast(first: str, second: str) -> float:
    """The contrast ratio of WCAG 2.2, 1 to 21."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def text_pairs(t: Tokens) -> tuple[tuple[str, str, str], ...]:
    """(what, foreground, ground) of every combination that the window writes text in."""
    return (
        ("text on window", t.text, t.window),
        ("text on panel", t.text, t.panel),
        ("text on raised", t.text, t.raised),
        ("text on hover", t.text, t.hover),
        ("muted on window", t.muted, t.window),
        ("muted on panel", t.muted, t.panel),
        ("muted on raised", t.muted, t.raised),
        ("muted on hover", t.muted, t.hover),
        ("accent on panel", t.accent, t.panel),
        ("accent on window", t.accent, t.window),
        ("accent on its ground", t.accent, t.accent_ground),
        ("text on accent ground", t.text, t.accent_ground),
        ("on accent", t.on_accent, t.accent),
        ("good", t.good, t.good_ground),
        ("warn", t.warn, t.warn_ground),
        ("bad", t.bad, t.bad_ground),
        ("bad on panel", t.bad, t.panel),
        ("warn on panel", t.warn, t.panel),
        ("quiet", t.quiet, t.quiet_ground),
        ("on desk", t.on_desk, t.desk),
    )


def shape_pairs(t: Tokens) -> tuple[tuple[str, str, str], ...]:
    """Edges that tell a control from its ground need 3 : 1 (WCAG 1.4.11)."""
    return (("field edge", t.control_border, t.panel), ("focus ring", t.accent, t.panel))
