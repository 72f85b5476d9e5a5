"""Numbers and dates as a spreadsheet shows them: the cell's value through its format code.

The common part of the format language (ECMA-376, part 1, 18.8.31): sections by sign, digits, thousands, scaling commas,
percent, literals, currency, dates. What is not known falls back to the plain value, which is never wrong.
"""

import re
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

CellValue = str | bool | int | float | Decimal | date | datetime | time | timedelta | None

_SECTION = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|;|[^";\\\[]+|.', re.DOTALL)
_CURRENCY = re.compile(r"\[\$([^\]-]*)(?:-[^\]]*)?\]")
_BRACKET = re.compile(r"\[[^\]]*\]")
_DIGITS = re.compile(r"[#0?][#0?,.]*[#0?]|[#0?]|\.[#0?]+")
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|_.|\*.', re.DOTALL)
_DATE = re.compile(
    r'"[^"]*"|\\.|AM/PM|A/P|yyyy|yy|mmmmm|mmmm|mmm|mm|m|dddd|ddd|dd|d|hh|h|ss|s|\.0+|.', re.IGNORECASE | re.DOTALL
)


def shown(value: CellValue, code: str | None) -> str:
    """The text of a cell. ``code`` None or "General" shows the value itself."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return value
    if isinstance(value, datetime | date | time):
        return _date(value, code or "")
    if isinstance(value, timedelta):
        return str(value)
    return _number(value, code or "General")


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
    section = sections[1] if negative and len(sections) > 1 else sections[0]
    if value == 0 and len(sections) > 2:
        section = sections[2]
    own_sign = negative and len(sections) > 1
    try:
        text = _by_section(abs(Decimal(repr(value))), section)
    except (InvalidOperation, ValueError):
        text = None
    if text is None:
        return _plain(value)
    return text if not negative or own_sign else f"-{text}"


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

    def keep(match: re.Match[str]) -> str:
        literals.append(match[1] if match[1] is not None else match[2] or "")
        return "\x00"

    bare = _LITERAL.sub(keep, text)
    if "general" in bare.lower() or re.search(r"[EeyYdDhHsS/@]", bare):
        return None
    found = _DIGITS.search(bare)
    if found is None:
        return _with_literals(bare, literals).strip()
    pattern = found[0]
    after = bare[found.end() :]
    commas = len(after) - len(after.lstrip(","))
    value *= Decimal(100) ** bare.count("%")
    value /= Decimal(1000) ** commas
    body = bare[: found.start()] + _digits(value, pattern) + after[commas:]
    return _with_literals(body, literals).strip()


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
