"""The table ``profiles``: every constant of the hardware profiles, with its interval and its source."""

from __future__ import annotations

from collections.abc import Iterator

from qtheory import __version__, profiles
from qtheory.profiles.schema import Constant, HardwareProfile
from qtheory.report.base_threshold import about, profiles_sentence, provenance, source
from qtheory.report.table import MARKS, Column, Math, Table, Text, Value

# what is printed in place of SI: a constant's magnitude is then near 1
PRINTED_UNITS = {"s": ("ms", 1e3), "s/token": ("µs/token", 1e6), "s/tile": ("ms/tile", 1e3)}

COLUMNS = (
    Column("about", "profile", "profile with its model, GPU and engine", text=True, group=True),
    Column("law", "law", "kind of the iteration-time law", text=True, once=True),
    Column("r_squared", Math("R^2", "R²"), "coefficient of determination that the source gives", digits=4, once=True),
    Column("constant", "constant", "the law's constant", text=True, symbol=True),
    Column("shown", "value", "value in the printed unit", digits=4, trim=True),
    Column("shown_low", "from", "lower end of its 95 % interval", digits=4, trim=True),
    Column("shown_high", "to", "upper end of its 95 % interval", digits=4, trim=True),
    Column("shown_unit", "unit", "printed unit", text=True),
    Column("printed", "in the source", "the value as the source prints it", text=True, share=0.18),
    Column("profile", "profile", "hardware profile", text=True, printed=False),
    Column("value", "value", "value in seconds and tokens", printed=False),
    Column("unit", "unit", "its unit", text=True, printed=False),
    Column("gpu", "GPU", "GPU of the profile", text=True, printed=False),
    Column("model", "model", "model of the profile", text=True, printed=False),
    Column("tokens_min", "tokens_min", "least token count of the law", "tokens", printed=False),
    Column("tokens_max", "tokens_max", "largest token count of the law", "tokens", printed=False),
    Column("profile_source", "source", "source of the profile's constants", text=True, printed=False),
    Column("qtheory", "qtheory", "version of qtheory", text=True, printed=False),
)


def table(chosen: tuple[HardwareProfile, ...]) -> Table:
    """The constants of profiles, a row each; profiles whose source gives no constant are left out."""
    usable = tuple(p for p in chosen if p.law_table and p.law_table.constants)
    sources = list(dict.fromkeys(source(p) for p in usable))
    origin = profiles_sentence(usable) if len(usable) == 1 else \
        f"Sources: {'; '.join(f'{mark(i)} {text}' for i, text in enumerate(sources))}."
    marks = {text: mark(i) if len(usable) > 1 else "" for i, text in enumerate(sources)}
    return Table(
        name="profiles", title="Hardware profiles", caption=_caption(origin), label="tab:profiles", columns=COLUMNS,
        rows=tuple(row for p in usable for row in _rows(p, marks[source(p)])), version=__version__,
        provenance=tuple(provenance(p) for p in usable),
    )


def mark(i: int) -> str:
    """Of the source of that index: a letter, and from the end of these on two."""
    return MARKS[i] if i < len(MARKS) else mark(i // len(MARKS) - 1) + MARKS[i % len(MARKS)]


def shipped() -> tuple[HardwareProfile, ...]:
    """All shipped profiles."""
    return tuple(map(profiles.load, profiles.names()))


def _rows(profile: HardwareProfile, mark: str) -> Iterator[tuple[Value, ...]]:
    law = profile.law_table
    assert law is not None  # table() leaves out the others
    fit = profile.r_squared[0].value if profile.r_squared else None
    for name, constant in law.constants.items():
        unit, factor = PRINTED_UNITS.get(constant.unit, (constant.unit.removesuffix("1"), 1.0))
        if constant.unit == "s/token" and 0 < (constant.value or 1.0) < 1e-6:  # a token of context, which is only read
            unit, factor = "ns/token", 1e9
        yield (f"{about(profile)}{mark}", law.kind.replace("_", " "), fit, name, *_scaled(constant, factor), unit,
               constant.printed, profile.name, constant.value, constant.unit, profile.gpu, profile.model,
               law.tokens_min, law.tokens_max, source(profile), __version__)


def _scaled(constant: Constant, factor: float) -> tuple[float | None, float | None, float | None]:
    low, high = constant.interval or (None, None)
    value, low, high = (None if x is None else x * factor for x in (constant.value, low, high))
    return value, low, high


def _caption(origin: str) -> Text:
    return ("Constants of the iteration-time laws with 95 percent intervals, where they were fitted to measurements, "
            "and as their sources print them. ", Math("R^2", "R²"), " is the source's own for printed constants. "
            f"{origin} From qtheory {__version__}.")
