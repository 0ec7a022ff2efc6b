"""More faults chosen by a reader of the code, by room: each is shown to the tests that run the function.

They aim at what users take into papers: the columns of tables, units, intervals, thresholds of tests, the order in
which a policy serves; and at what a test overlooks that asks for a sign, a shape or an order alone.
"""

from __future__ import annotations

Pairs = dict[str, list[tuple[str, str]]]

NUMERICS: Pairs = {
    "numerics/special.py": [
        ("_SERIES_UP_TO = 2.0", "_SERIES_UP_TO = 1e-4"),
        ("_SERIES_UP_TO = 2.0", "_SERIES_UP_TO = 40.0"),
        ("for _ in range(2):", "for _ in range(1):"),
        ("usable = ratios >= 0", "usable = ratios > 0"),
        ("start + _BLOCK)", "start + _BLOCK - 1)"),
        ("    z[ratio == np.inf] = np.inf\n", ""),
    ],
    "numerics/tails.py": [
        ("- 0.5 * np.log(x) - stirling_error(x)", "- 0.5 * np.log(x)"),
        ("1 / 1260", "1 / 1160"),
        ("np.where(count > 0, inside, -mean)", "np.where(count > 0, inside, 0.0 * mean)"),
        ("size * np.log(success))", "size * np.log1p(-success))"),
        ("front + np.log(x) - np.log(gamma", "front - np.log(gamma"),
        ("- deviance(x, total * (1.0 - success))", "- deviance(x, total * success)"),
    ],
    "numerics/phases.py": [
        ("(2.0 * mean * m1 + q1)", "(mean * m1 + q1)"),
        ("product - mean**2 if slots > 1", "product if slots > 1"),
        ("_TAIL = 1e-18", "_TAIL = 1e-4"),
        ("alive**2 if slots > 1", "alive if slots > 1"),
    ],
    "numerics/estimate.py": [
        ("(2.0 * counts + 5.0)).sum()", "(2.0 * counts - 5.0)).sum()"),
        ("(s - math.copysign(1.0, s)) / math.sqrt(variance)", "s / math.sqrt(variance)"),
        ("/ (x.size - 2) / spread", "/ (x.size - 1) / spread"),
        ("student.sf(abs(z), x.size - 2)", "student.sf(abs(z), x.size - 1)"),
        ("float(2.0 * student.sf", "float(student.sf"),
        ("math.ceil(share * values.size) - 1", "math.ceil(share * values.size)"),
        ("y = y - (w @ y) / w.sum()", "y = y - y.mean()"),
    ],
    "numerics/markov.py": [
        ("closed.size > 1:", "closed.size > 2:"),
        ("abs(total - 1.0) > 1e-9", "total - 1.0 > 1e-9"),
        ("np.exp(weights - weights.max())", "np.exp(weights)"),
    ],
    "numerics/saturation.py": [
        ("least_swing(BY_SWING * error_rate)", "least_swing(error_rate)"),
        ("1 - (1 - BY_SWING) * error_rate", "1 - 2 * error_rate"),
        ("waiting[:-1] > np.quantile", "waiting[1:] > np.quantile"),
        ("PRESSED = 1 / 3", "PRESSED = 0.0"),
        ("coming / block, doing / block", "doing / block, coming / block"),
        ("batches.std(ddof=1) / math.sqrt(batches.size)", "batches.std(ddof=1) / math.sqrt(values.size)"),
        ("SWING = (0.0481", "SWING = (0.0507"),
        ("elif math.log(load) < -stricter * error", "elif math.log(load) < stricter * error"),
        ("if math.log(load) > bound * error", "if load > bound * error"),
    ],
    "numerics/peaks.py": [
        ("t.ppf(0.975", "t.ppf(0.95"),
        ("means.std(ddof=1) / math.sqrt(len(means))", "means.std(ddof=1) / len(means)"),
        ("(0 if ends else len(state))", "len(state)"),
        ("if held > capacity:", "if held >= capacity:"),
        ("warm_up = math.ceil(4 * slots / k)", "warm_up = 0"),
    ],
    "numerics/increasing_hazard.py": [
        ("out[smooth] = _panel(slope, z[smooth], e[smooth], r[smooth])",
         "out[smooth] = _panel(slope, z[smooth], e[smooth], 0 * r[smooth])"),
        ("zeta0 / 2) + r * (zeta0 - theta0)", "zeta0 / 2) + r * (zeta0 + theta0)"),
        ("np.where(theta < 1, -np.log1p", "np.where(theta < 9, -np.log1p"),
    ],
    "numerics/kept_ages.py": [
        ("(best + 1 + ratio) / float(costs[best])", "(best + ratio) / float(costs[best])"),
        ("if phase >= warm_up:", "if phase > warm_up:"),
        ("epsilon * ages * ages / 2)", "epsilon * ages * ages)"),
        ("tail[::middle].sum() * theta <= 1 + 1e-12", "tail[::middle].sum() * theta <= 1 - 1e-3"),
    ],
    "numerics/any_phase.py": [
        ("held = prompt + 1.0 +", "held = prompt +"),
        ("certain = best is None or found.high < best.low", "certain = True"),
        ("found.high < best.low", "found.high <= best.high"),
        ("(start + D * each) / slots > best.high", "(start + D * each) / slots > best.high / 3"),
        ("+ idle * np.exp(-s * top)", ""),
        ("prompt, capacity) <= eps", "prompt, capacity) <= 2 * eps"),
    ],
    "numerics/capacity.py": [
        ("ended = (done + budget) // prompt", "ended = done // prompt + budget // prompt"),
        ("visits[n] /= 1.0 - after[n]", "visits[n] /= 1.0"),
        ("slots - decoding - ended)", "slots - decoding)"),
        ("_CLOSE = 1e-9", "_CLOSE = 1e-2"),
        ("seconds += float(idle[idle > 0] @", "seconds += 0 * float(idle[idle > 0] @"),
    ],
    "numerics/lp.py": [
        ("Fraction(1 if b >= 0 else -1)", "Fraction(1)"),
        ("if plain[1] >= 0:", "if plain[1] >= -1:"),
        ("if any(table[i][-1] for i in range(m) if basis[i] >= n):", "if False:"),
        ("basis[i])), column)", "-basis[i])), column)"),
    ],
    "numerics/fluid_paths.py": [
        ("time = self.duration / (self.growth - 1)", "time = self.duration / self.growth"),
        ("sum(efforts[k] for k in line) > 1", "sum(efforts[k] for k in line) > 2"),
        ("if all(growth[k] >= 0 for", "if all(growth[k] >= -9 for"),
        ("if growth > 1 else None", "if growth > 0 else None"),
    ],
}  # fmt: skip

MODELS: Pairs = {
    "qtheory/models/laws.py": [
        ("if value < 0 and not self.signed:", "if value < -1 and not self.signed:"),
        ("tile_time * sp.ceiling(tau / t_col)", "tile_time * sp.floor(tau / t_col)"),
        ("c + a * sp.Max(0, load - b0)", "c + a * sp.Max(0, load)"),
        ("eta * sp.Min(n, b0)", "eta * sp.Max(n, b0)"),
        ("2 * c2 / (c0 + c1 + c2)", "2 * c2 / (c0 + c1)"),
        ("if self.c1 + 2 * self.c2 >= 0:", "if self.c1 + self.c2 >= 0:"),
        ("-self.c1 / self.c2 - 1) if", "-self.c1 / self.c2) if"),
        ("bad |= column > 1", "bad |= column > 2"),
        ("(1 - delta) * (alpha_p", "delta * (alpha_p"),
        ("if time <= 0:", "if time < 0:"),
        ("self.t_col < 1 or self.t_col != int(self.t_col)", "self.t_col < 1"),
    ],
    "qtheory/models/network_parts.py": [
        ("return self.budget / self.batch_time", "return self.batch_time / self.budget"),
        ("output * (self.decode_time or self.batch_time)", "output * self.batch_time"),
        ("sum(routes.values()) > 1:", "sum(routes.values()) >= 1:"),
    ],
    "qtheory/models/network.py": [
        ("if len(v.after) > 1)", "if len(v.after) > 2)"),
        ("for g in e.priority for i in (1, 0))", "for g in e.priority for i in (0, 1))"),
        ("{e.name: e.priority[::-1] for", "{e.name: e.priority for"),
        ("t.rate * scale", "t.rate"),
        ("t.rate * times for", "times for"),
        ("if sum(p for _, p in v.routes) < 1]", "if sum(p for _, p in v.routes) <= 1]"),
        ("found[before][v.name] = Fraction(1)", "found[before][v.name] = Fraction(1, 2)"),
    ],
    "qtheory/models/network_classics.py": [
        ("{v.name: -i for i, v in", "{v.name: i + 1 for i, v in"),
        ("Fraction(batch_time) / (short_p + short_d + long_p + long_d)",
         "Fraction(batch_time) / (short_p + long_p + long_d)"),
        ("Fraction(rate) / engines", "Fraction(rate)"),
        ('{"A": ("4", "1"), "B": ("2", "3")}', '{"A": ("4", "1"), "B": ("3", "2")}'),
        ("*[short] * (visits - 1), Fraction(long)]", "*[short] * (visits - 1), Fraction(short)]"),
    ],
}  # fmt: skip

REPORT: Pairs = {
    "qtheory/report/base_threshold.py": [
        ("min(theta0[1], 1.0)", "theta0[1]"),
        ("(max(low, 0.0), high) for low, high in found", "(low, high) for low, high in found"),
        ("_in_range(profile, batch))", "_in_range(profile, k0))"),
        ("(None, None) if mu_L is None or k0 == 0 else rates", "rates"),
    ],
    "qtheory/report/memory_safety.py": [
        ("(min(of), max(of)) if ends", "(of[0], of[0]) if ends"),
        ("peak_tail_bound(safe, threshold_count(theta, safe)", "peak_tail_bound(N, threshold_count(theta, N)"),
        ("PHASES * REPLICATIONS, __version__)", "PHASES, __version__)"),
        ("k = min(math.floor(theta * N), N - 1)", "k = min(math.ceil(theta * N), N - 1)"),
        ("EPS, theta, p0, prompt)", "10 * EPS, theta, p0, prompt)"),
    ],
    "qtheory/report/crossover.py": [
        ("alpha_MB=law.alpha_p, beta_MB=law.beta_p, **lengths", "alpha_MB=law.alpha_d, beta_MB=law.beta_p, **lengths"),
        ("mixed - exclusive]", "exclusive - mixed]"),
        ("for lacking in (1, 3, 4):", "for lacking in (1, 3):"),
    ],
    "qtheory/report/rules.py": [
        ("None if tokens is None else 1 / (fixed + tokens)", "None if tokens is None else 1 / fixed"),
        ("law.beta_p * float(workload.prompt.mean) + law.beta_d",
         "law.beta_p * float(workload.prompt.mean) - law.beta_d"),
        ("if p0 <= 0:", "if p0 < -1:"),
    ],
    "qtheory/report/capacity.py": [
        ('"slots": SLOTS}), workload)', '"slots": 2 * SLOTS}), workload)'),
        ("float(free.lengths.tokens), budget, free.low, free.high",
         "float(free.lengths.tokens), budget, free.high, free.high"),
        ("horizon=requests / share", "horizon=requests / rate"),
        ("rate / engine.engines\n    found", "rate\n    found"),
        ("with_rate(rate * float(share))", "with_rate(rate)"),
        ('"rate": found.any_scheduler / engine.engines', '"rate": found.any_scheduler'),
    ],
    "qtheory/report/regret.py": [
        ("loss = 1 - (best.low + held) / (theirs.low + held)", "loss = (theirs.low + held) / (best.low + held) - 1"),
        ("rate = 1 / (best.high + held)", "rate = 1 / best.high"),
        ('"mixed" if low > rate', '"mixed" if high > rate'),
        ("(high / rate if choice", "(low / rate if choice"),
        ("1 / (safe.high + held) / rate - 1)", "1 / (safe.high + held) / rate)"),
        ("* np.log(1 / EPS)", "* np.log10(1 / EPS)"),
        ("theta0, 1 / tail.sum())", "theta0, 0.5)"),
        ("alpha * float(1 + lengths.output) / N", "alpha * float(lengths.output) / N"),
    ],
    "qtheory/report/approximation.py": [
        ("RATIO = 17.0", "RATIO = 1.7"),
        ("float(p0 * RATIO), float(eta / p0**2)", "float(p0 * RATIO), float(eta / p0)"),
        ("law.quantile(0.95) + 1)", "law.quantile(0.95))"),
        ("root = np.sqrt(np.asarray(law.survival(t)))", "root = np.asarray(law.survival(t))"),
        ("slope_reach(row, level, slopes)", "slope_reach(errors[-1], level, slopes)"),
        ("max(round(float(workload.prompt.mean)), 1), float(base",
         "max(round(float(workload.prompt.mean)), 2), float(base"),
    ],
    "qtheory/report/hardware.py": [
        ('("µs/token", 1e6)', '("µs/token", 1e3)'),
        ('"ns/token", 1e9', '"ns/token", 1e6'),
        ("for x in (constant.value, low, high))", "for x in (constant.value, high, low))"),
        ("(constant.value or 1.0) < 1e-6", "(constant.value or 1.0) < 1e-3"),
    ],
    "qtheory/report/traces.py": [
        ("if d.scale == 60.0)", "if d.scale >= 60.0)"),
        ("p < SMALLEST else p)", "p < 1e-3 else p)"),
        ("s.output_variation, p_values[2], s.falls", "s.output_variation, p_values[1], s.falls"),
        ("s.lengths_rho, p_values[3], p_values[4]", "s.lengths_rho, p_values[4], p_values[3]"),
    ],
    "qtheory/report/simulation.py": [
        ("(0.1, 0.9), axis=0)", "(0.4, 0.6), axis=0)"),
        ("above = 1.0 - np.cumsum", "above = np.cumsum"),
        ("np.arange(1, runs[0].windows + 1)\n        _band(axes, times, np.array([path(r)",
         "np.arange(0, runs[0].windows)\n        _band(axes, times, np.array([path(r)"),
        ("r.window / s.servers for r in runs", "r.window for r in runs"),
        ("model.loads[name]", "2 * model.loads[name]"),
    ],
}  # fmt: skip

PROFILES: Pairs = {
    "qtheory/profiles/fitting.py": [
        ("1 - float(((data.seconds - times) ** 2).sum()) / total",
         "1 - float(np.abs(data.seconds - times).sum()) / total"),
        ("wanted = len(law.constant_names()) + (1 if law.breakpoint else 0)", "wanted = len(law.constant_names()) - 1"),
        ("law, train, settings.errors, bend=False", "law, data, settings.errors, bend=False"),
        ("key=lambda f: f.aic", "key=lambda f: -f.aic"),
    ],
    "qtheory/profiles/estimating.py": [
        ("(powers or list(equal))[0]", "(list(equal))[-1]"),
        ('loads[1:-1] if law.kind == "concave"', 'loads[2:-1] if law.kind == "concave"'),
        ("for _ in range(4):", "for _ in range(0):"),
        ("np.argsort(-batch.log_likelihood", "np.argsort(batch.log_likelihood"),
    ],
    "qtheory/profiles/robust.py": [
        ("CORNER = 1.345", "CORNER = 2.69"),
        ("theta[rows] = 0.0", "theta[rows] = 1e-3"),
        ("np.log(2 * scale * k1e(ZETA))", "np.log(scale * k1e(ZETA))"),
        ("bend = root**-3", "bend = root**-1"),
        ("factor**2 * float(((error / root)", "factor * float(((error / root)"),
        ("variance = score / curvature**2", "variance = score / curvature"),
        ("/ max(len(error) - constants, 1), curvature", "/ len(error), curvature"),
        ("return ZETA * score / corner**2 / curvature", "return score / corner**2 / curvature"),
        ("weights / (root * root * root), weights * error / root", "weights / root, weights * error"),
    ],
    "qtheory/profiles/intervals.py": [
        ("stats.t.ppf((1 + confidence) / 2", "stats.t.ppf(confidence"),
        ("len(data.seconds) - constants, 1))\n    found = {}", "len(data.seconds), 1))\n    found = {}"),
        ("stats.f.ppf(confidence, 1, freedom)) / 2", "stats.f.ppf(confidence, 1, freedom))"),
        ("kept[near] |= batch", "kept[near] &= batch"),
        ("return min(ends[0], at), max(ends[1], at)", "return at, max(ends[1], at)"),
        ("min(e[name][0] for e in ends)", "max(e[name][0] for e in ends)"),
    ],
    "qtheory/profiles/quality.py": [
        ("full = tokens > tokens.max() / 2", "full = tokens > 0"),
        ("float(1 / (1 + np.median(", "float(1 * (1 + np.median("),
        ("ADEQUATE = 0.05", "ADEQUATE = 0.5"),
        ("np.quantile(p, 0.95)", "np.quantile(p, 0.9)"),
        ("key=lambda row: float(np.median(np.abs(errors[row])))", "key=lambda row: float(np.median(errors[row]))"),
        ("(tokens >= low) & (tokens < high)", "(tokens > low) & (tokens <= high)"),
    ],
    "qtheory/profiles/mixing.py": [
        ("max(float(found.low), 0.0), min(float(found.high), 1.0)", "float(found.low), float(found.high)"),
        ("if not ratio:", "if ratio is None:"),
    ],
    "qtheory/profiles/measurements.py": [
        ("operations[of_chosen].sum(axis=1) / 1000", "operations[of_chosen].sum(axis=1)"),
        ("seconds = depth * operations", "seconds = operations"),
        ("np.median(arrays[SECONDS][indices])", "np.mean(arrays[SECONDS][indices])"),
        ('"Meta-Llama-3-70B": 80', '"Meta-Llama-3-70B": 48'),
    ],
}  # fmt: skip

SIMULATE: Pairs = {
    "simulate/measures.py": [
        ("sums[:, L.WAIT], sums[:, L.COMPLETIONS] + sums[:, L.ABANDONED]", "sums[:, L.WAIT], sums[:, L.COMPLETIONS]"),
        ("sums[:, L.DELAYED], sums[:, L.STARTS] + sums[:, L.ABANDONED]", "sums[:, L.DELAYED], sums[:, L.STARTS]"),
        ("sums[:, L.LOST_JOBS] + sums[:, L.LEFT_JOBS]", "sums[:, L.LEFT_JOBS]"),
        ("L.BLOCKED], _lengths(run) * run.network.stations[m].servers", "L.BLOCKED], _lengths(run)"),
        ("L.BUSY], _lengths(run) * run.network.stations[m].servers", "L.BUSY], _lengths(run)"),
        ("lengths[-1] += run.seconds - run.windows * run.window", "pass"),
        ('"fraction with a late token", "1", E.LATE_OUT, E.CLASS_OUT',
         '"fraction with a late token", "1", E.LATE_OUT, None'),
        ('"mean TTFT", "s", E.TTFT_SUM, E.FIRST_TOKENS', '"mean TTFT", "s", E.TTFT_SUM, E.CLASS_OUT'),
        ("run.visits[:, k, A.AREA]) * float(run.model.slot_seconds)", "run.visits[:, k, A.AREA])"),
        ('("idle fraction", "1", E.IDLE_TIME)', '("idle fraction", "1", E.BUSY_TIME)'),
    ],
    "simulate/bootstrap.py": [
        (".ravel()[:count] % count", ".ravel()[:count] % (count - 1)"),
        ("starts = random.integers(count, size", "starts = random.integers(count - self.block + 1, size"),
        ("isinstance(law, Deterministic | Listed) for law", "isinstance(law, Deterministic) for law"),
        ("key=[seed, replication]", "key=[seed, 0]"),
    ],
    "simulate/law_of_rates.py": [
        ("float(sum(self.lengths) / np.dot(self.rates, self.lengths))", "float(1 / np.mean(self.rates))"),
        ("(math.cos(self.phase) - math.cos(", "(1 - math.cos("),
        ("largest = self.rate + self.amplitude", "largest = self.rate"),
    ],
    "simulate/law_of_times.py": [
        ("float(self.stages), self.total / self.stages]", "float(self.stages), self.total]"),
        ("return self.total**2 / self.stages", "return self.total**2"),
        ("math.exp(self.location + self.spread**2 / 2.0)", "math.exp(self.location)"),
        ("kernel.WEIBULL, [float(self.scale), 1.0 / self.shape]", "kernel.WEIBULL, [float(self.scale), self.shape]"),
        ("float(2.0 * np.dot(self.weights", "float(np.dot(self.weights"),
    ],
    "simulate/law_of_values.py": [
        ("(1.0 - self.chance) / self.chance**2", "1.0 / self.chance**2"),
        ("np.arange(trials + 1)", "np.arange(trials)"),
    ],
    "simulate/streams.py": [
        ("math.ceil(self.warm_up * self.windows)", "math.floor(self.warm_up * self.windows)"),
        ("0 <= self.warm_up < 1", "0 <= self.warm_up <= 1"),
    ],
    "simulate/request_records.py": [
        ("run.records[:, 5] - run.engine.late_first", "run.records[:, 5]"),
        ("begin = start[at] + i * first[at] + slope[at] * (0.5 * i * (i - 1))", "begin = start[at] + i * first[at]"),
        ('"ts": 1e6 * begin, "dur"', '"ts": 1e3 * begin, "dur"'),
        ('"ttft": first - arrival', '"ttft": end - arrival'),
    ],
    "simulate/results.py": [
        ("2 * points[n].scenario.horizon <= until_decided", "points[n].scenario.horizon <= until_decided"),
        ("distribution(counts, scenario.confidence)", "distribution(counts, 0.5)"),
    ],
    "simulate/kernel/engine_account.py": [
        ("E.TBT, bin_of(gap)] += s.active_class[g, k]", "E.TBT, bin_of(gap)] += 1"),
        ("s.late[g, k] += gap > engine.tbt_limit[k] * _SLACK", "s.late[g, k] += gap >= 2 * engine.tbt_limit[k]"),
        ("0.5 * length * n * (prefill + decode)", "length * n * (prefill + decode)"),
    ],
    "simulate/kernel/engine_batch.py": [
        ("s.seen[E.DECODING]) + begun", "s.seen[E.DECODING])"),
        ("s.seen[E.IN_SERVICE] >= engine.slots", "s.seen[E.IN_SERVICE] > engine.slots"),
        ("if ends > 0 or pieces > 1 or", "if pieces > 1 or"),
    ],
    "simulate/kernel/variates.py": [
        ("for j in range((stages + 1) // 2)", "for j in range(stages // 2)"),
        ("math.floor(out[i] * par[0]) + 1.0", "math.floor(out[i] * par[0])"),
        ("if unit(b) * par[1] < rate", "if unit(b) * par[1] <= par[1]"),
    ],
    "simulate/kernel/histogram.py": [
        ("SUBBINS = 128", "SUBBINS = 64"),
        ("int((edge(place + 1) - value) / step)", "int((edge(place + 2) - value) / step)"),
    ],
}  # fmt: skip

POLICIES: Pairs = {
    "simulate/kernel/policies/eb.py": [
        ("s.decision[E.WHOLE] = 1", "s.decision[E.WHOLE] = 0"),
        ('engine.parameters["k"] > engine.slots', 'engine.parameters["k"] >= engine.slots'),
    ],
    "simulate/kernel/policies/eb_plus.py": [
        ("n_obs += a * (s.memory[OCCUPANCY] - n_obs)\n    s.memory",
         "n_obs += (1.0 - a) * (s.memory[OCCUPANCY] - n_obs)\n    s.memory"),
        ("real[ALPHA_MB] * (1.0 + mu_o)", "real[ALPHA_MB] * mu_o"),
    ],
    "simulate/kernel/policies/nested_wait.py": [
        ("run = run and at_first >=", "run = run and at_first >"),
        ("s.decoding[i] - s.active[i]", "s.decoding[i]"),
        ("(np.diff(ends) > 0)", "(np.diff(ends) >= 0)"),
    ],
    "simulate/kernel/policies/wait.py": [
        ("s.waiting[j] >= engine.policy_parameters[j]", "s.waiting[j] > engine.policy_parameters[j]"),
        ("s.prompts[j] = engine.policy_parameters[j] if ready", "s.prompts[j] = E.ENDLESS if ready"),
    ],
    "simulate/kernel/policies/rad.py": [
        ("s.seen[E.DECODING] == t_col or", "s.seen[E.DECODING] == t_lcm or"),
        ("in_cycle == n:  # line 6", "in_cycle == n + 1:  # line 6"),
    ],
    "simulate/kernel/policies/cycles.py": [
        ("s.seen[E.PREFILLED] - s.memory[0] >= n", "s.seen[E.PREFILLED] - s.memory[0] > n"),
        ('{"late_first": 1}', '{"late_first": 0}'),
    ],
    "simulate/kernel/policies/slai.py": [
        (">= engine.policy_reals[2] * engine.capacity", "> 2 * engine.policy_reals[2] * engine.capacity"),
        ("max(1, s.integers[E.TOTAL_ITERATIONS])", "max(1, 2 * s.integers[E.TOTAL_ITERATIONS])"),
        ("s.decision[E.ROTATE] = 1", "s.decision[E.ROTATE] = 0"),
    ],
    "simulate/kernel/policies/request_level.py": [
        ("min(engine.policy_parameters[0], max(s.seen[E.WAITING], 1))", "engine.policy_parameters[0]"),
    ],
    "simulate/kernel/policies/kp_kd.py": [
        ('"decode_oldest": engine.parameters["k_d"]', '"decode_oldest": engine.parameters["k_p"]'),
        ("s.take[0] = engine.policy_parameters[2]", "s.take[0] = engine.policy_parameters[1]"),
    ],
    "simulate/kernel/policies/orca.py": [("s.decision[E.PREFILL_FIRST] = 1", "s.decision[E.PREFILL_FIRST] = 0")],
    "simulate/kernel/policies/vllm.py": [("s.decision[E.EXCLUSIVE] = 1", "s.decision[E.EXCLUSIVE] = 0")],
    "simulate/kernel/policies/vllm_whole.py": [
        ('engine.slots <= engine.parameters["budget"]', 'engine.slots < engine.parameters["budget"]'),
    ],
}  # fmt: skip

NETWORKS: Pairs = {
    "qtheory/networks/tokens.py": [
        ("tuple(self.growth * z for z", "tuple(z for z"),
        ("round(count * back.duration / agents.slot_seconds)", "round(count * back.duration)"),
        ("r.left_over / count", "r.left_over"),
        ("(half * (r.slots // r.windows))", "half"),
        ("last = slots >= r.slots / factor", "last = slots >= 0"),
        ("ratio.min(), ratio.max()", "ratio.max(), ratio.max()"),
    ],
    "qtheory/networks/wording.py": [
        ("(2 * q, f\"Z({n}) Z({m})\")", "(q, f\"Z({n}) Z({m})\")"),
        ("time += s.duration", "time = s.duration"),
        ("'-' if c < 0 else '+'", "'+'"),
    ],
    "qtheory/networks/quadratic.py": [
        ("below(float(x[0]) / 2), floor)", "below(float(x[0]) * 2), floor)"),
        ("if least <= 0:", "if least < 0:"),
        ("rest[j][k] -= d * line[j] * line[k]", "rest[j][k] -= line[j] * line[k]"),
    ],
    "qtheory/networks/deciding.py": [
        ("if loads[worst] > 1:", "if loads[worst] >= 1:"),
        ("if loads[worst] == 1:", "if loads[worst] == 2:"),
        ('key=lambda v: (-v.load, len(v.pushed)))[:5]', 'key=lambda v: (v.load, len(v.pushed)))[:5]'),
        ("{about(2 * found.decay)} a second", "{about(found.decay)} a second"),
    ],
    "qtheory/networks/critical.py": [
        ("1 / max(nominal_loads(network).values()) * (1 + width / 2)",
         "1 / max(nominal_loads(network).values()) * (1 - width / 2)"),
        ("if low <= 1 / load <= high), None)", "if 1 / load <= high), None)"),
        ("return ranks == sorted(ranks)", "return True"),
        ('verdict(x) != "unstable", coarse', 'verdict(x) == "stable", coarse'),
    ],
    "qtheory/networks/certificates.py": [
        ("((cycle.growth,),), cycle.growth)", "((cycle.growth,),), Fraction(1))"),
        ("if len({s.efforts for s in together}) > 1:", "if False:"),
        ("(2 * row[k], ((place[by_number[k]]", "(row[k], ((place[by_number[k]]"),
        ("[_texts(row) for row in found.half]", "[_texts(row) for row in found.matrix]"),
    ],
}  # fmt: skip

PROOFS: Pairs = {
    "proofs/gate.py": [
        ('"supported" if words == {"supported"}', '"supported" if "supported" in words'),
        ('"contradicted" if bottom <= top < low or high', '"contradicted" if high'),
        ("if low <= bottom <= top <= high:", "if low <= bottom <= high:"),
        ("if cases > 0 and bound.strip():", "if bound.strip():"),
        ("if verdict.statement != statement_text(flat(statement)):", "if False:"),
        ("if word not in DECLARED or", "if"),
        ("if unmet(step[\"certificate\"]):", "if False:"),
        ("if why is not None:\n        raise Vacuous(why)", "if False:\n        raise Vacuous(why)"),
    ],
    "proofs/decimals.py": [
        ('">": low > 0,', '">": high > 0,'),
        ('"=": low == high == 0, "!=": low > 0', '"=": low <= 0 <= high, "!=": low > 0'),
        ('">": high <= 0,', '">": low <= 0,'),
    ],
    "proofs/units.py": [
        ("PLAIN_NUMBER.times(inner, Fraction(1, 2))", "inner"),
        ("Fraction(-1 if node[0] == \"diff\" else 1)", "Fraction(1)"),
        ('Fraction(1 if pieces[0] == "*" else -1)', "Fraction(1)"),
        ("if first is not None and first[1] != unit:", "if False:"),
        ("return None if base is None else PLAIN_NUMBER.times(base, node[2])", "return base"),
        ("if wanted is not None and unit is not None and unit != wanted:", "if False:"),
    ],
}  # fmt: skip

ROOM_BY_ROOM: tuple[Pairs, ...] = (NUMERICS, MODELS, REPORT, PROFILES, SIMULATE, POLICIES, NETWORKS, PROOFS)
