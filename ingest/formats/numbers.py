"""Numbers and dates as a spreadsheet shows them: the cell's value through its format code.

The common part of the format language (ECMA-376, part 1, 18.8.31): sections by sign, digits, thousands, scaling commas,
percent, literals, currency, dates. What is not known falls back to the plain value, which is never wrong.
"""

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

CellValue = str | bool | int | float | Decimal | date | datetime | time | timedelta | None

_LONGEST = 255
"""Characters of a format, by Excel's own limit."""
_SECTION = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|;|[^";\\\[]+|.', re.DOTALL)
_CURRENCY = re.compile(r"\[\$([^\]-]*)(?:-[^\]]*)?\]")
_BRACKET = re.compile(r"\[[^\]]*\]")
_DIGITS = re.compile(r"[#0?][#0?,.]*[#0?]|[#0?]|\.[#0?]+")
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|_.|\*.', re.DOTALL)
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)
_CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)\]")
_HOLDS: dict[str, Callable[[int | float | Decimal, float], bool]] = {
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b, "<>": lambda a, b: a != b,
}  # fmt: skip
_DATE = re.compile(
    r'"[^"]*"|\\.|AM/PM|A/P|yyyy|yy|mmmmm|mmmm|mmm|mm|m|dddd|ddd|dd|d|hh|h|ss|s|\.0+|.', re.IGNORECASE | re.DOTALL
)


def shown(value: CellValue, code: str | None) -> str:
    """The text of a cell. ``code`` None or "General" shows the value itself, and one that Excel refuses."""
    code = code if code is None or len(code) <= _LONGEST else None
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return _words(value, code or "@")
    if isinstance(value, datetime | date | time):
        return _date(value, code or "")
    if isinstance(value, timedelta):
        return _elapsed(value, code or "")
    return _number(value, code or "General")


def _words(text: str, code: str) -> str:
    """Words through a format's section for text: the fourth, or the only one that holds "@"."""
    sections = _sections(code)
    section = sections[3] if len(sections) > 3 else next((s for s in sections if "@" in _LITERAL.sub("", s)), "@")
    if section.strip().lower() in ("@", "general"):
        return text
    literals: list[str] = []
    bare = _LITERAL.sub(lambda match: _kept(match, literals), _BRACKET.sub("", section))
    return _with_literals(bare, literals).replace("@", text)


def _elapsed(value: timedelta, code: str) -> str:
    """A length of time: hours that go on beyond a day where the format says "[h]"."""
    seconds = round(abs(value.total_seconds()))
    sign = "-" if value < timedelta() else ""
    unit = _ELAPSED.search(code)
    first = unit[1][0].lower() if unit else "h"
    if first == "s":
        return f"{sign}{seconds}"
    minutes, rest = divmod(seconds, 60)
    after = f":{rest:02d}" if "s" in code.lower() or unit is None else ""
    if first == "m":
        return f"{sign}{minutes}{after}"
    return f"{sign}{minutes // 60}:{minutes % 60:02d}{after}"


def _plain(value: int | float | Decimal) -> str:
    """Up to 11 significant digits, as the General format has; no exponent where it can be helped."""
    if isinstance(value, int):
        return str(value)
    text = f"{value:.11g}"
    return f"{Decimal(text):f}" if "e" in text and 1e-9 < abs(float(value)) < 1e15 else text


def _number(value: int | float | Decimal, code: str) -> str:
    sections = _sections(code)
    if code.strip().lower() in ("general", "@", "") or not sections:
        return _plain(value)
    negative = value < 0
    section = _chosen(value, sections)
    stated = _CONDITION.search(code) is not None
    own_sign = negative and (_signed(section) if stated else section is not sections[0])
    if not section:
        return ""  # a format of empty sections shows nothing
    try:
        text = _by_section(abs(Decimal(repr(value))), section)
    except (InvalidOperation, ValueError):
        text = None
    if text is None:
        return _plain(value)
    return text if not negative or own_sign else f"-{text}"


def _signed(section: str) -> bool:
    """Whether a section that a condition chose begins with a minus or bracket of its own."""
    return re.sub(r"[_*].", "", _BRACKET.sub("", section)).lstrip('\\" ').startswith(("-", "("))


def _chosen(value: int | float | Decimal, sections: list[str]) -> str:
    """By the conditions that the sections state; where they state none, by sign."""
    conditions = [_CONDITION.search(section) for section in sections[:2]]
    if any(conditions):
        for section, condition in zip(sections, conditions, strict=False):
            if condition is None or _HOLDS[condition[1]](value, float(condition[2])):
                return section
        return sections[2] if len(sections) > 2 else sections[-1]
    if value == 0 and len(sections) > 2:
        return sections[2]
    return sections[1] if value < 0 and len(sections) > 1 else sections[0]


def _sections(code: str) -> list[str]:
    sections = [""]
    for part in _SECTION.findall(code):
        if part == ";":
            sections.append("")
        else:
            sections[-1] += part
    return sections


def _by_section(value: Decimal, section: str) -> str | None:
    """None if the section says what is not known here."""
    text = _BRACKET.sub("", _CURRENCY.sub(lambda m: "".join(f"\\{c}" for c in m[1]), section))
    literals: list[str] = []

    bare = _LITERAL.sub(lambda match: _kept(match, literals), text)
    if "general" in bare.lower():
        number = _plain(int(value) if value == value.to_integral_value() else value)
        return _with_literals(re.sub("general", number, bare, flags=re.IGNORECASE), literals).strip()
    if re.search(r"[EeyYdDhHsS/@]", bare):
        return None
    found = _DIGITS.search(bare)
    if found is None:
        return _with_literals(bare, literals).strip()
    if _DIGITS.search(bare, found.end()):
        return None if set(".,%") & set(bare) else _with_literals(_spread(value, bare), literals).strip()
    pattern = found[0]
    after = bare[found.end() :]
    commas = len(after) - len(after.lstrip(","))
    value *= Decimal(100) ** bare.count("%")
    value /= Decimal(1000) ** commas
    body = bare[: found.start()] + _digits(value, pattern) + after[commas:]
    return _with_literals(body, literals).strip()


def _spread(value: Decimal, bare: str) -> str:
    """Digits among signs, as in "000-00-0000": from the right, the first place takes what is left."""
    digits = f"{value.quantize(Decimal(1), ROUND_HALF_UP):f}".lstrip("0")
    first = next(at for at, sign in enumerate(bare) if sign in "0#?")
    parts: list[str] = []
    for at in range(len(bare) - 1, -1, -1):
        if bare[at] not in "0#?":
            parts.append(bare[at])
            continue
        taken = digits if at == first else digits[-1:]
        digits = digits[: len(digits) - len(taken)]
        parts.append(taken or ("0" if bare[at] == "0" else ""))
    return "".join(reversed(parts))


def _kept(match: re.Match[str], literals: list[str]) -> str:
    literals.append(match[1] if match[1] is not None else match[2] or "")
    return "\x00"


def _with_literals(body: str, literals: list[str]) -> str:
    parts = body.split("\x00")
    return "".join(part + (literals[i] if i < len(literals) else "") for i, part in enumerate(parts))


def _digits(value: Decimal, pattern: str) -> str:
    whole, _, decimals = pattern.partition(".")
    places = sum(c in "0#?" for c in decimals)
    least = decimals.rstrip("#?").count("0") if decimals else 0
    rounded = value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    digits = f"{rounded:f}"
    before, _, behind = digits.partition(".")
    zeros = whole.replace(",", "").count("0")
    before = before.lstrip("0").rjust(zeros, "0")
    if "," in whole:
        before = _grouped(before)
    while len(behind) > least and behind.endswith("0"):
        behind = behind[:-1]
    return f"{before}.{behind}" if behind else before


def _grouped(digits: str) -> str:
    head = len(digits) % 3
    groups = [digits[:head]] if head else []
    return ",".join(groups + [digits[i : i + 3] for i in range(head, len(digits), 3)])


def _date(value: date | datetime | time, code: str) -> str:
    """By the code's tokens; ISO where the code names none."""
    plain = _BRACKET.sub("", code).split(";")[0]
    if not re.search(r"[ymdhs]", re.sub(r'"[^"]*"|\\.', "", plain), re.IGNORECASE):
        return value.isoformat(sep=" ") if isinstance(value, datetime) else value.isoformat()
    moment = _moment(value)
    tokens = _DATE.findall(plain)
    twelve = any(t.upper() in ("AM/PM", "A/P") for t in tokens)
    return "".join(_token(t, i, tokens, moment, twelve) for i, t in enumerate(tokens)).strip()


def _moment(value: date | datetime | time) -> datetime:
    if isinstance(value, datetime):
        return value
    if isinstance(value, time):
        return datetime.combine(date(1900, 1, 1), value)
    return datetime.combine(value, time())


def _token(token: str, at: int, tokens: list[str], moment: datetime, twelve: bool) -> str:
    lower = token.lower()
    if token[0] == '"':
        return token[1:-1]
    if token[0] == "\\":
        return token[1:]
    if lower in ("m", "mm") and _is_minute(at, tokens):
        return f"{moment.minute:02d}" if lower == "mm" else str(moment.minute)
    hour = (moment.hour % 12 or 12) if twelve else moment.hour
    known = {
        "yyyy": f"{moment.year:04d}", "yy": f"{moment.year % 100:02d}", "mmmmm": moment.strftime("%B")[:1],
        "mmmm": moment.strftime("%B"), "mmm": moment.strftime("%b"), "mm": f"{moment.month:02d}",
        "m": str(moment.month),
        "dddd": moment.strftime("%A"), "ddd": moment.strftime("%a"), "dd": f"{moment.day:02d}", "d": str(moment.day),
        "hh": f"{hour:02d}", "h": str(hour), "ss": f"{moment.second:02d}", "s": str(moment.second),
        "am/pm": "AM" if moment.hour < 12 else "PM", "a/p": "A" if moment.hour < 12 else "P",
    }  # fmt: skip
    return known.get(lower, "" if lower.startswith(".0") else token)


def _is_minute(at: int, tokens: list[str]) -> bool:
    """ "m" after hours or before seconds means minutes."""
    before = next((t.lower() for t in reversed(tokens[:at]) if t[0].isalpha()), "")
    after = next((t.lower() for t in tokens[at + 1 :] if t[0].isalpha()), "")
    return before in ("h", "hh") or after in ("s", "ss")
