"""What a report's page weighs, and how long Chromium takes to open it: the page of each paper, before any search.

Every claim's quote, statement and proof stand on such a page; what a search finds adds a tenth. Processor time counts
all processes of the browser until a second after, so that what else the machine does counts little; the times of the
browser's own clock, from the request on, stand beside it.
Run as ``python tests/benchmarks/bench_report.py [PAGE.html]...``: prints a table, and exits 1 where a page weighs 2 MB
for 300 claims or takes a second of a processor to open. A page of ``qtheory report`` may be given instead.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from qtheory.proofs import gate
from qtheory.proofs.corpus import claims, papers
from qtheory.report.referee import account, page

BYTES, SECONDS, TIMES = 2_000_000 / 300, 1.0, 5
ASKED = """const told = performance.getEntriesByType("navigation")[0];
return [performance.getEntriesByType("paint")[0].startTime, told.domContentLoadedEventEnd, told.loadEventEnd]"""


def pages(folder: Path) -> list[Path]:
    """A page a paper."""
    out = []
    for paper in papers():
        told = [c for c in claims().values() if c.id.startswith(f"{paper}.") and (c.statement or c.verdict)]
        verdicts = [(gate.unknown(c.statement, "not searched") if c.statement is not None else gate.declared(c))
                    .annotated(id=c.id) for c in told]
        out.append(folder / f"{paper}.html")
        out[-1].write_text(page(account(paper, paper, verdicts)), encoding="utf-8")
    return out


def opened(driver: Any, path: Path) -> tuple[float, ...]:
    """Seconds to the first paint, to the end of parsing, to the load event; and seconds of a processor."""
    before = used(driver)
    driver.get(path.resolve().as_uri())
    time.sleep(1)  # what the browser does after the load event is counted too
    return (*(t / 1000 for t in driver.execute_script(ASKED)), used(driver) - before)


def used(driver: Any) -> float:
    """Processor seconds of the browser's processes so far."""
    import psutil

    found = psutil.Process(driver.service.process.pid).children(recursive=True)
    return float(sum(sum(p.cpu_times()[:2]) for p in found if p.is_running()))


def main(given: list[str] | None = None) -> int:
    try:
        import psutil  # noqa: F401
        from selenium import webdriver
    except ImportError:
        print("selenium and psutil are not installed: not measured")
        return 0
    if not (shutil.which("chromedriver") and shutil.which("chromium")):
        print("chromium is not installed (Debian: chromium chromium-driver): not measured")
        return 0
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1100,1400"):
        options.add_argument(argument)
    print("| page | claims | MB | MB for 300 | first paint, s | parsed | load event | s of a processor |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    missed = False
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        with tempfile.TemporaryDirectory() as folder:
            for path in map(Path, given) if given else pages(Path(folder)):
                text = path.read_text(encoding="utf-8")
                size, count = len(text.encode()), text.count("<article ")
                told = [statistics.median(t) for t in zip(*(opened(driver, path) for _ in range(TIMES)), strict=True)]
                shown = " | ".join(f"{t:.2f}" for t in told)
                print(f"| {path.stem} | {count} | {size / 1e6:.2f} | {300 * size / count / 1e6:.2f} | {shown} |")
                missed = missed or size / count >= BYTES or told[3] >= SECONDS
    finally:
        driver.quit()
    print("\npromised: under 2 MB for 300 claims, and opened within a second of a processor" + "  MISSED" * missed)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
