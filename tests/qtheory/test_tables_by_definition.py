"""Tables of laws, maps, schedulers, tiles and plans, column by column; what is simulated or solved is replaced where
only its place in the table counts."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction as F
from statistics import mean, stdev
from types import SimpleNamespace
from typing import Any

import pytest
from drawn import pair
from scipy import stats

from qtheory import profiles
from qtheory.models.cluster import parse
from qtheory.models.laws import AffineLaw, ContextAffineLaw
from qtheory.numerics.linprog import Infeasible, LinearProgram, solve
from qtheory.planning.deciding import KindFleet, decide
from qtheory.planning.simulating import Measured
from qtheory.report import laws, plan, stability, stability_map, tables, tiling, tiling_drain
from qtheory.simulate.kernel import engine_layout as E
from qtheory.testing.strategies import _profile
from qtheory.theory.capacity import Request


def units(table: Any) -> dict[str, str]:
    return {c.name: c.unit for c in table.columns if c.unit}


# ---- laws, maps, schedulers ----

def test_each_column_of_the_laws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shares in percent; a law is adequate whose critical rate is off by a twentieth at most, either way."""
    head = ("gpu,engine,version,model,tensor_parallel,law,batches,median,p95,band_from,band_to,band_error,worst_error,"
            "worst_at,rate_error\n")
    rates = {"0.05": "yes", "0.0500001": "no", "-0.05": "yes", "-0.0500001": "no"}
    text = head + "".join(f"G,e,1,m,2,piecewise_linear,77,0.01,0.02,4096,8191,0.03,-0.4,5000,{r}\n" for r in rates)
    asked = SimpleNamespace(joinpath=lambda *names: SimpleNamespace(read_text=lambda encoding: text))
    monkeypatch.setattr(laws, "files", lambda package: asked)
    rows = laws.table().to_dict()["rows"]
    for row, (rate, adequate) in zip(rows, rates.items(), strict=True):
        assert row["adequate"] == adequate, rate
        del row["adequate"], row["qtheory"]
        assert row == {"set": "G, e 1, m, TP 2", "law": "piecewise linear", "median": pytest.approx(1.0),
                       "p95": pytest.approx(2.0), "band": "4,096 to 8,191", "band_error": pytest.approx(3.0),
                       "worst": pytest.approx(-40.0), "worst_at": 5000, "rate_error": pytest.approx(100 * float(rate)),
                       "batches": 77}


def test_each_column_of_the_map(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left over is of a thousand slots; without a growing cycle there is no factor."""
    said = stability_map.Point(128, 640, F(3, 4), F(5, 4), "unstable", F(25, 16), "undecided", 0.002)
    monkeypatch.setattr(stability_map, "points", lambda executor: [said, said._replace(growth=None)])
    rows = tables.to_map().to_dict()["rows"]
    wanted = {"first": 128, "second": 640, "load": 0.75, "virtual": 1.25, "fluid": "unstable", "growth": 1.5625,
              "simulated": "undecided", "rate": 2.0}
    assert rows == [wanted, wanted | {"growth": None}]


def test_the_row_of_a_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sarathi-Serve's rate: full batches of 512 tokens, 129 + 112 a request; its verdicts are at 5 percent off it."""
    asked: list[float] = []
    monkeypatch.setattr(stability, "verdict", lambda s, output, rate: asked.append(rate) or f"{len(asked)}")
    interval = SimpleNamespace(estimate=2.0, low=1.0, high=3.0)
    monkeypatch.setattr(stability, "saturated", lambda s, output, about: asked.append(about) or interval)
    row = stability.row.__wrapped__(0, "uniform")
    law = stability.law()
    rate = 512 / ((law.c + law.a * max(512 - law.b0, 0)) * (129 + 112))
    assert asked == pytest.approx([rate, 0.95 * rate, 1.05 * rate])
    assert dict(zip((c.name for c in stability.COLUMNS_OF_TABLE), row, strict=True)) == {
        "output": "uniform", "scheduler": "sarathi", "parameters": "b 512", "rate": pytest.approx(rate),
        "by": "closed", "below": "2", "above": "3", "saturated": 2.0, "saturated_low": 1.0, "saturated_high": 3.0}
    assert [s.policy for s in stability.schedulers()][7] == "faster-transformer"
    assert stability.row.__wrapped__(3, "uniform")[3:7] == (None,) * 4  # no rate of mixed batches on limited slots


def test_a_saturated_engine_is_watched_after_its_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 100 windows the last 60, over horizons that grow from an eighth of the requests' time to a quarter of it."""
    runs: list[dict[str, Any]] = []

    def run(**options: Any) -> Any:
        runs.append(options)

        def total(column: int, first: int) -> float:
            assert (column, first) == (E.REQUESTS_OUT, 40)
            return 100.0 + 7 * (options["replication"] % 5)

        return SimpleNamespace(total=total)

    monkeypatch.setattr(stability, "engine", lambda s, output, rate: SimpleNamespace(run=run) if rate is None else None)
    found = stability.saturated(stability.schedulers()[0], "uniform", 3.0)
    assert [r["replication"] for r in runs] == list(range(20)) and {r["windows"] for r in runs} == {100}
    assert [r["horizon"] for r in runs] == pytest.approx([15_000 / 3 / 8 * (1 + r / 20) for r in range(20)])
    rates = [(100 + 7 * (r % 5)) / (0.6 * runs[r]["horizon"]) for r in range(20)]
    middle, half = mean(rates), float(stats.t.ppf(0.9995, 19)) * stdev(rates) / math.sqrt(20)
    assert (found.low, found.estimate, found.high) == pytest.approx((middle - half, middle, middle + half))


# ---- tiles ----

@pytest.mark.parametrize("gamma", [0.0, 1e-7])
def test_each_column_of_rads_capacities(gamma: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prompts of 1,536, outputs of 415 on average, which hold 415 (1,536 + 414) tokens of context in all; RAD prefills
    256 tokens at a time and decodes 128 at a time."""
    law: Any = ContextAffineLaw(0.01, 5e-5, gamma) if gamma else AffineLaw(0.01, 5e-5)
    monkeypatch.setattr(tiling.exact, "cycle", lambda n, t_col, chunk, prompt, time, hazard, refill: (
        0.25 if (n, t_col, chunk, prompt, hazard, refill) == (256, 128, 256, 1536, 1 / 415, True) else None))
    monkeypatch.setattr(tiling.exact, "prefill_first", lambda prompt, budget, output, time: (
        0.5 if (prompt, budget, output) == (1536, 512, 415) else None))
    table = tiling.capacity_table([_profile(law)])
    assert units(table) == {"prompt": "tokens", "budget": "tokens", "below": "%"} | dict.fromkeys(
        ("any", "held", "sarathi", "vllm", "rad", "endless"), "1/s")
    row, = table.to_dict()["rows"]
    held = 415 * 1950 * gamma
    full = 1951 / 512 * (0.01 + 5e-5 * 512) + held
    endless = 6 * (0.01 + 5e-5 * 256) + 415 / 128 * (0.01 + 5e-5 * 128) + held
    wanted = {"t_col": 128, "prompt": 1536, "budget": 512, "any": 1 / full, "held": 1 / full, "sarathi": 1 / full,
              "rad": 1 / (4 + held), "endless": 1 / endless, "below": 100 * (1 - full / endless)}
    assert {n: row[n] for n in wanted} == pytest.approx(wanted, rel=1e-9)
    assert row["vllm"] == (None if gamma else 0.5)


@pytest.mark.later
def test_each_column_of_the_drain() -> None:
    """How much longer each scheduler takes than the least, in percent; vLLM's own clock here: prompts first, eight
    tokens at a time, then all decodes, a column for each four tokens, attention of a twentieth a token."""
    rows = tables.rad_drain().to_dict()["rows"]
    for row in rows:
        lengths = tiling_drain.INSTANCES[row["instance"]]
        fixed, seconds, room = F(row["fixed"]).limit_denominator(10), F(0), [p for p, _ in lengths]
        left, read = [d for _, d in lengths], [p for p, _ in lengths]
        while any(room) or any(left):
            taken, tokens = 0, 0
            if any(room):
                for i, more in enumerate(room):
                    chunk = min(more, 8 - taken)
                    taken, room[i] = taken + chunk, more - chunk
                    tokens += math.ceil(chunk / 4) * 2 * (lengths[i][0] - room[i])  # each column reads all so far
            else:
                for i, more in enumerate(left):
                    if more:
                        taken, left[i], tokens, read[i] = taken + 1, more - 1, tokens + 2 * (read[i] + 1), read[i] + 1
            seconds += fixed + math.ceil(taken / 4) + F(tokens, 20)
        found = tiling_drain.drained(tiling_drain.law_of(fixed), [Request(*r) for r in lengths])
        assert seconds == found["vLLM"], row
        for column, name in (("rad", "RAD"), ("sarathi", "Sarathi-Serve"), ("vllm", "vLLM")):
            assert (1 + row[column] / 100) * row["least"] == pytest.approx(float(found[name]), rel=1e-9)


# ---- plans ----

SMALL = """
title = "small"
seconds = 60
charging = "separate"
[prices]
prefill = 0.1
decode = 0.4
[engine]
chunk = 256
slots = 16
[[gpu]]
name = "H100"
profile = "h100-llama-8b-vllm-kernels"
price = 2.5
count = 2
[[class]]
name = "chat"
prompt = {law = "geometric", mean = 300}
output = {law = "geometric", mean = 60}
rate = 70.0
patience = 0.2
[[class]]
name = "code"
prompt = 900
output = 30
rate = 30.0
patience = 0.1
"""


def test_each_column_of_a_plan() -> None:
    """What comes gives up while it waits or is served; a prefill of n tokens takes n/(256 - 15) mixed iterations, a
    decode of n tokens n iterations of its GPU, whose seconds are those of the profile's law."""
    found = decide(parse(SMALL, "small.toml"), fleets=False)
    table = plan.fluid_table(found)
    assert units(table) == {"rate": "1/s", "served": "1/s"}
    rows = table.to_dict()["rows"]
    assert [(r["class"], r["gpu"], r["rate"]) for r in rows] == [("chat", "H100", 70.0), ("code", "H100", 30.0)]
    law = profiles.load("h100-llama-8b-vllm-kernels").law
    assert isinstance(law, ContextAffineLaw)
    at = found.hour.requests
    held = sum(sum(p + k for k in range(1, o)) for p, o in zip(map(int, at.prompts), map(int, at.outputs), strict=True))
    context = held / sum(int(o) - 1 for o in at.outputs)
    mixed = law.alpha + law.beta * 256 + law.gamma * 15 * context
    solo = law.alpha + law.beta * 16 + law.gamma * 16 * context
    for row, (prompt, output, patience) in zip(rows, ((300, 60, 0.2), (900, 30, 0.1)), strict=True):
        prefilled = row["rate"] - patience * row["wait_prefill"]
        assert row["prefill"] == pytest.approx(prefilled * prompt / 241 * mixed, rel=1e-6)
        assert row["served"] == pytest.approx(prefilled - patience * row["wait_decode"], rel=1e-9)
        assert row["served"] == pytest.approx(row["mixed"] / (output * mixed) + row["solo"] / (output * solo), rel=1e-6)
    prefills, decodes = (sum(r[name] for r in rows) for name in ("prefill", "mixed"))
    assert 0 < prefills <= 2 and decodes <= 15 * prefills * (1 + 1e-12)
    assert sum(r["solo"] for r in rows) <= 16 * (2 - prefills) * (1 + 1e-12)
    assert any(r["wait_prefill"] > 0 for r in rows) and decodes > 0
    revenue = sum(0.1 * p * (r["rate"] - a * r["wait_prefill"]) + 0.4 * o * r["served"]
                  for r, (p, o, a) in zip(rows, ((300, 60, 0.2), (900, 30, 0.1)), strict=True))
    assert f"{revenue * 3600 / 1e6:,.2f} dollars an hour" in str(table.caption)


@pytest.mark.parametrize("limits", ["", "[limits]\nprefill_fairness = 0.0\n"])
def test_what_a_binding_row_is_worth_is_what_more_of_it_adds(limits: str) -> None:
    """In dollars an hour for each unit of its right side, up to where that holds, by the program solved anew; where
    occupancies may not differ, less than nothing leaves no plan."""
    found = decide(parse(SMALL.replace("[engine]", f"{limits}[engine]"), "small.toml"), fleets=False)
    program, value = found.plan.optimum.program, found.plan.value
    told = plan.binding(found)
    assert len(told) >= 3 and any(b["price_below"] is None for b in told) == bool(limits)
    for b in told:
        right = program.by_name[b["row"]].right
        assert b["right"] == float(right) and b["about"] == program.by_name[b["row"]].about
        for end, price in (("high", b["price"]), ("low", b["price_below"])):
            if price is None:
                assert end == "low" and b["row"] == "prefill_fairness"
                with pytest.raises(Infeasible):
                    solve(LinearProgram(program.objective, tuple(
                        replace(r, right=right - F(1, 10**9)) if r.name == b["row"] else r for r in program.rows)))
                continue
            end_at = right + (1 if end == "high" else -1) if b[end] is None else F(b[end])
            moved = right + (end_at - right) / 2 if end_at != right else right + F(1, 10**9)
            rows = tuple(replace(r, right=moved) if r.name == b["row"] else r for r in program.rows)
            more = solve(LinearProgram(program.objective, rows)).value - value
            assert float(more / (moved - right)) * 3600 == pytest.approx(price, rel=1e-6, abs=1e-12), (b["row"], end)


def test_each_column_of_the_fleets() -> None:
    """Bounds are rounded up to whole GPUs, one at least; what was measured is that of the fleet that met the limits."""
    cluster = parse(SMALL, "small.toml")
    gpu = cluster.gpu[0]
    late, good = (Measured(9, t, 0.04, (0.1, 0.2, 0.9 * t), (0.01, 0.02, 0.05), 0) for t in (3.0, 0.5))

    def of(*values: F | None, tried: Any = (), conflict: str = "") -> KindFleet:
        bound, lasting = (None if v is None else SimpleNamespace(value=-v) for v in values)
        return KindFleet(gpu, bound, lasting, tried, conflict, (1.0, 0.05))  # type: ignore[arg-type]

    fleets = (of(F(31, 10), F(5, 2), tried=((4, late), (5, good))), of(F(1, 9), F(1, 9), tried=((1, late),)),
              of(None, None, conflict="too slow"))
    hour = SimpleNamespace(requests=type("Nine", (list,), {"seconds": 60})(range(9)))
    table = plan.fleet_table(SimpleNamespace(fleets=fleets, cluster=cluster, hour=hour))  # type: ignore[arg-type]
    assert units(table) == dict.fromkeys(("ttft", "tpot", "ttft_p99", "tpot_p99"), "s") | {"cost": "$/h"}
    empty = dict.fromkeys(("found", "ttft", "tpot", "ttft_p99", "tpot_p99", "cost"))
    assert table.to_dict()["rows"] == [
        {"gpu": "H100", "least": 4, "long_run": 3, "found": 5, "ttft": 0.5, "tpot": 0.04, "ttft_p99": 0.45,
         "tpot_p99": 0.05, "cost": 12.5, "bound": 3.1, "conflict": None},
        {"gpu": "H100", "least": 1, "long_run": 1, **empty, "bound": pytest.approx(1 / 9), "conflict": None},
        {"gpu": "H100", "least": None, "long_run": None, **empty, "bound": None, "conflict": "too slow"}]


@pytest.mark.parametrize(("ttft", "tpot", "met"), [(1.0, 0.05, True), (1.0 + 1e-12, 0.05, False),
                                                   (1.0, 0.05 + 1e-12, False)])
def test_a_fleet_meets_its_limits_at_them(ttft: float, tpot: float, met: bool) -> None:
    assert Measured(9, ttft, tpot, (ttft,) * 3, (tpot,) * 3, 0).meets(1.0, 0.05) is met
    assert not Measured(9, ttft, tpot, (ttft,) * 3, (tpot,) * 3, 1).meets(1.0, 0.05)


# ---- constants ----

def test_the_ends_of_a_constants_interval_are_printed_in_its_unit() -> None:
    profile = pair(0.02, 3e-5, 0.01, 4e-5)
    assert profile.law_table is not None
    constant = profile.law_table.constants["beta_p"].model_copy(update={"interval": (2e-5, 5e-5)})
    changed = profile.law_table.model_copy(update={
        "constants": {**profile.law_table.constants, "beta_p": constant}, "tokens_min": 16, "tokens_max": 512})
    fits = SimpleNamespace(value=0.97), SimpleNamespace(value=0.5)
    table = tables.profiles([profile.model_copy(update={"law_table": changed, "r_squared": fits})])
    row = table.to_dict()["rows"][1]
    assert row["constant"] == "beta_p" and (row["tokens_min"], row["tokens_max"]) == (16, 512)
    assert row["shown_unit"] == "µs/token" and (row["unit"], row["value"]) == ("s/token", 3e-5)
    assert (row["shown_low"], row["shown"], row["shown_high"]) == pytest.approx((20.0, 30.0, 50.0))
    assert row["r_squared"] == 0.97
