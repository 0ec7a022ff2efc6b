"""What `qtheory plan` prints of a cluster: lines, JSON, and tables for a paper."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from qtheory import __version__
from qtheory.planning.deciding import HOUR, Decision, KindFleet
from qtheory.report.apart import label_of
from qtheory.report.table import Column, Math, Table, Value

SCHEMA = 1
LIMITS = {"ttft": "mean time to the first token", "tpot": "mean time per output token",
          "prefill_fairness": "prefill fairness", "decode_fairness": "decode fairness"}


def lines(d: Decision) -> list[str]:
    """The plan in words."""
    return [d.cluster.title, *_requests(d), "", *_plan(d), "", *_worth(d), *(["", *_fleets(d)] if d.fleets else [])]


def _requests(d: Decision) -> list[str]:
    r = d.hour.requests
    found = [f"{len(r):,} requests in {float(r.seconds):,.0f} s; limits on means: {_limits(d)}"]
    found += [f"  {c.name}: {float(c.rate):.4g}/s, prompts of {float(c.prompt):,.1f} tokens, outputs of "
              f"{float(c.decode):,.1f}" + (f", patience ends at {float(c.patience):g}/s" if c.patience else "")
              for c in d.hour.classes]
    return found


def _limits(d: Decision) -> str:
    given = {k: getattr(d.cluster.limits, k) for k in LIMITS}
    return ", ".join(f"{k} {v:g}" + (" s" if k in ("ttft", "tpot") else "") for k, v in given.items() if v is not None
                     ) or "none"


def _plan(d: Decision) -> list[str]:
    plan, cluster = d.plan, d.plan.cluster
    revenue, cost = float(plan.value) * HOUR, _cost(d)
    found = [f"Plan for {d.planned}, {cluster.charging} charging: ${revenue:,.2f} an hour of revenue at a cost of "
             f"${cost:,.2f}",
             f"  the optimum of the fluid model's linear program ({len(cluster.program.variables)} variables, "
             f"{len(cluster.program.rows)} rows), proved by both checkers"]
    for g, kind in enumerate(cluster.kinds, 1):
        mixed = float(plan.mixed(g))
        found.append(f"  {kind.name}: {mixed:.3f} of {float(kind.count):g} take prefills (whole: "
                     f"{min(int(-(-plan.mixed(g) // 1)), int(kind.count))}), {float(kind.count) - mixed:.3f} decode "
                     f"alone; iterations of {float(kind.times.mixed) * 1000:.2f} and "
                     f"{float(kind.times.solo) * 1000:.2f} ms")
    table = fluid_table(d)
    found += _aligned([[_heading(c) for c in table.columns if c.printed]] + [
        [table.shown(i, j) or "-" for j, c in enumerate(table.columns) if c.printed] for i in range(len(table.rows))])
    return found


def _heading(column: Column) -> str:
    return column.heading.plain if isinstance(column.heading, Math) else column.heading


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  " + "  ".join(cell.ljust(w) if k < 2 else cell.rjust(w)
                             for k, (cell, w) in enumerate(zip(row, widths, strict=True))).rstrip() for row in rows]


def _cost(d: Decision) -> float:
    prices = {g.name: g.price for g in d.cluster.gpu}
    return sum(float(k.count) * prices[k.name] for k in d.plan.cluster.kinds)


def binding(d: Decision) -> list[dict[str, Any]]:
    """The inequalities that bind, with their prices ($ an hour for each unit of the right side) and ranges; no price
    below where less of the right side leaves no plan."""
    from qtheory.numerics.linprog import price

    optimum, found = d.plan.optimum, []
    for name in optimum.binding:
        if name.startswith(("xmax", "xmin", "ysmax", "ysmin")):
            continue
        row, p = optimum.program.by_name[name], price(optimum, name)
        below = None if p.low == row.right else float(p.left) * HOUR
        found.append({"row": name, "about": row.about, "right": float(row.right), "price": float(p.right) * HOUR,
                      "price_below": below, "low": None if p.low is None else float(p.low),
                      "high": None if p.high is None else float(p.high)})
    return found


def _worth(d: Decision) -> list[str]:
    plan = d.plan
    found = ["Binding, with what a unit more would be worth ($ an hour), and from where to where that holds:"]
    bound = binding(d)
    for b in bound:
        low, high = (end if b[k] is None else f"{b[k]:.6g}" for k, end in (("low", "-oo"), ("high", "oo")))
        sides = "" if b["price_below"] in (None, b["price"]) else f" (a unit less: {b['price_below']:,.4g})"
        found.append(f"  {b['about']}: {b['price']:,.4g}{sides}, from {low} to {high}; it is {b['right']:.6g}")
    if not bound:
        waiting = any(v for x, v in plan.optimum.point.items() if x.startswith(("qp", "qd")))
        served = "who gives up would have paid nothing" if waiting else "every request is served"
        found = [f"Nothing binds: {served}, and more GPUs would earn nothing"]
    prices = {g.name: g.price for g in d.cluster.gpu}
    for g, kind in enumerate(plan.cluster.kinds, 1):
        found.append(f"One more {kind.name} is worth ${float(plan.gpu_worth(g)) * HOUR:,.4g} an hour and costs "
                     f"${prices[kind.name]:g}; one more slot on each of them, ${float(plan.slot_worth(g)) * HOUR:,.4g}")
    shape = [*(["degenerate, so that prices may differ to both sides"] if plan.optimum.degenerate else []),
             "not the only one" if plan.optimum.other() is not None else "the only one"]
    found.append(f"This optimum is {' and '.join(shape)}")
    return found


def _fleets(d: Decision) -> list[str]:
    found = [f"Smallest fleets for these {len(d.hour.requests):,} requests:"]
    for f in d.fleets:
        found += _fleet(f)
    if d.cheapest is not None and d.cost_bound is not None:
        f, low = d.cheapest, -float(d.cost_bound.value)
        found.append(f"Cheapest found: {f.found} {f.gpu.name} for ${(f.found or 0) * f.gpu.price:,.2f} an hour; no "
                     f"{'stable ' if f.lasting else ''}fleet, kinds mixed, costs less than ${low:,.2f} (proved)")
    found.append("  proved: by linear programs over all schedulers, for GPUs that take the time of their profile; in "
                 "simulation: Sarathi-Serve on each, requests sent where least work is left")
    return found


def _fleet(f: KindFleet) -> list[str]:
    if f.bound is None or f.long_run is None:
        return [f"  {f.gpu.name}: no fleet of these alone: {f.conflict}"]
    hour, long_run = (-float(v.value) for v in (f.bound, f.long_run))
    text = [f"  {f.gpu.name}: at least {f.least} GPUs, proved ({hour:.3f} in this hour, {long_run:.3f} in the long "
            "run)"]
    if f.lasting:
        text = [f"  {f.gpu.name}: at least {f.long_run_least} GPUs when such requests come for ever, proved "
                f"({long_run:.3f}; {hour:.3f} in this hour: without limits on both means it may leave work for later)"]
    number, m = f.tried[-1]
    if f.found is None:
        text[0] += f"; none found: {number} still have ttft {m.ttft:.3g} s and tpot {m.tpot * 1000:.3g} ms"
        return text
    text[0] += f"; {f.found} meet the limits in simulation: gap {f.gap}"
    first, tokens = ("/".join(f"{v * s:.3g}" for v in values) for values, s in
                     ((m.ttft_percentiles, 1), (m.tpot_percentiles, 1000)))
    text.append(f"    ttft {m.ttft:.3g} s (50/90/99 percent: {first}), tpot {m.tpot * 1000:.3g} ms ({tokens})")
    return text


# ---- tables ----

def fluid_table(d: Decision) -> Table:
    """Occupancies and queues of the plan, a row a class and kind."""
    plan, cluster = d.plan, d.plan.cluster
    columns = (
        Column("class", "class", "request class", text=True, once=True),
        Column("gpu", "GPU", "kind of GPU", text=True),
        Column("rate", Math(r"\lambda", "rate"), "arrivals", "1/s", digits=4, trim=True),
        Column("served", "served", "completed requests", "1/s", digits=4, trim=True),
        Column("prefill", Math("x", "in prefill"), "requests in prefill", digits=4, trim=True),
        Column("mixed", Math("y_m", "decode beside"), "in decode beside a prefill", digits=4, trim=True),
        Column("solo", Math("y_s", "decode alone"), "in decode on GPUs without prefill", digits=4, trim=True),
        Column("wait_prefill", Math("q_p", "wait prefill"), "waiting for prefill", digits=4, trim=True),
        Column("wait_decode", Math("q_d", "wait decode"), "waiting for decode", digits=4, trim=True),
    )
    rows: list[tuple[Value, ...]] = []
    for i, c in enumerate(cluster.classes, 1):
        for g, kind in enumerate(cluster.kinds, 1):
            it = cluster.instances[g - 1]
            x, m, s = (plan.amount(k, i, g) for k in ("x", "ym", "ys"))
            served = m * it.mu_m[i - 1] + s * it.mu_s[i - 1]
            rows.append((c.name, kind.name, float(c.rate), float(served), float(x), float(m), float(s),
                         float(plan.amount("qp", i)), float(plan.amount("qd", i, g))))
    return Table(name="plan", title=d.cluster.title, label=label_of("tab:plan", d.cluster.title),
                 columns=columns, rows=tuple(rows), version=__version__,
                 caption=(f"The optimal plan of {d.planned} under {cluster.charging} charging: "
                          f"{float(plan.value) * HOUR:,.2f} dollars an hour, proved optimal for the fluid model. "
                          f"Computed by qtheory {__version__}.",))


def fleet_table(d: Decision) -> Table:
    """Bounds and fleets, a row a kind."""
    columns = (
        Column("gpu", "GPU", "kind of GPU", text=True),
        Column("least", "at least", "certified least number of GPUs"),
        Column("long_run", "long run", "certified least number of GPUs when such requests come for ever"),
        Column("found", "found", "GPUs that meet the limits in simulation"),
        Column("ttft", "TTFT", "mean time to the first token", "s", digits=3),
        Column("tpot", "TPOT", "mean time per output token", "s", digits=3),
        Column("ttft_p99", "TTFT p99", "99th percentile of the time to the first token", "s", digits=3),
        Column("tpot_p99", "TPOT p99", "99th percentile of the requests' times per output token", "s", digits=3),
        Column("cost", "cost", "dollars an hour", "$/h", digits=4, trim=True),
        Column("bound", "bound", "the bound as a real number", printed=False),
        Column("conflict", "conflict", "why no fleet of this kind can", text=True, printed=False),
    )
    rows: list[tuple[Value, ...]] = []
    for f in d.fleets:
        measured: tuple[Value, ...] = (None,) * 5
        if f.found is not None:
            m = f.tried[-1][1]
            measured = (m.ttft, m.tpot, float(m.ttft_percentiles[-1]), float(m.tpot_percentiles[-1]),
                        f.found * f.gpu.price)
        bound = None if f.bound is None else -float(f.bound.value)
        rows.append((f.gpu.name, f.least, f.long_run_least, f.found, *measured, bound, f.conflict or None))
    return Table(name="plan-fleets", title=f"Smallest fleets: {d.cluster.title}",
                 label=label_of("tab:plan-fleets", d.cluster.title), columns=columns, rows=tuple(rows),
                 version=__version__,
                 caption=(f"Least numbers of GPUs for {len(d.hour.requests):,} requests in "
                          f"{float(d.hour.requests.seconds):,.0f} s within the limits ({_limits(d)}): certified lower "
                          f"bounds, and fleets that meet them in simulation. Computed by qtheory {__version__}.",))


def tables(d: Decision) -> list[Table]:
    """The plan's table, and that of the fleets if there are any."""
    return [fluid_table(d), *([fleet_table(d)] if d.fleets else [])]


def document(d: Decision) -> dict[str, Any]:
    """All numbers, exact ones as fractions too."""
    plan, cluster = d.plan, d.plan.cluster
    return {
        "schema": SCHEMA, "title": d.cluster.title, "version": __version__, "planned": d.planned,
        "charging": cluster.charging, "requests": len(d.hour.requests), "seconds": float(d.hour.requests.seconds),
        "limits": d.cluster.limits.model_dump(),
        "plan": {
            "verdict": "proved", "revenue_per_hour": float(plan.value) * HOUR, "value": str(plan.value),
            "cost_per_hour": _cost(d), "degenerate": plan.optimum.degenerate,
            "unique": plan.optimum.other() is None,
            "kinds": [{"name": k.name, "gpus": float(k.count), "mixed": float(plan.mixed(g)),
                       "mixed_exact": str(plan.mixed(g)), "tau_mixed": float(k.times.mixed),
                       "tau_solo": float(k.times.solo), "gpu_worth_per_hour": float(plan.gpu_worth(g)) * HOUR,
                       "slot_worth_per_hour": float(plan.slot_worth(g)) * HOUR}
                      for g, k in enumerate(cluster.kinds, 1)],
            "classes": fluid_table(d).to_dict()["rows"],
            "binding": binding(d),
            "point": {x: str(v) for x, v in plan.optimum.point.items() if v},
        },
        "fleets": [_fleet_json(f) for f in d.fleets],
        "cost_bound_per_hour": None if d.cost_bound is None else -float(d.cost_bound.value),
        "cheapest": None if d.cheapest is None else {"gpu": d.cheapest.gpu.name, "gpus": d.cheapest.found},
    }


def _fleet_json(f: KindFleet) -> dict[str, Any]:
    def exact(value: Fraction | None) -> str | None:
        return None if value is None else str(value)

    return {"gpu": f.gpu.name, "conflict": f.conflict or None, "least": f.least, "long_run_least": f.long_run_least,
            "bound": exact(None if f.bound is None else -f.bound.value), "found": f.found, "gap": f.gap,
            "tried": [{"gpus": n, "ttft": m.ttft, "tpot": m.tpot,
                       "ttft_percentiles": list(map(float, m.ttft_percentiles)),
                       "tpot_percentiles": list(map(float, m.tpot_percentiles)), "unfinished": m.unfinished}
                      for n, m in f.tried]}


def certificates(d: Decision) -> dict[str, Any]:
    """The certificates of the plan's optimum and of each kind's bounds; each part is one for ``qtheory check``."""
    found = {"plan": d.certified}
    for f in d.fleets:
        if f.bound is not None and f.long_run is not None:
            found |= {f"{f.gpu.name}, this hour": f.bound, f"{f.gpu.name}, long run": f.long_run}
    if d.cost_bound is not None:
        found["cost"] = d.cost_bound
    return {"schema": SCHEMA, "optima": {name: {"value": str(c.value), **c.certificate} for name, c in found.items()}}
